"""How a document crosses from a worker process: plain JSON, since a PDF is untrusted input."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from resources.blocks import Block, BlockKind, Box, PageEntry, ParsedDocument
from resources.pdf_layout.limits import Limits


def dump_request(path: Path, limits: Limits) -> bytes:
    """One task for a worker."""
    return json.dumps({"path": str(path), "limits": asdict(limits)}).encode()


def load_request(data: bytes) -> tuple[Path, Limits]:
    """The inverse of `dump_request`."""
    task = json.loads(data)
    return Path(task["path"]), Limits(**task["limits"])


def dump_document(document: ParsedDocument) -> bytes:
    """A worker's answer."""
    return json.dumps(asdict(document)).encode()


def load_document(data: bytes) -> ParsedDocument:
    """The inverse of `dump_document`."""
    plain: dict[str, Any] = json.loads(data)
    return ParsedDocument(
        parser=plain["parser"],
        title=plain["title"],
        authors=tuple(plain["authors"]),
        blocks=tuple(
            Block(
                kind=BlockKind(b["kind"]),
                text=b["text"],
                page=b["page"],
                section=tuple(b["section"]),
                boxes=tuple(Box(**box) for box in b["boxes"]),
            )
            for b in plain["blocks"]
        ),
        pages=tuple(PageEntry(**entry) for entry in plain["pages"]),
    )
