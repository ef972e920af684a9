"""Chunks become index rows and a sparse folder; nothing known is embedded or built again."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assets.retrieval import building
from assets.retrieval.building import (
    Bm25,
    build_sparse,
    embed_rows,
    index_row,
    index_texts,
    newest_sparse,
    sparse_inputs,
    year_of,
)
from assets.retrieval.sparse import SparseIndex
from assets.tables import dense_index, vectors
from resources.files import Files
from resources.lake import Lake, Row
from tests.support.letter_encoder import LetterEncoder
from tests.support.rows import chunk, paper

CHUNKS = [chunk("c1", "a", ordinal=0), chunk("c2", "a", ordinal=1, page_start=3, page_end=4)]
ENCODER = "letters@1"


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(str(tmp_path / "lake"))


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(str(tmp_path))


def embedded(lake: Lake, encoder: LetterEncoder, chunks: list[Row]) -> dict[str, Row]:
    by_id = {row["chunk_id"]: row for row in chunks}
    rows = {key: index_row(row, paper("a"), encoder.id) for key, row in by_id.items()}
    return {
        key: row for batch in embed_rows(lake, encoder, rows, by_id) for key, row in batch.items()
    }


def test_an_index_row_shows_the_chunk_and_its_paper() -> None:
    row = index_row(CHUNKS[1], paper("a", tier="review", categories=("hep-ph",)), ENCODER)
    assert {**row, "vector": None}.keys() == set(dense_index().schema.names)
    assert (row["page_start"], row["page_end"], row["text"]) == (3, 4, "Words of c2.")
    assert (row["year"], row["tier"], row["categories"]) == (2023, "review", ["hep-ph"])
    assert row["link"] == "https://arxiv.org/pdf/av1#page=3"
    assert row["encoder"] == ENCODER


def test_a_row_is_out_of_date_when_it_would_show_something_else() -> None:
    before = index_row(CHUNKS[0], paper("a"), ENCODER)["fingerprint"]
    assert index_row(CHUNKS[0], paper("a", journal_ref="x"), ENCODER)["fingerprint"] == before
    changed: list[tuple[Row, Row, str]] = [
        ({**CHUNKS[0], "text": "Other."}, paper("a"), ENCODER),
        ({**CHUNKS[0], "page_start": 2}, paper("a"), ENCODER),
        ({**CHUNKS[0], "passage_sha": "other"}, paper("a"), ENCODER),
        (CHUNKS[0], paper("a", tier="review"), ENCODER),
        (CHUNKS[0], paper("a", version=2), ENCODER),
        (CHUNKS[0], paper("a"), "other@2"),
    ]
    prints = {index_row(*one)["fingerprint"] for one in changed}
    assert len(prints) == len(changed)
    assert before not in prints


@pytest.mark.parametrize(
    ("paper_id", "published", "year"),
    [
        ("2303.08533", "2023-03-15T11:02:21Z", 2023),
        ("2303.08533", "", 2023),
        ("hep-ph/9909255", "", 1999),
        ("hep-ex/0012036", "", 2000),
        ("0704.0001", "", 2007),
        ("local:230308533abc", "", 0),
        ("sample-mdi", "", 0),
        ("2019-annual-report", "", 0),
        ("sample-mdi", "2026", 2026),
        ("sample-mdi", "March 2026", 0),
    ],
)
def test_the_year_of_a_paper(paper_id: str, published: str, year: int) -> None:
    assert year_of(paper(paper_id, published=published)) == year


def test_every_row_gets_the_vector_of_its_passage(lake: Lake) -> None:
    encoder = LetterEncoder()
    rows = embedded(lake, encoder, CHUNKS)
    assert list(rows) == ["c1", "c2"]
    assert encoder.encoded == index_texts(CHUNKS)
    expected = LetterEncoder().encode(index_texts(CHUNKS))
    assert np.allclose([row["vector"] for row in rows.values()], expected)


def test_a_text_that_is_known_is_never_embedded_again(lake: Lake) -> None:
    first = embedded(lake, LetterEncoder(), CHUNKS)
    again = LetterEncoder()
    renamed = [{**row, "chunk_id": f"new {row['chunk_id']}"} for row in CHUNKS]
    rows = embedded(lake, again, [*renamed, chunk("c3", "a")])
    assert again.encoded == index_texts([chunk("c3", "a")])
    assert rows["new c1"]["vector"] == first["c1"]["vector"]


def test_a_text_that_stands_twice_is_embedded_once(lake: Lake) -> None:
    encoder = LetterEncoder()
    twins = [chunk(key, "a", text="Twice.", passage_sha="same") for key in ("c1", "c2")]
    rows = embedded(lake, encoder, twins)
    assert len(encoder.encoded) == 1
    assert rows["c1"]["vector"] == rows["c2"]["vector"]


def test_another_encoder_embeds_anew(lake: Lake) -> None:
    embedded(lake, LetterEncoder(), CHUNKS)
    other = LetterEncoder("letters@2")
    embedded(lake, other, CHUNKS)
    assert len(other.encoded) == 2
    assert lake.count(vectors(other.dimension)) == 4


def test_vectors_are_kept_batch_by_batch(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "BATCH", 2)
    encoder = LetterEncoder()
    chunks = {f"c{n}": chunk(f"c{n}", "a") for n in range(5)}
    rows: dict[str, Any] = {key: index_row(row, paper("a"), ENCODER) for key, row in chunks.items()}
    batches = embed_rows(lake, encoder, rows, chunks)
    assert list(next(batches)) == ["c0", "c1"]
    # A run that is killed here has these two, and needs no more of them.
    assert lake.count(vectors(encoder.dimension)) == len(encoder.encoded) == 2
    assert [list(batch) for batch in batches] == [["c2", "c3"], ["c4"]]


def test_a_sparse_index_is_built_once_for_the_same_inputs(files: Files) -> None:
    assert newest_sparse(files) is None
    folder, fresh = build_sparse(files, CHUNKS, {}, "inputs", rebuild=False)
    assert (folder, fresh) == ("indexes/sparse/inputs", True)
    assert build_sparse(files, CHUNKS, {}, "inputs", rebuild=False) == (folder, False)
    assert newest_sparse(files) == {"folder": folder, "made_from": "inputs", "chunks": 2}
    with files.local(folder) as path:
        assert SparseIndex.load(path).chunk_ids == ["c1", "c2"]
    assert files.list("scratch") == []


def test_a_rebuild_leaves_readers_their_folder(files: Files) -> None:
    first, _ = build_sparse(files, CHUNKS, {}, "inputs", rebuild=False)
    with files.local(first) as path:
        before = {one.name: one.read_bytes() for one in path.iterdir()}
        second, fresh = build_sparse(files, CHUNKS, {}, "inputs", rebuild=True)
        assert (second, fresh) == ("indexes/sparse/inputs-2", True)
        assert {one.name: one.read_bytes() for one in path.iterdir()} == before
    newest = newest_sparse(files)
    assert newest is not None
    assert newest["folder"] == second


def test_going_back_to_old_inputs_points_back(files: Files) -> None:
    old, _ = build_sparse(files, CHUNKS[:1], {}, "old", rebuild=False)
    build_sparse(files, CHUNKS, {}, "new", rebuild=False)
    assert build_sparse(files, CHUNKS[:1], {}, "old", rebuild=False) == (old, False)
    assert newest_sparse(files) == {"folder": old, "made_from": "old", "chunks": 1}


def test_a_folder_that_a_killed_run_left_is_taken(files: Files) -> None:
    folder, _ = build_sparse(files, CHUNKS, {}, "inputs", rebuild=False)
    files.remove(building.NEWEST_SPARSE)
    assert build_sparse(files, CHUNKS, {}, "inputs", rebuild=False) == (folder, False)
    newest = newest_sparse(files)
    assert newest is not None
    assert newest["folder"] == folder


def test_no_chunks_give_an_empty_index(files: Files) -> None:
    folder, _ = build_sparse(files, [], {}, "nothing", rebuild=False)
    with files.local(folder) as path:
        assert SparseIndex.load(path).chunk_ids == []


def test_sparse_inputs_change_with_all_that_an_index_is_made_from() -> None:
    before = sparse_inputs(CHUNKS, {"BIB": "beam-induced background"}, "terms")
    assert sparse_inputs(CHUNKS, {"BIB": "beam-induced background"}, "terms") == before
    others = {
        sparse_inputs(CHUNKS[:1], {"BIB": "beam-induced background"}, "terms"),
        sparse_inputs([{**CHUNKS[0], "passage_sha": "x"}, CHUNKS[1]], {}, "terms"),
        sparse_inputs(CHUNKS, {"BIB": "other"}, "terms"),
        sparse_inputs(CHUNKS, {"BIB": "beam-induced background"}, "other terms"),
        sparse_inputs(CHUNKS, {"BIB": "beam-induced background"}, "terms", Bm25(k1=1.5)),
        sparse_inputs(CHUNKS, {"BIB": "beam-induced background"}, "terms", Bm25(b=0.75)),
    }
    assert len(others) == 6
    assert before not in others


def test_the_parameters_of_bm25_are_those_that_were_given(files: Files) -> None:
    """One chunk of three has the term: score = idf · tf / (tf + k1 (1 − b + b length/mean))."""
    chunks = [
        chunk("a", "a", title="", section=[], text="dipole dipole field"),
        chunk("b", "a", title="", section=[], text="field"),
        chunk("c", "a", title="", section=[], text="field field"),
    ]
    idf = np.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    for bm25 in (Bm25(k1=2.0, b=0.5), Bm25(k1=0.5, b=0.0)):
        folder, _ = build_sparse(files, chunks, {}, f"{bm25.k1}", rebuild=False, bm25=bm25)
        with files.local(folder) as path:
            score = SparseIndex.load(path).scores("dipole")[0]
        length = 1 - bm25.b + bm25.b * 3 / 2
        assert score == pytest.approx(idf * 2 / (2 + bm25.k1 * length), rel=1e-5)
