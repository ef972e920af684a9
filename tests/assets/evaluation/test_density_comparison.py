"""The paired test of the conditions, and what it says in words."""

import numpy as np
import pytest

from assets.evaluation.conditions import Condition, rank
from assets.evaluation.density_effect import WEIGHTS, density_test, tier_test
from assets.evaluation.significance import paired_difference
from assets.evaluation.verdict import FEWEST, direction, figures, p_text, verdict
from tests.support.audit_corpus import corpus_of

QUERIES = 60


def experiment(relevant_is_dense: bool):
    """A corpus where the tenth by cosine is the only dense passage, and who asks for what."""
    cosines = [0.9 - 0.001 * i for i in range(12)]
    corpus = corpus_of(cosines, [3.0 if i == 9 else 0.0 for i in range(12)], bm25=[1.0] * 12)
    grades = [{corpus.chunk_ids[9 if relevant_is_dense else 0]: 1}] * QUERIES
    vectors = np.tile(np.array([1.0, 0.0], dtype=np.float32), (QUERIES, 1))
    return corpus, rank(corpus, ["q"] * QUERIES, vectors), grades


def test_a_density_that_finds_what_is_asked_for():
    corpus, ranked, grades = experiment(relevant_is_dense=True)
    report = density_test(corpus, ranked, grades)
    assert report["n"] == QUERIES
    assert report["best_possible_P@5"] == 0.2
    assert report["conditions"]["A"] == {
        "P@1": 0.0, "P@5": 0.0, "Hit@5": 0.0, "MRR": 0.1, "nDCG@5": 0.0
    }  # fmt: skip
    assert report["conditions"]["C"] == {
        "P@1": 1.0, "P@5": 0.2, "Hit@5": 1.0, "MRR": 1.0, "nDCG@5": 1.0
    }  # fmt: skip
    assert report["sweep"]["weights"] == list(WEIGHTS)
    assert report["sweep"]["C"] == [0.0, *[0.2] * 10]
    said = verdict(report, "the questions")
    assert said.startswith("Reranking by FD* as published and by the robust FD* helps")
    assert "raises P@5 from 0.000 by cosine to 0.200" in said
    assert "FD* as published is best at the weight 0.1 (0.200; length alone there 0.000)" in said
    assert "does not differ from the published one (no pair differs)" in said


def test_a_density_that_loses_what_is_asked_for():
    corpus, ranked, grades = experiment(relevant_is_dense=False)
    report = density_test(corpus, ranked, grades)
    harmed = next(
        one
        for one in report["comparisons"]
        if (one["condition"], one["against"], one["metric"]) == ("C", "A", "MRR")
    )
    expected = paired_difference([0.5] * QUERIES, [1.0] * QUERIES)
    assert (harmed["mean"], harmed["effect"]) == (-0.5, -1.0)
    assert harmed["p_value"] == expected.p_value < 1e-9
    # P@5 is the same in both orders: that is no harm, and nothing is claimed.
    said = verdict(report, "the questions")
    assert said.startswith("That reranking by factual density helps retrieval is not shown here.")
    assert "leaves P@5 at 0.200 against 0.200 by cosine (no pair differs)" in said
    assert "No weight of the density above 0 is better" in said


def test_harm_is_said_plainly():
    cosines = [0.9 - 0.001 * i for i in range(12)]
    corpus = corpus_of(cosines, [0.0 if i < 6 else 3.0 for i in range(12)])
    vectors = np.tile(np.array([1.0, 0.0], dtype=np.float32), (QUERIES, 1))
    ranked = rank(corpus, ["q"] * QUERIES, vectors)
    report = density_test(corpus, ranked, [{corpus.chunk_ids[0]: 1}] * QUERIES)
    said = verdict(report, "the questions")
    assert said.startswith(
        "Reranking by factual density does not help retrieval here; it harms it."
    )
    assert "lowers P@5 from 0.200 by cosine to 0.000 (-0.200, 95% CI -0.200 to -0.200" in said
    assert "rank-biserial -1.00" in said


def test_few_queries_say_nothing():
    corpus, ranked, grades = experiment(relevant_is_dense=True)
    few = range(FEWEST - 1)
    report = density_test(corpus, ranked.only(list(few)), grades[: FEWEST - 1])
    assert verdict(report, "the questions") == (
        "Of the questions only 49 can be tested, fewer than 50: too few to say anything."
    )
    nothing = density_test(corpus, ranked.only([]), [])
    assert (nothing["n"], nothing["comparisons"], nothing["best_possible_P@5"]) == (0, [], 0.0)


def test_tiers_need_no_relevance():
    _, ranked, _ = experiment(relevant_is_dense=True)
    tiers = ["expert" if i == 9 else "lay" for i in range(12)]
    found = tier_test(ranked, tiers, "expert")
    assert found["expert_share"]["A"] == 0.0
    assert found["expert_share"]["C"] == 0.2
    assert found["against_cosine"]["C"]["mean"] == pytest.approx(0.2)
    assert found["saturation"]["C"]["lay"]["share"] == pytest.approx(0.8)
    assert found["saturation"]["A"]["lay"]["full"] == 1.0
    assert tier_test(ranked.only([]), tiers, "expert")["against_cosine"] == {}


def test_every_condition_is_reported():
    corpus, ranked, grades = experiment(relevant_is_dense=True)
    report = density_test(corpus, ranked, grades)
    assert set(report["conditions"]) == {name.value for name in Condition}


@pytest.mark.parametrize(
    ("p", "text"), [(0.0319, ".032"), (0.5, ".500"), (1.0, "1.000"), (2.4e-9, "2e-09")]
)
def test_p_values_are_readable(p, text):
    assert p_text(p) == text


def test_only_what_chance_does_not_explain_has_a_direction():
    plain = {"mean": -0.1, "p_value": 0.049}
    assert direction(plain, "up", "down", "none") == "down"
    assert direction({**plain, "mean": 0.1}, "up", "down", "none") == "up"
    assert direction({**plain, "p_value": 0.05}, "up", "down", "none") == "none"
    assert direction({**plain, "p_value": None}, "up", "down", "none") == "none"
    assert figures({"p_value": None}) == "no pair differs"
