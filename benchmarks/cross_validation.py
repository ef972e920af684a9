"""What the default mode's weights would score if they were chosen on other questions.

Five folds; each fold's questions are ranked with the weights that were best on the other four.
Questions whose first evidence is from one paper are in one fold, so that no paper is learned.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from statistics import fmean

import numpy as np

from assets.evaluation.judging import Question
from assets.evaluation.metrics import ranking_scores
from assets.retrieval.records import Mode
from assets.retrieval.search import Searcher, SearchSettings
from resources.encoder import Encoder

FOLDS = 5

#: Every combination of these is tried.
GRID: Mapping[str, Sequence[float]] = {
    "dense_share": (0.4, 0.5, 0.6, 0.7),
    "paper_weight": (0.0, 1.0, 1.5, 2.0),
    "section_weight": (0.0, 0.3),
    "caption_weight": (0.0, 0.3),
}

#: What a choice is made by: their mean.
CHOSEN_BY = ("P@1", "Hit@5", "MRR", "nDCG@5", "Recall@20")


@dataclass(frozen=True)
class CrossValidated:
    """Scores of each question under weights chosen without it, and the choice of each fold."""

    scores: list[dict[str, float]]
    chosen: list[dict[str, float]]
    best_in_sample: dict[str, float]


def cross_validated(
    searcher: Searcher,
    encoder: Encoder,
    questions: Sequence[Question],
    grades: Sequence[Mapping[str, int]],
    depth: int,
) -> CrossValidated:
    """Try the grid on every question, then choose for each fold by the others."""
    combinations = [dict(zip(GRID, values, strict=True)) for values in product(*GRID.values())]
    tried = []
    for weights in combinations:
        settings: SearchSettings = replace(searcher.settings, **weights)  # type: ignore[arg-type]
        other = Searcher(searcher.index, encoder, settings)
        tried.append(
            [
                ranking_scores(
                    [hit.chunk_id for hit in other.search(question.question, Mode.HYBRID, depth)],
                    judged,
                )
                for question, judged in zip(questions, grades, strict=True)
            ]
        )
    worth = np.array([[fmean(one[name] for name in CHOSEN_BY) for one in row] for row in tried])
    folds = fold_of([question.evidence[0].paper_id for question in questions])
    scores: list[dict[str, float]] = [{} for _ in questions]
    chosen = []
    for fold in range(FOLDS):
        best = int(worth[:, folds != fold].mean(axis=1).argmax())
        chosen.append(combinations[best])
        for row in np.flatnonzero(folds == fold):
            scores[row] = tried[best][row]
    return CrossValidated(scores, chosen, combinations[int(worth.mean(axis=1).argmax())])


def fold_of(groups: Sequence[str]) -> np.ndarray:
    """A fold for each item: items of one group share it, and folds are of about one size."""
    sizes = {group: groups.count(group) for group in groups}
    filled = [0] * FOLDS
    fold: dict[str, int] = {}
    for group in sorted(sizes, key=lambda one: (-sizes[one], one)):
        fold[group] = filled.index(min(filled))
        filled[fold[group]] += sizes[group]
    return np.array([fold[group] for group in groups])
