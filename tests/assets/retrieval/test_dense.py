"""Cosines of all passages, and of those that an index finds near."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.retrieval import dense
from assets.retrieval.dense import ExactRanker, NearestRanker, cosines
from assets.retrieval.ranking import Rows
from resources.encoder import Vectors


def unit(rows: int, seed: int, dimension: int = 6) -> Vectors:
    drawn = np.random.default_rng(seed).standard_normal((rows, dimension)).astype(np.float32)
    vectors: Vectors = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    return vectors


class Near:
    """An index that misses nothing; remembers what it was asked."""

    def __init__(self, vectors: Vectors) -> None:
        self.vectors = vectors
        self.asked: list[int] = []

    def __call__(self, query: Vectors, most: int) -> Rows:
        self.asked.append(most)
        rows: Rows = np.argsort(-(self.vectors @ query), kind="stable")[:most]
        return rows


def test_no_passages_have_no_cosines() -> None:
    assert cosines(np.empty((0, 6), np.float32), unit(1, 0)[0]).tolist() == []


def test_looked_at_passages_have_their_exact_cosine_and_others_none() -> None:
    vectors, query = unit(50, 1), unit(1, 2)[0]
    exact = ExactRanker(vectors).cosines(query)
    scores = NearestRanker(vectors, Near(vectors), fetched=5).cosines(query, np.array([7, 8]))
    looked_at = {*np.argsort(-exact)[:5].tolist(), 7, 8}
    assert set(np.flatnonzero(scores > -np.inf).tolist()) == looked_at
    for row in looked_at:
        assert scores[row] == pytest.approx(exact[row], abs=1e-6)


@settings(max_examples=30)
@given(st.integers(1, 40), st.integers(0, 99), st.floats(0.1, 3))
def test_moments_are_those_of_all_cosines(rows: int, seed: int, length: float) -> None:
    vectors, query = unit(rows, seed), unit(1, seed + 1)[0] * np.float32(length)
    mean, spread = NearestRanker(vectors, Near(vectors), fetched=1).moments(query)
    all_cosines = (vectors.astype(float) @ query.astype(float)).astype(float)
    assert mean == pytest.approx(all_cosines.mean(), abs=1e-5)
    assert spread == pytest.approx(all_cosines.std(), abs=1e-3)
    assert ExactRanker(vectors).moments(query) is None, "all its cosines are known"


def test_a_few_allowed_passages_are_all_looked_at() -> None:
    vectors, query = unit(50, 1), unit(1, 2)[0]
    near = Near(vectors)
    keep = np.zeros(50, dtype=bool)
    keep[[3, 30]] = True
    scores = NearestRanker(vectors, near, fetched=5).cosines(query, keep=keep)
    assert np.flatnonzero(scores > -np.inf).tolist() == [3, 30]
    assert near.asked == []


def test_more_are_fetched_where_fewer_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dense, "FEW", 10)
    vectors, query = unit(100, 1), unit(1, 2)[0]
    near = Near(vectors)
    keep = np.arange(100) % 5 == 0
    scores = NearestRanker(vectors, near, fetched=10).cosines(query, keep=keep)
    assert near.asked == [50]
    found = np.flatnonzero(scores > -np.inf)
    assert keep[found].all()
    best = np.flatnonzero(keep)[np.argsort(-(vectors[keep] @ query))][: len(found)]
    assert set(found.tolist()) == set(best.tolist())
