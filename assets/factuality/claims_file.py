"""Plain text as passages: what `claims FILE` reads when FILE is no paper."""

import re
from pathlib import Path

from resources.errors import UsageError
from resources.named_files import require_file

_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")


def passages(text: str) -> list[str]:
    """The paragraphs of a text, split at blank lines; each stands verbatim in it."""
    unified = text.replace("\r\n", "\n").strip()
    return [part for part in _BLANK_LINES.split(unified) if part.strip()]


def read_passages(path: Path) -> list[str]:
    """The paragraphs of a plain-text file in UTF-8.

    Raises UsageError where the file is missing, is no text, or holds no words.
    """
    require_file(path, "name a PDF, a TEI file or a plain text")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not plain text in UTF-8: convert it, or give a PDF.") from None
    found = passages(text)
    if not found:
        raise UsageError(f"{path} holds no text: give a file with at least one paragraph.")
    return found
