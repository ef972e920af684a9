"""The first page's head: title, authors and what stands before the text begins."""

import re
from collections.abc import Sequence

from resources.blocks import BlockKind
from resources.pdf_layout.classify import (
    ABSTRACT_START,
    ABSTRACT_TITLE,
    KEYWORDS,
    KNOWN_HEADING,
    ends_sentence,
    known_words,
    reads_as_prose,
)
from resources.pdf_layout.groups import Group, Role
from resources.pdf_layout.headings import style_of

_UPPER_PART = 0.62  # of the first page, in which the title begins
_FIRST = frozenset({"1", "I", "A"})
_NAMES = 3  # commas from which a line lists authors
_FRONT_PAGES = 6  # that a collaboration's list of authors may fill
_ABSTRACT_LETTERS = 220
_MARKS = re.compile(r"[\d∗*†‡§¶#♯]+|\(cid:\d+\)")
_PLACE = re.compile(
    r"\b(?:universit|institut|laborator|department|dipartiment|fakult|facult|college|school|"
    r"cent(?:er|re)|cern|infn|fermilab|fnal|desy|kek|slac|lbnl|bnl|jefferson|academy|national|"
    r"physics|science|research|division|street|road|avenue|box|usa|germany|italy|france|china|"
    r"japan|switzerland|kingdom|russia|collaboration)",
    re.I,
)
_PARTICLES = frozenset(
    "van von der den de del della di da dos du la le el al bin ibn ter ten".split()
)


def mark_front(groups: list[Group], body: float) -> tuple[Group | None, int]:
    """Finds the title and gives front matter its role; returns the title and the front's end.

    The end is the index of the first group after the front matter: the abstract's or the first
    section's heading, or the first paragraph of the text.
    """
    if not groups:
        return None, 0
    page = groups[0].first.page
    title_at = _title(groups, page, body)
    if title_at is None:
        return None, 0
    title = groups[title_at]
    following = title_at + 1
    while following < len(groups) and _same_title(title, groups[following]):
        title.lines.extend(groups.pop(following).lines)
    title.kind, title.role = BlockKind.HEADING, Role.FIXED
    end = _front_end(groups, title_at + 1, page)
    for group in groups[:end]:
        if group is not title and group.kind is BlockKind.PARAGRAPH and group.role is Role.FLOW:
            group.role = Role.FIXED
    return title, end


def _title(groups: list[Group], page: int, body: float) -> int | None:
    best: int | None = None
    for i, group in enumerate(groups):
        text = group.text
        if group.first.page != page or KNOWN_HEADING.match(text) or group.number()[0] in _FIRST:
            break
        if (
            group.kind is not BlockKind.PARAGRAPH
            or known_words(text) < 2
            or group.first.y > _UPPER_PART * _page_bottom(groups, page)
            or len(group.lines) > 6
            or _is_one_of_several(groups, i)
        ):
            continue
        if best is None or group.first.size > 1.04 * groups[best].first.size:
            best = i
    if best is None:
        return None
    style = style_of(groups[best])
    larger = groups[best].first.size > 1.08 * body
    return best if larger or style.bold or style.capitals else None


def _is_one_of_several(groups: list[Group], i: int) -> bool:
    """Whether prose and then lines of the same style follow, as with headings, not titles."""
    style = style_of(groups[i])
    alike = [
        g
        for g in groups[i + 1 :]
        if g.kind is BlockKind.PARAGRAPH and len(g.lines) <= 3 and style_of(g) == style
    ]
    following = groups[i + 1] if i + 1 < len(groups) else None
    prose = following is not None and following.letters > _ABSTRACT_LETTERS
    return len(alike) >= 2 and (style.bold or style.capitals) and prose


def _page_bottom(groups: list[Group], page: int) -> float:
    return max(line.y for g in groups for line in g.lines if line.page == page)


def _same_title(title: Group, group: Group) -> bool:
    return (
        group.kind is BlockKind.PARAGRAPH
        and abs(group.first.size - title.last.size) < 0.03 * title.last.size
        and (group.first.bold > 0.5) == (title.last.bold > 0.5)
        and group.first.page == title.last.page
        and 0 < group.first.y - title.last.y < 1.7 * title.last.size
        and title.first.size > 1.02 * group.last.size * 0.98
    )


def _front_end(groups: list[Group], start: int, page: int) -> int:
    """Index of the group with which abstract or text begins."""
    for i in range(start, len(groups)):
        group = groups[i]
        if group.first.page > page + _FRONT_PAGES:
            break
        text = group.text
        number, bare = group.number()
        if KNOWN_HEADING.match(bare) or ABSTRACT_TITLE.match(text) or ABSTRACT_START.match(text):
            return i
        if _opens_text(groups, i):
            return i
        if number in _FIRST and style_of(group).bold and text.count(",") < _NAMES:
            return i
        if group.letters > _ABSTRACT_LETTERS and reads_as_prose(group.text):
            return i
    return start


def _opens_text(groups: list[Group], i: int) -> bool:
    """Whether a group is a heading of whatever name with prose under it."""
    group = groups[i]
    style = style_of(group)
    text = group.text
    set_off = style.bold or style.capitals or group.first.size > 1.08 * groups[-1].first.size
    if i + 1 >= len(groups) or not set_off or len(group.lines) > 2 or re.search(r"[,@\d]", text):
        return False
    following = groups[i + 1]
    return (
        known_words(text) > 0
        and following.letters > _ABSTRACT_LETTERS
        and not style_of(following).bold
        and reads_as_prose(following.text)
    )


def mark_abstract(groups: list[Group], title: Group | None, front_end: int) -> None:
    """Sets the kind of the abstract's paragraphs, with or without a heading of its own."""
    for i, group in enumerate(groups[: front_end + 6]):
        text = group.text
        if group.kind is BlockKind.HEADING and ABSTRACT_TITLE.match(text):
            _mark_under(groups[i + 1 :], None)
            return
        if group.kind is BlockKind.PARAGRAPH and ABSTRACT_START.match(text):
            group.kind = BlockKind.ABSTRACT
            _mark_under(groups[i + 1 :], group)
            return
    if title is not None:
        _mark_unnamed(groups, groups.index(title) + 1)


def _mark_under(groups: list[Group], first: Group | None) -> None:
    """Marks the paragraphs of an abstract, until something is set otherwise than the first."""
    for group in groups:
        if group.role is Role.NOTE or group.kind is BlockKind.CAPTION:
            continue
        if group.kind is not BlockKind.PARAGRAPH or KEYWORDS.match(group.first.plain):
            return
        if first is not None and not _same_setting(first, group):
            return
        group.kind = BlockKind.ABSTRACT
        first = group


def _mark_unnamed(groups: list[Group], start: int) -> None:
    """Marks an abstract that has no heading but is set apart from the text."""
    found = False
    for group in groups[start:]:
        if group.kind is BlockKind.HEADING:
            return
        if (
            group.kind is BlockKind.PARAGRAPH
            and group.role is not Role.NOTE
            and group.letters > _ABSTRACT_LETTERS
            and reads_as_prose(group.text)
            and ends_sentence(group.last.plain)
            and _set_apart(group, groups)
        ):
            group.kind = BlockKind.ABSTRACT
            found = True
        elif found:
            return


def _same_setting(a: Group, b: Group) -> bool:
    """Whether two paragraphs are set alike, in type and width."""
    return (
        abs(a.last.size - b.first.size) < 0.05 * a.last.size
        and (a.last.italic > 0.5) == (b.first.italic > 0.5)
        and a.region.column == b.region.column
        and abs(min(x.x0 for x in a.lines) - min(x.x0 for x in b.lines)) < 2 * a.last.size
        and a.first.page == b.first.page
        and b.gap < 2.2 * a.last.size
    )


def _set_apart(group: Group, groups: Sequence[Group]) -> bool:
    """Whether a paragraph without a heading is set as abstracts are: narrower, smaller, slanted."""
    body = [
        g
        for g in groups
        if g.kind is BlockKind.PARAGRAPH
        and g.role is Role.FLOW
        and g.letters > 300
        and g is not group
    ]
    if not body:
        return False
    if group.region.column == 0 and any(g.region.column for g in body):
        return True
    left = min(line.x0 for line in group.lines)
    right = max(line.x1 for line in group.lines)
    others = [(min(x.x0 for x in g.lines), max(x.x1 for x in g.lines)) for g in body]
    inset = all(left > a + 6 and right < b - 6 for a, b in others if b - a > 200)
    sizes = sorted(g.first.size for g in body)
    smaller = group.first.size < 0.95 * sizes[len(sizes) // 2]
    return inset or smaller or group.first.italic > 0.8


def authors_of(groups: list[Group], title: Group | None, front_end: int) -> tuple[str, ...]:
    """The names that stand under the title, as far as they can be told from the places.

    A best effort for papers that come without metadata: initials and names, no affiliations.
    """
    if title is None:
        return ()
    names: list[str] = []
    for group in groups[groups.index(title) + 1 : front_end]:
        if group.kind is not BlockKind.PARAGRAPH or group.role is not Role.FIXED:
            continue
        for line in group.lines:
            main = " ".join(r.text for r in line.runs if r.size > 0.85 * line.size)
            if _PLACE.search(main) or "@" in main:
                return tuple(names)
            found = [_name(part) for part in re.split(r",|;|&|\band\b|·|•", _MARKS.sub(" ", main))]
            if not any(found):
                return tuple(names)
            names.extend(name for name in found if name)
    return tuple(names)


def _name(part: str) -> str:
    words = part.replace("\x02", "-").split()
    if not 2 <= len(words) <= 5:
        return ""
    good = all(
        w.lower() in _PARTICLES or re.fullmatch(r"[^\W\d_a-z][^\W\d_]*(?:[.'’-]+[^\W\d_]*)*", w)
        for w in words
    )
    return " ".join(words) if good and any(len(w.strip(".")) > 1 for w in words) else ""
