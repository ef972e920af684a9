"""A small release, made by the stages' own functions from rows that a test gives."""

from collections.abc import Sequence

from assets.retrieval.building import build_sparse, embed_rows, index_row
from assets.retrieval.release import Release, publish
from assets.tables import CHUNKS, FACTUAL_DENSITY, PAPERS, dense_index
from resources.encoder import Encoder
from resources.files import Files
from resources.lake import Lake, Row


def density(chunk_id: str, robust: float, published: float) -> Row:
    """A chunk's row in the density table."""
    return {
        "chunk_id": chunk_id,
        "paper_id": "a",
        "tier": "preprint",
        "tokens": 20,
        "claims": 1,
        "prob_fact_sum": 0.5,
        "fd_raw": 0.025,
        "bin": "all",
        "fd_star_published": published,
        "fd_star": robust,
        "fingerprint": f"{robust} {published}",
    }


def manifest(
    release_id: str, created: str = "2026-03-01T00:00:00+00:00", **fields: object
) -> Release:
    """A release's manifest; what it names need not exist."""
    plain = {
        "content": f"content of {release_id}",
        "versions": {},
        "sparse_index": "indexes/sparse/none",
        "encoder": "letters@1",
        "dimension": 26,
        "tokenizer": "terms",
        "density_variant": "robust",
        "counts": {"papers": 1, "chunks": 1},
    }
    return Release(release_id=release_id, created=created, **{**plain, **fields})  # type: ignore[arg-type]


def released(
    lake: Lake,
    files: Files,
    encoder: Encoder,
    papers: Sequence[Row],
    chunks: Sequence[Row],
    densities: Sequence[Row] = (),
    variant: str = "robust",
    release_id: str = "20260301-1",
    created: str = "2026-03-01T00:00:00+00:00",
) -> Release:
    """Index some chunks and publish them."""
    of = {row["paper_id"]: row for row in papers}
    by_id = {row["chunk_id"]: row for row in chunks}
    rows = {key: index_row(row, of[row["paper_id"]], encoder.id) for key, row in by_id.items()}
    table = dense_index(encoder.dimension)
    lake.merge(PAPERS, papers)
    lake.merge(CHUNKS, chunks)
    lake.merge(FACTUAL_DENSITY, densities)
    for batch in embed_rows(lake, encoder, rows, by_id):
        lake.merge(table, list(batch.values()))
    folder, _ = build_sparse(files, chunks, {}, made_from=release_id, rebuild=False)
    made = manifest(
        release_id,
        created,
        sparse_index=folder,
        encoder=encoder.id,
        dimension=encoder.dimension,
        density_variant=variant,
        counts={"papers": len(papers), "chunks": len(chunks)},
    )
    return publish(lake, files, made, [PAPERS, CHUNKS, FACTUAL_DENSITY, table])
