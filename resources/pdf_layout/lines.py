"""Runs joined to lines: first along the content stream, then across it where lines were cut."""

from dataclasses import dataclass, field
from statistics import median

from resources.pdf_layout.glyphs import Page, Run

# A gap wider than this many ems may be a column gutter or a table's, never a word space.
GAP_EM = 1.15


@dataclass(slots=True, eq=False)
class Line:
    """Runs of one line from left to right, scripts included; `y` and `size` are the main text's."""

    page: int
    runs: list[Run]
    y: float = 0.0
    size: float = 0.0
    x0: float = 0.0
    x1: float = 0.0
    column: int = 0
    marks: dict[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.measure()

    def measure(self) -> None:
        """Recomputes baseline, size and extent from the runs."""
        weights: dict[tuple[float, float], float] = {}
        for run in self.runs:
            key = (round(run.y, 1), round(run.size, 1))
            weights[key] = weights.get(key, 0.0) + max(len(run.text), 0.5) * run.size**2
        self.y, self.size = max(weights, key=lambda k: (weights[k], -k[0]))
        self.x0 = min(r.x0 for r in self.runs)
        self.x1 = max(r.x1 for r in self.runs)

    @property
    def top(self) -> float:
        """Top of the main text's capitals."""
        return self.y - 0.75 * self.size

    @property
    def bottom(self) -> float:
        """Bottom of the main text's descenders."""
        return self.y + 0.22 * self.size

    @property
    def letters(self) -> int:
        """Number of glyphs."""
        return sum(len(r.text) for r in self.runs)

    @property
    def bold(self) -> bool:
        """Whether most of the line is bold."""
        return sum(len(r.text) for r in self.runs if r.font.bold) > 0.7 * self.letters

    @property
    def italic(self) -> bool:
        """Whether most of the line is italic."""
        return sum(len(r.text) for r in self.runs if r.font.italic) > 0.7 * self.letters

    def plain(self) -> str:
        """The glyphs with single spaces at gaps, without any mark-up: for looking at, not output."""
        out: list[str] = []
        previous: Run | None = None
        for run in self.runs:
            if previous is not None and (
                run.spaced or run.x0 - previous.x1 > 0.13 * max(run.size, previous.size)
            ):
                out.append(" ")
            out.append(run.text)
            previous = run
        return "".join(out)


def segments(page: Page) -> list[Line]:
    """Pieces of lines in the order of the content stream, cut at every wide gap."""
    pieces: list[list[Run]] = []
    current: list[Run] = []
    main: Run | None = None
    edge = 0.0
    for run in page.runs:
        if not run.text.strip():
            continue
        if main is not None and _continues(main, current[-1], edge, run):
            current.append(run)
            edge = max(edge, run.x1)
            if run.size > 1.15 * main.size or (
                run.size > 0.85 * main.size and abs(run.y - main.y) < 0.1 * main.size
            ):
                main = run
            continue
        current = [run]
        pieces.append(current)
        main, edge = run, run.x1
    return [Line(page.number, runs) for runs in pieces]


def _continues(main: Run, last: Run, edge: float, run: Run) -> bool:
    size = max(main.size, run.size)
    shift = abs(run.y - main.y)
    if shift > 0.62 * size:
        return False
    if shift > 0.05 * size and min(run.size, main.size) > 0.9 * size:
        return False
    gap = run.x0 - edge
    if gap > GAP_EM * size:
        return False
    if gap < -0.35 * size:
        # A subscript set under a superscript goes back to where its partner began.
        return (
            run.size < 0.9 * main.size
            and run.x0 > last.x0 - 0.2 * size
            and last.size < 0.9 * main.size
        )
    return True


def merge(pieces: list[Line]) -> list[Line]:
    """Lines of one column from its pieces: same baseline joined, stray scripts attached."""
    if not pieces:
        return []
    size = median(p.size for p in pieces)
    pieces = sorted(pieces, key=lambda p: (p.y, p.x0))
    rows: list[list[Line]] = []
    for piece in pieces:
        for row in reversed(rows[-6:]):
            head = row[0]
            if abs(head.y - piece.y) < 0.3 * min(head.size, piece.size) and not any(
                min(p.x1, piece.x1) - max(p.x0, piece.x0) > 0.4 * size for p in row
            ):
                row.append(piece)
                break
        else:
            rows.append([piece])
    lines = []
    for row in rows:
        row.sort(key=lambda p: p.x0)
        line = Line(row[0].page, [run for piece in row for run in piece.runs])
        lines.append(line)
    lines.sort(key=lambda p: (p.y, p.x0))
    return _attach_scripts(lines)


def _attach_scripts(lines: list[Line]) -> list[Line]:
    """Puts lines that consist of a lone script back into the line they belong to."""
    kept: list[Line] = []
    stray: list[Line] = []
    for line in lines:
        small = [o for o in lines if o is not line and _hosts(o, line)]
        (stray if small else kept).append(line)
    for script in stray:
        hosts = [o for o in kept if _hosts(o, script)]
        if not hosts:
            kept.append(script)
            continue
        host = min(hosts, key=lambda o: abs(o.y - script.y))
        at = next((i for i, r in enumerate(host.runs) if r.x0 > script.x0), len(host.runs))
        host.runs[at:at] = script.runs
        host.measure()
    kept.sort(key=lambda p: (p.y, p.x0))
    return kept


def _hosts(host: Line, script: Line) -> bool:
    return (
        script.size < 0.85 * host.size
        and script.letters <= 8
        and abs(script.y - host.y) < 0.62 * host.size
        and host.x0 - 0.5 * host.size < script.x0
        and script.x1 < host.x1 + 1.0 * host.size
    )
