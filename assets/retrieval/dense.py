"""Cosines of a query with the passages: with all of them, or with those that an index finds near.

One matrix product over all vectors loses nothing and is faster than any index at the size of a
literature corpus: some 0.2 to 2 ms at 6,000 passages and 8 ms at 100,000. Past a few hundred
thousand it is not, and an approximate index says which passages are worth the product.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from assets.retrieval.ranking import Rows, Scores
from resources.encoder import Vectors

Mask = NDArray[np.bool_]

#: As many of a filtered corpus are looked at one by one.
FEW = 20_000


class DenseRanker(Protocol):
    """What knows the cosine of a query with passages; row i belongs to passage i."""

    def cosines(self, query: Vectors, also: Rows | None = None, keep: Mask | None = None) -> Scores:
        """Cosine of each passage that was looked at, −inf for the others; float32, shape (n,).

        `query` has shape (d,); of another length than 1 it gives products that rank as cosines
        do. `also` are rows to look at wherever they lie, and
        with `keep` (bool, shape (n,)) the nearest are looked for among those it allows.
        """

    def moments(self, query: Vectors) -> tuple[float, float] | None:
        """Mean and standard deviation of a query's cosines with all passages; None where
        `cosines` gives them all."""


class ExactRanker:
    """Looks at every passage; `vectors` is float32 of shape (n, d), rows of unit length."""

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors

    def cosines(self, query: Vectors, also: Rows | None = None, keep: Mask | None = None) -> Scores:
        """All cosines."""
        del also, keep
        return cosines(self._vectors, query)

    def moments(self, query: Vectors) -> tuple[float, float] | None:
        """None: every cosine is known."""
        del query
        return None


class NearestRanker:
    """Looks at the passages that an approximate index names, and gives them their exact cosine.

    `near(query, most)` returns rows, nearest first, without repetitions.
    """

    def __init__(
        self, vectors: Vectors, near: Callable[[Vectors, int], Rows], fetched: int
    ) -> None:
        self._vectors = vectors
        self._near = near
        self._fetched = fetched

    def cosines(self, query: Vectors, also: Rows | None = None, keep: Mask | None = None) -> Scores:
        """Cosines of the nearest passages and of `also`.

        The fewer passages `keep` allows, the more of the nearest are asked for, so that as many
        allowed ones are among them; a few allowed ones are all looked at.
        """
        rows = self._looked_at(query, keep)
        if also is not None:
            rows = np.union1d(rows, also)
        scores = np.full(len(self._vectors), -np.inf, dtype=np.float32)
        scores[rows] = self._vectors[rows] @ query
        return scores

    def moments(self, query: Vectors) -> tuple[float, float]:
        """Exact, without looking at a passage: mean = m·q and variance = qᵀMq − (m·q)², with the
        mean vector m and the mean outer product M of all passages."""
        mean_vector, outer = self._sums
        mean = float(mean_vector @ query)
        return mean, max(0.0, float(query @ outer @ query) - mean**2) ** 0.5

    def _looked_at(self, query: Vectors, keep: Mask | None) -> Rows:
        if keep is None:
            return self._near(query, self._fetched)
        allowed = int(keep.sum())
        if allowed <= FEW:
            return np.flatnonzero(keep)
        found = self._near(query, int(self._fetched * len(keep) / allowed))
        rows: Rows = found[keep[found]]
        return rows

    @cached_property
    def _sums(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        vectors = self._vectors
        total = np.zeros(vectors.shape[1])
        outer = np.zeros((vectors.shape[1], vectors.shape[1]))
        for start in range(0, len(vectors), 50_000):
            part = vectors[start : start + 50_000]
            total += part.sum(axis=0, dtype=np.float64)
            outer += part.T @ part
        return total / len(vectors), outer / len(vectors)


def cosines(vectors: Vectors, query: Vectors) -> Scores:
    """Cosine of a query with every passage; float32 of shape (n,).

    `vectors` has shape (n, d) and `query` (d,), all of unit length.
    """
    if not len(vectors):
        return np.empty(0, dtype=np.float32)
    scores: Scores = vectors @ query
    return scores
