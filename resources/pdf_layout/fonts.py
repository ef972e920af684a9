"""Fonts as far as the layout cares: weight, slant, whether for mathematics, how to decode them."""

import ctypes
import re
from collections import Counter
from dataclasses import dataclass, field

import pypdfium2.raw as pdfium_c

from resources.pdf_layout.binding import fast
from resources.pdf_layout.encodings import Decoder, decoder

_BOLD_WEIGHT = 600
_HEAVIER = 150
_SUBSET = re.compile(r"^[A-Z]{6}\+")
_BOLD = re.compile(
    r"bold|black|heavy|demi|medi\b|-medi|(?:cm|sf|ec|la)(?:bx|ssbx|b\d)|(?:^|[-,])b(?:d|i)?$|T[ZB]B?$",
    re.I,
)
_ITALIC = re.compile(
    r"ital|obli|slant|(?:cm|sf|ec)(?:ti|sl|bxti|ssi)|cmmi|lmmi|(?:^|[-,])b?i$", re.I
)
_MATH = re.compile(
    r"^(?:cm(?:mi|sy|ex|bsy)|ms[ab]m|eu[fsr]m|[rn]?tx(?:mi|b?sy|ex)|newtxmi|r?px(?:mi|sy|ex)|zplmr7[my]|"
    r"mt(?:2?mi|2?sy|2?ex|extra)|mt2|rsfs|wasy|stmary|bbold|dsrom|symbol|standardsym|mathematica|jkpmi)"
    r"|math",
    re.I,
)
_EXTENSION = re.compile(r"^cmex|mathext|^n?txex|^pxex|^mt2?ex", re.I)


_get_font = fast("FPDFTextObj_GetFont", ctypes.c_void_p, ctypes.c_void_p)


@dataclass(slots=True, eq=False)
class Font:
    """One font by its name without the subset tag.

    `weight` is what the font's descriptor says (400 regular, 700 bold; often wrong); `math` marks
    fonts made for formulas; `extension` those whose glyphs (tall brackets, sums) do not stand on
    the baseline; `table` gives the text of code points.
    """

    name: str
    weight: int = 0
    bold: bool = field(init=False)
    italic: bool = field(init=False)
    math: bool = field(init=False)
    extension: bool = field(init=False)
    table: Decoder = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.name = _SUBSET.sub("", self.name)
        self.bold = bool(_BOLD.search(self.name))
        self.italic = bool(_ITALIC.search(self.name))
        self.math = bool(_MATH.search(self.name))
        self.extension = bool(_EXTENSION.search(self.name))
        self.table = decoder(self.name)


class FontCache:
    """The fonts of one document, made once each.

    The library's handles stay the same only while a page is open, so they are known for a page
    at a time.
    """

    def __init__(self) -> None:
        self._fonts: dict[tuple[str, int], Font] = {}
        self._handles: dict[int, Font] = {}
        self._buffer = ctypes.create_string_buffer(256)

    def turn_page(self) -> None:
        """Forgets the handles of the page before."""
        self._handles.clear()

    def of(self, text_object: int) -> Font:
        """The font of the text object at this address."""
        handle = _get_font(text_object) or 0
        font = self._handles.get(handle)
        if font is None:
            font = self._handles[handle] = self._named(handle)
        return font

    def _named(self, handle: int) -> Font:
        self._buffer.value = b""
        weight = 0
        if handle:
            pointer = ctypes.cast(handle, pdfium_c.FPDF_FONT)
            pdfium_c.FPDFFont_GetBaseFontName(pointer, self._buffer, 256)
            weight = pdfium_c.FPDFFont_GetWeight(pointer)
        key = (self._buffer.value.decode("utf-8", "replace"), weight)
        if key not in self._fonts:
            self._fonts[key] = Font(*key)
        return self._fonts[key]


def settle_weights(used: Counter[Font]) -> None:
    """Marks as bold also fonts whose names do not say so but that are heavier than the body's.

    `used` counts the glyphs set in each font of the document.
    """
    if not used:
        return
    body = max(used, key=lambda font: (used[font], font.name))
    for font in used:
        if font.weight >= max(_BOLD_WEIGHT, body.weight + _HEAVIER) and not body.bold:
            font.bold = True
