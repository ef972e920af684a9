"""The sparse index: BM25 over the field's own terms, by bm25s, in a folder of its own.

An index is built once and never changed: a new one gets a new folder, so that a reader's
memory-mapped files stay as they are. Only passages that share a term with the query are hits.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import bm25s
import numpy as np

from assets.retrieval.acronyms import acronyms_in
from assets.retrieval.ranking import Scores
from assets.retrieval.tokenizer import FieldTokenizer
from resources.errors import UsageError

K1 = 0.9
B = 0.4  # with K1, the usual values for passages; arXiv:2606.10381 has b = 0.75

_MANIFEST = "passages.json"


class SparseIndex:
    """BM25 over passages; row i of every score belongs to `chunk_ids[i]`."""

    def __init__(
        self, chunk_ids: Sequence[str], tokenizer: FieldTokenizer, bm25: bm25s.BM25 | None
    ) -> None:
        self.chunk_ids = list(chunk_ids)
        self.tokenizer = tokenizer
        self._bm25 = bm25

    @classmethod
    def build(
        cls,
        chunk_ids: Sequence[str],
        texts: Sequence[str],
        acronyms: Mapping[str, str] | None = None,
        k1: float = K1,
        b: float = B,
    ) -> "SparseIndex":
        """Index of `texts` (title, section and words of each passage).

        Acronyms that the texts define are added to `acronyms`, which win where both know one.
        """
        tokenizer = FieldTokenizer({**acronyms_in(texts), **(acronyms or {})})
        terms = [tokenizer.terms(text) for text in texts]
        if not any(terms):
            return cls(chunk_ids, tokenizer, None)
        bm25 = bm25s.BM25(k1=k1, b=b, method="lucene")
        bm25.index(terms, create_empty_token=False, show_progress=False)
        return cls(chunk_ids, tokenizer, bm25)

    @property
    def fingerprint(self) -> str:
        """Changes with the tokenizer and with the acronyms that were learned."""
        return self.tokenizer.fingerprint

    def scores(self, query: str) -> Scores:
        """BM25 of every passage; float32 of shape (n,), 0 where no term is shared."""
        nothing = np.zeros(len(self.chunk_ids), dtype=np.float32)
        if self._bm25 is None:
            return nothing
        vocabulary: dict[str, int] = self._bm25.vocab_dict
        terms = self.tokenizer.query_terms(query)
        known = [vocabulary[term] for term in terms if term in vocabulary]
        if not known:
            return nothing
        scores: Scores = self._bm25.get_scores_from_ids(known)
        return scores

    def save(self, folder: Path) -> None:
        """Write the index into a new, empty folder."""
        folder.mkdir(parents=True, exist_ok=True)
        if self._bm25 is not None:
            self._bm25.save(folder, show_progress=False)
        manifest = {
            "chunk_ids": self.chunk_ids,
            "acronyms": self.tokenizer.acronyms,
            "fingerprint": self.fingerprint,
            "empty": self._bm25 is None,
        }
        (folder / _MANIFEST).write_text(json.dumps(manifest, ensure_ascii=False), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> "SparseIndex":
        """The index of a folder, memory-mapped.

        Raises UsageError where there is none, or where another tokenizer made it.
        """
        try:
            text = (folder / _MANIFEST).read_text(encoding="utf-8")
            manifest: dict[str, Any] = json.loads(text)
            tokenizer = FieldTokenizer(manifest["acronyms"])
            bm25 = None if manifest["empty"] else bm25s.BM25.load(folder, mmap=True)
        except (OSError, ValueError, KeyError) as problem:
            raise UsageError(
                f"There is no readable sparse index in {folder}: rebuild it with a refresh."
            ) from problem
        if tokenizer.fingerprint != manifest["fingerprint"]:
            raise UsageError(
                f"The sparse index in {folder} was made by another version of the tokenizer: "
                "rebuild the sparse index."
            )
        return cls(manifest["chunk_ids"], tokenizer, bm25)
