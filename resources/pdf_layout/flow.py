"""The text's flow: paragraphs that go on past a column's or page's end, and reference lists."""

import re

from resources.blocks import BlockKind
from resources.pdf_layout.classify import (
    BULLET,
    REFERENCE_MARK,
    REFERENCES_TITLE,
    ends_sentence,
    reads_as_prose,
)
from resources.pdf_layout.encodings import HYPHEN
from resources.pdf_layout.groups import Group, Role

_CONTINUED = frozenset({BlockKind.PARAGRAPH, BlockKind.ABSTRACT, BlockKind.REFERENCE})
_PARTING = frozenset({Role.FLOAT, Role.NOTE})
_LIST = 4  # entries in a row that make a reference list
_CITING = 0.7  # of the entries of a list without a heading, which must look like references
_PROSE = 100  # letters from which a paragraph is no rest of an entry
_LONG = 300  # letters that no rest of an entry has
_BULLET_NUMBER = re.compile(r"^[•·]\s*(\d{1,3})\s")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b|arXiv", re.I)
_DATED = re.compile(r"\((?:19|20)\d\d\)|arXiv", re.I)
_AUTHOR = re.compile(r"\b[A-Z]\.|\bet al\b|\bcollaboration\b", re.I)
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
    unnamed = _unnamed_lists(groups)
    out: list[Group] = []
    section: list[Group] | None = None
    named = False
    for n, group in enumerate(groups):
        if group.kind is BlockKind.HEADING:
            out.extend(_entries(section or []))
            named = bool(REFERENCES_TITLE.match(group.text))
            section = [] if named else None
            out.append(group)
            continue
        if section is None and any(n in places for places in unnamed):
            section = []
        if section is not None and not named and _is_text(group, not any(map(_number, section))):
            out.extend([*_entries(section), group])
            section = []
            continue
        (out if section is None else section).append(group)
    out.extend(_entries(section or []))
    return out


def _unnamed_lists(groups: list[Group]) -> list[range]:
    """Where entries in the order of their numbers stand, with or without a heading over them: in
    an appendix, after the acknowledgements, in the other column of the heading's page."""
    marks: list[tuple[int, int]] = []
    for n, group in enumerate(groups):
        number = _number(group)
        if number and group.kind is BlockKind.PARAGRAPH and group.role is not Role.NOTE:
            marks.append((number, n))
    runs: list[list[int]] = []
    expected = 0
    for number, n in marks:
        if number != expected or not runs:
            runs.append([])
        runs[-1].append(n)
        expected = number + 1
    return [
        range(run[0], run[-1] + 1)
        for run in runs
        if len(run) >= _LIST and sum(_cites(groups[n]) for n in run) >= _CITING * len(run)
    ]


def _number(group: Group) -> int:
    """The number with which an entry begins; 0 without one."""
    text = group.first.plain
    found = REFERENCE_MARK.match(text) or _BULLET_NUMBER.match(text)
    number = next(filter(None, found.groups())) if found else ""
    return int(number) if number.isdigit() else 0


def _cites(group: Group) -> bool:
    """Whether a text names a work as references do, with a year and an author's initials."""
    return bool(_YEAR.search(group.text) and _AUTHOR.search(group.text))


def _is_text(group: Group, goes_on: bool) -> bool:
    """Whether a group among the entries of a list without a heading is text of the paper, which
    goes on beside the list or below it; `goes_on` says that no entry stands since such text."""
    if group.kind is not BlockKind.PARAGRAPH or _number(group):
        return False
    if group.letters > _LONG:
        return True
    prose = group.letters > _PROSE and reads_as_prose(group.text)
    return (prose or goes_on) and not _DATED.search(group.text)


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
