"""Answers the files of the questions inbox, each content once. Off until turned on."""

import dagster as dg

from assets.answering.assets import AnswerConfig
from assets.answering.inbox import INBOX, InboxFile, waiting, write_failure
from assets.data_format import check_format
from assets.retrieval.release import current_release
from pipelines.jobs import ask
from pipelines.settings import read_settings
from resources.counts import counted
from resources.errors import UsageError
from resources.files import Files

#: Runs for one file before it is left alone, and runs that one look may ask for.
MOST_RUNS = 3
_MOST_A_LOOK = 10

_TAG = "muon-evidence/inbox"


@dg.sensor(
    job=ask,
    minimum_interval_seconds=30,
    description=(
        "Answers each file of questions put into the data location's folder `inbox` (a question a "
        "line, or JSONL with `question`) into its folder `outbox`, once."
    ),
)
def questions_inbox(context: dg.SensorEvaluationContext) -> dg.SensorResult | dg.SkipReason:
    """Ask for a run for each file that has no result and that no run is at work on.

    What is to be done is read from the two folders and from the runs there were, so that neither
    the sensor nor a run can forget a file by being killed.
    """
    files = Files(read_settings().location)
    try:
        check_format(files)
    except UsageError as problem:
        return dg.SkipReason(str(problem))
    found = waiting(files)
    if not found:
        return dg.SkipReason(f"The folder {INBOX} holds nothing that is not answered.")
    if current_release(files) is None:
        return dg.SkipReason("There is no release to answer from yet: run a refresh.")
    wanted = [_request(context.instance, files, file) for file in found]
    requests = [one for one in wanted if one is not None][:_MOST_A_LOOK]
    if not requests:
        return dg.SkipReason("Every file is being answered, or was given up.")
    return dg.SensorResult(run_requests=requests)


def _request(instance: dg.DagsterInstance, files: Files, file: InboxFile) -> dg.RunRequest | None:
    """The run that a file needs now, or None."""
    runs = instance.get_runs(filters=dg.RunsFilter(tags={_TAG: file.key}))
    if any(not run.is_finished for run in runs):
        return None
    if len(runs) >= MOST_RUNS:
        last = runs[0].run_id
        reason = f"{counted(len(runs), 'run')} failed; the page of run {last} in the UI says why."
        write_failure(files, file, f"{reason} Change the file to have it tried again.", last)
        return None
    return dg.RunRequest(
        run_key=f"{file.key}-{len(runs)}",
        run_config=dg.RunConfig(ops={"answer": AnswerConfig(inbox=file.name)}),
        tags={_TAG: file.key},
    )
