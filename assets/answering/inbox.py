"""The questions inbox: files of questions put into a folder, and their answers in another.

A file of `inbox/` is answered when `outbox/` holds the result of its very content; so nothing is
remembered anywhere else, whoever looks, and however often it was killed in between. A file that
was changed is a new one.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assets.answering.markdown import escaped, to_markdown
from assets.answering.records import Answer
from assets.answering.telling import clipped
from resources.errors import UsageError
from resources.files import Files

INBOX, OUTBOX = "inbox", "outbox"

#: Names of files that somebody is still writing.
_UNFINISHED = (".part", ".tmp", ".crdownload", "~")


@dataclass(frozen=True, slots=True)
class InboxFile:
    """A file of questions; `sha256` tells its content."""

    name: str
    sha256: str

    @property
    def key(self) -> str:
        """What tells this content under this name from every other: 32 hexadecimal digits."""
        return _sha256(f"{self.name}\n{self.sha256}".encode())[:32]


@dataclass(frozen=True, slots=True)
class Refused:
    """A question that was not answered, and why."""

    question: str
    reason: str


def waiting(files: Files) -> list[InboxFile]:
    """The files that have no result yet, by name."""
    found = []
    for name in files.list(INBOX):
        if not _is_plain(name) or name.endswith(_UNFINISHED):
            continue
        try:
            file = InboxFile(name, _sha256(files.read_bytes(f"{INBOX}/{name}")))
        except (FileNotFoundError, IsADirectoryError):
            continue
        if _answered_content(files, name) != file.sha256:
            found.append(file)
    return found


def open_file(files: Files, name: str) -> tuple[InboxFile, bytes]:
    """A file of the inbox and its content.

    Raises UsageError where the inbox has no such file.
    """
    path = f"{INBOX}/{name}"
    if not _is_plain(name) or not files.exists(path):
        raise UsageError(f"The questions inbox {files.uri}/{INBOX} has no file {name!r}.")
    try:
        content = files.read_bytes(path)
    except IsADirectoryError as problem:
        raise UsageError(f"{path} is a folder: put files of questions into the inbox.") from problem
    return InboxFile(name, _sha256(content)), content


def write_result(
    files: Files, file: InboxFile, answers: Sequence[Answer], refused: Sequence[Refused], run: str
) -> None:
    """Write the answers to a file's questions, and which were not answered and why."""
    lines = [f"# {escaped(file.name)}", ""]
    lines += [
        f"- not answered: {escaped(clipped(one.question))} ({escaped(one.reason)})"
        for one in refused
    ]
    lines += [""] if refused else []
    text = "\n".join([*lines, *("\n---\n\n" + to_markdown(answer) for answer in answers)])
    result = {
        "failed": "",
        "answers": [answer.as_row() for answer in answers],
        "not_answered": [{"question": one.question, "reason": one.reason} for one in refused],
    }
    _write(files, file, text, result, run)


def write_failure(files: Files, file: InboxFile, reason: str, run: str) -> None:
    """Write that a file could not be answered, and why, in its result's place."""
    text = f"# {escaped(file.name)}\n\n*Not answered.* {escaped(reason)}\n"
    _write(files, file, text, {"failed": reason, "answers": [], "not_answered": []}, run)


def result_paths(name: str) -> tuple[str, str]:
    """Where a file's result lies: as Markdown and as JSON."""
    return f"{OUTBOX}/{name}.md", f"{OUTBOX}/{name}.json"


def _write(files: Files, file: InboxFile, text: str, result: dict[str, Any], run: str) -> None:
    markdown, plain = result_paths(file.name)
    files.write_bytes(markdown, text.encode())
    # The JSON file comes last: it is what says that the file is done.
    files.write_json(plain, {"file": file.name, "sha256": file.sha256, "run": run, **result})


def _answered_content(files: Files, name: str) -> str:
    _, plain = result_paths(name)
    if not files.exists(plain):
        return ""
    try:
        result = files.read_json(plain)
    except ValueError:
        return ""
    return str(result.get("sha256", "")) if isinstance(result, dict) else ""


def _is_plain(name: str) -> bool:
    return bool(name) and not name.startswith(".") and "/" not in name and "\\" not in name


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
