"""Ctrl-C ends a refresh with one sentence, and the next one goes on."""

import os
import signal
import subprocess
import sys
import time
import weakref
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from assets.reporting import plain_failures
from assets.retrieval.release import require_current
from pipelines.running import _no_interrupt_lost
from resources.files import Files
from tests.support.pipeline import CHECKOUT, process, sample_folder

SAMPLES = ["cooling", "magnets", "mdi", "mice"]
SENTENCE = (
    "muon-evidence: Interrupted; what was finished is kept, and the next run goes on from there.\n"
)


def _listen() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def interrupted(log: Path, command: list[str], point: str) -> subprocess.CompletedProcess[str]:
    """A refresh in a process group of its own, which Ctrl-C ends once it has come to a write."""
    log.touch()
    started = subprocess.Popen(
        [sys.executable, "-m", "tests.support.killed", str(log), "", *command],
        cwd=CHECKOUT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A test runner in the background may have been told to ignore Ctrl-C, and so its children.
        preexec_fn=_listen,  # noqa: PLW1509 - a signal handler needs no lock
    )
    while started.poll() is None and f"\n{point} " not in log.read_text(encoding="utf-8"):
        time.sleep(0.005)
    os.killpg(started.pid, signal.SIGINT)
    out, err = started.communicate(timeout=120)
    return subprocess.CompletedProcess(started.args, started.returncode, out, err)


def test_a_refresh_that_is_interrupted_goes_on_later(tmp_path: Path) -> None:
    """While PDFs are fetched: a step that is tried again after failures, but not after Ctrl-C."""
    folder, data = sample_folder(tmp_path / "papers", *SAMPLES), tmp_path / "data"
    command = ["refresh", "--source", "folder", "--folder", str(folder), "--data", str(data)]
    first, second = tmp_path / "first.log", tmp_path / "second.log"
    ended = interrupted(first, command, "pdfs")
    assert (ended.returncode, ended.stdout) == (130, "")
    assert ended.stderr.endswith(SENTENCE)
    assert "Traceback" not in ended.stderr
    assert "DagsterExecution" not in ended.stderr
    assert "\nreleases " not in first.read_text(encoding="utf-8")

    second.touch()
    again = process(str(second), "", *command, module="tests.support.killed")
    assert again.status == 0, again.err
    assert require_current(Files(str(data))).counts["papers"] == len(SAMPLES)
    lines = [*first.read_text().splitlines(), *second.read_text().splitlines()]
    files = Counter(line for line in lines if line.startswith("file "))
    # A write is noted just before it is done: Ctrl-C may have come in between, once.
    assert len(files) == len(SAMPLES)
    assert sum(files.values()) <= len(SAMPLES) + 1


def test_an_interrupted_step_is_not_tried_again() -> None:
    tried: list[int] = []

    @dg.asset(retry_policy=dg.RetryPolicy(max_retries=2))
    def stage() -> None:
        tried.append(1)
        with plain_failures():
            raise KeyboardInterrupt

    quiet = dg.RunConfig(loggers={"console": {"config": {"log_level": "CRITICAL"}}})
    with pytest.raises(dg.DagsterExecutionInterruptedError):
        dg.materialize([stage], run_config=quiet)
    assert tried == [1]


@pytest.fixture
def listening() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt, whatever the test runner was told."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class _Thing:
    pass


def test_an_interrupt_that_falls_into_a_callback_is_not_lost(listening: None) -> None:
    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    thing = _Thing()
    watched = weakref.ref(thing, interrupt)
    before = sys.unraisablehook
    with pytest.raises(KeyboardInterrupt), _no_interrupt_lost():
        del thing
        signal.sigtimedwait([], 10)
    assert watched() is None
    assert sys.unraisablehook is before
