"""Which papers the next release is made from."""

from typing import Any

from assets.corpus.reconcile import in_release
from assets.tables import PAPERS, PDFS
from resources.lake import Lake, Row


def live_papers(lake: Lake) -> dict[str, Row]:
    """The papers of the next release that have a PDF, by id, each with its `pdf` row."""
    pdfs: dict[str, Any] = {row["paper_id"]: row for row in lake.rows(PDFS)}
    return {
        row["paper_id"]: {**row, "pdf": pdfs[row["paper_id"]]}
        for row in in_release(lake.rows(PAPERS))
        if row["paper_id"] in pdfs
    }
