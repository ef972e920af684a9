"""The standing inventory: how many papers there are, how fresh, what is out of the release and
what is set aside, each with its reason."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assets.corpus.listing_state import listed_sources, read_state
from assets.corpus.reconcile import ACTIVE, NO_PDF, UNLISTED, WITHDRAWN
from assets.corpus.selection import same_files
from assets.increment import KIND_MISSING
from assets.tables import FAILURES, PAPERS, PDFS
from resources.files import Files
from resources.lake import Lake, Row


@dataclass(frozen=True)
class Standing:
    """Counts of papers; `newest_update` and the times in `listed` (the last complete listing of
    each source) are ISO 8601 in UTC, or empty; `out` holds why a paper is not in the release,
    `same_file` which papers are the same file as another, `set_aside` what failed (rows of
    `failures`)."""

    papers: int
    by_status: Mapping[str, int]
    by_source: Mapping[str, int]
    by_tier: Mapping[str, int]
    newest_update: str
    listed: Mapping[str, str]
    out: Mapping[str, str]
    same_file: Mapping[str, str]
    set_aside: list[Row]


def standing(lake: Lake, files: Files) -> Standing:
    """The inventory of a lake."""
    table = lake.read(PAPERS, ["paper_id", "status", "source", "tier", "updated", "comment"])
    pdfs = lake.column_map(PDFS, "paper_id", "sha256")
    failures = sorted(lake.rows(FAILURES), key=lambda row: (row["stage"], row["key"]))
    missing = {row["key"]: row["message"] for row in failures if row["kind"] == KIND_MISSING}
    out: dict[str, str] = {}
    with_files: dict[str, Row] = {}
    for batch in table.to_batches(max_chunksize=1_000):
        for row in batch.to_pylist():
            key = row["paper_id"]
            if row["status"] != ACTIVE:
                out[key] = _why_out(row, missing)
            elif key in pdfs:
                with_files[key] = {"source": row["source"], "pdf": {"sha256": pdfs[key]}}
    return Standing(
        papers=table.num_rows,
        by_status=_counted(table, "status"),
        by_source=_counted(table, "source"),
        by_tier=_counted(table, "tier"),
        newest_update=max(table["updated"].to_pylist(), default=""),
        listed={name: read_state(files, name).completed for name in listed_sources(files)},
        out=out,
        same_file=same_files(with_files),
        set_aside=[row for row in failures if row["kind"] != KIND_MISSING],
    )


def _why_out(paper: Row, missing: Mapping[str, str]) -> str:
    source = paper["source"]
    said = f" ({paper['comment']})" if paper["comment"] else ""
    reasons = {
        WITHDRAWN: f"{source} says that it is withdrawn{said}.",
        NO_PDF: missing.get(paper["paper_id"], f"{source} has no PDF of it."),
        UNLISTED: "The profile no longer asks for it."
        if source == "arxiv"
        else "Its folder no longer holds it.",
    }
    return reasons[paper["status"]]


def _counted(table: Any, column: str) -> dict[str, int]:
    return dict(Counter(table[column].to_pylist()))
