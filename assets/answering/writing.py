"""Writing an answer: by the configured model, or by the embedded writer where there is none.

A model writes quotes first and sentences on quotes, as structured output with closed citation
keys. What it gives is a proposal: `grounding` decides what is kept, and asks for one repair. A
model whose answer cannot be used at all (not the schema, cut off, refused) is replaced by the
embedded writer for this question, and the answer says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel, Field

from assets.answering import embedded_writer
from assets.answering.faithfulness import grounded_words
from assets.answering.prompts import repair_prompt, triage_prompt, writing_prompt
from assets.answering.reading import Reading
from assets.answering.records import NO_USAGE, AnswerSettings, Draft, Dropped, Evidence, Plan, Usage
from assets.parsing.injection import addresses_a_model
from resources.counts import counted
from resources.errors import Permanent, Transient
from resources.language_model import LanguageModel, Prompt, Reply, TooLong

T = TypeVar("T", bound=BaseModel)

_LONGEST_REASON = 300  # characters
_TRIAGE_FROM = 6  # passages; fewer are all read


class Quote(BaseModel):
    """Words copied from a passage, and the passage's key."""

    key: str
    quote: str


class WrittenSentence(BaseModel):
    """A sentence and the positions of its quotes in the list of quotes."""

    text: str
    quotes: list[int]
    heading: str = ""


class WrittenAnswer(BaseModel):
    """The shape that a model's answer must have."""

    quotes: list[Quote]
    sentences: list[WrittenSentence]
    sufficient: bool
    missing: str = ""


class RelevantPassages(BaseModel):
    """The shape of a triage: keys of the passages worth reading."""

    relevant: list[str] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Written:
    """Drafts with who wrote them.

    `missing` is what the model says the evidence does not give, where it judges it insufficient
    and says it in words of the question and the evidence;
    `quotes` are then the closest passages it found.
    """

    drafts: tuple[Draft, ...]
    writer: str
    usage: Usage = NO_USAGE
    missing: str = ""
    quotes: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


def write(
    plan: Plan,
    evidence: Sequence[Evidence],
    reading: Reading,
    model: LanguageModel | None,
    settings: AnswerSettings,
) -> Written:
    """Drafts for an answer, still to be checked.

    Raises ServiceDown where the model's service cannot be used at all, and BudgetExhausted where
    a call might cost more than is left.
    """
    if model is None:
        drafts = embedded_writer.write(plan, reading, settings)
        return Written(tuple(drafts), embedded_writer.NAME)
    usage = NO_USAGE
    notes: list[str] = []
    passages: Sequence[Evidence] = evidence
    if len(evidence) >= _TRIAGE_FROM:
        passages, usage, note = _triaged(plan.subqueries[0], evidence, model)
        notes += [note] if note else []
    try:
        reply, read = _generate(plan, passages, model)
        if read < len(passages):
            notes.append(
                f"Only {counted(read, 'passage')} fitted into the context of {model.name}."
            )
    except (Permanent, Transient) as problem:
        notes.append(
            f"{model.name} gave no usable answer ({problem}); the embedded writer wrote this one."
        )
        drafts = embedded_writer.write(plan, reading, settings)
        return Written(tuple(drafts), embedded_writer.NAME, usage, notes=tuple(notes))
    answer = reply.value
    return Written(
        drafts=() if not answer.sufficient else tuple(_drafts(answer)),
        writer=model.name,
        usage=usage + usage_of(reply),
        missing="" if answer.sufficient else _missing(answer, plan, evidence),
        quotes=tuple((quote.key, quote.quote) for quote in answer.quotes),
        notes=tuple(notes),
    )


def _generate(
    plan: Plan, passages: Sequence[Evidence], model: LanguageModel
) -> tuple[Reply[WrittenAnswer], int]:
    """The model's answer from as many of the passages as its context takes, and their number."""
    count = len(passages)
    while True:
        try:
            prompt = writing_prompt(plan, passages[:count])
            return model.generate(prompt, WrittenAnswer), count
        except TooLong:
            if count <= 1:
                raise
            count //= 2


def repair(
    first: Prompt, kept: Sequence[str], failed: Sequence[Dropped], model: LanguageModel
) -> Written:
    """The refused sentences once more, as the model now gives them; none where it cannot."""
    prompt = repair_prompt(first, kept, failed)
    try:
        reply = model.generate(prompt, WrittenAnswer)
    except (Permanent, Transient) as problem:
        return Written((), model.name, notes=(f"The repair came to nothing ({problem}).",))
    return Written(tuple(_drafts(reply.value)), model.name, usage_of(reply))


def usage_of(reply: Reply[T]) -> Usage:
    """What one reply used; one from the cache cost nothing and is counted as such."""
    if reply.cached:
        return Usage(cached_calls=1)
    return Usage(1, 0, reply.input_tokens, reply.output_tokens, reply.cost_usd or 0.0)


def _missing(answer: WrittenAnswer, plan: Plan, evidence: Sequence[Evidence]) -> str:
    """What the model says is missing, in words of the question and the evidence; else nothing.

    It is shown as the reason of an abstention: there too nothing may be told from memory.
    """
    missing = " ".join(answer.missing.split())
    sources = [plan.subqueries[0], *(item.text for item in evidence)]
    if len(missing) > _LONGEST_REASON or addresses_a_model(missing):
        return ""
    return missing if grounded_words(missing, sources) else ""


def _drafts(answer: WrittenAnswer) -> list[Draft]:
    """Sentences with their quotes; a position that is none of the list's cites nothing."""
    drafts = []
    for sentence in answer.sentences:
        quotes = [
            (answer.quotes[place].key, answer.quotes[place].quote)
            for place in dict.fromkeys(sentence.quotes)
            if 0 <= place < len(answer.quotes)
        ]
        text = " ".join(sentence.text.split())
        if text:
            drafts.append(Draft(text, tuple(quotes), " ".join(sentence.heading.split())))
    return drafts


def _triaged(
    question: str, evidence: Sequence[Evidence], model: LanguageModel
) -> tuple[Sequence[Evidence], Usage, str]:
    """The passages that the model holds worth reading; all where it names none that exist."""
    try:
        reply = model.generate(triage_prompt(question, evidence), RelevantPassages)
    except (Permanent, Transient) as problem:
        return evidence, NO_USAGE, f"The passages were not sorted out ({problem}); all were read."
    named = set(reply.value.relevant)
    relevant = [item for item in evidence if item.key in named]
    if not relevant:
        return (
            evidence,
            usage_of(reply),
            "The model found no passage relevant; all were read.",
        )
    return relevant, usage_of(reply), ""
