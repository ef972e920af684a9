"""One page as the PDF library sees it: runs of glyphs with their font, size, baseline and extent.

A run is the smallest unit of the layout analysis: neighbouring glyphs of one font and size on one
baseline, without a gap that could be a space. Coordinates are PDF points with the origin at the
top left of the page as it is shown (crop box and page rotation applied).
"""

import ctypes
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from resources.pdf_layout.encodings import repaired
from resources.pdf_layout.frame import Frame
from resources.pdf_layout.limits import Limits

_POINTER, _INT = ctypes.c_void_p, ctypes.c_int

# A gap of this many ems between two glyphs is a space. Word spaces of justified text shrink to
# about 0.19 em, kerning inside words stays below 0.1 em.
SPACE_EM = 0.13


def _fast(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    """A binding that takes addresses as plain integers, several times faster than byref()."""
    address = ctypes.cast(getattr(pdfium_c, name), _POINTER).value
    return ctypes.PYFUNCTYPE(result, *arguments)(address)


_get_unicode = _fast("FPDFText_GetUnicode", ctypes.c_uint, _POINTER, _INT)
_get_loose_box = _fast("FPDFText_GetLooseCharBox", _INT, _POINTER, _INT, _POINTER)
_get_origin = _fast("FPDFText_GetCharOrigin", _INT, _POINTER, _INT, _POINTER, _POINTER)
_get_object = _fast("FPDFText_GetTextObject", _POINTER, _POINTER, _INT)
_is_generated = _fast("FPDFText_IsGenerated", _INT, _POINTER, _INT)


@dataclass(frozen=True, slots=True)
class Font:
    """A font as far as the layout cares: its name without the subset tag, weight and slant."""

    name: str
    bold: bool
    italic: bool


@dataclass(slots=True, eq=False)
class Run:
    """Glyphs of one font on one baseline without a space; `y` is the baseline, `size` in points.

    `order` is the position in the content stream; `spaced` is true where the stream has a space
    before the run.
    """

    text: str
    x0: float
    x1: float
    y: float
    size: float
    font: Font
    order: int
    spaced: bool = False
    in_form: bool = False

    @property
    def top(self) -> float:
        """Height of capitals and ascenders above the baseline, as a page coordinate."""
        return self.y - 0.75 * self.size

    @property
    def bottom(self) -> float:
        """Depth of descenders below the baseline, as a page coordinate."""
        return self.y + 0.22 * self.size


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of the page that is drawn rather than written: an image, a rule, a shape."""

    kind: str
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(slots=True)
class Page:
    """What stands on one page. `turned` holds the runs that do not read left to right."""

    number: int
    width: float
    height: float
    runs: list[Run] = field(default_factory=list)
    turned: list[Run] = field(default_factory=list)
    areas: list[Area] = field(default_factory=list)
    glyphs: int = 0
    unreadable: int = 0
    truncated: bool = False


_BOLD = re.compile(
    r"bold|black|heavy|demi|-medi|medi$|(?:cm|sf|ec|ecs?s)bx|bx\d|lmb|-bd|,bold", re.I
)
_ITALIC = re.compile(r"ital|obli|slant|cmti|cmsl|cmmi|sfti|lmri|lmmi|-it\b", re.I)
_SUBSET = re.compile(r"^[A-Z]{6}\+")


class FontCache:
    """Fonts of one document by the address of the library's object, so that each is asked once."""

    def __init__(self) -> None:
        self._fonts: dict[str, Font] = {}

    def get(self, text_object: int) -> Font:
        """The font of a text object."""
        obj = ctypes.cast(text_object, pdfium_c.FPDF_PAGEOBJECT)
        handle = pdfium_c.FPDFTextObj_GetFont(obj)
        buffer = ctypes.create_string_buffer(256)
        pdfium_c.FPDFFont_GetBaseFontName(handle, buffer, 256)
        name = _SUBSET.sub("", buffer.value.decode("utf-8", "replace"))
        if name not in self._fonts:
            bold = bool(_BOLD.search(name)) or pdfium_c.FPDFFont_GetWeight(handle) >= 600
            self._fonts[name] = Font(name, bold, bool(_ITALIC.search(name)))
        return self._fonts[name]


def read_page(document: pdfium.PdfDocument, index: int, fonts: FontCache, limits: Limits) -> Page:
    """Reads one page (index from 0) into runs and drawn areas."""
    handle = document[index]
    try:
        width, height = handle.get_size()
        page = Page(index + 1, width, height)
        frame = Frame.of(handle)
        text = handle.get_textpage()
        try:
            _read_runs(page, frame, handle, text, fonts, limits)
        finally:
            text.close()
        return page
    finally:
        handle.close()


def _read_runs(
    page: Page,
    frame: Frame,
    handle: pdfium.PdfPage,
    text: pdfium.PdfTextPage,
    fonts: FontCache,
    limits: Limits,
) -> None:
    count = text.count_chars()
    if count > limits.glyphs_a_page:
        count, page.truncated = limits.glyphs_a_page, True
    top_level = _read_areas(page, frame, handle, limits)
    if count <= 0:
        return
    address = ctypes.cast(text.raw, _POINTER).value
    codes = [_get_unicode(address, i) for i in range(count)]
    objects = [_get_object(address, i) or 0 for i in range(count)]
    boxes: npt.NDArray[np.float32] = np.zeros((count, 4), np.float32)
    origins: npt.NDArray[np.float64] = np.zeros((count, 2), np.float64)
    box_at, origin_at = boxes.ctypes.data, origins.ctypes.data
    for i in range(count):
        _get_loose_box(address, i, box_at + 16 * i)
        _get_origin(address, i, origin_at + 16 * i, origin_at + 16 * i + 8)

    styles = _styles(text, objects, fonts, frame, top_level)
    xa, ya = frame.shown(boxes[:, 0], boxes[:, 1])
    xb, yb = frame.shown(boxes[:, 2], boxes[:, 3])
    left, right = np.minimum(xa, xb).tolist(), np.maximum(xa, xb).tolist()
    upper, lower = np.minimum(ya, yb).tolist(), np.maximum(ya, yb).tolist()
    base_x, base_y = frame.shown(origins[:, 0], origins[:, 1])
    for run in _runs(
        text, codes, objects, styles, left, right, base_y.tolist(), upper, lower, base_x.tolist()
    ):
        (page.turned if run[1] else page.runs).append(run[0])
    page.glyphs = sum(1 for code in codes if code > 32)
    page.unreadable = sum(r.text.count("\ufffd") for r in page.runs)


_Style = tuple[float, bool, Font, bool]


def _styles(
    text: pdfium.PdfTextPage,
    objects: list[int],
    fonts: FontCache,
    frame: Frame,
    top_level: set[int],
) -> dict[int, _Style]:
    """Size, whether turned, font and whether inside a form, of every text object of the page."""
    styles: dict[int, _Style] = {}
    matrix = pdfium_c.FS_MATRIX()
    previous = 0
    for i, obj in enumerate(objects):
        if obj == previous or not obj or obj in styles:
            continue
        previous = obj
        pdfium_c.FPDFText_GetMatrix(text.raw, i, matrix)
        size = pdfium_c.FPDFText_GetFontSize(text.raw, i) * math.hypot(matrix.c, matrix.d)
        angle = (math.degrees(math.atan2(matrix.b, matrix.a)) - frame.rotation) % 360
        turned = 8 < angle < 352
        styles[obj] = (max(abs(size), 0.1), turned, fonts.get(obj), obj not in top_level)
    return styles


def _runs(
    text: pdfium.PdfTextPage,
    codes: list[int],
    objects: list[int],
    styles: dict[int, _Style],
    left: list[float],
    right: list[float],
    base: list[float],
    upper: list[float],
    lower: list[float],
    base_x: list[float],
) -> Iterator[tuple[Run, bool]]:
    """Cuts the glyph sequence into runs; yields each with whether it is turned."""
    run: Run | None = None
    letters: list[str] = []
    spaced = False
    key: object = None
    turned = False
    for i, code in enumerate(codes):
        obj = objects[i]
        if code in (32, 0xA0, 13, 10, 9) or not obj:
            if code != 13 and code != 10 and obj:
                spaced = True
            if run is not None:
                run.text = "".join(letters)
                yield run, turned
                run = None
            continue
        size, is_turned, font, in_form = styles[obj]
        x0, y = left[i], base[i]
        same = (
            run is not None
            and key == (size, font, is_turned)
            and (
                is_turned
                or (abs(y - run.y) < 0.04 * size and -1.3 * size < x0 - run.x1 < SPACE_EM * size)
            )
        )
        if not same:
            if run is not None:
                run.text = "".join(letters)
                yield run, turned
            run = Run("", x0, right[i], y, size, font, i, spaced, in_form)
            letters = []
            key, turned = (size, font, is_turned), is_turned
            spaced = False
        assert run is not None
        letters.append(repaired(code, font.name))
        if is_turned:
            run.x0, run.x1 = min(run.x0, x0), max(run.x1, right[i])
            run.y = max(run.y, lower[i])
        elif right[i] > run.x1:
            run.x1 = right[i]
    if run is not None:
        run.text = "".join(letters)
        yield run, turned


def _read_areas(page: Page, frame: Frame, handle: pdfium.PdfPage, limits: Limits) -> set[int]:
    """Collects images, forms and paths; returns the addresses of the page's own text objects."""
    top_level: set[int] = set()
    raw = handle.raw
    count = pdfium_c.FPDFPage_CountObjects(raw)
    if count > limits.objects_a_page:
        count, page.truncated = limits.objects_a_page, True
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    kinds = {
        pdfium_c.FPDF_PAGEOBJ_IMAGE: "image",
        pdfium_c.FPDF_PAGEOBJ_FORM: "form",
        pdfium_c.FPDF_PAGEOBJ_PATH: "path",
        pdfium_c.FPDF_PAGEOBJ_SHADING: "path",
    }
    for i in range(count):
        obj = pdfium_c.FPDFPage_GetObject(raw, i)
        kind = pdfium_c.FPDFPageObj_GetType(obj)
        if kind == pdfium_c.FPDF_PAGEOBJ_TEXT:
            top_level.add(ctypes.cast(obj, _POINTER).value or 0)
        elif kind in kinds and pdfium_c.FPDFPageObj_GetBounds(obj, left, bottom, right, top):
            xa, ya = frame.shown(left.value, bottom.value)
            xb, yb = frame.shown(right.value, top.value)
            x0, x1, y0, y1 = min(xa, xb), max(xa, xb), min(ya, yb), max(ya, yb)
            name = kinds[kind]
            if name == "path" and y1 - y0 < 2.5 and x1 - x0 > 12:
                name = "rule"
            page.areas.append(Area(name, x0, y0, x1, y1))
    return top_level
