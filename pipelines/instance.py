"""The Dagster instance of a data location, so that the UI shows what the command line ran."""

import os
from pathlib import Path

import dagster as dg

from pipelines.settings import Settings
from resources.errors import UsageError

#: Telemetry leaves the machine unless told not to. Keeping what steps print (nothing, here) would
#: cost four processes a step. Cancelled runs would keep their pool slots.
DAGSTER_YAML = """\
telemetry:
  enabled: false
compute_logs:
  module: dagster._core.storage.noop_compute_log_manager
  class: NoOpComputeLogManager
run_monitoring:
  enabled: true
  free_slots_after_run_end_seconds: 60
"""

#: The process that a run of the command line is executed in.
PID_TAG = "muon-evidence/pid"


def dagster_home(settings: Settings) -> Path:
    """DAGSTER_HOME where it is set, else a folder of the data location (or of this folder)."""
    if home := os.environ.get("DAGSTER_HOME"):
        return Path(home).expanduser().absolute()
    base = Path(settings.location) if "://" not in settings.location else Path.cwd() / "data"
    return base / "dagster"


def open_instance(settings: Settings) -> dg.DagsterInstance:
    """The instance, made at first use; sets DAGSTER_HOME for this process and its children."""
    home = dagster_home(settings)
    try:
        home.mkdir(parents=True, exist_ok=True)
        config = home / "dagster.yaml"
        if not config.exists():
            config.write_text(DAGSTER_YAML, encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"The data location {settings.location} cannot be written ({error.strerror}): "
            "choose another with --data or MUON_DATA."
        ) from error
    os.environ["DAGSTER_HOME"] = str(home)
    return dg.DagsterInstance.from_config(str(home))


def close_dead_runs(instance: dg.DagsterInstance) -> None:
    """Report runs as failed whose process was killed: nobody else will."""
    started = dg.RunsFilter(statuses=[dg.DagsterRunStatus.STARTED])
    for run in instance.get_runs(filters=started):
        pid = run.tags.get(PID_TAG)
        if pid is not None and not _alive(int(pid)):
            instance.report_run_failed(run, "The process of this run was killed.")


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
