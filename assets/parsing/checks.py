"""Dagster's checks of the parsing stage."""

from collections import Counter

import dagster as dg

from assets.corpus.selection import live_papers
from assets.parsing.assets import chunks, documents
from assets.tables import CHUNKS, DOCUMENTS, FAILURES
from resources.encoder import WordpieceCounter
from resources.lake import Lake, col


@dg.asset_check(asset=documents, blocking=True)
def every_page_accounted_for(lake: dg.ResourceParam[Lake]) -> dg.AssetCheckResult:
    """Each document's ledger has one line for every page of its PDF, in order."""
    papers = live_papers(lake)
    wrong = []
    silent = 0
    for row in lake.rows(DOCUMENTS, ["paper_id", "pdf_sha256", "pages"]):
        paper = papers.get(row["paper_id"])
        if paper is None or paper["pdf"]["sha256"] != row["pdf_sha256"]:
            continue
        numbers = [page["page"] for page in row["pages"]]
        if numbers != list(range(1, paper["pdf"]["pages"] + 1)):
            wrong.append(row["paper_id"])
        silent += sum(not page["characters"] and not page["note"] for page in row["pages"])
    return dg.AssetCheckResult(
        passed=not wrong and not silent,
        metadata={"documents_with_other_pages": wrong[:20], "pages_empty_without_reason": silent},
    )


@dg.asset_check(asset=documents)
def nothing_quarantined(lake: dg.ResourceParam[Lake]) -> dg.AssetCheckResult:
    """PDFs that gave no document, each with its reason."""
    rows = lake.rows(FAILURES, where=col("stage") == "documents")
    lines = [f"- {row['message']}" for row in rows[:50]]
    return dg.AssetCheckResult(
        passed=not rows,
        severity=dg.AssetCheckSeverity.WARN,
        metadata={
            "quarantined": len(rows),
            "which": dg.MetadataValue.md("\n".join(lines) or "none"),
        },
    )


@dg.asset_check(asset=chunks, blocking=True)
def chunk_ids_unique(lake: dg.ResourceParam[Lake]) -> dg.AssetCheckResult:
    """Every chunk stands in the table once."""
    counts = Counter(lake.read(CHUNKS, ["chunk_id"])["chunk_id"].to_pylist())
    doubled = [key for key, count in counts.items() if count > 1]
    return dg.AssetCheckResult(
        passed=not doubled, metadata={"chunks": len(counts), "doubled": doubled[:20]}
    )


@dg.asset_check(asset=chunks, blocking=True)
def chunks_fit_the_window(
    lake: dg.ResourceParam[Lake], counter: dg.ResourceParam[WordpieceCounter]
) -> dg.AssetCheckResult:
    """No passage is longer than the encoder reads, so that no word goes unembedded."""
    lengths = lake.read(CHUNKS, ["tokens"])["tokens"].to_pylist()
    over = sum(length > counter.window for length in lengths)
    return dg.AssetCheckResult(
        passed=not over,
        metadata={"window": counter.window, "longest": max(lengths, default=0), "over": over},
    )


@dg.asset_check(asset=chunks, blocking=True)
def no_document_lost(lake: dg.ResourceParam[Lake]) -> dg.AssetCheckResult:
    """Each current document has chunks, or a recorded reason why it has none."""
    papers = live_papers(lake)
    chunked = set(lake.read(CHUNKS, ["paper_id"])["paper_id"].to_pylist())
    excused = {row["key"] for row in lake.rows(FAILURES, where=col("stage") == "chunks")}
    lost = [
        row["paper_id"]
        for row in lake.rows(DOCUMENTS, ["paper_id", "pdf_sha256"])
        if row["paper_id"] in papers
        and papers[row["paper_id"]]["pdf"]["sha256"] == row["pdf_sha256"]
        and row["paper_id"] not in chunked | excused
    ]
    return dg.AssetCheckResult(
        passed=not lost, metadata={"papers_with_chunks": len(chunked), "lost": lost[:20]}
    )
