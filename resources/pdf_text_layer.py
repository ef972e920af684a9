"""The text layer of a PDF, character by character, with the place of each on its page.

Coordinates are PDF points from the top left corner of the page as it is shown (crop box and
rotation applied). PDFium, which reads the file, must not be entered by two threads at once:
`PDFIUM` is the lock that every use in a process holds.
"""

import ctypes
import threading
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from resources.errors import Permanent

PDFIUM = threading.RLock()


@dataclass(frozen=True, slots=True)
class PageText:
    """One page: its size in points and its characters.

    `text` has one character for each character index of PDFium, among them the blanks and line
    ends that PDFium infers; `boxes` (n × 4: x0, y0, x1, y1), `baselines` (n) and `sizes` (n, font
    size in points) go with it. `has_images` tells a scan from a blank page.
    """

    number: int
    width: float
    height: float
    text: str
    boxes: NDArray[np.float32]
    baselines: NDArray[np.float32]
    sizes: NDArray[np.float32]
    has_images: bool


def read_text_layer(pdf: Path, max_pages: int, max_characters: int = 20_000_000) -> list[PageText]:
    """The text layer of every page, in page order.

    Raises:
        Permanent: the file is no PDF that can be opened, has more than `max_pages` pages or more
            than `max_characters` characters.
    """
    with PDFIUM:
        try:
            document = pypdfium2.PdfDocument(pdf)
        except (pypdfium2.PdfiumError, OSError, ValueError) as error:
            raise Permanent(f"{pdf.name} cannot be opened as a PDF ({error}).") from error
        try:
            if len(document) > max_pages:
                raise Permanent(
                    f"{pdf.name} has {len(document)} pages, over the limit of {max_pages}."
                )
            pages: list[PageText] = []
            characters = 0
            for index in range(len(document)):
                pages.append(_page_text(document, index))
                characters += len(pages[-1].text)
                if characters > max_characters:
                    raise Permanent(
                        f"{pdf.name} has more than {max_characters} characters by page {index + 1}."
                    )
            return pages
        finally:
            document.close()


def _page_text(document: pypdfium2.PdfDocument, index: int) -> PageText:
    try:
        page = document[index]
        text_page = page.get_textpage()
    except pypdfium2.PdfiumError:
        # A page that PDFium cannot load is a page without text, not the end of the document.
        nothing = np.zeros(0, np.float32)
        return PageText(
            index + 1, 0.0, 0.0, "", nothing.reshape(0, 4), nothing, nothing, has_images=False
        )
    try:
        width, height = page.get_size()
        text, geometry = _characters(text_page.raw)
        boxes, baselines = _shown(geometry[:, :4], geometry[:, 5], page)
        kinds = {item.type for item in page.get_objects(max_depth=2)} if not text.strip() else set()
        return PageText(
            index + 1,
            float(width),
            float(height),
            text,
            boxes,
            baselines,
            geometry[:, 6],
            has_images=pdfium.FPDF_PAGEOBJ_IMAGE in kinds,
        )
    finally:
        text_page.close()
        page.close()


def _characters(text_page: object) -> tuple[str, NDArray[np.float32]]:
    """All characters, and for each left, bottom, right, top, origin x and y, font size."""
    count = max(pdfium.FPDFText_CountChars(text_page), 0)
    geometry = np.zeros((count, 7), np.float32)
    left, right, bottom, top, x, y = (ctypes.c_double() for _ in range(6))
    letters = []
    for index in range(count):
        letters.append(_letter(pdfium.FPDFText_GetUnicode(text_page, index)))
        pdfium.FPDFText_GetCharBox(text_page, index, left, right, bottom, top)
        pdfium.FPDFText_GetCharOrigin(text_page, index, x, y)
        size = pdfium.FPDFText_GetFontSize(text_page, index)
        geometry[index] = (
            left.value, bottom.value, right.value, top.value, x.value, y.value, size
        )  # fmt: skip
    return "".join(letters), geometry


def _letter(code: int) -> str:
    """One character for a code point; U+FFFD for codes that are no character (surrogates)."""
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def _shown(
    boxes: NDArray[np.float32], baselines: NDArray[np.float32], page: pypdfium2.PdfPage
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Page space (origin at the bottom left, unrotated) to the shown page's top left corner."""
    left, bottom, right, top = page.get_cropbox()
    x0, y0, x1, y1 = boxes.T
    match page.get_rotation():
        case 90:
            shown = (y0 - bottom, x0 - left, y1 - bottom, x1 - left)
        case 180:
            shown = (right - x1, y0 - bottom, right - x0, y1 - bottom)
        case 270:
            shown = (top - y1, right - x1, top - y0, right - x0)
        case _:
            shown = (x0 - left, top - y1, x1 - left, top - y0)
    return np.stack(shown, axis=1).astype(np.float32), (top - baselines).astype(np.float32)
