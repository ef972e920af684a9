"""Which papers the next release is made from."""

from pathlib import Path

from assets.corpus.reconcile import UNLISTED, WITHDRAWN, with_status
from assets.corpus.selection import live_papers
from assets.tables import PAPERS
from resources.lake import Lake
from tests.support.rows import paper, with_papers


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
