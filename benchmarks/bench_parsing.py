"""Measures the embedded layout parser on papers whose source text is known.

    python -m benchmarks.bench_parsing [--only ID ...] [--missing]

For every paper of the shared corpus with a source in `text/`: the share of its words found, of its
five-word sequences found in order, heading precision and recall, the share of running heads, page
numbers and margin stamps that leaked into prose, the share of exponents, scripts and Greek letters
kept in prose, of sub- and superscripts in displayed formulas, and pages a second of processor time
on one core; beside the same figures for pdftotext and pypdf where they are installed.
"""

import argparse
import importlib.util
import json
import math
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.parsing_truth import (
    Truth,
    found_greek,
    found_scripts,
    heading_key,
    read_truth,
    sequences,
    share,
    words,
)
from resources.blocks import BlockKind, ParsedDocument
from resources.pdf_layout import parse_pdf

_HEAD = "paper            words 5-gram h.prec  h.rec  leak% script  greek  marks eq.scr    p/s"
_CHECKOUT = Path(__file__).resolve().parents[1]
_TARGETS = "targets: words .985 a paper, 5-grams .93 mean, headings .90/.90, leaked .2%, marks .97"


@dataclass(frozen=True, slots=True)
class Output:
    """What a parser made of one PDF; headings are None for a parser that knows none."""

    prose: str
    headings: list[str] | None
    has_abstract: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Score:
    """The figures of one paper; shares from 0 to 1, NaN for what a parser does not give."""

    words: float
    sequences: float
    precision: float
    recall: float
    leaked: float
    scripts: float
    greek: float
    marks: float
    equation_scripts: float
    pages_a_second: float


def embedded(path: Path) -> Output:
    """This project's parser."""
    start = time.process_time()
    document = parse_pdf(path)
    return output_of(document, time.process_time() - start)


def output_of(document: ParsedDocument, seconds: float) -> Output:
    """A parsed document as the scores read it."""
    headings = [b.text for b in document.blocks if b.kind is BlockKind.HEADING]
    abstract = any(b.kind is BlockKind.ABSTRACT for b in document.blocks)
    text = "\n\n".join(b.text for b in document.blocks)
    return Output(text, headings, abstract, seconds)


def pdftotext(path: Path) -> Output:
    """Poppler's command line, reading order as it finds it."""
    start = os.times()
    done = subprocess.run(["pdftotext", path, "-"], capture_output=True, check=False)  # noqa: S603, S607
    end = os.times()
    used = end.children_user + end.children_system - start.children_user - start.children_system
    return Output(done.stdout.decode(), None, False, max(used, 0.01))


def pypdf(path: Path) -> Output:
    """A widely used pure-Python reader."""
    from pypdf import PdfReader  # noqa: PLC0415  (a peer, not needed to run the others)

    start = time.process_time()
    text = "\n".join(page.extract_text() for page in PdfReader(path).pages)
    return Output(text, None, False, time.process_time() - start)


def score(truth: Truth, output: Output, furniture: Counter[str], pages: int) -> Score:
    """Compares one output with the source."""
    text = output.prose.replace("\x02\n", "").replace("\x0c", "\n")
    found = words(text)
    counted = Counter(found)
    wanted = Counter(truth.words)
    scripts, greek = found_scripts(text), found_greek(text)
    marks_wanted: Counter[object] = Counter(dict(truth.scripts)) + Counter(dict(truth.greek))
    marks_found: Counter[object] = Counter(dict(scripts)) + Counter(dict(greek))
    headed = Counter(word for h in output.headings or [] for word in words(h))
    leaked = sum(min(n, max(0, counted[w] - headed[w] - wanted[w])) for w, n in furniture.items())
    precision = recall = math.nan
    if output.headings is not None:
        precision, recall = _headings(truth, output)
    return Score(
        share(wanted, counted),
        share(sequences(truth.words), sequences(found)),
        precision,
        recall,
        leaked / max(len(found), 1),
        share(truth.scripts, scripts),
        share(truth.greek, greek),
        share(marks_wanted, marks_found),
        share(truth.equation_scripts, scripts),
        pages / output.seconds,
    )


def _headings(truth: Truth, output: Output) -> tuple[float, float]:
    """Precision and recall; an abstract without a printed heading counts as found."""
    got = Counter(heading_key(h) for h in output.headings or [])
    if output.has_abstract:
        got["abstract"] = max(got["abstract"], 1)
    wanted = Counter(truth.headings)
    hits = sum(min(n, got[k]) for k, n in wanted.items())
    return hits / max(sum(got.values()), 1), hits / max(sum(wanted.values()), 1)


def furniture_words(path: Path, paper: dict[str, object]) -> Counter[str]:
    """Words of running heads, page numbers and stamps, from the raw text near the page's edges."""
    import pypdfium2 as pdfium  # noqa: PLC0415  (the raw library, not the parser under test)

    counted: Counter[str] = Counter()
    document = pdfium.PdfDocument(path)
    for page in document:
        width, height = page.get_size()
        text = page.get_textpage()
        strips = [
            (0, height - 52, width, height),
            (0, 0, width, 48),
            (0, 0, 40, height),
        ]
        for left, bottom, right, top in strips:
            counted.update(words(text.get_text_bounded(left, bottom, right, top)))
        page.close()
    document.close()
    counted.update(words(f"arXiv:{paper['paper_id']}"))
    return counted


def run(only: list[str], missing: bool) -> int:
    """Scores every parser on every paper with a source and prints the table."""
    shared = Path(os.environ.get("MUON_SHARED") or _CHECKOUT.parent / "shared") / "corpus"
    if not (shared / "text").is_dir():
        print(f"{shared}: no corpus with sources here; set MUON_SHARED.", file=sys.stderr)
        return 2
    papers = [json.loads(line) for line in (shared / "papers.jsonl").read_text().splitlines()]
    parsers: dict[str, Callable[[Path], Output]] = {"embedded-layout": embedded}
    if not missing:
        if shutil.which("pdftotext"):
            parsers["pdftotext"] = pdftotext
        if importlib.util.find_spec("pypdf"):
            parsers["pypdf"] = pypdf
    embedded(shared / papers[0]["file"])  # the first call pays for imports
    print(_TARGETS)
    for name, parse in parsers.items():
        print(f"\n{name}")
        print(
            "paper             words  5-gram  h.prec h.rec  leak%  scripts greek marks eq.scr  p/s"
        )
        scores = []
        for paper in papers:
            source = shared / "text" / Path(paper["file"]).with_suffix(".md").name
            if not source.exists() or (only and paper["paper_id"] not in only):
                continue
            truth = read_truth(source.read_text())
            path = shared / paper["file"]
            output = parse(path)
            one = score(truth, output, furniture_words(path, paper), paper["pages"])
            scores.append((paper["pages"], one))
            print(_row(paper["paper_id"], one))
            if missing:
                _explain(truth, output)
        if scores:
            print(_row("mean", _mean(scores)))
    return 0


def _explain(truth: Truth, output: Output) -> None:
    found = Counter(words(output.prose))
    lost = Counter(truth.words) - found
    print("   words lost:", sorted(lost.elements())[:60])
    print("   words more:", sorted((found - Counter(truth.words)).elements())[:80])
    got = Counter(heading_key(h) for h in output.headings or [])
    print("   headings lost:", list((Counter(truth.headings) - got).elements()))
    print("   headings more:", list((got - Counter(truth.headings)).elements()))
    scripts = found_scripts(output.prose)
    print("   scripts lost:", list((truth.scripts - scripts).elements())[:40])
    print("   greek lost:", dict(truth.greek - found_greek(output.prose)))


def _mean(scores: list[tuple[int, Score]]) -> Score:
    def mean(name: str) -> float:
        values = [value for _, s in scores if not math.isnan(value := getattr(s, name))]
        return sum(values) / len(values) if values else math.nan

    pages = sum(n for n, _ in scores)
    seconds = sum(n / s.pages_a_second for n, s in scores)
    return replace(Score(*map(mean, Score.__slots__)), pages_a_second=pages / seconds)


def _row(name: str, s: Score) -> str:
    def number(value: float) -> str:
        return "     –" if math.isnan(value) else f"{value:6.3f}"

    shares = (s.words, s.sequences, s.precision, s.recall)
    marks = (s.scripts, s.greek, s.marks, s.equation_scripts)
    return (
        f"{name:15} {' '.join(map(number, shares))} {100 * s.leaked:6.2f} "
        f"{' '.join(map(number, marks))} {s.pages_a_second:6.1f}"
    )


def main() -> int:
    """The command line."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--only", nargs="*", default=[], help="paper ids")
    options.add_argument("--missing", action="store_true", help="what was lost, own parser only")
    chosen = options.parse_args()
    return run(chosen.only, chosen.missing)


if __name__ == "__main__":
    sys.exit(main())
