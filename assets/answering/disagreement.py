"""Two papers, two numbers for one quantity: found among the relevant sentences and shown.

Two sentences of different papers disagree when they speak of the same thing (their vectors and
their rare words agree), both give a number of the kind that is asked for, in the same unit's
dimension, and share none of these numbers. The number counts only where its own clause holds what
is asked for, and not as a condition ("at 4.2 K"): where in doubt, nothing is said. This is a hint
for the reader, not a judgement: the conditions of both may differ.
"""

import re
from collections.abc import Sequence
from itertools import combinations

from assets.answering.asked_numbers import asked_dimensions, asks_a_number
from assets.answering.grounding import cite
from assets.answering.parts import BoxesOf
from assets.answering.quantities import Quantity, find_quantities, plain_form, same_quantity
from assets.answering.reading import Reading, ReadSentence
from assets.answering.records import Disagreement
from assets.answering.terms import Term, content_terms, coverage, is_present, stems

_LEAST_COSINE = 0.7
_LEAST_ASKED = 0.7  # of the weight of the question's terms, in the number's own clause
_CLAUSE_END = re.compile(r"[,;:](?=\s)|[()]|\b(?:while|whereas|instead|compared|versus|than)\b")
_CONDITION = re.compile(r"\b(?:at|for|under|with|from|per|within|every|each|after|than)\W*$")
_LEAST_SHARED = 0.45  # of the weight of the sentences' terms together
_LEAST_RELEVANCE = 0.5  # of the best sentence's
_MOST = 3


def disagreements(reading: Reading, boxes_of: BoxesOf | None) -> tuple[Disagreement, ...]:
    """Pairs of differing numbers for what a question asks, each side cited."""
    wanted = asked_dimensions(reading.question)
    if not wanted or not asks_a_number(reading.question):
        return ()
    known = find_quantities(reading.question)
    asked = content_terms(reading.question)
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
                and _is_told_of(quantity, sentence.text, asked)
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
            found.append(Disagreement(_subject(asked, one, other), sides))
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


def _is_told_of(quantity: Quantity, sentence: str, asked: tuple[Term, ...]) -> bool:
    """Whether a number's own clause holds what is asked for, and the number is its value."""
    plain = plain_form(sentence)
    before = plain[: quantity.start]
    if _CONDITION.search(before):
        return False
    start = max((found.end() for found in _CLAUSE_END.finditer(before)), default=0)
    end = _CLAUSE_END.search(plain, quantity.end)
    clause = plain[start : end.start() if end else len(plain)]
    return coverage(asked, stems(clause)) >= _LEAST_ASKED


def _same_subject(one: ReadSentence, other: ReadSentence) -> bool:
    if float(one.vector @ other.vector) < _LEAST_COSINE:
        return False
    own, others = content_terms(one.text), content_terms(other.text)
    weights = {term.stem: term.weight for term in (*own, *others)}
    shared = {term.stem for term in own} & {term.stem for term in others}
    total = min(sum(t.weight for t in own), sum(t.weight for t in others))
    return sum(weights[stem] for stem in shared) >= _LEAST_SHARED * total


def _subject(asked: tuple[Term, ...], one: ReadSentence, other: ReadSentence) -> str:
    """The words of the question that both sentences hold."""
    both = stems(one.text) & stems(other.text)
    return " ".join(term.word for term in asked if is_present(term, both))
