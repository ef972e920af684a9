"""Dagster's view of the answering stage: answers to questions, every sentence on a page."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import dagster as dg
from pydantic import Field

from assets.answering import inbox, kept
from assets.answering.answer_question import answer_question
from assets.answering.inbox import Refused
from assets.answering.markdown import escaped, safe_link, to_markdown
from assets.answering.parts import OnStep
from assets.answering.questions import read_questions
from assets.answering.records import (
    NO_USAGE,
    VERSION,
    Answer,
    AnswerSettings,
    Citation,
    Usage,
    answer_id,
)
from assets.answering.telling import clipped
from assets.parsing.rows import boxes_of
from assets.reporting import OWNERS, Progress, now, plain_failures, preview
from assets.retrieval.assets import release
from assets.retrieval.reader import open_searcher
from assets.retrieval.records import Mode
from assets.retrieval.release import Release, require_current
from assets.retrieval.search import Searcher, usable_query
from assets.tables import CHUNKS
from resources.blocks import Box
from resources.encoder import Encoder
from resources.entailment import Entailment
from resources.errors import MuonEvidenceError, Permanent, Transient, UsageError
from resources.files import Files
from resources.lake import Lake, col
from resources.language_model import LanguageModel
from resources.profile import Profile
from resources.reranker import Reranker

#: Passages that one answer may read, and passages that one search for it may find.
MOST_PASSAGES = 200
#: Questions that a run's metadata lists.
_MOST_LISTED = 50


class AnswerConfig(dg.Config):
    """What to answer, and how. Give one of `question`, `questions` and `inbox`.

    `inbox` names a file of the questions inbox, whose answers go to the outbox. `mode` is how
    passages are found; `m` passages at most are read, `k` are found for each subquery. `model` is
    a model to write with ("" for the configured one, "none" for the embedded parts), `budget_usd`
    the most that the run may spend on it (below 0: what is configured). `fresh` answers anew what
    is kept.
    """

    question: str = ""
    questions: list[str] = Field(default_factory=list)
    inbox: str = ""
    mode: str = Mode.AGENTIC.value
    m: int = AnswerSettings().m
    k: int = AnswerSettings().k
    model: str = ""
    budget_usd: float = -1.0
    fresh: bool = False

    def check_asks(self) -> None:
        """Raise UsageError unless it asks in exactly one way."""
        if sum(map(bool, (self.question, self.questions, self.inbox))) != 1:
            raise UsageError(
                "Give one of `question`, `questions` (a list) and `inbox` (a file's name) in the "
                "configuration of `answer`."
            )

    def settings(self, reranker: Reranker | None, entailment: Entailment | None) -> AnswerSettings:
        """The settings of an answer, within what an answer can be made with."""
        for name, value in (("m", self.m), ("k", self.k)):
            if not 1 <= value <= MOST_PASSAGES:
                raise UsageError(f"--{name} must be between 1 and {MOST_PASSAGES}, not {value}.")
        return AnswerSettings(
            m=self.m,
            k=self.k,
            reranker=reranker.id if reranker else "",
            entailment=entailment.id if entailment else "",
        )


class Models(Protocol):
    """Language models by what a run asks for."""

    def __call__(self, name: str, budget_usd: float, *, fresh: bool) -> LanguageModel | None:
        """The model named, "" for the configured one, within a budget (below 0: the configured).

        `fresh` asks it anew where its reply is cached. None where there is no model.
        """


@dg.asset(
    group_name="answering",
    kinds={"python", "gemini", "lancedb"},
    owners=OWNERS,
    code_version=VERSION,
    deps=[release, "gemini"],
    description=(
        "Answers to questions from the current release: planned, searched, read, written and "
        "checked, each sentence with the passage and page it stands on, or an abstention that "
        "says why. Written by a language model where one is configured, else extractive. An "
        "answer that is kept costs nothing."
    ),
)
def answer(
    context: dg.AssetExecutionContext,
    config: AnswerConfig,
    lake: dg.ResourceParam[Lake],
    files: dg.ResourceParam[Files],
    encoder: dg.ResourceParam[Encoder],
    reranker: dg.ResourceParam[Reranker],
    entailment: dg.ResourceParam[Entailment],
    profile: dg.ResourceParam[Profile],
    models: dg.ResourceParam[Models],
    progress: dg.ResourceParam[Progress],
    follow: dg.ResourceParam[OnStep],
) -> dg.MaterializeResult[None]:
    """Answer the question, the questions or the inbox's file of the run's configuration."""
    with plain_failures():
        config.check_asks()
        mode, settings = answering_mode(config.mode), config.settings(reranker, entailment)
        current = require_current(files)
        model = models(config.model, config.budget_usd, fresh=config.fresh)
        source = _Release(lake, files, encoder, reranker, entailment, current)
        answerer = _Answerer(source, profile, model, mode, settings, config.fresh, follow)
        if config.inbox:
            made, refused = _answer_file(config.inbox, answerer, progress, context.run.run_id)
        elif config.questions:
            made, refused = answerer.answer_all(config.questions, progress)
        else:
            progress.report("answer", 0, 0)
            made, refused = [answerer.answer(config.question)], []
        shown = _one(made[0]) if len(made) == 1 and not refused else _many(made, refused)
        return dg.MaterializeResult(metadata={**shown, **_used(answerer.spent)})


@dataclass
class _Release:
    """The current release, opened for searching when the first question needs it."""

    lake: Lake
    files: Files
    encoder: Encoder
    reranker: Reranker | None
    entailment: Entailment | None
    current: Release

    @cached_property
    def searcher(self) -> Searcher:
        return open_searcher(self.lake, self.files, self.current, self.encoder, self.reranker)

    def boxes(self, chunk_id: str) -> Sequence[Box]:
        rows = self.lake.rows(
            CHUNKS,
            ["boxes"],
            where=col("chunk_id") == chunk_id,
            version=self.current.versions[CHUNKS.name],
        )
        return boxes_of(rows[0]["boxes"]) if rows else ()


@dataclass
class _Answerer:
    """Answers questions, one after the other, and keeps each as soon as it is made."""

    source: _Release
    profile: Profile
    model: LanguageModel | None
    mode: Mode
    settings: AnswerSettings
    fresh: bool
    follow: OnStep
    clock: Callable[[], float] = time.perf_counter
    spent: Usage = NO_USAGE

    def answer(self, question: str) -> Answer:
        """The answer, kept or made."""
        question = usable_query(question)
        lake, release_id = self.source.lake, self.source.current.release_id
        model = self.model.name if self.model else ""
        writer = kept.writer_of(model)
        key = answer_id(question, self.mode.value, release_id, writer, self.settings)
        known = None if self.fresh else kept.find_answer(lake, key)
        if known is not None:
            return known
        made = answer_question(
            question,
            self.mode,
            self.source.searcher,
            self.profile,
            self.model,
            self.settings,
            self.follow,
            boxes_of=self.source.boxes,
            release=release_id,
            clock=self.clock,
            entailment=self.source.entailment,
        )
        self.spent += made.usage
        made = kept.named(made, model, self.settings)
        kept.keep(lake, self.source.files, made, now())
        return made

    def answer_all(
        self, questions: Sequence[str], progress: Progress
    ) -> tuple[list[Answer], list[Refused]]:
        """The answers in order, and the questions that alone cannot be answered.

        What stops every question (no model service, no budget left) stops the run; the answers
        until then are kept, so that the next run goes on behind them.
        """
        made: list[Answer] = []
        refused: list[Refused] = []
        for number, question in enumerate(questions):
            progress.report("answer", number, len(questions))
            try:
                made.append(self.answer(question))
            except (Permanent, Transient, UsageError) as problem:
                refused.append(Refused(question, str(problem)))
            except MuonEvidenceError as problem:
                message = (
                    f"{problem} {number} of {len(questions)} questions were answered and are "
                    "kept; ask again to go on."
                )
                raise type(problem)(message) from problem
        progress.report("answer", len(questions), len(questions))
        return made, refused


def _answer_file(
    name: str, answerer: _Answerer, progress: Progress, run_id: str
) -> tuple[list[Answer], list[Refused]]:
    """Answer a file of the inbox; one that holds no questions is said to fail in the outbox."""
    files = answerer.source.files
    file, content = inbox.open_file(files, name)
    try:
        questions = read_questions(name, content)
    except UsageError as problem:
        inbox.write_failure(files, file, str(problem), run_id)
        raise
    made, refused = answerer.answer_all(questions, progress)
    inbox.write_result(files, file, made, refused, run_id)
    return made, refused


def _one(made: Answer) -> dict[str, Any]:
    """An answer with all it stands on."""
    return {
        "answer": dg.MetadataValue.md(to_markdown(made)),
        **_shown_at_once(made),
        "question": made.question,
        "answer_id": made.answer_id,
        "abstained": made.abstained,
        "confidence": made.confidence,
        "sentences": len(made.sentences),
        "citations": sum(len(sentence.citations) for sentence in made.sentences),
        "plan": dg.MetadataValue.json(
            {
                "type": made.plan.type.value,
                "tags": list(made.plan.tags),
                "planner": made.plan.planner,
                "notes": [*made.plan.notes, *made.notes],
            }
        ),
        "subqueries": preview(
            [
                {
                    "subquery": _cell(one.subquery),
                    "found": one.found,
                    "new": one.added,
                    "cited": one.cited,
                }
                for one in made.drift
            ],
            ["subquery", "found", "new", "cited"],
        ),
        "pool": preview(
            [
                {
                    "key": item.key,
                    "paper": item.paper_id,
                    "page": item.page_start,
                    "score": round(item.score, 4),
                    "text": _cell(item.text),
                }
                for item in made.evidence
            ],
            ["key", "paper", "page", "score", "text"],
        ),
        "verdicts": preview(_verdicts(made), ["sentence", "score", "entailed", "verdict"]),
        "grounding": made.grounding,
        "model": made.model,
        "release": made.release,
        "seconds": round(sum(made.timings.values()), 2),
    }


def _verdicts(made: Answer) -> list[dict[str, Any]]:
    kept_ones = [
        {
            "sentence": _cell(one.text),
            "score": one.verdict.score,
            "entailed": _given(one.verdict.entailment),
            "verdict": "passed",
        }
        for one in made.sentences
    ]
    return kept_ones + [
        {"sentence": _cell(one.text), "verdict": _cell(f"kept out: {one.reason}")}
        for one in made.dropped
    ]


def _given(value: float | None) -> float | str:
    return "" if value is None else value


def _shown_at_once(made: Answer) -> dict[str, dg.MetadataValue]:
    """The answer in pieces that the UI shows on the page; a longer text it hides behind a link."""
    if made.abstained:
        return {"not answered": dg.MetadataValue.md(escaped(made.reason))}
    return {
        f"sentence {number}": dg.MetadataValue.md(
            f"{escaped(sentence.text)} {' '.join(_linked(one) for one in sentence.citations)}"
        )
        for number, sentence in enumerate(made.sentences, 1)
    }


def _linked(citation: Citation) -> str:
    where = f"{escaped(citation.paper_id)}, page {citation.page}"
    link = safe_link(citation.link)
    return f"[{where}]({link})" if link else where


def _cell(text: str) -> str:
    """Text of a paper or a model as words in a table's cell, where a bar would end it."""
    return escaped(text.replace("|", "¦"))


def _many(made: Sequence[Answer], refused: Sequence[Refused]) -> dict[str, Any]:
    """A line a question, and what the run used."""
    lines = [
        f"- **{escaped(clipped(one.question))}** "
        + (f"*Not answered.* {escaped(one.reason)}" if one.abstained else escaped(one.text))
        for one in made[:_MOST_LISTED]
    ]
    lines += [f"- **{escaped(clipped(one.question))}** *{escaped(one.reason)}*" for one in refused]
    return {
        "answers": dg.MetadataValue.md("\n".join(lines)),
        "answer_ids": dg.MetadataValue.json([one.answer_id for one in made]),
        "refused": dg.MetadataValue.json(
            [{"question": one.question, "reason": one.reason} for one in refused]
        ),
        "questions": len(made) + len(refused),
        "answered": sum(not one.abstained for one in made),
        "abstained": sum(one.abstained for one in made),
        "failed": len(refused),
    }


def _used(usage: Usage) -> dict[str, Any]:
    """What the run used; an answer that was kept used nothing."""
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "calls": usage.calls,
        "cached_calls": usage.cached_calls,
        "cost_usd": usage.cost_usd,
    }


def answering_mode(name: str) -> Mode:
    """A mode by name; an unknown one is a UsageError that lists those there are."""
    try:
        return Mode(name)
    except ValueError as error:
        known = ", ".join(mode.value for mode in Mode)
        raise UsageError(f"There is no mode {name!r}; there are: {known}.") from error
