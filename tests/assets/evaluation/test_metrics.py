"""Ranking metrics: by hand, against ranx, and what must hold for any ranking."""

import math
import random

import numba
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.evaluation.metrics import (
    first_of_each,
    hit,
    ndcg,
    ndcg_of_retrieved,
    precision,
    ranking_scores,
    recall,
    reciprocal_rank,
)

GRADES = {"a": 3, "b": 2, "c": 1, "d": 1}
RANKING = ["x", "b", "y", "a", "z", "c"]


def test_by_hand() -> None:
    dcg = 3 / math.log2(3) + 7 / math.log2(5)
    ideal_judged = 7 + 3 / math.log2(3) + 1 / math.log2(4) + 1 / math.log2(5)
    ideal_retrieved = 7 + 3 / math.log2(3) + 1 / math.log2(4)
    assert precision(RANKING, GRADES, 1) == 0
    assert precision(RANKING, GRADES, 5) == pytest.approx(0.4)
    assert hit(RANKING, GRADES, 1) == 0
    assert hit(RANKING, GRADES, 2) == 1
    assert recall(RANKING, GRADES, 5) == pytest.approx(0.5)
    assert reciprocal_rank(RANKING, GRADES) == pytest.approx(0.5)
    assert ndcg(RANKING, GRADES, 5) == pytest.approx(dcg / ideal_judged)
    assert ndcg_of_retrieved(RANKING, GRADES, 5) == pytest.approx(dcg / ideal_retrieved)


def test_the_papers_variant_rewards_finding_little() -> None:
    assert ndcg_of_retrieved(["c", "x"], GRADES, 5) == 1
    assert ndcg(["c", "x"], GRADES, 5) < 0.15


def test_missing_places_count_against_precision() -> None:
    assert precision(["a"], GRADES, 5) == pytest.approx(0.2)


def test_nothing_relevant_scores_nothing() -> None:
    assert set(ranking_scores(["a", "b"], {}).values()) == {0.0}


def test_nothing_retrieved_scores_nothing() -> None:
    assert set(ranking_scores([], GRADES).values()) == {0.0}


def test_papers_are_ranked_by_their_best_chunk() -> None:
    assert first_of_each(["p2", "p1", "p2", "p3", "p1"]) == ["p2", "p1", "p3"]


THEIR_NAMES = {
    "P@1": "precision@1",
    "P@5": "precision@5",
    "Hit@5": "hit_rate@5",
    "Recall@5": "recall@5",
    "Recall@20": "recall@20",
    "MRR": "mrr",
    "nDCG@5": "ndcg_burges@5",
}


def test_agrees_with_ranx(monkeypatch: pytest.MonkeyPatch) -> None:
    # Compiling ranx takes half a minute; as plain Python it answers at once.
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    import ranx  # noqa: PLC0415

    rng = random.Random(5)
    qrels, run, rankings = {}, {}, {}
    for number in range(40):
        ids = [f"c{i}" for i in range(30)]
        relevant = rng.sample([f"c{i}" for i in range(35)], rng.randint(1, 8))
        qrels[f"q{number}"] = {key: rng.randint(1, 3) for key in relevant}
        rng.shuffle(ids)
        rankings[f"q{number}"] = ids
        run[f"q{number}"] = {key: 100.0 - place for place, key in enumerate(ids)}
    for ours, theirs in THEIR_NAMES.items():
        expected = ranx.evaluate(
            ranx.Qrels(qrels), ranx.Run(run), theirs, return_mean=False, threads=1
        )
        got = [ranking_scores(rankings[q], qrels[q])[ours] for q in sorted(qrels)]
        assert got == pytest.approx(list(expected)), ours


@given(ranking=st.lists(st.sampled_from("abcdexyz"), unique=True))
def test_every_score_lies_between_0_and_1(ranking: list[str]) -> None:
    assert all(0 <= value <= 1 + 1e-12 for value in ranking_scores(ranking, GRADES).values())
