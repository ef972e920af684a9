"""Second thoughts about a ranking: context, duplicates, and a cross-encoder where there is one.

All work on candidates alone, the first rows of a ranking, so that they cost the same in a corpus
of any size.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from assets.retrieval.fusion import standardised
from assets.retrieval.passages import surroundings
from assets.retrieval.ranking import Rows, Scores
from assets.retrieval.records import Passage
from resources.reranker import Reranker

_BEST_OF_PAPER = 3
_SAME_TEXT = 0.9  # share of word pairs from which two passages are one


def in_context(
    rows: Rows,
    scores: Scores,
    passages: Sequence[Passage],
    section_weight: float,
    paper_weight: float,
) -> Scores:
    """Scores of candidates after their surroundings have spoken; float32 of the shape of `rows`.

    s'(c) = s(c) + section_weight · best score of its section + paper_weight · mean of the three
    best scores of its paper. `rows` are candidates, best first, and `scores` theirs. A question
    is mostly answered where more of the section and of the paper is about it; a paper with fewer
    than three candidates counts the last candidate's score for each it lacks.
    """
    if not len(rows):
        return scores
    papers, sections = surroundings(passages, rows)
    # Candidates are best first, so the first of a section or a paper is its best.
    _, first, section = np.unique(sections, return_index=True, return_inverse=True)
    _, paper = np.unique(papers, return_inverse=True)
    by_paper = np.argsort(paper, kind="stable")
    starts = np.flatnonzero(np.diff(paper[by_paper], prepend=-1))
    sizes = np.diff(starts, append=len(rows))
    place = np.empty(len(rows), dtype=np.int64)
    place[by_paper] = np.arange(len(rows)) - np.repeat(starts, sizes)
    best = place < _BEST_OF_PAPER
    missing = _BEST_OF_PAPER - np.bincount(paper[best])
    sums = np.bincount(paper[best], weights=scores[best]) + missing * float(scores[-1])
    added = section_weight * scores[first][section] + paper_weight * sums[paper] / _BEST_OF_PAPER
    moved: Scores = (scores + added).astype(np.float32)
    return moved


def distinct(rows: Rows, passages: Sequence[Passage], k: int) -> Rows:
    """The first `k` rows that do not repeat a better one.

    Papers share sentences, and one may be in a corpus twice: a passage is left out where it
    shares 90% of its word pairs with a better one (Jaccard index).
    """
    kept: list[int] = []
    known: list[set[tuple[str, str]]] = []
    for row in rows.tolist():
        if len(kept) == k:
            break
        pairs = set(pairwise(passages[row].text.lower().split()))
        if not any(_alike(pairs, other) for other in known):
            kept.append(row)
            known.append(pairs)
    return np.array(kept, dtype=np.int64)


def _alike(one: set[tuple[str, str]], other: set[tuple[str, str]]) -> bool:
    if not one or not other:
        return False
    # Sets of very different size cannot be alike, and are told apart without comparing them.
    smaller, larger = sorted((len(one), len(other)))
    if smaller < _SAME_TEXT * larger:
        return False
    shared = len(one & other)
    return shared >= _SAME_TEXT * (len(one) + len(other) - shared)


def cross_encoded(  # noqa: PLR0913 - a ranking and how to judge it
    query: str,
    rows: Rows,
    scores: Scores,
    passages: Sequence[Passage],
    reranker: Reranker,
    depth: int,
) -> Scores:
    """Scores of candidates with the cross-encoder's opinion of the first `depth` of them.

    Both are standardised over those and added, then put above the rest, whose order stays.
    """
    head = rows[:depth]
    if len(head) < 2:
        return scores
    opinions = reranker.score(query, [passages[row].text for row in head.tolist()])
    judged = standardised(scores[: len(head)]) + standardised(opinions)
    rest = float(scores[len(head)]) if len(scores) > len(head) else 0.0
    merged = scores.copy()
    merged[: len(head)] = judged - judged.min() + rest + 1e-6
    return merged
