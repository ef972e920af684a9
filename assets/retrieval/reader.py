"""A release, opened for searching."""

from contextlib import ExitStack

import numpy as np

from assets.retrieval.dense import NearestRanker
from assets.retrieval.nearest import approximation, vectors_at
from assets.retrieval.passages import COLUMNS, StoredPassages
from assets.retrieval.ranking import Scores
from assets.retrieval.release import Release
from assets.retrieval.search import Searcher, SearchIndex
from assets.retrieval.sparse import SparseIndex
from assets.tables import FACTUAL_DENSITY, dense_index
from resources.encoder import Encoder
from resources.errors import UsageError
from resources.files import Files
from resources.lake import ADDRESS, Lake
from resources.reranker import Reranker
from resources.vector_index import NearestRows

_DENSITY_COLUMN = {"robust": "fd_star", "published": "fd_star_published"}


def open_searcher(
    lake: Lake,
    files: Files,
    release: Release,
    encoder: Encoder,
    reranker: Reranker | None = None,
) -> Searcher:
    """A searcher over exactly what a release pinned, whatever was written since.

    The cross-encoder, where one is given, has its say in the default mode.

    Raises UsageError where the release was made by another encoder than the one given.
    """
    if release.encoder != encoder.id:
        raise UsageError(
            f"Release {release.release_id} was embedded with {release.encoder}, but the encoder "
            f"is {encoder.id}: set MUON_ENCODER back, or run a refresh to embed anew."
        )
    table = dense_index(release.dimension)
    version = release.versions[table.name]
    rows = lake.read(table, COLUMNS.names, version=version, addresses=True)
    rows = rows.sort_by([("paper_id", "ascending"), ("ordinal", "ascending")])
    with ExitStack() as kept:
        folder = kept.enter_context(files.local(release.sparse_index))
        sparse = SparseIndex.load(folder)
    addresses = rows[ADDRESS].to_numpy()
    vectors = vectors_at(lake, table, version, addresses)
    search = approximation(release.nearest)
    ranker = None
    if search is not None:
        near = NearestRows(lake, table, version, addresses, search.lists)
        ranker = NearestRanker(vectors, near, search.fetched)
    index = SearchIndex(
        passages=StoredPassages(rows),
        vectors=vectors,
        sparse=sparse,
        encoder_id=release.encoder,
        density=_density(lake, release, rows["chunk_id"].to_pylist()),
        ranker=ranker,
    )
    return Searcher(index, encoder, reranker=reranker)


def _density(lake: Lake, release: Release, chunk_ids: list[str]) -> Scores:
    name = _DENSITY_COLUMN[release.density_variant]
    rows = lake.read(
        FACTUAL_DENSITY, ["chunk_id", name], version=release.versions[FACTUAL_DENSITY.name]
    )
    by_chunk = dict(zip(rows["chunk_id"].to_pylist(), rows[name].to_pylist(), strict=True))
    return np.array([by_chunk.get(key, np.nan) for key in chunk_ids], dtype=np.float32)
