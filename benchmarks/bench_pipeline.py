"""Stage by stage: items a second of a refresh, and how long a query takes.

    python -m benchmarks.bench_pipeline [--folder DIR] [--queries N]

Refreshes a folder of PDFs (the shared corpus where there is one, else the sample papers) into a
temporary data location through a real Dagster run, refreshes it once more with nothing new, and
times searches and answers on the release in one warm process, and answers by cold commands.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np

from assets.answering.agentic import agentic_hits
from assets.evaluation.judging import load_questions
from assets.retrieval.reader import open_searcher
from assets.retrieval.records import Mode
from assets.retrieval.release import require_current
from benchmarks.bench_ask import print_times
from benchmarks.shared import only_figures, shared_folder
from pipelines.instance import open_instance
from pipelines.parts import Parts
from pipelines.running import FinishedRun, run_job
from pipelines.settings import Settings
from resources import sample_corpus

T = TypeVar("T")

#: Commands that answer one question each, from nothing.
COLD = 3

STAGES = {
    "papers": "papers",
    "pdfs": "PDFs",
    "documents": "papers",
    "chunks": "papers",
    "claims": "chunks",
    "factual_density": "chunks",
    "dense_index": "chunks",
    "sparse_index": "chunks",
    "release": "releases",
}


def main() -> None:
    """Print the tables."""
    only_figures()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, help="folder of PDFs")
    parser.add_argument("--queries", type=int, default=60, help="queries to time a mode with")
    options = parser.parse_args()
    shared = shared_folder()
    folder = options.folder or (shared / "corpus" if shared else sample_corpus.folder())
    questions_file = (
        shared / "benchmark" / "questions.jsonl"
        if shared and not options.folder
        else sample_corpus.folder() / "questions.jsonl"
    )
    with tempfile.TemporaryDirectory() as data:
        parts = Parts(Settings(MUON_DATA=data, MUON_SOURCE="folder", MUON_FOLDER=str(folder)))
        print(f"refresh of {folder}\n")
        seconds, run = timed(lambda: run_job("refresh", parts))
        stage_table(parts, run)
        print(f"{'all':<16} {seconds:>9.1f} s\n")
        again, _ = timed(lambda: run_job("refresh", Parts(parts.settings.model_copy())))
        print(f"once more, with nothing new: {again:.1f} s\n")
        questions = [question.question for question in load_questions(questions_file)]
        latency_table(parts, questions[: options.queries])
        print()
        print_times(data, questions[: options.queries], questions[:COLD])


def stage_table(parts: Parts, run: FinishedRun) -> None:
    """Seconds and items a second of each stage of a run."""
    with open_instance(parts.settings) as instance:
        stats = {one.step_key: one for one in instance.get_run_step_stats(run.run_id)}
    print(f"{'stage':<16} {'seconds':>9} {'items':>8} {'a second':>9}")
    for asset, unit in STAGES.items():
        step = stats[asset]
        took = (step.end_time or 0) - (step.start_time or 0)
        metadata = run.metadata[asset]
        made = int(metadata.get("rows_made", metadata.get("listed", 1)))
        print(f"{asset:<16} {took:>9.1f} {made:>8} {made / max(took, 1e-9):>9.1f} {unit}")


def latency_table(parts: Parts, questions: Sequence[str]) -> None:
    """Median and 95th percentile of each mode's search, warm."""
    current = require_current(parts.files)
    opening, searcher = timed(
        lambda: open_searcher(parts.lake, parts.files, current, parts.encoder)
    )
    print(f"release of {current.counts['chunks']} chunks opened in {opening:.2f} s")
    print(f"{'query':<22} {'p50 ms':>8} {'p95 ms':>8}")
    for mode in (Mode.SPARSE, Mode.DENSE, Mode.PAPER, Mode.DENSITY, Mode.HYBRID):
        row(f"search {mode.value}", [partial(searcher.search, q, mode, 10) for q in questions])
    rest = (searcher, parts.profile, None)
    row("search agentic", [partial(agentic_hits, q, *rest, 10) for q in questions])


def row(name: str, calls: Sequence[Callable[[], object]]) -> None:
    """Time some calls after a warm-up of one, and print a line."""
    calls[0]()
    took = [1000 * timed(call)[0] for call in calls]
    print(f"{name:<22} {np.percentile(took, 50):>8.1f} {np.percentile(took, 95):>8.1f}")


def timed(call: Callable[[], T]) -> tuple[float, T]:
    """Seconds that a call took, and what it returned."""
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


if __name__ == "__main__":
    main()
