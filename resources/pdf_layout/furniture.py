"""What a page carries besides its text: running heads, page and line numbers, margin stamps."""

import re
from collections import Counter

from resources.pdf_layout.lines import Line

_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"^[\W_]*(?:page\s*)?(\d{1,4}|[ivxlc]{1,6})(?:\s*(?:/|of)\s*\d{1,4})?[\W_]*$", re.I
)


def remove_furniture(pages: list[list[Line]], heights: list[float]) -> list[list[Line]]:
    """The pages' pieces without running heads, feet, page numbers and line numbers."""
    pages = [_without_line_numbers(p) for p in pages]
    seen: Counter[tuple[str, int]] = Counter()
    for pieces, height in zip(pages, heights, strict=True):
        seen.update({_signature(p) for p in pieces if _in_margin(p, height)})
    kept = []
    for pieces, height in zip(pages, heights, strict=True):
        kept.append(
            [
                p
                for p in pieces
                if not (
                    _in_margin(p, height)
                    and (seen[_signature(p)] > 1 or _PAGE_NUMBER.match(p.plain()))
                )
            ]
        )
    return kept


def _in_margin(piece: Line, height: float) -> bool:
    return piece.y < 0.09 * height or piece.y > 0.92 * height


def _signature(piece: Line) -> tuple[str, int]:
    return _DIGITS.sub("#", piece.plain()), round(piece.y / 4)


def _without_line_numbers(pieces: list[Line]) -> list[Line]:
    if not pieces:
        return pieces
    body = [p for p in pieces if p.letters > 20]
    if not body:
        return pieces
    left = min(p.x0 for p in body)
    right = max(p.x1 for p in body)
    numbers = [p for p in pieces if p.plain().isdigit() and (p.x1 < left or p.x0 > right)]
    numbers.sort(key=lambda p: p.y)
    values = [int(p.plain()) for p in numbers]
    if len(values) >= 3 and all(a < b for a, b in zip(values, values[1:], strict=False)):
        return [p for p in pieces if p not in numbers]
    return pieces
