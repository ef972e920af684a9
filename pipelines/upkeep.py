"""Upkeep of a data location: going back to an earlier release, and throwing away what is old."""

import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import dagster as dg

from assets.reporting import plain_failures
from assets.retrieval.building import NEWEST_SPARSE, SPARSE_FOLDER, newest_sparse
from assets.retrieval.release import (
    TAG_PREFIX,
    Release,
    all_releases,
    forget,
    load_release,
    point_to,
    previous_release,
    releasing,
    require_current,
    retire,
    retirements,
)
from assets.tables import every_table
from resources.files import Files
from resources.lake import GRACE, Lake, Table

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
    with releasing(files):
        target = (
            load_release(files, release_id)
            if release_id
            else previous_release(files, require_current(files))
        )
        point_to(files, target.release_id)
    return target


@dataclass(frozen=True)
class Pruned:
    """What maintenance took away: releases that can no longer be gone back to, and what had been
    kept for readers that might still hold an earlier one."""

    retired: list[str]
    forgotten: list[str]
    index_folders: list[str]


def prune(lake: Lake, files: Files, keep: int, now: datetime, grace: timedelta = GRACE) -> Pruned:
    """Take away all but the newest `keep` releases and the current one, and what only they used.

    A release is retired first; its pins and its index folder go with the first clean-up after
    `grace`, when no reader can hold it any more. Pins go before old versions are removed: LanceDB
    refuses to remove any while one that is old enough is still tagged.
    """
    with releasing(files):
        current = require_current(files)
        releases = all_releases(files)
        dropped = [one for one in releases[:-keep] if one.release_id != current.release_id]
        for release in dropped:
            retire(files, release, now.isoformat())
        kept = [one for one in releases if one not in dropped]
        forgotten = []
        for release, retired in retirements(files):
            if now - datetime.fromisoformat(retired) < grace:
                kept.append(release)
            else:
                forgotten.append(release)
        tables = _tables_of([*kept, *forgotten])
        _unpin_all_but(lake, tables, {one.tag for one in kept})
        for release in forgotten:
            forget(files, release.release_id)
        folders = _unused_folders(files, kept)
        for folder in folders:
            files.remove(folder)
    lake.compact(tables, grace)
    return Pruned(
        [one.release_id for one in dropped], [one.release_id for one in forgotten], folders
    )


def _tables_of(releases: list[Release]) -> list[Table]:
    """Every table, in each length of vectors that the releases have."""
    by_name = {
        table.name: table
        for dimension in sorted({one.dimension for one in releases})
        for table in every_table(dimension)
    }
    return list(by_name.values())


def _unpin_all_but(lake: Lake, tables: list[Table], tags: set[str]) -> None:
    """Drop the pins of all other releases, also of one that was killed before its manifest."""
    for table in tables:
        for tag in lake.pins(table):
            if tag.startswith(TAG_PREFIX) and tag not in tags:
                lake.unpin(table, tag)


def _unused_folders(files: Files, kept: list[Release]) -> list[str]:
    """Folders of sparse indexes that no release and no next release needs."""
    used = {one.sparse_index for one in kept}
    newest = newest_sparse(files)
    if newest is not None:
        used.add(newest["folder"])
    folders = [f"{SPARSE_FOLDER}/{name}" for name in files.list(SPARSE_FOLDER)]
    return [name for name in folders if name not in used and name != NEWEST_SPARSE]


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
        pruned = prune(lake, files, max(1, config.releases), datetime.now(UTC))
    before = time.time() - timedelta(days=config.run_days).total_seconds()
    old = [
        record.dagster_run.run_id
        for record in context.instance.get_run_records(limit=1000, ascending=True)
        if record.create_timestamp.timestamp() < before and record.dagster_run.is_finished
    ]
    for run_id in old:
        context.instance.delete_run(run_id)
    summary: dict[str, Any] = {
        "releases retired": len(pruned.retired),
        "releases forgotten": len(pruned.forgotten),
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
