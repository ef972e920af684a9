"""What starts a run, or tells somebody, when something happens. All are off until turned on."""

from pathlib import Path

import dagster as dg

from assets.corpus.assets import PapersConfig
from pipelines.alone import whoever_runs
from pipelines.inbox_sensor import questions_inbox
from pipelines.jobs import refresh
from pipelines.notices import send_notice
from pipelines.settings import read_settings
from resources.errors import UsageError
from resources.files import Files
from resources.folder import FolderSource


@dg.sensor(
    job=refresh,
    minimum_interval_seconds=60,
    description="Refreshes the corpus when a PDF in MUON_FOLDER is new, changed or gone.",
)
def folder_watcher(context: dg.SensorEvaluationContext) -> dg.RunRequest | dg.SkipReason:
    """Compare the folder's files with those of the last look.

    The cursor is the number of changes seen and the signature of the last: a folder that goes
    back to an earlier state is another change, and so another run.
    """
    settings = read_settings()
    folder = settings.folder
    if not folder:
        return dg.SkipReason("MUON_FOLDER names no folder to watch.")
    if busy := whoever_runs(Files(settings.location)):
        return dg.SkipReason(busy)
    source = FolderSource(Path(folder).expanduser().absolute())
    try:
        signature = source.signature()
    except (UsageError, OSError) as error:
        return dg.SkipReason(f"The folder cannot be watched: {error}")
    changes, _, last = (context.cursor or "0 ").partition(" ")
    if signature == last:
        return dg.SkipReason("Nothing changed.")
    cursor = f"{int(changes) + 1} {signature}"
    context.update_cursor(cursor)
    config = PapersConfig(source=source.name, folder=str(source.folder))
    return dg.RunRequest(run_key=cursor, run_config=dg.RunConfig(ops={"papers": config}))


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
    why = next(filter(None, [*errors, _before_any_step(context.failure_event)]), "no reason")
    send_notice(read_settings(), run.run_id, f"The {run.job_name} run failed: {why}")


def _before_any_step(event: dg.DagsterEvent) -> str | None:
    """Why a run failed that came to no step."""
    error = event.job_failure_data.error
    if error is None:
        return event.message
    return error.message.partition(": ")[2].strip() or error.message


SENSORS = [folder_watcher, questions_inbox, failure_notice]
