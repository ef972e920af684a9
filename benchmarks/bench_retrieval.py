"""Measures retrieval on the shared questions: every mode, the default with each part off, textbook
pipelines, and the default's weights cross-validated.

    python -m benchmarks.bench_retrieval [--data DIR] [--questions FILE.jsonl] [--quick]

DIR (default: MUON_DATA) is a data location whose current release holds the corpus that the
questions are about (`muon-evidence refresh --source folder --folder shared/corpus --data DIR`
makes one). Figures are at chunk level over the answerable questions, relevance by the questions'
own rule. Each row is compared with the default by a paired bootstrap over MRR, and the default
with the best textbook row by one over each score. Vectors of the textbook's windows are kept in
this machine's cache; the first run makes them (about 3 minutes on two cores).
"""

import argparse
import re
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

from assets.evaluation.judging import Judge, Question, gold_module, load_questions
from assets.evaluation.metrics import ranking_scores
from assets.evaluation.retrieval import DEPTH, averaged
from assets.evaluation.significance import paired_difference
from assets.evaluation.vector_cache import cached_vectors
from assets.retrieval.reader import open_searcher
from assets.retrieval.records import Mode
from assets.retrieval.release import require_current
from assets.retrieval.search import Searcher, SearchSettings
from assets.tables import DOCUMENTS
from benchmarks.bench_scifact import KnownQueries
from benchmarks.cross_validation import cross_validated
from benchmarks.shared import only_figures, shared_folder
from benchmarks.textbook import Textbook, windows
from pipelines.parts import Parts, cache_folder
from pipelines.settings import Settings
from resources.encoder import Encoder
from resources.errors import UsageError
from resources.lake import Lake

_SHOWN = ("P@1", "Hit@5", "MRR", "nDCG@5", "Recall@20")
_WORDINGS = ("paraphrase", "exact", "plain")

_PARTS: Mapping[str, Mapping[str, float | bool]] = {
    "without BM25": {"dense_share": 1.0},
    "without the cosine": {"dense_share": 0.0, "clauses": False},
    "without clauses": {"clauses": False},
    "without length": {"length_weight": 0.0},
    "without caption prior": {"caption_weight": 0.0},
    "without section": {"section_weight": 0.0},
    "without paper": {"paper_weight": 0.0},
    "without collapsing": {"collapse": False},
    "z-scores alone": {
        "clauses": False,
        "length_weight": 0.0,
        "caption_weight": 0.0,
        "section_weight": 0.0,
        "paper_weight": 0.0,
        "collapse": False,
    },
}


@dataclass(frozen=True, slots=True)
class Row:
    """One method's scores, question by question, and its time a question in milliseconds."""

    name: str
    scores: list[dict[str, float]]
    milliseconds: float


def measured(
    name: str,
    searcher: Searcher,
    mode: Mode,
    questions: Sequence[Question],
    grades: Sequence[dict[str, int]],
) -> Row:
    """Scores of one mode of one searcher."""
    searcher.search(questions[0].question, mode, 10)  # the first search pays for what is lazy
    scores = []
    start = time.perf_counter()
    for question, judged in zip(questions, grades, strict=True):
        hits = searcher.search(question.question, mode, DEPTH)
        scores.append(ranking_scores([hit.chunk_id for hit in hits], judged))
    return Row(name, scores, 1000 * (time.perf_counter() - start) / len(questions))


def textbook_rows(
    lake: Lake, encoder: Encoder, questions: Sequence[Question], gold: ModuleType | None
) -> list[Row]:
    """The textbook pipelines over all blocks of the same documents, judged by the same rule."""
    documents = {
        row["paper_id"]: " ".join(block["text"] for block in row["blocks"])
        for row in lake.rows(DOCUMENTS, ["paper_id", "blocks"])
    }
    cut = windows(documents)
    texts = [text for _, text in cut.values()]
    cache = Lake(str(cache_folder() / "benchmarks"))
    textbook = Textbook(list(cut), texts, cached_vectors(cache, encoder, texts, _report))
    judge = Judge(cut, gold)
    scores: dict[str, list[dict[str, float]]] = {}
    start = time.perf_counter()
    for question in questions:
        grades = judge.grades(question)
        vector = encoder.encode_queries([question.question])[0]
        for name, ranking in textbook.rankings(question.question, vector, DEPTH).items():
            scores.setdefault(name, []).append(ranking_scores(ranking, grades))
    spent = 1000 * (time.perf_counter() - start) / len(questions) / len(scores)
    return [Row(name, own, spent) for name, own in scores.items()]


def against_textbook(default: Row, textbook: Sequence[Row]) -> str:
    """The default less the textbook row that is best by each score, by a paired bootstrap."""
    lines = ["default less the best textbook row, paired bootstrap, 95% interval"]
    for name in _SHOWN:
        best = max(textbook, key=lambda row: averaged(row.scores)[name])
        its = [one[name] for one in best.scores]
        difference = paired_difference([one[name] for one in default.scores], its)
        lines.append(
            f"{name:10}{difference.mean:+.3f} [{difference.low:+.3f}, {difference.high:+.3f}]"
            f"   {best.name} {averaged(best.scores)[name]:.3f}"
        )
    return "\n".join(lines)


def by_wording(rows: Sequence[Row], kinds: Sequence[str]) -> str:
    """Scores of some rows for each wording of the questions apart."""
    lines = [f"{'':36}" + "".join(f"{name:>10}" for name in _SHOWN)]
    for kind in _WORDINGS:
        for row in rows:
            own = [one for one, its in zip(row.scores, kinds, strict=True) if its == kind]
            if own:
                mean = averaged(own)
                head = f"{kind} ({len(own)}), {row.name}"
                lines.append(f"{head:36}" + "".join(f"{mean[name]:10.3f}" for name in _SHOWN))
    return "\n".join(lines)


def wordings(readme: Path) -> dict[str, str]:
    """Wording of each question id, as the benchmark's README lists them; {} without it."""
    if not readme.is_file():
        return {}
    found = {}
    for line in readme.read_text(encoding="utf-8").splitlines():
        for wording in _WORDINGS:
            if line.startswith(f"- {wording}"):
                found.update(dict.fromkeys(re.findall(r"\bq\d+\b", line), wording))
    return found


def table(rows: Sequence[Row], kinds: Sequence[str]) -> str:
    """All rows side by side, the first being what the others are compared with."""
    head = f"{'':24}" + "".join(f"{name:>10}" for name in _SHOWN)
    lines = [
        head + "".join(f"{f'MRR {kind}':>16}" for kind in _WORDINGS) + "   MRR against default"
    ]
    default = [one["MRR"] for one in rows[0].scores]
    for row in rows:
        mean = averaged(row.scores)
        line = f"{row.name:24}" + "".join(f"{mean[name]:10.3f}" for name in _SHOWN)
        for kind in _WORDINGS:
            own = [one for one, its in zip(row.scores, kinds, strict=True) if its == kind]
            line += f"{averaged(own).get('MRR', float('nan')):16.3f}"
        difference = paired_difference([one["MRR"] for one in row.scores], default)
        line += f"   {difference.mean:+.3f} [{difference.low:+.3f}, {difference.high:+.3f}]"
        lines.append(f"{line}  {row.milliseconds:6.1f} ms")
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    only_figures()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="data location of a release (default: MUON_DATA)")
    parser.add_argument("--questions", type=Path, help="a questions file; default: the shared one")
    parser.add_argument("--quick", action="store_true", help="no cross-validation")
    arguments = parser.parse_args()
    shared = shared_folder()
    path = arguments.questions or (shared and shared / "benchmark" / "questions.jsonl")
    if path is None:
        parser.error("no shared questions here: set MUON_SHARED, or give --questions")
    try:
        questions = [one for one in load_questions(path) if one.answerable]
        settings = Settings(MUON_DATA=arguments.data) if arguments.data else Settings()
        parts = Parts(settings)
        release = require_current(parts.files)
        encoder = parts.encoder
        searcher = open_searcher(parts.lake, parts.files, release, encoder)
    except UsageError as problem:
        parser.error(str(problem))
    texts = {one.chunk_id: (one.paper_id, one.text) for one in searcher.index.passages}
    judge = Judge(texts, gold_module(path))
    grades = [judge.grades(question) for question in questions]
    known = wordings(path.parent / "README.md")
    kinds = [known.get(question.id, "plain") for question in questions]
    default = SearchSettings()
    rows = [measured("hybrid (default)", searcher, Mode.HYBRID, questions, grades)]
    for mode in (Mode.SPARSE, Mode.DENSE, Mode.PAPER):
        rows.append(measured(mode.value, searcher, mode, questions, grades))
    for name, change in _PARTS.items():
        other = Searcher(searcher.index, encoder, replace(default, **change))  # type: ignore[arg-type]
        rows.append(measured(name, other, Mode.HYBRID, questions, grades))
    textbook = textbook_rows(parts.lake, encoder, questions, gold_module(path))
    print(
        f"release {release.release_id}: {len(texts):,} passages, {len(questions)} questions, "
        f"judged by {judge.name}, encoder {encoder.id} on {encoder.runtime}\n"
    )
    if not arguments.quick:
        known_queries = KnownQueries(encoder)
        validated = cross_validated(searcher, known_queries, questions, grades, DEPTH)
        rows.append(Row("cross-validated", validated.scores, rows[0].milliseconds))
    print(table([*rows, *textbook], kinds))
    print(f"\n{against_textbook(rows[0], textbook)}")
    print(f"\n{by_wording([rows[0], *textbook], kinds)}")
    if not arguments.quick:
        print("\nweights chosen on four folds, each for the fifth:")
        for weights in validated.chosen:
            print("  " + _told(weights))
        print("on all questions: " + _told(validated.best_in_sample))


def _told(weights: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:g}" for name, value in weights.items())


def _report(done: int, total: int) -> None:
    if total:
        print(f"\rembedded {done:,} of {total:,}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
