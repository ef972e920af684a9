"""Refreshes in processes of their own, killed (SIGKILL) when they have come to some point."""

import logging
import multiprocessing
import os
import signal
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from resources.errors import MuonEvidenceError

_MODULES = ["pipelines.definitions", "tests.support.arxiv_corpus"]
_LONGEST = 300


@dataclass(frozen=True)
class Point:
    """Some seconds after a stage has told of its progress for the nth time."""

    stage: str
    report: int
    seconds: float


@dataclass(frozen=True)
class Ended:
    """How a refresh ended: killed or not, and what the stages had told until then."""

    killed: bool
    reports: list[tuple[str, int, int]]


def refresh(data: Path, url: str, kill_at: Point | None = None) -> Ended:
    """Refresh from a loopback arXiv; with a point, kill the process there if it comes so far.

    The processes are forked from one that has imported everything and done nothing.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_MODULES)
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_refresh, args=(data, url, theirs), daemon=True)
    process.start()
    theirs.close()
    reports: list[tuple[str, int, int]] = []
    try:
        while ours.poll(_LONGEST):
            reports.append(ours.recv())
            if kill_at and [name for name, _, _ in reports].count(kill_at.stage) == kill_at.report:
                process.join(kill_at.seconds)  # it may come to its end before that
                with suppress(ProcessLookupError):
                    os.kill(process.pid or 0, signal.SIGKILL)
                kill_at = None
    except EOFError:
        process.join(_LONGEST)
    if process.exitcode not in (0, -signal.SIGKILL):
        raise AssertionError(f"The refresh ended with {process.exitcode}: {reports[-1:]}")
    return Ended(process.exitcode != 0, reports)


class _Told:
    """Progress into a pipe."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe

    def report(self, stage: str, done: int, total: int) -> None:
        """Tell it."""
        self._pipe.send((stage, done, total))


def _refresh(data: Path, url: str, pipe: Connection) -> None:
    from pipelines import actions  # noqa: PLC0415 - imported in the process that is forked
    from tests.support.arxiv_access import profile_with  # noqa: PLC0415
    from tests.support.arxiv_corpus import quick_parts  # noqa: PLC0415

    logging.disable(logging.CRITICAL)
    parts: Any = quick_parts(data, profile_with(), progress=_Told(pipe), MUON_ARXIV_URL=url)
    try:
        actions.refresh(parts)
    except MuonEvidenceError as error:
        pipe.send((str(error), 0, 0))
        raise
