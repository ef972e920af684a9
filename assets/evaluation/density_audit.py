"""Is a density more than length, and do claim scores vary? The audits of arXiv:2605.31506.

The paper calls its density free of length because p = .0749 at n = 22: a small sample, not a small
correlation. Here the confidence interval decides: it must lie within ±0.3.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from assets.factuality.confound import Correlation, length_confound, spread, spread_by_tier

LARGEST_CONFOUND = 0.3
"""|R| from which a correlation is of medium size (Cohen 1988)."""

VARIANTS = {"raw": "fd_raw", "published": "fd_star_published", "robust": "fd_star"}
"""Each density and its column in the rows of `density_rows`."""

# A tier of fewer claims says nothing about how its scores vary.
_FEWEST_CLAIMS = 30


def density_audit(
    rows: Sequence[Mapping[str, Any]], prob_facts: Mapping[str, Sequence[float]]
) -> dict[str, Any]:
    """The audit of some passages as plain values.

    `rows` are those of `density_rows`; `prob_facts` are the scores of all their claims by tier.
    """
    all_scores = [score for scores in prob_facts.values() for score in scores]
    tiers = {
        tier: {**asdict(one), "sufficient": one.sufficient}
        for tier, one in sorted(spread_by_tier(prob_facts).items())
    }
    judged = [one["sufficient"] for one in tiers.values() if one["n"] >= _FEWEST_CLAIMS]
    tokens = [row["tokens"] for row in rows]
    return {
        "passages": len(rows),
        "claims": len(all_scores),
        "prob_fact": {
            **asdict(spread(all_scores)),
            "by_tier": tiers,
            "sufficient": spread(all_scores).sufficient and all(judged),
        },
        "claims_per_passage": _claims_per_passage(rows),
        "length_confound": {
            name: _confound(length_confound([row[column] for row in rows], tokens))
            for name, column in VARIANTS.items()
        },
    }


def _claims_per_passage(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    counts: dict[str, list[int]] = {}
    for row in rows:
        counts.setdefault(row["tier"], []).append(row["claims"])
    by_tier = {tier: _distribution(found) for tier, found in sorted(counts.items())}
    return {**_distribution([row["claims"] for row in rows]), "by_tier": by_tier}


def _distribution(counts: Sequence[int]) -> dict[str, Any]:
    if not counts:
        return {"n": 0, "mean": 0.0, "median": 0.0, "most": 0, "without": 0}
    return {
        "n": len(counts),
        "mean": round(float(np.mean(counts)), 2),
        "median": float(np.median(counts)),
        "most": max(counts),
        "without": Counter(counts)[0],
    }


def _confound(found: Correlation | None) -> dict[str, Any] | None:
    if found is None:
        return None
    small = max(abs(found.low), abs(found.high)) <= LARGEST_CONFOUND
    return {**asdict(found), "small": small}
