"""Made-up corpora of any size: texts of Zipf-distributed words, and vectors in clusters.

Neither means anything. They have the statistics that the cost of searching depends on: few words
are everywhere and most are rare, and passages lie in clusters of a space that is much flatter than
its dimension, as the vectors of real texts do.
"""

from collections.abc import Iterator

import numpy as np

from resources.encoder import Vectors

WORDS_A_PASSAGE = 94  # the mean of a corpus of real papers
VOCABULARY = 60_000
ZIPF = 1.05
WORDS_A_QUESTION = 12

#: Vectors vary along this many directions, around one centre for every 60 passages.
INTRINSIC_DIMENSION = 32
PASSAGES_A_CLUSTER = 60
SPREAD = 0.6  # of a cluster, against 1 between the centres
NOISE = 0.15

_SYLLABLES = [a + b for a in "bcdfghklmnprstv" for b in ("a", "e", "i", "o", "u", "ar", "en")]


def vocabulary() -> list[str]:
    """Distinct made-up words, three syllables or more each, the commonest first."""
    base = len(_SYLLABLES)
    first, second, third = np.unravel_index(
        np.random.default_rng(1).permutation(base**3)[:VOCABULARY], (base, base, base)
    )
    return [
        _SYLLABLES[a] + _SYLLABLES[b] + _SYLLABLES[c]
        for a, b, c in zip(first, second, third, strict=True)
    ]


def texts(n: int, words: int = WORDS_A_PASSAGE, seed: int = 2) -> Iterator[str]:
    """`n` texts, one after another, so that a large corpus need not be held."""
    known = np.array(vocabulary(), dtype=object)
    shares = 1 / np.arange(1, len(known) + 1) ** ZIPF
    rng = np.random.default_rng(seed)
    cumulative = np.cumsum(shares / shares.sum())
    for start in range(0, n, 1000):
        drawn = np.searchsorted(cumulative, rng.random((min(1000, n - start), words)))
        yield from (" ".join(row) for row in known[np.minimum(drawn, len(known) - 1)])


def questions(n: int) -> list[str]:
    """Questions of the same words."""
    return list(texts(n, WORDS_A_QUESTION, seed=3))


class Clusters:
    """Unit vectors in clusters; passages and questions are drawn from the same ones."""

    def __init__(self, passages: int, dimension: int) -> None:
        rng = np.random.default_rng(4)
        self._directions = rng.standard_normal((INTRINSIC_DIMENSION, dimension)).astype(np.float32)
        self._centres = rng.standard_normal(
            (max(8, passages // PASSAGES_A_CLUSTER), INTRINSIC_DIMENSION)
        ).astype(np.float32)

    def draw(self, n: int, seed: int) -> Vectors:
        """`n` vectors, float32 of shape (n, dimension)."""
        rng = np.random.default_rng(seed)
        centres = self._centres[rng.integers(0, len(self._centres), n)]
        latent = centres + SPREAD * rng.standard_normal(centres.shape, dtype=np.float32)
        vectors = latent @ self._directions / np.float32(np.sqrt(INTRINSIC_DIMENSION))
        vectors += NOISE * rng.standard_normal(vectors.shape, dtype=np.float32)
        unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit
