"""A release, opened for searching."""

from contextlib import ExitStack

import numpy as np
import pyarrow as pa

from assets.retrieval.ranking import Scores
from assets.retrieval.records import Passage
from assets.retrieval.release import Release
from assets.retrieval.search import Searcher, SearchIndex, SearchSettings
from assets.retrieval.sparse import SparseIndex
from assets.tables import FACTUAL_DENSITY, dense_index
from resources.encoder import Encoder, Vectors
from resources.errors import UsageError
from resources.files import Files
from resources.lake import Lake

_SHOWN = [
    "chunk_id", "paper_id", "ordinal", "title", "section", "kind", "page_start", "page_end",
    "text", "link", "year", "categories", "tier",
]  # fmt: skip

_DENSITY_COLUMN = {"robust": "fd_star", "published": "fd_star_published"}


def open_searcher(
    lake: Lake,
    files: Files,
    release: Release,
    encoder: Encoder,
    settings: SearchSettings = SearchSettings(),
) -> Searcher:
    """A searcher over exactly what a release pinned, whatever was written since.

    Raises UsageError where the release was made by another encoder than the one given.
    """
    if release.encoder != encoder.id:
        raise UsageError(
            f"Release {release.release_id} was embedded with {release.encoder}, but the encoder "
            f"is {encoder.id}: set MUON_ENCODER back, or run a refresh to embed anew."
        )
    table = dense_index(release.dimension)
    rows = lake.read(table, [*_SHOWN, "vector"], version=release.versions[table.name])
    rows = rows.sort_by([("paper_id", "ascending"), ("ordinal", "ascending")])
    with ExitStack() as kept:
        folder = kept.enter_context(files.local(release.sparse_index))
        sparse = SparseIndex.load(folder)
    index = SearchIndex(
        passages=[
            Passage(
                **{
                    **row,
                    "section": tuple(row["section"]),
                    "categories": tuple(row["categories"]),
                    "year": row["year"] or None,
                }
            )
            for row in rows.select(_SHOWN).to_pylist()
        ],
        vectors=_matrix(rows, release.dimension),
        sparse=sparse,
        encoder_id=release.encoder,
        density=_density(lake, release, rows["chunk_id"].to_pylist()),
    )
    return Searcher(index, encoder, settings)


def _matrix(rows: pa.Table, dimension: int) -> Vectors:
    column = rows["vector"].combine_chunks()
    flat: Vectors = column.flatten().to_numpy(zero_copy_only=False).astype(np.float32, copy=False)
    return flat.reshape(-1, dimension)


def _density(lake: Lake, release: Release, chunk_ids: list[str]) -> Scores:
    name = _DENSITY_COLUMN[release.density_variant]
    rows = lake.read(
        FACTUAL_DENSITY, ["chunk_id", name], version=release.versions[FACTUAL_DENSITY.name]
    )
    by_chunk = dict(zip(rows["chunk_id"].to_pylist(), rows[name].to_pylist(), strict=True))
    return np.array([by_chunk.get(key, np.nan) for key in chunk_ids], dtype=np.float32)
