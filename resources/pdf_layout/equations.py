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
_ENDS_IN_NUMBER = re.compile(r"[^\w(.]\s?\((?:[A-Z]\.?)?\d{1,3}(?:\.\d{1,3})?[a-z]?\)$")
_OPENS = re.compile(r"[=+−×·⊗±∓≈≃≤≥<>-]")  # how a formula's further lines begin
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
    shown = [
        _is_display(band, region) or _fills_column(band, bands[n - 1] if n else None)
        for n, band in enumerate(bands)
    ]
    marks = _with_parts(bands, shown, region)
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
    for order in (range(len(bands)), reversed(range(len(bands)))):
        for n in order:
            if out[n]:
                continue
            near = _is_part(bands[n], region)
            if not near:
                continue
            size = max(p.size for p in bands[n].pieces)
            above = n > 0 and out[n - 1] and bands[n].top - bands[n - 1].bottom < near * size
            below = (
                n + 1 < len(bands)
                and out[n + 1]
                and bands[n + 1].top - bands[n].bottom < near * size
            )
            out[n] = above or below
    return out


def _is_part(band: Band, region: Region) -> float:
    """How many ems from a formula a band may stand to be part of it; 0 if it is no part of one."""
    size = max(p.size for p in band.pieces)
    letters = sum(p.letters for p in band.pieces)
    prose = sum(_prose_letters(p) for p in band.pieces)
    if letters <= 24 and prose <= 6 and min(p.x0 for p in band.pieces) - region.left > 0.9 * size:
        return 0.5
    math = sum(_math_letters(p) for p in band.pieces)
    text = " ".join(p.plain for p in band.pieces)
    return 1.5 if prose == 0 and math > 0.2 * letters and _OPENS.match(text) else 0.0


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
    if not numbers:
        # The formula may fill the column so far that its number stands close to it.
        numbers = [p for p in body if p.x1 > region.right - 3 and _ENDS_IN_NUMBER.search(p.plain)]
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


def _fills_column(band: Band, above: Band | None) -> bool:
    """Whether a band is a formula as wide as its column, or the further line of a long one."""
    size = max(p.size for p in band.pieces)
    text = " ".join(p.plain for p in band.pieces)
    letters = sum(p.letters for p in band.pieces)
    math = sum(_math_letters(p) for p in band.pieces)
    if any(_prose_letters(p) for p in band.pieces) or math < 0.25 * letters or letters < 8:
        return False
    if any(w in {"for", "and", "with", "where", "all", "if"} for w in text.split()):
        return False
    apart = above is None or band.top - above.bottom > 0.6 * size
    return apart and bool(_OPENS.match(text) or _OPERATOR.search(text))


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
    numbered = any(
        EQUATION_NUMBER.match(p.plain) or _ENDS_IN_NUMBER.search(p.plain) for p in pieces
    )
    return numbered or (
        bool(_OPERATOR.search(text) or _OPENS.match(text)) and sum(p.letters for p in pieces) >= 3
    )
