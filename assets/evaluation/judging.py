"""Questions files, and which passages answer a question.

A question brings its evidence as verbatim quotes with grades. A passage is relevant, with the
quote's grade, when it holds at least 60% of the quote's distinct word trigrams; the text decides,
not the paper it stands in. Where a folder of questions has a `gold.py` of its own, that module's
`grades` is the judge; otherwise the same rule as implemented here.
"""

import html
import importlib.util
import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from resources.errors import UsageError

THRESHOLD = 0.6

_GRADES = (1, 2, 3)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,80}>")
_HYPHEN = re.compile(r"(?<=\w)[-\u2010\u2011\ufe63\uff0d][ \t]*\r?\n?[ \t]*(?=\w)")
_DASH = re.compile(r"(?<=\w)[\u2012-\u2015\u2212](?=\w)")
_MARKUP = re.compile(r"[\^_~{}$*\\`]")
_NOT_A_WORD = re.compile(r"[^\w]+")


@dataclass(frozen=True, slots=True)
class Evidence:
    """A verbatim quote of a paper and how well it answers: 3 directly, 2 strongly, 1 context."""

    paper_id: str
    quote: str
    grade: int


@dataclass(frozen=True, slots=True)
class Question:
    """One line of a questions file; `fields` is the line as it was read."""

    id: str
    question: str
    set: str
    type: str
    answerable: bool
    evidence: tuple[Evidence, ...]
    fields: Mapping[str, Any]


def load_questions(path: Path, only_set: str = "") -> list[Question]:
    """The questions of a JSONL file, in order; only those of one set where `only_set` names it.

    Raises UsageError with the line's number and what is wrong with it.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(
            f"The questions file {path} cannot be read: give a JSONL file."
        ) from problem
    questions = [
        _question(line, f"{path.name}, line {number}")
        for number, line in enumerate(lines, start=1)
        if line.strip()
    ]
    twice = [one.id for i, one in enumerate(questions) if one.id in {q.id for q in questions[:i]}]
    if twice:
        raise UsageError(f"{path.name}: the question id {twice[0]!r} occurs twice.")
    chosen = [one for one in questions if not only_set or one.set == only_set]
    if not chosen:
        what = f" of the set {only_set!r}" if only_set else ""
        raise UsageError(f"The questions file {path} holds no questions{what}.")
    return chosen


def _question(line: str, where: str) -> Question:
    def refuse(what: str) -> UsageError:
        return UsageError(f"{where}: {what}.")

    try:
        fields = json.loads(line)
    except json.JSONDecodeError as problem:
        raise refuse(f"not valid JSON ({problem.msg} at column {problem.colno})") from problem
    if not isinstance(fields, dict):
        raise refuse("a question must be a JSON object")
    for name in ("id", "question"):
        if not isinstance(fields.get(name), str) or not fields[name].strip():
            raise refuse(f"the field {name!r} must be a text that is not empty")
    entries = fields.get("evidence", [])
    if not isinstance(entries, list):
        raise refuse("the field 'evidence' must be a list")
    evidence = tuple(_evidence(entry, refuse) for entry in entries)
    answerable = fields.get("answerable", bool(evidence))
    if not isinstance(answerable, bool):
        raise refuse("the field 'answerable' must be true or false")
    if answerable and not evidence:
        raise refuse("an answerable question needs evidence")
    return Question(
        id=fields["id"],
        question=fields["question"],
        set=str(fields.get("set", "")),
        type=str(fields.get("type", "")),
        answerable=answerable,
        evidence=evidence,
        fields=fields,
    )


def _evidence(entry: Any, refuse: Callable[[str], UsageError]) -> Evidence:
    if not isinstance(entry, dict):
        raise refuse("each piece of evidence must be a JSON object")
    quote, grade = entry.get("quote"), entry.get("grade")
    if not isinstance(quote, str) or not quote.strip():
        raise refuse("each piece of evidence needs a 'quote' that is not empty")
    if isinstance(grade, bool) or grade not in _GRADES:
        raise refuse(f"the grade of a piece of evidence must be 1, 2 or 3, not {grade!r}")
    return Evidence(str(entry.get("paper_id", "")), quote, grade)


def statements(question: Question, field: str) -> list[str]:
    """The statements of a question under `key_points` or `unsupported_claims`."""
    return [str(statement) for statement in question.fields.get(field, [])]


class Judge:
    """Grades the passages of a corpus for questions.

    `texts` maps chunk ids to (paper id, text). `name` says whose rule decides: "gold.py" of the
    questions' folder, or "built-in". Only passages that share a word trigram with a quote can
    be relevant, so that the rule is asked about few of them.
    """

    def __init__(
        self, texts: Mapping[str, tuple[str, str]], gold: ModuleType | None = None
    ) -> None:
        self.name = "built-in" if gold is None else "gold.py"
        self._texts = texts
        self._gold = gold
        self._ids = list(texts)
        self._places: dict[str, list[int]] = {}
        for place, chunk_id in enumerate(self._ids):
            for gram in set(trigrams(texts[chunk_id][1])):
                self._places.setdefault(gram, []).append(place)

    def grades(self, question: Question) -> dict[str, int]:
        """Grade of every relevant passage; an unanswerable question has none."""
        if self._gold is not None:
            near = {self._ids[place]: None for e in question.evidence for place in self._near(e)}
            candidates = {chunk_id: self._texts[chunk_id] for chunk_id in near}
            return dict(self._gold.grades(candidates, question.fields))
        found: dict[str, int] = {}
        for evidence in question.evidence:
            for place in self._near(evidence):
                chunk_id = self._ids[place]
                if evidence.grade > found.get(chunk_id, 0) and covers(
                    self._texts[chunk_id][1], evidence.quote
                ):
                    found[chunk_id] = evidence.grade
        return found

    def uncovered(self, question: Question) -> list[Evidence]:
        """Evidence that no passage holds: cut by a passage's end, or lost in reading."""
        return [
            evidence
            for evidence in question.evidence
            if not any(
                covers(self._texts[self._ids[place]][1], evidence.quote)
                for place in self._near(evidence)
            )
        ]

    def _near(self, evidence: Evidence) -> list[int]:
        """Places of the passages that may cover a quote, in order.

        Half the needed trigrams are asked for, since a folder's own rule may cut words elsewhere.
        """
        if len(normalise(evidence.quote).split()) < 3:
            return list(range(len(self._ids)))
        grams = dict.fromkeys(trigrams(evidence.quote))
        counts = np.zeros(len(self._ids), dtype=np.int32)
        for gram in grams:
            counts[self._places.get(gram, [])] += 1
        return np.flatnonzero(counts >= max(1, 0.5 * THRESHOLD * len(grams))).tolist()


def gold_module(questions: Path) -> ModuleType | None:
    """The `gold.py` beside a questions file, loaded, or None where there is none.

    It is code of whoever wrote the questions; it runs with the caller's rights. Raises
    UsageError where it cannot be loaded or has no `grades`.
    """
    path = questions.parent / "gold.py"
    if not path.is_file():
        return None
    spec = importlib.util.spec_from_file_location("questions_gold", path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path} cannot be loaded as a Python module.")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as problem:
        raise UsageError(f"{path} cannot be loaded ({type(problem).__name__}).") from problem
    if not callable(getattr(module, "grades", None)):
        raise UsageError(f"{path} has no function `grades(chunks, question)`.")
    return module


@lru_cache(maxsize=50_000)
def normalise(text: str) -> str:
    """Lower-case words joined by single spaces, as quotes and passages are compared.

    Markup goes; compatibility characters (ligatures, superscripts) are unfolded; hyphens and
    dashes between word characters go, with a line break after the hyphen, so that a word broken
    at a line's end is whole; all other punctuation separates.
    """
    text = _TAG.sub("", html.unescape(text)).replace("\u00ad", "")
    text = _MARKUP.sub("", unicodedata.normalize("NFKC", text).lower())
    text = _DASH.sub("", _HYPHEN.sub("", text))
    return " ".join(_NOT_A_WORD.sub(" ", text).split())


def trigrams(text: str) -> list[str]:
    """Word trigrams of a text after `normalise`; a shorter text is one n-gram."""
    words = normalise(text).split()
    size = min(3, len(words))
    return [" ".join(words[i : i + size]) for i in range(len(words) - size + 1)] if words else []


def covers(text: str, quote: str, threshold: float = THRESHOLD) -> bool:
    """Whether a text holds at least `threshold` of a quote's distinct trigrams."""
    grams = dict.fromkeys(trigrams(quote))
    padded = f" {normalise(text)} "
    held = sum(f" {gram} " in padded for gram in grams)
    return bool(grams) and held >= threshold * len(grams) - 1e-9


def paper_key(paper_id: str) -> str:
    """One spelling for one arXiv id: `arXiv:hep-ph/9802219v2` and `hep-ph_9802219` are one."""
    key = re.sub(r"^arxiv[:_]?", "", paper_id.strip().lower())
    key = re.sub(r"(\.md|\.pdf(\.txt)?)$", "", key)
    return re.sub(r"[^a-z0-9.]", "", re.sub(r"(?<=\d)v\d+$", "", key))


def paper_grades(
    question: Question, grades: Mapping[str, int], papers: Mapping[str, str]
) -> dict[str, int]:
    """Grade of every relevant paper: the best of its relevant chunks and of its named evidence.

    `grades` are the question's chunk grades, `papers` maps every chunk id to its paper id. A
    paper counts by name, so that a quote cut by a chunk's end does not lose it, and by text, so
    that a copy under another id does not either.
    """
    best: dict[str, int] = {}
    for chunk_id, grade in grades.items():
        best[papers[chunk_id]] = max(grade, best.get(papers[chunk_id], 0))
    for paper_id in set(papers.values()):
        for evidence in question.evidence:
            if paper_key(paper_id) == paper_key(evidence.paper_id):
                best[paper_id] = max(evidence.grade, best.get(paper_id, 0))
    return best
