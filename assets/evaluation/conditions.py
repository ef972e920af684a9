"""The retrieval conditions of arXiv:2605.31506 over one corpus.

A ranks by cosine, B by BM25, C takes the 20 best by cosine and reranks them by
(1 − w)·cosine + w·FD*, FD* rescaled to [0, 1], w = 0.5. C comes with the density as published and
with the robust one. The paper does not say how FD* is rescaled: C rescales it among the 20
candidates, as the density mode of a search does; C-corpus over the whole corpus. C-length is a
control: whatever it gains, passages' length gains without any claim.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from assets.factuality.density import rescale01
from assets.retrieval.dense import cosines
from assets.retrieval.ranking import Rows, Scores, id_order, top_rows
from assets.retrieval.search import rescaled
from resources.encoder import Vectors


class Condition(StrEnum):
    """A way to rank."""

    COSINE = "A"
    BM25 = "B"
    PUBLISHED = "C"
    ROBUST = "C-robust"
    CORPUS = "C-corpus"
    LENGTH = "C-length"


MEANING = {
    Condition.COSINE: "cosine",
    Condition.BM25: "BM25",
    Condition.PUBLISHED: "the 20 best by cosine, reranked with FD* as published",
    Condition.ROBUST: "the same with the robust FD*",
    Condition.CORPUS: "C with FD* rescaled over the whole corpus",
    Condition.LENGTH: "control: length in place of FD*",
}

DEPTH = 20
"""Passages that A hands to C, and length of every ranking."""
WEIGHT = 0.5
"""Weight of the density in C."""


@dataclass(frozen=True)
class AuditCorpus:
    """Passages with all that the conditions rank by; row i of every part belongs to passage i.

    `vectors` has shape (n, d), unit length; `bm25` gives the scores (n,) of a query, 0 where no
    term is shared; `published` and `robust` are FD*, NaN where a passage has none; `tokens` is
    the length.
    """

    chunk_ids: Sequence[str]
    document_ids: Sequence[str]
    tiers: Sequence[str]
    texts: Sequence[str]
    vectors: Vectors
    bm25: Callable[[str], Scores]
    published: Scores
    robust: Scores
    tokens: Scores

    @cached_property
    def order(self) -> Rows:
        """What breaks ties."""
        return id_order(self.chunk_ids)

    @cached_property
    def over_corpus(self) -> Scores:
        """The published FD* rescaled over the whole corpus; one that is missing is the least."""
        known = self.published[np.isfinite(self.published)]
        least = float(known.min()) if len(known) else 0.0
        scaled: Scores = rescale01(np.nan_to_num(self.published, nan=least)).astype(np.float32)
        return scaled


@dataclass(frozen=True, slots=True)
class Candidates:
    """The 20 best passages by cosine for one query, and what each condition adds, in [0, 1]."""

    rows: Rows
    cosine: Scores
    density: Mapping[Condition, Scores]

    def reranked(self, condition: Condition, weight: float, order: Rows) -> list[int]:
        """Rows by (1 − weight)·cosine + weight·density, best first; equal scores by `order`."""
        scores = (1 - weight) * self.cosine + weight * self.density[condition]
        best = top_rows(scores.astype(np.float32), len(self.rows), order[self.rows])
        return [int(self.rows[place]) for place in best]


@dataclass(frozen=True, slots=True)
class Ranked:
    """For some queries, in their order: every condition's rankings, and what C chose from.

    A ranking holds at most 20 rows of the corpus, best first.
    """

    rankings: Mapping[Condition, list[list[int]]]
    candidates: list[Candidates]

    def only(self, places: Sequence[int]) -> "Ranked":
        """The same for some of the queries."""
        return Ranked(
            {name: [rows[i] for i in places] for name, rows in self.rankings.items()},
            [self.candidates[i] for i in places],
        )


def rank(corpus: AuditCorpus, queries: Sequence[str], vectors: Vectors) -> Ranked:
    """Rank the corpus for every query in every condition; `vectors` has a row a query."""
    ranked = Ranked({name: [] for name in Condition}, [])
    for query, vector in zip(queries, vectors, strict=True):
        found = candidates(corpus, vector)
        by_terms = top_rows(corpus.bm25(query), DEPTH, corpus.order, above=0.0)
        ranked.candidates.append(found)
        ranked.rankings[Condition.COSINE].append([int(row) for row in found.rows])
        ranked.rankings[Condition.BM25].append([int(row) for row in by_terms])
        for name in found.density:
            ranked.rankings[name].append(found.reranked(name, WEIGHT, corpus.order))
    return ranked


def candidates(corpus: AuditCorpus, vector: Vectors) -> Candidates:
    """What C chooses from for one query."""
    scores = cosines(corpus.vectors, vector)
    rows = top_rows(scores, DEPTH, corpus.order)
    return Candidates(
        rows=rows,
        cosine=scores[rows],
        density={
            Condition.PUBLISHED: rescaled(corpus.published[rows]),
            Condition.ROBUST: rescaled(corpus.robust[rows]),
            Condition.CORPUS: corpus.over_corpus[rows],
            Condition.LENGTH: rescaled(corpus.tokens[rows]),
        },
    )
