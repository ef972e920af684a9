"""A listing is complete, or says that it is not, whatever arXiv's search does."""

import random
from collections import Counter
from datetime import datetime, timedelta

import pytest

from resources.arxiv_api import ArxivSource
from resources.errors import ServiceDown, UsageError
from resources.source import ListedPaper, Listing
from tests.support.arxiv_access import IMPATIENT, open_source, profile_with
from tests.support.arxiv_catalogue import Catalogue
from tests.support.arxiv_server import ArxivServer, Fault

PAPERS = 120  # three pages of 50
PAGES = 3
PROBE = 1


def ids_of(listing: Listing) -> list[str]:
    return [paper.paper_id for paper in listing.papers]


def whole(listing: Listing, server: ArxivServer) -> bool:
    """Complete, nothing missing, nothing doubled, every version and title right."""
    wanted = {e.paper_id: (e.version, e.title) for e in server.catalogue.entries}
    given = {p.paper_id: (p.version, p.title) for p in listing.papers}
    return listing.complete and given == wanted and len(ids_of(listing)) == len(wanted)


def list_with(*faults: Fault | None, **limits: float) -> tuple[Listing, ArxivServer]:
    with ArxivServer(Catalogue(PAPERS), api_plan=faults) as server:
        return open_source(server.url, **limits).list_papers(), server


def test_a_full_listing_asks_for_each_page_once_and_behind_the_last() -> None:
    listing, server = list_with()
    assert whole(listing, server)
    assert (listing.full, listing.total_reported, listing.problems) == (True, PAPERS, ())
    assert [int(asked["start"]) for asked in server.searches] == [0, 50, 100, 120]


def test_more_than_the_packages_default_of_a_hundred_is_listed() -> None:
    with ArxivServer(Catalogue(730)) as server:
        assert len(open_source(server.url, page_size=500).list_papers().papers) == 730


def test_the_record_holds_what_the_feed_says() -> None:
    with ArxivServer(Catalogue(PAPERS)) as server:
        paper = next(p for p in open_source(server.url).list_papers().papers if p.doi)
        entry = server.catalogue.of_id(paper.paper_id)
    assert entry is not None
    assert paper == ListedPaper(
        paper_id=entry.paper_id,
        title=entry.title,
        version=entry.version,
        authors=("A. Muon", "B. Collider"),
        abstract=entry.abstract,
        categories=entry.categories,
        published=f"{entry.published:%Y-%m-%dT%H:%M:%SZ}",
        updated=f"{entry.updated:%Y-%m-%dT%H:%M:%SZ}",
        doi=entry.doi,
        journal_ref=entry.journal_ref,
        comment=entry.comment,
        source="arxiv",
        pdf_url_or_path=f"{server.origin}/pdf/{entry.paper_id}v{entry.version}",
    )
    link = f"https://arxiv.org/pdf/{entry.paper_id}v{entry.version}#page=3"
    assert paper.page_link(3) == link


ONCE = [
    Fault.SLOW,
    Fault.THROTTLED,
    Fault.THROTTLED_WAIT,
    Fault.UNAVAILABLE,
    Fault.UNAVAILABLE_WAIT,
    Fault.EMPTY_PAGE,
    Fault.NOTHING,
    Fault.NO_TOTAL,
    Fault.LOW_TOTAL,
    Fault.HIGH_TOTAL,
    Fault.REPEATED_PAGE,
    Fault.WRONG_PAGE,
    Fault.SHORT_PAGE,
    Fault.UNDATED_ENTRY,
    Fault.WEB_PAGE,
    Fault.GARBAGE,
    Fault.BLANK,
    Fault.STALLED,
    Fault.SILENT,
    Fault.CUT,
    Fault.CUT_UNTOLD,
    Fault.DROPPED,
    Fault.MOVED,
]


@pytest.mark.parametrize("place", range(PAGES + PROBE))
@pytest.mark.parametrize("fault", ONCE, ids=lambda fault: fault.name)
def test_a_fault_that_passes_costs_nothing_but_requests(fault: Fault, place: int) -> None:
    listing, server = list_with(*[None] * place, fault, **IMPATIENT.get(fault, {}))
    assert whole(listing, server)
    assert listing.problems == ()


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (Fault.THROTTLED, "slow down (429)"),
        (Fault.UNAVAILABLE, "503 Service Unavailable"),
        (Fault.WEB_PAGE, "text/html that is no whole Atom feed"),
        (Fault.GARBAGE, "no whole Atom feed"),
        (Fault.SILENT, "did not answer within 0.2 seconds"),
        (Fault.STALLED, "nothing came for 0.2 seconds"),
        (Fault.DRIPPING, "took longer than 0.2 seconds to arrive"),
        (Fault.CUT, "broke off after"),
        (Fault.CUT_UNTOLD, "no whole Atom feed"),
        (Fault.DROPPED, "connection broke"),
    ],
    ids=lambda value: value.name if isinstance(value, Fault) else None,
)
def test_a_fault_that_stays_means_that_the_service_is_down(fault: Fault, words: str) -> None:
    with pytest.raises(ServiceDown) as raised:
        list_with(None, *[fault] * 10, **IMPATIENT.get(fault, {}))
    message = str(raised.value)
    assert words in message
    assert message.startswith("arXiv's search gives no usable answer; run again later.")


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (Fault.FORBIDDEN, "403 Forbidden"),
        (Fault.NOT_FOUND, "answered 404 Not Found"),
        (Fault.NOT_ACCEPTABLE, "answered 406 Not Acceptable"),
        (Fault.GONE, "answered 410 Gone"),
        (Fault.ELSEWHERE, "host that nothing is fetched from"),
        (Fault.CIRCLE, "redirects"),
    ],
    ids=lambda value: value.name if isinstance(value, Fault) else None,
)
def test_a_refusal_is_not_asked_again(fault: Fault, words: str) -> None:
    with ArxivServer(Catalogue(PAPERS), api_plan=[fault] * 20) as server:
        with pytest.raises(ServiceDown) as raised:
            open_source(server.url).list_papers()
        assert words in str(raised.value)
        assert len(server.searches) == (6 if fault is Fault.CIRCLE else 1)


def test_a_redirect_elsewhere_is_never_followed() -> None:
    with (
        ArxivServer(Catalogue(1)) as other,
        ArxivServer(Catalogue(1), api_plan=[Fault.ELSEWHERE], elsewhere=other.origin) as server,
    ):
        with pytest.raises(ServiceDown):
            open_source(server.url).list_papers()
        assert other.searches == []


def test_a_dead_host_is_down() -> None:
    with ArxivServer() as server:
        url = server.url
    with pytest.raises(ServiceDown, match="cannot be reached"):
        open_source(url).list_papers()


def test_a_page_that_stays_empty_leaves_the_rest_and_the_listing_incomplete() -> None:
    def only_the_second() -> object:
        while True:
            yield Fault.EMPTY_PAGE if server.searches[-1]["start"] == "50" else None

    with ArxivServer(Catalogue(PAPERS)) as server:
        server._api_faults = only_the_second()
        listing = open_source(server.url).list_papers()
    assert not listing.complete
    assert len(listing.papers) == PAPERS - 50
    (problem,) = listing.problems
    assert "reports 120 papers but gave 70" in problem
    assert "empty page at 50 of 120" in problem


def test_an_empty_answer_to_the_profiles_query_is_not_nothing_new() -> None:
    listing, _ = list_with(*[Fault.NOTHING] * 20)
    assert not listing.complete
    assert listing.problems == ("arXiv reports no papers at all for the profile's query.",)


def test_a_total_that_never_comes_leaves_the_listing_incomplete() -> None:
    listing, _ = list_with(*[Fault.NO_TOTAL] * 100)
    assert not listing.complete
    assert len(listing.papers) == PAPERS
    assert "no total to hold them to" in listing.problems[0]


def test_a_total_that_stays_too_high_leaves_the_listing_incomplete() -> None:
    listing, _ = list_with(*[Fault.HIGH_TOTAL] * 100)
    assert not listing.complete
    assert "reports 130 papers but gave 120" in listing.problems[0]


def test_a_page_that_is_always_repeated_leaves_the_listing_incomplete() -> None:
    listing, _ = list_with(None, *[Fault.REPEATED_PAGE] * 100)
    assert not listing.complete
    assert "reports 120 papers but gave 100" in listing.problems[0]


def test_pages_that_are_smaller_than_asked_for_are_walked_all_the_same() -> None:
    with ArxivServer(Catalogue(PAPERS), largest_page=20) as server:
        listing = open_source(server.url).list_papers()
        assert whole(listing, server)
        # Only the first such page is asked for twice.
        assert len(server.searches) == 1 + PAPERS // 20 + PROBE


def test_a_server_that_refuses_to_look_behind_the_end_has_an_end() -> None:
    with ArxivServer(Catalogue(PAPERS), window=PAPERS) as server:
        listing = open_source(server.url).list_papers()
        assert whole(listing, server)
        assert server.searches[-1]["start"] == str(PAPERS)


def test_a_listing_tells_how_far_it_is() -> None:
    told: list[tuple[int, int]] = []
    with ArxivServer(Catalogue(PAPERS)) as server:
        source = open_source(server.url, report=lambda done, total: told.append((done, total)))
        source.list_papers()
    assert told == [(50, PAPERS), (100, PAPERS), (120, PAPERS)]


def test_papers_that_come_in_meanwhile_are_not_missed() -> None:
    with ArxivServer(Catalogue(PAPERS)) as server:

        def meanwhile() -> object:
            yield None
            server.catalogue.add_paper()
            server.catalogue.add_version("hep-ph/0601005")
            while True:
                yield None

        server._api_faults = meanwhile()
        listing = open_source(server.url).list_papers()
        assert len(listing.papers) == PAPERS + 1
        assert listing.complete


def test_five_thousand_papers_come_whole_through_many_faults() -> None:
    chance = random.Random(7)
    count = 5_000

    def faults() -> object:
        special = {7: Fault.EMPTY_PAGE, 23: Fault.REPEATED_PAGE, 31: Fault.EMPTY_PAGE}
        for number in range(10_000):
            drawn = chance.random()
            usual = Fault.UNAVAILABLE if drawn < 0.10 else Fault.THROTTLED if drawn < 0.15 else None
            met[special.get(number, usual)] += 1
            yield special.get(number, usual)

    met: Counter[Fault | None] = Counter()
    with ArxivServer(Catalogue(count)) as server:
        server._api_faults = faults()
        listing = open_source(server.url, page_size=100, attempts=6).list_papers()
        assert whole(listing, server)
    assert met[Fault.EMPTY_PAGE] == 2
    assert met[Fault.REPEATED_PAGE] == 1
    assert met[Fault.UNAVAILABLE] > 2
    assert met[Fault.THROTTLED] > 1


# Windows of time


def test_more_than_one_query_may_give_is_split_by_date() -> None:
    with ArxivServer(Catalogue(1_000), window=200) as server:
        listing = open_source(server.url, window=200).list_papers()
        assert whole(listing, server)
        assert listing.total_reported >= 1_000
        assert all(int(asked["start"]) < 200 for asked in server.searches)


def test_one_minute_with_more_than_arxiv_lists_is_reported() -> None:
    with ArxivServer(Catalogue(60)) as server:
        moment = server.catalogue.entries[0].published
        for entry in list(server.catalogue.entries):
            server.catalogue.change(entry.paper_id, published=moment)
        listing = open_source(server.url, window=20, page_size=10).list_papers()
    assert not listing.complete
    assert any("narrow the profile's phrases" in problem for problem in listing.problems)


def test_the_profiles_days_bound_the_first_versions() -> None:
    with ArxivServer(Catalogue(PAPERS)) as server:
        profile = profile_with(submitted_from="2006-01-10", submitted_to="2006-01-12")
        listing = open_source(server.url, profile=profile).list_papers()
        days = {paper.published[:10] for paper in listing.papers}
    assert days == {"2006-01-10", "2006-01-11", "2006-01-12"}
    assert listing.complete


# Included, excluded, at most


def test_included_ids_are_listed_whatever_the_search_says() -> None:
    with ArxivServer(Catalogue(PAPERS)) as server:
        profile = profile_with(
            submitted_from="2006-01-10", include_ids=("hep-ph/0601000", "hep-ph/9909255")
        )
        listing = open_source(server.url, profile=profile).list_papers()
    assert "hep-ph/0601000" in ids_of(listing)
    assert listing.problems == ("arXiv knows no paper hep-ph/9909255; check the id.",)
    assert listing.total_reported == len(listing.papers)


def test_excluded_ids_are_never_listed_and_are_not_missed() -> None:
    with ArxivServer(Catalogue(PAPERS)) as server:
        profile = profile_with(exclude_ids=("hep-ph/0601003",))
        listing = open_source(server.url, profile=profile).list_papers()
    assert "hep-ph/0601003" not in ids_of(listing)
    assert len(listing.papers) == PAPERS - 1
    assert listing.complete


def test_at_most_so_many_means_the_newest() -> None:
    with ArxivServer(Catalogue(PAPERS)) as server:
        listing = open_source(server.url, profile=profile_with(max_papers=60)).list_papers()
        newest = {entry.paper_id for entry in server.catalogue.entries[-60:]}
    assert listing.complete
    assert newest <= set(ids_of(listing))
    assert len(listing.papers) == 60


# Changes


@pytest.fixture
def held() -> tuple[ArxivServer, ArxivSource, dict[str, ListedPaper], str]:
    """A server, a source, what is known of it, and the newest update."""
    with ArxivServer(Catalogue(1_000)) as server:
        source = open_source(server.url)
        known = {paper.paper_id: paper for paper in source.list_papers().papers}
        server.forget()
        yield server, source, known, max(paper.updated for paper in known.values())


def test_nothing_new_takes_one_request(held) -> None:
    server, source, known, since = held
    listing = source.list_papers(since, lambda paper: known.get(paper.paper_id) == paper)
    assert len(server.searches) == 1
    assert all(known[paper.paper_id] == paper for paper in listing.papers)
    assert (listing.complete, listing.full, listing.total_reported) == (True, False, 1_000)


def test_changes_reach_behind_the_watermark_and_end_there(held) -> None:
    server, source, known, since = held
    horizon = (datetime.fromisoformat(since) - timedelta(days=7)).isoformat()
    listing = source.list_papers(since)
    wanted = {paper.paper_id for paper in known.values() if paper.updated > horizon}
    assert wanted <= set(ids_of(listing))
    assert len(server.searches) == 1
    assert len(listing.papers) == 50


def test_a_new_paper_a_new_version_and_a_withdrawal_are_found(held) -> None:
    server, source, known, since = held
    new = server.catalogue.add_paper()
    again = server.catalogue.add_version("hep-ph/0602140")
    gone = server.catalogue.withdraw("hep-ph/0603300")
    listing = source.list_papers(since, lambda paper: known.get(paper.paper_id) == paper)
    changed = {p.paper_id: p for p in listing.papers if known.get(p.paper_id) != p}
    assert set(changed) == {new.paper_id, again.paper_id, gone.paper_id}
    assert changed[again.paper_id].version == known[again.paper_id].version + 1
    assert changed[gone.paper_id].withdrawn
    assert not changed[new.paper_id].withdrawn
    assert len(server.searches) <= 2
    assert listing.total_reported == 1_001


def test_changes_over_many_pages_are_all_found(held) -> None:
    server, source, known, since = held
    new = {server.catalogue.add_paper().paper_id for _ in range(180)}
    server.plan(None, Fault.EMPTY_PAGE, None, Fault.REPEATED_PAGE, Fault.UNAVAILABLE)
    listing = source.list_papers(since, lambda paper: known.get(paper.paper_id) == paper)
    assert new <= {paper.paper_id for paper in listing.papers}
    assert listing.complete


def test_an_empty_listing_of_changes_is_not_nothing_new(held) -> None:
    server, source, _, since = held
    server.plan(*[Fault.NOTHING] * 10)
    listing = source.list_papers(since)
    assert not listing.complete
    assert listing.problems


# Ids


def test_ids_in_any_form_are_listed_once() -> None:
    with ArxivServer(Catalogue(PAPERS)) as server:
        ids = ["arXiv:hep-ph/0601003", "https://arxiv.org/abs/hep-ph/0601003", "hep-ph/0601004v1"]
        listing = open_source(server.url, ids=ids).list_papers()
    assert ids_of(listing) == ["hep-ph/0601003", "hep-ph/0601004"]
    assert (listing.full, listing.complete, listing.problems) == (False, True, ())


def test_two_versions_of_one_paper_are_the_later_one() -> None:
    with ArxivServer(Catalogue(PAPERS)) as server:
        ids = ["hep-ph/0601000v3", "hep-ph/0601000v1"]
        listing = open_source(server.url, ids=ids).list_papers()
    assert [(p.paper_id, p.version) for p in listing.papers] == [("hep-ph/0601000", 3)]


def test_unknown_and_malformed_ids_are_named_and_the_rest_is_listed() -> None:
    with ArxivServer(Catalogue(PAPERS)) as server:
        ids = ["0000.0000", "abc", "hep-ph/0601003"]
        listing = open_source(server.url, ids=ids).list_papers()
    assert ids_of(listing) == ["hep-ph/0601003"]
    malformed, unknown = listing.problems
    assert "'abc' is not an arXiv id" in malformed
    assert unknown == "arXiv knows no paper 0000.0000; check the id."


def test_an_id_that_arxiv_refuses_does_not_spoil_the_others(monkeypatch) -> None:
    with ArxivServer(Catalogue(PAPERS)) as server:
        refused = "hep-ph/0601007"
        named = server._named

        def refusing(ids):
            if refused in ids:
                raise ValueError(f"incorrect id format for {refused}")
            return named(ids)

        monkeypatch.setattr(server, "_named", refusing)
        ids = [f"hep-ph/06010{number:02d}" for number in range(20)]
        listing = open_source(server.url, ids=ids).list_papers()
    assert len(listing.papers) == 19
    (problem,) = listing.problems
    assert problem == (
        f"{refused} was not listed: arXiv refuses the request: incorrect id format for {refused}."
    )


def test_many_ids_are_asked_for_in_groups() -> None:
    with ArxivServer(Catalogue(PAPERS)) as server:
        ids = [entry.paper_id for entry in server.catalogue.entries]
        listing = open_source(server.url, ids=ids, ids_a_request=50).list_papers()
        assert sorted(ids_of(listing)) == sorted(ids)
        assert len(server.searches) == 3


def test_no_ids_ask_for_nothing() -> None:
    with ArxivServer(Catalogue(PAPERS)) as server:
        assert len(open_source(server.url, ids=[]).list_papers().papers) == 0
        assert server.searches == []


# Settings


@pytest.mark.parametrize("base", ["", "/", "/api", "/api/query", "/api/query?", "/api/query?{}"])
def test_the_base_url_may_be_a_host_or_the_endpoint(base: str) -> None:
    with ArxivServer(Catalogue(10)) as server:
        assert len(open_source(server.origin + base).list_papers().papers) == 10


@pytest.mark.parametrize("base", ["export.arxiv.org", "ftp://arxiv.org", "http://", "http://a:x/"])
def test_a_base_url_that_is_none_is_refused(base: str) -> None:
    with pytest.raises(UsageError, match="no base URL of an arXiv API"):
        open_source(base)


def test_a_contact_on_two_lines_is_refused() -> None:
    with pytest.raises(UsageError, match="contact"):
        ArxivSource(profile_with(), "", 3.0, "me\r\nX-Header: yes")


def test_each_request_names_the_program_and_its_contact() -> None:
    with ArxivServer(Catalogue(10)) as server:
        source = open_source(server.url)
        paper = next(iter(source.list_papers().papers))
        assert paper
        (agent,) = server.agents
    assert agent.startswith("muon-evidence/")
    assert "tests@example.org" in agent


def test_a_profile_that_arxiv_cannot_read_is_wrong_use() -> None:
    with (
        ArxivServer(Catalogue(10), window=0) as server,
        pytest.raises(UsageError, match="Check the profile's phrases"),
    ):
        open_source(server.url).list_papers()
