"""Code points that text layers get wrong, put right glyph by glyph.

Fonts of the TeX family often lack a map to Unicode; then the library hands out the font's own
code. The tables are TeX's published font encodings (OT1, OML, OMS; Knuth, The TeXbook, app. F).
"""

import re

REPLACEMENT = "\ufffd"
HYPHEN = "\x02"  # how PDFium reports a hyphen at the end of a line

_GREEK_OML = "ΓΔΘΛΞΠΣΥΦΨΩαβγδϵζηθικλμνξπρστυϕχψωεϑϖϱςφ"
_OT1 = {
    11: "ff",
    12: "fi",
    13: "fl",
    14: "ffi",
    15: "ffl",
    16: "ı",
    25: "ß",
    26: "æ",
    27: "œ",
    28: "ø",
}
_OMS = {
    0: "−",
    1: "·",
    2: "×",
    3: "∗",
    4: "÷",
    6: "±",
    7: "∓",
    8: "⊕",
    10: "⊗",
    14: "◦",
    15: "•",
    17: "≡",
    18: "⊆",
    20: "≤",
    21: "≥",
    24: "∼",
    25: "≈",
    26: "⊂",
    28: "≪",
    29: "≫",
    32: "←",
    33: "→",
    36: "↔",
    49: "∞",
    50: "∈",
    48: "′",
}
_OML_FONT = re.compile(r"^(?:CM|LM|EUR?)M(?:I|MI)B?|^LMMathItalic", re.I)
_OMS_FONT = re.compile(r"^CMB?SY|^LMMathSymbols", re.I)


def repaired(code: int, font: str) -> str:
    """The text of one glyph from the code point of the text layer and the font's name."""
    if code >= 32 and not 0x7F <= code <= 0x9F:
        if 0xD800 <= code <= 0xDFFF or code > 0x10FFFF or code in (0xFFFE, 0xFFFF):
            return REPLACEMENT if code != 0xFFFE else HYPHEN
        return chr(code)
    if _OML_FONT.match(font):
        return _GREEK_OML[code] if code < len(_GREEK_OML) else REPLACEMENT
    if _OMS_FONT.match(font):
        return _OMS.get(code, REPLACEMENT)
    if code == 2:
        return HYPHEN
    return _OT1.get(code, "")
