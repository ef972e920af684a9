"""What one file may cost, and the cheap checks made before it is read."""

import re
from dataclasses import dataclass
from pathlib import Path

from resources.errors import Permanent

_MEGABYTE = 1_000_000
_HEAD = 2_048
_TAIL = 32_768  # bytes at the end in which the end mark must stand
_LINEARISED = re.compile(rb"/Linearized\b[^>]{0,400}?/L\s+(\d{1,12})\b")


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one PDF: its size, its pages, and the time and memory that parsing may take.

    `seconds` and `megabytes_of_memory` bind only where the parsing runs in a process of its own
    (`parse_pdf_isolated`, `ParserPool`); `glyphs_a_page` and `objects_a_page` bound the work on
    one page, beyond which the rest of that page is left out and its ledger entry says so.
    """

    bytes: int = 250 * _MEGABYTE
    pages: int = 2_000
    seconds: float = 120.0
    megabytes_of_memory: int = 3_000
    glyphs_a_page: int = 60_000
    objects_a_page: int = 20_000


def check_file(path: Path, limits: Limits) -> None:
    """Refuses what is no readable file, is empty, too large, or does not begin as a PDF does.

    Raises `Permanent` with one sentence.
    """
    if not path.is_file():
        raise Permanent(f"{path.name}: there is no such file; check the path {path}.")
    size = path.stat().st_size
    if size == 0:
        raise Permanent(f"{path.name}: the file is empty; fetch it again.")
    if size > limits.bytes:
        raise Permanent(
            f"{path.name}: {size / _MEGABYTE:,.0f} MB is over the limit of "
            f"{limits.bytes / _MEGABYTE:,.0f} MB a file; split it or raise the limit."
        )
    with path.open("rb") as file:
        head = file.read(_HEAD)
        file.seek(max(0, size - _TAIL))
        tail = file.read(_TAIL)
    if b"%PDF-" not in head:
        raise Permanent(f"{path.name}: this is not a PDF (it lacks the %PDF mark); replace it.")
    length = _LINEARISED.search(head)
    cut = length is not None and size < int(length[1])
    if cut or not (b"%%EOF" in tail or b"startxref" in tail):
        raise Permanent(f"{path.name}: the PDF is cut short (its end is missing); fetch it again.")
