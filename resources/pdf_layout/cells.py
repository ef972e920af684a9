"""Rows of a table as cells; what a cell's text broke off goes on in the lines below it."""

from bisect import bisect_left
from dataclasses import dataclass

from resources.pdf_layout.lines import GAP_EM, Line

_NEAR = 1.4  # type sizes from one line of a cell to its next
_COLUMN_GAP = 0.5  # ems between two columns, where the rows leave a corridor
_CROSSING = 0.12  # of the rows, that may run over a corridor
_WIDEST = 15_000  # points, more than any PDF page should have
_ALIGNED = 1.0  # ems by which the lines of one cell may begin apart


@dataclass(slots=True)
class Cell:
    """One cell: the pieces of lines that are its text, from top to bottom."""

    parts: list[Line]

    @property
    def x0(self) -> float:
        """Left edge of the first line."""
        return self.parts[0].x0

    @property
    def x1(self) -> float:
        """Right edge over all lines."""
        return max(part.x1 for part in self.parts)


def rows_of(lines: list[Line]) -> list[list[Cell]]:
    """The rows that the lines of a table make."""
    corridors = _corridors(lines)
    rows: list[list[Cell]] = []
    for line in lines:
        cells = _cells(line, corridors)
        targets = _continued(rows[-1], cells) if rows else None
        if targets is None:
            rows.append(cells)
            continue
        for target, cell in zip(targets, cells, strict=True):
            target.parts.extend(cell.parts)
    return rows


def _corridors(lines: list[Line]) -> list[int]:
    """Places, in points, that nearly all rows leave empty: they part the columns."""
    right = int(max(line.x1 for line in lines)) + 2
    if right > _WIDEST:
        return []
    cover = [0] * (right + 1)
    for line in lines:
        for x in {x for run in line.runs for x in range(max(int(run.x0), 0), int(run.x1) + 1)}:
            cover[min(x, right)] += 1
    few = _CROSSING * len(lines)
    return [x for x, count in enumerate(cover) if count <= few]


def _cells(line: Line, corridors: list[int]) -> list[Cell]:
    starts = [0]
    for n, run in enumerate(line.runs[1:], 1):
        before = line.runs[n - 1]
        size = max(before.size, run.size)
        gap = run.x0 - before.x1
        if gap > GAP_EM * size or (
            gap > _COLUMN_GAP * size and _between(corridors, before.x1, run.x0)
        ):
            starts.append(n)
    if len(starts) == 1:
        return [Cell([line])]
    bounds = zip(starts, [*starts[1:], len(line.runs)], strict=True)
    return [Cell([Line(line.page, line.runs[a:b])]) for a, b in bounds]


def _between(corridors: list[int], left: float, right: float) -> bool:
    at = bisect_left(corridors, left)
    return at < len(corridors) and corridors[at] < right


def _continued(row: list[Cell], cells: list[Cell]) -> list[Cell] | None:
    """The cells of a row that these cells go on, or None where they begin a row of their own.

    A row leaves most of its columns empty, the first one among them, only where cells go on.
    """
    first = cells[0].parts[0]
    last = max((cell.parts[-1] for cell in row), key=lambda part: part.y)
    if len(row) < 2 or len(cells) > len(row) // 2 or first.page != last.page:
        return None
    if not 0 < first.y - last.y < _NEAR * first.size or first.x0 < row[0].x1:
        return None
    targets = []
    for cell in cells:
        over = [c for c in row if abs(c.x0 - cell.x0) < _ALIGNED * first.size]
        over = over or [c for c in row if c.x0 - 2 < cell.x0 and cell.x1 < c.x1 + 2]
        if len(over) != 1:
            return None
        targets.append(over[0])
    return targets
