"""What a group of lines is: heading, caption, table, equation, reference or prose."""

import re

NUMBERED = re.compile(
    r"^(?P<number>(?:\d{1,2}(?:\.\d{1,2})*|[IVX]{1,5}|[A-Z])\.?|Appendix(?: [A-Z])?[.:]?)\s+(?P<title>\S.*)$"
)
CAPTION = re.compile(
    r"^(?:Fig(?:ure|s)?\.?|FIG(?:URE|S)?\.?|Table|TABLE|Tab\.)\s*(?:\d+|[IVX]+|[A-Z]\d*)\s*[.:|]?"
)
REFERENCE = re.compile(r"^(?:\[\d{1,3}\]|\d{1,3}\.)\s")
REFERENCES_TITLE = re.compile(
    r"^(?:[\dIVX.]+\s+)?(?:references|bibliography|literature cited)$", re.I
)
UNNUMBERED = re.compile(
    r"^(?:abstract|acknowledge?ments?|references|bibliography|introduction|conclusions?|summary|appendix)\b.{0,3}$",
    re.I,
)


def depth(number: str) -> int:
    """Nesting depth of a section number, 1 for the outermost."""
    number = number.rstrip(".:")
    if number[:1].isdigit():
        return number.count(".") + 1
    if re.fullmatch(r"[IVX]+", number) or number.startswith("Appendix"):
        return 1
    return 2
