"""When not to answer, and what to say instead.

The confidence that the evidence answers a question is a logistic regression on a few signals, each
readable by itself; it was fitted with cross-validation on questions with and without an answer.
"""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from assets.answering.grounding import cite
from assets.answering.parts import BoxesOf
from assets.answering.quantities import asked_dimensions, asks_a_number
from assets.answering.reading import Reading, head_of
from assets.answering.records import Evidence, NearMiss
from assets.answering.terms import Term, content_terms, coverage, is_present, names, names_in, stems

MOST_NEAR_MISSES = 3
_RARE = 0.6  # weight from which a term's absence is worth telling

_SIGNALS = ("cosine", "relevance", "covered_by_best", "covered_by_pool", "named", "fits")
_WEIGHTS = np.array([4.0, 2.0, 2.0, 2.0, 1.0, 0.5])
_BIAS = -4.5


def signals(question: str, reading: Reading, evidence: Sequence[Evidence]) -> dict[str, float]:
    """What speaks for an answer being there, each between 0 and 1."""
    terms = content_terms(question)
    asked = names(question)
    best = reading.sentences[:3]
    passages = [_passage(item) for item in evidence]
    pool = frozenset().union(*(stems(passage) for passage in passages))
    near = [f"{head_of(sentence.evidence)} {sentence.before} {sentence.text}" for sentence in best]
    in_best = frozenset().union(*(stems(text) for text in near))
    found = [name for name in asked if any(names_in(text, name) for text in near)]
    return {
        "cosine": max((sentence.measures.cosine for sentence in best), default=0.0),
        "relevance": reading.best,
        "covered_by_best": coverage(terms, in_best),
        "covered_by_pool": coverage(terms, pool) if passages else 0.0,
        "named": len(found) / len(asked) if asked else 1.0,
        "fits": max((sentence.measures.fits for sentence in best), default=0.0)
        if asks_a_number(question)
        else 0.5,
    }


def confidence(measured: Mapping[str, float]) -> float:
    """Probability that the question can be answered from the evidence."""
    vector = np.array([measured[name] for name in _SIGNALS])
    return round(float(1 / (1 + np.exp(-(_WEIGHTS @ vector + _BIAS)))), 4)


def reason_for(reading: Reading, evidence: Sequence[Evidence]) -> str:
    """Why there is no answer, naming what the corpus does not give."""
    question = reading.question
    if not evidence:
        return "The corpus holds no passage on this question."
    pool = frozenset().union(*(stems(_passage(item)) for item in evidence))
    absent = [term for term in _worth_telling(question) if not is_present(term, pool)]
    if absent:
        return f"No passage found in the corpus mentions {_listed([t.word for t in absent[:4]])}."
    apart = _apart(question, reading)
    what = "the figure that is asked for" if asks_a_number(question) else "what is asked"
    if asked_dimensions(question) and not any(s.measures.fits for s in reading.sentences[:5]):
        return (
            f"No passage found in the corpus gives {what}; the closest ones give other quantities."
        )
    if apart:
        return f"No passage found in the corpus gives {what} for {_listed(apart)} together."
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


def _apart(question: str, reading: Reading) -> list[str]:
    """The question's names, where no single sentence with its heading holds them all."""
    asked = sorted(names(question))
    for sentence in reading.sentences[:5]:
        text = f"{head_of(sentence.evidence)} {sentence.before} {sentence.text}"
        if all(names_in(text, name) for name in asked):
            return []
    return asked[:3] if len(asked) > 1 else []


def _listed(words: Sequence[str]) -> str:
    words = [re.sub(r"^\W+|\W+$", "", word) for word in words]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _passage(item: Evidence) -> str:
    return f"{head_of(item)} {item.text}"
