"""Fonts as far as the layout cares: weight, slant, whether for mathematics, how to decode them."""

import ctypes
import re
from dataclasses import dataclass, field

import pypdfium2.raw as pdfium_c

from resources.pdf_layout.encodings import translation

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
    r"|math(?!ematical)",
    re.I,
)
_EXTENSION = re.compile(r"^cmex|mathext|^n?txex|^pxex|^mt2?ex", re.I)


@dataclass(frozen=True, slots=True)
class Font:
    """One font by its name without the subset tag.

    `math` marks fonts made for formulas; `extension` those whose glyphs (tall brackets, sums) do
    not stand on the baseline.
    """

    name: str
    bold: bool
    italic: bool
    math: bool
    extension: bool
    table: dict[int, str] = field(hash=False, compare=False, repr=False)

    @classmethod
    def named(cls, name: str, weight: int = 0) -> "Font":
        """The font of that name; `weight` as the font's descriptor says (400 regular, 700 bold)."""
        name = _SUBSET.sub("", name)
        return cls(
            name,
            bool(_BOLD.search(name)) or weight >= 600,
            bool(_ITALIC.search(name)),
            bool(_MATH.search(name)),
            bool(_EXTENSION.search(name)),
            translation(name),
        )


class FontCache:
    """The fonts of one document, made once each."""

    def __init__(self) -> None:
        self._fonts: dict[tuple[str, int], Font] = {}

    def of(self, text_object: int) -> Font:
        """The font of the text object at this address."""
        handle = pdfium_c.FPDFTextObj_GetFont(ctypes.cast(text_object, pdfium_c.FPDF_PAGEOBJECT))
        buffer = ctypes.create_string_buffer(256)
        pdfium_c.FPDFFont_GetBaseFontName(handle, buffer, 256)
        weight = pdfium_c.FPDFFont_GetWeight(handle) if handle else 0
        key = (buffer.value.decode("utf-8", "replace"), weight)
        if key not in self._fonts:
            self._fonts[key] = Font.named(*key)
        return self._fonts[key]
