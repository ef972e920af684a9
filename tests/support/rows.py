"""Rows of the tables, with what a test cares about and plain values for the rest."""

import hashlib
from collections.abc import Mapping
from typing import Any

from assets.corpus.reconcile import paper_row
from assets.tables import PAPERS, PDFS
from resources.lake import Lake, Row
from resources.source import ListedPaper


def listed(paper_id: str, **fields: Any) -> ListedPaper:
    """A paper as arXiv lists it."""
    plain: Mapping[str, Any] = {
        "title": f"Title of {paper_id}",
        "source": "arxiv",
        "published": "2023-03-15T11:02:21Z",
        "updated": "2023-03-15T11:02:21Z",
        "pdf_url_or_path": f"https://arxiv.org/pdf/{paper_id}v1",
    }
    return ListedPaper(paper_id=paper_id, **{**plain, **fields})


def in_folder(paper_id: str, path: str = "/papers/a.pdf", **fields: Any) -> ListedPaper:
    """A paper as a folder lists it."""
    plain: Mapping[str, Any] = {
        "source": "folder",
        "pdf_url_or_path": path,
        "sha256": "0" * 64,
        "published": "",
        "updated": "",
    }
    return listed(paper_id, **{**plain, **fields})


def paper(paper_id: str, tier: str = "preprint", **fields: Any) -> Row:
    """A paper's row."""
    return paper_row(listed(paper_id, **fields), tier)


def pdf(paper_id: str, sha256: str = "", pages: int = 2) -> Row:
    """The row of a stored PDF; without a hash, bytes of its own."""
    return {
        "paper_id": paper_id,
        "version": 1,
        "sha256": sha256 or hashlib.sha256(paper_id.encode()).hexdigest(),
        "path": f"pdfs/{paper_id}.pdf",
        "bytes": 1000,
        "pages": pages,
        "fingerprint": "pdf",
    }


def chunk(chunk_id: str, paper_id: str, **fields: Any) -> Row:
    """A chunk's row."""
    plain: Row = {
        "chunk_id": chunk_id,
        "paper_id": paper_id,
        "ordinal": 0,
        "kind": "paragraph",
        "section": ["Cooling"],
        "text": f"Words of {chunk_id}.",
        "page_start": 1,
        "page_end": 1,
        "boxes": [],
        "tokens": 20,
        "text_sha": f"text {chunk_id}",
        "passage_sha": f"passage {chunk_id}",
        "title": f"Title of {paper_id}",
        "fingerprint": "chunk",
    }
    return {**plain, **fields}


def with_papers(lake: Lake, *rows: Row, pdfs: bool = True) -> Lake:
    """A lake that holds some papers, each with its PDF unless told otherwise."""
    lake.merge(PAPERS, rows)
    if pdfs:
        lake.merge(PDFS, [pdf(row["paper_id"]) for row in rows])
    return lake
