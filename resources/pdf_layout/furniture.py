"""What a page carries besides its text: running heads, feet, page numbers and line numbers.

Rows of text are judged from the page's edge inwards. A row is furniture when it is a page number,
when the same row (digits apart) stands at the same height of other pages, when most pages have a
row set apart at that height, or when it repeats the paper's title.
"""

import re
from collections import Counter
from dataclasses import dataclass
from statistics import median

from resources.pdf_layout.glyphs import Page, Run
from resources.pdf_layout.lines import Line

_OUTER = 0.13  # of the page's height at either end where furniture may stand
_ROWS = 4  # that are looked at from an edge
_HEIGHT = 4.0  # points by which the same row may differ between pages
_APART = 1.45  # of the usual leading, from which a row is set apart from its neighbour

_DIGITS = re.compile(r"\d+")
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
    heights = [p.height for p in pages]
    leading = _leading(pieces)
    edges = [
        {top: _edge_rows(items, height, top) for top in (True, False)}
        for items, height in zip(pieces, heights, strict=True)
    ]
    drop: set[int] = set()
    for top in (True, False):
        rows = [edge[top] for edge in edges]
        repeated = Counter(
            key
            for page in rows
            for key in {(s, k) for r in page for s in r.signatures for k in _bins(r.y)}
        )
        apart = Counter(
            k
            for page in rows
            for k in {k for r in page[:1] if r.gap > _APART * leading for k in _bins(r.y)}
        )
        full = sum(1 for page in rows if page)
        for number, page in enumerate(rows):
            for i, row in enumerate(page):
                often = min(
                    max(repeated[(s, k)] for k in _bins(row.y)) for s in row.signatures
                )
                common = max(apart[k] for k in _bins(row.y))
                if (
                    (_PAGE_NUMBER.match(row.text) and (i == 0 or row.gap > leading))
                    or (often >= 2 and _has_letters_or_number(row))
                    or (i == 0 and full >= 4 and common > 0.5 * full and row.gap > _APART * leading)
                    or (
                        top
                        and number
                        and row.gap > 1.2 * leading
                        and _repeats(row.text, title_words)
                    )
                    or _SUBMITTED.match(row.text)
                ):
                    drop.update(id(p) for p in row.pieces)
                else:
                    break
    return [[p for p in items if id(p) not in drop] for items in pieces]


def _leading(pieces: list[list[Line]]) -> float:
    steps = []
    for items in pieces:
        ys = sorted({round(p.y, 1) for p in items if p.letters > 20})
        steps.extend(b - a for a, b in zip(ys, ys[1:], strict=False) if 6 < b - a < 30)
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


def _has_letters_or_number(row: _Row) -> bool:
    return bool(re.search(r"\w", row.text))


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
        rising = sum(a < b for a, b in zip(values, values[1:], strict=False))
        if len(values) >= 2 and rising >= 0.9 * (len(values) - 1):
            found.append((page, candidates))
    if sum(len(runs) for _, runs in found) < 6 or len(found) < 0.3 * len(pages):
        return
    for page, runs in found:
        drop = {id(r) for r in runs}
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
