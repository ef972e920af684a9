"""A corpus for the density audits whose cosines, densities and BM25 scores a test writes down."""

from collections.abc import Sequence

import numpy as np

from assets.evaluation.conditions import AuditCorpus
from assets.retrieval.ranking import Scores


def floats(*values: float) -> Scores:
    """As the corpus has them."""
    return np.array(values, dtype=np.float32)


def corpus_of(
    cosines: Sequence[float],
    published: Sequence[float],
    robust: Sequence[float] | None = None,
    tokens: Sequence[float] | None = None,
    bm25: Sequence[float] | None = None,
) -> AuditCorpus:
    """Passages c000, c001, … with these cosines to the query (1, 0), whatever it asks."""
    n = len(cosines)
    return AuditCorpus(
        chunk_ids=[f"c{i:03}" for i in range(n)],
        document_ids=[f"d{i:03}" for i in range(n)],
        tiers=["tier"] * n,
        texts=[""] * n,
        vectors=np.array([[c, np.sqrt(1 - c * c)] for c in cosines], dtype=np.float32),
        bm25=lambda _: floats(*(bm25 or [0.0] * n)),
        published=floats(*published),
        robust=floats(*(robust or published)),
        tokens=floats(*(tokens or [1.0] * n)),
    )
