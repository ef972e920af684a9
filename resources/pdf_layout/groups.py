"""A group of lines that will become one block."""

from dataclasses import dataclass
from enum import Enum, auto

from resources.blocks import BlockKind
from resources.pdf_layout.classify import NUMBER
from resources.pdf_layout.columns import Region
from resources.pdf_layout.lines import Line

_NUMBER_GAP = 0.55  # ems after a section number that is a bare letter


class Role(Enum):
    """How a group takes part in the flow of reading, beside its kind."""

    FLOW = auto()  # prose that may go on in the next column or on the next page
    FLOAT = auto()  # set where there was room: captions and tables
    NOTE = auto()  # at the foot of a column
    FIXED = auto()  # equations, headings, front matter: stays where it is, is not continued


@dataclass(slots=True, eq=False)
class Group:
    """Lines of one block in reading order.

    `region` is where it began; `gap` the distance to what stands above it there, in points.
    """

    kind: BlockKind
    lines: list[Line]
    region: Region
    role: Role = Role.FLOW
    gap: float = 0.0
    level: int = 0

    @property
    def first(self) -> Line:
        """The first line."""
        return self.lines[0]

    @property
    def last(self) -> Line:
        """The last line."""
        return self.lines[-1]

    @property
    def text(self) -> str:
        """The lines' glyphs, spaces at gaps, no mark-up: to be looked at, not to be kept."""
        return " ".join(line.plain for line in self.lines)

    def number(self) -> tuple[str, str]:
        """The section number that the group begins with and the rest; ("", text) without one.

        A letter alone is a number only with a point or a wide gap after it: "A new magnet" has
        none.
        """
        text = self.text
        found = NUMBER.match(text)
        if found is None or not found["title"]:
            return "", text
        number = found["number"].rstrip(".:)")
        if number.isalpha() and len(number) == 1 and text[1:2] not in ".:)":
            runs = self.first.runs
            if len(runs) < 2 or runs[1].x0 - runs[0].x1 < _NUMBER_GAP * self.first.size:
                return "", text
        return number, found["title"]

    @property
    def letters(self) -> int:
        """Number of glyphs."""
        return sum(line.letters for line in self.lines)
