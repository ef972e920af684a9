"""What all sources share: the link to a page, and a PDF put in its place whole or not at all."""

import hashlib
from pathlib import Path

import pytest

from resources.errors import Permanent, Transient
from resources.source import ListedPaper, check_pdf, page_link, store_pdf
from tests.support.tiny_pdf import tiny_pdf

PDF = tiny_pdf([["Muons decay."]])


def pieces(data: bytes, size: int = 7) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


def test_a_page_of_an_arxiv_paper_is_linked_on_arxiv() -> None:
    paper = ListedPaper("hep-ph/9909255", "x", version=2, source="arxiv")
    assert paper.page_link(7) == "https://arxiv.org/pdf/hep-ph/9909255v2#page=7"


def test_a_page_of_a_file_is_linked_in_the_file_even_if_arxiv_has_the_paper(tmp_path: Path) -> None:
    place = tmp_path / "a b.pdf"
    paper = ListedPaper("2303.08533", "x", source="folder", pdf_url_or_path=str(place))
    assert paper.page_link(3) == f"{tmp_path.as_uri()}/a%20b.pdf#page=3"


def test_a_paper_without_a_place_has_no_link() -> None:
    assert page_link("folder", "x", 1, "", 1) == ""


def test_a_pdf_is_stored_under_its_name_only_when_whole(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "paper.pdf"

    def watched() -> object:
        for piece in pieces(PDF):
            assert not target.exists()
            yield piece

    assert store_pdf(watched(), target, what="It") == (hashlib.sha256(PDF).hexdigest(), len(PDF))
    assert target.read_bytes() == PDF
    assert list(target.parent.iterdir()) == [target]


@pytest.mark.parametrize(
    ("data", "kind", "words"),
    [
        (b"", Permanent, "an empty file"),
        (b"<html>", Permanent, "is not a PDF"),
        (PDF[:-40], Transient, "cut short"),
        (PDF[: len(PDF) // 2], Transient, "cut short"),
    ],
    ids=["empty", "html", "nearly", "half"],
)
def test_what_is_no_whole_pdf_is_not_stored(
    tmp_path: Path, data: bytes, kind: type[Exception], words: str
) -> None:
    with pytest.raises(kind, match=words):
        store_pdf(pieces(data), tmp_path / "paper.pdf", what="It")
    assert list(tmp_path.iterdir()) == []


def test_a_source_that_breaks_leaves_nothing_behind(tmp_path: Path) -> None:
    def breaking() -> object:
        yield PDF[:50]
        raise ConnectionResetError

    (tmp_path / "paper.pdf").write_bytes(b"before")
    with pytest.raises(ConnectionResetError):
        store_pdf(breaking(), tmp_path / "paper.pdf", what="It")
    assert [path.name for path in tmp_path.iterdir()] == ["paper.pdf"]
    assert (tmp_path / "paper.pdf").read_bytes() == b"before"


def test_what_a_killed_process_left_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / ".paper.pdf.part").write_bytes(b"%PDF-1.4 half of it")
    store_pdf(pieces(PDF), tmp_path / "paper.pdf", what="It")
    assert [path.name for path in tmp_path.iterdir()] == ["paper.pdf"]


def test_reading_stops_at_the_limit(tmp_path: Path) -> None:
    def endless() -> object:
        for _ in range(100):
            yield b"%PDF-1.4 and more of it"
        pytest.fail("read on beyond the limit")

    with pytest.raises(Permanent, match="larger than the 1,000 bytes"):
        store_pdf(endless(), tmp_path / "paper.pdf", what="It", limit=1_000)
    assert list(tmp_path.iterdir()) == []


def test_a_files_end_is_not_demanded_of_a_file_that_is_at_hand(tmp_path: Path) -> None:
    path = tmp_path / "cut.pdf"
    path.write_bytes(PDF[:-40])
    check_pdf(path, what="It", whole=False)
    with pytest.raises(Transient):
        check_pdf(path, what="It")
