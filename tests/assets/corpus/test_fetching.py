"""PDFs into the store: one bad paper stops nobody, and nothing is fetched twice."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from assets.corpus.fetching import BATCH, fetch_pdfs, pdf_path
from assets.corpus.reconcile import paper_row, pdf_inputs
from resources.errors import Permanent, ServiceDown, Transient
from resources.files import Files, sha256_of
from resources.lake import Row
from resources.source import FetchedPdf, ListedPaper, PdfMissing
from tests.support.rows import in_folder, paper
from tests.support.tiny_pdf import tiny_pdf


class Shelf:
    """A source whose PDFs are made up; some papers raise what is planned for them."""

    name = "arxiv"

    def __init__(self, plan: Mapping[str, Exception | bytes] | None = None) -> None:
        self.plan = plan or {}
        self.fetched: list[str] = []

    def fetch_pdf(self, paper: ListedPaper, target: Path) -> FetchedPdf:
        self.fetched.append(paper.paper_id)
        planned = self.plan.get(paper.paper_id, tiny_pdf([[f"{paper.paper_id}."], ["Page two."]]))
        if isinstance(planned, Exception):
            raise planned
        target.write_bytes(planned)
        return FetchedPdf(target, sha256_of(target), len(planned), "")


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(str(tmp_path / "data"))


def fetched(shelf: Shelf, files: Files, *rows: Row) -> list[Mapping[str, Row | Exception]]:
    papers = {row["paper_id"]: row for row in rows}
    return list(fetch_pdfs(papers, list(papers), lambda row: shelf, files))  # type: ignore[arg-type,return-value]


def test_a_pdf_is_stored_and_described(files: Files) -> None:
    row = paper("hep-ph/9909255", version=3)
    ((found,),) = [batch.values() for batch in fetched(Shelf(), files, row)]
    assert isinstance(found, dict)
    with files.local(found["path"]) as path:
        assert found["sha256"] == sha256_of(path)
        assert found["bytes"] == path.stat().st_size
    assert (found["pages"], found["version"]) == (2, 3)
    assert found["path"] == "pdfs/hep-ph_9909255v3.pdf"
    assert found["fingerprint"] == pdf_inputs(row)


def test_what_an_interrupted_run_stored_is_not_fetched_again(files: Files) -> None:
    row = paper("2303.08533")
    fetched(Shelf(), files, row)
    again = Shelf()
    ((found,),) = [batch.values() for batch in fetched(again, files, row)]
    assert again.fetched == []
    assert isinstance(found, dict)
    assert found["pages"] == 2


def test_a_new_version_is_another_file(files: Files) -> None:
    shelf = Shelf()
    fetched(shelf, files, paper("2303.08533"))
    fetched(shelf, files, paper("2303.08533", version=2))
    assert len(shelf.fetched) == 2
    assert files.list("pdfs") == ["2303.08533v1.pdf", "2303.08533v2.pdf"]


def test_a_file_is_stored_by_its_content() -> None:
    one, other = (
        paper_row(in_folder("local:1", sha256=digit * 64), "preprint") for digit in ("a", "b")
    )
    assert pdf_path(one) != pdf_path(other)
    assert pdf_path(one).endswith("-aaaaaaaaaaaa.pdf")


@pytest.mark.parametrize("paper_id", ["../../etc/passwd", "a/../b", "/absolute", "..", "a\x00b"])
def test_no_id_leaves_the_folder(paper_id: str) -> None:
    path = pdf_path(paper(paper_id))
    assert path.startswith("pdfs/")
    assert path.count("/") == 1
    assert not path.startswith("pdfs/.")
    assert "\x00" not in path


@pytest.mark.parametrize("error", [Permanent("no."), Transient("later."), PdfMissing("never.")])
def test_one_bad_paper_stops_nobody(files: Files, error: Exception) -> None:
    shelf = Shelf({"b": error})
    (batch,) = fetched(shelf, files, paper("a"), paper("b"), paper("c"))
    assert batch["b"] is error
    assert isinstance(batch["a"], dict)
    assert isinstance(batch["c"], dict)


def test_what_is_no_pdf_is_set_aside_and_leaves_nothing(files: Files) -> None:
    shelf = Shelf({"bad": b"%PDF-1.7 and then nothing", "odd": KeyError("x")})
    (batch,) = fetched(shelf, files, paper("bad"), paper("odd"))
    assert isinstance(batch["bad"], Permanent)
    assert isinstance(batch["odd"], Permanent)
    assert str(batch["odd"]) == "The PDF of odd: KeyError: 'x'"
    assert files.list("pdfs") == []


def test_a_dead_service_keeps_what_came_before(files: Files) -> None:
    shelf = Shelf({"c": ServiceDown("arXiv cannot be reached.")})
    papers = {key: paper(key) for key in "abcd"}
    batches = fetch_pdfs(papers, list(papers), lambda row: shelf, files)  # type: ignore[arg-type,return-value]
    assert set(next(batches)) == {"a", "b"}
    with pytest.raises(ServiceDown):
        next(batches)
    assert shelf.fetched == ["a", "b", "c"]


def test_papers_come_in_batches(files: Files) -> None:
    rows = [paper(f"2303.{number:05d}") for number in range(BATCH + 1)]
    assert [len(batch) for batch in fetched(Shelf(), files, *rows)] == [BATCH, 1]
