"""The textbook pipeline that the default is compared with, over the same documents.

Windows of 180 words that overlap by 30, wherever they cut; BM25 on `\\w+` with bm25s's own
parameters; the encoder's cosine; and reciprocal rank fusion, with the published weights and even.
"""

import re
from collections.abc import Mapping, Sequence

import bm25s
import numpy as np

from assets.retrieval.dense import cosines
from assets.retrieval.fusion import weighted_rrf
from assets.retrieval.ranking import Scores, id_order, top_rows
from resources.encoder import Vectors

WINDOW = 180
OVERLAP = 30
_FUSED = 100  # passages that a fusion takes from each ranking

#: Rows of the table, and the dense weight of those that fuse.
FUSIONS = {"textbook RRF .9/.1": 0.9, "textbook RRF .5/.5": 0.5}


def windows(documents: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Window id → (paper id, text) for every paper's text."""
    found = {}
    for paper_id, text in documents.items():
        words = text.split()
        for start in range(0, max(1, len(words) - OVERLAP), WINDOW - OVERLAP):
            found[f"{paper_id}@{start:06d}"] = (paper_id, " ".join(words[start : start + WINDOW]))
    return found


def plain_words(text: str) -> list[str]:
    """What BM25 is told of a text: runs of letters and digits in lower case."""
    return re.findall(r"\w+", text.lower())


class PlainBm25:
    """BM25 of plain words, for the comparison with the field's tokenizer."""

    def __init__(self, texts: Sequence[str], k1: float = 1.5, b: float = 0.75) -> None:
        self._index = bm25s.BM25(k1=k1, b=b, method="lucene")
        self._index.index([plain_words(text) for text in texts], show_progress=False)

    def scores(self, query: str) -> Scores:
        """BM25 of every text; float32 of shape (n,)."""
        vocabulary: dict[str, int] = self._index.vocab_dict
        known = [vocabulary[word] for word in plain_words(query) if word in vocabulary]
        scores: Scores = self._index.get_scores_from_ids(known)
        return scores


class Textbook:
    """Rankings of windows for a question; `vectors` has a row a window, of unit length."""

    def __init__(self, window_ids: Sequence[str], texts: Sequence[str], vectors: Vectors) -> None:
        self._ids = list(window_ids)
        self._order = id_order(self._ids)
        self._bm25 = PlainBm25(texts)
        self._vectors = vectors

    def rankings(self, question: str, vector: Vectors, depth: int) -> dict[str, list[str]]:
        """Row of the table → the `depth` best windows, best first."""
        sparse = top_rows(self._bm25.scores(question), _FUSED, self._order, above=0.0).tolist()
        dense = top_rows(cosines(self._vectors, vector), _FUSED, self._order).tolist()
        found = {"textbook BM25": sparse, "textbook dense": dense}
        for name, weight in FUSIONS.items():
            fused = weighted_rrf([(weight, dense), (1 - weight, sparse)])
            scores = np.full(len(self._ids), -np.inf, dtype=np.float32)
            scores[list(fused)] = list(fused.values())
            found[name] = top_rows(scores, _FUSED, self._order).tolist()
        return {name: [self._ids[row] for row in rows[:depth]] for name, rows in found.items()}
