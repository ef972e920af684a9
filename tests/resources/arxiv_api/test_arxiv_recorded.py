"""Answers that arXiv's API really gave, read through the arxiv package."""

from collections.abc import Iterator

import arxiv
import pytest

from resources.arxiv_api.connection import Connection
from resources.arxiv_api.limits import Limits
from resources.arxiv_api.pace import Pace
from resources.arxiv_api.pages import MalformedRequest, Page, PageReader
from resources.source import ListedPaper
from tests.support.arxiv_access import open_source
from tests.support.arxiv_server import ArxivServer
from tests.support.shared import require_shared


@pytest.fixture
def recorded() -> Iterator[ArxivServer]:
    with ArxivServer(recordings=require_shared("fixtures", "arxiv_api")) as server:
        yield server


def read(server: ArxivServer, start: int, size: int, **search: object) -> Page:
    connection = Connection(server.url, "", Pace(0), Limits())
    return PageReader(connection).read(arxiv.Search(**search, max_results=None), start, size)


def named(server: ArxivServer, *ids: str) -> tuple[list[ListedPaper], tuple[str, ...]]:
    listing = open_source(server.url, ids=list(ids), page_size=100, ids_a_request=1).list_papers()
    return list(listing.papers), listing.problems


def test_a_paper_by_its_id(recorded: ArxivServer) -> None:
    (paper,), problems = named(recorded, "1605.08386")
    assert problems == ()
    assert paper.title == "Heat-bath random walks with Markov bases"
    assert paper.authors == ("Caprice Stanley", "Tobias Windisch")
    assert (paper.paper_id, paper.version) == ("1605.08386", 1)
    assert paper.published == paper.updated == "2016-05-26T17:59:46Z"
    assert paper.categories == ("math.CO", "math.ST")
    assert paper.comment == "20 pages, 3 figures"
    assert paper.pdf_url_or_path == "https://arxiv.org/pdf/1605.08386v1"
    assert paper.abstract.startswith("Graphs on lattice points")
    assert not paper.withdrawn


def test_an_old_id_keeps_its_slash(recorded: ArxivServer) -> None:
    (paper,), _ = named(recorded, "astro-ph/0601001")
    assert (paper.paper_id, paper.version) == ("astro-ph/0601001", 1)
    assert paper.page_link(2) == "https://arxiv.org/pdf/astro-ph/0601001v1#page=2"


def test_the_paper_whose_title_is_0(recorded: ArxivServer) -> None:
    (paper,), problems = named(recorded, "2104.12255v1")
    assert (paper.paper_id, paper.title) == ("2104.12255", "0")
    assert problems == ()


def test_names_beyond_ascii(recorded: ArxivServer) -> None:
    (paper,), _ = named(recorded, "1707.08567")
    assert "Dirk Wübben" in paper.authors
    assert len(paper.authors) == 34


@pytest.mark.parametrize("unknown", ["0000.0000", "0808.05394"])
def test_an_unknown_id_is_named(recorded: ArxivServer, unknown: str) -> None:
    papers, problems = named(recorded, unknown)
    assert papers == []
    assert problems == (f"arXiv knows no paper {unknown}; check the id.",)


def test_a_malformed_id_is_refused_in_arxivs_own_words(recorded: ArxivServer) -> None:
    with pytest.raises(MalformedRequest, match="incorrect id format for abc"):
        read(recorded, 0, 100, id_list=["abc"])


def test_pages_out_of_a_large_total_follow_each_other(recorded: ArxivServer) -> None:
    pages = [read(recorded, start, 10, query="testing") for start in range(0, 60, 10)]
    ids = [paper.paper_id for page in pages for paper in page.papers]
    assert len(ids) == len(set(ids)) == 60
    assert [page.start for page in pages] == [0, 10, 20, 30, 40, 50]
    assert {page.total for page in pages} == {214_881}


def test_one_large_page_begins_like_the_small_ones(recorded: ArxivServer) -> None:
    large = read(recorded, 0, 100, query="testing")
    small = read(recorded, 0, 10, query="testing")
    assert len(large.papers) == large.entries == 100
    assert large.papers[:10] == small.papers
    assert len(recorded.searches) == 2


def test_a_page_that_mixes_versions_tells_them_apart(recorded: ArxivServer) -> None:
    versions = {p.paper_id: p.version for p in read(recorded, 20, 10, query="testing").papers}
    assert versions["2409.05654"] == 9
    assert versions["2106.13414"] == 2
    assert versions["2008.01944"] == 1
    assert not any("v" in paper_id for paper_id in versions)


def test_a_page_that_mixes_old_and_new_ids(recorded: ArxivServer) -> None:
    ids = [paper.paper_id for paper in read(recorded, 50, 10, query="testing").papers]
    assert "cs/0503050" in ids
    assert "1709.03221" in ids
