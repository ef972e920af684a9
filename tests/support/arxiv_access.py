"""arXiv sources for tests: no pace, no waiting, short timeouts."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from resources.arxiv_api import ArxivSource, Limits
from resources.arxiv_api.listing import no_report
from resources.profile import Profile, load_profile
from tests.support.arxiv_server import Fault

QUICK = Limits(
    page_size=50,
    least_backoff_seconds=0.0,
    jitter=0.0,
    attempts=3,
    connect_seconds=1.0,
    read_seconds=5.0,
    body_seconds=10.0,
    pdf_bytes=100_000,
)


#: Timeouts for the faults that are found out by waiting, and no shorter than a busy machine needs.
IMPATIENT: dict[Fault, dict[str, Any]] = {
    Fault.STALLED: {"read_seconds": 0.2},
    Fault.SILENT: {"read_seconds": 0.2},
    Fault.DRIPPING: {"body_seconds": 0.2},
}


def no_wait(seconds: float) -> None:
    del seconds


def profile_with(**changes: Any) -> Profile:
    """The shipped profile with another arXiv query."""
    profile = load_profile("muon_collider")
    query = profile.arxiv.model_copy(update=changes)
    return profile.model_copy(update={"arxiv": query})


def open_source(
    url: str,
    *,
    profile: Profile | None = None,
    ids: list[str] | None = None,
    sleep: Callable[[float], None] = no_wait,
    pace_seconds: float = 0.0,
    report: Callable[[int, int], None] = no_report,
    **limits: Any,
) -> ArxivSource:
    """A source against a loopback server; further keywords change its limits."""
    return ArxivSource(
        profile or profile_with(),
        url,
        pace_seconds,
        "tests@example.org",
        ids,
        limits=replace(QUICK, **limits),
        sleep=sleep,
        report=report,
        today=lambda: datetime(2026, 1, 1, tzinfo=UTC),
    )
