"""How good and how fast answers are, mode by mode, on a release and a questions file.

    python -m benchmarks.bench_answers [--data DIR] [--questions FILE] [--set retrieval|answer]

Answers every question in every mode with the embedded planner and writer, and from the gold
passages (oracle), judges the answers by code, and prints the scores and the seconds a question.
With the PDFs beside the questions it also checks that every page cited holds the words quoted.
"""

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from assets.answering.answer_question import ORACLE, answer_from, answer_question
from assets.answering.records import Answer, AnswerSettings
from assets.evaluation.answers import StatementJudge, answers_report
from assets.evaluation.judging import Judge, Question, gold_module, load_questions
from assets.parsing.rows import boxes_of
from assets.retrieval.reader import open_searcher
from assets.retrieval.records import Hit, Mode
from assets.retrieval.release import require_current
from assets.retrieval.search import Searcher
from assets.tables import CHUNKS
from benchmarks.quoted_pages import QuotedPages
from benchmarks.shared import only_figures, shared_folder
from pipelines.parts import Parts
from pipelines.settings import Settings
from resources import sample_corpus
from resources.blocks import Box

MODES = (Mode.SPARSE, Mode.DENSE, Mode.HYBRID, Mode.AGENTIC)
_COLUMNS = (
    "key_points", "wrong_claims", "citation_precision", "citation_precision_strict",
    "citation_recall", "ungrounded_numbers", "grounded", "correct_abstention", "false_abstention",
)  # fmt: skip


def main() -> None:
    """Print the tables."""
    only_figures()
    options = arguments(__doc__)
    parts, searcher = opened(options.data)
    questions = load_questions(options.questions, options.set)
    texts = {one.chunk_id: (one.paper_id, one.text) for one in searcher.index.passages}
    passages = Judge(texts, gold_module(options.questions))
    places = parts.lake.column_map(CHUNKS, "chunk_id", "boxes")
    seconds: dict[str, list[float]] = {}
    answers: dict[str, list[Answer]] = {}

    def boxes(chunk_id: str) -> tuple[Box, ...]:
        return boxes_of(places[chunk_id])

    def timed(mode: str, answer: Callable[[Question], Answer], question: Question) -> Answer:
        start = time.perf_counter()
        made = answer(question)
        seconds.setdefault(mode, []).append(time.perf_counter() - start)
        answers.setdefault(mode, []).append(made)
        return made

    def by_mode(mode: Mode, question: Question) -> Answer:
        return answer_question(
            question.question, mode, searcher, parts.profile, None, boxes_of=boxes
        )

    def oracle(question: Question) -> Answer:
        hits = gold_hits(searcher, passages.grades(question))
        return answer_from(question.question, hits, searcher, None, boxes_of=boxes)

    answerers = {mode.value: partial(timed, mode.value, partial(by_mode, mode)) for mode in MODES}
    answerers[ORACLE] = partial(timed, ORACLE, oracle)
    report = answers_report(questions, answerers, passages, texts, StatementJudge(parts.encoder))
    print(f"{len(questions)} questions, release of {len(texts)} passages")
    print_table(report["modes"], seconds)
    folder = options.questions.parent.parent / "corpus"
    if folder.is_dir():
        print_pages(QuotedPages(folder), answers)


def print_pages(pages: QuotedPages, answers: Mapping[str, Sequence[Answer]]) -> None:
    """How many citations of each mode have their words on their page, and those that have not."""
    print("\ncitations whose page holds the quoted words by the PDF's own text layer")
    for mode, made in answers.items():
        checked, missing = pages.unheld(made)
        print(f"{mode:<28}{checked - len(missing):>6} of {checked}")
        for one in missing:
            where = f"{one.citation.paper_id}, page {one.citation.page}"
            print(f"  not on {where}: {one.citation.quote[:160]!r}")


def arguments(description: str | None) -> argparse.Namespace:
    """Options of the benchmarks of answering."""
    shared = shared_folder()
    default = shared / "benchmark" if shared else sample_corpus.folder()
    parser = argparse.ArgumentParser(description=(description or "").splitlines()[0])
    parser.add_argument("--data", help="data location (default: MUON_DATA or ./data)")
    parser.add_argument("--questions", type=Path, default=default / "questions.jsonl")
    parser.add_argument("--set", default="", choices=["", "retrieval", "answer"])
    return parser.parse_args()


def opened(data: str | None) -> tuple[Parts, Searcher]:
    """The parts of a data location and a searcher over its current release."""
    settings = Settings() if data is None else Settings(MUON_DATA=data)
    parts = Parts(settings)
    current = require_current(parts.files)
    return parts, open_searcher(parts.lake, parts.files, current, parts.encoder)


def gold_hits(searcher: Searcher, grades: dict[str, int]) -> list[Hit]:
    """The gold passages of a question, best grade first, as many as an answer may read."""
    best = sorted(grades, key=lambda key: (-grades[key], key))[: AnswerSettings().m]
    index = searcher.index
    return [
        index.passages[index.row_of[chunk_id]].as_hit(rank, float(grades[chunk_id]))
        for rank, chunk_id in enumerate(best, 1)
    ]


def print_table(modes: dict[str, Any], seconds: dict[str, list[float]]) -> None:
    """One column a mode, one line a score."""
    print(f"{'':<28}" + "".join(f"{mode:>10}" for mode in modes))
    rows = [(name, [modes[mode][name] for mode in modes]) for name in _COLUMNS]
    kinds = sorted({kind for mode in modes.values() for kind in mode["correct_abstention_by_kind"]})
    for kind in kinds:
        values = [mode["correct_abstention_by_kind"].get(kind) for mode in modes.values()]
        rows.append((f"  abstains, {kind}", values))
    for name, share in (("seconds, p50", 50), ("seconds, p95", 95)):
        rows.append((name, [float(np.percentile(seconds[mode], share)) for mode in modes]))
    for name, values in rows:
        cells = ["–" if value is None else f"{value:.3f}" for value in values]
        print(f"{name:<28}" + "".join(f"{cell:>10}" for cell in cells))


def print_curve(curve: dict[str, list[float]]) -> None:
    """Risk against coverage of the agentic answers, at some ten thresholds."""
    print("risk against coverage, agentic (what rules keep back is never answered):")
    print(f"{'answered from':<16}{'coverage':>10}{'risk':>10}")
    rows = list(zip(curve["threshold"], curve["coverage"], curve["risk"], strict=True))
    for threshold, coverage, risk in rows[:: max(1, len(rows) // 10)] + rows[-1:]:
        print(f"{threshold:<16.3f}{coverage:>10.3f}{risk:>10.3f}")


if __name__ == "__main__":
    main()
