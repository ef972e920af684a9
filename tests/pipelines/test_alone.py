"""One refresh at a time on a data location, however it was started."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from assets.corpus.assets import PapersConfig
from assets.retrieval.release import publish
from assets.tables import PAPERS
from pipelines import actions
from pipelines.alone import AlreadyRunning, alone, whoever_runs
from pipelines.executing import _enough_processes, alone_executor
from pipelines.schedules import scheduled_refresh
from pipelines.sensors import failure_notice, folder_watcher
from resources.files import Files
from resources.lake import Lake
from tests.support.pipeline import CHECKOUT, parts_at
from tests.support.releases import manifest

HOLDING = """
import sys, time
from pipelines.alone import alone
from resources.files import Files
with alone(Files(sys.argv[1]), "the-first"):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MUON_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def holder(data: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process, in the middle of a run."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(data)], cwd=CHECKOUT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def sentence(data: Path, pid: int) -> str:
    """What whoever comes second is told, up to the time."""
    return (
        f"The data location {data} is being refreshed by run the-first (process {pid} on "
        f"{socket.gethostname()}, since "
    )


def test_whoever_comes_second_is_told_who_is_there(
    data: Path, holder: subprocess.Popen[str]
) -> None:
    with pytest.raises(AlreadyRunning) as raised, alone(Files(str(data)), "second"):
        pass
    assert str(raised.value).startswith(sentence(data, holder.pid))
    assert str(raised.value).endswith(": wait until that has ended, or stop it, and run again.")
    assert whoever_runs(Files(str(data))) == str(raised.value)


def test_a_process_that_died_holds_nothing(data: Path, holder: subprocess.Popen[str]) -> None:
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    files = Files(str(data))
    assert files.exists("state/refresh-run.json"), "it had no time to tidy up"
    assert whoever_runs(files) == ""
    with alone(files, "second"):
        assert "run second" in whoever_runs(files)
    assert whoever_runs(files) == ""
    assert not files.exists("state/refresh-run.json")


def test_a_second_refresh_makes_nothing(data: Path, holder: subprocess.Popen[str]) -> None:
    parts = parts_at(data)
    with pytest.raises(AlreadyRunning) as raised:
        actions.refresh(parts, source="sample")
    assert str(raised.value).startswith(sentence(data, holder.pid))
    assert parts.lake.count(PAPERS) == 0


@dg.op(name="papers")
def listing() -> None:
    """Has the name of what leads to a release."""


@dg.op(name="answer")
def answering() -> None:
    """Has not."""


IN_ONE = dg.RunConfig(
    execution={"config": {"processes": 1}},
    loggers={"console": {"config": {"log_level": "CRITICAL"}}},
)


@dg.job(executor_def=alone_executor, config=IN_ONE)
def refreshing() -> None:
    listing()


@dg.job(executor_def=alone_executor, config=IN_ONE)
def asking() -> None:
    answering()


def test_a_second_run_from_the_ui_fails_with_the_sentence(
    data: Path, holder: subprocess.Popen[str], tmp_path: Path
) -> None:
    with dg.DagsterInstance.local_temp(str(tmp_path)) as instance:
        assert dg.execute_job(dg.reconstructable(asking), instance=instance).success
        failed = dg.execute_job(dg.reconstructable(refreshing), instance=instance)
        assert not failed.success
        assert failed.get_step_success_events() == []
        context = dg.build_run_status_sensor_context(
            sensor_name="failure_notice",
            dagster_instance=instance,
            dagster_run=failed.dagster_run,
            dagster_event=failed.get_run_failure_event(),
        ).for_run_failure()
        failure_notice(context)
        told = json.loads((data / f"notices/{failed.run_id}.json").read_text())["text"]
        assert told.startswith(f"The refreshing run failed: {sentence(data, holder.pid)}")
        assert "\n" not in told

        holder.kill()
        holder.wait()
        assert dg.execute_job(dg.reconstructable(refreshing), instance=instance).success


def test_schedules_and_the_watcher_wait_until_it_has_ended(
    data: Path, holder: subprocess.Popen[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUON_FOLDER", str(tmp_path))
    skipped = scheduled_refresh(PapersConfig())
    assert isinstance(skipped, dg.SkipReason)
    assert (skipped.skip_message or "").startswith(sentence(data, holder.pid))
    with dg.build_sensor_context(cursor="1 before") as context:
        assert isinstance(folder_watcher(context), dg.SkipReason)
        assert context.cursor == "1 before", "the change is not forgotten"


def test_a_run_stays_in_one_process_once_there_is_a_release(data: Path) -> None:
    files = Files(str(data))
    assert _enough_processes() == 2
    made = manifest("20260301-1")
    files.write_json(f"{made.sparse_index}/passages.json", {"chunk_ids": []})
    publish(Lake(f"{data}/lake"), files, made, [])
    assert _enough_processes() == 1
