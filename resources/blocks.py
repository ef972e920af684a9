"""The shape that every parser returns: blocks of text in reading order and a page ledger.

Coordinates are PDF points (1/72 inch) with the origin at the top left corner of the page, as
GROBID reports them; pages count from 1, as a PDF viewer and a `#page=` link count them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class BlockKind(StrEnum):
    """What a block is on the page."""

    ABSTRACT = "abstract"
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    CAPTION = "caption"
    TABLE = "table"
    EQUATION = "equation"
    REFERENCE = "reference"


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on one page and the characters of the block's text that stand in it.

    `start` and `end` are a half-open range of character offsets into `Block.text`, so that any
    part of a block that runs over a column or page break can name its own pages and places.
    """

    page: int
    x0: float
    y0: float
    x1: float
    y1: float
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Block:
    """One unit of a paper in reading order.

    `section` is the path of headings above the block, outermost first; a heading's own path
    ends with itself. `page` is the page of its first character.
    """

    kind: BlockKind
    text: str
    page: int
    section: tuple[str, ...] = ()
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class PageEntry:
    """One line of the page ledger: what was found on a page, or why nothing was.

    `characters` counts what went into blocks; `note` is empty, or says in a few words why the
    page gave nothing ("image only", "blank", "text layer unreadable").
    """

    page: int
    width: float
    height: float
    characters: int
    blocks: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A paper as a parser understood it.

    `parser` names the parser and its version ("embedded-layout 1", "grobid 0.8.1").
    """

    parser: str
    title: str
    authors: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ()
    pages: tuple[PageEntry, ...] = field(default=())


def pages_of(boxes: Sequence[Box], start: int, end: int, fallback: int) -> tuple[int, int]:
    """First and last page of the characters `start` to `end` of a block.

    Boxes that hold none of these characters are ignored; without any box the block's own page
    (`fallback`) is both.
    """
    pages = [box.page for box in boxes if box.start < end and box.end > start]
    return (min(pages), max(pages)) if pages else (fallback, fallback)
