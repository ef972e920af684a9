"""Dagster's checks of the corpus stage."""

from collections import Counter

import dagster as dg

from assets.corpus.assets import papers, pdfs
from assets.corpus.reconcile import in_release
from assets.tables import FAILURES, PAPERS, PDFS
from resources.files import Files
from resources.lake import Lake, col


@dg.asset_check(asset=papers, blocking=True)
def paper_ids_unique(lake: dg.ResourceParam[Lake]) -> dg.AssetCheckResult:
    """Every paper stands in the table once."""
    counts = Counter(lake.read(PAPERS, ["paper_id"])["paper_id"].to_pylist())
    doubled = [key for key, count in counts.items() if count > 1]
    return dg.AssetCheckResult(
        passed=not doubled, metadata={"papers": len(counts), "doubled": doubled[:20]}
    )


@dg.asset_check(asset=pdfs)
def every_paper_has_its_pdf(lake: dg.ResourceParam[Lake]) -> dg.AssetCheckResult:
    """Papers of the next release without a PDF, each with its reason."""
    have = set(lake.read(PDFS, ["paper_id"])["paper_id"].to_pylist())
    wanted = [row["paper_id"] for row in in_release(lake.rows(PAPERS))]
    without = [key for key in wanted if key not in have]
    reasons = {
        row["key"]: row["message"] for row in lake.rows(FAILURES, where=col("stage") == "pdfs")
    }
    lines = [f"- {key}: {reasons.get(key, 'not fetched yet')}" for key in without[:50]]
    return dg.AssetCheckResult(
        passed=not without,
        severity=dg.AssetCheckSeverity.WARN,
        metadata={
            "papers": len(wanted),
            "without_pdf": len(without),
            "which": dg.MetadataValue.md("\n".join(lines) or "none"),
        },
    )


@dg.asset_check(asset=pdfs, blocking=True)
def stored_pdfs_are_there(
    lake: dg.ResourceParam[Lake], files: dg.ResourceParam[Files]
) -> dg.AssetCheckResult:
    """Every PDF that the table names is in the store."""
    paths = lake.read(PDFS, ["path"])["path"].to_pylist()
    lost = [path for path in paths if not files.exists(path)]
    return dg.AssetCheckResult(passed=not lost, metadata={"pdfs": len(paths), "lost": lost[:20]})
