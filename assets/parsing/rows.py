"""Documents and chunks to rows of their tables, and back."""

from dataclasses import asdict
from typing import Any

from assets.parsing.records import Block, Box, Chunk, PageEntry, ParsedDocument
from resources.blocks import BlockKind
from resources.lake import Row


def document_row(paper_id: str, pdf_sha256: str, document: ParsedDocument, inputs: str) -> Row:
    """A document as a row."""
    return {
        "paper_id": paper_id,
        "pdf_sha256": pdf_sha256,
        "parser": document.parser,
        "title": document.title,
        "authors": list(document.authors),
        "blocks": [block_row(block) for block in document.blocks],
        "pages": [asdict(page) for page in document.pages],
        "fingerprint": inputs,
    }


def document_of(row: Row) -> ParsedDocument:
    """A row back as a document."""
    return ParsedDocument(
        parser=row["parser"],
        title=row["title"],
        authors=tuple(row["authors"]),
        blocks=tuple(_block_of(block) for block in row["blocks"]),
        pages=tuple(PageEntry(**page) for page in row["pages"]),
    )


def chunk_row(chunk: Chunk, title: str, passage_sha: str, inputs: str) -> Row:
    """A chunk as a row."""
    return {
        "chunk_id": chunk.chunk_id,
        "paper_id": chunk.paper_id,
        "ordinal": chunk.ordinal,
        "kind": chunk.kind,
        "section": list(chunk.section),
        "text": chunk.text,
        "page_start": chunk.page_start,
        "page_end": chunk.page_end,
        "boxes": [asdict(box) for box in chunk.boxes],
        "tokens": chunk.tokens,
        "text_sha": chunk.text_sha,
        "passage_sha": passage_sha,
        "title": title,
        "fingerprint": inputs,
    }


def boxes_of(rows: list[dict[str, Any]]) -> tuple[Box, ...]:
    """Stored boxes back as records."""
    return tuple(Box(**row) for row in rows)


def block_row(block: Block) -> Row:
    """A block as a nested row, and as `parse --json` prints it."""
    return {
        "kind": block.kind.value,
        "text": block.text,
        "page": block.page,
        "section": list(block.section),
        "boxes": [asdict(box) for box in block.boxes],
    }


def _block_of(row: dict[str, Any]) -> Block:
    return Block(
        kind=BlockKind(row["kind"]),
        text=row["text"],
        page=row["page"],
        section=tuple(row["section"]),
        boxes=boxes_of(row["boxes"]),
    )
