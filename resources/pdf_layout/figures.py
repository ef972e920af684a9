"""Drawings on a page, and the words that belong to them rather than to the text.

Paths and images are gathered on a coarse grid into connected drawings. Their axis labels and
legends are left out of the text; a frame around prose is no drawing.
"""

import re
from collections import deque
from dataclasses import dataclass
from itertools import product

from resources.pdf_layout.glyphs import Page
from resources.pdf_layout.graphics import Area
from resources.pdf_layout.lines import Line

_CELL = 6.0  # points, the grid's pitch: nearer shapes are one drawing
_MIN_SIDE = 36.0  # points, below which a drawing is a symbol in the text
_NEAR = 14.0  # points around a drawing in which its labels may stand
_LABEL_LETTERS = 45
_PROSE_LETTERS = 30
_PART_LABEL = re.compile(r"^\(?[a-h]\)$")
_PART_LABEL_NEAR = 34.0


@dataclass(frozen=True, slots=True)
class Drawing:
    """The extent of a connected drawing; `ruled` where nothing but straight lines makes it."""

    x0: float
    y0: float
    x1: float
    y1: float
    ruled: bool

    def holds(self, line: Line, margin: float = 0.0) -> bool:
        """Whether the middle of a line lies in the drawing, or as near to it as `margin`."""
        x, y = (line.x0 + line.x1) / 2, line.y - 0.3 * line.size
        return self.x0 - margin < x < self.x1 + margin and self.y0 - margin < y < self.y1 + margin


def drawings(page: Page) -> list[Drawing]:
    """The drawings of a page, top to bottom."""
    whole = 0.8 * page.width * page.height
    shapes = [
        a for a in page.areas if (a.x1 - a.x0) * (a.y1 - a.y0) < whole and a.x1 > 0 and a.y1 > 0
    ]
    blocks = [a for a in shapes if a.kind in {"image", "form"}]
    strokes = [a for a in shapes if a.kind not in {"image", "form"}]
    found = [Drawing(a.x0, a.y0, a.x1, a.y1, False) for a in blocks if _large(a)]
    for group in _connected(strokes, page):
        x0, y0 = min(a.x0 for a in group), min(a.y0 for a in group)
        x1, y1 = max(a.x1 for a in group), max(a.y1 for a in group)
        ruled = all(a.kind in {"rule", "upright"} for a in group)
        if x1 - x0 > _MIN_SIDE and y1 - y0 > _MIN_SIDE:
            found.append(Drawing(x0, y0, x1, y1, ruled))
    return sorted(found, key=lambda d: (d.y0, d.x0))


def _large(area: Area) -> bool:
    return area.x1 - area.x0 > _MIN_SIDE and area.y1 - area.y0 > _MIN_SIDE


def _connected(shapes: list[Area], page: Page) -> list[list[Area]]:
    """Groups of shapes whose grid cells touch."""
    wide, high = int(page.width / _CELL) + 1, int(page.height / _CELL) + 1
    cells: dict[tuple[int, int], list[int]] = {}
    for number, shape in enumerate(shapes):
        columns = range(max(int(shape.x0 / _CELL), 0), min(int(shape.x1 / _CELL), wide) + 1)
        rows = range(max(int(shape.y0 / _CELL), 0), min(int(shape.y1 / _CELL), high) + 1)
        for cell in product(columns, rows):
            cells.setdefault(cell, []).append(number)
    groups = []
    waiting = set(cells)
    while waiting:
        queue = deque([waiting.pop()])
        members: set[int] = set()
        while queue:
            x, y = queue.popleft()
            members.update(cells[(x, y)])
            for cell in product((x - 1, x, x + 1), (y - 1, y, y + 1)):
                if cell in waiting:
                    waiting.remove(cell)
                    queue.append(cell)
        groups.append([shapes[i] for i in sorted(members)])
    return groups


def without_labels(pieces: list[Line], page: Page, found: list[Drawing], body: float) -> list[Line]:
    """The pieces without those inside, or at the edge of, a drawing that is not a frame of prose."""
    drop: set[int] = {id(p) for p in pieces if _in_form(p) and not _is_prose(p, body)}
    for drawing in found:
        inside = [p for p in pieces if drawing.holds(p)]
        letters = sum(p.letters for p in inside)
        prose = sum(p.letters for p in inside if _is_prose(p, body))
        if drawing.ruled or prose > 0.4 * letters:
            continue
        drop.update(id(p) for p in inside)
        drop.update(id(p) for p in pieces if drawing.holds(p, _NEAR) and _is_label(p, body))
    return [p for p in pieces if id(p) not in drop]


def _in_form(piece: Line) -> bool:
    return all(r.in_form for r in piece.runs)


def _is_prose(piece: Line, body: float) -> bool:
    return piece.letters >= _PROSE_LETTERS and abs(piece.size - body) < 0.25 * body


def _is_label(piece: Line, body: float) -> bool:
    """Whether a piece outside a drawing can only be its label: short, and not the text's type."""
    return piece.letters <= _LABEL_LETTERS and (piece.size < 0.8 * body or _in_form(piece))
