"""Whether one ranking is better than another, question by question."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """Mean difference a − b over `n` paired scores with a bootstrap 95% interval, and the
    Wilcoxon signed-rank test of the same pairs.

    `p_value` is two-sided; `effect` the matched-pairs rank-biserial correlation in [−1, 1]
    (Kerby 2014): the share of rank sums in favour of a minus that in favour of b. Both are None
    where no pair differs.
    """

    n: int
    differing: int
    mean: float
    low: float
    high: float
    p_value: float | None
    effect: float | None


def paired_difference(
    a: Sequence[float], b: Sequence[float], resamples: int = 10_000, seed: int = 0
) -> PairedDifference:
    """Compare two methods' scores on the same questions, in the same order.

    The interval is the percentile bootstrap over questions (Efron and Tibshirani 1993).
    """
    if len(a) != len(b) or not len(a):
        raise ValueError(f"paired scores needed, got {len(a)} and {len(b)}")
    difference = np.asarray(a, dtype=float) - np.asarray(b, dtype=float)
    n = len(difference)
    rng = np.random.default_rng(seed)
    means = difference[rng.integers(0, n, (resamples, n))].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    differing = difference[difference != 0]
    p_value, effect = _signed_rank(differing)
    return PairedDifference(
        n=n,
        differing=len(differing),
        mean=float(difference.mean()),
        low=float(low),
        high=float(high),
        p_value=p_value,
        effect=effect,
    )


def _signed_rank(differing: np.ndarray) -> tuple[float | None, float | None]:
    if not len(differing):
        return None, None
    from scipy.stats import rankdata, wilcoxon  # noqa: PLC0415 - a second to import

    ranks = rankdata(np.abs(differing))
    effect = float((ranks * np.sign(differing)).sum() / ranks.sum())
    return float(wilcoxon(differing).pvalue), effect
