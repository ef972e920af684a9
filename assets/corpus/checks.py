"""Dagster's checks of the corpus stage."""

from collections import Counter
from collections.abc import Mapping

import dagster as dg

from assets.corpus.assets import papers, pdfs
from assets.corpus.selection import in_release
from assets.corpus.standing import standing
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


@dg.asset_check(asset=papers)
def standing_inventory(
    lake: dg.ResourceParam[Lake], files: dg.ResourceParam[Files]
) -> dg.AssetCheckResult:
    """How many papers there are, how fresh they are, and what is set aside and why."""
    found = standing(lake, files)
    return dg.AssetCheckResult(
        passed=not found.set_aside,
        severity=dg.AssetCheckSeverity.WARN,
        description=(
            f"{len(found.set_aside)} set aside; each with its reason below."
            if found.set_aside
            else "Nothing is set aside."
        ),
        metadata={
            "papers": found.papers,
            "by_status": dict(found.by_status),
            "by_source": dict(found.by_source),
            "by_tier": dict(found.by_tier),
            "newest_update": found.newest_update or "none",
            "last_complete_listing": dict(found.listed),
            "out_of_the_release": _lines(found.out),
            "same_file_as_another": _lines(found.same_file),
            "set_aside": _lines({row["key"]: row["message"] for row in found.set_aside}),
        },
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
    return dg.AssetCheckResult(
        passed=not without,
        severity=dg.AssetCheckSeverity.WARN,
        metadata={
            "papers": len(wanted),
            "without_pdf": len(without),
            "which": _lines({key: reasons.get(key, "not fetched yet") for key in without}),
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


def _lines(items: Mapping[str, str], most: int = 50) -> dg.MetadataValue:
    shown = [f"- {key}: {text}" for key, text in list(items.items())[:most]]
    more = [f"- and {len(items) - most:,} more"] if len(items) > most else []
    return dg.MetadataValue.md("\n".join([*shown, *more]) or "none")
