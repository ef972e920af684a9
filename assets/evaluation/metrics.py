"""Ranking metrics over graded relevance, one question at a time.

A ranking is a list of ids, best first, without repetitions; `grades` maps relevant ids to grades
of 1 or more; every other id has grade 0. All values lie in [0, 1].
"""

import math
from collections.abc import Mapping, Sequence

Grades = Mapping[str, int]


def precision(ranking: Sequence[str], grades: Grades, k: int) -> float:
    """P@k: share of the first k places that hold something relevant; empty places count."""
    return sum(key in grades for key in ranking[:k]) / k


def hit(ranking: Sequence[str], grades: Grades, k: int) -> float:
    """Hit@k: 1 where one of the first k is relevant, else 0."""
    return float(any(key in grades for key in ranking[:k]))


def recall(ranking: Sequence[str], grades: Grades, k: int) -> float:
    """Recall@k: share of everything relevant that is among the first k; 0 if nothing is."""
    return sum(key in grades for key in ranking[:k]) / len(grades) if grades else 0.0


def reciprocal_rank(ranking: Sequence[str], grades: Grades) -> float:
    """1 over the place of the first relevant id, 0 where there is none; its mean is MRR."""
    return next((1 / place for place, key in enumerate(ranking, 1) if key in grades), 0.0)


def ndcg(ranking: Sequence[str], grades: Grades, k: int) -> float:
    """nDCG@k with gain 2^grade − 1 and discount log2(place + 1).

    The ideal ranking is of everything judged (Järvelin and Kekäläinen, TOIS 20, 2002; exponential
    gain of Burges et al., ICML 2005), so that what was never found costs.
    """
    return _normalised(ranking, grades, list(grades.values()), k)


def ndcg_of_retrieved(ranking: Sequence[str], grades: Grades, k: int) -> float:
    """gNDCG@k as in arXiv:2606.10381: the ideal is the best order of what was retrieved.

    A ranking that finds one passage of grade 1 and puts it first scores 1.
    """
    return _normalised(ranking, grades, [grades.get(key, 0) for key in ranking], k)


def _normalised(ranking: Sequence[str], grades: Grades, ideal: list[int], k: int) -> float:
    best = _dcg(sorted(ideal, reverse=True)[:k])
    return _dcg([grades.get(key, 0) for key in ranking[:k]]) / best if best else 0.0


def _dcg(gains: Sequence[int]) -> float:
    return sum(float(2**grade - 1) / math.log2(place + 1) for place, grade in enumerate(gains, 1))


def first_of_each(ranking: Sequence[str]) -> list[str]:
    """A ranking of papers from the papers of a ranking of chunks: each at its best place."""
    return list(dict.fromkeys(ranking))


def ranking_scores(ranking: Sequence[str], grades: Grades) -> dict[str, float]:
    """All metrics that are reported for one question."""
    return {
        "P@1": precision(ranking, grades, 1),
        "P@5": precision(ranking, grades, 5),
        "Hit@5": hit(ranking, grades, 5),
        "Recall@5": recall(ranking, grades, 5),
        "Recall@20": recall(ranking, grades, 20),
        "MRR": reciprocal_rank(ranking, grades),
        "nDCG@5": ndcg(ranking, grades, 5),
        "gNDCG@5": ndcg_of_retrieved(ranking, grades, 5),
    }
