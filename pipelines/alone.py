"""One run at a time makes what leads to a release; a second one would only repeat its work.

The lock is the operating system's: it goes with the process that holds it, however that ends.
"""

import os
import socket
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager

from filelock import Timeout

from assets.reporting import now
from resources.errors import MuonEvidenceError
from resources.files import Files

TO_RELEASE = [
    "papers",
    "pdfs",
    "documents",
    "chunks",
    "claims",
    "factual_density",
    "dense_index",
    "sparse_index",
    "release",
]

#: The lock, and who holds it: for the message to whoever comes second.
LOCK = "refresh"
HOLDER = "state/refresh-run.json"

#: Somebody may hold the lock for a moment only to see whether it is free.
_PATIENCE = 1.0


class AlreadyRunning(MuonEvidenceError):
    """Another run is at work on the same data location."""


def leads_to_release(assets: Iterable[str]) -> bool:
    """Whether a run of some assets is one of those of which there may be one at a time."""
    return not set(TO_RELEASE).isdisjoint(assets)


@contextmanager
def alone(files: Files, run_id: str) -> Iterator[None]:
    """Be the only run on a data location for the time of the block.

    Raises AlreadyRunning, which names the run that is there. An object store has no locks; there
    the single run is the deployment's duty.
    """
    with ExitStack() as stack:
        try:
            stack.enter_context(files.lock(LOCK, seconds=_PATIENCE))
        except Timeout:
            raise AlreadyRunning(_busy(files)) from None
        holder = {
            "run": run_id, "process": os.getpid(), "host": socket.gethostname(), "since": now()
        }  # fmt: skip
        files.write_json(HOLDER, holder)
        stack.callback(files.remove, HOLDER)
        yield


def whoever_runs(files: Files) -> str:
    """The sentence on the run that is at work on a data location; empty where none is."""
    if not files.exists(HOLDER):
        return ""
    try:
        with files.lock(LOCK, seconds=0):
            return ""
    except Timeout:
        return _busy(files)


def _busy(files: Files) -> str:
    try:
        held = files.read_json(HOLDER)
        who = (
            f"run {held['run']} (process {held['process']} on {held['host']}, since "
            f"{held['since']})"
        )
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        who = "another run"
    return (
        f"The data location {files.uri} is being refreshed by {who}: wait until that has ended, "
        "or stop it, and run again."
    )
