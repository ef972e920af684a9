"""Schedules run when arXiv announces, with configurations that their jobs accept."""

from collections.abc import Iterator
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import dagster as dg
import pytest
from dagster._utils.schedules import schedule_execution_time_iterator  # what the daemon asks

from pipelines.definitions import build_defs
from tests.support.pipeline import parts_at

EASTERN = ZoneInfo("America/New_York")


@pytest.fixture(scope="module")
def defs(tmp_path_factory: pytest.TempPathFactory) -> dg.Definitions:
    return build_defs(parts_at(tmp_path_factory.mktemp("schedules") / "data"))


def schedule(defs: dg.Definitions, name: str) -> dg.ScheduleDefinition:
    (found,) = [one for one in defs.schedules or [] if one.name == name]
    assert isinstance(found, dg.ScheduleDefinition)
    return found


def ticks(one: dg.ScheduleDefinition, after: datetime) -> Iterator[datetime]:
    return schedule_execution_time_iterator(
        after.timestamp(), one.cron_schedule, one.execution_timezone
    )


def test_schedules_name_their_time_zone_and_are_off(defs: dg.Definitions) -> None:
    schedules = list(defs.schedules or [])
    assert len(schedules) >= 2
    for one in schedules:
        assert isinstance(one, dg.ScheduleDefinition)
        assert one.execution_timezone == "America/New_York"
        assert one.default_status == dg.DefaultScheduleStatus.STOPPED
        assert one.description


def test_the_refresh_follows_each_announcement(defs: dg.Definitions) -> None:
    # arXiv announces at 20:00 Eastern time, Sunday to Thursday, in summer and winter; an evening
    # that failed is made up for before the next morning.
    refresh = schedule(defs, "refresh_after_announcement")
    for month in (1, 7):
        after = ticks(refresh, datetime(2026, month, 1, tzinfo=UTC))
        times = [next(after).astimezone(EASTERN) for _ in range(10)]
        evenings = {time.strftime("%a") for time in times if time.strftime("%H:%M") == "20:30"}
        mornings = {time.strftime("%a") for time in times if time.strftime("%H:%M") == "03:30"}
        assert evenings == {"Sun", "Mon", "Tue", "Wed", "Thu"}
        assert mornings == {"Mon", "Tue", "Wed", "Thu", "Fri"}


@pytest.mark.parametrize(
    ("name", "full"), [("refresh_after_announcement", False), ("weekly_reconcile", True)]
)
def test_a_tick_asks_for_a_run_that_can_start(defs: dg.Definitions, name: str, full: bool) -> None:
    moment = datetime(2026, 3, 7, 3, tzinfo=EASTERN)
    with dg.build_schedule_context(scheduled_execution_time=moment) as context:
        (request,) = schedule(defs, name).evaluate_tick(context).run_requests or []
    job = defs.resolve_job_def("refresh")
    checked = dg.validate_run_config(job, dict(request.run_config))
    assert checked["ops"]["papers"]["config"]["full"] is full


def test_maintenance_follows_the_weekly_reconcile(defs: dg.Definitions) -> None:
    start = datetime(2026, 3, 2, tzinfo=UTC)
    reconcile = next(ticks(schedule(defs, "weekly_reconcile"), start))
    maintenance = next(ticks(schedule(defs, "weekly_maintenance"), start))
    assert reconcile < maintenance
    assert reconcile.date() == maintenance.date()
