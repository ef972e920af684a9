"""The published retrieval conditions, worked out by hand on a few passages."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.evaluation.conditions import DEPTH, Condition, candidates, rank
from tests.support.audit_corpus import corpus_of, floats

COSINES = [0.9, 0.8, 0.7, 0.2]


QUERY = floats(1.0, 0.0)


def test_every_condition_by_hand():
    corpus = corpus_of(
        COSINES,
        published=[-1.0, 1.0, 0.0, 5.0],
        robust=[0.0, 0.0, 0.0, 1.0],
        tokens=[10, 20, 40, 250],
        bm25=[0.0, 1.0, 3.0, 2.0],
    )
    found = rank(corpus, ["q"], QUERY[None])
    # FD* as published to [0, 1]: 0, 1/3, 1/6, 1 → .45, .567, .433, .6
    assert found.rankings == {
        Condition.COSINE: [[0, 1, 2, 3]],
        Condition.BM25: [[2, 3, 1]],
        Condition.PUBLISHED: [[3, 1, 0, 2]],
        Condition.ROBUST: [[3, 0, 1, 2]],
        Condition.CORPUS: [[3, 1, 0, 2]],
        Condition.LENGTH: [[3, 0, 1, 2]],
    }


def test_c_chooses_from_the_best_by_cosine_alone():
    count = DEPTH + 10
    cosines = [0.9 - 0.02 * i for i in range(count)]
    density = [0.0] * DEPTH + [9.0] * 10
    found = rank(corpus_of(cosines, density), ["q"], QUERY[None])
    for name in (Condition.PUBLISHED, Condition.ROBUST, Condition.LENGTH):
        assert set(found.rankings[name][0]) == set(range(DEPTH))
    assert len(found.rankings[Condition.COSINE][0]) == DEPTH


def test_rescaling_over_the_corpus_weakens_the_density():
    # The two candidates' densities lie close together in a corpus with an outlier.
    cosines = [0.9, 0.8, *(-0.9 for _ in range(DEPTH))]
    density = [0.0, 1.0, *([100.0] * DEPTH)]
    corpus = corpus_of(cosines, density)
    by_candidates = candidates(corpus, QUERY)
    assert by_candidates.density[Condition.CORPUS][1] == pytest.approx(0.01)


def test_a_missing_density_is_the_least():
    corpus = corpus_of([0.9, 0.8, 0.7], [float("nan"), 0.0, 1.0])
    found = candidates(corpus, QUERY).density
    assert found[Condition.PUBLISHED].tolist() == [0.0, 0.0, 1.0]
    assert found[Condition.CORPUS].tolist() == [0.0, 0.0, 1.0]
    nothing = corpus_of([0.9, 0.8], [float("nan")] * 2)
    assert rank(nothing, ["q"], QUERY[None]).rankings[Condition.PUBLISHED] == [[0, 1]]


def test_equal_scores_come_by_chunk_id():
    corpus = corpus_of([0.5, 0.5, 0.5], [1.0, 1.0, 1.0], bm25=[2.0, 2.0, 2.0])
    for ranking in rank(corpus, ["q"], QUERY[None]).rankings.values():
        assert ranking == [[0, 1, 2]]


def test_some_of_the_queries():
    corpus = corpus_of(COSINES, [0.0, 0.0, 0.0, 0.0])
    found = rank(corpus, ["a", "b", "c"], np.stack([QUERY, -QUERY, QUERY]))
    some = found.only([1])
    assert (
        some.rankings[Condition.COSINE] == [found.rankings[Condition.COSINE][1]] == [[3, 2, 1, 0]]
    )
    assert len(some.candidates) == 1


@given(st.lists(st.floats(-3, 3), min_size=4, max_size=4), st.sampled_from(list(Condition)[2:]))
def test_the_ends_of_the_weight_are_the_two_orders(density, condition):
    corpus = corpus_of(COSINES, density, tokens=[abs(value) for value in density])
    found = candidates(corpus, QUERY)
    assert found.reranked(condition, 0.0, corpus.order) == [0, 1, 2, 3]
    added = found.density[condition]
    by_density = found.reranked(condition, 1.0, corpus.order)
    assert [added[row] for row in by_density] == sorted(added, reverse=True)
