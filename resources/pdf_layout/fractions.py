"""Fractions in a sequence of runs: what stands over a drawn bar, and what under it."""

from bisect import bisect_left
from dataclasses import dataclass

from resources.pdf_layout.glyphs import Page, Run
from resources.pdf_layout.graphics import Area

_THIN = 1.3  # points, the thickest that a fraction bar is
_SHORTEST, _LONGEST = 2.0, 320.0  # points
_REACH = 2.0  # type sizes from the bar to the nearest text over and under it


@dataclass(frozen=True, slots=True)
class Fraction:
    """Runs `start` to `bar` are the numerator, runs `bar` to `end` the denominator.

    `y` is the height of the bar on the page.
    """

    start: int
    bar: int
    end: int
    y: float


class Bars:
    """The fraction bars of a page, and whatever else is as short and thin."""

    def __init__(self, page: Page) -> None:
        self._bars = sorted(
            (a for a in page.areas if a.y1 - a.y0 < _THIN and _SHORTEST < a.x1 - a.x0 < _LONGEST),
            key=lambda a: a.y0,
        )
        self._heights = [a.y0 for a in self._bars]

    def fractions(self, runs: list[Run]) -> list[Fraction]:
        """The fractions among runs in the order of the content stream, inner ones first."""
        if not self._bars or len(runs) < 2:
            return []
        top = min(r.y - r.size for r in runs)
        bottom = max(r.y + 0.3 * r.size for r in runs)
        near = self._bars[bisect_left(self._heights, top) : bisect_left(self._heights, bottom)]
        found = [fraction for bar in near if (fraction := _fraction(bar, runs))]
        return sorted(set(found), key=lambda f: (f.end - f.start, f.start))


def _fraction(bar: Area, runs: list[Run]) -> Fraction | None:
    """The fraction that a bar makes, if the text over it is followed by text under it."""
    for n in range(1, len(runs)):
        over, under = runs[n - 1], runs[n]
        if not (_over(bar, over) and _under(bar, under)):
            continue
        if bar.y0 - over.y > _REACH * over.size or under.y - bar.y1 > _REACH * under.size:
            continue
        start, end = n - 1, n + 1
        while start > 0 and _over(bar, runs[start - 1]):
            start -= 1
        while end < len(runs) and _under(bar, runs[end]):
            end += 1
        return Fraction(start, n, end, bar.y0)
    return None


def _over(bar: Area, run: Run) -> bool:
    return _spans(bar, run) and run.y < bar.y0 + 0.1 * run.size


def _under(bar: Area, run: Run) -> bool:
    return _spans(bar, run) and run.y > bar.y1 + 0.3 * run.size


def _spans(bar: Area, run: Run) -> bool:
    return bar.x0 - 1.5 < (run.x0 + run.x1) / 2 < bar.x1 + 1.5
