"""Audits of a density: correlation with length, and spread of claim scores."""

import numpy as np
import pytest

from assets.factuality.confound import (
    LEAST_SPREAD,
    length_confound,
    spread,
    spread_by_tier,
)


def test_a_hand_worked_correlation():
    # x: 1 2 3 4 5, y: 2 1 4 3 5 → Sxy = 8, Sxx = Syy = 10, R = .8
    found = length_confound([2, 1, 4, 3, 5], [1, 2, 3, 4, 5])
    assert found.r == pytest.approx(0.8, abs=1e-12)
    assert found.n == 5
    # Fisher: atanh(.8) ± 1.959964/√2
    half = 1.959963984540054 / np.sqrt(2)
    assert found.low == pytest.approx(np.tanh(np.arctanh(0.8) - half), abs=1e-9)
    assert found.high == pytest.approx(np.tanh(np.arctanh(0.8) + half), abs=1e-9)
    # t = R·√(3/(1 − R²)) = 2.3094 with 3 degrees of freedom
    assert found.p == pytest.approx(0.1041, abs=1e-4)


def test_the_published_figure_was_not_significant_at_its_own_sample():
    # R = −.3873 with p = .0749 belongs to 22 pairs, not to 600
    rng = np.random.default_rng(0)
    x = rng.normal(size=22)
    noise = rng.normal(size=22)
    noise -= noise.mean() + np.polyfit(x, noise, 1)[0] * (x - x.mean())
    x = (x - x.mean()) / x.std()
    noise /= noise.std()
    y = -0.3873 * x + np.sqrt(1 - 0.3873**2) * noise
    found = length_confound(y, x)
    assert found.r == pytest.approx(-0.3873, abs=1e-9)
    assert found.p == pytest.approx(0.0749, abs=2e-4)
    assert found.low < found.r < 0 < found.high


@pytest.mark.parametrize(
    ("scores", "tokens"),
    [([], []), ([1, 2, 3], [1, 2, 3]), ([1, 1, 1, 1], [1, 2, 3, 4]), ([1, 2, 3, 4], [5, 5, 5, 5])],
)
def test_where_no_correlation_is_defined_there_is_none(scores, tokens):
    assert length_confound(scores, tokens) is None


def test_scores_and_lengths_must_pair():
    with pytest.raises(ValueError, match="one score a passage"):
        length_confound([1, 2, 3, 4, 5], [1, 2, 3, 4])


def test_spread_is_sufficient_from_a_tenth_on():
    assert spread([0.4, 0.8]).std == pytest.approx(0.2)
    assert spread([0.4, 0.8]).sufficient
    assert not spread([0.6, 0.6 + LEAST_SPREAD]).sufficient
    assert spread([]) == spread([])
    assert not spread([]).sufficient


def test_tiers_are_measured_apart():
    found = spread_by_tier({"review": [0.2, 1.0], "preprint": [0.7, 0.7, 0.7], "thesis": []})
    assert [(one.n, one.sufficient) for one in found.values()] == [
        (2, True),
        (3, False),
        (0, False),
    ]
