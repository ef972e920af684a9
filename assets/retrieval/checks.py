"""Dagster's checks of the retrieval stage."""

import dagster as dg

from assets.parsing.selection import live_chunks
from assets.retrieval.assets import dense_index_asset, release, sparse_index
from assets.retrieval.building import newest_sparse, sparse_chunk_ids
from assets.retrieval.release import require_current
from assets.tables import dense_index
from resources.encoder import Encoder
from resources.files import Files
from resources.lake import Lake


@dg.asset_check(asset=dense_index_asset, blocking=True)
def dense_index_agrees_with_chunks(
    lake: dg.ResourceParam[Lake], encoder: dg.ResourceParam[Encoder]
) -> dg.AssetCheckResult:
    """The dense index holds exactly the chunks of the next release, each by this encoder."""
    rows = lake.read(dense_index(encoder.dimension), ["chunk_id", "encoder"])
    others = sum(name != encoder.id for name in rows["encoder"].to_pylist())
    return _agreement(lake, rows["chunk_id"].to_pylist(), {"of_another_encoder": others})


@dg.asset_check(asset=sparse_index, blocking=True)
def sparse_index_agrees_with_chunks(
    lake: dg.ResourceParam[Lake], files: dg.ResourceParam[Files]
) -> dg.AssetCheckResult:
    """The sparse index holds exactly the chunks of the next release."""
    newest = newest_sparse(files)
    indexed: list[str] = []
    if newest is not None:
        indexed = sparse_chunk_ids(files, newest["folder"])
    return _agreement(lake, indexed, {})


@dg.asset_check(asset=release)
def release_is_readable(
    lake: dg.ResourceParam[Lake], files: dg.ResourceParam[Files]
) -> dg.AssetCheckResult:
    """Every table version and folder that the current release names is there."""
    current = require_current(files)
    table = dense_index(current.dimension)
    rows = lake.read(table, ["chunk_id"], version=current.versions[table.name]).num_rows
    return dg.AssetCheckResult(
        passed=rows == current.counts["chunks"] and files.exists(current.sparse_index),
        metadata={"release": current.release_id, "chunks": rows},
    )


def _agreement(lake: Lake, indexed: list[str], wrong: dict[str, int]) -> dg.AssetCheckResult:
    wanted = {row["chunk_id"] for row in live_chunks(lake, ["chunk_id"])}
    have = set(indexed)
    counts = {
        "missing": len(wanted - have),
        "left_over": len(have - wanted),
        "doubled": len(indexed) - len(have),
        **wrong,
    }
    return dg.AssetCheckResult(passed=not any(counts.values()), metadata=counts)
