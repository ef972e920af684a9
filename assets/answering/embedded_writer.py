"""The writer that needs no model: the sentences of the papers themselves, chosen and ordered.

Sentences are taken greedily by the log-odds of their relevance. A sentence of a passage that is
already cited is preferred, one beside a chosen sentence more so, one with words of the question
that no chosen sentence has, and one that says nearly the same less; each must come near the best
one. Nothing is reworded: reference marks and opening connectives ("However,") are left out. A
sentence that begins with "This" or "It" brings the one before it along, and is left out itself
where that is not to be had. What another paper says in the same numbers is cited beside it. A fact
that asks how thick or at what temperature gets no answer without such a number.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assets.answering.asked_numbers import fitting_quantities, measured_by
from assets.answering.quantities import find_quantities, same_quantity, stands_in
from assets.answering.reading import (
    Reading,
    ReadSentence,
    dangles,
    presentable,
    readable,
    reweighted,
)
from assets.answering.records import AnswerSettings, Draft, Plan, QuestionType
from assets.answering.terms import Term, content_terms, coverage, is_present, stems

NAME = "embedded extractive writer 3"

_FURTHEST = {  # log-odds below the best sentence at which a further one is left out
    QuestionType.PRECISE_FACT: 2.0,
    QuestionType.PARAPHRASE: 2.0,
    QuestionType.REASONING: 3.0,
    QuestionType.BROAD_SYNTHESIS: 3.5,
}
_BESIDE = 0.5  # log-odds that a neighbour of a chosen sentence is worth
_OF_NEW_WORDS = 2.0  # log-odds for the share of the question's words that no chosen one holds yet
_OF_CONTEXT, _TELLING = 0.5, 3  # share of a passage's log-odds; sentences that they are taken of
_ALIKE, _COST_OF_LIKENESS = 0.7, 1.5  # cosine from which likeness costs, and how much
_SAME = 0.9  # cosine at which two sentences say the same
_CORROBORATES = 0.78  # cosine at which another paper's sentence is cited beside the chosen one
_MOST_CITATIONS = 3
_GAP = 3  # characters between neighbouring sentences
_OF_ONE_PAPER = 0.45  # share of a synthesis' sentences
_MOST_JOINED_WORDS = 110
_CUT_OFF = re.compile(r"[a-z,]$")  # by the end of a passage, a column or a figure
_PLANS = re.compile(
    r"\b(?:paper|article|report|section|chapter) (?:is (?:structured|organi[sz]ed)"
    r"|first (?:explains|describes|reviews|presents)|proceeds|begins with|concludes with)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Choice:
    sentence: ReadSentence
    support: tuple[ReadSentence, ...]


def write(plan: Plan, reading: Reading, settings: AnswerSettings) -> list[Draft]:
    """Drafts of an answer, in the order in which they are to be read; none where nothing fits."""
    sectioned = plan.type is QuestionType.BROAD_SYNTHESIS
    drafts: list[Draft] = []
    last: ReadSentence | None = None
    for choice in _in_order(_choose(plan, reading, settings)):
        one = choice.sentence
        # What the sentence points back to may stand right before it already.
        follows = last is not None and last.evidence.key == one.evidence.key and _touch(last, one)
        drafts.append(_draft(choice, one.evidence.title if sectioned else "", joined=not follows))
        last = one
    return drafts


def most_sentences(plan: Plan, settings: AnswerSettings) -> int:
    """How many sentences an answer to this type of question may have."""
    if plan.type is QuestionType.BROAD_SYNTHESIS:
        return settings.max_synthesis
    if plan.type is QuestionType.REASONING:
        return settings.max_reasons
    return settings.max_facts


def _choose(plan: Plan, reading: Reading, settings: AnswerSettings) -> list[_Choice]:
    most = most_sentences(plan, settings)
    synthesis = plan.type is QuestionType.BROAD_SYNTHESIS
    of_one_paper = int(_OF_ONE_PAPER * most) if synthesis else most
    candidates = [one for one in reading.sentences if _stands_alone(one)]
    context = _passages(reading)
    terms = reweighted(
        content_terms(reading.question), [stems(one.text) for one in reading.sentences]
    )
    chosen: list[ReadSentence] = []
    papers: Counter[str] = Counter()
    least = 0.0
    while candidates and len(chosen) < most:
        worth = [_worth(sentence, chosen, context, settings.focus) for sentence in candidates]
        worth = [
            value + _OF_NEW_WORDS * _new_words(sentence, chosen, terms)
            for value, sentence in zip(worth, candidates, strict=True)
        ]
        place = int(np.argmax(worth))
        least = worth[place] - _FURTHEST[plan.type] if not chosen else least
        if worth[place] < least:
            break
        best = candidates.pop(place)
        if papers[best.evidence.paper_id] >= of_one_paper:
            continue
        if any(_says_the_same(best, other) for other in chosen) or _brought_along(best, chosen):
            continue
        papers[best.evidence.paper_id] += 1
        chosen.append(best)
    if plan.type is QuestionType.PRECISE_FACT:
        chosen = _with_the_number(chosen, reading, most)
    return [_Choice(one, _corroboration(one, reading.sentences)) for one in chosen]


def _with_the_number(chosen: list[ReadSentence], reading: Reading, most: int) -> list[ReadSentence]:
    """Sentences of which one gives the number that is asked for, or none at all.

    Where the chosen ones lack it, the best sentence that has it takes the last place, unless it is
    far behind.
    """
    wanted = measured_by(reading.question)
    known = find_quantities(reading.question)

    def gives(sentence: ReadSentence) -> bool:
        return any(
            not any(same_quantity(quantity, other) for other in known)
            for quantity in fitting_quantities(sentence.text, wanted)
        )

    if not wanted or any(map(gives, chosen)):
        return chosen
    least = _log_odds(reading.best) - _FURTHEST[QuestionType.PRECISE_FACT]
    found = (one for one in reading.sentences if gives(one) and _stands_alone(one))
    best = next(found, None)
    if best is None or _log_odds(best.relevance) < least:
        return []
    return [*chosen[: most - 1], best]


def _passages(reading: Reading) -> dict[str, float]:
    """For each passage, by key, the mean log-odds of its best sentences, 0 for the best passage."""
    odds: dict[str, list[float]] = {}
    for one in reading.sentences:
        odds.setdefault(one.evidence.key, []).append(_log_odds(one.relevance))
    means = {key: float(np.mean(values[:_TELLING])) for key, values in odds.items()}
    best = max(means.values(), default=0.0)
    return {key: mean - best for key, mean in means.items()}


def _worth(
    sentence: ReadSentence,
    chosen: Sequence[ReadSentence],
    context: Mapping[str, float],
    focus: float,
) -> float:
    """Log-odds of relevance with a share of its passage's, more beside what is chosen, less where
    it repeats it."""
    worth = _log_odds(sentence.relevance) + _OF_CONTEXT * focus * context[sentence.evidence.key]
    if not chosen:
        return worth
    same = [one for one in chosen if one.evidence.key == sentence.evidence.key]
    worth += focus * bool(same) + _BESIDE * any(_touch(sentence, one) for one in same)
    nearest = max(float(sentence.vector @ one.vector) for one in chosen)
    return worth - _COST_OF_LIKENESS * max(0.0, nearest - _ALIKE)


def _new_words(
    sentence: ReadSentence, chosen: Sequence[ReadSentence], terms: tuple[Term, ...]
) -> float:
    """Weighted share of the terms that a sentence holds and no chosen one; 0 for the first one."""
    if not chosen:
        return 0.0
    held = frozenset().union(*(stems(one.text) for one in chosen))
    missing = tuple(replace(term, weight=0.0) if is_present(term, held) else term for term in terms)
    total = sum(term.weight for term in terms)
    left = sum(term.weight for term in missing)
    return coverage(missing, stems(sentence.text)) * left / total if left else 0.0


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
    """Best paper first, in it the best passage first; within a passage as it reads."""
    papers: dict[str, int] = {}
    passages: dict[str, int] = {}
    for place, choice in enumerate(chosen):
        papers.setdefault(choice.sentence.evidence.paper_id, place)
        passages.setdefault(choice.sentence.evidence.key, place)
    return sorted(
        chosen,
        key=lambda choice: (
            papers[choice.sentence.evidence.paper_id],
            passages[choice.sentence.evidence.key],
            choice.sentence.start,
        ),
    )


def _stands_alone(sentence: ReadSentence) -> bool:
    """Whether a sentence is whole, tells of the matter, and points back at nothing that is lost."""
    if _CUT_OFF.search(sentence.text) or _PLANS.search(sentence.text):
        return False
    return not dangles(sentence.text) or bool(_antecedent(sentence))


def _antecedent(sentence: ReadSentence) -> str:
    """The sentence before one that points back, where both together can be read; else ""."""
    before = sentence.before
    if not before or dangles(before) or not readable(before):
        return ""
    return before if len(f"{before} {sentence.text}".split()) <= _MOST_JOINED_WORDS else ""


def _brought_along(sentence: ReadSentence, chosen: Sequence[ReadSentence]) -> bool:
    """Whether a chosen sentence that points back brings this one along already."""
    return any(
        one.evidence.key == sentence.evidence.key
        and dangles(one.text)
        and one.before == sentence.quote
        for one in chosen
    )


def _draft(choice: _Choice, heading: str, joined: bool) -> Draft:
    sentence = choice.sentence
    text, quote = sentence.text, sentence.quote
    before = _antecedent(sentence) if joined and dangles(text) else ""
    if before:
        start = sentence.evidence.text.rfind(before, 0, sentence.start)
        text = f"{presentable(before)} {text}"
        quote = sentence.evidence.text[start : sentence.end]
    quotes = [(sentence.evidence.key, quote)]
    quotes += [(other.evidence.key, other.quote) for other in choice.support]
    return Draft(text=text, quotes=tuple(quotes), heading=heading)
