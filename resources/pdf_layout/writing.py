"""Groups of lines written as blocks: text, boxes with exact offsets, sections, the page ledger."""

import re
from collections import Counter
from dataclasses import replace

from resources.blocks import Block, BlockKind, Box, PageEntry, ParsedDocument
from resources.pdf_layout.cells import rows_of
from resources.pdf_layout.classify import ABSTRACT_START
from resources.pdf_layout.encodings import HYPHEN, REPLACEMENT
from resources.pdf_layout.fractions import Bars
from resources.pdf_layout.glyphs import Page
from resources.pdf_layout.groups import Group
from resources.pdf_layout.headings import set_levels
from resources.pdf_layout.lines import Line
from resources.pdf_layout.scripts import formula_fragments, line_fragments
from resources.pdf_layout.words import Vocabulary

_SPACES = re.compile(r"\s+")
_FOOTNOTE_MARKS = re.compile(r"(?:\s*[\^_]?\{?[*∗†‡§¶#]+\}?)+$")
ABSTRACT = "Abstract"


def write(
    parser: str,
    pages: list[Page],
    groups: list[Group],
    known: tuple[Group | None, tuple[str, ...], set[int]],
) -> ParsedDocument:
    """The document; `known` holds the title's group, the authors and the pages with contents."""
    title, authors, contents = known
    by_number = {page.number: page for page in pages}
    bars = {page.number: Bars(page) for page in pages}
    vocabulary = Vocabulary()
    texts: dict[int, str] = {}
    for group in groups:
        for line in group.lines:
            texts[id(line)] = _written(line, bars)
            vocabulary.add(texts[id(line)])
    set_levels([g for g in groups if g.kind is BlockKind.HEADING and g is not title])
    blocks: list[Block] = []
    path: list[tuple[int, str]] = []
    name = ""
    for group in groups:
        if group.kind is BlockKind.EQUATION:
            block = _formula(group, by_number, bars)
        elif group.kind is BlockKind.TABLE:
            block = _rows(group, vocabulary, by_number, bars)
        else:
            block = _prose(group, texts, vocabulary, by_number)
        if not block.text:
            continue
        if group is title:
            name = _FOOTNOTE_MARKS.sub("", block.text)
            blocks.append(replace(block, section=(block.text,)))
            continue
        if block.kind is BlockKind.HEADING:
            path = [p for p in path if p[0] < group.level] + [(group.level, block.text)]
        for part in _abstract_parts(block):
            section = (ABSTRACT,) if part.section == (ABSTRACT,) else tuple(p[1] for p in path)
            blocks.append(replace(part, section=section))
    return ParsedDocument(parser, name, authors, tuple(blocks), _ledger(pages, blocks, contents))


def _abstract_parts(block: Block) -> list[Block]:
    """An abstract under its section; one that begins with the word gives a heading of its own."""
    if block.kind is not BlockKind.ABSTRACT:
        return [block]
    found = ABSTRACT_START.match(block.text)
    if not found:
        return [replace(block, section=(ABSTRACT,))]
    cut, end = found.end(), found.end("title")
    heading = Block(
        BlockKind.HEADING,
        block.text[:end],
        block.page,
        (ABSTRACT,),
        tuple(replace(b, end=min(b.end, end)) for b in block.boxes if b.start < end),
    )
    text = Block(
        BlockKind.ABSTRACT,
        block.text[cut:],
        block.page,
        (ABSTRACT,),
        tuple(
            replace(b, start=max(b.start - cut, 0), end=b.end - cut)
            for b in block.boxes
            if b.end > cut
        ),
    )
    return [heading, text]


def _box(line: Line, pages: dict[int, Page], start: int, end: int) -> Box:
    page = pages[line.page]
    # Tall brackets and roots hang from elsewhere than the baseline and say nothing about height.
    written = [r for r in line.runs if not r.font.extension and r.text != "√"] or line.runs
    top = min(r.y - 0.72 * r.size for r in written)
    bottom = max(r.y + 0.22 * r.size for r in written)
    x0, y0, x1, y1 = (round(v, 2) for v in page.shown((line.x0, top, line.x1, bottom)))
    return Box(line.page, x0, y0, x1, y1, start, end)


def _prose(
    group: Group, texts: dict[int, str], vocabulary: Vocabulary, pages: dict[int, Page]
) -> Block:
    text = ""
    boxes: list[Box] = []
    for line in group.lines:
        piece = texts[id(line)]
        if not piece:
            continue
        kept, glue = vocabulary.join(text, piece)
        text = kept + glue
        if boxes:
            boxes[-1] = replace(boxes[-1], end=len(text.rstrip()))
        start = len(text)
        text += piece
        boxes.append(_box(line, pages, start, len(text)))
    return Block(group.kind, text.replace(HYPHEN, "-"), group.first.page, (), tuple(boxes))


def _rows(
    group: Group, vocabulary: Vocabulary, pages: dict[int, Page], bars: dict[int, Bars]
) -> Block:
    """A table: a row a line, cells divided by bars."""
    text = ""
    boxes: list[Box] = []
    for row in rows_of(group.lines):
        text += "\n" if text else ""
        begin, first = len(text), len(boxes)
        for n, cell in enumerate(row):
            text += " | " if n else ""
            start = len(text)
            for part in cell.parts:
                piece = _written(part, bars)
                kept, glue = vocabulary.join(text[start:], piece) if len(text) > start else ("", "")
                text = text[:start] + kept + glue
                if len(boxes) > first and boxes[-1].start >= start:
                    boxes[-1] = replace(boxes[-1], end=len(text.rstrip()))
                boxes.append(_box(part, pages, len(text), len(text) + len(piece)))
                text += piece
        if all(len(cell.parts) == 1 for cell in row):
            whole = Line(row[0].parts[0].page, [r for cell in row for r in cell.parts[0].runs])
            boxes[first:] = [_box(whole, pages, begin, len(text))]
    return Block(group.kind, text.replace(HYPHEN, "-"), group.first.page, (), tuple(boxes))


def _written(line: Line, bars: dict[int, Bars]) -> str:
    return _SPACES.sub(" ", "".join(line_fragments(line, bars[line.page]))).strip()


def _formula(group: Group, pages: dict[int, Page], bars: dict[int, Bars]) -> Block:
    """A displayed equation, its pieces in content order (numerator, denominator, …)."""
    runs = [r for line in group.lines for r in line.runs]
    fragments = formula_fragments(runs, bars[group.first.page])
    text = ""
    boxes: list[Box] = []
    at = 0
    for line in group.lines:
        piece = "".join(fragments[at : at + len(line.runs)]).replace(HYPHEN, "-")
        at += len(line.runs)
        piece = _SPACES.sub(" ", piece)
        if text and not text.endswith(" ") and not piece.startswith((" ", "^", "_", "}", "/")):
            text += " "
        piece = piece if text else piece.lstrip()
        start = len(text) + len(piece) - len(piece.lstrip())
        text += piece
        boxes.append(_box(line, pages, start, len(text)))
    return Block(group.kind, text.rstrip(), group.first.page, (), tuple(boxes))


def _ledger(pages: list[Page], blocks: list[Block], contents: set[int]) -> tuple[PageEntry, ...]:
    characters: Counter[int] = Counter()
    counts: Counter[int] = Counter()
    unreadable: Counter[int] = Counter()
    for block in blocks:
        for box in block.boxes:
            characters[box.page] += box.end - box.start
            unreadable[box.page] += block.text.count(REPLACEMENT, box.start, box.end)
        counts.update({box.page for box in block.boxes})
    entries = []
    for index, page in enumerate(pages):
        width, height = page.shown_size
        note = page.note
        if not note and not characters[page.number]:
            note = _why_empty(page, index in contents)
        elif not note and unreadable[page.number]:
            note = f"unreadable characters: {unreadable[page.number]}"
        entries.append(
            PageEntry(
                page.number,
                round(width, 2),
                round(height, 2),
                characters[page.number],
                counts[page.number],
                note,
            )
        )
    return tuple(entries)


def _why_empty(page: Page, contents: bool) -> str:
    if contents:
        return "contents list only"
    if page.glyphs and page.unreadable > 0.5 * page.glyphs:
        return "text layer unreadable"
    if page.glyphs:
        return "nothing but page furniture, figures or stamps"
    drawn = any(a.kind in {"image", "form"} for a in page.areas)
    if drawn:
        return "image only"
    return "drawing only" if page.areas else "blank"
