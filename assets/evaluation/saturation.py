"""Which kinds of source fill the first places of a ranking: saturation by source tier."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

TOP = 5


@dataclass(frozen=True, slots=True)
class Saturation:
    """One tier's part of the first places, over some queries.

    `share` is its mean share, `full` the share of queries whose first places are all of it
    (arXiv:2605.31506 reports that of one query), `corpus` its share of all passages.
    """

    share: float
    full: float
    corpus: float


def tier_shares(rankings: Sequence[Sequence[int]], tiers: Sequence[str], tier: str) -> list[float]:
    """Of each ranking (rows, best first) the share of a tier among its first five places.

    A ranking of fewer has fewer places; an empty one has none of any tier.
    """
    tops = [ranking[:TOP] for ranking in rankings]
    return [sum(tiers[row] == tier for row in top) / len(top) if top else 0.0 for top in tops]


def saturation(rankings: Sequence[Sequence[int]], tiers: Sequence[str]) -> dict[str, Saturation]:
    """Every tier's saturation, tiers in alphabetical order; `tiers[row]` is a passage's tier."""
    counts = Counter(tiers)
    found = {}
    for tier in sorted(counts):
        shares = tier_shares(rankings, tiers, tier)
        found[tier] = Saturation(
            share=sum(shares) / len(shares) if shares else 0.0,
            full=sum(share == 1.0 for share in shares) / len(shares) if shares else 0.0,
            corpus=counts[tier] / len(tiers),
        )
    return found
