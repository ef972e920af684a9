"""Running text out of TEI: one clean string, and where in it each positioned element stands.

Scripts follow one notation everywhere: `10^{34} cm^{-2}`, `Nb_3Sn`, braces only around more than
one character. GROBID writes them as `<hi rend="superscript">`, or a PDF carries them as Unicode
superscripts; both become the same.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from assets.parsing.tei_xml import inline
from resources.blocks import BlockKind

_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ"
_SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜ"
_SCRIPT_RUNS = re.compile(f"[{_SUPERSCRIPTS}]+|[{_SUBSCRIPTS}]+")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff\ufffe\uffff\x00-\x08\x0e-\x1f\x7f-\x9f]")
_SCRIPT_SIGNS = {"superscript": "^", "sup": "^", "subscript": "_", "sub": "_"}
_FARTHEST = 1e6
_SPACED = frozenset({"s", "lb", "cb", "pb", "label", "item", "cell", "note"})


@dataclass(frozen=True, slots=True)
class Place:
    """A rectangle on a page in PDF points from the top left corner, as `coords` states it."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` to `end` of a passage that stand in `places`, and the element's name."""

    start: int
    end: int
    element: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """A block before its page is known; `spans` are the parts of its text with coordinates.

    `whole` says that the spans together cover the block, and are no more hints from inside it.
    `printed` says that the text is the paper's own, not put together from parts.
    """

    kind: BlockKind
    text: str
    section: tuple[str, ...]
    spans: tuple[Span, ...]
    whole: bool
    printed: bool = True


@dataclass(slots=True)
class Passage:
    """A string that grows from TEI content, with spans of the elements that have coordinates."""

    spans: list[Span] = field(default_factory=list)
    _pieces: list[str] = field(default_factory=list)
    _length: int = 0

    @property
    def text(self) -> str:
        """All that was added, without a blank at its end."""
        return "".join(self._pieces).rstrip()

    def add(self, content: Iterable[str | Element]) -> "Passage":
        """Append texts and elements, blanks collapsed across their borders."""
        for item in content:
            if isinstance(item, str):
                self._write(item)
            else:
                self._element(item)
        return self

    def _write(self, text: str) -> None:
        text = re.sub(r"\s+", " ", clean(text))
        if self._ends_blank():
            text = text.lstrip(" ")
        if text.startswith(("^", "_")) and self._pieces and self._ends_blank():
            self._pieces[-1] = self._pieces[-1][:-1]
            self._length -= 1
        if text:
            self._pieces.append(text)
            self._length += len(text)

    def _ends_blank(self) -> bool:
        return not self._pieces or self._pieces[-1].endswith(" ")

    def _element(self, element: Element) -> None:
        if element.tag in _SPACED:
            self._write(" ")
        start = self._length
        sign = _SCRIPT_SIGNS.get(element.get("rend", "").strip().lower())
        if sign:
            self._write(script(sign, Passage().add(inline(element)).text))
        else:
            self.add(inline(element))
        places = places_of(element)
        if places and self._length > start:
            self.spans.append(Span(start, self._length, element.tag, places))
        if element.tag in _SPACED:
            self._write(" ")


def clean(text: str) -> str:
    """Text without invisible characters, ligatures and other presentation forms.

    A letter or digit in a presentation form (ﬁ, 𝛽, the micro sign) becomes the plain one; signs
    such as … or ´, whose long forms read worse, stay.
    """
    text = unicodedata.normalize("NFC", _INVISIBLE.sub("", text))
    if text.isascii():
        return text
    text = _SCRIPT_RUNS.sub(_plain_script, text)
    return "".join(character if character.isascii() else _plain(character) for character in text)


def script(sign: str, text: str) -> str:
    """`text` as a superscript (`^`) or a subscript (`_`), a minus in it as "-"; empty for none."""
    text = text.strip()
    if not text:
        return ""
    return f"{sign}{text}" if len(text) == 1 else f"{sign}{{{text.replace('−', '-')}}}"


def places_of(element: Element) -> tuple[Place, ...]:
    """The rectangles in an element's `coords`: "page,x,y,width,height;…"; wrong ones left out."""
    places = []
    for part in element.get("coords", "").split(";"):
        try:
            page, x, y, width, height = (float(number) for number in part.split(","))
        except ValueError:
            continue
        if 1 <= page <= _FARTHEST and all(abs(n) <= _FARTHEST for n in (x, y, width, height)):
            places.append(Place(int(page), x, y, x + max(width, 0.0), y + max(height, 0.0)))
    return tuple(places)


def _plain_script(match: re.Match[str]) -> str:
    run = match.group()
    sign = "^" if run[0] in _SUPERSCRIPTS else "_"
    return script(sign, unicodedata.normalize("NFKC", run))


def _plain(character: str) -> str:
    compatible = unicodedata.normalize("NFKC", character)
    return compatible if compatible.isalnum() else character
