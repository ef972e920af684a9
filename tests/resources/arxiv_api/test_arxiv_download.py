"""A PDF is had whole and checked, or its failure lands in its class with a sentence."""

import hashlib
from pathlib import Path

import pytest

from resources.arxiv_api import ArxivSource
from resources.errors import MuonEvidenceError, Permanent, ServiceDown, Transient
from resources.source import ListedPaper, PdfMissing
from tests.support.arxiv_access import IMPATIENT, open_source
from tests.support.arxiv_catalogue import Catalogue
from tests.support.arxiv_server import ArxivServer, Fault

PAPER = "hep-ph/0601003"
TRIES = 3


def listed(source: ArxivSource, paper_id: str = PAPER) -> ListedPaper:
    return next(paper for paper in source.list_papers().papers if paper.paper_id == paper_id)


def fetch(folder: Path, *faults: Fault | None, **limits: float) -> tuple[bytes, bytes, int]:
    """What was stored, what was served, and the number of requests for it."""
    with ArxivServer(Catalogue(10), pdf_plan={PAPER: faults}) as server:
        source = open_source(server.url, **limits)
        target = folder / "paper.pdf"
        fetched = source.fetch_pdf(listed(source), target)
        assert fetched.path == target
        assert fetched.sha256 == hashlib.sha256(target.read_bytes()).hexdigest()
        assert fetched.bytes == target.stat().st_size
        assert list(folder.iterdir()) == [target]
        return target.read_bytes(), server.pdf_of(PAPER, 1), server.downloads[PAPER]


def failure(folder: Path, *faults: Fault, **limits: float) -> tuple[MuonEvidenceError, int]:
    """The error that a download ends with, and the number of requests for it."""
    with ArxivServer(Catalogue(10), pdf_plan={PAPER: faults}) as server:
        source = open_source(server.url, **limits)
        with pytest.raises(MuonEvidenceError) as raised:
            source.fetch_pdf(listed(source), folder / "paper.pdf")
        assert list(folder.iterdir()) == []
        return raised.value, server.downloads[PAPER]


def test_the_bytes_are_arxivs(tmp_path: Path) -> None:
    stored, served, requests = fetch(tmp_path)
    assert stored == served
    assert requests == 1


PASSING = [
    Fault.THROTTLED,
    Fault.THROTTLED_WAIT,
    Fault.UNAVAILABLE,
    Fault.UNAVAILABLE_WAIT,
    Fault.ACCEPTED,
    Fault.WEB_PAGE,
    Fault.BLANK,
    Fault.STALLED,
    Fault.SILENT,
    Fault.CUT,
    Fault.CUT_UNTOLD,
    Fault.DROPPED,
]


@pytest.mark.parametrize("fault", PASSING, ids=lambda fault: fault.name)
def test_a_fault_that_passes_is_tried_again(tmp_path: Path, fault: Fault) -> None:
    stored, served, requests = fetch(tmp_path, fault, **IMPATIENT.get(fault, {}))
    assert stored == served
    assert requests == 2


STAYING = [
    (Fault.UNAVAILABLE, Transient, "arXiv answered 503 Service Unavailable"),
    (Fault.ACCEPTED, Transient, "arXiv answered 202 Accepted"),
    (Fault.STALLED, Transient, "stalled: nothing came for 0.2 seconds"),
    (Fault.SILENT, Transient, "did not answer within 0.2 seconds"),
    (Fault.CUT, Transient, "broke off after"),
    (Fault.CUT_UNTOLD, Transient, "arrived cut short"),
    (Fault.BLANK, Transient, "arrived empty"),
    (Fault.DROPPED, Transient, "connection broke"),
    (Fault.WEB_PAGE, Permanent, "answered with a web page"),
    (Fault.THROTTLED, ServiceDown, "asks to slow down (429)"),
]


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    STAYING,
    ids=lambda value: value.name if isinstance(value, Fault) else None,
)
def test_a_fault_that_stays_is_given_up_after_some_tries(
    tmp_path: Path, fault: Fault, kind: type[MuonEvidenceError], words: str
) -> None:
    error, requests = failure(tmp_path, *[fault] * 9, **IMPATIENT.get(fault, {}))
    assert type(error).__mro__.index(kind) <= 1
    assert words in str(error)
    assert requests == TRIES


FINAL = [
    (Fault.FORBIDDEN, Permanent, "answered 403 Forbidden"),
    (Fault.NOT_ACCEPTABLE, Permanent, "answered 406 Not Acceptable"),
    (Fault.NOT_FOUND, PdfMissing, "arXiv has none (404 Not Found)"),
    (Fault.GONE, PdfMissing, "arXiv has none (410 Gone)"),
    (Fault.WITHDRAWN_PAGE, PdfMissing, "says that it was withdrawn"),
    (Fault.GARBAGE, Permanent, "is not a PDF"),
    (Fault.HUGE, Permanent, "more than the 100,000 that are allowed"),
    (Fault.HUGE_UNTOLD, Permanent, "larger than the 100,000 bytes"),
    (Fault.ELSEWHERE, Permanent, "host that nothing is fetched from"),
]


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    FINAL,
    ids=lambda value: value.name if isinstance(value, Fault) else None,
)
def test_a_final_answer_is_not_asked_for_again(
    tmp_path: Path, fault: Fault, kind: type[MuonEvidenceError], words: str
) -> None:
    error, requests = failure(tmp_path, *[fault] * 9)
    assert type(error) is kind
    assert words in str(error)
    assert requests == 1


def test_a_body_without_end_is_given_up_for_this_run(tmp_path: Path) -> None:
    error, requests = failure(tmp_path, *[Fault.DRIPPING] * 9, body_seconds=0.05)
    assert isinstance(error, Transient)
    assert "took longer than 0.05 seconds" in str(error)
    assert requests == 1


def test_a_slow_body_is_waited_for(tmp_path: Path) -> None:
    stored, served, requests = fetch(tmp_path, Fault.SLOW)
    assert stored == served
    assert requests == 1


def test_messages_name_the_paper_and_its_version(tmp_path: Path) -> None:
    error, _ = failure(tmp_path, Fault.FORBIDDEN)
    assert str(error) == (
        f"The PDF of {PAPER} version 1 was refused: arXiv answered 403 Forbidden; it was left out."
    )


def test_a_redirect_on_the_same_host_is_followed(tmp_path: Path) -> None:
    stored, served, requests = fetch(tmp_path, Fault.MOVED)
    assert stored == served
    assert requests == 2


def test_a_redirect_in_a_circle_ends(tmp_path: Path) -> None:
    error, requests = failure(tmp_path, *[Fault.CIRCLE] * 50)
    assert type(error) is Permanent
    assert "without end" in str(error)
    assert requests == 6


def test_nothing_is_asked_of_a_host_that_a_redirect_names(tmp_path: Path) -> None:
    with (
        ArxivServer(Catalogue(10)) as other,
        ArxivServer(
            Catalogue(10), pdf_plan={PAPER: [Fault.ELSEWHERE]}, elsewhere=other.origin
        ) as server,
    ):
        source = open_source(server.url)
        with pytest.raises(Permanent):
            source.fetch_pdf(listed(source), tmp_path / "paper.pdf")
        assert not other.downloads


def test_a_listed_link_to_another_host_is_not_fetched(tmp_path: Path) -> None:
    paper = ListedPaper(PAPER, "Elsewhere", pdf_url_or_path="https://example.org/paper.pdf")
    with ArxivServer(Catalogue(10)) as server, pytest.raises(Permanent, match="nothing is fetched"):
        open_source(server.url).fetch_pdf(paper, tmp_path / "paper.pdf")


def test_a_link_to_the_readers_site_is_fetched_from_the_configured_host(tmp_path: Path) -> None:
    paper = ListedPaper(PAPER, "x", pdf_url_or_path=f"https://arxiv.org/pdf/{PAPER}v1")
    with ArxivServer(Catalogue(10)) as server:
        fetched = open_source(server.url).fetch_pdf(paper, tmp_path / "paper.pdf")
        assert fetched.url == f"{server.origin}/pdf/{PAPER}v1"


def test_a_paper_without_a_pdf_link_has_none(tmp_path: Path) -> None:
    with ArxivServer(Catalogue(10)) as server:
        server.catalogue.change(PAPER, has_pdf=False)
        source = open_source(server.url)
        with pytest.raises(PdfMissing, match="arXiv lists none"):
            source.fetch_pdf(listed(source), tmp_path / "paper.pdf")
        assert not server.downloads


def test_a_file_that_is_there_stays_as_it_was_when_a_download_fails(tmp_path: Path) -> None:
    target = tmp_path / "paper.pdf"
    target.write_bytes(b"what was there before")
    with ArxivServer(Catalogue(10), pdf_plan={PAPER: [Fault.CUT] * 9}) as server:
        source = open_source(server.url)
        with pytest.raises(Transient):
            source.fetch_pdf(listed(source), target)
    assert target.read_bytes() == b"what was there before"


def test_one_bad_paper_leaves_the_connection_good_for_the_next(tmp_path: Path) -> None:
    bad = {PAPER: [Fault.HUGE_UNTOLD], "hep-ph/0601004": [Fault.STALLED] * 9}
    with ArxivServer(Catalogue(10), pdf_plan=bad) as server:
        source = open_source(server.url, read_seconds=0.2)
        fetched = 0
        for paper in source.list_papers().papers:
            try:
                source.fetch_pdf(paper, tmp_path / f"{paper.paper_id[-7:]}.pdf")
                fetched += 1
            except MuonEvidenceError:
                assert paper.paper_id in bad
    assert fetched == 8


def test_a_dead_host_is_down(tmp_path: Path) -> None:
    with ArxivServer(Catalogue(10)) as server:
        source = open_source(server.url)
        paper = listed(source)
    with pytest.raises(ServiceDown, match="cannot be reached"):
        source.fetch_pdf(paper, tmp_path / "paper.pdf")
