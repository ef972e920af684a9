"""Patterns that read as the phrases they match: one alternative a line, spaces as they stand."""

import re
from collections.abc import Iterable


def one_of(text: str) -> str:
    """A group that matches any of the words of `text`."""
    return f"(?:{'|'.join(text.split())})"


def any_of(*phrases: str, case: bool = False) -> re.Pattern[str]:
    """A pattern that matches where any of `phrases` does; `case` makes it mind capitals."""
    return re.compile("|".join(f"(?:{phrase})" for phrase in phrases), 0 if case else re.IGNORECASE)


def found(pattern: re.Pattern[str], text: str) -> bool:
    """Whether `pattern` occurs in `text`."""
    return pattern.search(text) is not None


def first_reason(kinds: Iterable[tuple[str, re.Pattern[str]]], text: str) -> str | None:
    """The name of the first of some named patterns that occurs in `text`, or None."""
    return next((reason for reason, pattern in kinds if found(pattern, text)), None)
