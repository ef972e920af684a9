"""What arXiv is asked, and windows of time that leave nothing out."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resources.arxiv_api.query import Window, all_time, profile_window, search_query
from resources.profile import ArxivQuery, load_profile

TODAY = datetime(2026, 3, 4, tzinfo=UTC)
moments = st.integers(0, 20_000_000).map(
    lambda minutes: datetime(1991, 8, 14, tzinfo=UTC) + timedelta(minutes=minutes)
)


def test_phrases_are_alternatives_within_the_categories() -> None:
    query = ArxivQuery(phrases=("muon collider", "nuSTORM"), categories=("hep-ph", "hep-ex"))
    assert search_query(query) == (
        '(all:"muon collider" OR all:nuSTORM) AND (cat:hep-ph OR cat:hep-ex)'
    )


def test_a_window_is_one_more_condition() -> None:
    window = Window(datetime(2020, 1, 2, 3, 4, tzinfo=UTC), datetime(2021, 2, 3, 4, 5, tzinfo=UTC))
    query = ArxivQuery(phrases=("muon collider",))
    assert search_query(query, window) == (
        '(all:"muon collider") AND submittedDate:[202001020304 TO 202102030405]'
    )


def test_the_shipped_query_covers_the_field() -> None:
    query = load_profile("muon_collider").arxiv
    words = search_query(query)
    for category in ("hep-ph", "hep-ex", "hep-th", "physics.acc-ph", "physics.ins-det", "nucl-ex"):
        assert f"cat:{category}" in words
    assert 'all:"muon collider"' in words


def test_a_profile_without_days_has_no_window() -> None:
    assert profile_window(ArxivQuery(phrases=("x",)), TODAY) is None


@pytest.mark.parametrize(
    ("start", "end", "term"),
    [
        ("2020-01-02", "2020-01-03", "submittedDate:[202001020000 TO 202001032359]"),
        ("2020-01-02", "", "submittedDate:[202001020000 TO 202712312359]"),
        ("", "2020-01-03", "submittedDate:[198601010000 TO 202001032359]"),
    ],
)
def test_the_days_of_a_profile_are_both_included(start: str, end: str, term: str) -> None:
    query = ArxivQuery(phrases=("x",), submitted_from=start, submitted_to=end)
    window = profile_window(query, TODAY)
    assert window is not None
    assert window.term == term


@given(moments, moments)
def test_halves_cover_their_window_and_end(one: datetime, other: datetime) -> None:
    todo = [Window(min(one, other), max(one, other))]
    halves = todo[0].halves()
    if halves is None:
        assert todo[0].end - todo[0].start < timedelta(minutes=2)
        return
    first, second = halves
    assert first.start == todo[0].start
    assert second.end == todo[0].end
    assert first.end == second.start
    assert first.end - first.start < todo[0].end - todo[0].start
    assert second.end - second.start < todo[0].end - todo[0].start


def test_all_time_reaches_beyond_this_year() -> None:
    window = all_time(TODAY)
    assert window.start.year < 1991
    assert window.end.year == 2027
