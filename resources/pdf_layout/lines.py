"""Runs joined to lines: first along the content stream, then across it where lines were cut."""

import re
from dataclasses import dataclass, field
from itertools import pairwise

from resources.pdf_layout.glyphs import ACCENTS, SPACE_EM, Page, Run

# A gap wider than this many ems may be a column gutter or a table's, never a word space.
GAP_EM = 1.15
_DRAWN_RULE = re.compile(r"^[_—–―=\s-]{5,}$")  # a line of underscores or dashes
_SCRIPT_SIZE = 0.9  # of the main text, above which glyphs off the baseline are no script
_SCRIPT_SHIFT = 0.62  # of the main text's size, the farthest that a script stands off its line


@dataclass(slots=True, eq=False)
class Line:
    """Runs of one line, or of a piece of one, from left to right, scripts included.

    `y` and `size` are the main text's baseline and size; `letters` counts glyphs, `bold`,
    `italic` and `math` are shares of them; `cells` counts the pieces that wide gaps make of it,
    `order` is the place of its first run in the content stream.
    """

    page: int
    runs: list[Run]
    cells: int = 1
    order: int = 0
    y: float = field(init=False, default=0.0)
    size: float = field(init=False, default=0.0)
    x0: float = field(init=False, default=0.0)
    x1: float = field(init=False, default=0.0)
    letters: int = field(init=False, default=0)
    bold: float = field(init=False, default=0.0)
    italic: float = field(init=False, default=0.0)
    math: float = field(init=False, default=0.0)
    plain: str = field(init=False, default="")

    def __post_init__(self) -> None:
        self.measure()

    def measure(self) -> None:
        """Recomputes everything that follows from the runs."""
        weights: dict[tuple[float, float], float] = {}
        letters = bold = italic = math = 0
        for run in self.runs:
            n = len(run.text)
            letters += n
            if run.font.bold:
                bold += n
            if run.font.italic:
                italic += n
            if run.font.math:
                math += n
            if not run.font.extension:
                key = (round(run.y, 1), round(run.size, 1))
                weights[key] = weights.get(key, 0.0) + n * run.size**3
        if weights:
            self.y, self.size = max(weights, key=lambda k: (weights[k], -k[0]))
        else:
            self.y, self.size = self.runs[0].y, self.runs[0].size
        self.x0 = min(r.x0 for r in self.runs)
        self.x1 = max(r.x1 for r in self.runs)
        total = max(letters, 1)
        self.letters = letters
        self.bold, self.italic, self.math = bold / total, italic / total, math / total
        self.plain = _plain(self.runs)

    @property
    def top(self) -> float:
        """Top of the main text's capitals."""
        return self.y - 0.72 * self.size

    @property
    def bottom(self) -> float:
        """Bottom of the main text's descenders."""
        return self.y + 0.22 * self.size


def _plain(runs: list[Run]) -> str:
    """The glyphs with single spaces at gaps and no mark-up: to be looked at, not to be kept."""
    out: list[str] = []
    previous: Run | None = None
    for run in runs:
        if previous is not None and spaced(previous, run):
            out.append(" ")
        out.append(run.text)
        previous = run
    return "".join(out)


def spaced(previous: Run, run: Run) -> bool:
    """Whether there is a space between two neighbouring runs of a line."""
    gap = run.x0 - previous.x1
    size = max(run.size, previous.size)
    return gap > SPACE_EM * size or (run.spaced and gap > -0.3 * size)


def segments(page: Page) -> list[Line]:
    """Pieces of lines in the order of the content stream, cut at every wide gap."""
    pieces: list[list[Run]] = []
    current: list[Run] = []
    main: Run | None = None
    script: Run | None = None  # where the scripts after the main text begin
    edge = 0.0
    for run in page.runs:
        if not run.text or (current and _repeats(current[-1], run)):
            continue
        if main is not None and _continues(main, (script or run, current[-1]), edge, run):
            current.append(run)
            edge = max(edge, run.x1)
            if not run.font.extension and (
                main.font.extension
                or run.size > 1.15 * main.size
                or (run.size > 0.85 * main.size and abs(run.y - main.y) < 0.1 * main.size)
            ):
                main, script = run, None
            elif script is None:
                script = run
            continue
        current = [run]
        pieces.append(current)
        main, script, edge = run, None, run.x1
    lines = [Line(page.number, runs, order=n) for n, runs in enumerate(pieces)]
    return [line for line in lines if not _DRAWN_RULE.match(line.plain)]


def _repeats(last: Run, run: Run) -> bool:
    """Whether a run is the next piece of a tall bar or bracket that is built of pieces."""
    return (
        run.font.extension
        and last.font.extension
        and run.text == last.text
        and abs(run.x0 - last.x0) < 0.5
    )


def _continues(main: Run, scripts: tuple[Run, Run], edge: float, run: Run) -> bool:
    """Whether a run goes on with the piece whose main text and right edge are given.

    `scripts` are the first run after the main text and the last one.
    """
    script, last = scripts
    size = max(main.size, run.size)
    gap = run.x0 - edge
    shift = abs(run.y - main.y)
    if gap > GAP_EM * size:
        return False
    if main.font.extension or run.font.extension or run.text == "√":
        return gap > -0.5 * size and shift < 1.6 * size
    if shift > _SCRIPT_SHIFT * size:
        return False
    if run.text == "/" and -0.9 * size < gap < -0.35 * size:  # strikes a letter through
        return True
    alike = min(run.size, main.size) > _SCRIPT_SIZE * size
    if shift > 0.05 * size and alike and not (run.text in ACCENTS or last.text in ACCENTS):
        return False
    if gap < -0.35 * size:
        if run.text in ACCENTS or last.text in ACCENTS:
            return gap > -1.2 * size
        # A subscript set under a superscript goes back to where its partner began.
        small = run.size < _SCRIPT_SIZE * main.size and last.size < _SCRIPT_SIZE * main.size
        return small and run.x0 > script.x0 - 0.2 * size
    return True


def merge(pieces: list[Line]) -> list[Line]:
    """Lines of one column from its pieces: same baseline joined, stray scripts attached."""
    rows: list[list[Line]] = []
    for piece in sorted(pieces, key=lambda p: (p.y, p.x0)):
        for row in reversed(rows[-8:]):
            if _beside(row, piece):
                row.append(piece)
                break
        else:
            rows.append([piece])
    lines = []
    for row in rows:
        if len(row) == 1:
            lines.append(row[0])
            continue
        row.sort(key=lambda p: p.x0)
        cells = 1 + sum(b.x0 - a.x1 > GAP_EM * max(a.size, b.size) for a, b in pairwise(row))
        runs = [run for piece in row for run in piece.runs]
        lines.append(Line(row[0].page, runs, cells, min(piece.order for piece in row)))
    lines.sort(key=lambda p: (p.y, p.x0))
    return _attach_strays(lines)


def _beside(row: list[Line], piece: Line) -> bool:
    """Whether a piece stands on a row's baseline without covering any of it."""
    head = row[0]
    return abs(head.y - piece.y) < 0.3 * min(head.size, piece.size) and not any(
        min(p.x1, piece.x1) - max(p.x0, piece.x0) > 0.4 * piece.size for p in row
    )


def _attach_strays(lines: list[Line]) -> list[Line]:
    """Puts scripts and parts of fractions that stand alone back into the line they belong to."""
    hosts: dict[int, Line] = {}
    for i, line in enumerate(lines):
        near = [o for o in lines[max(0, i - 6) : i + 7] if o is not line and _hosts(o, line)]
        if near:
            hosts[i] = min(near, key=lambda o: abs(o.y - line.y))
    stray = {id(lines[i]) for i in hosts}
    kept = [line for line in lines if id(line) not in stray]
    for i, host in hosts.items():
        part = lines[i]
        if id(host) in stray:
            kept.append(part)
            continue
        at = next((n for n, r in enumerate(host.runs) if r.x0 > part.x0), len(host.runs))
        host.runs[at:at] = part.runs
        host.measure()
    kept.sort(key=lambda p: (p.y, p.x0))
    return kept


def _hosts(host: Line, part: Line) -> bool:
    """Whether a short line is a script, numerator or denominator within another line."""
    if part.letters > 12 or 3 * part.letters > host.letters:
        return False
    distance = abs(part.y - host.y)
    reach = _SCRIPT_SHIFT if part.size > 0.65 * host.size else 0.95
    script = part.size < 0.85 * host.size and distance < reach * host.size
    prime = part.letters == 1 and not part.plain.isalnum() and distance < 0.5 * host.size
    fraction = distance < 0.95 * host.size and part.math + part.italic > 0.3
    within = part.x1 > host.x0 - 0.6 * host.size and part.x0 < host.x1 + 0.6 * host.size
    if not within or not (script or prime or fraction):
        return False
    covered = sum(max(0.0, min(r.x1, part.x1) - max(r.x0, part.x0)) for r in host.runs)
    return script or covered < 0.4 * (part.x1 - part.x0)
