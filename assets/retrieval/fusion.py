"""Rank and score fusion: several rankings of the same passages to one.

`weighted_rrf` is the published formula (arXiv:2606.10381); `pool` is the agent's evidence pool.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from assets.retrieval.ranking import Scores
from assets.retrieval.records import Hit

RRF_K = 60.0

Key = TypeVar("Key", str, int)


def weighted_rrf(
    rankings: Sequence[tuple[float, Sequence[Key]]], k: float = RRF_K
) -> dict[Key, float]:
    """Weighted reciprocal rank fusion: S(c) = Σ_r w_r / (k + rank_r(c)), ranks from 1.

    `rankings` pairs each weight with its ids, best first; an id that a ranking lacks gets
    nothing from it. Returns the score of every id that occurs. arXiv:2606.10381 takes k = 60 and
    the weights .9 (dense) and .1 (sparse).
    """
    scores: dict[Key, float] = {}
    for weight, ids in rankings:
        for rank, key in enumerate(ids, start=1):
            scores[key] = scores.get(key, 0.0) + weight / (k + rank)
    return scores


def standardised(scores: Scores, moments: tuple[float, float] | None = None) -> Scores:
    """Scores as z-values over all passages: mean 0, standard deviation 1; all 0 if constant.

    `moments` are the mean and standard deviation, where `scores` lack those of some passages.
    """
    if not len(scores):
        return scores
    mean, spread = moments or (float(scores.mean()), float(scores.std()))
    if spread == 0:
        return np.zeros_like(scores)
    z: Scores = ((scores - np.float32(mean)) / np.float32(spread)).astype(np.float32)
    return z


def pool(rankings: Sequence[Sequence[Hit]], m: int) -> list[Hit]:
    """The agent's evidence pool: the union of rankings, each chunk once with its best score.

    Cut to the `m` best and ranked anew; equal scores by chunk id (arXiv:2606.10381).
    """
    best: dict[str, Hit] = {}
    for ranking in rankings:
        for hit in ranking:
            known = best.get(hit.chunk_id)
            if known is None or hit.score > known.score:
                best[hit.chunk_id] = hit
    ordered = sorted(best.values(), key=lambda hit: (-hit.score, hit.chunk_id))[:m]
    return [replace(hit, rank=rank) for rank, hit in enumerate(ordered, start=1)]
