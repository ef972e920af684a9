"""What a data location holds, how fresh it is, and what is wrong: the `status` command."""

from collections import Counter
from typing import Any

from assets.corpus.selection import in_release, live_papers
from assets.corpus.standing import standing
from assets.data_format import check_format
from assets.evaluation.release_scores import score_differences
from assets.factuality.backlog import unread_texts
from assets.increment import KIND_TRANSIENT, MOST_ATTEMPTS
from assets.retrieval.comparison import compare
from assets.retrieval.release import all_releases, current_release, load_release, release_ids
from assets.tables import CHUNKS, DOCUMENTS, FAILURES, PAPERS, PDFS, every_table
from pipelines.parts import Parts
from resources.lake import Lake, Row, Table


def inventory(parts: Parts) -> dict[str, Any]:
    """Counts a table, the standing of papers, backlog, failures, the current release, and what is
    configured."""
    check_format(parts.files)
    lake = parts.lake
    found = standing(lake, parts.files)
    failures = sorted(lake.rows(FAILURES), key=lambda row: (row["stage"], row["key"]))
    release = current_release(parts.files)
    return {
        "data": parts.settings.location,
        "tables": {table.name: lake.count(table) for table in every_table()},
        "papers": {
            "by_status": dict(found.by_status),
            "by_source": dict(found.by_source),
            "by_tier": dict(found.by_tier),
            "newest_update": found.newest_update or None,
            "last_complete_listing": dict(found.listed),
            "out_of_release": dict(found.out),
            "same_file_as_another": dict(found.same_file),
        },
        "backlog": _backlog(lake, parts.extractor_name),
        "failures": {
            "count": len(failures),
            "by_stage": dict(Counter(row["stage"] for row in failures)),
            "items": [
                {
                    **{name: row[name] for name in ("stage", "key", "kind", "message", "attempts")},
                    "again": _again(row),
                }
                for row in failures
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
    check_format(parts.files)
    current = current_release(parts.files)
    return [
        {
            "release_id": one.release_id,
            "created": one.created,
            "papers": one.counts["papers"],
            "chunks": one.counts["chunks"],
            "current": current is not None and one.release_id == current.release_id,
        }
        for one in all_releases(parts.files)
    ]


def compared(parts: Parts, before: str, after: str) -> dict[str, Any]:
    """What changed from one release to another, and the scores of both where both have some."""
    check_format(parts.files)
    old, new = load_release(parts.files, before), load_release(parts.files, after)
    found = compare(parts.lake, old, new)
    return {
        "before": old.release_id,
        "after": new.release_id,
        "papers": {
            "added": found.papers_added,
            "removed": found.papers_removed,
            "changed": found.papers_changed,
        },
        "chunks": {
            "added": found.chunks_added,
            "removed": found.chunks_removed,
            "changed": found.chunks_changed,
            "kept": found.chunks_kept,
        },
        "settings": {name: list(values) for name, values in found.settings.items()},
        "scores": score_differences(parts.files, old.release_id, new.release_id),
    }


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
        "entailment": settings.nli or "none",
        "judge of answers": settings.judge or "none",
        "profile": parts.profile.name,
    }


def _backlog(lake: Lake, extractor: str) -> dict[str, int]:
    """How many papers of the next release still wait for each stage, and how many of its texts
    for their claims."""
    live = live_papers(lake).keys()
    documents = _papers_of(lake, DOCUMENTS) & live
    wanted = {row["paper_id"] for row in in_release(lake.rows(PAPERS))}
    return {
        "pdfs": len(wanted - _papers_of(lake, PDFS)),
        "documents": len(live - documents),
        "chunks": len(documents - _papers_of(lake, CHUNKS)),
        "claims": len(unread_texts(lake, extractor)),
    }


def _again(failure: Row) -> str:
    """When what failed is tried again."""
    if failure["stage"] == PAPERS.name:
        return "with the next listing"
    if failure["kind"] == KIND_TRANSIENT and failure["attempts"] < MOST_ATTEMPTS:
        return "by the next refresh"
    return "when it changes, or with --retry-failed"


def _papers_of(lake: Lake, table: Table) -> set[str]:
    return set(lake.read(table, ["paper_id"])["paper_id"].to_pylist())
