"""Dagster's view of the corpus stage: which papers there are, and their PDFs."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any, Protocol

import dagster as dg
import pyarrow as pa

from assets.corpus.fetching import fetch_pdfs, pdf_candidates, settle
from assets.corpus.intake import (
    Intake,
    believable_total,
    known_papers,
    refuse_incomplete,
    refuse_lost,
    refuse_nothing_named,
    refuse_shrunk,
    take_in,
    what_is_lost,
)
from assets.corpus.listing_state import read_state, write_state
from assets.corpus.reconcile import paper_row, pdf_inputs
from assets.data_format import check_format, mark_format
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
from assets.tables import FAILURES, PAPERS, PDFS
from resources.errors import Permanent
from resources.files import Files
from resources.lake import Lake, Row, col
from resources.profile import Profile
from resources.source import ListedPaper, Listing, Source, nothing_known

#: What the metadata of `papers` counts.
_COUNTED = ["status", "source", "tier"]


class Sources(Protocol):
    """Opens the sources that are configured."""

    def open(self, name: str = "", folder: str = "", ids: str = "") -> Source:
        """A source by name; empty means `folder` where one is named, else the configured one.
        `ids` (arXiv ids, or a file of them) go with `arxiv` only."""

    def with_named(self, source: Source, ids: Sequence[str]) -> Source:
        """A source that also lists some papers which were named before."""

    def of_row(self, row: Row) -> Source:
        """The source that fetches a known paper's PDF."""

    def query(self, source: Source) -> str:
        """Fingerprint of what a source is asked for: a changed question is listed in full. Empty
        for one that is asked nothing and always listed whole."""

    def covers(self, source: Source, row: Row, query_changed: bool) -> bool:
        """Whether a complete listing would name a known paper if it still belonged there."""


class PapersConfig(dg.Config):
    """Where to look for papers; empty values mean the settings'. `full` lists everything instead
    of what changed; `accept_shrunk` goes on with a listing that shrank or was incomplete."""

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
        "word withdraws it. A listing that is incomplete, or that shrank, stops the run."
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
        check_format(files)
        source = sources.open(config.source, config.folder, config.ids)
        state = read_state(files, source.name)
        query = sources.query(source)
        asked_before = query == state.query
        known = known_papers(lake)
        progress.report("papers", 0, 0)

        def tier_of(paper: ListedPaper) -> str:
            return profile.tier(paper).name

        def is_known(paper: ListedPaper) -> bool:
            before = known.get(paper.paper_id)
            return bool(
                before and before["fingerprint"] == paper_row(paper, tier_of(paper))["fingerprint"]
            )

        listing = sources.with_named(source, state.named).list_papers(
            state.watermark if asked_before and not config.full else None,
            is_known if state.settled else nothing_known,
        )
        lost = what_is_lost(
            listing, known, source.name, lambda row: sources.covers(source, row, not asked_before)
        )
        if not config.accept_shrunk:
            refuse_lost(lost, source.name)
            comparable = bool(query) and asked_before and not config.ids
            refuse_shrunk(listing, source.name, before=state.total if comparable else 0)
        mark_format(files)
        state = replace(state, settled=False)
        write_state(files, source.name, state)
        intake = take_in(lake, listing, known, tier_of, lost)
        _record_problems(lake, source.name, listing)
        if not config.accept_shrunk:
            refuse_incomplete(listing, source.name)
        if config.ids:
            refuse_nothing_named(listing)
            state = state.naming(paper.paper_id for paper in listing.papers)
        else:
            total = believable_total(listing, before=state.total)
            state = state.after(intake.newest, query, total, now())
        write_state(files, source.name, state)
        return dg.MaterializeResult(
            metadata=_papers_metadata(source.name, listing, intake, lake.read(PAPERS, _COUNTED))
        )


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
        rows = pdf_candidates(lake)
        outcome = make_missing(
            wanted={key: pdf_inputs(row) for key, row in rows.items()},
            have=lake.column_map(PDFS, "paper_id", "fingerprint"),
            ledger=FailureLedger(lake, "pdfs", now(), config.retry_failed),
            batches=lambda keys: fetch_pdfs(rows, keys, sources.of_row, files),
            commit=lambda made: lake.merge(PDFS, list(made.values())),
            report=reporter(progress, "pdfs"),
        )
        outcome.removed = settle(lake)
        stored = lake.read(PDFS, ["bytes", "pages"])
        return dg.MaterializeResult(
            metadata={
                **outcome.metadata(),
                "dagster/row_count": stored.num_rows,
                "megabytes_stored": round(sum(stored["bytes"].to_pylist()) / 1e6, 1),
                "pages": sum(stored["pages"].to_pylist()),
            }
        )


def _record_problems(lake: Lake, source: str, listing: Listing) -> None:
    """Keep what a listing could not read as standing failures, and forget those of the source's
    last one."""
    standing = (col("stage") == "papers") & (col("fingerprint") == source)
    problems = {text[:200]: text for text in listing.problems}
    ledger = FailureLedger(lake, "papers", now())
    ledger.clear(
        [row["key"] for row in lake.rows(FAILURES, where=standing) if row["key"] not in problems]
    )
    ledger.record(
        {key: Permanent(text) for key, text in problems.items()}, dict.fromkeys(problems, source)
    )


def _papers_metadata(
    source: str, listing: Listing, intake: Intake, table: pa.Table
) -> dict[str, Any]:
    metadata: dict[str, Any] = {
        "source": source,
        "listed": len(listing.papers),
        "reported": listing.total_reported,
        **asdict(intake.changes),
        "unlisted": len(intake.lost.unlisted),
        "absent": intake.lost.absent,
        "dagster/row_count": table.num_rows,
        **{f"by_{name}": dict(Counter(table[name].to_pylist())) for name in _COUNTED},
        "written": preview(
            intake.written, ["paper_id", "version", "title", "source", "tier", "status"]
        ),
    }
    if listing.problems:
        metadata["problems"] = "\n".join(f"- {text}" for text in listing.problems[:20])
    return metadata
