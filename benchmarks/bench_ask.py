"""How long an answer takes: in a warm process, and by a command that starts from nothing.

    python -m benchmarks.bench_ask [--data DIR] [--questions FILE] [--count N] [--cold N]

Answers questions one by one with the embedded parts from the current release of a data location,
as the `ask` job does (pages of the quotes looked up, answers not kept), after one to warm up; then
runs `muon-evidence ask` as a process of its own, a question each time.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from assets.answering.answer_question import answer_question
from assets.evaluation.judging import load_questions
from assets.parsing.rows import boxes_of
from assets.retrieval.records import Mode
from assets.retrieval.release import require_current
from assets.tables import CHUNKS
from benchmarks.bench_answers import opened
from benchmarks.shared import only_figures, shared_folder
from pipelines.parts import Parts
from resources import sample_corpus
from resources.blocks import Box
from resources.lake import col


def main() -> None:
    """Print the table."""
    only_figures()
    shared = shared_folder()
    default = shared / "benchmark" if shared else sample_corpus.folder()
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", help="data location (default: MUON_DATA or ./data)")
    parser.add_argument("--questions", type=Path, default=default / "questions.jsonl")
    parser.add_argument("--count", type=int, default=60, help="questions in the warm process")
    parser.add_argument("--cold", type=int, default=3, help="processes that start from nothing")
    options = parser.parse_args()
    questions = [one.question for one in load_questions(options.questions)]
    print_times(options.data, questions[: options.count], questions[: options.cold])


def print_times(data: str | None, warm: Sequence[str], cold: Sequence[str]) -> None:
    """The seconds of answers in a warm process, step by step, and of cold commands."""
    parts, searcher = opened(data)
    current = require_current(parts.files)
    version = current.versions[CHUNKS.name]

    def boxes(chunk_id: str) -> Sequence[Box]:
        rows = parts.lake.rows(CHUNKS, ["boxes"], col("chunk_id") == chunk_id, version)
        return boxes_of(rows[0]["boxes"]) if rows else ()

    steps: dict[str, list[float]] = {}
    for number, question in enumerate([warm[0], *warm]):
        start = time.perf_counter()
        made = answer_question(
            question, Mode.AGENTIC, searcher, parts.profile, None,
            boxes_of=boxes, clock=time.perf_counter,
        )  # fmt: skip
        taken = {"ask, warm": time.perf_counter() - start, **made.timings}
        for step, seconds in taken.items():
            if number:
                steps.setdefault(step, []).append(seconds)
    print(f"release of {current.counts['papers']} papers, {current.counts['chunks']} passages")
    print(f"{'seconds an answer':<22} {'p50':>7} {'p95':>7}   n")
    for name, every in steps.items():
        _row(name if name == "ask, warm" else f"  {name}", every)
    if cold:
        _row("ask, cold", [_cold(parts, question) for question in cold])


def _cold(parts: Parts, question: str) -> float:
    command = [sys.executable, "-m", "pipelines.cli", "ask", question, "--fresh"]
    start = time.perf_counter()
    subprocess.run(  # noqa: S603 - our own interpreter and module
        [*command, "--model", "none", "--data", parts.settings.location],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "DAGSTER_HOME": ""},
    )
    return time.perf_counter() - start


def _row(name: str, seconds: Sequence[float]) -> None:
    p50, p95 = np.percentile(seconds, (50, 95))
    print(f"{name:<22} {p50:>7.2f} {p95:>7.2f} {len(seconds):>3}")


if __name__ == "__main__":
    main()
