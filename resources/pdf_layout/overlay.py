"""Draws a parsed document's blocks, their kinds and order, over the pages they were read from."""

import ctypes
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from resources.blocks import BlockKind, ParsedDocument
from resources.errors import UsageError
from resources.pdf_layout.frame import Frame
from resources.pdf_layout.limits import Limits
from resources.pdf_layout.parser import opened

_COLOURS = {
    BlockKind.ABSTRACT: (123, 31, 162),
    BlockKind.HEADING: (198, 40, 40),
    BlockKind.PARAGRAPH: (21, 101, 192),
    BlockKind.CAPTION: (239, 108, 0),
    BlockKind.TABLE: (46, 125, 50),
    BlockKind.EQUATION: (0, 131, 143),
    BlockKind.REFERENCE: (93, 64, 55),
}
_LABEL_SIZE = 6.0  # points
_SCALE = 2.0  # pixels a point in PNG pages


class _Mark(NamedTuple):
    """One block's part on one page."""

    order: int
    kind: BlockKind
    rectangles: list[tuple[float, float, float, float]]


def draw_overlay(
    pdf_path: Path, document: ParsedDocument, out_path: Path, limits: Limits | None = None
) -> list[Path]:
    """Writes the PDF with every block outlined in its kind's colour and numbered in order.

    `out_path` ending in .pdf gives one PDF; ending in .png gives one picture a page, named
    `<stem>-<page>.png`. Returns the files written. Raises `UsageError` for another ending and
    `Permanent` where the PDF cannot be opened.
    """
    marks = _marks(document)
    with opened(pdf_path, limits or Limits()) as pdf:
        if out_path.suffix.lower() == ".pdf":
            return [_write_pdf(pdf, marks, out_path)]
        if out_path.suffix.lower() == ".png":
            return _write_pictures(pdf, marks, out_path)
    raise UsageError(f"{out_path.name}: an overlay is written as .pdf or .png; choose one of them.")


def _marks(document: ParsedDocument) -> dict[int, list[_Mark]]:
    marks: dict[int, list[_Mark]] = defaultdict(list)
    for order, block in enumerate(document.blocks, 1):
        by_page: dict[int, list[tuple[float, float, float, float]]] = defaultdict(list)
        for box in block.boxes:
            by_page[box.page].append((box.x0, box.y0, box.x1, box.y1))
        for page, rectangles in by_page.items():
            marks[page].append(_Mark(order, block.kind, rectangles))
    return marks


def _write_pdf(pdf: pdfium.PdfDocument, marks: dict[int, list[_Mark]], out_path: Path) -> Path:
    font = pdfium_c.FPDFText_LoadStandardFont(pdf.raw, b"Helvetica-Bold")
    for index in range(len(pdf)):
        page = pdf[index]
        frame = Frame.of(page)
        for mark in marks.get(index + 1, []):
            shapes = [_rectangle(frame, corners) for corners in mark.rectangles]
            for shape in shapes:
                pdfium_c.FPDFPageObj_SetStrokeColor(shape, *_COLOURS[mark.kind], 255)
            label = pdfium_c.FPDFPageObj_CreateTextObj(pdf.raw, font, _LABEL_SIZE)
            _fill_label(label, frame, mark)
            for shape in (*shapes, label):
                pdfium_c.FPDFPage_InsertObject(page.raw, shape)
        pdfium_c.FPDFPage_GenerateContent(page.raw)
        page.close()
    pdf.save(out_path)
    pdfium_c.FPDFFont_Close(font)
    return out_path


def _rectangle(frame: Frame, corners: tuple[float, float, float, float]) -> Any:
    xa, ya = frame.user(corners[0], corners[1])
    xb, yb = frame.user(corners[2], corners[3])
    shape = pdfium_c.FPDFPageObj_CreateNewRect(min(xa, xb), min(ya, yb), abs(xb - xa), abs(yb - ya))
    pdfium_c.FPDFPageObj_SetStrokeWidth(shape, 0.5)
    pdfium_c.FPDFPath_SetDrawMode(shape, pdfium_c.FPDF_FILLMODE_NONE, True)
    return shape


def _fill_label(shape: Any, frame: Frame, mark: _Mark) -> None:
    wide = f"{mark.order} {mark.kind}\0".encode("utf-16-le")
    buffer = ctypes.create_string_buffer(wide)
    pdfium_c.FPDFText_SetText(shape, ctypes.cast(buffer, pdfium_c.FPDF_WIDESTRING))
    pdfium_c.FPDFPageObj_SetFillColor(shape, *_COLOURS[mark.kind], 255)
    x, y = frame.user(mark.rectangles[0][0] - 2, mark.rectangles[0][1])
    turn = {0: (1, 0, 0, 1), 90: (0, 1, -1, 0), 180: (-1, 0, 0, -1), 270: (0, -1, 1, 0)}
    pdfium_c.FPDFPageObj_Transform(shape, *turn[frame.rotation], x, y)


def _write_pictures(
    pdf: pdfium.PdfDocument, marks: dict[int, list[_Mark]], out_path: Path
) -> list[Path]:
    from PIL import ImageDraw  # noqa: PLC0415  (only pictures need it)

    written = []
    for index in range(len(pdf)):
        page = pdf[index]
        picture = page.render(scale=_SCALE).to_pil().convert("RGB")
        page.close()
        draw = ImageDraw.Draw(picture, "RGBA")
        for mark in marks.get(index + 1, []):
            colour = _COLOURS[mark.kind]
            for rectangle in mark.rectangles:
                draw.rectangle([v * _SCALE for v in rectangle], outline=colour, fill=(*colour, 30))
            x, y, _, _ = mark.rectangles[0]
            draw.text((x * _SCALE - 4, y * _SCALE - 10), f"{mark.order} {mark.kind}", fill=colour)
        target = out_path.with_name(f"{out_path.stem}-{index + 1:03d}.png")
        picture.save(target)
        written.append(target)
    return written
