"""The embedded layout parser: PDF pages to blocks of text in reading order.

`parse_pdf` works in the calling process, `parse_pdf_isolated` and `ParserPool` in processes of
their own that are killed when a file takes too long; `pdf_info` is the cheap look; `draw_overlay`
draws what was understood over the pages.
"""

from resources.pdf_layout.limits import Limits
from resources.pdf_layout.overlay import draw_overlay
from resources.pdf_layout.parser import PdfInfo, parse_pdf, pdf_info
from resources.pdf_layout.worker import ParserPool, parse_pdf_isolated

__all__ = [
    "Limits",
    "ParserPool",
    "PdfInfo",
    "draw_overlay",
    "parse_pdf",
    "parse_pdf_isolated",
    "pdf_info",
]
