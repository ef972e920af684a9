"""The writer that needs no model: the sentences of the papers themselves, chosen and ordered.

Sentences are taken greedily by the log-odds of their relevance. A sentence of a passage that is
already cited is preferred, one beside a chosen sentence more so, and one that says nearly the same
less; each must come near the best one. Nothing is reworded: reference marks and opening
connectives ("However,") are left out, and a sentence that begins with "This" or "It" brings the
one before it along. What another paper says in the same numbers is cited beside it.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assets.answering.quantities import find_quantities, stands_in
from assets.answering.reading import Reading, ReadSentence, dangles, presentable
from assets.answering.records import AnswerSettings, Draft, Plan, QuestionType

NAME = "embedded extractive writer 1"

_FURTHEST = {  # log-odds below the best sentence at which a further one is left out
    QuestionType.PRECISE_FACT: 2.0,
    QuestionType.PARAPHRASE: 2.0,
    QuestionType.REASONING: 3.0,
    QuestionType.BROAD_SYNTHESIS: 3.5,
}
_SAME_PASSAGE, _BESIDE = 1.0, 0.5  # log-odds that a cited passage and a neighbour are worth
_ALIKE, _COST_OF_LIKENESS = 0.7, 1.5  # cosine from which likeness costs, and how much
_SAME = 0.9  # cosine at which two sentences say the same
_CORROBORATES = 0.78  # cosine at which another paper's sentence is cited beside the chosen one
_MOST_CITATIONS = 3
_GAP = 3  # characters between neighbouring sentences
_OF_ONE_PAPER = 5  # sentences of a synthesis
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
    of_one_paper = _OF_ONE_PAPER if plan.type is QuestionType.BROAD_SYNTHESIS else most
    least = _log_odds(reading.best) - _FURTHEST[plan.type]
    candidates = list(reading.sentences)
    chosen: list[ReadSentence] = []
    papers: Counter[str] = Counter()
    while candidates and len(chosen) < most:
        worth = [_worth(sentence, chosen) for sentence in candidates]
        place = int(np.argmax(worth))
        if worth[place] < least:
            break
        best = candidates.pop(place)
        if papers[best.evidence.paper_id] >= of_one_paper:
            continue
        if any(_says_the_same(best, other) for other in chosen):
            continue
        papers[best.evidence.paper_id] += 1
        chosen.append(best)
    return [_Choice(one, _corroboration(one, reading.sentences)) for one in chosen]


def _worth(sentence: ReadSentence, chosen: Sequence[ReadSentence]) -> float:
    """Log-odds of relevance, more beside what is chosen, less where it repeats it."""
    worth = _log_odds(sentence.relevance)
    if not chosen:
        return worth
    same = [one for one in chosen if one.evidence.key == sentence.evidence.key]
    worth += _SAME_PASSAGE * bool(same) + _BESIDE * any(_touch(sentence, one) for one in same)
    nearest = max(float(sentence.vector @ one.vector) for one in chosen)
    return worth - _COST_OF_LIKENESS * max(0.0, nearest - _ALIKE)


def _log_odds(probability: float) -> float:
    bounded = min(1 - 1e-9, max(1e-9, probability))
    return float(np.log(bounded / (1 - bounded)))


def _touch(one: ReadSentence, other: ReadSentence) -> bool:
    """Whether two sentences of a passage stand side by side."""
    return min(abs(one.end - other.start), abs(other.end - one.start)) <= _GAP


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
