"""The text layer of a PDF, character by character, with the place of each on its page.

Coordinates are PDF points from the top left corner of the page as it is shown (crop box and
rotation applied). `read_text_layer_isolated` reads in a process of its own, which is killed when
the file takes too long, so that no file can hang or crash the caller, and any number of threads
may read at once.
"""

import ctypes
import io
import math
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from resources.errors import Permanent
from resources.pdf_layout.frame import Frame
from resources.pdf_layout.limits import Limits, check_file
from resources.pdf_layout.parser import opened

_ROOT = Path(__file__).resolve().parents[1]
_MOST_CHARACTERS = 5_000_000
_READ, _REFUSED = b"r", b"p"


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


def read_text_layer(pdf: Path, limits: Limits) -> list[PageText]:
    """The text layer of every page, in page order, read in this process.

    Raises:
        Permanent: the file is no PDF that can be opened, or is over a limit.
    """
    pages: list[PageText] = []
    characters = 0
    with opened(pdf, limits) as document:
        for index in range(len(document)):
            pages.append(_page_text(document, index, limits))
            characters += len(pages[-1].text)
            if characters > _MOST_CHARACTERS:
                raise Permanent(
                    f"{pdf.name}: more than {_MOST_CHARACTERS:,} characters by page {index + 1}; "
                    "split the file."
                )
    return pages


def read_text_layer_isolated(pdf: Path, limits: Limits) -> list[PageText]:
    """`read_text_layer` in a process of its own, killed when the time limit passes.

    Raises:
        Permanent: as `read_text_layer`, and where the file takes too long, needs too much memory
            or crashes the PDF library.
    """
    check_file(pdf, limits)
    paths = (str(_ROOT), os.environ.get("PYTHONPATH", ""))
    command = [sys.executable, "-m", __name__, str(pdf.resolve())]
    command += [str(limits.pages), str(limits.glyphs_a_page), str(limits.megabytes_of_memory)]
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter and module
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
            timeout=limits.seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise Permanent(
            f"{pdf.name}: reading its text took longer than the limit of {limits.seconds:g} s."
        ) from error
    kind, body = done.stdout[:1], done.stdout[1:]
    if kind == _REFUSED:
        raise Permanent(body.decode("utf-8", "replace"))
    if kind != _READ or done.returncode != 0:
        raise Permanent(f"{pdf.name}: the PDF library crashed on this file or ran out of memory.")
    return _unpacked(body)


def _page_text(document: pypdfium2.PdfDocument, index: int, limits: Limits) -> PageText:
    try:
        page = document[index]
        text_page = page.get_textpage()
    except pypdfium2.PdfiumError:
        # A page that PDFium cannot load is a page without text, not the end of the document.
        none = np.zeros(0, np.float32)
        return PageText(index + 1, 0.0, 0.0, "", none.reshape(0, 4), none, none, has_images=False)
    try:
        width, height = page.get_size()
        text, boxes, baselines, sizes = _characters(
            text_page.raw, Frame.of(page), limits.glyphs_a_page
        )
        kinds = set() if text.strip() else {item.type for item in page.get_objects(max_depth=2)}
        has_images = pdfium.FPDF_PAGEOBJ_IMAGE in kinds
        return PageText(
            index + 1, float(width), float(height), text, boxes, baselines, sizes, has_images
        )
    finally:
        text_page.close()
        page.close()


def _characters(
    text_page: object, frame: Frame, most: int
) -> tuple[str, NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Text, boxes, baselines and font sizes of a page's first `most` characters."""
    count = min(max(pdfium.FPDFText_CountChars(text_page), 0), most)
    geometry = np.zeros((count, 7), np.float32)
    left, right, bottom, top, x, y = (ctypes.c_double() for _ in range(6))
    matrix = pdfium.FS_MATRIX()
    codes = []
    for index in range(count):
        codes.append(pdfium.FPDFText_GetUnicode(text_page, index))
        pdfium.FPDFText_GetCharBox(text_page, index, left, right, bottom, top)
        pdfium.FPDFText_GetCharOrigin(text_page, index, x, y)
        pdfium.FPDFText_GetMatrix(text_page, index, matrix)
        size = pdfium.FPDFText_GetFontSize(text_page, index) * math.hypot(matrix.c, matrix.d)
        geometry[index] = (
            left.value, bottom.value, right.value, top.value, x.value, y.value, size
        )  # fmt: skip
    xa, ya = frame.shown(geometry[:, 0], geometry[:, 1])
    xb, yb = frame.shown(geometry[:, 2], geometry[:, 3])
    edges = (np.minimum(xa, xb), np.minimum(ya, yb), np.maximum(xa, xb), np.maximum(ya, yb))
    baselines = frame.shown(geometry[:, 4], geometry[:, 5])[1]
    boxes = np.stack(edges, axis=1).astype(np.float32)
    return _text(codes), boxes, baselines.astype(np.float32), geometry[:, 6]


def _text(codes: list[int]) -> str:
    """One character for each code, which are UTF-16 units where a letter needs two of them.

    Such a letter stands at its first unit, with NUL for its second; U+FFFD stands for codes that
    are no character.
    """
    letters: list[str] = []
    for index, code in enumerate(codes):
        following = codes[index + 1] if index + 1 < len(codes) else 0
        if 0xDC00 <= code < 0xE000 and index and 0xD800 <= codes[index - 1] < 0xDC00:
            letters.append("\0")
        elif 0xD800 <= code < 0xDC00 and 0xDC00 <= following < 0xE000:
            letters.append(chr(0x10000 + ((code - 0xD800) << 10) + following - 0xDC00))
        elif 0 < code < 0x110000 and not 0xD800 <= code < 0xE000:
            letters.append(chr(code))
        else:
            letters.append("\ufffd")
    return "".join(letters)


def _packed(pages: list[PageText]) -> bytes:
    """Pages as one archive of plain arrays: nothing in it can run code when it is read."""
    archive = io.BytesIO()
    text = "".join(page.text for page in pages)
    np.savez(
        archive,
        lengths=np.array([len(page.text) for page in pages], np.int64),
        frames=np.array([(page.width, page.height, page.has_images) for page in pages], np.float64),
        text=np.frombuffer(text.encode("utf-32-le"), np.uint32),
        boxes=np.concatenate([page.boxes for page in pages]),
        baselines=np.concatenate([page.baselines for page in pages]),
        sizes=np.concatenate([page.sizes for page in pages]),
    )
    return archive.getvalue()


def _unpacked(data: bytes) -> list[PageText]:
    with np.load(io.BytesIO(data), allow_pickle=False) as archive:
        text = archive["text"].tobytes().decode("utf-32-le")
        boxes, baselines, sizes = archive["boxes"], archive["baselines"], archive["sizes"]
        pages: list[PageText] = []
        start = 0
        for length, (width, height, images) in zip(
            archive["lengths"].tolist(), archive["frames"].tolist(), strict=True
        ):
            here = slice(start, start + length)
            pages.append(
                PageText(
                    len(pages) + 1,
                    width,
                    height,
                    text[here],
                    boxes[here],
                    baselines[here],
                    sizes[here],
                    bool(images),
                )
            )
            start += length
        return pages


def _serve(path: str, pages: str, glyphs: str, megabytes: str) -> None:
    """The other process: read one file, write the answer, end."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing but the answer may reach the pipe
    limits = Limits(pages=int(pages), glyphs_a_page=int(glyphs), megabytes_of_memory=int(megabytes))
    _limit_memory(limits.megabytes_of_memory)
    try:
        answer = _READ + _packed(read_text_layer(Path(path), limits))
    except Permanent as refusal:
        answer = _REFUSED + str(refusal).encode()
    answers.write(answer)
    answers.close()


def _limit_memory(megabytes: int) -> None:
    try:
        import resource  # noqa: PLC0415 - POSIX only

        size = megabytes * 1_000_000
        resource.setrlimit(resource.RLIMIT_AS, (size, resource.getrlimit(resource.RLIMIT_AS)[1]))
    except (ImportError, ValueError, OSError):
        return


if __name__ == "__main__":
    _serve(*sys.argv[1:])
