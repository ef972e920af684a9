"""Real and typeset papers: their words, marks and headings are found, on the pages they are on.

Needs the shared corpus; the truth is the papers' own sources and the PDF library's plain text.
"""

import json
from collections import defaultdict
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks.bench_parsing import Score, furniture_words, output_of, score
from benchmarks.parsing_truth import read_truth
from resources.blocks import Block, ParsedDocument
from resources.errors import Permanent
from resources.pdf_layout import Limits, ParserPool
from tests.support.quoted import gold_rule, text_layer
from tests.support.shared import require_shared


@pytest.fixture(scope="module")
def corpus() -> dict[str, ParsedDocument]:
    """The papers with a source or a quote to look for, parsed, by their files' stems."""
    folder = require_shared("corpus")
    questions = require_shared("benchmark", "questions.jsonl").read_text().splitlines()
    quoted = {e["paper_id"] for line in questions for e in json.loads(line)["evidence"]}
    stems = {paper.replace("/", "_") for paper in quoted}
    stems |= {source.stem for source in (folder / "text").glob("*.md")}
    with ParserPool(2) as pool:
        results = dict(pool.parse_many(folder / f"{stem}.pdf" for stem in sorted(stems)))
    assert all(isinstance(r, ParsedDocument) for r in results.values())
    return {p.stem: r for p, r in results.items() if isinstance(r, ParsedDocument)}


@pytest.fixture(scope="module")
def gold() -> ModuleType:
    """The benchmark's own rule of what holds a quote."""
    return gold_rule()


def on_pages(block: Block) -> dict[int, str]:
    parts: dict[int, list[str]] = defaultdict(list)
    for box in block.boxes:
        parts[box.page].append(block.text[box.start : box.end])
    return {page: " ".join(texts) for page, texts in parts.items()}


def test_a_quote_stands_on_the_page_that_its_block_names(
    corpus: dict[str, ParsedDocument], gold: ModuleType
) -> None:
    folder = require_shared("corpus")
    layers: dict[str, dict[int, str]] = {}
    checked = 0
    wrong = []
    for question in gold.load():
        for evidence in question["evidence"]:
            stem, quote = evidence["paper_id"].replace("/", "_"), evidence["quote"]
            if stem not in layers:
                layers[stem] = text_layer(folder / f"{stem}.pdf")
            overlaps = {n: gold.overlap(quote, text) for n, text in layers[stem].items()}
            pages = {n for n, share in overlaps.items() if share >= gold.THRESHOLD}
            pages |= {max(overlaps, key=lambda n: overlaps[n])}  # a quote over a page break
            for block in corpus[stem].blocks:
                if gold.overlap(quote, block.text) < gold.THRESHOLD:
                    continue
                parts = on_pages(block)
                named = max(parts, key=lambda n: gold.overlap(quote, parts[n]))
                checked += 1
                if named not in pages:
                    wrong.append((stem, named, pages, quote))
    assert checked > 250
    assert wrong == []


def test_words_headings_and_marks_of_the_sources_are_found(
    corpus: dict[str, ParsedDocument],
) -> None:
    folder = require_shared("corpus")
    papers = [json.loads(line) for line in (folder / "papers.jsonl").read_text().splitlines()]
    scores: dict[str, Score] = {}
    for paper in papers:
        source = folder / "text" / Path(paper["file"]).with_suffix(".md").name
        if source.exists():
            path = folder / paper["file"]
            furniture = furniture_words(path, paper)
            scores[paper["paper_id"]] = score(
                read_truth(source.read_text()),
                output_of(corpus[path.stem], 1.0),
                furniture,
                paper["pages"],
            )

    def mean(name: str) -> float:
        return sum(getattr(s, name) for s in scores.values()) / len(scores)

    assert len(scores) >= 21
    assert {p: s.words for p, s in scores.items() if s.words < 0.985} == {}
    assert mean("sequences") >= 0.93
    assert mean("precision") >= 0.9
    assert mean("recall") >= 0.9
    assert mean("leaked") <= 0.002
    assert mean("marks") >= 0.97


def test_every_character_of_every_box_is_accounted_for(
    corpus: dict[str, ParsedDocument],
) -> None:
    for document in corpus.values():
        sizes = {entry.page: entry for entry in document.pages}
        for block in document.blocks:
            assert block.text.strip() == block.text != ""
            assert block.page == block.boxes[0].page
            end = 0
            for box in block.boxes:
                assert 0 <= end <= box.start < box.end <= len(block.text)
                # Between boxes stand only blanks, and the bars that part a table's cells.
                assert block.text[end : box.start].strip(" \n|") == ""
                assert box.x0 < box.x1
                assert box.y0 < box.y1
                assert box.x1 < sizes[box.page].width + 40
                end = box.end
            assert block.text[end:].strip() == ""


def test_awkward_files_give_a_document_or_one_sentence() -> None:
    files = [
        *sorted(require_shared("fixtures", "awkward_pdf").glob("*.pdf")),
        *sorted(require_shared("fixtures", "tei").glob("*.pdf"), key=lambda p: p.stat().st_size)[
            :4
        ],
    ]
    with ParserPool(2, Limits(seconds=60)) as pool:
        results = dict(pool.parse_many(files))
    assert set(results) == set(files)
    for path, result in results.items():
        if isinstance(result, Permanent):
            assert str(result).startswith(f"{path.name}: ")
            assert str(result).endswith(".")
        else:
            assert all(p.characters or p.note for p in result.pages)
    assert isinstance(next(r for p, r in results.items() if p.name == "garbage.pdf"), Permanent)
