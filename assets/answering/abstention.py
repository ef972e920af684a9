"""When not to answer, and what to say instead.

Two things keep an answer back. Something asked for is plainly missing: the unit that the question
names, a number of the kind it asks for, or at least half of the names it is about stand in no
passage that was read. Or the evidence is too far off: the confidence, a logistic regression on the
nearest passage's cosine and on whether a fitting number is there, lies below a threshold. It was
fitted and cross-validated by `python -m benchmarks.fit_answers` on questions with and without an
answer.

What this cannot tell: that a passage close in every word gives the figure of another machine, or
that a question assumes the opposite of what the papers say. Both need a model that reads.
"""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from assets.answering.grounding import cite
from assets.answering.parts import BoxesOf
from assets.answering.quantities import (
    asked_dimensions,
    asks_a_number,
    find_quantities,
    units_named,
)
from assets.answering.reading import Reading, head_of
from assets.answering.records import Evidence, NearMiss, Plan, QuestionType
from assets.answering.terms import Term, content_terms, coverage, is_present, names, names_in, stems

MOST_NEAR_MISSES = 3
_RARE = 0.6  # weight from which a term's absence is worth telling

_ABSENT_NAMES = 0.5  # share of the question's names

SIGNALS = ("nearest_passage", "fits")
WEIGHTS = np.array([6.77, 1.21])
BIAS = -3.81


def signals(
    reading: Reading, evidence: Sequence[Evidence], nearest_passage: float
) -> dict[str, float]:
    """What speaks for an answer being there, each between 0 and 1.

    `nearest_passage` is the greatest cosine of the question with a passage of the release. The
    first two decide the confidence; the others are shown.
    """
    question = reading.question
    terms, asked = content_terms(question), names(question)
    passages = [_passage(item) for item in evidence]
    pool = frozenset().union(*(stems(passage) for passage in passages))
    best = reading.sentences[:3]
    found = [name for name in asked if any(names_in(text, name) for text in passages)]
    fits = max((sentence.measures.fits for sentence in best), default=0.0)
    return {
        "nearest_passage": max(0.0, nearest_passage),
        "fits": fits if asks_a_number(question) else 0.5,
        "relevance": reading.best,
        "covered": coverage(terms, pool) if passages else 0.0,
        "named": len(found) / len(asked) if asked else 1.0,
    }


def confidence(measured: Mapping[str, float]) -> float:
    """Probability that the question can be answered from the evidence."""
    vector = np.array([measured[name] for name in SIGNALS])
    return round(float(1 / (1 + np.exp(-(WEIGHTS @ vector + BIAS)))), 4)


def plainly_missing(plan: Plan, reading: Reading, evidence: Sequence[Evidence]) -> str:
    """What the question asks for and no passage gives, in a sentence; "" where nothing is."""
    question = reading.question
    given = {
        quantity.unit.dimensions
        for sentence in reading.sentences
        for quantity in find_quantities(sentence.text)
    }
    for unit in units_named(question):
        if not any(set(unit.dimensions) <= set(dimensions) for dimensions in given):
            return f"No passage found in the corpus gives a value in {unit.symbol}."
    passages = [_passage(item) for item in evidence]
    asked = sorted(names(question))
    absent = [name for name in asked if not any(names_in(text, name) for text in passages)]
    if asked and len(absent) >= _ABSENT_NAMES * len(asked):
        return f"No passage found in the corpus mentions {_listed(absent[:4])}."
    wants_a_number = plan.type is QuestionType.PRECISE_FACT and asked_dimensions(question)
    if wants_a_number and not any(sentence.measures.fits for sentence in reading.sentences):
        return (
            "No passage found in the corpus gives the figure that is asked for; the closest ones "
            "give other quantities."
        )
    return ""


def reason_for(reading: Reading, evidence: Sequence[Evidence]) -> str:
    """Why the evidence is too far off, naming what it lacks."""
    question = reading.question
    if not evidence:
        return "The corpus holds no passage on this question."
    pool = frozenset().union(*(stems(_passage(item)) for item in evidence))
    absent = [term for term in _worth_telling(question) if not is_present(term, pool)]
    if absent:
        return f"No passage found in the corpus mentions {_listed([t.word for t in absent[:4]])}."
    what = "the figure that is asked for" if asks_a_number(question) else "what is asked"
    return f"No passage found in the corpus gives {what}."


def near_misses(reading: Reading, boxes_of: BoxesOf | None, least: float) -> tuple[NearMiss, ...]:
    """What the corpus does say nearby: its best sentences of different passages, cited."""
    found: list[NearMiss] = []
    seen: set[str] = set()
    for sentence in reading.sentences:
        if sentence.measures.cosine < least or len(found) == MOST_NEAR_MISSES:
            continue
        if sentence.evidence.chunk_id in seen:
            continue
        seen.add(sentence.evidence.chunk_id)
        citation = cite(sentence.evidence, sentence.start, sentence.end, boxes_of)[0]
        found.append(NearMiss(sentence.text, citation))
    return tuple(found)


def _worth_telling(question: str) -> list[Term]:
    terms = [term for term in content_terms(question) if term.weight >= _RARE]
    return sorted(terms, key=lambda term: -term.weight)


def _listed(words: Sequence[str]) -> str:
    words = [re.sub(r"^\W+|\W+$", "", word) for word in words]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _passage(item: Evidence) -> str:
    return f"{head_of(item)} {item.text}"
