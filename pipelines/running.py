"""Runs of the jobs from the command line: in this process, recorded where the UI looks."""

import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import dagster as dg

from pipelines.alone import alone, leads_to_release
from pipelines.instance import PID_TAG, close_dead_runs, open_instance
from pipelines.parts import Parts
from resources.errors import MuonEvidenceError

#: Characters that a sentence quotes of an error that was not written for a user.
MOST_OF_AN_ERROR = 300

#: Seconds until a callback has surely ended.
_MOMENT = 0.05


class RunFailed(MuonEvidenceError):
    """A run that did not come to its end."""


@dataclass(frozen=True)
class FinishedRun:
    """A run that succeeded: its id, and each asset's metadata as plain values."""

    run_id: str
    metadata: Mapping[str, Mapping[str, Any]]


def run_job(
    name: str,
    parts: Parts,
    config: Mapping[str, dg.Config] | None = None,
    only: Sequence[str] = (),
) -> FinishedRun:
    """Run a job of the definitions, or `only` some of its assets.

    `config` maps assets to their configuration.

    Raises what a stage raised where that is a sentence for the user, else RunFailed;
    AlreadyRunning where another run leads to a release too; and KeyboardInterrupt after Ctrl-C.
    """
    from pipelines.definitions import build_defs  # noqa: PLC0415 - the whole graph, two seconds

    job = build_defs(parts).resolve_job_def(name)
    run_config = dg.RunConfig(
        ops=dict(config or {}), loggers={"console": {"config": {"log_level": "CRITICAL"}}}
    )
    run_id = str(uuid4())
    with (
        open_instance(parts.settings) as instance,
        _lock(parts, run_id, only or job.graph.node_dict),
    ):
        close_dead_runs(instance)
        try:
            with _no_interrupt_lost():
                result = job.execute_in_process(
                    run_config=run_config,
                    run_id=run_id,
                    instance=instance,
                    asset_selection=[dg.AssetKey(asset) for asset in only] or None,
                    tags={PID_TAG: str(os.getpid()), "muon-evidence/from": "command line"},
                )
        except dg.DagsterExecutionInterruptedError:
            # Ctrl-C, as Dagster names it within a step.
            raise KeyboardInterrupt from None
        except Exception as error:
            raise _for_the_user(error, name) from error
        if not result.success:
            raise RunFailed(f"The {name} run {result.run_id} failed; the UI shows where and why.")
        return FinishedRun(
            run_id=result.run_id,
            metadata={
                event.asset_key.to_user_string(): {
                    key: value.value for key, value in event.materialization.metadata.items()
                }
                for event in result.get_asset_materialization_events()
                if event.asset_key is not None
            },
        )


def _lock(parts: Parts, run_id: str, assets: Iterable[str]) -> AbstractContextManager[None]:
    return alone(parts.files, run_id) if leads_to_release(assets) else nullcontext()


@contextmanager
def _no_interrupt_lost() -> Iterator[None]:
    """Ctrl-C counts wherever it falls.

    Python only prints, and goes on, where an interrupt falls into a callback of its own (a weak
    reference's, a finalizer's); then it is sent again a moment later.
    """
    before = sys.unraisablehook

    def send_again(lost: Any) -> None:
        if issubclass(lost.exc_type, (KeyboardInterrupt, dg.DagsterExecutionInterruptedError)):
            threading.Timer(_MOMENT, os.kill, [os.getpid(), signal.SIGINT]).start()
        else:
            before(lost)

    sys.unraisablehook = send_again
    try:
        yield
    finally:
        sys.unraisablehook = before


def _for_the_user(error: BaseException, job: str) -> MuonEvidenceError:
    """The sentence in an exception's chain, or a sentence about the exception."""
    chain = list(_chain(error))
    for link in chain:
        if isinstance(link, MuonEvidenceError):
            return link
    for link in chain:
        if isinstance(link, dg.Failure) and link.description:
            return RunFailed(link.description)
    # A blocking check's name stands on the second line of its error.
    what = " ".join(f"{type(error).__name__}: {error}".split())[:MOST_OF_AN_ERROR]
    return RunFailed(
        f"The {job} run stopped ({what}); nothing was released, and the run's page in the UI has "
        "the details."
    )


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__
