"""Code points that text layers get wrong, put right glyph by glyph.

Many fonts of the TeX family carry glyph names that no list maps to Unicode ("bardbl",
"lessmuch", "summationdisplay") and no map of their own; the PDF library then hands out the
glyph's number in the font. The tables below are those numbers: the font encodings OML, OMS, OMX
and OT1 (Knuth, The TeXbook, appendix F), AMS's msam, and Adobe's Symbol.
"""

import re

REPLACEMENT = "\ufffd"
HYPHEN = "\x02"  # how PDFium reports a hyphen at the end of a line
NOT_OVERLAY = "\u0338"  # drawn over the sign that follows it

_CONTROLS = [*range(32), *range(0x7F, 0xA0)]


def _table(codes: str) -> dict[int, str]:
    """A table from words of the form <hexadecimal code>=<text>."""
    pairs = (item.split("=", 1) for item in codes.split())
    return {int(code, 16): text for code, text in pairs}


_OML_LOW = "ΓΔΘΛΞΠΣΥΦΨΩαβγδϵζηθικλμνξπρστυϕχψωεϑϖϱςφ"
_OML = dict(enumerate(_OML_LOW)) | _table(
    "3a=. 3b=, 3d=/ 3f=⋆ 40=∂ 5b=♭ 5c=♮ 5d=♯ 60=ℓ 7b=ı 7c=ȷ 7d=℘ 7e=⃗"
)
_OMS = _table(
    "0=− 1=· 2=× 3=∗ 4=÷ 5=⋄ 6=± 7=∓ 8=⊕ 9=⊖ a=⊗ b=⊘ c=⊙ d=◯ e=◦ f=• 10=≍ 11=≡ 12=⊆ 13=⊇ "
    "14=≤ 15=≥ 16=⪯ 17=⪰ 18=∼ 19=≈ 1a=⊂ 1b=⊃ 1c=≪ 1d=≫ 1e=≺ 1f=≻ 20=← 21=→ 22=↑ 23=↓ 24=↔ "
    "25=↗ 26=↘ 27=≃ 28=⇐ 29=⇒ 2a=⇑ 2b=⇓ 2c=⇔ 2d=↖ 2e=↙ 2f=∝ 30=′ 31=∞ 32=∈ 33=∋ 34=△ 35=▽ "
    "37=↦ 38=∀ 39=∃ 3a=¬ 3b=∅ 3c=ℜ 3d=ℑ 3e=⊤ 3f=⊥ 40=ℵ 5b=∪ 5c=∩ 5d=⊎ 5e=∧ 5f=∨ 60=⊢ 61=⊣ "
    "62=⌊ 63=⌋ 64=⌈ 65=⌉ 66={ 67=} 68=⟨ 69=⟩ 6a=| 6b=∥ 6c=↕ 6d=⇕ 6e=\\ 6f=≀ 70=√ 71=⨿ 72=∇ "
    "73=∫ 74=⊔ 75=⊓ 76=⊑ 77=⊒ 78=§ 79=† 7a=‡"
) | {0x36: NOT_OVERLAY}
_OMX = _table(
    "0=( 1=) 2=[ 3=] 4=⌊ 5=⌋ 6=⌈ 7=⌉ 8={ 9=} a=⟨ b=⟩ c=| d=∥ e=/ f=\\ 10=( 11=) 12=( 13=) 14=[ "
    "15=] 16=⌊ 17=⌋ 18=⌈ 19=⌉ 1a={ 1b=} 1c=⟨ 1d=⟩ 1e=/ 1f=\\ 20=( 21=) 22=[ 23=] 24=⌊ 25=⌋ "
    "26=⌈ 27=⌉ 28={ 29=} 2a=⟨ 2b=⟩ 2c=/ 2d=\\ 2e=/ 2f=\\ 30=( 31=) 32=[ 33=] 44=⟨ 45=⟩ 46=⊔ "
    "47=⊔ 48=∮ 49=∮ 4a=⊙ 4b=⊙ 4c=⊕ 4d=⊕ 4e=⊗ 4f=⊗ 50=∑ 51=∏ 52=∫ 53=⋃ 54=⋂ 55=⊎ 56=⋀ 57=⋁ "
    "58=∑ 59=∏ 5a=∫ 5b=⋃ 5c=⋂ 5d=⊎ 5e=⋀ 5f=⋁ 60=∐ 61=∐ 68=[ 69=] 6a=⌊ 6b=⌋ 6c=⌈ 6d=⌉ 6e={ "
    "6f=} 70=√ 71=√ 72=√ 73=√ 74=√"
)
# Pieces from which tall delimiters and braces are built, and accents drawn over letters: the
# first piece of a bracket speaks for it, the others and the accents are left out.
_OMX_SILENT = frozenset([*range(0x34, 0x44), *range(0x62, 0x68), *range(0x75, 0x80)])
_OT1 = _table(
    "b=ff c=fi d=fl e=ffi f=ffl 10=ı 11=ȷ 12=` 13=´ 14=ˇ 15=˘ 16=¯ 17=˚ 18=¸ 19=ß 1a=æ 1b=œ 1c=ø "
    "1d=Æ 1e=Œ 1f=Ø 0=Γ 1=Δ 3=Λ 4=Ξ 5=Π 6=Σ 7=Υ 8=Φ 9=Ψ a=Ω 7f=¨"
)
# Symbols of the text companion fonts (TS1), which come as bitmaps without a name.
_TS1 = _table("84=† 85=‡ 86=‖ 87=‰ 88=• 89=℃ 8f=₤ 97=™ 98=‱ 9f=№")
_MSAM = _table("3=□ 26=≳ 2e=≲ 36=⩽ 3e=⩾ 58=✓ 4c=♢")
_SYMBOL = dict(
    zip(
        map(ord, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"),
        "αβχδεφγηιϕκλμνοπθρστυϖωξψζΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ",
        strict=True,
    )
) | _table(
    "22=∀ 24=∃ 27=∋ 2a=∗ 2d=− 40=≅ 5c=∴ 5e=⊥ 7e=∼ a2=′ a3=≤ a4=/ a5=∞ ab=↔ ac=← ad=↑ ae=→ af=↓ "
    "b0=° b1=± b2=″ b3=≥ b4=× b5=∝ b6=∂ b7=• b8=÷ b9=≠ ba=≡ bb=≈ bc=… c4=⊗ c5=⊕ c7=∩ c8=∪ ce=∈ "
    "d0=∠ d1=∇ d5=∏ d6=√ d7=⋅ d8=¬ d9=∧ da=∨ db=⇔ dc=⇐ dd=⇑ de=⇒ df=⇓ e1=⟨ e5=∑ f1=⟩ f2=∫"
)
# One converter on macOS names the glyphs of TeX's math fonts after keys and arrows.
_QUARTZ_OML = dict(zip("↵✏⇣⌘✓◆⌫⇠⇡⇢⌧", "αϵζηθινξπρτ", strict=True))
_QUARTZ_OMS = dict(zip("⇥⇤⇠⇡⌦⇢", "×∗∼≈⊗⊂", strict=True))

_DELIMITER_PIECES = dict.fromkeys(range(0xF8E5, 0xF8FF), "") | {
    0xF8EB: "(",
    0xF8F6: ")",
    0xF8EE: "[",
    0xF8F9: "]",
    0xF8F1: "{",
    0xF8FC: "}",
}
_LOW, _SIGNS, _DIGITS = range(0x20), range(0x20, 0x30), range(0x30, 0x3A)
_SMALL_LETTERS = range(0x61, 0x7B)


def _part(table: dict[int, str], *codes: range) -> dict[int, str]:
    return {code: text for code, text in table.items() if any(code in part for part in codes)}


def _without(table: dict[int, str], signs: str) -> dict[int, str]:
    return {code: text for code, text in table.items() if chr(code) not in signs}


def _signs(table: dict[str, str]) -> dict[int, str]:
    return {ord(sign): text for sign, text in table.items()}


# Knuth's fonts and their closest kin use these numbers throughout. Later families (tx, newtx, px)
# put other signs among the printable ones and name those well; only some numbers are in doubt.
# The first pattern that a font's name matches decides.
_BY_NAME = [
    (re.compile(pattern, re.I), table)
    for pattern, table in (
        (r"^(?:CM|EC)MI|^LMMathItalic|^MT2?MI", _without(_OML, "./,<>") | _signs(_QUARTZ_OML)),
        (r"^CMB?SY|^LMMathSymbols|^MT2?SY", _without(_OMS, "|") | _signs(_QUARTZ_OMS)),
        (
            r"^CMEX|^LMMathExt|^MT2?EX",
            _OMX | dict.fromkeys(_OMX_SILENT, "") | _DELIMITER_PIECES,
        ),
        (r"^(?:new|[rn])?txmi|^rpxmi|^zplmr7m|MathMI", _part(_OML, _LOW)),
        (r"^n?txsys?\b|^pxsys?\b|^zplmr7y", _part(_OMS, _LOW, _SMALL_LETTERS, _DIGITS)),
        (
            r"^n?txex|^pxex",
            _part(_OMX, _LOW, _SIGNS) | {0xCD: "∑", 0xD6: "∏"} | _DELIMITER_PIECES,
        ),
        (r"^MSAM", _MSAM),
        (r"^CM(?:R|BX|TI|SL|SS|CSC|B|DUNH)|^LMRoman|^SFRM", _OT1 | {2: HYPHEN}),
        (r"^$|^tc|^ts1", _TS1 | {2: HYPHEN}),
        (r"", {2: HYPHEN}),
    )
]
_SYMBOL_FONT = re.compile(r"symbol", re.I)
_PICTURE_FONT = re.compile(r"^(?:LINE|LCIRCLE)W?10", re.I)  # pieces of lines and circles
_EVERYWHERE = dict.fromkeys(range(0xFE00, 0xFE10), "") | {  # variation selectors say nothing
    0xFFFE: HYPHEN,
    0xFFFF: REPLACEMENT,
    0xF0B7: "•",
    0xF0A7: "▪",
    0xF02D: "−",
}


class Decoder(dict[int, str]):
    """The text of every code point of one font; filled as code points are met."""

    def __missing__(self, code: int) -> str:
        undefined = 0xD800 <= code <= 0xDFFF or code > 0x10FFFF or 0xE000 <= code <= 0xF8FF
        text = REPLACEMENT if undefined else chr(code)
        self[code] = text
        return text


class _Silent(Decoder):
    """A font whose glyphs are no text."""

    def __missing__(self, code: int) -> str:
        return ""


def decoder(font: str) -> Decoder:
    """What the library's code points mean in a font of this name.

    Surrogates, private and undefined code points and control characters become U+FFFD, except
    PDFium's mark of a line-end hyphen.
    """
    if _PICTURE_FONT.search(font):
        return _Silent()
    table: dict[int, str] = dict.fromkeys(_CONTROLS, REPLACEMENT)
    table |= next(codes for pattern, codes in _BY_NAME if pattern.search(font))
    if _SYMBOL_FONT.search(font):
        table |= {0xF000 + code: text for code, text in _SYMBOL.items()}
    return Decoder(table | _EVERYWHERE)
