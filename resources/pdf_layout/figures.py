"""Drawings on a page, and the words that belong to them rather than to the text.

Paths and images are gathered on a coarse grid into connected drawings. Their axis labels and
legends are left out of the text; a frame around prose is no drawing.
"""

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from resources.pdf_layout.classify import CAPTION, known_words
from resources.pdf_layout.glyphs import Page
from resources.pdf_layout.graphics import Area
from resources.pdf_layout.lines import Line

_CELL = 6.0  # points, the grid's pitch: nearer shapes are one drawing
_MOST_CELLS = 400  # of the grid on either side, however large the page
_MIN_SIDE = 36.0  # points, below which a drawing is a symbol in the text
_NEAR = 20.0  # points around a drawing in which its labels may stand
_LABEL_LETTERS = 45
_PROSE_LETTERS = 30
_MARK_LETTERS = 6
_TEXT_SHARE = 0.08  # of its area, from which a drawing is the frame of a table
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
    """Groups of shapes whose cells on a grid over the page touch."""
    cell = max(_CELL, page.width / _MOST_CELLS, page.height / _MOST_CELLS)
    wide, high = int(page.width / cell) + 2, int(page.height / cell) + 2
    grid: npt.NDArray[np.bool_] = np.zeros((high, wide), np.bool_)
    corners = []
    for shape in shapes:
        left, top = max(int(shape.x0 / cell), 0), max(int(shape.y0 / cell), 0)
        right, bottom = int(shape.x1 / cell), int(shape.y1 / cell)
        grid[top : bottom + 1, left : right + 1] = True
        corners.append((min(top, high - 1), min(left, wide - 1)))
    labels = _labels(grid)
    groups: dict[int, list[Area]] = {}
    for shape, corner in zip(shapes, corners, strict=True):
        groups.setdefault(int(labels[corner]), []).append(shape)
    return list(groups.values())


def _labels(grid: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
    """A number for every marked cell, the same where cells touch by an edge or a corner."""
    parent: list[int] = [0]

    def root(label: int) -> int:
        while parent[label] != label:
            parent[label] = parent[parent[label]]
            label = parent[label]
        return label

    labels: npt.NDArray[np.int32] = np.zeros(grid.shape, np.int32)
    # Where a stretch of marked cells begins or ends, row by row: ends follow beginnings.
    edges = np.argwhere(np.diff(np.pad(grid, ((0, 0), (1, 1))), axis=1)).tolist()
    before: list[tuple[int, int, int]] = []
    here: list[tuple[int, int, int]] = []
    row = -1
    for (y, start), (_, stop) in zip(edges[::2], edges[1::2], strict=True):
        if y != row:
            before = here if y == row + 1 else []
            here, row = [], y
        touching = {root(label) for a, b, label in before if a <= stop and start <= b}
        label = min(touching, default=len(parent))
        if label == len(parent):
            parent.append(label)
        for other in touching:
            parent[other] = label
        here.append((start, stop, label))
        labels[y, start:stop] = label
    return np.array([root(label) for label in range(len(parent))], np.int32)[labels]


@dataclass(frozen=True, slots=True)
class TextType:
    """The size of the paper's text in points, and the names of the fonts that it is set in."""

    size: float
    faces: frozenset[str]


def without_labels(pieces: list[Line], found: list[Drawing], text_type: TextType) -> list[Line]:
    """The pieces without the labels inside and at the edge of drawings; framed prose stays."""
    body = text_type.size
    drop: set[int] = {id(p) for p in pieces if _in_form(p) and not _is_prose(p, body)}
    for drawing in found:
        inside = [p for p in pieces if drawing.holds(p)]
        letters = sum(p.letters for p in inside)
        text = _sentences(inside, body)
        prose = sum(p.letters for p in inside if id(p) in text)
        if drawing.ruled or prose > 0.4 * letters or _filled_with_text(drawing, inside):
            continue
        drop.update(id(p) for p in inside if id(p) not in text)
        drop.update(
            id(p)
            for p in pieces
            if (drawing.holds(p, _NEAR) and _is_label(p, text_type))
            or (drawing.holds(p, _PART_LABEL_NEAR) and _PART_LABEL.match(p.plain))
        )
    return [p for p in pieces if id(p) not in drop]


def _filled_with_text(drawing: Drawing, inside: list[Line]) -> bool:
    """Whether text stands all over a drawing, as in the cells of a table, and not at its edges."""
    own = [p for p in inside if not _in_form(p)]
    area = sum((p.x1 - p.x0) * p.size for p in own)
    return len(own) >= 4 and area > _TEXT_SHARE * (drawing.x1 - drawing.x0) * (
        drawing.y1 - drawing.y0
    )


def _sentences(pieces: list[Line], body: float) -> set[int]:
    """Ids of the pieces that are prose or a caption, and of the short lines that end them."""
    text: set[int] = set()
    last: Line | None = None
    for piece in sorted(pieces, key=lambda p: (p.y, p.x0)):
        ends = (
            last is not None
            and 0 < piece.y - last.y < 1.5 * last.size
            and abs(piece.size - last.size) < 0.05 * last.size
            and abs(piece.x0 - last.x0) < 2
        )
        if not _in_form(piece) and (_is_prose(piece, body) or CAPTION.match(piece.plain) or ends):
            text.add(id(piece))
            last = piece
    return text


def _in_form(piece: Line) -> bool:
    return all(r.in_form for r in piece.runs)


def _is_prose(piece: Line, body: float) -> bool:
    return piece.letters >= _PROSE_LETTERS and abs(piece.size - body) < 0.25 * body


def _is_label(piece: Line, text_type: TextType) -> bool:
    """Whether a piece outside a drawing can only be its label: short, and not the text's type."""
    if piece.letters <= _MARK_LETTERS and "=" not in piece.plain and not known_words(piece.plain):
        return True
    if piece.letters > _LABEL_LETTERS or CAPTION.match(piece.plain):
        return False
    foreign = not any(r.font.name in text_type.faces for r in piece.runs)
    return foreign or _in_form(piece) or piece.size < 0.8 * text_type.size
