"""Dagster's view of the corpus stage: which papers there are, and their PDFs."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

import dagster as dg

from assets.corpus.fetching import fetch_pdfs
from assets.corpus.listing_state import ListingState, read_state, write_state
from assets.corpus.reconcile import Changes, in_release, paper_row, pdf_inputs, reconcile
from assets.data_format import mark_format
from assets.increment import FailureLedger, make_missing
from assets.reporting import (
    FRESH,
    OWNERS,
    RETRY,
    Progress,
    StageConfig,
    now,
    plain_failures,
    preview,
    reporter,
)
from assets.tables import PAPERS, PDFS
from resources.errors import MuonEvidenceError, Permanent
from resources.files import Files
from resources.lake import Lake, Row, col
from resources.profile import Profile
from resources.source import ListedPaper, Listing, PdfMissing, Source


class Sources(Protocol):
    """Opens the sources that are configured."""

    def open(self, name: str = "", folder: str = "", ids: str = "") -> Source:
        """A source by name; empty means the configured one. `folder` matters to `folder` only,
        `ids` (arXiv ids, or a file of them) to `arxiv` only."""

    def of_row(self, row: Row) -> Source:
        """The source that fetches a known paper's PDF."""

    def query(self, source: Source) -> str:
        """Fingerprint of what a source is asked for: a changed question is listed in full."""

    def covers(self, source: Source, row: Row, query_changed: bool) -> bool:
        """Whether a complete listing would name a known paper if it still belonged there."""


class PapersConfig(dg.Config):
    """Where to look for papers; empty values mean the settings'. `full` lists everything instead
    of what changed; `accept_shrunk` believes a listing that lost most of its papers."""

    source: str = ""
    folder: str = ""
    ids: str = ""
    full: bool = False
    accept_shrunk: bool = False


@dg.asset(
    group_name="corpus",
    kinds={"arxiv", "lancedb"},
    owners=OWNERS,
    code_version="1",
    deps=["arxiv"],
    freshness_policy=FRESH,
    retry_policy=RETRY,
    description=(
        "The papers there are, merged by id from the chosen source (the embedded samples, a "
        "folder of PDFs, or arXiv). A paper that a listing lacks is kept: only its source's own "
        "word withdraws it. A listing that is incomplete, or that lost more than half of what it "
        "should hold, stops the run."
    ),
)
def papers(
    config: PapersConfig,
    lake: dg.ResourceParam[Lake],
    files: dg.ResourceParam[Files],
    sources: dg.ResourceParam[Sources],
    profile: dg.ResourceParam[Profile],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[None]:
    """Bring the table of papers up to date with a source."""
    with plain_failures():
        mark_format(files)
        source = sources.open(config.source, config.folder, config.ids)
        progress.report("papers", 0, 0)
        known = {row["paper_id"]: row for row in lake.rows(PAPERS)}
        state = read_state(files, source.name)
        query = sources.query(source)
        full = config.full or query != state.query
        listing = source.list_papers(
            None if full else state.watermark or None,
            known=lambda paper: _is_known(paper, known, profile),
        )
        whole = listing.full and listing.complete
        changes = reconcile(
            listing.papers,
            known,
            tier_of=lambda paper: profile.tier(paper).name,
            covers=lambda row: whole and sources.covers(source, row, query != state.query),
        )
        _refuse_shrunk(changes, source.name, config.accept_shrunk)
        if changes.rows:
            lake.merge(PAPERS, changes.rows)
        _record_problems(lake, listing)
        _refuse_incomplete(listing, source.name)
        if not config.ids:
            newest = max((paper.updated for paper in listing.papers), default="")
            watermark = max(newest, state.watermark if query == state.query else "")
            write_state(files, source.name, ListingState(watermark, query))
        rows = lake.rows(PAPERS)
        return dg.MaterializeResult(metadata=_papers_metadata(source.name, listing, changes, rows))


@dg.asset(
    group_name="corpus",
    kinds={"pdf", "lancedb"},
    owners=OWNERS,
    code_version="1",
    deps=[papers],
    retry_policy=RETRY,
    description=(
        "Each active paper's PDF, checked, hashed and stored. A file is fetched once per version; "
        "one that cannot be had is set aside with its reason and never stops the others."
    ),
)
def pdfs(
    config: StageConfig,
    lake: dg.ResourceParam[Lake],
    files: dg.ResourceParam[Files],
    sources: dg.ResourceParam[Sources],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[None]:
    """Fetch the PDFs that are missing or whose paper has a new version."""
    with plain_failures():
        rows = {row["paper_id"]: row for row in in_release(lake.rows(PAPERS))}
        missing: list[str] = []

        def batches(keys: list[str]) -> Iterator[Mapping[str, Any]]:
            for batch in fetch_pdfs(rows, keys, sources.of_row, files):
                missing.extend(k for k, value in batch.items() if isinstance(value, PdfMissing))
                yield batch

        outcome = make_missing(
            wanted={key: pdf_inputs(row) for key, row in rows.items()},
            have=lake.column_map(PDFS, "paper_id", "fingerprint"),
            ledger=FailureLedger(lake, "pdfs", now(), config.retry_failed),
            batches=batches,
            commit=lambda made: lake.merge(PDFS, list(made.values())),
            report=reporter(progress, "pdfs"),
        )
        if missing:
            # The source itself says there is no PDF any more: the old one answers nothing.
            outcome.removed = lake.delete(PDFS, col("paper_id").isin(missing))
        stored = lake.read(PDFS, ["bytes", "pages"])
        return dg.MaterializeResult(
            metadata={
                **outcome.metadata(),
                "megabytes_stored": round(sum(stored["bytes"].to_pylist()) / 1e6, 1),
                "pages": sum(stored["pages"].to_pylist()),
            }
        )


def _is_known(paper: ListedPaper, known: Mapping[str, Row], profile: Profile) -> bool:
    before = known.get(paper.paper_id)
    row = paper_row(paper, profile.tier(paper).name)
    return before is not None and before["fingerprint"] == row["fingerprint"]


def _record_problems(lake: Lake, listing: Listing) -> None:
    """Keep what a listing could not read as standing failures, and forget those of the last one."""
    ledger = FailureLedger(lake, "papers", now())
    problems = {text[:200]: text for text in listing.problems}
    ledger.clear_all_but(problems)
    ledger.record(
        {key: Permanent(text) for key, text in problems.items()}, dict.fromkeys(problems, "listing")
    )


def _refuse_shrunk(changes: Changes, source: str, accepted: bool) -> None:
    if changes.shrank and not accepted:
        raise MuonEvidenceError(
            f"The {source} listing lacks {changes.lost} of {changes.lost_of} papers that it held "
            "before; nothing was changed. If that is right, run again with accept_shrunk."
        )


def _refuse_incomplete(listing: Listing, source: str) -> None:
    if not listing.complete:
        what = listing.problems[-1] if listing.problems else "it promised more than it gave."
        raise MuonEvidenceError(
            f"The {source} listing was incomplete and the run stops here: {what} What was listed "
            "is kept, nothing was removed; run again."
        )


def _papers_metadata(
    source: str, listing: Listing, changes: Changes, rows: list[Row]
) -> dict[str, Any]:
    metadata: dict[str, Any] = {
        "source": source,
        "listed": len(listing.papers),
        "new": changes.new,
        "new_version": changes.new_version,
        "metadata_only": changes.metadata_only,
        "withdrawn": changes.withdrawn,
        "unlisted": changes.unlisted,
        "unchanged": changes.unchanged,
        "dagster/row_count": len(rows),
        "by_status": dict(Counter(row["status"] for row in rows)),
        "by_tier": dict(Counter(row["tier"] for row in rows)),
        "preview": preview(rows, ["paper_id", "version", "title", "source", "tier", "status"]),
    }
    if listing.problems:
        metadata["problems"] = "\n".join(f"- {text}" for text in listing.problems[:20])
    return metadata
