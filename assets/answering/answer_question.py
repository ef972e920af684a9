"""From a question to an answer: the whole flow as one function over the parts it is given.

plan → evidence → reading → writing → grounding (one repair) → answer or abstention
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assets.answering import embedded_writer
from assets.answering.abstention import (
    confidence,
    near_misses,
    opposite,
    plainly_missing,
    reason_for,
    signals,
)
from assets.answering.disagreement import disagreements
from assets.answering.evidence import Pool, drift, gather, given
from assets.answering.grounding import checker, ground
from assets.answering.particles import of_its_particles
from assets.answering.parts import BoxesOf, Clock, OnStep, Profile, Searcher
from assets.answering.planning import make_plan, question_alone
from assets.answering.premises import denial
from assets.answering.prompts import writing_prompt
from assets.answering.reading import Found, Reading, read, sentences_of
from assets.answering.records import (
    NO_USAGE,
    Answer,
    AnswerSettings,
    Draft,
    Dropped,
    NearMiss,
    Plan,
    Sentence,
    Usage,
    answer_id,
)
from assets.answering.writing import Written, repair, write
from assets.retrieval.records import Hit, Mode
from assets.retrieval.search import usable_query
from resources.entailment import Entailment
from resources.language_model import LanguageModel

DEFAULTS = AnswerSettings()
GIVEN = AnswerSettings(max_facts=6, max_reasons=10, max_synthesis=24, focus=0.0)
"""For passages that are handed over: as they are held to be right, more of them may be written."""
ORACLE = "oracle"
"""Mode of an answer from passages that were handed over."""


@dataclass(frozen=True, slots=True)
class _Parts:
    """What an answer is made with, apart from the question and its evidence."""

    searcher: Searcher
    model: LanguageModel | None
    settings: AnswerSettings
    boxes_of: BoxesOf | None
    release: str
    entailment: Entailment | None


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What the writer's drafts became."""

    sentences: tuple[Sentence, ...]
    dropped: tuple[Dropped, ...]
    written: Written
    usage: Usage


def answer_question(  # noqa: PLR0913 - every part is injected
    question: str,
    mode: Mode,
    searcher: Searcher,
    profile: Profile,
    model: LanguageModel | None,
    settings: AnswerSettings = DEFAULTS,
    on_step: OnStep | None = None,
    *,
    boxes_of: BoxesOf | None = None,
    release: str = "",
    clock: Clock | None = None,
    entailment: Entailment | None = None,
) -> Answer:
    """Answer a question from the passages that a searcher finds, or abstain and say why.

    `on_step` is told of every step as it ends. `boxes_of` gives the places of a chunk's text, so
    that a citation names the page its words stand on; without it the chunk's first page is named.
    `clock` is asked for seconds to time the steps. `entailment` is a model of inference that every
    sentence is held to besides the other checks.

    Raises UsageError for a question that cannot be searched for, ServiceDown where the model's
    service is gone, BudgetExhausted before a call that might cost more than is left.
    """
    question = usable_query(question)
    steps = _Steps(on_step, clock)
    if mode is Mode.AGENTIC:
        plan = make_plan(question, profile, searcher.encoder, model, settings)
    else:
        plan = question_alone(question, f"no planner ({mode.value})")
    steps.done("plan", tags=plan.tags, type=plan.type.value, subqueries=plan.subqueries)
    pool = gather(plan, mode, searcher, settings)
    pool = replace(pool, evidence=of_its_particles(question, pool.evidence))
    steps.done("evidence", passages=len(pool.evidence), notes=pool.notes)
    parts = _Parts(searcher, model, settings, boxes_of, release, entailment)
    return _answer(mode.value, plan, pool, parts, steps)


def answer_from(  # noqa: PLR0913
    question: str,
    hits: Sequence[Hit],
    searcher: Searcher,
    model: LanguageModel | None,
    settings: AnswerSettings = GIVEN,
    *,
    boxes_of: BoxesOf | None = None,
    release: str = "",
    entailment: Entailment | None = None,
) -> Answer:
    """Answer a question from given passages: how good the writing is, apart from the search.

    The passages are held to be right, so that only an empty reading or failed checks abstain.
    """
    question = usable_query(question)
    plan = question_alone(question, "no planner (passages given)")
    parts = _Parts(searcher, model, settings, boxes_of, release, entailment)
    return _answer(ORACLE, plan, given(hits, question), parts, _Steps(None, None))


def _answer(mode: str, plan: Plan, pool: Pool, parts: _Parts, steps: "_Steps") -> Answer:
    question = plan.subqueries[0]
    plan = replace(plan, subqueries=pool.subqueries)
    reading = read(plan, pool.evidence, parts.searcher.encoder)
    steps.done("reading", sentences=len(reading.sentences))
    measured = signals(reading, pool.evidence, pool.nearest)
    confident = confidence(measured)
    denied = None if mode == ORACLE else _denied(question, pool)
    missing = "" if mode == ORACLE else plainly_missing(plan, reading, pool.evidence)
    measured["kept_back"] = float(bool(denied or missing))
    outcome = _nothing(parts)
    if pool.evidence and not denied and not missing and confident >= parts.settings.abstain_below:
        outcome = _write(plan, pool, reading, parts)
    steps.done(
        "writing",
        sentences=len(outcome.sentences),
        dropped=len(outcome.dropped),
        writer=outcome.written.writer,
    )
    writer = outcome.written.writer
    reason = ""
    misses: tuple[NearMiss, ...] = ()
    evidence = pool.evidence
    if not outcome.sentences:
        reason = opposite(denied) if denied else missing or _reason(pool, reading, outcome)
        misses = near_misses(reading, parts.boxes_of, parts.settings.near_miss_cosine, denied)
        if denied and denied.evidence not in evidence:
            evidence = (*evidence, denied.evidence)
    return Answer(
        answer_id=answer_id(question, mode, parts.release, writer, parts.settings),
        question=question,
        mode=mode,
        plan=plan,
        evidence=evidence,
        sentences=outcome.sentences,
        dropped=outcome.dropped,
        disagreements=disagreements(reading, parts.boxes_of) if outcome.sentences else (),
        abstained=not outcome.sentences,
        reason=reason,
        near_misses=misses,
        confidence=confident,
        signals=measured,
        drift=drift(pool, outcome.sentences),
        notes=(*pool.notes, *outcome.written.notes),
        release=parts.release,
        model=writer,
        usage=plan.usage + outcome.usage,
        timings=steps.timings,
        grounding=checker(parts.entailment),
    )


def _denied(question: str, pool: Pool) -> Found | None:
    """A sentence among all that was found that denies what the question takes for granted."""
    found = [one for item in (*pool.evidence, *pool.wider) for one in sentences_of(item)]
    return denial(question, found)


def _nothing(parts: _Parts) -> _Outcome:
    writer = parts.model.name if parts.model else embedded_writer.NAME
    return _Outcome((), (), Written((), writer), NO_USAGE)


def _write(plan: Plan, pool: Pool, reading: Reading, parts: _Parts) -> _Outcome:
    """Drafts, checked; what fails is repaired once by a model, or dropped."""
    model = parts.model
    written = write(plan, pool.evidence, reading, model, parts.settings)
    kept, failed = _ground(written.drafts, pool, parts)
    usage, notes = written.usage, written.notes
    if failed and model is not None and written.writer == model.name:
        passed = [sentence.text for sentence in kept]
        faults = [dropped for _, dropped in failed]
        repaired = repair(writing_prompt(plan, pool.evidence), passed, faults, model)
        usage += repaired.usage
        notes = (*notes, *repaired.notes)
        fresh = [draft for draft in repaired.drafts if draft.text not in passed]
        mended, refused = _ground(fresh, pool, parts)
        kept += mended
        failed += refused
    return _Outcome(
        sentences=tuple(kept),
        dropped=tuple(dropped for _, dropped in failed),
        written=replace(written, notes=notes),
        usage=usage,
    )


def _ground(
    drafts: Sequence[Draft], pool: Pool, parts: _Parts
) -> tuple[list[Sentence], list[tuple[Draft, Dropped]]]:
    return ground(drafts, pool.evidence, parts.searcher.encoder, parts.boxes_of, parts.entailment)


def _reason(pool: Pool, reading: Reading, outcome: _Outcome) -> str:
    if outcome.written.missing:
        return f"The passages do not answer this: {outcome.written.missing}"
    if outcome.dropped:
        first = outcome.dropped[0].reason
        return f"No sentence of the draft stood up to its citations (the first: {first})."
    return reason_for(reading, pool.evidence)


class _Steps:
    """Tells of steps as they end and times them where there is a clock."""

    def __init__(self, on_step: OnStep | None, clock: Clock | None) -> None:
        self._on_step = on_step
        self._clock = clock
        self._last = clock() if clock else 0.0
        self.timings: dict[str, float] = {}

    def done(self, name: str, **details: Any) -> None:
        """A step has ended."""
        if self._clock:
            now = self._clock()
            self.timings[name] = round(now - self._last, 4)
            self._last = now
        if self._on_step:
            told: Mapping[str, Any] = details
            self._on_step(name, told)
