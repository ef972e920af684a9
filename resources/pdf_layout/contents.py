"""Lists of contents, figures and tables: rows that end in a page number; no part of the text."""

import re

from resources.pdf_layout.classify import CONTENTS_TITLE
from resources.pdf_layout.lines import Line

_LEADERS = re.compile(r"(?:\.\s?){4,}|(?:\s\.){3,}|…{2,}|(?:·\s?){4,}")
_ENDS_IN_NUMBER = re.compile(r"(?:\d{1,4}|[ivxl]{1,6})$")
_MIN_ROWS = 3
_NEAR = 5.0  # line heights from one row of a list to the next


def without_contents(pages: list[list[Line]]) -> tuple[list[list[Line]], set[int]]:
    """The pages' pieces without such lists, and the indices of pages where one was."""
    out = []
    where = set()
    goes_on = False
    for index, pieces in enumerate(pages):
        rows = _rows(pieces)
        drop, goes_on = _listed(rows, goes_on)
        if drop:
            where.add(index)
        out.append([p for p in pieces if id(p) not in drop])
    return out, where


def _rows(pieces: list[Line]) -> list[list[Line]]:
    rows: list[list[Line]] = []
    for piece in sorted(pieces, key=lambda p: (p.y, p.x0)):
        if rows and abs(rows[-1][0].y - piece.y) < 0.35 * piece.size:
            rows[-1].append(piece)
        else:
            rows.append([piece])
    for row in rows:
        row.sort(key=lambda p: p.x0)
    return rows


def _listed(rows: list[list[Line]], goes_on: bool) -> tuple[set[int], bool]:
    """Ids of the pieces of lists on one page, and whether the list may go on overleaf."""
    drop: set[int] = set()
    right = max((p.x1 for row in rows for p in row), default=0.0)
    n = 0
    inside = goes_on and bool(rows) and any(_is_entry(r, right) for r in rows[:2])
    while n < len(rows):
        if not inside:
            titled = CONTENTS_TITLE.match(" ".join(p.plain for p in rows[n]))
            led = all(_has_leaders(r) for r in rows[n : n + _MIN_ROWS])
            entries = [r for r in rows[n + 1 : n + 4] if _is_entry(r, right)]
            if (titled and entries) or (led and len(rows) - n >= _MIN_ROWS):
                inside = True
                if titled:
                    drop.update(id(p) for p in rows[n])
                    n += 1
            else:
                n += 1
            continue
        # An entry may run over several lines, of which only the last has the number.
        ahead = next(
            (k for k in range(n, min(n + 3, len(rows))) if _is_entry(rows[k], right)), None
        )
        if ahead is None or not _near(rows, n, ahead):
            inside = False
            n += 1
            continue
        for row in rows[n : ahead + 1]:
            drop.update(id(p) for p in row)
        n = ahead + 1
    return drop, inside


def _near(rows: list[list[Line]], n: int, ahead: int) -> bool:
    steps = [
        (rows[k][0].y - rows[k - 1][0].y) / rows[k][0].size for k in range(max(n, 1), ahead + 1)
    ]
    return all(step < _NEAR for step in steps) and all(step < 1.9 for step in steps[1:])


def _is_entry(row: list[Line], right: float) -> bool:
    last = row[-1]
    if not _ENDS_IN_NUMBER.search(last.plain) or right - last.x1 > 3 * last.size:
        return False
    if _has_leaders(row):
        return True
    if len(row) > 1:
        return bool(_ENDS_IN_NUMBER.fullmatch(last.plain))
    runs = last.runs
    return len(runs) > 1 and runs[-1].x0 - runs[-2].x1 > 1.0 * last.size


def _has_leaders(row: list[Line]) -> bool:
    return bool(_LEADERS.search(" ".join(p.plain for p in row)))
