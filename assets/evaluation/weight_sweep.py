"""How the scores change with the weight of the dense ranking, from BM25 alone to cosine alone.

arXiv:2606.10381 chose its weights, .9 and .1, by such a sweep. One on other questions has its best
elsewhere, which the plot is there to show.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

import numpy as np

from assets.evaluation.judging import Judge, Question
from assets.evaluation.metrics import ranking_scores
from assets.retrieval.records import Mode
from assets.retrieval.search import Searcher, SearchSettings
from resources.encoder import Encoder, Vectors

WEIGHTS = tuple(round(0.1 * step, 1) for step in range(11))
SHOWN = ("P@1", "MRR", "nDCG@5")
DEPTH = 20

#: What the weight is in each fusion: the published one's, and the share in the default mode.
_SETTINGS: Mapping[Mode, Callable[[float], dict[str, float]]] = {
    Mode.PAPER: lambda weight: {"dense_weight": weight, "sparse_weight": 1 - weight},
    Mode.HYBRID: lambda weight: {"dense_share": weight},
}


def weight_sweep(
    questions: Sequence[Question],
    judge: Judge,
    searcher: Searcher,
    progress: Callable[[Iterable[float]], Iterable[float]] = iter,
) -> dict[str, Any]:
    """`{"n", "weights", "modes": {mode: {score: [a value a weight]}}}` at chunk level.

    Averaged over the answerable questions, without a cross-encoder; `progress` may wrap the
    weights to show how far it is.
    """
    answerable = [question for question in questions if question.answerable]
    grades = [judge.grades(question) for question in answerable]
    encoder = _Remembering(searcher.encoder)
    modes: dict[str, dict[str, list[float]]] = {
        mode.value: {name: [] for name in SHOWN} for mode in _SETTINGS
    }
    for weight in progress(WEIGHTS):
        for mode, settings in _SETTINGS.items():
            chosen: SearchSettings = replace(searcher.settings, **settings(weight))  # type: ignore[arg-type]
            weighted = Searcher(searcher.index, encoder, chosen)
            scores = [
                ranking_scores(
                    [hit.chunk_id for hit in weighted.search(question.question, mode, DEPTH)], own
                )
                for question, own in zip(answerable, grades, strict=True)
            ]
            for name in SHOWN:
                mean = fmean(one[name] for one in scores) if scores else 0.0
                modes[mode.value][name].append(round(mean, 4))
    return {"n": len(answerable), "weights": list(WEIGHTS), "modes": modes}


class _Remembering:
    """An encoder that embeds a question once, however often it is searched for."""

    def __init__(self, encoder: Encoder) -> None:
        self.id, self.dimension = encoder.id, encoder.dimension
        self.window, self.runtime = encoder.window, encoder.runtime
        self._encoder = encoder
        self._known: dict[str, Vectors] = {}

    def count_tokens(self, text: str) -> int:
        return self._encoder.count_tokens(text)

    def encode(self, texts: Sequence[str], batch: int = 8) -> Vectors:
        return self._encoder.encode(texts, batch)

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        unknown = [text for text in dict.fromkeys(texts) if text not in self._known]
        if unknown:
            self._known.update(zip(unknown, self._encoder.encode_queries(unknown), strict=True))
        return np.stack([self._known[text] for text in texts])
