"""What a page carries besides its text: running heads, feet, page numbers and line numbers.

Rows of text are judged from the page's edge inwards. A row is furniture when it is a page number,
when the same row (digits apart) stands at the same height of other pages, when most pages have a
row set apart at that height, or when it repeats the paper's title.
"""

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from resources.pdf_layout.glyphs import Page, Run
from resources.pdf_layout.lines import Line

_OUTER = 0.13  # of the page's height at either end where furniture may stand
_ROWS = 4  # that are looked at from an edge
_HEIGHT = 4.0  # points by which the same row may differ between pages
_APART = 1.45  # of the usual leading, from which a row is set apart from its neighbour

_DIGITS = re.compile(r"(?<![\w.])\d{1,4}(?!\w|\.\d)")
_LETTERS = re.compile(r"[^\W\d_]+")
_PAGE_NUMBER = re.compile(
    r"^\W*(?:page|p\.|pg\.?)?\W*(?:\d{1,4}|[ivxl]{1,6})(?:\s*(?:/|of)\s*\d{1,4})?\W*$", re.I
)
_SUBMITTED = re.compile(r"^preprint submitted to\b", re.I)


@dataclass(slots=True)
class _Row:
    """Pieces on one baseline across the page; `gap` leads to the next row inwards, in points."""

    pieces: list[Line]
    gap: float = 0.0

    @property
    def y(self) -> float:
        return self.pieces[0].y

    @property
    def text(self) -> str:
        return " ".join(p.plain for p in self.pieces)

    @property
    def signatures(self) -> list[str]:
        return [_DIGITS.sub("#", p.plain).strip().lower() for p in self.pieces]


def without_furniture(
    pages: list[Page], pieces: list[list[Line]], title_words: list[str]
) -> list[list[Line]]:
    """The pages' pieces without running heads and feet and page numbers."""
    leading = _leading(pieces)
    drop: set[int] = set()
    for top in (True, False):
        rows = [
            _edge_rows(items, page.height, top) for items, page in zip(pieces, pages, strict=True)
        ]
        edge = _Edge(rows, leading, title_words if top else [])
        for index, page_rows in enumerate(rows):
            outermost = True
            for n, row in enumerate(page_rows):
                if (outermost and edge.is_furniture(row, n, index)) or edge.is_page_number(row, n):
                    drop.update(id(p) for p in row.pieces)
                else:
                    outermost = False
    return [[p for p in items if id(p) not in drop] for items in pieces]


class _Edge:
    """What the pages' upper, or lower, edges have in common."""

    def __init__(self, rows: list[list[_Row]], leading: float, title_words: list[str]) -> None:
        self._leading = leading
        self._title_words = title_words
        self._pages = sum(1 for page in rows if page)
        self._repeated = Counter(
            key
            for page in rows
            for key in {(s, k) for r in page for s in r.signatures for k in _bins(r.y)}
        )
        self._apart = Counter(
            k for page in rows for r in page[:1] if self._is_apart(r) for k in _bins(r.y)
        )

    def is_furniture(self, row: _Row, n: int, page: int) -> bool:
        """Whether the n-th row from the edge, all rows outside it being furniture, is such too."""
        if self._often(row) >= 2 and re.search(r"\w", row.text):
            return True
        if _SUBMITTED.match(row.text):
            return True
        usual = max(self._apart[k] for k in _bins(row.y)) > 0.5 * self._pages
        if n == 0 and self._pages >= 4 and usual and self._is_apart(row):
            return True
        repeats = page > 0 and row.gap > 1.2 * self._leading
        return repeats and _repeats(row.text, self._title_words)

    def is_page_number(self, row: _Row, n: int) -> bool:
        """Whether a row is a page number: outermost and apart, or where other pages have theirs."""
        if not _PAGE_NUMBER.match(row.text):
            return False
        return n == 0 or row.gap > self._leading or self._often(row) >= 2

    def _often(self, row: _Row) -> int:
        """On how many pages each piece of the row stands at this height, digits apart."""
        return min(max(self._repeated[(s, k)] for k in _bins(row.y)) for s in row.signatures)

    def _is_apart(self, row: _Row) -> bool:
        return row.gap > _APART * self._leading


def _leading(pieces: list[list[Line]]) -> float:
    steps: list[float] = []
    for items in pieces:
        ys = sorted({round(p.y, 1) for p in items if p.letters > 20})
        steps.extend(b - a for a, b in pairwise(ys) if 6 < b - a < 30)
    return median(steps) if steps else 12.0


def _bins(y: float) -> tuple[int, int]:
    """Two overlapping bins, so that rows less than `_HEIGHT` apart share at least one."""
    return 2 * int(y / (2 * _HEIGHT)), 2 * int((y + _HEIGHT) / (2 * _HEIGHT)) + 1


def _edge_rows(pieces: list[Line], height: float, top: bool) -> list[_Row]:
    """The outermost rows of a page, from its edge inwards."""
    ordered = sorted(pieces, key=lambda p: p.y if top else -p.y)
    rows: list[_Row] = []
    for piece in ordered:
        if rows and abs(piece.y - rows[-1].y) < 0.4 * piece.size:
            rows[-1].pieces.append(piece)
            continue
        if rows:
            rows[-1].gap = abs(piece.y - rows[-1].y)
        inside = piece.y < _OUTER * height if top else piece.y > (1 - _OUTER) * height
        if not inside or len(rows) == _ROWS:
            break
        rows.append(_Row([piece]))
    else:
        if rows:
            rows[-1].gap = height
    for row in rows:
        row.pieces.sort(key=lambda p: p.x0)
    return rows


def _repeats(text: str, title_words: list[str]) -> bool:
    """Whether a row holds the beginning of the title, as a running head does."""
    words = [w.lower() for w in _LETTERS.findall(text)]
    head = title_words[:3]
    if len(head) < 3:
        return False
    return any(words[i : i + 3] == head for i in range(len(words) - 2))


def without_line_numbers(pages: list[Page]) -> None:
    """Removes, in place, the numbers that a draft's lines carry in the margin."""
    found: list[tuple[Page, list[Run]]] = []
    for page in pages:
        candidates = _margin_numbers(page)
        values = [int(r.text) for r in candidates]
        rising = sum(a < b for a, b in pairwise(values))
        if len(values) >= 2 and rising >= 0.9 * (len(values) - 1):
            found.append((page, candidates))
    if sum(len(runs) for _, runs in found) < 6 or len(found) < 0.3 * len(pages):
        return
    sizes = {round(r.size, 1) for _, runs in found for r in runs}
    places = {round(r.x1 / 4) for _, runs in found for r in runs}
    places |= {round(r.x0 / 4) for _, runs in found for r in runs}
    for page in pages:
        drop = {
            id(r)
            for r in _margin_numbers(page)
            if round(r.size, 1) in sizes and {round(r.x1 / 4), round(r.x0 / 4)} & places
        }
        page.runs = [r for r in page.runs if id(r) not in drop]


def _margin_numbers(page: Page) -> list[Run]:
    """Numbers alone left or right of all text, in order of height."""
    starts: Counter[int] = Counter()
    ends: Counter[int] = Counter()
    for run in page.runs:
        if not run.text.isdigit() and len(run.text) > 1:
            starts[round(run.x0 / 2)] += 1
            ends[round(run.x1 / 2)] += 1
    if not starts:
        return []
    rows = max(4, len({round(r.y) for r in page.runs}) // 4)
    left = min((k for k, n in starts.items() if n >= rows), default=min(starts)) * 2
    right = max((k for k, n in ends.items() if n >= rows), default=max(ends)) * 2
    numbers = [
        r
        for r in page.runs
        if r.text.isdigit() and len(r.text) <= 4 and (r.x1 < left - 2 or r.x0 > right + 2)
    ]
    return sorted(numbers, key=lambda r: r.y)
