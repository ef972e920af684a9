"""A group of lines that will become one block."""

from dataclasses import dataclass, field
from enum import Enum, auto

from resources.blocks import BlockKind
from resources.pdf_layout.columns import Region
from resources.pdf_layout.lines import Line


class Role(Enum):
    """How a group takes part in the flow of reading, beside its kind."""

    FLOW = auto()  # prose that may go on in the next column or on the next page
    FLOAT = auto()  # set where there was room: captions and tables
    NOTE = auto()  # at the foot of a column
    FIXED = auto()  # equations, headings, front matter: stays where it is, is not continued


@dataclass(slots=True, eq=False)
class Group:
    """Lines of one block in reading order; `text` is set where it is not simply theirs.

    `region` is where it began; `gap` the distance to what stands above it there, in points.
    """

    kind: BlockKind
    lines: list[Line]
    region: Region
    role: Role = Role.FLOW
    gap: float = 0.0
    level: int = 0
    joined: list[Line] = field(default_factory=list)

    @property
    def first(self) -> Line:
        """The first line."""
        return self.lines[0]

    @property
    def last(self) -> Line:
        """The last line."""
        return self.lines[-1]

    @property
    def letters(self) -> int:
        """Number of glyphs."""
        return sum(line.letters for line in self.lines)
