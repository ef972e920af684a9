"""Paired comparison of two rankings."""

import numpy as np
import pytest
from scipy.stats import wilcoxon

from assets.evaluation.significance import paired_difference


def test_equal_scores_differ_in_nothing() -> None:
    result = paired_difference([0.5, 1.0, 0.0], [0.5, 1.0, 0.0])
    assert (result.mean, result.low, result.high) == (0, 0, 0)
    assert (result.differing, result.p_value, result.effect) == (0, None, None)


def test_one_sided_win_has_effect_one() -> None:
    result = paired_difference([0.9, 0.8, 0.7, 0.6], [0.1, 0.2, 0.3, 0.4])
    assert result.effect == 1
    assert result.mean == pytest.approx(0.5)
    assert 0.2 <= result.low <= result.mean <= result.high <= 0.8


def test_rank_biserial_by_hand() -> None:
    # differences 1, -2, 3 have ranks 1, 2, 3: (1 + 3 - 2) / 6
    assert paired_difference([1, 0, 3], [0, 2, 0]).effect == pytest.approx(1 / 3)


def test_interval_and_p_value_on_a_known_shift() -> None:
    rng = np.random.default_rng(3)
    b = rng.normal(size=200)
    a = b + 0.3 + rng.normal(scale=0.5, size=200)
    result = paired_difference(a, b)
    assert result.low < 0.3 < result.high
    # width of a normal 95% interval of the mean of these differences
    expected = 2 * 1.96 * np.std(a - b) / np.sqrt(200)
    assert result.high - result.low == pytest.approx(expected, rel=0.1)
    assert result.p_value == pytest.approx(wilcoxon(a, b).pvalue)


def test_swapping_the_methods_turns_every_sign() -> None:
    a, b = [0.2, 0.9, 0.4, 0.4], [0.1, 0.3, 0.8, 0.4]
    forward, backward = paired_difference(a, b), paired_difference(b, a)
    assert forward.mean == pytest.approx(-backward.mean)
    assert forward.effect == pytest.approx(-backward.effect)
    assert forward.p_value == backward.p_value


@pytest.mark.parametrize(("a", "b"), [([], []), ([1.0], [1.0, 2.0])])
def test_refuses_what_cannot_be_paired(a: list[float], b: list[float]) -> None:
    with pytest.raises(ValueError, match="paired scores"):
        paired_difference(a, b)
