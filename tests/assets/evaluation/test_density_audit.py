"""Spread of claim scores, claims a passage, and the length confound of every density."""

import numpy as np
import pytest

from assets.evaluation.audit import audit_density
from assets.evaluation.density_audit import LARGEST_CONFOUND, density_audit
from assets.factuality.confound import length_confound


def row(tier: str, tokens: int, claims: int, raw: float) -> dict:
    return {
        "tier": tier, "tokens": tokens, "claims": claims, "fd_raw": raw,
        "fd_star_published": 2 * raw, "fd_star": -raw,
    }  # fmt: skip


def test_counts_by_hand():
    rows = [row("a", 10, 0, 0.0), row("a", 20, 2, 0.1), row("b", 30, 7, 0.2), row("b", 40, 0, 0.0)]
    found = density_audit(rows, {"a": [0.2, 1.0], "b": [0.6] * 7})
    assert (found["passages"], found["claims"]) == (4, 9)
    assert found["claims_per_passage"]["mean"] == 2.25
    assert found["claims_per_passage"]["without"] == 2
    assert found["claims_per_passage"]["by_tier"]["b"] == {
        "n": 2, "mean": 3.5, "median": 3.5, "most": 7, "without": 1
    }  # fmt: skip
    assert found["prob_fact"]["by_tier"]["a"]["std"] == pytest.approx(0.4)
    assert found["prob_fact"]["by_tier"]["b"]["sufficient"] is False


def test_a_collapsed_tier_of_enough_claims_is_too_little():
    spread = [0.2, 1.0] * 20
    assert density_audit([], {"a": spread, "b": spread})["prob_fact"]["sufficient"] is True
    assert density_audit([], {"a": spread, "b": [0.6] * 40})["prob_fact"]["sufficient"] is False
    # A tier of a few claims says nothing; no claims at all say nothing either.
    assert density_audit([], {"a": spread, "b": [0.6] * 3})["prob_fact"]["sufficient"] is True
    assert density_audit([], {})["prob_fact"]["sufficient"] is False


def test_the_confound_is_that_of_each_density():
    rng = np.random.default_rng(0)
    rows = [
        row("a", int(tokens), 1, float(raw))
        for tokens, raw in zip(rng.integers(20, 256, 200), rng.random(200), strict=True)
    ]
    found = density_audit(rows, {})["length_confound"]
    expected = length_confound([one["fd_raw"] for one in rows], [one["tokens"] for one in rows])
    assert found["raw"]["r"] == expected.r
    assert found["published"]["r"] == pytest.approx(expected.r)
    assert found["robust"]["r"] == pytest.approx(-expected.r)
    assert found["raw"]["small"] is True


def test_the_interval_decides_and_not_the_p_value():
    # The published R after correction: −.3873. At n = 22 its p is .0749, and it is not small.
    x = np.arange(22)
    rows = [row("a", int(i), 1, float(-i % 7)) for i in x]
    found = density_audit(rows, {})["length_confound"]["raw"]
    assert found["p"] > 0.05
    assert max(abs(found["low"]), abs(found["high"])) > LARGEST_CONFOUND
    assert found["small"] is False


def test_a_constant_density_has_no_correlation():
    rows = [row("a", i, 0, 0.0) for i in range(10)]
    assert density_audit(rows, {})["length_confound"] == dict.fromkeys(
        ["raw", "published", "robust"]
    )


def test_plots_come_with_it():
    rows = [row("a", 10, 1, 0.1), row("b", 20, 2, 0.2)]
    claims = [[{"prob_fact": 0.4}], [{"prob_fact": 0.6}, {"prob_fact": 1.0}]]
    audit = audit_density(rows, claims)
    assert audit.report["prob_fact"]["by_tier"]["b"]["n"] == 2
    assert set(audit.plots) == {"prob_fact by tier", "density and length"}
