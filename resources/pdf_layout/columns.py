"""Columns of a page and the order in which its parts are read."""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from resources.pdf_layout.graphics import Area
from resources.pdf_layout.lines import Line

_PROSE_LETTERS = 20  # from which a piece of a line says something about columns
_MIN_LINES = 5  # of prose on either side of a gutter
_WIDEST = 15_000.0  # points, more than any PDF page should have
_MIN_GUTTER = 6.0  # points
_MIN_COLUMN = 0.18  # of the page's width
_CROSSING_SHARE = 0.25  # of prose lines over a gutter, up to which it still is one
_MARGIN = 3.0  # points by which a piece must reach over the gutter's middle to cross it


@dataclass(frozen=True, slots=True)
class Region:
    """Pieces of lines that are read top to bottom; `column` is 0 for the full width, else from 1.

    `left` and `right` are the edges of the text block or column it belongs to.
    """

    page: int
    column: int
    pieces: list[Line]
    left: float
    right: float


def shared_gutters(pages: list[list[Line]], width: float) -> list[float]:
    """The x of every gutter that a fair share of the pages have, from left to right."""
    votes: Counter[int] = Counter()
    for pieces in pages:
        votes.update({round(x / 8) for x in page_gutters(pieces, width)})
    wanted = max(1.0, 0.2 * sum(1 for p in pages if len(p) > 2 * _MIN_LINES))
    found: list[float] = []
    for place, _ in sorted(votes.items(), key=lambda item: (-item[1], item[0])):
        together = votes[place - 1] + votes[place] + votes[place + 1]
        if together >= wanted and all(abs(place * 8 - x) > _MIN_COLUMN * width for x in found):
            found.append(place * 8.0)
    return sorted(found)


def page_gutters(pieces: list[Line], width: float) -> list[float]:
    """Middles of the strips between columns of prose on one page."""
    prose = [p for p in pieces if p.letters >= _PROSE_LETTERS]
    if len(prose) < 2 * _MIN_LINES or width > _WIDEST:
        return []
    cover = [0] * (int(width) + 3)
    for piece in prose:
        # A page may be wider than most, and a line may run off its own.
        cover[min(max(int(piece.x0), 0), len(cover) - 1)] += 1
        cover[min(max(int(piece.x1) + 1, 0), len(cover) - 1)] -= 1
    level = 0
    for x, step in enumerate(cover):
        level += step
        cover[x] = level
    gutters = []
    start = None
    lowest = _CROSSING_SHARE * len(prose)
    for x in range(int(_MIN_COLUMN * width), int((1 - _MIN_COLUMN) * width) + 1):
        if cover[x] <= lowest:
            start = x if start is None else start
        elif start is not None:
            gutters.append((start, x))
            start = None
    found = []
    for first, last in gutters:
        floor = min(cover[first:last])
        inner = [x for x in range(first, last) if cover[x] == floor]
        a, b = inner[0], inner[-1] + 1
        middle = (a + b) / 2
        left = [p for p in prose if p.x1 <= middle + _MARGIN and p.x1 > a - 0.25 * width]
        right = [p for p in prose if p.x0 >= middle - _MARGIN and p.x0 < b + 0.25 * width]
        if (
            b - a >= _MIN_GUTTER
            and min(len(left), len(right)) >= _MIN_LINES
            and _flush(left, right)
        ):
            found.append(middle)
    return found


def _flush(left: list[Line], right: list[Line]) -> bool:
    """Whether lines end together before the gutter or begin together after it, as in columns."""
    begins = Counter(round(p.x0 / 3) for p in right).most_common(1)[0][1]
    ends = Counter(round(p.x1 / 3) for p in left).most_common(1)[0][1]
    wide = sum(p.x1 - p.x0 for p in left) / len(left)
    return begins >= 0.3 * len(right) and (ends >= 0.3 * len(left) or wide > 150)


def split_at(pieces: list[Line], gutters: list[float]) -> list[Line]:
    """The pieces, those cut in two that run over a gutter with a gap just there."""
    out: list[Line] = []
    for piece in pieces:
        at = None
        for a, b in pairwise(piece.runs):
            gap = b.x0 - a.x1
            if gap > 0.7 * piece.size and any(a.x1 - 1 < x < b.x0 + 1 for x in gutters):
                at = piece.runs.index(b)
        if at is None:
            out.append(piece)
        else:
            out.append(Line(piece.page, piece.runs[:at]))
            out.append(Line(piece.page, piece.runs[at:]))
    return out


def regions(pieces: list[Line], gutters: list[float], rules: list[Area], page: int) -> list[Region]:
    """The page's pieces in reading order, given the document's gutters."""
    if not pieces:
        return []
    pieces = sorted(pieces, key=lambda p: (p.top, p.x0))
    used = [x for x in gutters if _divides(pieces, x)]
    if not used:
        left, right = _edges(pieces)
        return [Region(page, 0, pieces, left, right)]
    pieces = sorted(split_at(pieces, used), key=lambda p: (p.top, p.x0))
    wide = _wide_pieces(pieces, used, _wide_zones(pieces, used, rules))
    out: list[Region] = []
    band: list[Line] = []
    full: list[Line] = []
    for piece in pieces:
        if id(piece) in wide:
            out.extend(_columns(band, used, page))
            band = []
            full.append(piece)
        else:
            if full:
                out.append(Region(page, 0, full, *_edges(full)))
                full = []
            band.append(piece)
    out.extend(_columns(band, used, page))
    if full:
        out.append(Region(page, 0, full, *_edges(full)))
    return out


def _divides(pieces: list[Line], x: float) -> bool:
    """Whether a gutter of the document is one on this page, or on a part of it."""
    crossing = sum(p.letters for p in pieces if _crosses(p, x))
    if crossing < 0.6 * sum(p.letters for p in pieces):
        return True
    prose = [p for p in pieces if p.letters >= _PROSE_LETTERS and not _crosses(p, x)]
    left = [p for p in prose if x - 30 < p.x1 <= x + _MARGIN]
    right = [p for p in prose if x - _MARGIN <= p.x0 < x + 30]
    beside = sum(1 for p in left if any(abs(p.y - q.y) < 8 for q in right))
    return beside >= _MIN_LINES


def _crosses(piece: Line, x: float) -> bool:
    return piece.x0 < x - _MARGIN and piece.x1 > x + _MARGIN


def _edges(pieces: list[Line]) -> tuple[float, float]:
    """Left and right edge of the text that most of the longer pieces share."""
    long = [p for p in pieces if p.letters >= _PROSE_LETTERS] or pieces
    starts = Counter(round(p.x0 / 2) for p in long)
    ends = Counter(round(p.x1 / 2) for p in long)
    # Indented lines are fewer than full ones, short last lines end anywhere.
    left = min(starts, key=lambda k: (-starts[k] - starts[k - 1] - starts[k + 1], k))
    right = max(ends, key=lambda k: (ends[k] + ends[k - 1] + ends[k + 1], k))
    return (
        min(p.x0 for p in long if abs(round(p.x0 / 2) - left) <= 1),
        max(p.x1 for p in long if abs(round(p.x1 / 2) - right) <= 1),
    )


def _columns(band: list[Line], gutters: list[float], page: int) -> list[Region]:
    bounds = [float("-inf"), *gutters, float("inf")]
    out = []
    for number, (a, b) in enumerate(pairwise(bounds), 1):
        part = [p for p in band if a <= (p.x0 + p.x1) / 2 < b]
        if part:
            out.append(Region(page, number, part, *_edges(part)))
    return out


def _wide_zones(
    pieces: list[Line], gutters: list[float], rules: list[Area]
) -> list[tuple[float, float]]:
    """Stretches of the page between rules over the full width that hold no columns of prose."""
    x = gutters[len(gutters) // 2]
    over = sorted((r for r in rules if r.x0 < x - 40 and r.x1 > x + 40), key=lambda r: (r.y0, r.x0))
    zones: list[tuple[float, float]] = []
    for upper, lower in pairwise(over):
        if abs(upper.x0 - lower.x0) > 6 or abs(upper.x1 - lower.x1) > 6:
            continue
        inside = [p for p in pieces if upper.y0 < p.y < lower.y1 + 1]
        prose = sum(1 for p in inside if p.letters >= 2 * _PROSE_LETTERS and not _crosses(p, x))
        if inside and prose <= 0.3 * len(inside):
            zones.append((upper.y0, lower.y1))
    return zones


def _wide_pieces(
    pieces: list[Line], gutters: list[float], zones: list[tuple[float, float]]
) -> set[int]:
    """Ids of pieces over the full width: what crosses a gutter, or belongs to what does."""
    wide = [p for p in pieces if any(_crosses(p, x) for x in gutters)]
    found = {id(p) for p in wide}
    for piece in pieces:
        if id(piece) in found:
            continue
        in_zone = any(a < piece.y < b for a, b in zones)
        beside = any(
            abs(piece.y - w.y) < 0.6 * max(w.size, piece.size) and not _same_span(w, piece)
            for w in wide
        )
        if in_zone or beside or _ends_wide_paragraph(piece, wide, pieces):
            found.add(id(piece))
    return found


def _same_span(a: Line, b: Line) -> bool:
    return min(a.x1, b.x1) - max(a.x0, b.x0) > 0.3 * min(a.x1 - a.x0, b.x1 - b.x0)


def _ends_wide_paragraph(piece: Line, wide: list[Line], pieces: list[Line]) -> bool:
    """Whether a short line is the last of a full-width paragraph that stands above it."""
    above = [
        w
        for w in wide
        if 0.8 * w.size < piece.y - w.y < 1.6 * w.size
        and abs(w.size - piece.size) < 0.06 * w.size
        and abs(w.x0 - piece.x0) < 2.5 * w.size
    ]
    if not above:
        return False
    step = piece.y - above[0].y
    # In a column, more lines would follow at the same distance, or stand beside it.
    return not any(
        o is not piece
        and (
            abs(o.y - piece.y) < 0.3 * piece.size
            or (0.5 * step < o.y - piece.y < 1.25 * step and o.x0 < piece.x1 and o.x1 > piece.x0)
        )
        for o in pieces
    )
