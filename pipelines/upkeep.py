"""Upkeep of a data location: going back to an earlier release, and throwing away what is old."""

import time
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import dagster as dg

from assets.reporting import plain_failures
from assets.retrieval.building import NEWEST_SPARSE, SPARSE_FOLDER, newest_sparse
from assets.retrieval.release import (
    FOLDER,
    Release,
    load_release,
    point_to,
    previous_release,
    release_ids,
    require_current,
)
from assets.tables import every_table
from resources.files import Files
from resources.lake import Lake

#: Releases that stay ready to go back to, the current one included.
KEPT_RELEASES = 5

#: Days that Dagster keeps the record of a run.
KEPT_RUN_DAYS = 90


class RollbackConfig(dg.Config):
    """The release to go back to; empty means the one before the current."""

    release: str = ""


class MaintenanceConfig(dg.Config):
    """How many releases stay, and for how many days the records of runs."""

    releases: int = KEPT_RELEASES
    run_days: int = KEPT_RUN_DAYS


def roll_back(files: Files, release_id: str = "") -> Release:
    """Make an earlier release the current one; nothing is deleted, so it can be undone."""
    target = (
        load_release(files, release_id)
        if release_id
        else previous_release(files, require_current(files))
    )
    point_to(files, target.release_id)
    return target


@dataclass(frozen=True)
class Pruned:
    """What maintenance threw away."""

    releases: list[str]
    index_folders: list[str]


def prune(lake: Lake, files: Files, keep: int) -> Pruned:
    """Drop all but the newest `keep` releases and the current one, and what only they used.

    The pins of a dropped release go first: LanceDB refuses to clean up old versions that are
    still tagged.
    """
    current = require_current(files)
    releases = sorted((load_release(files, name) for name in release_ids(files)), key=_created)
    dropped = [one for one in releases[:-keep] if one.release_id != current.release_id]
    kept = [one for one in releases if one not in dropped]
    for release in dropped:
        for table in every_table(release.dimension):
            lake.unpin(table, release.tag)
        files.remove(f"{FOLDER}/{release.release_id}.json")
    used = {one.sparse_index for one in kept}
    newest = newest_sparse(files)
    if newest is not None:
        used.add(newest["folder"])
    folders = [f"{SPARSE_FOLDER}/{name}" for name in files.list(SPARSE_FOLDER)]
    unused = [name for name in folders if name not in used and name != NEWEST_SPARSE]
    for folder in unused:
        files.remove(folder)
    for dimension in {one.dimension for one in kept}:
        lake.compact(every_table(dimension))
    return Pruned([one.release_id for one in dropped], unused)


@dg.op(description="Move the pointer to an earlier release; readers follow with their next look.")
def move_pointer(config: RollbackConfig, files: dg.ResourceParam[Files]) -> None:
    """Go back to a release."""
    with plain_failures():
        roll_back(files, config.release)


@dg.op(description="Drop old releases, compact the tables, and forget the records of old runs.")
def throw_away(
    context: dg.OpExecutionContext,
    config: MaintenanceConfig,
    lake: dg.ResourceParam[Lake],
    files: dg.ResourceParam[Files],
) -> None:
    """Keep the data location small."""
    with plain_failures():
        pruned = prune(lake, files, max(1, config.releases))
    before = time.time() - timedelta(days=config.run_days).total_seconds()
    old = [
        record.dagster_run.run_id
        for record in context.instance.get_run_records(limit=1000, ascending=True)
        if record.create_timestamp.timestamp() < before and record.dagster_run.is_finished
    ]
    for run_id in old:
        context.instance.delete_run(run_id)
    summary: dict[str, Any] = {
        "releases dropped": len(pruned.releases),
        "index folders dropped": len(pruned.index_folders),
        "runs forgotten": len(old),
    }
    context.add_output_metadata(summary)


@dg.job(
    description="Go back to the release before the current one, or to one that is named.",
    executor_def=dg.in_process_executor,
)
def rollback() -> None:
    """Move the pointer."""
    move_pointer()


@dg.job(
    description="Weekly: old releases, small files and old runs are cleared away.",
    executor_def=dg.in_process_executor,
)
def maintenance() -> None:
    """Throw away what is old."""
    throw_away()


def _created(release: Release) -> str:
    return release.created
