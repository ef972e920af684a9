"""What the command line writes: progress on stderr, results on stdout, errors in one sentence."""

import json
import sys
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)

from assets.answering.telling import in_words

STAGES = {
    "papers": "listing papers",
    "pdfs": "fetching PDFs",
    "documents": "parsing",
    "chunks": "cutting chunks",
    "claims": "extracting claims",
    "factual_density": "factual density",
    "dense_index": "embedding",
    "sparse_index": "BM25 index",
    "release": "releasing",
    "answer": "answering",
    "retrieval_scores": "scoring retrieval",
    "answer_scores": "scoring answers",
    "judging": "judging answers",
    "density_audit": "auditing density",
    "queries": "embedding queries",
}


class ConsoleProgress:
    """A bar a stage on stderr; on a terminal it moves, in a log it is a line a stage."""

    def __init__(self, quiet: bool = False) -> None:
        self._console = Console(stderr=True, quiet=quiet)
        self._bars: Progress | None = None
        self._tasks: dict[str, TaskID] = {}

    def report(self, stage: str, done: int, total: int) -> None:
        """`done` of `total` items of a stage are finished; a total of 0 has nothing to count."""
        if not self._console.is_terminal:
            self._report_in_a_log(stage, done, total)
            return
        if self._bars is None:
            self._bars = Progress(
                TextColumn("{task.description:<18}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                console=self._console,
                transient=True,
            )
            self._bars.start()
        if stage not in self._tasks:
            for task in self._tasks.values():
                self._bars.stop_task(task)
            self._tasks[stage] = self._bars.add_task(STAGES.get(stage, stage), total=None)
        self._bars.update(self._tasks[stage], completed=done, total=total or None)

    def follow(self, step: str, told: Mapping[str, Any]) -> None:
        """Tell of a step of an answer that ended, above the bars where there are any."""
        console = self._bars.console if self._bars is not None else self._console
        for line in in_words(step, told):
            console.print(line, markup=False, highlight=False, soft_wrap=True)

    def close(self) -> None:
        """Take the bars away, so that results stand alone."""
        if self._bars is not None:
            self._bars.stop()
            self._bars = None
        self._tasks.clear()

    def _report_in_a_log(self, stage: str, done: int, total: int) -> None:
        # A stage with nothing to do is not worth a line.
        if total and done in {0, total}:
            self._console.print(f"{STAGES.get(stage, stage)}: {done} of {total}", highlight=False)


def print_json(value: Any) -> None:
    """One JSON value on stdout."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def complain(sentence: str) -> None:
    """An error on stderr: one line, whatever it holds."""
    sys.stderr.write(f"muon-evidence: {' '.join(sentence.split())}\n")
