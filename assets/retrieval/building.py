"""Chunks to the rows of the dense index and to the folder of the sparse one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assets.corpus.reconcile import listed_paper
from assets.increment import fingerprint, in_batches
from assets.parsing.records import passage_text
from assets.retrieval.release import releasing
from assets.retrieval.sparse import K1, B, SparseIndex
from assets.tables import vectors
from resources.encoder import Encoder
from resources.files import Files
from resources.identifiers import parse_arxiv_id
from resources.lake import Lake, Row, col

#: Passages embedded between two commits: some ten seconds of work on two cores.
BATCH = 192

SPARSE_FOLDER = "indexes/sparse"
NEWEST_SPARSE = f"{SPARSE_FOLDER}/newest.json"
SPARSE_MANIFEST = "passages.json"


@dataclass(frozen=True, slots=True)
class Bm25:
    """The two parameters of BM25: how soon a repeated term counts no more, and how much a long
    passage counts less."""

    k1: float = K1
    b: float = B


#: Columns of `chunks` that the indexes are made from.
CHUNK_COLUMNS = [
    "chunk_id", "paper_id", "ordinal", "title", "section", "kind", "page_start", "page_end",
    "text", "passage_sha",
]  # fmt: skip


def index_row(chunk: Row, paper: Row, encoder: str) -> Row:
    """What a hit on a chunk shows, without its vector."""
    row = {
        "chunk_id": chunk["chunk_id"],
        "paper_id": chunk["paper_id"],
        "ordinal": chunk["ordinal"],
        "title": chunk["title"],
        "section": chunk["section"],
        "kind": chunk["kind"],
        "page_start": chunk["page_start"],
        "page_end": chunk["page_end"],
        "text": chunk["text"],
        "link": listed_paper(paper).page_link(chunk["page_start"]),
        "year": year_of(paper),
        "categories": paper["categories"],
        "tier": paper["tier"],
        "encoder": encoder,
    }
    return {**row, "fingerprint": fingerprint(row, chunk["passage_sha"])}


def year_of(paper: Row) -> int:
    """Year of a paper: of its first publication, else of its arXiv number, else 0."""
    if paper["published"][:4].isdigit():
        return int(paper["published"][:4])
    arxiv = parse_arxiv_id(paper["paper_id"])
    if arxiv is None or not arxiv.dated:
        return 0
    two_digits = int(arxiv.paper_id.split("/")[-1][:2])
    # arXiv began in 1991, so its two-digit years are unambiguous until 2090.
    return (1900 if two_digits > 90 else 2000) + two_digits


def embed_rows(
    lake: Lake, encoder: Encoder, rows: Mapping[str, Row], chunks: Mapping[str, Row]
) -> Iterator[dict[str, Row]]:
    """The index rows with their vectors, batch by batch; a known text's vector is looked up."""
    cache = vectors(encoder.dimension)
    for batch in in_batches(list(rows), BATCH):
        shas = {key: chunks[key]["passage_sha"] for key in batch}
        known = {
            row["text_sha"]: row["vector"]
            for row in lake.rows(
                cache,
                ["text_sha", "vector"],
                where=(col("encoder") == encoder.id) & col("text_sha").isin(list(shas.values())),
            )
        }
        unknown = {shas[key]: _passage(chunks[key]) for key in batch if shas[key] not in known}
        if unknown:
            made = encoder.encode(list(unknown.values()))
            fresh = dict(zip(unknown, made.astype(np.float32).tolist(), strict=True))
            lake.merge(
                cache,
                [
                    {"text_sha": sha, "encoder": encoder.id, "vector": vector}
                    for sha, vector in fresh.items()
                ],
            )
            known.update(fresh)
        yield {key: {**rows[key], "vector": known[shas[key]]} for key in batch}


def index_texts(chunks: Sequence[Row]) -> list[str]:
    """What BM25 indexes of each chunk: title, section and words."""
    return [_passage(chunk) for chunk in chunks]


def build_sparse(  # noqa: PLR0913 - what an index is made from
    files: Files,
    chunks: Sequence[Row],
    acronyms: Mapping[str, str],
    made_from: str,
    rebuild: bool,
    bm25: Bm25 = Bm25(),
) -> tuple[str, bool]:
    """Make the sparse index of some chunks in a folder of its own and point to it.

    Returns the folder and whether it was made now: one made from the same inputs is kept unless
    `rebuild`. A folder that readers may have mapped is never written to again.
    """
    folder = f"{SPARSE_FOLDER}/{made_from}"
    attempt = 1
    while rebuild and files.exists(folder):
        attempt += 1
        folder = f"{SPARSE_FOLDER}/{made_from}-{attempt}"
    if _point_to_sparse(files, folder, made_from, len(chunks)):
        return folder, False
    ids = [chunk["chunk_id"] for chunk in chunks]
    index = SparseIndex.build(ids, index_texts(chunks), acronyms, bm25.k1, bm25.b)
    with files.scratch() as scratch:
        index.save(scratch / "index")
        with releasing(files):
            files.put_folder(scratch / "index", folder)
            _write_sparse_pointer(files, folder, made_from, len(chunks))
    return folder, True


def _point_to_sparse(files: Files, folder: str, made_from: str, chunks: int) -> bool:
    """Make a folder the newest index, if it is there; nobody can clear it away meanwhile."""
    with releasing(files):
        there = files.exists(folder)
        if there:
            _write_sparse_pointer(files, folder, made_from, chunks)
    return there


def _write_sparse_pointer(files: Files, folder: str, made_from: str, chunks: int) -> None:
    pointer = {"folder": folder, "made_from": made_from, "chunks": chunks}
    if not files.exists(NEWEST_SPARSE) or files.read_json(NEWEST_SPARSE) != pointer:
        files.write_json(NEWEST_SPARSE, pointer)


def sparse_inputs(
    chunks: Sequence[Row], acronyms: Mapping[str, str], tokenizer: str, bm25: Bm25 = Bm25()
) -> str:
    """Fingerprint of everything a sparse index depends on."""
    return fingerprint(
        [(chunk["chunk_id"], chunk["passage_sha"]) for chunk in chunks],
        sorted(acronyms.items()),
        tokenizer,
        (bm25.k1, bm25.b),
    )[:16]


def newest_sparse(files: Files) -> Row | None:
    """The newest sparse index: its folder and number of chunks, or None before the first."""
    if not files.exists(NEWEST_SPARSE):
        return None
    pointer: Row = files.read_json(NEWEST_SPARSE)
    return pointer


def sparse_chunk_ids(files: Files, folder: str) -> list[str]:
    """Ids of the chunks that a sparse index holds, in its order."""
    ids: list[str] = files.read_json(f"{folder}/{SPARSE_MANIFEST}")["chunk_ids"]
    return ids


def _passage(chunk: Row) -> str:
    return passage_text(chunk["title"], tuple(chunk["section"]), chunk["text"])
