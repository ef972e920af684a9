"""Plans: made by a model or by the embedded planner, and held to the rules by code.

The rules (arXiv:2606.10381, made checkable): tags only from the profile's vocabulary, `general`
only alone; the first subquery is the question word for word; at most five more, at most two for a
precise fact; none with a number, an arXiv id or a quoted title that the question does not hold,
none that is empty, generic or a repetition. What is rejected is noted in the plan with its reason.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pydantic import BaseModel

from assets.answering import embedded_planner
from assets.answering.parts import Encoder, Profile
from assets.answering.prompts import planning_prompt
from assets.answering.quantities import find_quantities, stands_in
from assets.answering.records import AnswerSettings, Plan, QuestionType
from assets.answering.terms import content_terms, stem_of
from assets.answering.writing import usage_of
from resources.counts import counted
from resources.errors import Permanent, Transient
from resources.language_model import LanguageModel

MAX_FOR_A_FACT = 2
_LONGEST = 400  # characters of a subquery
_DUPLICATE = 0.9  # Jaccard similarity of the stems of two subqueries

_ARXIV_ID = re.compile(r"\b(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?\b")
_QUOTED = re.compile(r"[\"“”«»„]([^\"“”«»„]{3,})[\"“”«»„]|(?<!\w)'([^']{12,})'(?!\w)")
_GENERIC_WORDS = """
    muon collider colliders physics particle particles paper papers study studies research work
    result results overview introduction background summary review general topic information
    detail details data experiment experiments literature question answer discussion describe
    explain find related relevant corpus document source future important recent current new
"""
_GENERIC = frozenset(stem_of(word) for word in _GENERIC_WORDS.split())


class ProposedPlan(BaseModel):
    """The shape that a model's plan must have."""

    tags: list[str]
    type: QuestionType
    subqueries: list[str]


def question_alone(question: str, planner: str, note: str = "") -> Plan:
    """The plan of a search without an agent: the question and nothing else."""
    return Plan(
        tags=(),
        type=embedded_planner.classify(question),
        subqueries=(question,),
        planner=planner,
        notes=(note,) if note else (),
    )


def make_plan(
    question: str,
    profile: Profile,
    encoder: Encoder,
    model: LanguageModel | None,
    settings: AnswerSettings,
) -> Plan:
    """The plan of an agentic search, within the rules.

    A model's plan that cannot be read degrades to the question alone and says so; its type is
    then the embedded planner's. Raises ServiceDown where the model cannot be reached at all.
    """
    if model is None:
        proposed = embedded_planner.propose(question, profile, encoder)
        return _held_to_rules(question, proposed, profile.tags, settings)
    try:
        reply = model.generate(planning_prompt(question, profile.tags), ProposedPlan)
    except (Permanent, Transient) as problem:
        return question_alone(
            question,
            model.name,
            f"The model's plan could not be used ({problem}); the question alone is searched.",
        )
    plan = Plan(
        tags=tuple(reply.value.tags),
        type=reply.value.type,
        subqueries=(question, *reply.value.subqueries),
        planner=model.name,
        usage=usage_of(reply),
    )
    return _held_to_rules(question, plan, profile.tags, settings)


def _held_to_rules(
    question: str, plan: Plan, vocabulary: Mapping[str, str], settings: AnswerSettings
) -> Plan:
    tags, tag_notes = check_tags(plan.tags, vocabulary)
    most = settings.max_subqueries
    if plan.type is QuestionType.PRECISE_FACT:
        most = min(most, MAX_FOR_A_FACT)
    kept, notes = check_subqueries(question, plan.subqueries, most)
    return replace(plan, tags=tags, subqueries=kept, notes=(*plan.notes, *tag_notes, *notes))


def check_tags(
    tags: Sequence[str], vocabulary: Mapping[str, str]
) -> tuple[tuple[str, ...], list[str]]:
    """Tags of the vocabulary, `general` only where it stands alone, and a note on the others."""
    known = [tag for tag in dict.fromkeys(tag.strip().lower() for tag in tags) if tag in vocabulary]
    unknown = [tag for tag in tags if tag.strip().lower() not in vocabulary]
    notes = [f"Tag {tag!r} is not in the profile's vocabulary." for tag in unknown]
    special = [tag for tag in known if tag != embedded_planner.GENERAL]
    return tuple(special or [embedded_planner.GENERAL]), notes


def check_subqueries(
    question: str, proposed: Iterable[str], most: int
) -> tuple[tuple[str, ...], list[str]]:
    """The question followed by at most `most` of the proposed subqueries that keep the rules.

    Returns them with one sentence for each that was rejected.
    """
    kept = [question]
    notes: list[str] = []
    over = 0
    for candidate in proposed:
        subquery = " ".join(candidate.split())
        if subquery == " ".join(question.split()):
            continue
        fault = _fault(subquery, question, kept)
        if fault:
            notes.append(f"Subquery {subquery[:80]!r} was rejected: {fault}.")
        elif len(kept) > most:
            over += 1
        else:
            kept.append(subquery)
    if over:
        notes.append(
            f"{counted(over, 'more subquery', 'more subqueries')} left out: at most {most} added."
        )
    return tuple(kept), notes


def _fault(subquery: str, question: str, kept: Sequence[str]) -> str:
    """What is wrong with a subquery, in words; empty where nothing is."""
    if not re.search(r"\w", subquery):
        return "it is empty"
    if len(subquery) > max(_LONGEST, len(question)):
        return "it is too long"
    words = _stems(subquery)
    if not words - _GENERIC:
        return "it is generic"
    if any(_alike(words, _stems(earlier)) for earlier in kept):
        return "it repeats another subquery"
    return _invented(subquery, question)


def _invented(subquery: str, question: str) -> str:
    """A number, an arXiv id or a quoted title that the question does not hold, in words."""
    for match in _ARXIV_ID.finditer(subquery):
        if match.group() not in question:
            return f"the question does not name {match.group()}"
    for match in _QUOTED.finditer(subquery):
        if (match.group(1) or match.group(2)).lower() not in question.lower():
            return "it quotes a title that the question does not hold"
    for number in find_quantities(subquery):
        if not stands_in(number, (question,)):
            return f"the question does not hold the number {number.text}"
    return ""


def _alike(words: frozenset[str], others: frozenset[str]) -> bool:
    return words == others or len(words & others) >= _DUPLICATE * len(words | others)


def _stems(text: str) -> frozenset[str]:
    return frozenset(term.stem for term in content_terms(text))
