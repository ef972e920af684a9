"""Scores of every search mode on a questions file, side by side."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from statistics import fmean
from typing import Any

from assets.evaluation.judging import Judge, Question, paper_grades
from assets.evaluation.metrics import first_of_each, ranking_scores
from assets.evaluation.significance import paired_difference
from assets.retrieval.records import Hit

Search = Callable[[str, int], Sequence[Hit]]
Scored = dict[str, float]

DEPTH = 50  # hits asked for a question: enough for Recall@20 of papers too
COMPARED = ("P@1", "Hit@5", "MRR", "nDCG@5", "Recall@20")


def retrieval_report(  # noqa: PLR0913 - one value each, named by the caller
    questions: Sequence[Question],
    searches: Mapping[str, Search],
    judge: Judge,
    papers: Mapping[str, str],
    default_mode: str,
    release: str,
    progress: Callable[[Iterable[Question]], Iterable[Question]] = iter,
) -> dict[str, Any]:
    """Scores of each mode at chunk and paper level, averaged over the answerable questions.

    `searches` maps a mode to its search (question, k) → hits; `papers` maps every chunk id of
    the corpus to its paper id; `progress` may wrap the questions to show how far it is.
    Unanswerable questions have nothing to find and are left out. Every other mode is compared
    with the default one by a paired bootstrap and a signed-rank test at chunk level.
    """
    answerable = [question for question in questions if question.answerable]
    chunk: dict[str, list[Scored]] = {mode: [] for mode in searches}
    paper: dict[str, list[Scored]] = {mode: [] for mode in searches}
    nothing_to_find = []
    for question in progress(answerable):
        grades = judge.grades(question)
        of_papers = paper_grades(question, grades, papers)
        if not grades:
            nothing_to_find.append(question.id)
        for mode, search in searches.items():
            hits = search(question.question, DEPTH)
            chunk[mode].append(ranking_scores([hit.chunk_id for hit in hits], grades))
            ranked_papers = first_of_each([hit.paper_id for hit in hits])
            paper[mode].append(ranking_scores(ranked_papers, of_papers))
    return {
        "default_mode": default_mode,
        "n": len(answerable),
        "release": release,
        "judge": judge.name,
        "nothing_to_find": nothing_to_find,
        "modes": {
            mode: {"chunk": averaged(chunk[mode]), "paper": averaged(paper[mode])}
            for mode in searches
        },
        "by_type": _by_type(answerable, chunk),
        "against_default": _comparisons(chunk, default_mode),
        "questions": [
            {"id": question.id, **{mode: chunk[mode][i] for mode in searches}}
            for i, question in enumerate(answerable)
        ],
    }


def averaged(scores: Sequence[Scored]) -> Scored:
    """Mean of every metric over questions, to four digits; {} for none."""
    if not scores:
        return {}
    return {name: round(fmean(one[name] for one in scores), 4) for name in scores[0]}


def _by_type(
    questions: Sequence[Question], scores: Mapping[str, Sequence[Scored]]
) -> dict[str, dict[str, Any]]:
    """Chunk-level means of every mode for each type of question."""
    table: dict[str, dict[str, Any]] = {}
    for kind in sorted({question.type for question in questions}):
        rows = [i for i, question in enumerate(questions) if question.type == kind]
        table[kind] = {
            "n": len(rows),
            **{mode: averaged([scores[mode][i] for i in rows]) for mode in scores},
        }
    return table


def _comparisons(
    scores: Mapping[str, Sequence[Scored]], default_mode: str
) -> dict[str, dict[str, Any]]:
    """Default mode minus each other mode, metric by metric."""
    if not scores.get(default_mode):
        return {}
    return {
        mode: {
            name: asdict(
                paired_difference(
                    [one[name] for one in scores[default_mode]], [one[name] for one in others]
                )
            )
            for name in COMPARED
        }
        for mode, others in scores.items()
        if mode != default_mode
    }
