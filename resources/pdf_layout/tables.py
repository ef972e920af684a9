"""Stretches of a column that are tables: between rules, or rows of aligned cells."""

from collections import Counter
from itertools import pairwise

from resources.pdf_layout.classify import (
    BULLET,
    CAPTION,
    EQUATION_NUMBER,
    NUMBER,
    REFERENCE_MARK,
    TABLE_CAPTION,
    known_words,
)
from resources.pdf_layout.columns import Region
from resources.pdf_layout.graphics import Area
from resources.pdf_layout.lines import Line

_SAME_EDGE = 5.0  # points by which rules of one table, or cells of one column, may differ
_MIN_ROWS = 3
_HEAD_ROWS = 3


def table_spans(region: Region, lines: list[Line], rules: list[Area]) -> list[range]:
    """Index ranges of the lines that are tables, from top to bottom."""
    spans = _merged([*_ruled(region, lines, rules), *_aligned(lines)])
    return [s for s in (_trimmed(s, lines) for s in spans) if len(s) > 0]


def _ruled(region: Region, lines: list[Line], rules: list[Area]) -> list[range]:
    own = sorted(
        (
            r
            for r in _joined(rules)
            if r.x1 > region.left
            and r.x0 < region.right
            and r.x0 > region.left - 60
            and r.x1 < region.right + 60
            and r.x1 - r.x0 > 40
        ),
        key=lambda r: (r.y0, r.x0),
    )
    pairs: list[tuple[range, bool]] = []
    for i, upper in enumerate(own):
        lower = next((r for r in own[i + 1 :] if _pairs(upper, r)), None)
        inside = [n for n, line in enumerate(lines) if lower and upper.y0 < line.y < lower.y1 + 1]
        if inside:
            cells = _tabular([lines[n] for n in inside], upper.x1 - upper.x0)
            pairs.append((range(inside[0], inside[-1] + 1), cells))
    spans = [span for span, cells in pairs if cells]
    # A head or a foot of a line or two needs no cells of its own.
    spans += [
        span
        for span, cells in pairs
        if not cells
        and len(span) <= _HEAD_ROWS
        and any(span.stop == s.start or span.start == s.stop for s in spans)
    ]
    return spans


def _pairs(upper: Area, lower: Area) -> bool:
    """Whether two rules are as long, below one another, so that they may enclose a table."""
    return (
        abs(lower.x0 - upper.x0) < _SAME_EDGE
        and abs(lower.x1 - upper.x1) < _SAME_EDGE
        and lower.y0 > upper.y1 + 2
    )


def _joined(rules: list[Area]) -> list[Area]:
    """Rules that are drawn cell by cell, put together."""
    out: list[Area] = []
    for rule in sorted(rules, key=lambda r: (round(r.y0), r.x0)):
        last = out[-1] if out else None
        if last and abs(last.y0 - rule.y0) < 1.5 and rule.x0 - last.x1 < 4:
            out[-1] = Area("rule", last.x0, last.y0, max(last.x1, rule.x1), last.y1)
        else:
            out.append(rule)
    return out


def _tabular(lines: list[Line], width: float) -> bool:
    """Whether lines between two rules are cells rather than a framed paragraph or a whole page."""
    split = sum(1 for line in lines if line.cells > 1)
    full = sum(1 for line in lines if line.cells == 1 and line.x1 - line.x0 > 0.85 * width)
    if not split:
        return False
    return len(lines) == 1 or (
        split + 0.3 * (len(lines) - full - split) >= 0.3 * len(lines) and (full < 0.5 * len(lines))
    )


def _aligned(lines: list[Line]) -> list[range]:
    """Runs of rows of which most have several cells that begin, or end, at the same places."""
    spans = []
    start: int | None = None
    for i, line in enumerate([*lines, None]):
        row = line is not None and _is_row(line)
        near = (
            start is not None
            and line is not None
            and i > 0
            and line.y - lines[i - 1].y < 2.4 * line.size
        )
        if row and (start is None or near):
            start = i if start is None else start
        elif start is not None:
            if i - start >= _MIN_ROWS and _columns_agree(lines[start:i]):
                spans.append(range(start, i))
            start = i if row else None
    return spans


def _is_row(line: Line) -> bool:
    if line.cells < 2 or EQUATION_NUMBER.match(line.plain.rsplit(" ", 1)[-1]):
        return False
    labelled = (
        NUMBER.match(line.plain) or BULLET.match(line.plain) or REFERENCE_MARK.match(line.plain)
    )
    return line.cells > 2 or not labelled


def _columns_agree(rows: list[Line]) -> bool:
    places: Counter[int] = Counter()
    for row in rows:
        edges = set()
        for a, b in pairwise(row.runs):
            if b.x0 - a.x1 > row.size:
                edges.update({round(b.x0 / _SAME_EDGE), round(a.x1 / _SAME_EDGE) + 1000})
        places.update(edges)
    shared = places.most_common(1)
    return bool(shared) and shared[0][1] >= 0.6 * len(rows)


def _merged(spans: list[range]) -> list[range]:
    out: list[range] = []
    for span in sorted(spans, key=lambda s: (s.start, s.stop)):
        if out and span.start <= out[-1].stop:
            out[-1] = range(out[-1].start, max(out[-1].stop, span.stop))
        else:
            out.append(span)
    return out


def _trimmed(span: range, lines: list[Line]) -> range:
    """The span without a caption or a sentence at either end."""
    start, stop = span.start, span.stop
    while start < stop and (
        (TABLE_CAPTION.match(lines[start].plain) and lines[start].cells == 1)
        or CAPTION.match(lines[start].plain)
    ):
        start += 1
        while start < stop and lines[start].cells == 1 and known_words(lines[start].plain) > 6:
            start += 1
    return range(start, stop)
