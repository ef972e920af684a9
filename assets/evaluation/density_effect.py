"""Does reranking by factual density find better passages? The test that arXiv:2605.31506 planned.

Every condition ranks the same corpus for the same queries; each query's scores are compared in
pairs by the Wilcoxon signed-rank test with the matched-pairs rank-biserial correlation as effect
size and a bootstrap interval of the mean difference. A sweep over the density's weight says
whether another weight than the published 0.5 would do better, and whether length alone does.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from assets.evaluation.conditions import DEPTH, AuditCorpus, Condition, Ranked
from assets.evaluation.metrics import hit, ndcg, precision, reciprocal_rank
from assets.evaluation.retrieval import averaged
from assets.evaluation.saturation import TOP, saturation, tier_shares
from assets.evaluation.significance import paired_difference

COMPARED = (
    (Condition.PUBLISHED, Condition.COSINE),
    (Condition.ROBUST, Condition.COSINE),
    (Condition.CORPUS, Condition.COSINE),
    (Condition.LENGTH, Condition.COSINE),
    (Condition.PUBLISHED, Condition.BM25),
    (Condition.ROBUST, Condition.BM25),
    (Condition.ROBUST, Condition.PUBLISHED),
    (Condition.BM25, Condition.COSINE),
)
"""Pairs of conditions; a positive difference favours the first."""

VARIANTS = (Condition.PUBLISHED, Condition.ROBUST)
"""C with each variant of FD*."""

SWEPT = (*VARIANTS, Condition.LENGTH)
"""What the sweep gives every weight."""

WEIGHTS = tuple(step / 10 for step in range(11))

_METRICS = ("P@1", "P@5", "MRR", "nDCG@5")


def density_test(
    corpus: AuditCorpus, ranked: Ranked, grades: Sequence[Mapping[str, int]]
) -> dict[str, Any]:
    """The comparison as plain values.

    `grades` holds for each query of `ranked` the grade, 1 or more, of every relevant passage by
    chunk id. P@5 cannot exceed `best_possible_P@5` where queries have fewer relevant passages.
    """
    scores = {
        name: [_scores(_ids(corpus, rows), own) for rows, own in zip(found, grades, strict=True)]
        for name, found in ranked.rankings.items()
    }
    return {
        "n": len(grades),
        "best_possible_P@5": _mean(min(TOP, len(own)) / TOP for own in grades),
        "conditions": {name.value: averaged(found) for name, found in scores.items()},
        "comparisons": _comparisons(scores) if grades else [],
        "sweep": {
            "weights": list(WEIGHTS),
            **{name.value: _sweep(corpus, ranked, grades, name) for name in SWEPT},
        },
    }


def tier_test(ranked: Ranked, tiers: Sequence[str], expert: str) -> dict[str, Any]:
    """Who fills the first five places, as plain values; needs no judgement of relevance.

    `tiers[row]` is a passage's tier. The shares of the tier `expert` are compared with those by
    cosine, query by query.
    """
    shares = {name: tier_shares(rows, tiers, expert) for name, rows in ranked.rankings.items()}
    counted = bool(ranked.candidates)
    return {
        "n": len(ranked.candidates),
        "saturation": {
            name.value: {tier: asdict(one) for tier, one in saturation(rows, tiers).items()}
            for name, rows in ranked.rankings.items()
        },
        "expert": expert,
        "expert_share": {name.value: _mean(values) for name, values in shares.items()},
        "against_cosine": {
            name.value: asdict(paired_difference(shares[name], shares[Condition.COSINE]))
            for name in (Condition.BM25, *VARIANTS)
            if counted
        },
    }


def _scores(ranking: Sequence[str], grades: Mapping[str, int]) -> dict[str, float]:
    return {
        "P@1": precision(ranking, grades, 1),
        "P@5": precision(ranking, grades, TOP),
        "Hit@5": hit(ranking, grades, TOP),
        "MRR": reciprocal_rank(ranking[:DEPTH], grades),
        "nDCG@5": ndcg(ranking, grades, TOP),
    }


def _comparisons(scores: Mapping[Condition, Sequence[dict[str, float]]]) -> list[dict[str, Any]]:
    return [
        {
            "condition": one.value,
            "against": other.value,
            "metric": metric,
            **asdict(
                paired_difference(
                    [row[metric] for row in scores[one]], [row[metric] for row in scores[other]]
                )
            ),
        }
        for one, other in COMPARED
        for metric in _METRICS
    ]


def _sweep(
    corpus: AuditCorpus, ranked: Ranked, grades: Sequence[Mapping[str, int]], name: Condition
) -> list[float]:
    """Mean P@5 at each weight."""
    return [
        _mean(
            precision(_ids(corpus, found.reranked(name, weight, corpus.order)[:TOP]), own, TOP)
            for found, own in zip(ranked.candidates, grades, strict=True)
        )
        for weight in WEIGHTS
    ]


def _ids(corpus: AuditCorpus, rows: Iterable[int]) -> list[str]:
    return [corpus.chunk_ids[row] for row in rows]


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return round(sum(found) / len(found), 4) if found else 0.0
