"""What starts a run, or tells somebody, when something happens. All are off until turned on."""

import hashlib
import json
from pathlib import Path

import dagster as dg

from assets.corpus.assets import PapersConfig
from pipelines.jobs import refresh
from pipelines.notices import send_notice
from pipelines.settings import read_settings


@dg.sensor(
    job=refresh,
    minimum_interval_seconds=60,
    description="Refreshes the corpus when a PDF in MUON_FOLDER is new, changed or gone.",
)
def folder_watcher(context: dg.SensorEvaluationContext) -> dg.RunRequest | dg.SkipReason:
    """Compare the folder's files with those of the last look."""
    settings = read_settings()
    if not settings.folder:
        return dg.SkipReason("MUON_FOLDER names no folder to watch.")
    folder = Path(settings.folder).expanduser().absolute()
    if not folder.is_dir():
        return dg.SkipReason(f"The folder {folder} is not there.")
    signature = folder_signature(folder)
    if signature == context.cursor:
        return dg.SkipReason("Nothing changed.")
    context.update_cursor(signature)
    config = PapersConfig(source="folder", folder=str(folder))
    return dg.RunRequest(run_key=signature, run_config=dg.RunConfig(ops={"papers": config}))


@dg.run_failure_sensor(
    description="Writes down each failed run, and posts it to MUON_NOTICE_URL where that is set.",
)
def failure_notice(context: dg.RunFailureSensorContext) -> None:
    """Tell somebody that a run failed, and why."""
    run = context.dagster_run
    errors = [
        event.step_failure_data.user_failure_data.description
        if event.step_failure_data.user_failure_data
        else event.message
        for event in context.get_step_failure_events()
    ]
    why = next((text for text in errors if text), context.failure_event.message or "no reason")
    send_notice(read_settings(), run.run_id, f"The {run.job_name} run failed: {why}")


def folder_signature(folder: Path) -> str:
    """Changes whenever a PDF below a folder is added, removed, or written to."""
    files = sorted(
        (str(path.relative_to(folder)), path.stat().st_size, path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.suffix.lower() in {".pdf", ".jsonl"} and path.is_file()
    )
    return hashlib.sha256(json.dumps(files).encode()).hexdigest()[:32]


SENSORS = [folder_watcher, failure_notice]
