"""When a dense index is searched approximately: measured, kept, and given up where it misses."""

import shutil
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from assets.retrieval import nearest
from assets.retrieval.nearest import (
    FETCHED,
    Approximation,
    approximate,
    approximation,
    best_of,
    exact_nearest,
    recall_of,
    sample_queries,
    vectors_at,
)
from assets.retrieval.ranking import Rows
from resources.encoder import Vectors
from resources.files import Files
from resources.lake import ADDRESS, Lake, Table
from resources.vector_index import IndexState, NearestRows, index_state

DIMENSION = 8
THINGS = Table(
    "things",
    ("chunk_id",),
    pa.schema([("chunk_id", pa.string()), ("vector", pa.list_(pa.float32(), DIMENSION))]),
)


def drawn(rows: int, seed: int = 0) -> Vectors:
    made = np.random.default_rng(seed).standard_normal((rows, DIMENSION)).astype(np.float32)
    unit: Vectors = made / np.linalg.norm(made, axis=1, keepdims=True)
    return unit


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(str(tmp_path / "lake"))


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(str(tmp_path))


def stored(lake: Lake, vectors: Vectors, start: int = 0) -> None:
    lake.merge(
        THINGS,
        [
            {"chunk_id": f"c{start + row:05}", "vector": vector}
            for row, vector in enumerate(vectors.tolist())
        ],
    )


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data location with 300 vectors and an index of them; read only."""
    folder = tmp_path_factory.mktemp("indexed")
    lake = Lake(str(folder / "lake"))
    stored(lake, drawn(300))
    assert approximate(lake, Files(str(folder)), THINGS, DIMENSION, exact_up_to=250) is not None
    return folder


@pytest.fixture
def copy(indexed: Path, tmp_path: Path) -> tuple[Lake, Files]:
    """The same, to be changed."""
    shutil.copytree(indexed, tmp_path / "copy")
    return Lake(str(tmp_path / "copy" / "lake")), Files(str(tmp_path / "copy"))


def test_a_small_index_is_searched_exactly(lake: Lake, files: Files) -> None:
    stored(lake, drawn(20))
    assert approximate(lake, files, THINGS, DIMENSION) is None
    assert index_state(lake, THINGS, lake.version(THINGS)) is None
    assert files.list("indexes") == []


def test_a_large_one_is_indexed_and_its_recall_measured(indexed: Path) -> None:
    lake, files = Lake(f"{indexed}/lake"), Files(str(indexed))
    version = lake.version(THINGS)
    assert index_state(lake, THINGS, version) == IndexState(300, 0)
    found = approximate(lake, files, THINGS, DIMENSION, exact_up_to=250)
    assert found is not None
    assert (found.indexed, found.sample, found.fetched) == (300, 200, FETCHED)
    assert found.recall >= 0.98
    # Nothing has changed, so nothing is indexed or measured again.
    assert lake.version(THINGS) == version
    assert files.read_json("indexes/dense/things.json") == {
        "version": version,
        "search": asdict(found),
    }


def test_rows_come_back_as_the_caller_orders_them(indexed: Path) -> None:
    lake = Lake(f"{indexed}/lake")
    version = lake.version(THINGS)
    rows = lake.read(THINGS, version=version, addresses=True).sort_by([("chunk_id", "descending")])
    addresses = rows[ADDRESS].to_numpy()
    vectors = vectors_at(lake, THINGS, version, addresses)
    assert vectors.tolist() == rows["vector"].to_pylist()
    near = NearestRows(lake, THINGS, version, addresses, lists=20)
    for row in (0, 17, 299):
        found = near(vectors[row], 30)
        nearest_first = np.argsort(-(vectors @ vectors[row]))
        assert len(set(found.tolist())) == 30
        assert set(nearest_first[:5].tolist()) <= set(found.tolist())


def test_new_rows_join_the_index_and_are_measured(
    copy: tuple[Lake, Files], monkeypatch: pytest.MonkeyPatch
) -> None:
    lake, files = copy
    built: list[Table] = []
    monkeypatch.setattr(nearest, "build_vector_index", lambda *of: built.append(of[1]))
    stored(lake, drawn(4, seed=1), start=300)
    few = approximate(lake, files, THINGS, DIMENSION, exact_up_to=250)
    assert few is not None
    # So few are searched one by one, beside the index.
    assert index_state(lake, THINGS, lake.version(THINGS)) == IndexState(300, 4)
    stored(lake, drawn(40, seed=2), start=304)
    more = approximate(lake, files, THINGS, DIMENSION, exact_up_to=250)
    assert more is not None
    assert index_state(lake, THINGS, lake.version(THINGS)) == IndexState(344, 0)
    assert not built, "the index was trained again"


def test_an_index_that_finds_too_little_is_made_anew_and_else_given_up(
    copy: tuple[Lake, Files], monkeypatch: pytest.MonkeyPatch
) -> None:
    lake, files = copy
    stored(lake, drawn(1, seed=5), start=300)
    monkeypatch.setattr(nearest, "recall_of", lambda _found, _wanted: 0.9)
    built: list[Table] = []
    monkeypatch.setattr(nearest, "build_vector_index", lambda *of: built.append(of[1]))
    assert approximate(lake, files, THINGS, DIMENSION, exact_up_to=250) is None
    assert len(built) == 1


def test_an_index_without_rows_is_made_anew(
    copy: tuple[Lake, Files], monkeypatch: pytest.MonkeyPatch
) -> None:
    lake, files = copy
    stored(lake, drawn(1, seed=5), start=300)
    monkeypatch.setattr(nearest, "index_state", lambda *_: IndexState(0, 301))
    built: list[Table] = []
    monkeypatch.setattr(nearest, "build_vector_index", lambda *of: built.append(of[1]))
    assert approximate(lake, files, THINGS, DIMENSION, exact_up_to=250) is None
    assert len(built) == 1


class Part:
    """A search that finds the nearest of the first rows only."""

    def __init__(self, vectors: Vectors, known: int) -> None:
        self.vectors, self.known = vectors, known
        self.asked = 0

    def __call__(self, query: Vectors, most: int) -> Rows:
        self.asked += 1
        rows: Rows = np.argsort(-(self.vectors[: self.known] @ query), kind="stable")[:most]
        return rows


def test_the_cheapest_search_that_finds_enough_is_taken() -> None:
    vectors = drawn(500)
    searches = {lists: Part(vectors, known) for lists, known in ((1, 100), (2, 495), (3, 500))}
    found = best_of(vectors, searches, 500)
    assert found is not None
    assert (found.lists, found.sample) == (2, 200)
    assert 0.98 <= found.recall < 1
    assert searches[3].asked == 0


def test_the_best_is_taken_where_none_is_as_wanted_and_none_where_it_is_poor() -> None:
    vectors = drawn(500)
    good, poor = Part(vectors, 483), Part(vectors, 400)
    found = best_of(vectors, {1: poor, 2: good}, 500)
    assert found is not None
    assert found.lists == 2
    assert 0.95 <= found.recall < 0.98
    assert best_of(vectors, {1: poor}, 500) is None


def test_the_exact_nearest_are_those_of_a_sort() -> None:
    vectors, queries = drawn(60), drawn(45, seed=3)
    best = exact_nearest(vectors, queries, 5)
    for row, query in zip(best, queries, strict=True):
        assert set(row.tolist()) == set(np.argsort(-(vectors @ query))[:5].tolist())


def test_recall_is_the_share_that_was_found() -> None:
    wanted = np.array([[1, 2], [3, 4]])
    assert recall_of([np.array([2, 9]), np.array([4, 3])], wanted) == pytest.approx(0.75)


def test_sample_queries_are_of_unit_length_and_the_same_again() -> None:
    vectors = drawn(30)
    queries = sample_queries(vectors, 7)
    assert np.allclose(np.linalg.norm(queries, axis=1), 1, atol=1e-5)
    assert (queries == sample_queries(vectors, 7)).all()


def test_a_manifest_without_one_means_exact_search() -> None:
    made = Approximation(lists=20, fetched=1000, recall=0.99, sample=200, indexed=9)
    assert approximation(asdict(made)) == made
    assert approximation({}) is None
