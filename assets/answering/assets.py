"""Dagster's view of the answering stage: a question's answer, every sentence on a page."""

import json
import time
from collections.abc import Sequence

import dagster as dg

from assets.answering.answer_question import answer_question
from assets.answering.markdown import escaped, to_markdown
from assets.answering.records import Answer, AnswerSettings, Citation
from assets.parsing.rows import boxes_of
from assets.reporting import OWNERS, Progress, now, plain_failures
from assets.retrieval.assets import release
from assets.retrieval.reader import open_searcher
from assets.retrieval.records import Mode
from assets.retrieval.release import Release, require_current
from assets.retrieval.search import usable_query
from assets.tables import ANSWERS, CHUNKS
from resources.blocks import Box
from resources.encoder import Encoder
from resources.errors import UsageError
from resources.files import Files
from resources.lake import Lake, Row, col
from resources.language_model import LanguageModel
from resources.profile import Profile


class AnswerConfig(dg.Config):
    """A question, and how to answer it. Only the question is needed.

    `mode` is how passages are found; `m` passages at most are read, `k` are found for each
    subquery.
    """

    question: str
    mode: str = "agentic"
    m: int = AnswerSettings().m
    k: int = AnswerSettings().k


@dg.asset(
    group_name="answering",
    kinds={"python", "gemini", "lancedb"},
    owners=OWNERS,
    code_version="1",
    deps=[release, "gemini"],
    description=(
        "The answer to one question from the current release: planned, searched, read, written "
        "and checked, each sentence with the passage and page it stands on, or an abstention that "
        "says why. Written by a language model where one is configured, else extractive."
    ),
)
def answer(
    config: AnswerConfig,
    lake: dg.ResourceParam[Lake],
    files: dg.ResourceParam[Files],
    encoder: dg.ResourceParam[Encoder],
    profile: dg.ResourceParam[Profile],
    model: dg.ResourceParam[LanguageModel],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[None]:
    """Answer the question of the run's configuration."""
    with plain_failures():
        question = usable_query(config.question)
        mode = answering_mode(config.mode)
        progress.report("answer", 0, 0)
        current = require_current(files)
        searcher = open_searcher(lake, files, current, encoder)
        made = answer_question(
            question,
            mode,
            searcher,
            profile,
            model,
            AnswerSettings(m=config.m, k=config.k),
            boxes_of=lambda chunk_id: _boxes(lake, current, chunk_id),
            release=current.release_id,
            clock=time.perf_counter,
        )
        markdown = to_markdown(made)
        lake.merge(ANSWERS, [answer_row(made)])
        return dg.MaterializeResult(
            metadata={
                "answer": dg.MetadataValue.md(markdown),
                **_shown_at_once(made),
                "question": made.question,
                "answer_id": made.answer_id,
                "abstained": made.abstained,
                "sentences": len(made.sentences),
                "citations": sum(len(sentence.citations) for sentence in made.sentences),
                "subqueries": dg.MetadataValue.md(
                    "\n".join(f"- {subquery}" for subquery in made.plan.subqueries)
                ),
                "model": made.model,
                "release": made.release,
                "cost_usd": made.usage.cost_usd,
                "seconds": round(sum(made.timings.values()), 2),
            }
        )


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
    return f"[{escaped(citation.paper_id)}, page {citation.page}]({citation.link})"


def answering_mode(name: str) -> Mode:
    """A mode by name; an unknown one is a UsageError that lists those there are."""
    try:
        return Mode(name)
    except ValueError as error:
        known = ", ".join(mode.value for mode in Mode)
        raise UsageError(f"There is no mode {name!r}; there are: {known}.") from error


def answer_row(made: Answer) -> Row:
    """An answer as a row: what is looked for by column, and the whole as JSON."""
    return {
        "answer_id": made.answer_id,
        "asked": now(),
        "question": made.question,
        "mode": made.mode,
        "abstained": made.abstained,
        "release": made.release,
        "model": made.model,
        "answer": json.dumps(made.as_row(), ensure_ascii=False),
    }


def _boxes(lake: Lake, current: Release, chunk_id: str) -> Sequence[Box]:
    rows = lake.rows(
        CHUNKS,
        ["boxes"],
        where=col("chunk_id") == chunk_id,
        version=current.versions[CHUNKS.name],
    )
    return boxes_of(rows[0]["boxes"]) if rows else ()
