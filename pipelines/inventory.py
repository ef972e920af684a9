"""What a data location holds, how fresh it is, and what is wrong: the `status` command."""

from collections import Counter
from typing import Any

from assets.data_format import check_format
from assets.retrieval.release import current_release, load_release, release_ids
from assets.tables import (
    ANSWERS,
    CHUNKS,
    CLAIMS,
    DOCUMENTS,
    FACTUAL_DENSITY,
    FAILURES,
    PAPERS,
    PDFS,
    dense_index,
    vectors,
)
from pipelines.parts import Parts

TABLES = [
    PAPERS,
    PDFS,
    DOCUMENTS,
    CHUNKS,
    CLAIMS,
    FACTUAL_DENSITY,
    vectors(),
    dense_index(),
    FAILURES,
    ANSWERS,
]


def inventory(parts: Parts) -> dict[str, Any]:
    """Counts a table, backlog, failures, the current release, and what is configured."""
    check_format(parts.files)
    lake = parts.lake
    counts = {table.name: lake.count(table) for table in TABLES}
    papers = lake.rows(PAPERS, ["paper_id", "status", "source", "updated"])
    failures = lake.rows(FAILURES)
    release = current_release(parts.files)
    return {
        "data": parts.settings.location,
        "tables": counts,
        "papers": {
            "by_status": dict(Counter(row["status"] for row in papers)),
            "by_source": dict(Counter(row["source"] for row in papers)),
            "newest_update": max((row["updated"] for row in papers), default="") or None,
        },
        "backlog": {
            "pdfs": _missing(parts, PAPERS, PDFS),
            "documents": _missing(parts, PDFS, DOCUMENTS),
            "chunks": _missing(parts, DOCUMENTS, CHUNKS),
        },
        "failures": {
            "count": len(failures),
            "by_stage": dict(Counter(row["stage"] for row in failures)),
            "items": [
                {name: row[name] for name in ("stage", "key", "kind", "message", "attempts")}
                for row in sorted(failures, key=lambda row: (row["stage"], row["key"]))
            ],
        },
        "release": None
        if release is None
        else {
            "release_id": release.release_id,
            "created": release.created,
            "counts": dict(release.counts),
            "encoder": release.encoder,
            "density": release.density_variant,
            "kept": len(release_ids(parts.files)),
        },
        "parts": configured(parts),
    }


def releases(parts: Parts) -> list[dict[str, Any]]:
    """The releases that are kept, oldest first."""
    current = current_release(parts.files)
    kept = [load_release(parts.files, name) for name in release_ids(parts.files)]
    return [
        {
            "release_id": one.release_id,
            "created": one.created,
            "papers": one.counts["papers"],
            "chunks": one.counts["chunks"],
            "current": current is not None and one.release_id == current.release_id,
        }
        for one in sorted(kept, key=lambda one: one.created)
    ]


def configured(parts: Parts) -> dict[str, str]:
    """Each exchangeable part: the service that is configured, or the embedded one."""
    settings = parts.settings
    return {
        "source": settings.source,
        "parser": f"GROBID at {settings.grobid_url}" if settings.grobid_url else "embedded layout",
        "claims": settings.model or "embedded rules",
        "planner and writer": settings.model or "embedded, extractive",
        "encoder": settings.encoder or "all-MiniLM-L6-v2 (packaged)",
        "reranker": settings.reranker or "none",
        "profile": parts.profile.name,
    }


def _missing(parts: Parts, before: Any, after: Any) -> int:
    have = set(parts.lake.read(after, ["paper_id"])["paper_id"].to_pylist())
    wanted = set(parts.lake.read(before, ["paper_id"])["paper_id"].to_pylist())
    return len(wanted - have)
