"""Headings: lines set apart by size, weight, slant, capitals, numbering or position."""

import re
from collections import Counter
from dataclasses import dataclass

from resources.blocks import BlockKind
from resources.pdf_layout.classify import (
    ABSTRACT_TITLE,
    BULLET,
    CAPTION,
    KNOWN_HEADING,
    NUMBER,
    REFERENCES_TITLE,
    depth,
    known_words,
)
from resources.pdf_layout.groups import Group, Role

_COLLABORATION = re.compile(r"\bcollaborations?\b.{0,12}$", re.I)
_MAX_LINES = 4
_MAX_LETTERS = 160


@dataclass(frozen=True, slots=True)
class Style:
    """What makes headings of one level look alike."""

    size: float
    bold: bool
    italic: bool
    capitals: bool
    face: str


def style_of(group: Group) -> Style:
    """The style of a group's first line."""
    line = group.first
    faces = Counter[str]()
    for run in line.runs:
        faces[run.font.name] += len(run.text)
    text = "".join(c for c in line.plain if c.isalpha())
    capitals = len(text) > 3 and sum(c.isupper() for c in text) > 0.85 * len(text)
    small_caps = any(
        "csc" in r.font.name.lower() or "caps" in r.font.name.lower() for r in line.runs
    )
    return Style(
        round(2 * line.size) / 2,
        line.bold > 0.6,
        line.italic > 0.6,
        capitals or small_caps,
        faces.most_common(1)[0][0],
    )


def mark_headings(groups: list[Group], body: float, leading: float) -> None:
    """Sets the kind and role of every group that is a heading, over the whole document."""
    candidates: list[tuple[Group, Style, float]] = []
    face = _body_face(groups)
    for i, group in enumerate(groups):
        if group.kind is not BlockKind.PARAGRAPH or group.role is not Role.FLOW:
            continue
        following = next((g for g in groups[i + 1 :] if g.role is not Role.NOTE), None)
        score = _score(group, following, (body, leading, face))
        if score > 0:
            candidates.append((group, style_of(group), score))
    sure = Counter(style for _, style, score in candidates if score >= 2)
    seen = Counter(style for _, style, _ in candidates)
    for group, style, score in candidates:
        if score >= 2 or (score >= 1 and (sure[style] or seen[style] >= 2)):
            group.kind, group.role = BlockKind.HEADING, Role.FIXED
    _unmark_institutes(groups)


def _unmark_institutes(groups: list[Group]) -> None:
    """Takes back the headings that are institutes in a collaboration's list of authors."""
    inside = False
    for group in groups:
        if group.kind is not BlockKind.HEADING:
            continue
        number, text = group.number()
        if number or _is_known(text) or _COLLABORATION.search(text):
            inside = bool(_COLLABORATION.search(text))
        elif inside:
            group.kind, group.role = BlockKind.PARAGRAPH, Role.FIXED


def _body_face(groups: list[Group]) -> str:
    """Name of the font in which most of the text is set."""
    faces: Counter[str] = Counter()
    for group in groups:
        for line in group.lines:
            for run in line.runs:
                faces[run.font.name] += len(run.text)
    return faces.most_common(1)[0][0] if faces else ""


def _score(group: Group, following: Group | None, text_type: tuple[float, float, str]) -> float:
    """How much a group looks like a heading: 0 not, 1 if its style recurs, 2 surely.

    `text_type` is the size of the text, its line distance and its font.
    """
    body, leading, face = text_type
    text = group.text
    style = style_of(group)
    number, title = group.number()
    titled = bool(number) and _is_title(title, style, body)
    if not _may_be_heading(group, text, titled, style):
        return 0
    stands = group.gap > 1.12 * leading or group.gap == 0
    strong = style.size >= 1.08 * body or (style.bold and all(x.bold > 0.6 for x in group.lines))
    if _is_known(title if titled else text):
        return 2
    if strong:
        return 2 if stands or titled else 0
    if not stands or not _alone(group, following):
        return 0
    marked = style.italic or style.capitals
    if titled and (marked or _centred(group)):
        return 2
    if marked or style.face != face:
        return 1
    plain = abs(group.first.x0 - group.region.left) < group.first.size
    lone = following is not None and not following.number()[0]
    ends = re.search(r"[.?!:;]$", text)
    far = group.letters < 90 and group.gap > 1.4 * leading
    return 1 if titled and plain and lone and far and not ends else 0


def _is_title(title: str, style: Style, body: float) -> bool:
    """Whether what follows a section's number can be its title."""
    strong = style.bold or style.capitals or style.size >= 1.08 * body
    if not known_words(title) and not (strong and sum(c.isalpha() for c in title) > 1):
        return False
    return title[:1].isupper() or (title[:1].isdigit() and strong)


def _may_be_heading(group: Group, text: str, titled: bool, style: Style) -> bool:
    """Whether nothing speaks against a group: length, cells, a caption, a list, a sentence."""
    if len(group.lines) > _MAX_LINES or group.letters > _MAX_LETTERS or _has_cells(group):
        return False
    if (not titled and not known_words(text)) or CAPTION.match(text):
        return False
    if BULLET.match(text) and not titled:
        return False
    if not (text[:1].isupper() or text[:1].isdigit() or style.bold):
        return False
    sentence = text.rstrip().endswith(".") and len(text) > 25 and not style.bold
    return not sentence and not text.rstrip().endswith((",", ";"))


def _is_known(text: str) -> bool:
    return bool(
        KNOWN_HEADING.match(text) or ABSTRACT_TITLE.match(text) or REFERENCES_TITLE.match(text)
    )


def _has_cells(group: Group) -> bool:
    """Whether wide gaps divide a line elsewhere than after its number."""
    for line in group.lines:
        if line.cells > 2 or (line.cells == 2 and not NUMBER.match(line.plain)):
            return True
    return False


def _centred(group: Group) -> bool:
    left = group.first.x0 - group.region.left
    right = group.region.right - group.first.x1
    return left > 2 * group.first.size and abs(left - right) < 1.5 * group.first.size


def _alone(group: Group, following: Group | None) -> bool:
    """Whether a group does not fill its lines and text follows it."""
    if following is None:
        return False
    room = group.region.right - group.last.x1
    return room > 1.5 * group.last.size or _centred(group)


def set_levels(headings: list[Group]) -> None:
    """Gives every heading its nesting level, 1 for the outermost.

    A number's depth decides; a heading without one has the level that numbered headings of its
    style have, else the rank of its style among those without.
    """
    roman = sum(1 for g in headings if _is_roman(g.number()[0])) >= 2
    by_style: dict[Style, Counter[int]] = {}
    unnumbered = []
    for group in headings:
        number, _ = group.number()
        if not number:
            unnumbered.append(group)
            continue
        group.level = _level(number, roman)
        by_style.setdefault(style_of(group), Counter())[group.level] += 1
    ranked = sorted(
        {style_of(g) for g in unnumbered if style_of(g) not in by_style},
        key=lambda s: (-s.size, not s.capitals, not s.bold, s.italic),
    )
    for group in unnumbered:
        style = style_of(group)
        if _is_known(group.text):
            group.level = 1
        elif style in by_style:
            group.level = by_style[style].most_common(1)[0][0]
        else:
            base = max((max(c) for c in by_style.values()), default=0)
            group.level = (base if by_style else 0) + ranked.index(style) + 1


def _is_roman(number: str) -> bool:
    return bool(number) and set(number) <= set("IVX")


def _level(number: str, roman: bool) -> int:
    """Depth of a number; in a paper that counts I, A, 1, arabic numbers are the third level."""
    if roman and number.isdigit():
        return 3
    if not roman and len(number) == 1 and number.isalpha():
        return 1
    return depth(number)
