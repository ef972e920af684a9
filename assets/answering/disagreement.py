"""Two papers, two numbers for one quantity: found among the relevant sentences and shown.

Two sentences of different papers disagree when they speak of the same thing (their vectors and
their rare words agree), both give a number of the kind that is asked for, in the same unit's
dimension, and share none of these numbers. This is a hint for the reader, not a judgement: the
conditions of both may differ.
"""

import re
from collections.abc import Sequence
from itertools import combinations

from assets.answering.grounding import cite
from assets.answering.parts import BoxesOf
from assets.answering.quantities import (
    Quantity,
    asked_dimensions,
    asks_a_number,
    find_quantities,
    same_quantity,
)
from assets.answering.reading import Reading, ReadSentence
from assets.answering.records import Disagreement
from assets.answering.terms import content_terms

_LEAST_COSINE = 0.7
_LEAST_SHARED = 0.45  # of the weight of the sentences' terms together
_LEAST_RELEVANCE = 0.5  # of the best sentence's
_MOST = 3


def disagreements(reading: Reading, boxes_of: BoxesOf | None) -> tuple[Disagreement, ...]:
    """Pairs of differing numbers for what a question asks, each side cited."""
    wanted = asked_dimensions(reading.question)
    if not wanted or not asks_a_number(reading.question):
        return ()
    known = find_quantities(reading.question)
    relevant = [
        (sentence, numbers)
        for sentence in reading.sentences
        if sentence.relevance >= _LEAST_RELEVANCE * reading.best
        and (
            numbers := [
                quantity
                for quantity in find_quantities(sentence.text)
                if quantity.unit.dimensions in wanted
                and not any(same_quantity(quantity, one) for one in known)
            ]
        )
    ]
    found = []
    for (one, own), (other, others) in combinations(relevant, 2):
        pair = _differing(own, others)
        if pair and one.evidence.paper_id != other.evidence.paper_id and _same_subject(one, other):
            sides = tuple(
                (quantity.text, cite(sentence.evidence, sentence.start, sentence.end, boxes_of)[0])
                for quantity, sentence in zip(pair, (one, other), strict=True)
            )
            found.append(Disagreement(_subject(one, other), sides))
    return tuple(found[:_MOST])


def _differing(
    own: Sequence[Quantity], others: Sequence[Quantity]
) -> tuple[Quantity, Quantity] | None:
    """The first numbers of one kind, where the two sentences share no number of that kind."""
    for one in own:
        rivals = [other for other in others if other.unit.dimensions == one.unit.dimensions]
        same_kind = [mine for mine in own if mine.unit.dimensions == one.unit.dimensions]
        if rivals and not any(same_quantity(a, b) for a in same_kind for b in rivals):
            return one, rivals[0]
    return None


def _same_subject(one: ReadSentence, other: ReadSentence) -> bool:
    if float(one.vector @ other.vector) < _LEAST_COSINE:
        return False
    own, others = content_terms(one.text), content_terms(other.text)
    weights = {term.stem: term.weight for term in (*own, *others)}
    shared = {term.stem for term in own} & {term.stem for term in others}
    total = min(sum(t.weight for t in own), sum(t.weight for t in others))
    return sum(weights[stem] for stem in shared) >= _LEAST_SHARED * total


def _subject(one: ReadSentence, other: ReadSentence) -> str:
    """The words both sentences share, as the first writes them."""
    others = {term.stem for term in content_terms(other.text)}
    words = [term.word for term in content_terms(one.text) if term.stem in others]
    return re.sub(r"\s+", " ", " ".join(words[:8]))
