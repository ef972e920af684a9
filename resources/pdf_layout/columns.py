"""Columns of a page and the order in which its parts are read."""

from collections import Counter
from dataclasses import dataclass

from resources.pdf_layout.lines import Line


@dataclass(frozen=True, slots=True)
class Region:
    """Pieces of lines that are read top to bottom; `column` is 0 for the full width, else 1, 2."""

    column: int
    pieces: list[Line]


def gutter(pages: list[list[Line]], width: float) -> float | None:
    """The x of the gutter that most pages share, or None for a single column."""
    votes: Counter[int] = Counter()
    for pieces in pages:
        x = page_gutter(pieces, width)
        if x is not None:
            votes[round(x / 6)] += 1
    if not votes:
        return None
    best, count = votes.most_common(1)[0]
    return best * 6.0 if count >= 0.3 * len(pages) else None


def page_gutter(pieces: list[Line], width: float) -> float | None:
    """Middle of the empty strip that runs between two columns of text, or None."""
    lo, hi = int(0.3 * width), int(0.7 * width)
    cover = [0.0] * (int(width) + 2)
    for piece in pieces:
        if piece.letters < 3:
            continue
        a, b = max(int(piece.x0), 0), min(int(piece.x1) + 1, int(width))
        for x in range(a, b + 1):
            cover[x] += 1
    total = sum(1 for p in pieces if p.letters >= 3)
    if total < 12:
        return None
    floor = min(cover[lo:hi])
    left = sum(1 for p in pieces if p.letters >= 12 and p.x1 < 0.56 * width)
    right = sum(1 for p in pieces if p.letters >= 12 and p.x0 > 0.44 * width)
    if min(left, right) < 0.12 * total or floor > 0.25 * total:
        return None
    best: tuple[int, int] | None = None
    start = None
    for x in range(lo, hi + 1):
        if x < hi and cover[x] <= floor:
            start = x if start is None else start
        elif start is not None:
            if best is None or x - start > best[1] - best[0]:
                best = (start, x)
            start = None
    return (best[0] + best[1]) / 2 if best and best[1] - best[0] >= 5 else None


def regions(pieces: list[Line], x: float | None) -> list[Region]:
    """The page's pieces in reading order, given the gutter's x."""
    if x is None:
        return [Region(0, pieces)]
    ordered = sorted(pieces, key=lambda p: (p.top, p.x0))
    crossing = [p for p in ordered if p.x0 < x - 3 and p.x1 > x + 3]
    if sum(p.letters for p in crossing) > 0.6 * sum(p.letters for p in ordered):
        return [Region(0, ordered)]
    out: list[Region] = []
    band: list[Line] = []

    def close() -> None:
        if band:
            left = [p for p in band if (p.x0 + p.x1) / 2 < x]
            right = [p for p in band if (p.x0 + p.x1) / 2 >= x]
            out.extend(Region(c, part) for c, part in ((1, left), (2, right)) if part)
            band.clear()

    wide: list[Line] = []
    for piece in ordered:
        if piece in crossing:
            close()
            wide.append(piece)
        elif wide and any(abs(piece.y - w.y) < 0.6 * w.size for w in wide[-3:]):
            wide.append(piece)
        else:
            if wide:
                out.append(Region(0, wide))
                wide = []
            band.append(piece)
    if wide:
        close()
        out.append(Region(0, wide))
    close()
    return out
