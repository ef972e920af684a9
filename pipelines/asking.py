"""What `ask` and `export` do: questions answered through runs, answers read back and written."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assets.answering import kept
from assets.answering.assets import AnswerConfig, answering_mode
from assets.answering.bibtex import cited_papers, to_bibtex
from assets.answering.markdown import to_markdown
from assets.answering.questions import read_questions
from assets.answering.records import Answer, answer_id
from assets.data_format import check_format
from assets.retrieval.release import load_release, require_current
from assets.retrieval.search import usable_query
from assets.tables import ANSWERS, PAPERS
from pipelines.parts import EMBEDDED, Parts
from pipelines.running import run_job
from resources.errors import MuonEvidenceError, UsageError
from resources.lake import col

#: Columns of `papers` that an entry of a bibliography is made of.
_CITED = ("paper_id", "title", "authors", "published", "doi", "journal_ref")


@dataclass(frozen=True)
class Asked:
    """Answers to the questions asked, in order; `again` where a single one had been kept.

    `refused` lists the questions that alone could not be answered: `question` and `reason`.
    """

    answers: list[Answer]
    refused: list[dict[str, str]]
    again: bool = False


def ask(parts: Parts, config: AnswerConfig) -> Asked:
    """Answers through a run of the `ask` job; an answer that is kept needs no run.

    Wrong use is told before a run begins.
    """
    check_format(parts.files)
    answering_mode(config.mode)
    config.settings(parts.reranker, parts.entailment)
    current = require_current(parts.files)
    if not config.questions:
        config = config.model_copy(update={"question": usable_query(config.question)})
        known = None if config.fresh else _known(parts, config, current.release_id)
        if known is not None:
            return Asked([known], [], again=True)
    parts.open_model(config.model, config.budget_usd)
    done = run_job("ask", parts, {"answer": config}).metadata["answer"]
    keys = done.get("answer_ids", [done.get("answer_id")])
    answers = [kept.find_answer(parts.lake, key) for key in keys]
    return Asked([one for one in answers if one is not None], done.get("refused", []))


def questions_in(path: Path) -> list[str]:
    """The questions of a file; one that cannot be read is a UsageError."""
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise UsageError(
            f"The questions file {path} cannot be read ({problem.strerror})."
        ) from problem
    return read_questions(path.name, content)


def exported(parts: Parts, key: str = "") -> dict[str, Any]:
    """An answer as its row, as Markdown, and as BibTeX of what it cites.

    `key` is the answer's id or the beginning of one; "" is the answer made last.
    """
    check_format(parts.files)
    found = kept.find_answer(parts.lake, _answer_key(parts, key))
    if found is None:
        raise MuonEvidenceError(f"The answer {key} was removed while it was read: ask again.")
    return {
        "answer": found.as_row(),
        "markdown": to_markdown(found),
        "bibtex": to_bibtex(found, _papers(parts, found)),
    }


def write_export(export: dict[str, Any], folder: Path) -> list[Path]:
    """Write an export into a folder, as three files named after the answer."""
    name = export["answer"]["answer_id"]
    contents = {
        f"{name}.md": export["markdown"],
        f"{name}.json": json.dumps(export["answer"], ensure_ascii=False, indent=2) + "\n",
        f"{name}.bib": export["bibtex"],
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, text in contents.items():
            (folder / file).write_text(text, encoding="utf-8")
    except OSError as problem:
        raise UsageError(f"{folder} cannot be written ({problem.strerror}).") from problem
    return [folder / file for file in contents]


def _known(parts: Parts, config: AnswerConfig, release: str) -> Answer | None:
    model = config.model or parts.settings.model
    writer = kept.writer_of("" if model == EMBEDDED else model)
    key = answer_id(
        config.question,
        config.mode,
        release,
        writer,
        config.settings(parts.reranker, parts.entailment),
    )
    return kept.find_answer(parts.lake, key)


def _answer_key(parts: Parts, key: str) -> str:
    """The one answer that is meant."""
    rows = parts.lake.rows(ANSWERS, ["answer_id", "asked"])
    if not rows:
        raise UsageError(
            f"The data location {parts.settings.location} has no answer yet: run "
            "`muon-evidence ask`."
        )
    if not key:
        return str(max(rows, key=lambda row: (row["asked"], row["answer_id"]))["answer_id"])
    meant = [row["answer_id"] for row in rows if row["answer_id"].startswith(key)]
    if len(meant) == 1:
        return str(meant[0])
    many = f"{len(meant)} answers begin" if meant else "No answer begins"
    raise UsageError(f"{many} with {key!r}: `muon-evidence ask` shows an answer's name.")


def _papers(parts: Parts, answer: Answer) -> dict[str, dict[str, Any]]:
    """The cited papers' rows as the answer's release has them, or as they are now without it."""
    try:
        version = load_release(parts.files, answer.release).versions[PAPERS.name]
    except UsageError:
        version = None
    cited = cited_papers(answer)
    if not cited:
        return {}
    rows = parts.lake.rows(PAPERS, list(_CITED), where=col("paper_id").isin(cited), version=version)
    return {row["paper_id"]: row for row in rows}
