"""One page as the PDF library sees it: runs of glyphs with their font, size, baseline and extent.

A run is the smallest unit of the layout analysis: neighbouring glyphs of one font and size on one
baseline, without a gap that could be a space. Coordinates are PDF points with the origin at the
top left of the page as it is shown (crop box and page rotation applied).
"""

import ctypes
import math
import unicodedata
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium

from resources.pdf_layout.binding import fast
from resources.pdf_layout.encodings import REPLACEMENT
from resources.pdf_layout.fonts import Font, FontCache
from resources.pdf_layout.frame import Frame
from resources.pdf_layout.graphics import Area, read_areas
from resources.pdf_layout.limits import Limits

# A gap of this many ems between two glyphs is a space. Word spaces of justified text shrink to
# about 0.19 em, kerning inside words stays below 0.1 em.
SPACE_EM = 0.13
_SAME_BASELINE_EM = 0.04
_SIZES = (0.1, 2_000.0)  # points
_OVERLAP_EM = 1.3  # a ligature written as several characters repeats one glyph's extent
_DOTLESS = {"ı": "i", "ȷ": "j"}
# Accents that are glyphs of their own, set over the letter that follows, and what joins them to it.
ACCENTS = dict(
    zip(
        "´`¨ˆ˜¯˘˙˚ˇ¸˝⃗\u0338",
        "\u0301\u0300\u0308\u0302\u0303\u0304\u0306\u0307\u030a\u030c\u0327\u030b⃗\u0338",
        strict=True,
    )
)
_WHITE = frozenset({9, 32, 0xA0})
_BLANK = _WHITE | {10, 13}

_POINTER, _INT = ctypes.c_void_p, ctypes.c_int


_get_unicode = fast("FPDFText_GetUnicode", ctypes.c_uint, _POINTER, _INT)
_get_loose_box = fast("FPDFText_GetLooseCharBox", _INT, _POINTER, _INT, _POINTER)
_get_matrix = fast("FPDFText_GetMatrix", _INT, _POINTER, _INT, _POINTER)
_get_size = fast("FPDFText_GetFontSize", ctypes.c_double, _POINTER, _INT)
_get_origin = fast("FPDFText_GetCharOrigin", _INT, _POINTER, _INT, _POINTER, _POINTER)
_get_object = fast("FPDFText_GetTextObject", _POINTER, _POINTER, _INT)


@dataclass(slots=True, eq=False)
class Run:
    """Glyphs of one font on one baseline without a space; `y` is the baseline, `size` in points.

    `spaced` is true where the content stream has a space before the run; `in_form` where the run
    belongs to an embedded drawing.
    """

    text: str
    x0: float
    x1: float
    y: float
    size: float
    font: Font
    spaced: bool = False
    in_form: bool = False


@dataclass(slots=True)
class Page:
    """What stands on one page. `turned` holds the runs that do not read left to right.

    `quarter` is the number of quarter turns by which the text of a whole page was turned to read
    left to right; `width`, `height` and all coordinates of runs and areas are then those of the
    turned page, and `shown` maps back.
    """

    number: int
    width: float
    height: float
    runs: list[Run] = field(default_factory=list)
    turned: list[Run] = field(default_factory=list)
    areas: list[Area] = field(default_factory=list)
    quarter: int = 0
    glyphs: int = 0
    unreadable: int = 0
    note: str = ""

    def shown(self, box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        """A rectangle of the layout, as (x0, y0, x1, y1) on the page as it is shown."""
        x0, y0, x1, y1 = box
        if self.quarter == 1:
            return y0, self.width - x1, y1, self.width - x0
        if self.quarter == 2:
            return self.width - x1, self.height - y1, self.width - x0, self.height - y0
        if self.quarter == 3:
            return self.height - y1, x0, self.height - y0, x1
        return box

    @property
    def shown_size(self) -> tuple[float, float]:
        """Width and height of the page as it is shown."""
        return (self.height, self.width) if self.quarter % 2 else (self.width, self.height)


@dataclass(frozen=True, slots=True)
class _Style:
    """What all glyphs of one text object share; `quarter` is None for slanted writing.

    One text object is one showing operator, so all its glyphs stand on one baseline.
    """

    size: float
    origin: tuple[float, float]
    quarter: int | None
    font: Font
    in_form: bool


@dataclass(frozen=True, slots=True)
class _Glyphs:
    """The glyphs of a page in the order of the content stream, one list a property."""

    codes: list[int]
    objects: list[int]
    x0: list[float]
    x1: list[float]
    styles: dict[int, _Style]


# The last glyphs: their run, its letters, the place among these, and left and right edge.
_Recent = deque[tuple[Run, list[str], int, tuple[float, float]]]


def read_page(document: pdfium.PdfDocument, index: int, fonts: FontCache, limits: Limits) -> Page:
    """Reads one page (index from 0) into runs and drawn areas."""
    handle = document[index]
    try:
        width, height = handle.get_size()
        page = Page(index + 1, width, height)
        frame = Frame.of(handle)
        page.areas, own_text, cut = read_areas(handle, frame, limits)
        text = handle.get_textpage()
        try:
            count = text.count_chars()
            if count > limits.glyphs_a_page:
                count, cut = limits.glyphs_a_page, True
            if cut:
                page.note = "more on the page than the limits allow"
            if count > 0:
                _read_text(page, text, count, frame, (fonts, own_text))
        finally:
            text.close()
        return page
    finally:
        handle.close()


def _read_text(
    page: Page,
    text: pdfium.PdfTextPage,
    count: int,
    frame: Frame,
    known: tuple[FontCache, set[int]],
) -> None:
    address = ctypes.cast(text.raw, _POINTER).value
    codes = [_get_unicode(address, i) for i in range(count)]
    objects = [_get_object(address, i) or 0 for i in range(count)]
    styles = _styles(text, objects, frame, known)
    boxes: npt.NDArray[np.float32] = np.zeros((count, 4), np.float32)
    first = boxes.ctypes.data
    for i in range(count):
        _get_loose_box(address, i, first + 16 * i)

    kept = _whole_characters(codes)
    if len(kept) < count:
        codes, objects, boxes = [codes[i] for i in kept], [objects[i] for i in kept], boxes[kept]

    page.quarter = _page_quarter(objects, styles)
    width, height = page.width, page.height
    if page.quarter:
        page.width, page.height = (height, width) if page.quarter % 2 else (width, height)
        page.areas = [area.turned(page.quarter, width, height) for area in page.areas]

    def placed(x: Any, y: Any) -> tuple[Any, Any]:
        return turned(*frame.shown(x, y), page.quarter, width, height)

    xa, _ = placed(boxes[:, 0], boxes[:, 1])
    xb, _ = placed(boxes[:, 2], boxes[:, 3])
    for obj, style in styles.items():
        styles[obj] = replace(style, origin=placed(*style.origin))
    # A broken matrix can make a glyph as wide as the world.
    x0 = np.maximum(np.minimum(xa, xb), -page.width)
    x1 = np.minimum(np.maximum(xa, xb), 2 * page.width)
    hidden = {obj for obj, style in styles.items() if not -2 < style.origin[1] < page.height + 2}
    on_page = np.isfinite(x0) & np.isfinite(x1) & (x1 > -2) & (x0 < page.width + 2)
    objects = [
        obj if shown and obj not in hidden else 0
        for obj, shown in zip(objects, on_page.tolist(), strict=True)
    ]
    glyphs = _Glyphs(codes, objects, x0.tolist(), x1.tolist(), styles)
    for run, upright in _runs(glyphs, page.quarter):
        (page.runs if upright else page.turned).append(run)
    page.glyphs = sum(1 for code in codes if code > 32)
    page.unreadable = sum(r.text.count(REPLACEMENT) for r in page.runs)


def _whole_characters(codes: list[int]) -> list[int]:
    """Joins surrogate pairs in place, in the first of the two; the indices of what remains.

    The library gives the letters of mathematical alphabets as two halves each.
    """
    kept = list(range(len(codes)))
    halves = [i for i, code in enumerate(codes) if 0xDC00 <= code < 0xE000]
    joined = set()
    for i in halves:
        if i and 0xD800 <= codes[i - 1] < 0xDC00:
            codes[i - 1] = 0x10000 + ((codes[i - 1] - 0xD800) << 10) + codes[i] - 0xDC00
            joined.add(i)
    return [i for i in kept if i not in joined] if joined else kept


def turned(
    x: Any,
    y: Any,
    quarter: int,
    width: float,
    height: float,
) -> tuple[Any, Any]:
    """A point of a page after the page is turned so that text running `quarter` turns reads on.

    `quarter` counts quarter turns counter-clockwise of the writing direction (1: upwards).
    """
    if quarter == 1:
        return height - y, x
    if quarter == 2:
        return width - x, height - y
    if quarter == 3:
        return y, width - x
    return x, y


def _styles(
    text: pdfium.PdfTextPage,
    objects: list[int],
    frame: Frame,
    known: tuple[FontCache, set[int]],
) -> dict[int, _Style]:
    """The style of every text object of the page, by its address."""
    fonts, own_text = known
    fonts.turn_page()
    address = ctypes.cast(text.raw, _POINTER).value
    styles: dict[int, _Style] = {}
    matrix: npt.NDArray[np.float32] = np.zeros(6, np.float32)
    origin: npt.NDArray[np.float64] = np.zeros(2, np.float64)
    matrix_at, x_at = matrix.ctypes.data, origin.ctypes.data
    for i, obj in enumerate(objects):
        if not obj or obj in styles:
            continue
        _get_matrix(address, i, matrix_at)
        _get_origin(address, i, x_at, x_at + 8)
        a, b, c, d, _, _ = matrix.tolist()
        x, y = origin.tolist()
        size = abs(_get_size(address, i)) * math.hypot(c, d)
        size = min(max(size, _SIZES[0]), _SIZES[1]) if math.isfinite(size) else _SIZES[0]
        angle = (math.degrees(math.atan2(b, a)) - frame.rotation) % 360
        nearest = round(angle / 90) % 4
        straight = min(abs(angle - 90 * nearest), abs(angle - 360)) < 6
        quarter = nearest if straight else None
        styles[obj] = _Style(size, (x, y), quarter, fonts.of(obj), obj not in own_text)
    return styles


def _page_quarter(objects: list[int], styles: dict[int, _Style]) -> int:
    """The direction in which nearly all of the page is written (a landscape page set upright)."""
    directions = Counter(styles[obj].quarter for obj in objects if obj)
    if not directions:
        return 0
    best, count = directions.most_common(1)[0]
    return best if best and count > 0.75 * directions.total() else 0


def _runs(glyphs: _Glyphs, quarter: int) -> Iterator[tuple[Run, bool]]:
    """Cuts the glyph sequence into runs; yields each with whether it reads left to right."""
    run: Run | None = None
    letters: list[str] = []
    upright = True
    spaced = False
    accent: tuple[str, float, float] | None = None
    recent: _Recent = deque(maxlen=3)
    last = 0
    for code, obj, left, x1 in zip(glyphs.codes, glyphs.objects, glyphs.x0, glyphs.x1, strict=True):
        if code in _BLANK or not obj:
            # The library writes spaces of its own where it sees a gap; only the file's count.
            spaced = spaced or (obj != 0 and code in _WHITE)
            if run is not None and accent is None:
                run.text = "".join(letters)
                yield run, upright
                run = None
            continue
        style = glyphs.styles[obj]
        text, x0 = style.font.table[code], left
        if text in ACCENTS and _put_over(recent, text, (x0, x1, style.origin[1])):
            continue
        if accent is not None:
            if _over(accent, x0, x1):
                text, x0 = _accented(text, accent[0]), min(x0, accent[1])
                letters.pop()
                recent.pop()
                if run is not None and not letters:
                    run.x0 = min(run.x0, left)
            accent = None
        if (
            run is not None
            and (obj == last or _alike(run, style, upright, quarter))
            and (
                not upright
                or (not spaced and -_OVERLAP_EM * style.size < x0 - run.x1 < SPACE_EM * style.size)
            )
        ):
            letters.append(text)
            run.x1 = max(run.x1, x1)
        else:
            if run is not None and letters:
                run.text = "".join(letters)
                yield run, upright
            upright = style.quarter == quarter
            y = style.origin[1]
            run = Run("", x0, x1, y, style.size, style.font, spaced, style.in_form)
            letters = [text]
            spaced = False
        last = obj
        recent.append((run, letters, len(letters) - 1, (x0, x1)))
        if text in ACCENTS:
            accent = (text, x0, x1)
    if run is not None:
        run.text = "".join(letters)
        yield run, upright


def _alike(run: Run, style: _Style, upright: bool, quarter: int) -> bool:
    """Whether a glyph of that style goes on with the run, position along the line aside."""
    return (
        style.font is run.font
        and abs(style.size - run.size) < 0.02 * run.size
        and (style.quarter == quarter) == upright
        and (not upright or abs(style.origin[1] - run.y) < _SAME_BASELINE_EM * style.size)
    )


def _over(accent: tuple[str, float, float], x0: float, x1: float) -> bool:
    """Whether an accent stands over the glyph that follows it rather than before it."""
    _, a0, a1 = accent
    if a1 - a0 < 0.5:
        return abs(a0 - x0) < 0.6 * (x1 - x0) + 1
    return abs((a0 + a1) / 2 - (x0 + x1) / 2) < 0.35 * max(a1 - a0, x1 - x0)


def _put_over(recent: _Recent, accent: str, place: tuple[float, float, float]) -> bool:
    """Puts an accent over the letter just before it that it stands over, if there is one."""
    x0, x1, y = place
    for run, letters, n, (left, right) in reversed(recent):
        near = abs(run.y - y) < run.size and letters[n].isalpha()
        if near and _over((accent, x0, x1), left, right):
            letters[n] = _accented(letters[n], accent)
            run.text = "".join(letters)
            return True
    return False


def _accented(text: str, accent: str) -> str:
    letter = _DOTLESS.get(text, text)
    return unicodedata.normalize("NFC", letter + ACCENTS[accent])
