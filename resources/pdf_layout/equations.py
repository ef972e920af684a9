"""Displayed equations: stretches of a column set in from its edge and made of mathematics."""

import re
from dataclasses import dataclass

from resources.pdf_layout.classify import EQUATION_NUMBER
from resources.pdf_layout.columns import Region
from resources.pdf_layout.lines import Line

_FUNCTIONS = frozenset(
    "sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan exp log ln det arg max min "
    "lim sup inf dim erf erfc sgn diag mod gcd ker tr Tr Re Im const eff tot ref rms cm mm nm km "
    "GeV TeV MeV keV kHz MHz GHz for and with where all if".split()
)
_WORD = re.compile(r"(?<![^\W\d_])[A-Za-z][a-z]{2,}(?![^\W\d_])")
_RELATION = re.compile(r"[=≈≃≅≡∼~<>≤≥≲≳≪≫∝→⇒±≠∈+×∫∑∏√|]")
_OPERATOR = re.compile(r"[=≈≃≅≡∼<>≤≥≲≳≪≫∝→⇒≠]")


@dataclass(frozen=True, slots=True)
class Band:
    """Pieces whose lines overlap in height: one line of prose, or one row of a formula."""

    pieces: list[Line]

    @property
    def top(self) -> float:
        """Upper edge in points."""
        return min(p.y - 0.7 * p.size for p in self.pieces)

    @property
    def bottom(self) -> float:
        """Lower edge in points."""
        return max(p.y + 0.15 * p.size for p in self.pieces)


def split_equations(region: Region) -> tuple[list[list[Line]], list[Line]]:
    """The region's displayed equations, each as its pieces in content order, and the rest."""
    bands = _bands(region.pieces)
    marks = _with_parts(bands, [_is_display(b, region) for b in bands], region)
    equations: list[list[Band]] = []
    rest: list[Line] = []
    previous: Band | None = None
    for band, mark in zip(bands, marks, strict=True):
        if not mark:
            rest.extend(band.pieces)
            previous = None
            continue
        if previous is not None and _same_formula(equations[-1], band):
            equations[-1].append(band)
        else:
            equations.append([band])
        previous = band
    kept: list[list[Line]] = []
    for group in equations:
        pieces = [p for band in group for p in band.pieces]
        if _has_relation(pieces):
            numbers = {id(p) for p in pieces if EQUATION_NUMBER.match(p.plain)}
            kept.append(sorted(pieces, key=lambda p: (id(p) in numbers, p.order)))
        else:
            rest.extend(pieces)
    return kept, rest


def _with_parts(bands: list[Band], marks: list[bool], region: Region) -> list[bool]:
    """Marks also the limits, scripts and denominators that touch a formula from above or below."""
    out = list(marks)
    for n, band in enumerate(bands):
        if marks[n] or not _is_part(band, region):
            continue
        size = max(p.size for p in band.pieces)
        above = n > 0 and marks[n - 1] and band.top - bands[n - 1].bottom < 0.5 * size
        below = (
            n + 1 < len(bands) and marks[n + 1] and bands[n + 1].top - band.bottom < 0.5 * size
        )
        out[n] = above or below
    return out


def _is_part(band: Band, region: Region) -> bool:
    size = max(p.size for p in band.pieces)
    return (
        sum(p.letters for p in band.pieces) <= 24
        and sum(_prose_letters(p) for p in band.pieces) <= 6
        and min(p.x0 for p in band.pieces) - region.left > 0.9 * size
    )


def _bands(pieces: list[Line]) -> list[Band]:
    bands: list[Band] = []
    bottom = float("-inf")
    for piece in sorted(pieces, key=lambda p: p.y - 0.62 * p.size):
        top = piece.y - 0.62 * piece.size
        if bands and top < bottom:
            bands[-1].pieces.append(piece)
        else:
            bands.append(Band([piece]))
            bottom = float("-inf")
        bottom = max(bottom, piece.y + 0.1 * piece.size)
    return bands


def _is_display(band: Band, region: Region) -> bool:
    numbers = [p for p in band.pieces if EQUATION_NUMBER.match(p.plain)]
    body = [p for p in band.pieces if not EQUATION_NUMBER.match(p.plain)]
    if not body:
        return bool(numbers) and len(band.pieces) == 1 and numbers[0].x1 > region.right - 12
    size = max(p.size for p in body)
    inset = min(p.x0 for p in body) - region.left
    if inset < 0.9 * size and not numbers:
        return False
    letters = sum(p.letters for p in body)
    prose = sum(_prose_letters(p) for p in body)
    math = sum(_math_letters(p) for p in body)
    text = " ".join(p.plain for p in body)
    if not (math >= 1 or _RELATION.search(text)):
        return False
    if prose > (0.5 if numbers else 0.3) * letters:
        return False
    return math + sum(text.count(c) for c in "=+-−×/()") >= 0.15 * letters or letters < 6


def _prose_letters(piece: Line) -> int:
    """Letters of words in text type; names of functions and units are no prose."""
    text = " ".join(r.text for r in piece.runs if not r.font.math and r.size > 0.85 * piece.size)
    return sum(len(w) for w in _WORD.findall(text) if w not in _FUNCTIONS)


def _math_letters(piece: Line) -> int:
    """Glyphs of fonts for mathematics, and single italic letters, which stand for quantities."""
    return sum(
        len(r.text) for r in piece.runs if r.font.math or (r.font.italic and len(r.text) <= 2)
    )


def _same_formula(bands: list[Band], band: Band) -> bool:
    last = bands[-1]
    gap = band.top - last.bottom
    size = max(p.size for p in band.pieces)
    numbered = any(EQUATION_NUMBER.match(p.plain) for b in bands for p in b.pieces)
    numbered_now = any(EQUATION_NUMBER.match(p.plain) for p in band.pieces)
    return gap < 0.9 * size and not (numbered and numbered_now)


def _has_relation(pieces: list[Line]) -> bool:
    text = " ".join(p.plain for p in pieces)
    numbered = any(EQUATION_NUMBER.match(p.plain) for p in pieces)
    return numbered or (bool(_OPERATOR.search(text)) and sum(p.letters for p in pieces) >= 3)
