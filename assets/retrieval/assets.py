"""Dagster's view of the retrieval stage: the two indexes, and the release that readers see."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

import dagster as dg
import pyarrow as pa
import pyarrow.compute as pc

from assets.corpus.selection import live_papers
from assets.factuality.assets import factual_density
from assets.increment import FailureLedger, fingerprint, make_missing
from assets.parsing.assets import chunks
from assets.parsing.selection import live_chunks
from assets.reporting import FRESH, OWNERS, Progress, StageConfig, now, plain_failures, reporter
from assets.retrieval.building import (
    CHUNK_COLUMNS,
    Bm25,
    build_sparse,
    embed_rows,
    index_row,
    newest_sparse,
    sparse_chunk_ids,
    sparse_inputs,
)
from assets.retrieval.nearest import approximate, measured
from assets.retrieval.release import Release, current_release, publish, release_name
from assets.retrieval.tokenizer import FieldTokenizer
from assets.tables import CHUNKS, FACTUAL_DENSITY, PAPERS, dense_index
from resources.encoder import Encoder
from resources.errors import MuonEvidenceError
from resources.files import Files
from resources.lake import Lake, Table, col
from resources.profile import Profile


class SparseConfig(dg.Config):
    """Whether to build the index anew even where nothing changed."""

    rebuild: bool = False


class DenseConfig(StageConfig):
    """Whether to write every row anew; vectors of unchanged text still come from the cache."""

    rebuild: bool = False


@dg.asset(
    name="dense_index",
    group_name="retrieval",
    kinds={"lancedb", "huggingface"},
    owners=OWNERS,
    code_version="1",
    deps=[chunks],
    description=(
        "A vector of each chunk (title, section line and words) with everything that a hit shows, "
        "in LanceDB. Vectors are cached by the text's hash and the encoder: unchanged text is "
        "never embedded twice. Past some hundred thousand chunks an approximate index joins it, "
        "whose recall is measured."
    ),
)
def dense_index_asset(
    config: DenseConfig,
    lake: dg.ResourceParam[Lake],
    files: dg.ResourceParam[Files],
    encoder: dg.ResourceParam[Encoder],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[None]:
    """Embed the chunks whose row is missing or out of date, and drop those that are gone."""
    with plain_failures():
        table = dense_index(encoder.dimension)
        papers = live_papers(lake)
        passages = {row["chunk_id"]: row for row in live_chunks(lake, CHUNK_COLUMNS)}
        rows = {
            key: index_row(chunk, papers[chunk["paper_id"]], encoder.id)
            for key, chunk in passages.items()
        }
        have: dict[str, str] = lake.column_map(table, "chunk_id", "fingerprint")

        def batches(keys: list[str]) -> Iterator[Mapping[str, Any]]:
            yield from embed_rows(lake, encoder, {key: rows[key] for key in keys}, passages)

        outcome = make_missing(
            wanted={key: row["fingerprint"] for key, row in rows.items()},
            have={} if config.rebuild else have,
            ledger=FailureLedger(lake, "dense_index", now(), config.retry_failed),
            batches=batches,
            commit=lambda made: lake.merge(table, list(made.values())),
            report=reporter(progress, "dense_index"),
        )
        stale = sorted(set(have) - set(rows))
        outcome.removed = lake.delete(table, col("chunk_id").isin(stale)) if stale else 0
        search = approximate(lake, files, table, encoder.dimension)
        return dg.MaterializeResult(
            metadata={
                **outcome.metadata(),
                "dagster/row_count": lake.count(table),
                "encoder": encoder.id,
                "runtime": encoder.runtime,
                "dimension": encoder.dimension,
                "search": "exact" if search is None else asdict(search),
            }
        )


@dg.asset(
    group_name="retrieval",
    kinds={"bm25s"},
    owners=OWNERS,
    code_version="1",
    deps=[chunks],
    description=(
        "A BM25 index of every chunk's title, section line and words over the field's own terms. "
        "bm25s cannot add to an index, so it is made anew, in a folder of its own, when anything "
        "changed; readers keep the folder they have."
    ),
)
def sparse_index(
    config: SparseConfig,
    lake: dg.ResourceParam[Lake],
    files: dg.ResourceParam[Files],
    profile: dg.ResourceParam[Profile],
    bm25: dg.ResourceParam[Bm25],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[None]:
    """Build the sparse index, unless the newest one was made from the same chunks."""
    with plain_failures():
        progress.report("sparse_index", 0, 0)
        passages = live_chunks(lake, CHUNK_COLUMNS)
        tokenizer = FieldTokenizer(profile.acronyms).fingerprint
        made_from = sparse_inputs(passages, profile.acronyms, tokenizer, bm25)
        folder, fresh = build_sparse(
            files, passages, profile.acronyms, made_from, config.rebuild, bm25
        )
        return dg.MaterializeResult(
            metadata={
                "dagster/row_count": len(passages),
                "rows_made": len(passages) if fresh else 0,
                "rows_kept": 0 if fresh else len(passages),
                "folder": folder,
                "tokenizer": tokenizer,
                "k1": bm25.k1,
                "b": bm25.b,
            }
        )


@dg.asset(
    group_name="retrieval",
    kinds={"json"},
    owners=OWNERS,
    code_version="1",
    deps=[dense_index_asset, sparse_index, factual_density],
    freshness_policy=FRESH,
    description=(
        "The one consistent state that answers are given from: pinned versions of every table, "
        "an index folder, and the models that made them. Moving the pointer `current` is the last "
        "thing a refresh does, so one that fails half-way changes no answer."
    ),
)
def release(
    lake: dg.ResourceParam[Lake],
    files: dg.ResourceParam[Files],
    encoder: dg.ResourceParam[Encoder],
    density_variant: dg.ResourceParam[str],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[None]:
    """Publish what the indexes hold now; the current release stays where nothing changed."""
    with plain_failures():
        progress.report("release", 0, 0)
        table = dense_index(encoder.dimension)
        pinned = [PAPERS, CHUNKS, FACTUAL_DENSITY, table]
        # What is looked at here is what is pinned, whatever another run writes meanwhile.
        versions = {one.name: lake.version(one) for one in pinned}
        version = versions[table.name]
        sparse = newest_sparse(files)
        rows = lake.read(table, ["chunk_id", "paper_id", "fingerprint"], version=version or None)
        if sparse is None or rows.num_rows == 0:
            raise MuonEvidenceError(
                "There is nothing to release: no chunk was indexed. See what the papers, pdfs and "
                "documents assets set aside (`muon-evidence status`)."
            )
        nearest = measured(lake, files, table, version)
        search = {} if nearest is None else asdict(nearest)
        # What an answer shows besides, the boxes on a page and who wrote a paper, is content too.
        shown = [
            _made_from(lake, PAPERS, versions, rows["paper_id"]),
            _made_from(lake, CHUNKS, versions, rows["chunk_id"]),
            _made_from(lake, FACTUAL_DENSITY, versions, rows["chunk_id"]),
        ]
        content = fingerprint(
            _pairs(rows, "chunk_id"),
            *shown,
            sparse["folder"],
            encoder.id,
            density_variant,
            *[search[name] for name in ("lists", "fetched") if search],
        )
        before = current_release(files)
        fresh = before is None or before.content != content
        if fresh or before is None:
            dense = rows["chunk_id"].to_pylist()
            _refuse_other_chunks(files, sparse["folder"], dense, [key for key, _ in shown[1]])
            created = now()
            made = publish(
                lake,
                files,
                Release(
                    release_id=release_name(created, content),
                    created=created,
                    content=content,
                    versions=versions,
                    sparse_index=sparse["folder"],
                    encoder=encoder.id,
                    dimension=encoder.dimension,
                    tokenizer=sparse["made_from"],
                    density_variant=density_variant,
                    counts={
                        "papers": len(set(rows["paper_id"].to_pylist())),
                        "chunks": rows.num_rows,
                    },
                    nearest=search,
                ),
                pinned,
            )
        else:
            made = before
        return dg.MaterializeResult(
            metadata={
                "release": made.release_id,
                "new": fresh,
                "papers": made.counts["papers"],
                "chunks": made.counts["chunks"],
                "manifest": dg.MetadataValue.json(
                    {
                        "versions": dict(made.versions),
                        "sparse_index": made.sparse_index,
                        "nearest": dict(made.nearest),
                    }
                ),
            }
        )


def _pairs(rows: pa.Table, key: str) -> list[tuple[str, str]]:
    """Keys with what their rows were made from, sorted."""
    pairs = zip(rows[key].to_pylist(), rows["fingerprint"].to_pylist(), strict=True)
    return sorted(pairs)


def _made_from(
    lake: Lake, table: Table, versions: Mapping[str, int], wanted: pa.ChunkedArray
) -> list[tuple[str, str]]:
    """What the wanted rows of a table were made from, as `_pairs`."""
    key = table.key[0]
    rows = lake.read(table, [key, "fingerprint"], version=versions[table.name] or None)
    return _pairs(rows.filter(pc.is_in(rows[key], wanted.combine_chunks())), key)


def _refuse_other_chunks(files: Files, folder: str, dense: list[str], chunks: list[str]) -> None:
    """Refuse two indexes that do not hold the same chunks, and chunks that are no longer there."""
    sparse = sparse_chunk_ids(files, folder)
    if sorted(sparse) != sorted(dense):
        raise MuonEvidenceError(
            f"The sparse index has {len(sparse)} chunks and the dense one {len(dense)}, and they "
            "are not the same ones: another run is at work, or one was killed. Run a refresh "
            "again, or rebuild the indices."
        )
    if len(chunks) < len(dense):
        raise MuonEvidenceError(
            f"The indexes hold {len(dense) - len(chunks)} chunks that papers no longer have: a "
            "run was killed. Run a refresh again, or rebuild the indices."
        )
