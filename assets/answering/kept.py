"""Answers that are kept: written down under their name, found again, read back.

The name is a hash of question, mode, release, writer and settings, so that the same question to
the same release costs nothing the second time.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter

from assets.answering import embedded_writer
from assets.answering.markdown import to_markdown
from assets.answering.records import Answer, AnswerSettings, answer_id
from assets.tables import ANSWERS
from resources.files import Files
from resources.lake import Lake, col

FOLDER = "answers"

_ANSWER = TypeAdapter(Answer)


def keep(lake: Lake, files: Files, made: Answer, asked: str) -> None:
    """Write an answer down: its row, and beside the tables as JSON and as Markdown.

    `asked` is the time in ISO 8601.
    """
    row = made.as_row()
    files.write_json(path_of(made, "json"), row)
    files.write_bytes(path_of(made, "md"), to_markdown(made).encode())
    # The row comes last: an answer that is found is there in every form.
    lake.merge(
        ANSWERS,
        [
            {
                "answer_id": made.answer_id,
                "asked": asked,
                "question": made.question,
                "mode": made.mode,
                "abstained": made.abstained,
                "release": made.release,
                "model": made.model,
                "answer": json.dumps(row, ensure_ascii=False),
            }
        ],
    )


def path_of(made: Answer, ending: str) -> str:
    """Where an answer's file of some kind lies."""
    return f"{FOLDER}/{made.answer_id}.{ending}"


def writer_of(model: str) -> str:
    """Who writes where a model of this name is configured; "" is none, and the embedded writer."""
    return model or embedded_writer.NAME


def named(made: Answer, model: str, settings: AnswerSettings) -> Answer:
    """The answer under a name of its own where the embedded writer stood in for a model.

    Such an answer is neither the model's, which is asked again the next time, nor what the
    embedded parts alone would have given.
    """
    if not model or made.model == model:
        return made
    writer = f"{made.model} for {model}"
    key = answer_id(made.question, made.mode, made.release, writer, settings)
    return replace(made, answer_id=key)


def find_answer(lake: Lake, key: str) -> Answer | None:
    """The answer of this name, or None."""
    rows = lake.rows(ANSWERS, ["answer"], where=col("answer_id") == key)
    return answer_of(json.loads(rows[0]["answer"])) if rows else None


def answer_of(row: Mapping[str, Any]) -> Answer:
    """The answer that `Answer.as_row` made plain."""
    tokens = row["tokens"]
    usage = {
        "calls": tokens["calls"],
        "cached_calls": tokens["cached_calls"],
        "input_tokens": tokens["input"],
        "output_tokens": tokens["output"],
        "cost_usd": row["cost_usd"],
    }
    return _ANSWER.validate_json(json.dumps({**row, "usage": usage}))
