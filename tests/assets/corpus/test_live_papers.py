"""Which papers the next release is made from."""

from pathlib import Path

from assets.corpus.reconcile import UNLISTED, WITHDRAWN, paper_row, with_status
from assets.corpus.selection import live_papers
from assets.tables import PAPERS, PDFS
from resources.lake import Lake
from tests.support.rows import in_folder, paper, pdf, with_papers


def test_active_papers_with_a_pdf(tmp_path: Path) -> None:
    lake = with_papers(
        Lake(str(tmp_path)),
        paper("a"),
        with_status(paper("withdrawn"), WITHDRAWN),
        with_status(paper("unlisted"), UNLISTED),
        paper("sample", source="sample"),
    )
    lake.merge(PAPERS, [paper("not fetched yet")])
    live = live_papers(lake)
    assert list(live) == ["a"]
    assert live["a"]["pdf"]["path"] == "pdfs/a.pdf"
    assert live["a"]["title"] == "Title of a"


def test_nothing_yet(tmp_path: Path) -> None:
    assert live_papers(Lake(str(tmp_path))) == {}


def test_papers_of_the_same_bytes_are_one(tmp_path: Path) -> None:
    """The one of the better source stands for both, then the one whose id comes first."""
    lake = Lake(str(tmp_path))
    mine = paper_row(in_folder("local:1"), "preprint")
    lake.merge(PAPERS, [mine, paper("2303.1"), paper("2303.2"), paper("2303.3")])
    lake.merge(PDFS, [pdf(key, sha256="b" * 64) for key in ("local:1", "2303.3", "2303.2")])
    lake.merge(PDFS, [pdf("2303.1", sha256="c" * 64)])
    assert sorted(live_papers(lake)) == ["2303.1", "2303.2"]


def test_a_paper_is_cited_by_the_version_that_is_held(tmp_path: Path) -> None:
    lake = with_papers(Lake(str(tmp_path)), paper("2303.1", version=2, title="New title"))
    assert live_papers(lake)["2303.1"]["version"] == 1
    assert live_papers(lake)["2303.1"]["title"] == "New title"
