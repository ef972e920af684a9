"""Fusion of rankings, by hand and against ranx."""

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.retrieval.fusion import pool, weighted_rrf
from assets.retrieval.records import Hit


def hit(chunk_id: str, score: float) -> Hit:
    return Hit(1, score, chunk_id, "p", "t", (), "paragraph", 1, 1, "text", "")


def test_the_published_formula_to_the_digit() -> None:
    scores = weighted_rrf([(0.9, ["a", "b", "c"]), (0.1, ["c", "a"])], k=60)
    assert scores["a"] == pytest.approx(0.9 / 61 + 0.1 / 62, abs=1e-15)
    assert scores["b"] == pytest.approx(0.9 / 62, abs=1e-15)
    assert scores["c"] == pytest.approx(0.9 / 63 + 0.1 / 61, abs=1e-15)
    assert round(scores["a"], 10) == 0.0163670016
    assert sorted(scores, key=scores.__getitem__, reverse=True) == ["a", "c", "b"]


def test_equal_weights_are_plain_rrf_as_ranx_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    import ranx  # noqa: PLC0415

    one, other = ["a", "b", "c", "d"], ["d", "e", "a"]
    runs = [
        ranx.Run({"q": {key: 9.0 - place for place, key in enumerate(ids)}}) for ids in (one, other)
    ]
    theirs = ranx.fuse(runs, method="rrf", params={"k": 60})
    assert weighted_rrf([(1.0, one), (1.0, other)], k=60) == pytest.approx(dict(theirs["q"]))


@given(
    st.permutations(list("abcdef")),
    st.permutations(list("abcdef")),
    st.floats(0.05, 0.95),
)
def test_what_both_rank_higher_is_never_lower(
    one: list[str], other: list[str], weight: float
) -> None:
    scores = weighted_rrf([(weight, one), (1 - weight, other)])
    for a in one:
        for b in one:
            if one.index(a) < one.index(b) and other.index(a) < other.index(b):
                assert scores[a] > scores[b]


def test_the_pool_keeps_each_chunk_once_with_its_best_score() -> None:
    pooled = pool([[hit("a", 0.5), hit("b", 0.4)], [hit("b", 0.9), hit("c", 0.1)]], m=2)
    assert [(one.rank, one.chunk_id, one.score) for one in pooled] == [(1, "b", 0.9), (2, "a", 0.5)]


def test_equal_scores_in_a_pool_come_by_chunk_id() -> None:
    assert [one.chunk_id for one in pool([[hit("b", 1.0)], [hit("a", 1.0)]], m=5)] == ["a", "b"]


def test_an_empty_pool_is_empty() -> None:
    assert pool([], m=3) == pool([[]], m=3) == []


def test_a_ranking_of_rows_fuses_like_one_of_ids() -> None:
    rows = np.array([3, 1]).tolist()
    assert weighted_rrf([(1.0, rows)], k=1) == {3: 0.5, 1: pytest.approx(1 / 3)}
