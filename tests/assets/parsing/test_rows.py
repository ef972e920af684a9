"""Documents and chunks go into their tables and come back whole."""

from dataclasses import asdict
from typing import Any

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.parsing.chunking import ChunkSize, chunk_document
from assets.parsing.rows import block_row, boxes_of, chunk_row, document_of, document_row
from assets.tables import CHUNKS, DOCUMENTS
from resources.blocks import PageEntry, ParsedDocument
from tests.support.documents import count_tokens, documents


def through(schema: pa.Schema, row: dict[str, Any]) -> dict[str, Any]:
    """A row as it comes back from a table of a schema."""
    assert set(row) == set(schema.names)
    rows: list[dict[str, Any]] = pa.Table.from_pylist([row], schema=schema).to_pylist()
    return rows[0]


@st.composite
def parsed_documents(draw: st.DrawFn) -> ParsedDocument:
    """Documents with all their fields filled."""
    numbers = st.floats(0, 1000, width=32)
    pages = st.builds(
        PageEntry, st.integers(1, 99), numbers, numbers, st.integers(0), st.integers(0), st.text()
    )
    bounded = pages.filter(lambda page: page.characters < 2**31 and page.blocks < 2**31)
    return ParsedDocument(
        parser="embedded-layout 1",
        title=draw(st.text()),
        authors=tuple(draw(st.lists(st.text(), max_size=3))),
        blocks=draw(documents()).blocks,
        pages=tuple(draw(st.lists(bounded, max_size=3))),
    )


@settings(max_examples=40)
@given(document=parsed_documents())
def test_a_document_comes_back_as_it_was(document: ParsedDocument) -> None:
    row = document_row("2303.08533", "a" * 64, document, "inputs")
    back = through(DOCUMENTS.schema, row)
    assert document_of(back) == document
    assert (back["paper_id"], back["pdf_sha256"], back["fingerprint"]) == (
        "2303.08533",
        "a" * 64,
        "inputs",
    )


@settings(max_examples=40)
@given(document=documents())
def test_a_chunk_keeps_its_places(document: ParsedDocument) -> None:
    for chunk in chunk_document("p", "T", document, count_tokens, ChunkSize(60, 12)):
        back = through(CHUNKS.schema, chunk_row(chunk, "T", "passage", "inputs"))
        assert boxes_of(back["boxes"]) == chunk.boxes
        kept = {name: value for name, value in asdict(chunk).items() if name != "boxes"}
        assert {name: back[name] for name in kept} == {**kept, "section": list(chunk.section)}
        assert (back["title"], back["passage_sha"], back["fingerprint"]) == (
            "T",
            "passage",
            "inputs",
        )


@settings(max_examples=40)
@given(document=documents())
def test_a_block_is_plain_json(document: ParsedDocument) -> None:
    for block in document.blocks:
        row = block_row(block)
        assert list(row) == ["kind", "text", "page", "section", "boxes"]
        assert type(row["kind"]) is str
        assert type(row["section"]) is list
        assert [set(box) for box in row["boxes"]] == [
            {"page", "x0", "y0", "x1", "y1", "start", "end"} for _ in block.boxes
        ]
