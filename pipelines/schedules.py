"""When the corpus is refreshed by itself. Schedules are off until somebody turns them on."""

import dagster as dg

from assets.corpus.assets import PapersConfig
from pipelines.alone import whoever_runs
from pipelines.jobs import refresh
from pipelines.settings import read_settings
from pipelines.upkeep import maintenance
from resources.files import Files

#: arXiv announces new papers at 20:00 Eastern time, Sunday to Thursday
#: (https://info.arxiv.org/help/availability.html).
ARXIV_ZONE = "America/New_York"

#: Half an hour after each announcement, and once more towards morning: a refresh with nothing new
#: costs arXiv a request or two, and one that arXiv was not there for is made up for.
AFTER_ANNOUNCEMENT = ["30 20 * * 0-4", "30 3 * * 1-5"]


@dg.schedule(
    job=refresh,
    cron_schedule=AFTER_ANNOUNCEMENT,
    execution_timezone=ARXIV_ZONE,
    description="After each of arXiv's announcements: what is new since the last refresh.",
)
def refresh_after_announcement() -> dg.RunRequest | dg.SkipReason:
    """A refresh of what changed."""
    return scheduled_refresh(PapersConfig())


@dg.schedule(
    job=refresh,
    cron_schedule="0 3 * * 6",
    execution_timezone=ARXIV_ZONE,
    description="Every Saturday: the whole listing, compared with what is held.",
)
def weekly_reconcile() -> dg.RunRequest | dg.SkipReason:
    """A refresh that lists everything."""
    return scheduled_refresh(PapersConfig(full=True))


@dg.schedule(
    job=maintenance,
    cron_schedule="0 5 * * 6",
    execution_timezone=ARXIV_ZONE,
    description="Every Saturday, after the reconcile: old releases and runs are cleared away.",
)
def weekly_maintenance() -> dg.RunRequest:
    """Upkeep."""
    return dg.RunRequest()


def scheduled_refresh(papers: PapersConfig) -> dg.RunRequest | dg.SkipReason:
    """A run of the refresh, unless there is one."""
    if busy := whoever_runs(Files(read_settings().location)):
        return dg.SkipReason(busy)
    return dg.RunRequest(run_config=dg.RunConfig(ops={"papers": papers}))


SCHEDULES = [refresh_after_announcement, weekly_reconcile, weekly_maintenance]
