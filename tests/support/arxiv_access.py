"""arXiv sources for tests: no pace, no waiting, short timeouts."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from resources.arxiv_api import ArxivSource, Limits
from resources.profile import Profile, load_profile

QUICK = Limits(
    page_size=50,
    backoff_seconds=0.0,
    jitter=0.0,
    attempts=3,
    connect_seconds=1.0,
    read_seconds=0.3,
    body_seconds=0.3,
    pdf_bytes=100_000,
)


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
        today=lambda: datetime(2026, 1, 1, tzinfo=UTC),
    )
