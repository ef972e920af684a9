"""Opens a PDF within limits and parses it in the calling process."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pypdfium2 as pdfium

from resources.blocks import ParsedDocument
from resources.errors import Permanent
from resources.pdf_layout.document import analyse
from resources.pdf_layout.fonts import FontCache
from resources.pdf_layout.glyphs import Page, read_page
from resources.pdf_layout.limits import Limits, check_file


@dataclass(frozen=True, slots=True)
class PdfInfo:
    """What a PDF says about itself, without reading its pages."""

    pages: int
    title: str
    author: str
    subject: str
    creator: str
    producer: str


_PASSWORD = 4  # the library's code for a document that asks for one


@contextmanager
def opened(path: Path, limits: Limits) -> Iterator[pdfium.PdfDocument]:
    """The open document; raises `Permanent` with one sentence where it cannot or may not be."""
    check_file(path, limits)
    try:
        document = pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) == _PASSWORD:
            message = f"{path.name}: the PDF is encrypted; save it without a password."
        else:
            message = f"{path.name}: the PDF is damaged or cut short; fetch it again."
        raise Permanent(message) from error
    try:
        if len(document) == 0:
            raise Permanent(f"{path.name}: the PDF has no pages; fetch it again.")
        if len(document) > limits.pages:
            raise Permanent(
                f"{path.name}: {len(document):,} pages are over the limit of {limits.pages:,} "
                "a file; split it or raise the limit."
            )
        yield document
    finally:
        document.close()


def pdf_info(path: Path, limits: Limits | None = None) -> PdfInfo:
    """Page count and metadata; raises `Permanent` with one sentence for an unusable file."""
    with opened(path, limits or Limits()) as document:
        said = document.get_metadata_dict()
        return PdfInfo(
            len(document),
            *(
                said.get(k, "").strip()
                for k in ("Title", "Author", "Subject", "Creator", "Producer")
            ),
        )


def parse_pdf(path: Path, limits: Limits | None = None) -> ParsedDocument:
    """The document in a PDF file, parsed in this process.

    Raises `Permanent` with one sentence for what is no PDF, is empty, damaged, encrypted or over
    the limits of bytes and pages. Odd content never raises: a page that cannot be read is noted
    in the ledger.
    """
    with opened(path, limits or Limits()) as document:
        fonts = FontCache()
        pages = [_page(document, i, fonts, limits or Limits()) for i in range(len(document))]
    return analyse(pages)


def _page(document: pdfium.PdfDocument, index: int, fonts: FontCache, limits: Limits) -> Page:
    try:
        return read_page(document, index, fonts, limits)
    except pdfium.PdfiumError:
        return Page(index + 1, 0.0, 0.0, note="the page cannot be read")
