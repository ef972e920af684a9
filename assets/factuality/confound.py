"""Audits of a density: does it only measure length, and do claim scores vary at all?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

LEAST_SPREAD = 0.10
"""Standard deviation of prob_fact below which the signal has collapsed (arXiv:2605.31506)."""
_FEWEST_PAIRS = 4
"""The Fisher interval divides by √(n − 3)."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """Pearson's R of `n` pairs, its two-sided p-value, and its confidence interval [low, high]."""

    r: float
    n: int
    p: float
    low: float
    high: float


def length_confound(
    scores: ArrayLike, tokens: ArrayLike, confidence: float = 0.95
) -> Correlation | None:
    """Pearson's R of a score with passage length; the interval is Fisher's z transform.

    None where R is not defined: fewer than 4 passages, or one of the two constant.
    """
    from scipy import stats  # noqa: PLC0415 - a second to import

    x, y = np.asarray(tokens, dtype=np.float64), np.asarray(scores, dtype=np.float64)
    if x.shape != y.shape:
        raise ValueError("the length confound needs one score a passage")
    if x.size < _FEWEST_PAIRS or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    result = stats.pearsonr(x, y)
    interval = result.confidence_interval(confidence)
    return Correlation(
        r=float(result.statistic),
        n=int(x.size),
        p=float(result.pvalue),
        low=float(interval.low),
        high=float(interval.high),
    )


@dataclass(frozen=True, slots=True)
class Spread:
    """Count, mean and population standard deviation of the prob_fact of some claims."""

    n: int
    mean: float
    std: float

    @property
    def sufficient(self) -> bool:
        """Whether the scores vary enough to carry a signal."""
        return self.std >= LEAST_SPREAD


def spread(prob_facts: Sequence[float]) -> Spread:
    """The spread of some claims' prob_fact; zeros where there are none."""
    if not prob_facts:
        return Spread(0, 0.0, 0.0)
    return Spread(len(prob_facts), float(np.mean(prob_facts)), float(np.std(prob_facts)))


def spread_by_tier(prob_facts_by_tier: Mapping[str, Sequence[float]]) -> dict[str, Spread]:
    """The spread within each source tier."""
    return {tier: spread(values) for tier, values in prob_facts_by_tier.items()}
