"""Which papers the next release is made from."""

from collections.abc import Iterable, Mapping
from typing import Any

from assets.corpus.reconcile import ACTIVE, source_rank
from assets.tables import PAPERS, PDFS
from resources.lake import Lake, Row


def live_papers(lake: Lake) -> dict[str, Row]:
    """The papers of the next release that have a PDF, by id, each with its `pdf` row.

    `version` is the PDF's: until a new version's PDF is there, the old one is read, and cited.
    """
    pdfs: dict[str, Any] = {row["paper_id"]: row for row in lake.rows(PDFS)}
    papers = {
        row["paper_id"]: {
            **row,
            "version": pdfs[row["paper_id"]]["version"],
            "pdf": pdfs[row["paper_id"]],
        }
        for row in in_release(lake.rows(PAPERS))
        if row["paper_id"] in pdfs
    }
    left_out = same_files(papers)
    return {key: row for key, row in papers.items() if key not in left_out}


def in_release(rows: Iterable[Row]) -> list[Row]:
    """The papers whose text belongs in the next release.

    The samples are for trying things out: as soon as there is one paper of another source they
    step aside, so that nothing real is ever answered from them.
    """
    active = [row for row in rows if row["status"] == ACTIVE]
    real = [row for row in active if row["source"] != "sample"]
    return real or active


def same_files(papers: Mapping[str, Row]) -> dict[str, str]:
    """Papers whose PDF is byte for byte another's, each with the one that stands for both.

    That is the one of the better source, then the one whose id comes first. `papers` have their
    `source` and `pdf`.
    """
    standing: dict[str, str] = {}
    left_out: dict[str, str] = {}
    for key in sorted(papers, key=lambda key: (-source_rank(papers[key]["source"]), key)):
        first = standing.setdefault(papers[key]["pdf"]["sha256"], key)
        if first != key:
            left_out[key] = first
    return left_out
