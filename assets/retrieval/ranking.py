"""The one order of results: higher score first, equal scores by chunk id.

Index libraries return equal scores in an arbitrary order and fill up with documents that match
nothing; every ranking here goes through these functions instead.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float32]
Rows = NDArray[np.int64]


def id_order(chunk_ids: Sequence[str]) -> Rows:
    """Place of each row in the alphabetical order of ids; int64 of shape (n,)."""
    order = np.empty(len(chunk_ids), dtype=np.int64)
    order[sorted(range(len(chunk_ids)), key=chunk_ids.__getitem__)] = np.arange(len(chunk_ids))
    return order


def top_rows(scores: Scores, k: int, order: Rows, above: float = -np.inf) -> Rows:
    """Rows of the at most `k` highest scores that are greater than `above`, best first.

    `scores` and `order` have shape (n,); equal scores come by `order`.
    """
    rows = np.flatnonzero(scores > above)
    if len(rows) > k:
        kept = scores[rows]
        threshold = np.partition(kept, len(kept) - k)[len(kept) - k]
        rows = rows[kept >= threshold]
    best: Rows = rows[np.lexsort((order[rows], -scores[rows]))][:k]
    return best
