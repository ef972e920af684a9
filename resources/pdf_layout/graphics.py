"""What is drawn on a page rather than written: rules, images, embedded and vector drawings."""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from resources.pdf_layout.frame import Frame
from resources.pdf_layout.limits import Limits

_LINE_WIDTH = 2.5
_LINE_LENGTH = 12.0
_WHOLE_PAGE = 0.5  # share of the page from which a form is the page itself and no drawing on it
_DEPTH = 4
_OVER = 20.0  # points

_KINDS = {
    pdfium_c.FPDF_PAGEOBJ_IMAGE: "image",
    pdfium_c.FPDF_PAGEOBJ_FORM: "form",
    pdfium_c.FPDF_PAGEOBJ_PATH: "path",
    pdfium_c.FPDF_PAGEOBJ_SHADING: "path",
}
_Matrix = tuple[float, float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class Area:
    """A drawn rectangle of the page; `kind` is image, form, path, rule or upright.

    A rule is a horizontal line, an upright a vertical one.
    """

    kind: str
    x0: float
    y0: float
    x1: float
    y1: float

    def turned(self, quarter: int, width: float, height: float) -> "Area":
        """The same area after the page was turned (see `glyphs.turned`)."""
        box = (self.x0, self.y0, self.x1, self.y1)
        if quarter == 1:
            box = (height - self.y1, self.x0, height - self.y0, self.x1)
        elif quarter == 2:
            box = (width - self.x1, height - self.y1, width - self.x0, height - self.y0)
        elif quarter == 3:
            box = (self.y0, width - self.x1, self.y1, width - self.x0)
        drawn = self.kind in {"path", "rule", "upright"}
        return make_area("path" if drawn else self.kind, box)


def make_area(kind: str, box: tuple[float, float, float, float]) -> Area:
    """An area from its corners; a flat path is a rule, a narrow one an upright."""
    x0, y0, x1, y1 = box
    if kind == "path" and y1 - y0 < _LINE_WIDTH and x1 - x0 > _LINE_LENGTH:
        kind = "rule"
    elif kind == "path" and x1 - x0 < _LINE_WIDTH and y1 - y0 > _LINE_LENGTH:
        kind = "upright"
    return Area(kind, x0, y0, x1, y1)


class _Reader:
    """Walks the page's objects, and those of forms that hold most of the page."""

    def __init__(self, handle: pdfium.PdfPage, frame: Frame, limit: int) -> None:
        self.frame = frame
        self.left = limit
        self.areas: list[Area] = []
        self.own_text: set[int] = set()
        self.width, self.height = handle.get_size()
        self.large = _WHOLE_PAGE * self.width * self.height
        self.corners = tuple(ctypes.c_float() for _ in range(4))

    def read(self, count: int, get: Callable[[int], Any], matrices: tuple[_Matrix, ...]) -> None:
        """Reads `count` objects; `matrices` lead from their space to the page's, inner first."""
        for i in range(min(count, self.left)):
            obj = get(i)
            kind = pdfium_c.FPDFPageObj_GetType(obj)
            if kind == pdfium_c.FPDF_PAGEOBJ_TEXT:
                self.own_text.add(ctypes.cast(obj, ctypes.c_void_p).value or 0)
            elif kind in _KINDS and pdfium_c.FPDFPageObj_GetBounds(obj, *self.corners):
                box = self._shown(matrices)
                if (
                    kind == pdfium_c.FPDF_PAGEOBJ_FORM
                    and (box[2] - box[0]) * (box[3] - box[1]) > self.large
                    and len(matrices) < _DEPTH
                ):
                    self._read_form(obj, matrices)
                elif self._on_page(box):
                    self.areas.append(make_area(_KINDS[kind], box))
        self.left -= count

    def _on_page(self, box: tuple[float, float, float, float]) -> bool:
        """Whether a shape ends on the page; what reaches far over it is clipped somewhere."""
        x0, y0, x1, y1 = box
        return x0 > -_OVER and y0 > -_OVER and x1 < self.width + _OVER and y1 < self.height + _OVER

    def _read_form(self, form: Any, matrices: tuple[_Matrix, ...]) -> None:
        m = pdfium_c.FS_MATRIX()
        pdfium_c.FPDFPageObj_GetMatrix(form, m)
        self.read(
            pdfium_c.FPDFFormObj_CountObjects(form),
            lambda i: pdfium_c.FPDFFormObj_GetObject(form, i),
            ((m.a, m.b, m.c, m.d, m.e, m.f), *matrices),
        )

    def _shown(self, matrices: tuple[_Matrix, ...]) -> tuple[float, float, float, float]:
        left, bottom, right, top = (c.value for c in self.corners)
        points = [(left, bottom), (right, bottom), (left, top), (right, top)]
        for a, b, c, d, e, f in matrices:
            points = [(a * x + c * y + e, b * x + d * y + f) for x, y in points]
        points = [self.frame.shown(x, y) for x, y in points]
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        return min(xs), min(ys), max(xs), max(ys)


def read_areas(
    handle: pdfium.PdfPage, frame: Frame, limits: Limits
) -> tuple[list[Area], set[int], bool]:
    """The page's drawn areas, the addresses of its own text objects, and whether some were left.

    Text objects whose address is not among them belong to an embedded drawing.
    """
    reader = _Reader(handle, frame, limits.objects_a_page)
    count = pdfium_c.FPDFPage_CountObjects(handle.raw)
    reader.read(count, lambda i: pdfium_c.FPDFPage_GetObject(handle.raw, i), ())
    return reader.areas, reader.own_text, reader.left < 0
