"""Which documents and chunks there should be, and when they are out of date."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from assets.corpus.reconcile import WITHDRAWN, with_status
from assets.parsing.chunking import ChunkSize
from assets.parsing.parsers import Parsed
from assets.parsing.rows import document_row
from assets.parsing.selection import live_chunks, wanted_chunks, wanted_documents
from assets.tables import CHUNKS, DOCUMENTS, PAPERS, PDFS
from resources.lake import Lake
from tests.support.documents import document
from tests.support.rows import chunk, paper, pdf, with_papers

SIZE = ChunkSize()


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    """Two papers, each with its PDF and the document of it; one is withdrawn."""
    lake = with_papers(Lake(str(tmp_path)), paper("a"), with_status(paper("gone"), WITHDRAWN))
    parsed = document(title="Read from the page")
    lake.merge(
        DOCUMENTS, [document_row(key, pdf(key)["sha256"], parsed, "doc") for key in ("a", "gone")]
    )
    return lake


class Named:
    """A parser that is nothing but its name, and the names whose documents it leaves alone."""

    def __init__(self, name: str, keeps: tuple[str, ...] = ()) -> None:
        self.fingerprint = name
        self._keeps = {name, *keeps}

    def keeps(self, made_by: str) -> bool:
        return made_by in self._keeps

    def parse(self, pdfs: Mapping[str, Path], batch: int) -> Iterator[Parsed]:
        raise AssertionError("nothing is parsed here")


def test_documents_of_live_papers_are_wanted(lake: Lake) -> None:
    wanted = wanted_documents(lake, Named("parser 1"))
    assert set(wanted) == {"a"}
    assert wanted_documents(lake, Named("parser 1")) == wanted
    assert wanted_documents(lake, Named("parser 2")) != wanted
    lake.merge(PDFS, [pdf("a", sha256="b" * 64)])
    assert wanted_documents(lake, Named("parser 1")) != wanted


def test_a_parser_may_keep_anothers_document_of_the_same_bytes(lake: Lake) -> None:
    made = wanted_documents(lake, Named("parser 1"))["a"]
    parsed = replace(document(), parser="parser 1")
    lake.merge(DOCUMENTS, [document_row("a", pdf("a")["sha256"], parsed, made)])
    keeping, other = Named("parser 2", keeps=("parser 1",)), Named("parser 2")
    assert wanted_documents(lake, keeping) == {"a": made}
    assert wanted_documents(lake, other)["a"] != made
    lake.merge(PDFS, [pdf("a", sha256="b" * 64)])
    assert wanted_documents(lake, keeping) == wanted_documents(lake, other)


def test_chunks_of_live_papers_are_wanted(lake: Lake) -> None:
    wanted = wanted_chunks(lake, "tokens", SIZE)
    assert set(wanted) == {"a"}
    assert wanted_chunks(lake, "tokens", SIZE) == wanted


def test_whatever_a_chunk_depends_on_puts_it_out_of_date(lake: Lake) -> None:
    wanted = wanted_chunks(lake, "tokens", SIZE)
    assert wanted_chunks(lake, "other tokens", SIZE) != wanted
    assert wanted_chunks(lake, "tokens", replace(SIZE, window=128)) != wanted
    assert wanted_chunks(lake, "tokens", replace(SIZE, overlap=0)) != wanted
    lake.merge(PAPERS, [paper("a", title="Another title")])
    assert wanted_chunks(lake, "tokens", SIZE) != wanted


def test_metadata_that_no_chunk_shows_leaves_it_alone(lake: Lake) -> None:
    wanted = wanted_chunks(lake, "tokens", SIZE)
    lake.merge(PAPERS, [paper("a", journal_ref="Phys. Rev. D 1", doi="10.1/x")])
    assert wanted_chunks(lake, "tokens", SIZE) == wanted


def test_the_documents_own_title_stands_in(lake: Lake) -> None:
    lake.merge(PAPERS, [paper("a", title="")])
    untitled = wanted_chunks(lake, "tokens", SIZE)
    lake.merge(PAPERS, [paper("a", title="Read from the page")])
    assert wanted_chunks(lake, "tokens", SIZE) == untitled


def test_a_document_of_older_bytes_gives_no_chunks(lake: Lake) -> None:
    lake.merge(PDFS, [pdf("a", sha256="b" * 64)])
    assert wanted_chunks(lake, "tokens", SIZE) == {}


def test_live_chunks_come_by_paper_and_place(lake: Lake) -> None:
    with_papers(lake, paper("b"))
    lake.merge(
        CHUNKS,
        [
            chunk("b0", "b", ordinal=0),
            chunk("a1", "a", ordinal=1),
            chunk("g0", "gone", ordinal=0),
            chunk("a10", "a", ordinal=10),
            chunk("a0", "a", ordinal=0),
        ],
    )
    rows = live_chunks(lake, ["chunk_id", "text"])
    assert [row["chunk_id"] for row in rows] == ["a0", "a1", "a10", "b0"]
    assert rows[0]["text"] == "Words of a0."
