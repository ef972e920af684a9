"""The writer that needs no model: the sentences of the papers themselves, chosen and ordered.

Sentences are taken greedily by relevance; each further one must still be relevant, say something
that the chosen ones do not, and, for a synthesis, come from a paper that has not had its share.
Nothing is reworded: reference marks and opening connectives ("However,") are left out, and a
sentence that begins with "This" or "It" brings the one before it along.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assets.answering.quantities import find_quantities, stands_in
from assets.answering.reading import Reading, ReadSentence, dangles, presentable
from assets.answering.records import AnswerSettings, Draft, Plan, QuestionType
from assets.answering.terms import Term, content_terms, is_present, stems

NAME = "embedded extractive writer 1"

_LEAST_RELEVANCE = 0.2
_LEAST_SHARE = {  # of the best sentence's relevance that a further one must reach
    QuestionType.PRECISE_FACT: 0.55,
    QuestionType.PARAPHRASE: 0.55,
    QuestionType.REASONING: 0.45,
    QuestionType.BROAD_SYNTHESIS: 0.3,
}
_SAME = 0.87  # cosine at which two sentences say the same
_CORROBORATES = 0.78  # cosine at which another paper's sentence is cited beside the chosen one
_MOST_CITATIONS = 3
_OF_ONE_PAPER = 3  # sentences of a synthesis
_MOST_JOINED_WORDS = 75


@dataclass(frozen=True, slots=True)
class _Choice:
    sentence: ReadSentence
    support: tuple[ReadSentence, ...]


def write(plan: Plan, reading: Reading, settings: AnswerSettings) -> list[Draft]:
    """Drafts of an answer, in the order in which they are to be read; none where nothing fits."""
    sectioned = plan.type is QuestionType.BROAD_SYNTHESIS
    return [
        _draft(choice, heading=choice.sentence.evidence.title if sectioned else "")
        for choice in _in_order(_choose(plan, reading, settings))
    ]


def most_sentences(plan: Plan, settings: AnswerSettings) -> int:
    """How many sentences an answer to this type of question may have."""
    if plan.type is QuestionType.BROAD_SYNTHESIS:
        return settings.max_synthesis
    if plan.type is QuestionType.REASONING:
        return settings.max_reasons
    return settings.max_facts


def _choose(plan: Plan, reading: Reading, settings: AnswerSettings) -> list[_Choice]:
    most = most_sentences(plan, settings)
    least = max(_LEAST_RELEVANCE, _LEAST_SHARE[plan.type] * reading.best)
    wanted = content_terms(reading.question)
    chosen: list[_Choice] = []
    papers: Counter[str] = Counter()
    candidates = [s for s in reading.sentences if s.relevance >= least]
    while candidates and len(chosen) < most:
        best = max(candidates, key=lambda s: s.relevance + _news(s, chosen, wanted))
        candidates.remove(best)
        if any(_says_the_same(best, choice.sentence) for choice in chosen):
            continue
        if (
            plan.type is QuestionType.BROAD_SYNTHESIS
            and papers[best.evidence.paper_id] >= _OF_ONE_PAPER
        ):
            continue
        papers[best.evidence.paper_id] += 1
        chosen.append(_Choice(best, _corroboration(best, reading.sentences)))
    return chosen


def _news(sentence: ReadSentence, chosen: Sequence[_Choice], wanted: tuple[Term, ...]) -> float:
    """What a sentence adds: up to 0.15 for terms of the question that nothing chosen holds."""
    if not chosen:
        return 0.0
    had = frozenset().union(*(stems(choice.sentence.text) for choice in chosen))
    own = stems(sentence.text)
    missing = [term for term in wanted if not is_present(term, had)]
    total = sum(term.weight for term in wanted) or 1.0
    gain = sum(term.weight for term in missing if is_present(term, own)) / total
    nearest = max(float(sentence.vector @ choice.sentence.vector) for choice in chosen)
    return 0.3 * gain - 0.2 * max(0.0, nearest - 0.6)


def _says_the_same(one: ReadSentence, other: ReadSentence) -> bool:
    return float(np.dot(one.vector, other.vector)) >= _SAME


def _corroboration(
    chosen: ReadSentence, sentences: Sequence[ReadSentence]
) -> tuple[ReadSentence, ...]:
    """Sentences of other papers that say the same with the same numbers."""
    numbers = find_quantities(chosen.text)
    found: dict[str, ReadSentence] = {}
    for other in sentences:
        paper = other.evidence.paper_id
        if paper == chosen.evidence.paper_id or paper in found:
            continue
        if float(np.dot(chosen.vector, other.vector)) >= _CORROBORATES and all(
            stands_in(number, (other.text,)) for number in numbers
        ):
            found[paper] = other
    return tuple(found.values())[: _MOST_CITATIONS - 1]


def _in_order(chosen: Sequence[_Choice]) -> list[_Choice]:
    """Best paper first; within a paper as it reads."""
    first: dict[str, int] = {}
    for place, choice in enumerate(chosen):
        first.setdefault(choice.sentence.evidence.paper_id, place)
    return sorted(
        chosen,
        key=lambda choice: (
            first[choice.sentence.evidence.paper_id],
            choice.sentence.evidence.page_start,
            choice.sentence.start,
        ),
    )


def _draft(choice: _Choice, heading: str = "") -> Draft:
    sentence = choice.sentence
    text, quote = sentence.text, sentence.quote
    if dangles(text) and sentence.before:
        joined = f"{presentable(sentence.before)} {text}"
        if len(joined.split()) <= _MOST_JOINED_WORDS and not dangles(sentence.before):
            start = sentence.evidence.text.rfind(sentence.before, 0, sentence.start)
            text, quote = joined, sentence.evidence.text[start : sentence.end]
    quotes = [(sentence.evidence.key, quote)]
    quotes += [(other.evidence.key, other.quote) for other in choice.support]
    return Draft(text=text, quotes=tuple(quotes), heading=heading)
