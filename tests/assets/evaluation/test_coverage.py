"""The double filter: cosine and shared keywords over a whole corpus."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.evaluation.coverage import (
    GATE,
    LEAST_COSINE,
    LEAST_KEYWORDS,
    Coverage,
    keywords,
    passing,
)

TEXTS = [
    "Probiotics lower blood sugar in adults.",
    "Probiotics were given to mice.",
    "Masks slow the spread of infections.",
]


def unit(*cosines: float) -> np.ndarray:
    """A passage's vector with these cosines to the first axes."""
    rest = np.sqrt(max(0.0, 1 - sum(value * value for value in cosines)))
    return np.array([*cosines, rest], dtype=np.float32)


def test_keywords_are_stems_of_words_that_mean_something():
    assert keywords("Does the extract of olive leaves lower pressures of 120 mmHg?") == {
        "extract", "oliv", "leav", "lower", "pressur", "mmhg",
    }  # fmt: skip
    assert keywords("Is it so?") == frozenset()


def test_a_passage_must_pass_both_filters():
    queries = ["Can probiotics lower blood sugar?"]
    query = np.array([[1.0, 0.0]], dtype=np.float32)
    far, near = LEAST_COSINE - 0.01, LEAST_COSINE + 0.01
    rows, found = passing(queries, query, TEXTS, np.stack([unit(near), unit(near), unit(near)]))
    assert [list(one) for one in rows] == [[0]]
    assert found == Coverage(queries=1, covered=1, by_cosine=1, by_keywords=1)
    rows, found = passing(queries, query, TEXTS, np.stack([unit(far), unit(near), unit(near)]))
    assert [list(one) for one in rows] == [[]]
    assert found == Coverage(queries=1, covered=0, by_cosine=1, by_keywords=1)


def test_the_thresholds_themselves_pass():
    query = np.array([[1.0, 0.0]], dtype=np.float32)
    exactly = np.array([[LEAST_COSINE, 0.0]], dtype=np.float32)
    rows, _ = passing(["blood sugar"], query, TEXTS[:1], exactly)
    assert len(keywords("blood sugar")) == LEAST_KEYWORDS
    assert [list(one) for one in rows] == [[0]]


def test_a_sample_of_the_corpus_misses_what_the_corpus_holds():
    queries = ["Do masks slow infections?", "Do probiotics lower sugar?"]
    query = np.eye(3, dtype=np.float32)[:2]
    vectors = np.stack([unit(0.0, 0.9), unit(0.0, 0.5), unit(0.8, 0.0)])
    assert passing(queries, query, TEXTS, vectors)[1].covered == 2
    assert passing(queries, query, TEXTS[:2], vectors[:2])[1].covered == 1


@pytest.mark.parametrize(("covered", "enough"), [(39, False), (40, True)])
def test_the_gate(covered, enough):
    found = Coverage(queries=100, covered=covered, by_cosine=50, by_keywords=100)
    assert found.share == covered / 100
    assert found.sufficient is enough
    assert GATE == 0.4


def test_nothing_covers_nothing():
    empty = np.empty((0, 4), dtype=np.float32)
    assert passing([], empty, TEXTS, np.ones((3, 4), dtype=np.float32) / 2)[1].share == 0.0
    rows, found = passing(["masks"], np.eye(1, 4, dtype=np.float32), [], empty)
    assert (len(rows[0]), found.covered, found.sufficient) == (0, 0, False)


WORDS = st.lists(st.sampled_from("mask spread sugar blood probiotic mouse of the".split()))


@given(
    st.lists(WORDS, min_size=1, max_size=6),
    st.lists(WORDS, min_size=1, max_size=6),
    st.integers(0, 100),
)
def test_it_agrees_with_looking_at_every_pair(asked, held, seed):
    rng = np.random.default_rng(seed)
    queries, texts = [" ".join(one) for one in asked], [" ".join(one) for one in held]

    def vectors(count):
        found = rng.normal(size=(count, 2)).astype(np.float32)
        return found / np.linalg.norm(found, axis=1, keepdims=True)

    query_vectors, text_vectors = vectors(len(queries)), vectors(len(texts))
    rows, found = passing(queries, query_vectors, texts, text_vectors)
    cosines = query_vectors @ text_vectors.T
    expected = [
        [
            j
            for j, text in enumerate(texts)
            if cosines[i, j] >= LEAST_COSINE and len(keywords(query) & keywords(text)) >= 2
        ]
        for i, query in enumerate(queries)
    ]
    assert [list(one) for one in rows] == expected
    assert found.covered == sum(map(bool, expected)) <= min(found.by_cosine, found.by_keywords)
