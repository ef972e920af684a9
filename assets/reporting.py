"""What every asset shares towards Dagster: its owner, its clock, its progress, its failures.

The only module of this floor besides the stages' `assets.py` and `checks.py` that knows Dagster.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

import dagster as dg

from resources.errors import MuonEvidenceError, Transient

OWNERS = ["team:muon-evidence"]

#: A corpus is refreshed on five days of seven and reconciled weekly: older than that is stale.
FRESH = dg.FreshnessPolicy.time_window(fail_window=timedelta(days=8), warn_window=timedelta(days=4))

#: Steps that talk to the outside; only failures that may pass by themselves are retried.
RETRY = dg.RetryPolicy(
    max_retries=2, delay=30, backoff=dg.Backoff.EXPONENTIAL, jitter=dg.Jitter.PLUS_MINUS
)

#: Rows of a preview in an asset's metadata, and characters of one cell.
PREVIEW_ROWS = 10
PREVIEW_CELL = 120


class Interrupted(dg.DagsterError, dg.DagsterExecutionInterruptedError):
    """The end of a run that somebody stopped, by Ctrl-C or in the UI.

    A retry policy would take a plain interrupt for one more failure, and begin the step again.
    """


class Progress(Protocol):
    """Where a stage says how far it is."""

    def report(self, stage: str, done: int, total: int) -> None:
        """`done` of `total` items of a stage are finished."""


class LoggedProgress:
    """Progress for runs that nobody watches on a terminal: it stays silent.

    The Dagster UI shows a stage's counts in its metadata.
    """

    def report(self, stage: str, done: int, total: int) -> None:
        """Ignore it."""


class StageConfig(dg.Config):
    """What every stage can be told in the launchpad."""

    retry_failed: bool = False


def now() -> str:
    """The current time in UTC, ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def reporter(progress: Progress, stage: str) -> Callable[[int, int], None]:
    """A stage's own reporting function."""
    return lambda done, total: progress.report(stage, done, total)


@contextmanager
def plain_failures() -> Iterator[None]:
    """Turn an expected error into a Dagster failure that shows its one sentence.

    A transient one may be retried by the run's policy; anything else would fail again.
    """
    try:
        yield
    except (KeyboardInterrupt, dg.DagsterExecutionInterruptedError) as interrupt:
        raise Interrupted("The run was stopped.") from interrupt
    except MuonEvidenceError as error:
        raise dg.Failure(
            description=str(error), allow_retries=isinstance(error, Transient)
        ) from error


def preview(rows: list[dict[str, Any]], columns: list[str]) -> dg.MetadataValue:
    """The first rows of a table as Markdown, cells cut to a readable length."""
    lines = [" | ".join(columns), " | ".join("---" for _ in columns)]
    for row in rows[:PREVIEW_ROWS]:
        cells = [str(row.get(name, "")).replace("|", "\\|").replace("\n", " ") for name in columns]
        lines.append(" | ".join(cell[:PREVIEW_CELL] for cell in cells))
    return dg.MetadataValue.md("\n".join(f"| {line} |" for line in lines))
