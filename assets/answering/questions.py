"""Many questions in one file: a question a line, or JSON objects with a `question` each."""

import json

from resources.errors import UsageError

MOST_QUESTIONS = 1000
MOST_BYTES = 5_000_000

_JSON_ENDINGS = (".jsonl", ".ndjson")


def read_questions(name: str, content: bytes) -> list[str]:
    """The questions of a file, in order, each once.

    `name` ends with .jsonl for JSON lines, of which only the field `question` is read; any other
    file is plain text. Blank lines and, in plain text, lines that begin with # are left out.

    Raises UsageError that names the file, and the line where one is at fault.
    """
    if len(content) > MOST_BYTES:
        raise UsageError(f"{name} is larger than {MOST_BYTES:,} bytes: split it.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise UsageError(f"{name} is not text in UTF-8: convert it first.") from problem
    as_json = name.lower().endswith(_JSON_ENDINGS)
    questions = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or (not as_json and line.lstrip().startswith("#")):
            continue
        where = f"{name}, line {number}"
        questions.append(" ".join((_question(line, where) if as_json else line).split()))
    different = list(dict.fromkeys(questions))
    if not different:
        raise UsageError(f"{name} holds no question.")
    if len(different) > MOST_QUESTIONS:
        raise UsageError(
            f"{name} holds {len(different):,} questions and at most {MOST_QUESTIONS:,} are "
            "answered in one run: split it."
        )
    return different


def _question(line: str, where: str) -> str:
    try:
        value = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as problem:
        raise UsageError(f"{where}: this is not valid JSON.") from problem
    question = value.get("question") if isinstance(value, dict) else None
    if not isinstance(question, str) or not question.strip():
        raise UsageError(f"{where}: the field 'question' must be a text that is not empty.")
    return question
