"""Everything that is asked of arXiv keeps to one pace."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resources.arxiv_api.connection import retry_after
from resources.arxiv_api.limits import Limits
from resources.arxiv_api.pace import Pace, TooSlow, retrying
from resources.errors import Permanent, ServiceDown, Transient
from tests.support.arxiv_access import open_source
from tests.support.arxiv_catalogue import Catalogue
from tests.support.arxiv_server import ArxivServer, Fault


@dataclass
class FakeTime:
    """A clock that only sleeping moves."""

    now: float = 0.0
    slept: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def clock(self) -> float:
        return self.now


@given(st.lists(st.floats(0, 20), min_size=2, max_size=20), st.floats(0.1, 10), st.floats(0, 1))
def test_a_turn_begins_no_sooner_than_the_pace_after_the_last_ended(
    works: list[float], seconds: float, jitter: float
) -> None:
    time = FakeTime()
    pace = Pace(seconds, jitter=jitter, sleep=time.sleep, clock=time.clock)
    ended = None
    for work in works:
        with pace.turn():
            if ended is not None:
                assert time.now - ended >= seconds * (1 - 1e-9)
                assert time.now - ended <= seconds * (1 + jitter) * (1 + 1e-9)
            time.now += work
        ended = time.now
    assert pace.waited == pytest.approx(sum(time.slept))


def test_a_turn_that_fails_counts_as_one() -> None:
    time = FakeTime()
    pace = Pace(3, jitter=0, sleep=time.sleep, clock=time.clock)
    with pytest.raises(ValueError, match="broken"), pace.turn():
        raise ValueError("broken")
    with pace.turn():
        assert time.slept == [3]


def tries(limits: Limits, *errors: Exception | None) -> tuple[FakeTime, int]:
    """Make calls that fail one after the other; the waits before each and their number."""
    time = FakeTime()
    pace = Pace(0, jitter=limits.jitter, sleep=time.sleep, clock=time.clock)
    left = list(errors)

    def call() -> int:
        with pace.turn():
            error = left.pop(0)
        if error is not None:
            raise error
        return len(errors) - len(left)

    return time, retrying(pace, limits, "arXiv")(call)


def test_the_wait_doubles() -> None:
    limits = Limits(jitter=0.0, least_backoff_seconds=5)
    time, calls = tries(limits, Transient("a"), Transient("b"), Transient("c"), None)
    assert time.slept == [5, 10, 20]
    assert calls == 4


def test_the_first_wait_grows_with_the_pace() -> None:
    time = FakeTime()
    pace = Pace(3, jitter=0, sleep=time.sleep, clock=time.clock)
    errors: list[Exception] = [Transient("a"), Transient("b")]

    def call() -> None:
        with pace.turn():
            if errors:
                raise errors.pop()

    retrying(pace, Limits(jitter=0.0, backoff_paces=2), "arXiv")(call)
    assert time.slept == [6, 12]


def test_an_answer_without_end_is_not_waited_for_again() -> None:
    with pytest.raises(TooSlow):
        tries(Limits(), TooSlow("endless"), None)


def test_what_the_service_asks_for_is_waited_if_it_is_longer() -> None:
    limits = Limits(jitter=0.0, least_backoff_seconds=5)
    time, _ = tries(limits, Transient("a", 42.0), Transient("b", 1.0), None)
    assert time.slept == [42, 10]


def test_a_wait_that_is_too_long_is_not_waited() -> None:
    with pytest.raises(ServiceDown, match="left alone for 7,200 seconds"):
        tries(Limits(), Transient("a", 7_200.0), None)


def test_a_permanent_error_is_not_tried_again() -> None:
    with pytest.raises(Permanent):
        tries(Limits(), Permanent("no"), None)


def test_the_last_transient_error_is_raised_as_it_is() -> None:
    with pytest.raises(Transient, match="third"):
        tries(Limits(attempts=3), Transient("first"), Transient("second"), Transient("third"))


def test_search_and_downloads_share_one_pace_and_one_connection(tmp_path: Path) -> None:
    slept: list[float] = []
    with ArxivServer(Catalogue(4)) as server:
        source = open_source(server.url, pace_seconds=3.0, sleep=slept.append)
        papers = list(source.list_papers().papers)
        for paper in papers:
            source.fetch_pdf(paper, tmp_path / "paper.pdf")
        requests = len(server.searches) + sum(server.downloads.values())
        assert requests == source.traffic.requests == 2 + len(papers)
        assert server.most_at_once == 1
    # All but the first wait nearly the whole pace, since the loopback answers at once.
    assert len(slept) == requests - 1
    assert all(2.5 < wait <= 3.0 for wait in slept)
    assert source.waited == pytest.approx(sum(slept))


@pytest.mark.parametrize("fault", [Fault.THROTTLED_WAIT, Fault.UNAVAILABLE_WAIT])
def test_retry_after_holds_up_the_search(fault: Fault) -> None:
    slept: list[float] = []
    with ArxivServer(Catalogue(4), api_plan=[fault], retry_after="37") as server:
        open_source(server.url, sleep=slept.append).list_papers()
    assert max(slept) == pytest.approx(37, abs=0.5)


def test_retry_after_of_a_download_holds_up_everything(tmp_path: Path) -> None:
    slept: list[float] = []
    plan = {"hep-ph/0601000": [Fault.THROTTLED_WAIT]}
    with ArxivServer(Catalogue(4), pdf_plan=plan, retry_after="37") as server:
        source = open_source(server.url, sleep=slept.append)
        paper = next(iter(source.list_papers().papers))
        source.fetch_pdf(paper, tmp_path / "paper.pdf")
    assert max(slept) == pytest.approx(37, abs=0.5)


def test_a_retry_after_of_an_hour_is_a_service_that_is_down() -> None:
    with (
        ArxivServer(Catalogue(4), api_plan=[Fault.THROTTLED_WAIT], retry_after="3600") as server,
        pytest.raises(ServiceDown, match="left alone for 3,600 seconds"),
    ):
        open_source(server.url).list_papers()


NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0", 0.0),
        ("120", 120.0),
        (format_datetime(NOW + timedelta(seconds=90), usegmt=True), 90.0),
        (format_datetime(NOW - timedelta(days=1), usegmt=True), 0.0),
        ("soon", None),
        ("-3", None),
        ("", None),
    ],
)
def test_retry_after_is_a_number_or_a_date(text: str, seconds: float | None) -> None:
    assert retry_after({"Retry-After": text}, lambda: NOW) == seconds


def test_no_retry_after_asks_for_nothing() -> None:
    assert retry_after({}) is None
