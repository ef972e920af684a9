"""Record types of the parsing stage: what a chunk is, and the text that is embedded for it."""

import hashlib
from dataclasses import dataclass

from resources.blocks import Block, Box, PageEntry, ParsedDocument

__all__ = ["Block", "Box", "Chunk", "PageEntry", "ParsedDocument", "passage_text", "text_sha"]

#: Characters of title and section line that are embedded with a chunk.
MOST_TITLE = 120
MOST_SECTION = 80


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage of one section of one paper, small enough for the encoder's window.

    `kind` is the kind of the blocks it was cut from; `section` the path of headings above it;
    `ordinal` its place in the paper, from 0. `boxes` are the places it stands in, their `start`
    and `end` counted in `text`. `tokens` counts the encoder's wordpieces of what is embedded,
    title and section line included.
    """

    chunk_id: str
    paper_id: str
    ordinal: int
    kind: str
    section: tuple[str, ...]
    text: str
    page_start: int
    page_end: int
    boxes: tuple[Box, ...]
    tokens: int
    text_sha: str


def text_sha(text: str) -> str:
    """SHA-256 of a text in UTF-8, as 64 hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def passage_text(title: str, section: tuple[str, ...], text: str) -> str:
    """What is embedded for a chunk: its paper's title, its section line, its words.

    Title and section line are cut to a length that leaves most of the encoder's window to the
    words themselves; of a deep section path the innermost headings stay.
    """
    section_line = " > ".join(section)
    head = [title.strip()[:MOST_TITLE], section_line[-MOST_SECTION:]]
    return "\n".join([*(line for line in head if line), text])
