"""Parsed documents whose every word is its own, so that a word tells where it came from."""

import re
from collections.abc import Sequence
from itertools import count, pairwise

from hypothesis import strategies as st

from resources.blocks import Block, BlockKind, Box, ParsedDocument

WORD = re.compile(r"w\d+x*")


def count_tokens(text: str) -> int:
    """Stands in for wordpieces: one for every four letters of a word, and two special ones."""
    return 2 + sum(-(-len(word) // 4) for word in text.split())


def block(
    text: str,
    kind: BlockKind = BlockKind.PARAGRAPH,
    section: tuple[str, ...] = ("Cooling",),
    page: int = 1,
    boxes: Sequence[Box] = (),
) -> Block:
    """A block; without boxes unless given."""
    return Block(kind=kind, text=text, page=page, section=section, boxes=tuple(boxes))


def document(*blocks: Block, title: str = "A title") -> ParsedDocument:
    """A document of some blocks."""
    return ParsedDocument(parser="test 1", title=title, blocks=blocks)


def on_pages(text: str, first_page: int, cuts: Sequence[int]) -> tuple[Box, ...]:
    """Boxes over a text, a page each, cut at some characters."""
    edges = [0, *sorted({cut for cut in cuts if 0 < cut < len(text)}), len(text)]
    return tuple(
        Box(page=first_page + place, x0=place, y0=0, x1=place + 1, y1=1, start=start, end=end)
        for place, (start, end) in enumerate(pairwise(edges))
    )


_KINDS = st.sampled_from(
    [
        *[BlockKind.PARAGRAPH] * 5,
        BlockKind.ABSTRACT,
        BlockKind.EQUATION,
        BlockKind.CAPTION,
        BlockKind.TABLE,
        BlockKind.HEADING,
        BlockKind.REFERENCE,
    ]
)


@st.composite
def documents(draw: st.DrawFn) -> ParsedDocument:
    """Documents of a few sections; blocks of all kinds, over one page or several; each word
    `w<number>`, some of them long, occurs once."""
    numbers = count()

    def sentence(length: int, letters: int) -> str:
        words = [f"w{next(numbers)}{'x' * letters}" for _ in range(length)]
        return " ".join(words).capitalize() + "."

    blocks = []
    page = 1
    for number in range(draw(st.integers(1, 3))):
        section = (f"Section {draw(st.integers(1, 2))}", *(["Part"] if number % 2 else []))
        for _ in range(draw(st.integers(1, 5))):
            lengths = draw(st.lists(st.integers(1, 30), max_size=8))
            letters = draw(st.sampled_from([0, 3, 40]))
            text = " ".join(sentence(length, letters) for length in lengths)
            cuts = draw(st.lists(st.integers(0, max(1, len(text))), max_size=2))
            boxes = on_pages(text, page, cuts) if text else ()
            blocks.append(block(text, draw(_KINDS), section, page, boxes))
            page = boxes[-1].page if boxes else page
    return document(*blocks)
