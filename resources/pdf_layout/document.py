"""From pages of runs to a document: the steps of the layout analysis in their order."""

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from statistics import median

from resources.blocks import Block, BlockKind, Box, PageEntry, ParsedDocument
from resources.pdf_layout import classify
from resources.pdf_layout.columns import Region, gutter, page_gutter, regions
from resources.pdf_layout.furniture import remove_furniture
from resources.pdf_layout.glyphs import Page
from resources.pdf_layout.lines import Line, merge, segments
from resources.pdf_layout.scripts import marked_up
from resources.pdf_layout.words import Vocabulary

PARSER = "embedded-layout 1"


@dataclass(slots=True)
class Group:
    """Lines that belong together, before they are text."""

    kind: BlockKind
    lines: list[Line] = field(default_factory=list)


def analyse(pages: list[Page]) -> ParsedDocument:
    """The document that the pages hold."""
    pieces = remove_furniture([segments(p) for p in pages], [p.height for p in pages])
    body = _body_size(pieces)
    width = median([p.width for p in pages]) if pages else 0.0
    shared = gutter(pieces, width)
    groups: list[Group] = []
    for page, items in zip(pages, pieces, strict=True):
        x = shared if shared is not None else None
        for region in regions(items, x):
            groups.extend(_groups(region, body))
    groups = _continued(groups)
    vocabulary = Vocabulary()
    texts = {}
    for group in groups:
        for line in group.lines:
            texts[id(line)] = marked_up(line).strip()
            vocabulary.add(texts[id(line)])
    blocks = _sections([_block(g, texts, vocabulary) for g in groups if g.lines])
    title = next((b.text for b in blocks if b.kind is BlockKind.HEADING), "")
    return ParsedDocument(PARSER, title, (), tuple(blocks), _ledger(pages, blocks))


def _body_size(pages: list[list[Line]]) -> float:
    sizes: Counter[float] = Counter()
    for pieces in pages:
        for piece in pieces:
            sizes[round(piece.size, 1)] += piece.letters
    return sizes.most_common(1)[0][0] if sizes else 10.0


def _groups(region: Region, body: float) -> list[Group]:
    lines = merge(region.pieces)
    if not lines:
        return []
    left = Counter(round(line.x0) for line in lines if line.letters > 15).most_common(1)
    right = max(line.x1 for line in lines)
    edge = left[0][0] if left else min(line.x0 for line in lines)
    steps = [b.y - a.y for a, b in zip(lines, lines[1:], strict=False) if 0 < b.y - a.y < 3 * body]
    leading = median(steps) if steps else 1.2 * body
    groups: list[Group] = []
    previous: Line | None = None
    for line in lines:
        text = line.plain()
        heading = _is_heading(line, text, body)
        caption = bool(classify.CAPTION.match(text))
        new = (
            previous is None
            or line.y - previous.y > 1.35 * leading
            or abs(line.size - previous.size) > 0.12 * body
            or heading != (groups[-1].kind is BlockKind.HEADING)
            or (line.x0 - edge > 0.8 * body and previous.x0 - edge < 0.4 * body and not heading)
            or (caption and line.y - previous.y > 1.1 * leading)
            or bool(classify.REFERENCE.match(text))
        )
        if new:
            kind = (
                BlockKind.HEADING
                if heading
                else BlockKind.CAPTION
                if caption
                else BlockKind.PARAGRAPH
            )
            groups.append(Group(kind))
        groups[-1].lines.append(line)
        previous = line
    del right
    return groups


def _is_heading(line: Line, text: str, body: float) -> bool:
    if line.letters > 120 or line.letters < 3 or not re.search(r"[^\W\d]{3}", text):
        return False
    if classify.CAPTION.match(text):
        return False
    return line.size > 1.1 * body or line.bold or bool(classify.UNNUMBERED.match(text))


def _continued(groups: list[Group]) -> list[Group]:
    """Joins a paragraph that a column or page break divided."""
    out: list[Group] = []
    for group in groups:
        last = next((g for g in reversed(out) if g.kind is not BlockKind.CAPTION), None)
        if (
            last is not None
            and group.kind is last.kind is BlockKind.PARAGRAPH
            and (group.lines[0].page, group.lines[0].column)
            != (last.lines[-1].page, last.lines[-1].column)
            and not re.search(r"[.!?:]\W*$", last.lines[-1].plain())
            and re.match(r"[^\W\dA-Z]", group.lines[0].plain())
        ):
            last.lines.extend(group.lines)
        else:
            out.append(group)
    return out


def _block(group: Group, texts: dict[int, str], vocabulary: Vocabulary) -> Block:
    text = ""
    boxes: list[Box] = []
    for line in group.lines:
        piece = texts[id(line)]
        if not piece:
            continue
        before, glue = vocabulary.join(text, piece)
        if boxes and len(before) < len(text):
            boxes[-1] = replace(boxes[-1], end=len(before))
        text = before + glue
        start = len(text)
        text += piece
        boxes.append(Box(line.page, line.x0, line.top, line.x1, line.bottom, start, len(text)))
    text = text.replace("\x02", "-")
    return Block(group.kind, text, group.lines[0].page, (), tuple(boxes))


def _sections(blocks: list[Block]) -> list[Block]:
    path: list[tuple[int, str]] = []
    out = []
    references = False
    for block in blocks:
        if not block.text:
            continue
        if block.kind is BlockKind.HEADING:
            numbered = classify.NUMBERED.match(block.text)
            level = classify.depth(numbered["number"]) if numbered else 1
            path = [p for p in path if p[0] < level] + [(level, block.text)]
            references = bool(classify.REFERENCES_TITLE.match(block.text))
        elif references and block.kind is BlockKind.PARAGRAPH:
            block = replace(block, kind=BlockKind.REFERENCE)
        out.append(replace(block, section=tuple(p[1] for p in path)))
    return out


def _ledger(pages: list[Page], blocks: list[Block]) -> tuple[PageEntry, ...]:
    characters: Counter[int] = Counter()
    counts: Counter[int] = Counter()
    for block in blocks:
        for box in block.boxes:
            characters[box.page] += box.end - box.start
        counts.update({box.page for box in block.boxes})
    entries = []
    for page in pages:
        note = ""
        if not characters[page.number]:
            images = any(a.kind == "image" for a in page.areas)
            note = "image only" if images else "blank"
        entries.append(
            PageEntry(
                page.number,
                page.width,
                page.height,
                characters[page.number],
                counts[page.number],
                note,
            )
        )
    return tuple(entries)
