"""Lines of a region gathered into paragraphs, captions, tables, equations and lone lines."""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from resources.blocks import BlockKind
from resources.pdf_layout.classify import (
    BULLET,
    NUMBER,
    REFERENCE_MARK,
    ends_sentence,
    is_caption,
)
from resources.pdf_layout.columns import Region
from resources.pdf_layout.equations import split_equations
from resources.pdf_layout.figures import Drawing
from resources.pdf_layout.graphics import Area
from resources.pdf_layout.groups import Group, Role
from resources.pdf_layout.lines import Line, merge
from resources.pdf_layout.tables import table_spans

_APART = 1.32  # of the region's leading, from which a line begins a new group
_INDENT = 0.7  # ems
_SAME_SIZE = 0.07  # of the body size, by which lines of one paragraph may differ


@dataclass(frozen=True, slots=True)
class PageLayout:
    """What the grouping of a page's lines needs besides the lines."""

    body: float
    leading: float
    rules: list[Area]
    drawings: list[Drawing]
    page_height: float


def groups_of(region: Region, layout: PageLayout) -> list[Group]:
    """The groups of a region from top to bottom."""
    displayed, rest = split_equations(region)
    lines = merge(rest)
    tables = table_spans(region, lines, layout.rules)
    in_table = {n: span for span in tables for n in span}
    found: list[Group] = []
    run: list[Line] = []
    for n, line in enumerate(lines):
        if n in in_table:
            found.extend(_text_groups(run, region, layout))
            run = []
            if n == in_table[n].start:
                rows = [lines[i] for i in in_table[n]]
                found.append(Group(BlockKind.TABLE, rows, region, Role.FLOAT))
        else:
            run.append(line)
    found.extend(_text_groups(run, region, layout))
    found = _around_equations(found, displayed, region)
    found.sort(key=lambda g: min(line.y for line in g.lines))
    for above, group in pairwise(found):
        group.gap = group.first.y - max(line.y for line in above.lines)
    if found:
        found[0].gap = 3 * layout.leading
    return found


def _around_equations(
    found: list[Group], displayed: list[list[Line]], region: Region
) -> list[Group]:
    """Cuts the groups in which an equation stands, and adds the equations."""
    out = list(found)
    for pieces in displayed:
        y = median(p.y for p in pieces)
        equation = Group(BlockKind.EQUATION, pieces, region, Role.FIXED)
        for i, group in enumerate(out):
            before = [line for line in group.lines if line.y < y]
            after = [line for line in group.lines if line.y >= y]
            if before and after and group.kind is not BlockKind.TABLE:
                out[i : i + 1] = [
                    Group(group.kind, before, region, group.role),
                    Group(group.kind, after, region, group.role),
                ]
                break
        out.append(equation)
    return out


def _text_groups(lines: list[Line], region: Region, layout: PageLayout) -> list[Group]:
    """Paragraphs, captions and notes among lines that are neither table nor equation."""
    if not lines:
        return []
    setting = _Setting(region, _leading(lines, layout), layout.body, _hangs(lines, region))
    listed = _numbered_in_order(lines)
    note_from = _note_start(lines, region, layout)
    found: list[Group] = []
    for n, line in enumerate(lines):
        group = found[-1] if found else None
        previous = group.last if group else None
        caption = is_caption(
            line.plain, _distinct(line, previous, setting.leading, layout)
        ) and not (previous and setting.goes_on(line, previous))
        if (
            group is None
            or caption
            or n == note_from
            or id(line) in listed
            or (group.role is Role.NOTE and _raised_mark(line))
            or setting.begins(line, group)
        ):
            kind = BlockKind.CAPTION if caption else BlockKind.PARAGRAPH
            role = Role.FLOAT if caption else Role.FLOW
            if note_from is not None and n >= note_from:
                kind, role = BlockKind.PARAGRAPH, Role.NOTE
            found.append(Group(kind, [], region, role))
        found[-1].lines.append(line)
    return found


@dataclass(frozen=True, slots=True)
class _Setting:
    """How a region's paragraphs are set: line distance, type size, whether entries hang out."""

    region: Region
    leading: float
    body: float
    hanging: bool

    def begins(self, line: Line, group: Group) -> bool:
        """Whether a line begins a new group after the given one."""
        previous = group.last
        step = line.y - previous.y
        if step > _APART * max(self.leading, line.size) or step < -0.5 * self.body:
            return True
        if abs(line.size - previous.size) > _SAME_SIZE * self.body:
            return True
        if _runs_on(previous, self.region) and not _under_a_bold_title(line, group):
            return self._is_indented(line, group)
        if abs(line.bold - previous.bold) > 0.6 and min(line.letters, previous.letters) > 2:
            return True
        numbered = NUMBER.match(line.plain)
        if min(line.bold, previous.bold) > 0.6 and not self.hanging:
            apart = step > 1.12 * self.leading
            return numbered is not None and (numbered["number"][:1].isdigit() or apart)
        if numbered and "." in numbered["number"][:-1] and NUMBER.match(previous.plain):
            return True
        if self._leaves_the_middle(line, group) or _other_face(line, previous):
            return True
        if REFERENCE_MARK.match(line.plain) or BULLET.match(line.plain):
            return line.x0 < previous.x0 - 2 or line.x0 - self.region.left < 2.2 * self.body
        return self._is_indented(line, group) or self._follows_a_short_line(line, group)

    def goes_on(self, line: Line, previous: Line) -> bool:
        """Whether a line goes on with the sentence of the line above it."""
        return (
            line.y - previous.y < 1.2 * self.leading
            and abs(line.size - previous.size) < 0.05 * line.size
            and _runs_on(previous, self.region)
        )

    def _is_indented(self, line: Line, group: Group) -> bool:
        """Whether a line is set in from the edge at which the line above it began."""
        listed = REFERENCE_MARK.match(group.first.plain) or BULLET.match(group.first.plain)
        heading = min(line.bold, group.last.bold) > 0.6  # set in under its own number
        if self.hanging or listed or heading:
            return False
        indent = (line.x0 - self.region.left) / line.size
        before = (group.last.x0 - self.region.left) / line.size
        return _INDENT < indent < 4 and before < 0.4 * _INDENT

    def _leaves_the_middle(self, line: Line, group: Group) -> bool:
        """Whether all lines so far were centred and this one is not."""
        return all(_centred(x, self.region, 2.5) for x in group.lines) and not _centred(
            line, self.region, 0.5
        )

    def _follows_a_short_line(self, line: Line, group: Group) -> bool:
        """Whether a sentence ended early in the line above, as at a paragraph's end."""
        previous = group.last
        right = self.region.right
        if len(group.lines) > 2:
            right = max(x.x1 for x in group.lines)
        return (
            right - previous.x1 > 0.35 * (self.region.right - self.region.left)
            and ends_sentence(previous.plain)
            and abs(line.x0 - previous.x0) < 0.4 * line.size
            and not line.plain[:1].islower()
        )


def _leading(lines: list[Line], layout: PageLayout) -> float:
    """The usual distance of lines in a paragraph here."""
    steps = [b.y - a.y for a, b in pairwise(lines) if 0.8 * a.size < b.y - a.y < 2.6 * a.size]
    if len(steps) < 4:
        return max(layout.leading, median(steps) if steps else 0.0)
    return median(steps)


def _hangs(lines: list[Line], region: Region) -> bool:
    """Whether most lines are set in under a first line that stands out, as in references."""
    starts = Counter(round((line.x0 - region.left) / 4) for line in lines)
    inset = sum(n for k, n in starts.items() if k >= 2)
    return inset > 0.55 * len(lines)


def _centred(line: Line, region: Region, room: float) -> bool:
    """Whether a line stands in the middle of its column with that many ems on both sides."""
    left, right = line.x0 - region.left, region.right - line.x1
    return min(left, right) > room * line.size and abs(left - right) < 1.5 * line.size


def _other_face(line: Line, previous: Line) -> bool:
    """Whether two lines are each set throughout in one font, and not in the same."""
    faces = {r.font.name for r in line.runs if r.size > 0.9 * line.size}
    before = {r.font.name for r in previous.runs if r.size > 0.9 * previous.size}
    return len(faces) == len(before) == 1 and faces != before and previous.letters > 3


def _numbered_in_order(lines: list[Line]) -> set[int]:
    """Ids of lines that begin with the numbers of a list, each one more than the last."""
    marks = []
    for line in lines:
        found = REFERENCE_MARK.match(line.plain)
        number = (found["square"] or found["plain"]) if found else ""
        if number.isdigit():
            marks.append((int(number), line))
    listed: set[int] = set()
    for (a, first), (b, second) in pairwise(marks):
        if b == a + 1 and abs(first.x0 - second.x0) < 1.5 * first.size:
            listed.update((id(first), id(second)))
    return listed


def _runs_on(line: Line, region: Region) -> bool:
    """Whether a line fills its column and ends in mid-sentence."""
    return region.right - line.x1 < 2 * line.size and not ends_sentence(line.plain)


def _under_a_bold_title(line: Line, group: Group) -> bool:
    """Whether all so far is bold and this line begins a sentence in plain type, as a section does
    below a heading that fills its column."""
    return (
        all(x.bold > 0.95 for x in group.lines)
        and line.bold < 0.05
        and (line.plain[:1].isupper() or NUMBER.match(group.first.plain) is not None)
    )


def _distinct(line: Line, previous: Line | None, leading: float, layout: PageLayout) -> bool:
    """Whether a line is set apart as a caption is: by size, face, space or a drawing above it."""
    label_bold = line.runs[0].font.bold and line.bold < 0.9
    small = line.size < 0.95 * layout.body
    slanted = line.italic > 0.8
    apart = previous is None or line.y - previous.y > 1.5 * leading
    near = any(
        0 <= line.top - d.y1 < 4 * layout.body and d.x0 < line.x1 and d.x1 > line.x0
        for d in layout.drawings
    )
    return label_bold or slanted or (small and apart) or (near and apart)


def _note_start(lines: list[Line], region: Region, layout: PageLayout) -> int | None:
    """Index of the first line of the footnotes at the end of a column, or None.

    Footnotes are smaller than the text and stand under a short rule, or begin with a raised mark.
    """
    n = len(lines)
    while n > 0 and lines[n - 1].size < 0.93 * layout.body:
        n -= 1
    if n == len(lines) or (n == 0 and lines[0].y < 0.5 * layout.page_height):
        return None
    first = lines[n]
    above = lines[n - 1].y if n else first.y - 5 * layout.body
    ruled = any(
        above < r.y0 < first.y
        and r.x1 - r.x0 < 0.7 * (region.right - region.left)
        and abs(r.x0 - region.left) < 12
        for r in layout.rules
    )
    symbol = first.plain[:1] in "∗*†‡§¶#"
    if (ruled or _raised_mark(first) or symbol) and first.y > 0.4 * layout.page_height:
        return n
    return None


def _raised_mark(line: Line) -> bool:
    """Whether a line begins with a footnote's raised number or letter."""
    head = line.runs[0]
    return head.size < 0.85 * line.size and head.y < line.y - 1 and len(head.text) <= 2
