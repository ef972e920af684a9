"""The text's flow: paragraphs that go on past a column's or page's end, and reference lists."""

import re

from resources.blocks import BlockKind
from resources.pdf_layout.classify import (
    BULLET,
    REFERENCE_MARK,
    REFERENCES_TITLE,
    ends_sentence,
)
from resources.pdf_layout.encodings import HYPHEN
from resources.pdf_layout.groups import Group, Role

_CONTINUED = frozenset({BlockKind.PARAGRAPH, BlockKind.ABSTRACT, BlockKind.REFERENCE})
_PARTING = frozenset({Role.FLOAT, Role.NOTE})
_LIST = 4  # entries in a row that make a reference list
_CUT_WORD = re.compile(rf"[^\W\d_][{HYPHEN}-]$")


def joined(groups: list[Group]) -> list[Group]:
    """The groups, those put together that one column, page or float had cut.

    What stood between the two parts (captions, tables, notes) comes after the whole.
    """
    indented = _indents(groups)
    out: list[Group] = []
    open_at: int | None = None
    before: Group | None = None
    for group in groups:
        if group.role is Role.FIXED and group.kind is not BlockKind.ABSTRACT:
            open_at = None
        elif group.kind in _CONTINUED and group.role is not Role.NOTE:
            parted = before is None or before.region is not group.region or before.role in _PARTING
            if open_at is not None and parted and continues(out[open_at], group, indented):
                out[open_at].lines.extend(group.lines)
                out[open_at].region = group.region
                before = group
                continue
            open_at = len(out)
        out.append(group)
        before = group
    return out


def _indents(groups: list[Group]) -> bool:
    """Whether this paper's paragraphs begin with an indent."""
    starts = [
        g.first.x0 - g.region.left > 0.6 * g.first.size
        for g in groups
        if g.role is Role.FLOW and g.kind is BlockKind.PARAGRAPH and len(g.lines) > 2
    ]
    return sum(starts) > 0.4 * len(starts)


def continues(before: Group, group: Group, indented: bool) -> bool:
    """Whether a group is the rest of the paragraph that `before` began in another place."""
    last, first = before.last, group.first
    if before.kind is not group.kind or abs(last.size - first.size) > 0.06 * last.size:
        return False
    if (last.bold > 0.8) != (first.bold > 0.8):
        return False
    text = first.plain
    if _CUT_WORD.search(last.plain):
        return True
    if BULLET.match(text) or REFERENCE_MARK.match(text):
        return False
    full = before.region.right - last.x1 < 2.5 * last.size
    ended = ends_sentence(last.plain)
    if text[:1].islower():
        return not ended or full
    set_in = first.x0 - group.region.left > 0.6 * first.size
    if ended:
        return full and indented and not set_in
    return full and not (indented and set_in)


def mark_references(groups: list[Group]) -> list[Group]:
    """Gives every entry of a reference list a group of its own."""
    unnamed = _unnamed_list(groups)
    out: list[Group] = []
    section: list[Group] | None = None
    for group in groups:
        if group.kind is BlockKind.HEADING:
            out.extend(_entries(section or []))
            section = [] if REFERENCES_TITLE.match(group.text) else None
            out.append(group)
            continue
        if group is unnamed:
            section = []
        (out if section is None else section).append(group)
    out.extend(_entries(section or []))
    return out


def _unnamed_list(groups: list[Group]) -> Group | None:
    """The first entry, [1], of a reference list that has no heading; None where one has."""
    if any(g.kind is BlockKind.HEADING and REFERENCES_TITLE.match(g.text) for g in groups):
        return None
    marks: list[tuple[int, Group]] = []
    for group in groups:
        found = REFERENCE_MARK.match(group.first.plain)
        if group.kind is BlockKind.PARAGRAPH and found and (found["square"] or "").isdigit():
            marks.append((int(found["square"]), group))
    for n, (number, group) in enumerate(marks):
        if [m for m, _ in marks[n : n + _LIST]] == list(range(1, _LIST + 1)) and number == 1:
            return group
    return None


def _entries(section: list[Group]) -> list[Group]:
    texts = [g for g in section if g.kind is BlockKind.PARAGRAPH and g.role is not Role.NOTE]
    others = [g for g in section if g not in texts]
    lines = [(line, g) for g in texts for line in g.lines]
    if not lines:
        return section
    marked = sum(1 for line, _ in lines if REFERENCE_MARK.match(line.plain))
    hanging = _hanging(texts)
    out: list[Group] = []
    for group in texts:
        for n, line in enumerate(group.lines):
            if marked >= 2 or (marked and len(texts) == 1):
                begins = bool(REFERENCE_MARK.match(line.plain))
            elif hanging:
                begins = line.x0 - group.region.left < 0.5 * line.size
            else:
                begins = n == 0
            if begins or not out:
                out.append(Group(BlockKind.REFERENCE, [], group.region, Role.FLOW, group.gap))
            out[-1].lines.append(line)
            out[-1].region = group.region
    return out + others


def _hanging(texts: list[Group]) -> bool:
    """Whether entries go on indented under a first line that stands out to the left."""
    offsets = [(line.x0 - g.region.left) / line.size for g in texts for line in g.lines]
    inset = sum(1 for x in offsets if x > 0.7)
    return 0.25 * len(offsets) < inset < 0.9 * len(offsets)
