"""Searching one release: passages, their vectors, the sparse index and the density scores.

A `Searcher` holds everything in memory and changes nothing, so one may serve many threads, and
a reader that holds one keeps its release whatever is published meanwhile.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assets.retrieval.dense import DenseRanker, ExactRanker
from assets.retrieval.filters import Filters, allowed
from assets.retrieval.fusion import RRF_K, standardised, weighted_rrf
from assets.retrieval.passages import are_captions, chunk_ids_of, rows_by_paper, words_of
from assets.retrieval.ranking import Rows, Scores, id_order, top_rows
from assets.retrieval.records import Hit, Mode, Passage
from assets.retrieval.rerank import cross_encoded, distinct, in_context
from assets.retrieval.sparse import SparseIndex
from assets.retrieval.views import clauses
from resources.encoder import Encoder, Vectors
from resources.errors import UsageError
from resources.reranker import Reranker

MOST_QUERY_BYTES = 20_000

_Mask = NDArray[np.bool_] | None
_Ranked = tuple[Scores, dict[str, Scores]]


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """What a search can be tuned by.

    The published fusion (`paper`): `rrf_k`, `dense_weight`, `sparse_weight`, and `depth`, the
    passages taken from each ranking. The density mode (condition C of arXiv:2605.31506):
    `density_depth` and `density_weight`.

    The default mode (`hybrid`): `dense_share` of the cosine against BM25, both as z-scores;
    `clauses` embeds a question's clauses too; `length_weight` lowers passages of less than
    `full_length` words, `caption_weight` captions; `section_weight` and `paper_weight` are those
    of `rerank.in_context`, over `context_depth` candidates; `collapse` leaves out
    near-duplicates; `rerank_depth` is how many passages a cross-encoder reads, where one is given.
    """

    rrf_k: float = RRF_K
    dense_weight: float = 0.9
    sparse_weight: float = 0.1
    depth: int = 100
    density_depth: int = 20
    density_weight: float = 0.5
    dense_share: float = 0.6
    clauses: bool = True
    length_weight: float = 0.2
    full_length: int = 100
    caption_weight: float = 0.3
    section_weight: float = 0.3
    paper_weight: float = 1.5
    context_depth: int = 1000
    collapse: bool = True
    rerank_depth: int = 24


@dataclass(frozen=True)
class SearchIndex:
    """What one release holds for searching; row i of every array belongs to `passages[i]`.

    `vectors` is float32 of shape (n, d), unit length; `density` float32 of shape (n,), FD* of
    the release's variant, NaN where a passage has none, or None before it was ever computed.
    `ranker` knows the cosines where looking at every vector would take too long.
    """

    passages: Sequence[Passage]
    vectors: Vectors
    sparse: SparseIndex
    encoder_id: str
    density: Scores | None = None
    ranker: DenseRanker | None = None

    def __post_init__(self) -> None:
        n = len(self.passages)
        ids = chunk_ids_of(self.passages)
        if len(self.vectors) != n or (self.density is not None and len(self.density) != n):
            raise UsageError(
                f"The release holds {n} passages but {len(self.vectors)} vectors: "
                "rebuild the dense index."
            )
        if sorted(ids) != sorted(self.sparse.chunk_ids):
            raise UsageError(
                "The sparse index and the passages of this release differ: "
                "rebuild the sparse index."
            )

    @cached_property
    def dense(self) -> DenseRanker:
        """What knows the cosine of a query with passages."""
        return self.ranker or ExactRanker(self.vectors)

    @cached_property
    def order(self) -> Rows:
        """Place of each row in the order of chunk ids, which breaks ties."""
        return id_order(chunk_ids_of(self.passages))

    @cached_property
    def sparse_rows(self) -> Rows:
        """Row in the sparse index of each passage."""
        places = {chunk_id: row for row, chunk_id in enumerate(self.sparse.chunk_ids)}
        ids = chunk_ids_of(self.passages)
        return np.array([places[chunk_id] for chunk_id in ids], dtype=np.int64)

    @cached_property
    def lengths(self) -> Scores:
        """Words of each passage."""
        return words_of(self.passages)

    @cached_property
    def by_paper(self) -> dict[str, list[int]]:
        """Rows of every paper, in reading order."""
        return rows_by_paper(self.passages)

    @cached_property
    def row_of(self) -> dict[str, int]:
        """Row of every chunk id."""
        return {chunk_id: row for row, chunk_id in enumerate(chunk_ids_of(self.passages))}


class Searcher:
    """Finds passages of one release."""

    def __init__(
        self,
        index: SearchIndex,
        encoder: Encoder,
        settings: SearchSettings = SearchSettings(),
        reranker: Reranker | None = None,
    ) -> None:
        if len(index.passages) and index.encoder_id != encoder.id:
            raise UsageError(
                f"The release was embedded with {index.encoder_id}, but the encoder is "
                f"{encoder.id}: set MUON_ENCODER back, or rebuild the dense index."
            )
        self.index = index
        self.encoder = encoder
        self.settings = settings
        self.reranker = reranker

    def search(
        self, query: str, mode: Mode | str, k: int, filters: Filters | None = None
    ) -> list[Hit]:
        """The `k` best passages, best first; fewer where fewer match.

        Raises UsageError for an unusable query, mode or k. The agentic mode is more than one
        search and is not done here.
        """
        query = usable_query(query)
        chosen = usable_mode(mode)
        if k < 1:
            raise UsageError(f"The number of results must be 1 or more, not {k}: set --k.")
        if not self.index.passages:
            return []
        keep = None
        if filters is not None and filters.any():
            keep = allowed(self.index.passages, filters)
        if chosen is Mode.HYBRID:
            final, parts = self._hybrid_mode(query, keep, k)
        else:
            rankers = {
                Mode.DENSE: self._dense_mode,
                Mode.SPARSE: self._sparse_mode,
                Mode.PAPER: self._paper_mode,
                Mode.DENSITY: self._density_mode,
            }
            final, parts = rankers[chosen](query, keep)
        rows = self._top(final, k, keep)
        return [
            self._hit(rank, int(row), float(final[row]), parts) for rank, row in enumerate(rows, 1)
        ]

    def neighbours(self, chunk_id: str, before: int = 1, after: int = 1) -> list[Passage]:
        """The passage and those around it in its paper, in reading order."""
        row = self.index.row_of.get(chunk_id)
        if row is None:
            raise UsageError(f"This release has no passage {chunk_id!r}.")
        rows = self.index.by_paper[self.index.passages[row].paper_id]
        place = rows.index(row)
        around = rows[max(0, place - before) : place + after + 1]
        return [self.index.passages[one] for one in around]

    def _cosines(self, query: str, keep: _Mask, also: Rows | None = None) -> Scores:
        vector = self.encoder.encode_queries([query])[0]
        return self.index.dense.cosines(vector, also=also, keep=keep)

    def _bm25(self, query: str) -> Scores:
        scores: Scores = self.index.sparse.scores(query)[self.index.sparse_rows]
        return scores

    def _dense_mode(self, query: str, keep: _Mask) -> _Ranked:
        dense = self._cosines(query, keep)
        return dense, {"dense": dense}

    def _sparse_mode(self, query: str, _keep: _Mask) -> _Ranked:
        sparse = self._bm25(query)
        return _positive(sparse), {"sparse": sparse}

    def _hybrid_mode(self, query: str, keep: _Mask, k: int) -> _Ranked:
        settings = self.settings
        whole = self.encoder.encode_queries([query])[0]
        view = whole
        if settings.clauses and (parts := clauses(query)):
            # The mean of several cosines is one product with the mean of their vectors.
            view = (whole + self.encoder.encode_queries(parts).mean(axis=0)) / 2
        ranker, sparse = self.index.dense, self._bm25(query)
        depth = max(settings.context_depth, 2 * k)
        matching = None
        if self.index.ranker is not None:
            # A passage that BM25 finds has its cosine, wherever it lies.
            matching = self._top(_positive(sparse), depth, keep)
        seen = ranker.cosines(view, also=matching, keep=keep)
        share = settings.dense_share
        evidence = share * standardised(seen, ranker.moments(view)) + (1 - share) * standardised(
            sparse
        )
        evidence = evidence + self._prior
        passages = self.index.passages
        rows = self._top(evidence, depth, keep)
        scores = in_context(
            rows, evidence[rows], passages, settings.section_weight, settings.paper_weight
        )
        rows, scores = self._ordered(rows, scores)
        if self.reranker is not None:
            depth = max(settings.rerank_depth, 2)
            scores = cross_encoded(query, rows, scores, passages, self.reranker, depth)
            rows, scores = self._ordered(rows, scores)
        by_row = dict(zip(rows.tolist(), scores.tolist(), strict=True))
        if settings.collapse:
            by_row = {row: by_row[row] for row in distinct(rows, passages, k).tolist()}
        found = list(by_row)
        cosine = dict(zip(found, (self.index.vectors[found] @ whole).tolist(), strict=True))
        return self._scattered(by_row), {"dense": self._scattered(cosine), "sparse": sparse}

    @cached_property
    def _prior(self) -> Scores:
        """What each passage is worth before any question, 0 for a full passage of prose.

        A scrap (a label, a list of names) matches a title or a symbol as well as any passage
        does, and answers nothing; a caption names what its figure shows, not what follows from
        it. A scrap loses by the logarithm of its length against a full one.
        """
        settings = self.settings
        share = np.maximum(self.index.lengths, 1) / settings.full_length
        short = settings.length_weight * np.log(np.minimum(share, 1))
        prior: Scores = short.astype(np.float32)
        prior[are_captions(self.index.passages)] -= settings.caption_weight
        return prior

    def _ordered(self, rows: Rows, scores: Scores) -> tuple[Rows, Scores]:
        """Candidates best first."""
        order = np.lexsort((self.index.order[rows], -scores))
        return rows[order], scores[order]

    def _paper_mode(self, query: str, keep: _Mask) -> _Ranked:
        sparse, depth = self._bm25(query), self.settings.depth
        positive = _positive(sparse)
        matching = self._top(positive, depth, keep)
        dense = self._cosines(query, keep, matching)
        scores = weighted_rrf(
            [
                (self.settings.dense_weight, self._top(dense, depth, keep).tolist()),
                (self.settings.sparse_weight, matching.tolist()),
            ],
            self.settings.rrf_k,
        )
        return self._scattered(scores), {"dense": dense, "sparse": sparse}

    def _density_mode(self, query: str, keep: _Mask) -> _Ranked:
        dense = self._cosines(query, keep)
        rows = self._top(dense, self.settings.density_depth, keep)
        if self.index.density is None:
            raise UsageError("This release has no factual density: run a refresh first.")
        density = rescaled(self.index.density[rows])
        weight = self.settings.density_weight
        scores = (1 - weight) * dense[rows] + weight * density
        return self._scattered(dict(zip(rows.tolist(), scores.tolist(), strict=True))), {
            "dense": dense,
            "density": self.index.density,
        }

    def _scattered(self, scores: dict[int, float]) -> Scores:
        """Scores of some rows as an array over all; the others are no hits."""
        spread = np.full(len(self.index.passages), -np.inf, dtype=np.float32)
        spread[list(scores)] = list(scores.values())
        return spread

    def _top(self, scores: Scores, k: int, keep: _Mask) -> Rows:
        kept = scores if keep is None else np.where(keep, scores, -np.inf).astype(np.float32)
        return top_rows(kept, k, self.index.order)

    def _hit(self, rank: int, row: int, score: float, parts: dict[str, Scores]) -> Hit:
        scores = {name: round(float(values[row]), 6) for name, values in parts.items()}
        return self.index.passages[row].as_hit(rank, score, scores)


def _positive(sparse: Scores) -> Scores:
    """BM25 of the passages that share a term with the query; the others are no hits."""
    return np.where(sparse > 0, sparse, -np.inf).astype(np.float32)


def rescaled(density: Scores) -> Scores:
    """FD* of the candidates to [0, 1]: least 0, greatest 1; all 0.5 where they are equal.

    How arXiv:2605.31506 rescales is not stated; the range of the candidates keeps the two halves
    of condition C comparable. A passage without a density counts as the least.
    """
    known = density[np.isfinite(density)]
    if not len(known) or known.max() == known.min():
        return np.full_like(density, 0.5)
    filled = np.where(np.isfinite(density), density, known.min())
    scaled: Scores = ((filled - known.min()) / (known.max() - known.min())).astype(np.float32)
    return scaled


def usable_query(query: str) -> str:
    """The query without outer white space; a UsageError where it cannot be searched for."""
    stripped = query.strip()
    if not any(character.isalnum() for character in stripped):
        raise UsageError("The question holds no words: ask it in a sentence.")
    size = len(stripped.encode("utf-8", errors="replace"))
    if size > MOST_QUERY_BYTES:
        raise UsageError(
            f"The question is {size:,} bytes long and at most {MOST_QUERY_BYTES:,} are read: "
            "shorten it."
        )
    return stripped


def usable_mode(mode: Mode | str) -> Mode:
    """A mode of one search by name; a UsageError that lists them where there is none."""
    names = [one.value for one in Mode if one is not Mode.AGENTIC]
    if str(mode) not in names:
        raise UsageError(f"There is no search mode {str(mode)!r}; there are: {', '.join(names)}.")
    return Mode(str(mode))
