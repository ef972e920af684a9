"""The Dagster instance lies with the data, keeps to itself, and buries dead runs."""

import os
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest

from pipelines.instance import PID_TAG, close_dead_runs, dagster_home, open_instance
from pipelines.settings import Settings
from resources.errors import UsageError


def settings_at(place: Path | str) -> Settings:
    return Settings(MUON_DATA=str(place))


def test_the_home_lies_in_the_data_location(tmp_path: Path) -> None:
    assert dagster_home(settings_at(tmp_path)) == tmp_path / "dagster"


def test_an_object_store_keeps_its_runs_beside_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert dagster_home(settings_at("s3://bucket/corpus")) == tmp_path / "data" / "dagster"


def test_dagster_home_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path / "mine"))
    assert dagster_home(settings_at(tmp_path / "data")) == tmp_path / "mine"


def test_opening_makes_a_home_that_sends_nothing_out(tmp_path: Path) -> None:
    with open_instance(settings_at(tmp_path / "data")) as instance:
        assert not instance.telemetry_enabled
        assert instance.run_monitoring_enabled
    home = tmp_path / "data" / "dagster"
    assert os.environ["DAGSTER_HOME"] == str(home)
    assert "enabled: false" in (home / "dagster.yaml").read_text()


def test_ones_own_dagster_yaml_is_left_alone(tmp_path: Path) -> None:
    home = tmp_path / "dagster"
    home.mkdir()
    (home / "dagster.yaml").write_text("telemetry:\n  enabled: true\n")
    with open_instance(settings_at(tmp_path)) as instance:
        assert instance.telemetry_enabled
    assert (home / "dagster.yaml").read_text() == "telemetry:\n  enabled: true\n"


def test_a_location_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(UsageError, match=r"data location .*/file cannot be written"):
        open_instance(settings_at(tmp_path / "file"))


@dg.job
def nothing() -> None:
    """A job without steps."""


def started(instance: dg.DagsterInstance, pid: int | None) -> dg.DagsterRun:
    tags = {} if pid is None else {PID_TAG: str(pid)}
    return instance.create_run_for_job(nothing, tags=tags, status=dg.DagsterRunStatus.STARTED)


def test_runs_whose_process_is_gone_have_failed(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    with open_instance(settings_at(tmp_path)) as instance:
        killed = started(instance, dead.pid)
        alive = started(instance, os.getpid())
        of_the_ui = started(instance, None)
        close_dead_runs(instance)
        status = {run.run_id: run.status.value for run in instance.get_runs()}
    assert status == {
        killed.run_id: "FAILURE",
        alive.run_id: "STARTED",
        of_the_ui.run_id: "STARTED",
    }
