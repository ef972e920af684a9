"""Section numbers to section depth: "2", "2.1", "IV", "B", "A.3", or no number at all.

GROBID writes headings one after another without nesting them; how deep each stands is in its
number, and what a bare letter or digit means depends on the headings above it: in the style
I – A – 1 of physics journals, "A" is a subsection, while after 1 – 2 – 3 it is an appendix.
"""

import re
from dataclasses import dataclass, field

_MOST_SKIPPED = 3
_LONGEST_NUMBER = 20
_NUMERAL = re.compile(r"(?=[IVXL])(?:XL|L?X{0,3})(?:IX|IV|V?I{0,3})$")
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50}
_PRINTED = re.compile(
    r"(?:(?:Appendix|APPENDIX|Annex|Section|SECTION)\s+)?"
    r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,4}|[IVXL]+(?:\.[A-Z0-9]{1,2})*|[A-Z](?:\.\d{1,2}){0,3})"
    r"(?P<stop>[.):]*)(?:\s+|$)(?P<title>.*)",
    re.DOTALL,
)
_CAPITALISED = re.compile(r"(?=[A-Z])[^\W\d_]{2}")
_UNNUMBERED_TOP = re.compile(
    r"(acknowledge?ments?|references|bibliography|appendix|appendices|annex|abstract|"
    r"conclusions?|summary|contents|funding|declarations?|supplementary)\b",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Outline:
    """The headings above the text that is being read, outermost first."""

    numbered: bool
    """Whether the paper numbers its sections: an unnumbered heading then is a smaller one."""

    _path: list[tuple[int, str]] = field(default_factory=list)
    _parts: list[str] = field(default_factory=list)
    _number_depth: int = 0

    @property
    def path(self) -> tuple[str, ...]:
        """The printed headings from the outermost to the current one."""
        return tuple(heading for _, heading in self._path)

    def enter(self, number: str, heading: str, least_depth: int = 1) -> tuple[str, ...]:
        """Go to the section `heading` and return its path; `least_depth` 1 is outermost."""
        depth = max(self._depth(number, heading), least_depth)
        while self._path and self._path[-1][0] >= depth:
            self._path.pop()
        self._path.append((depth, heading))
        return self.path

    def leave(self) -> None:
        """Go back above all headings, as back matter does."""
        self._path.clear()
        self._parts.clear()
        self._number_depth = 0

    def _depth(self, number: str, heading: str) -> int:
        parts = [part for part in number.strip(" .):").split(".") if part]
        if parts and not self._leaps(parts):
            self._parts = self._place(parts)
            self._number_depth = len(self._parts)
            return self._number_depth
        if not self.numbered or _UNNUMBERED_TOP.match(heading):
            self._parts, self._number_depth = [], 0
            return 1
        return self._number_depth + 1

    def _leaps(self, parts: list[str]) -> bool:
        """Whether a number is too far from the last one to be a section's ("10 TeV" after 2)."""
        last = self._parts[:1]
        if len(parts) > 1 or not parts[0].isdecimal() or not last or not last[0].isdecimal():
            return False
        return int(parts[0]) > int(last[0]) + _MOST_SKIPPED

    def _place(self, parts: list[str]) -> list[str]:
        """The full number of a section from what is printed: "A" under "II" is II.A."""
        above = self._parts
        if len(parts) > 1 or not above or not _NUMERAL.match(above[0]):
            return parts
        part = parts[0]
        if part.isdecimal():
            return [*above[:2], part] if len(above) > 1 else [*above[:1], part]
        follows_letter = len(above) > 1 and ord(part[-1]) == ord(above[1][-1]) + 1
        if _NUMERAL.match(part) and not (len(part) == 1 and follows_letter):
            value = _numeral_value(part)
            if len(part) > 1 or value == _numeral_value(above[0]) + 1:
                return parts
        return [above[0], part]


def split_number(text: str, number: str | None) -> tuple[str, str]:
    """A heading's number and the heading as printed, from its text and GROBID's `n` attribute.

    Without the attribute the number is read off the text itself, where it cannot be a word:
    "3D" and "A new method" have none.
    """
    number = " ".join((number or "").split())
    if 0 < len(number) <= _LONGEST_NUMBER:
        return number, text if text.startswith(number) else f"{number} {text}".strip()
    match = _PRINTED.match(text)
    if not match:
        return "", text
    found, stop, title = match["number"], match["stop"], match["title"]
    named = text[: match.start("number")].strip() != ""
    is_word = found in {"A", "I"} and not stop and not (found == "I" and title.isupper())
    is_count = found.isdecimal() and not stop and not _CAPITALISED.match(title)
    if named or (title and not is_word and not is_count):
        return found, text
    return "", text


def _numeral_value(numeral: str) -> int:
    values = [_VALUES[letter] for letter in numeral]
    return sum(
        -value if any(later > value for later in values[place + 1 :]) else value
        for place, value in enumerate(values)
    )
