"""Super- and subscripts, which GROBID flattens, put back from the PDF: "10 34" to "10^{34}".

GROBID writes the digits of an exponent as a word of their own. In the PDF they are smaller and
stand off the line; where a block's characters were found there, that tells them apart.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from assets.parsing.tei_find import Match
from assets.parsing.tei_text import script
from resources.pdf_text_layer import PageText

_SMALLER = 0.88
_OFF_LINE = 0.05
_SAME_LINE = 0.7
_TOUCHING = 0.3
_WORD_GAP = 0.2
_LARGEST_SHIFT = 1.2


def script_levels(page: PageText) -> NDArray[np.int8]:
    """For each character of a page: 1 where it is a superscript, −1 a subscript, 0 neither.

    A line's own size is that of most of its characters; a script is smaller than 0.88 of it and
    stands more than 0.05 of it off the baseline of the last full-size character before.
    """
    levels = np.zeros(len(page.text), np.int8)
    for line in _lines(page):
        sizes, baselines = page.sizes[line], page.baselines[line]
        kinds = Counter(sizes.round(1).tolist())
        size = max(kinds.items(), key=lambda kind: (kind[1], kind[0]))[0]
        is_full = sizes > _SMALLER * size
        if size <= 0 or not is_full.any():
            continue
        full = np.flatnonzero(is_full)
        before = full[np.maximum(np.searchsorted(full, np.arange(len(line))) - 1, 0)]
        shift = baselines[before] - baselines
        is_script = (_OFF_LINE * size < np.abs(shift)) & (np.abs(shift) < _LARGEST_SHIFT * size)
        levels[line] = np.where(is_script & ~is_full, np.sign(shift), 0)
    return levels


def _lines(page: PageText) -> Iterator[NDArray[np.int64]]:
    """The places of the characters of each line as it is printed.

    The text layer breaks a line where scripts stand above one another; what is level with a line
    is put back to it.
    """
    line: list[int] = []
    start, level, top = 0, 0.0, 0.0
    for piece in page.text.replace("\r", "\n").split("\n"):
        places = [start + i for i, character in enumerate(piece) if character > " "]
        start += len(piece) + 1
        if not places:
            continue
        largest = max(places, key=lambda place: float(page.sizes[place]))
        base, size = float(page.baselines[largest]), float(page.sizes[largest])
        if line and abs(base - level) < _SAME_LINE * max(size, top):
            line += places
            if size <= top:
                continue
        else:
            if line:
                yield np.array(line, np.int64)
            line = places
        level, top = base, size
    if line:
        yield np.array(line, np.int64)


def with_scripts(
    text: str,
    matches: Sequence[Match],
    pages: Sequence[PageText],
    levels: Sequence[NDArray[np.int8]],
) -> tuple[str, list[int]]:
    """The text with its scripts marked, and for each old offset (and the end) the new one."""
    found = {match.offset: match for match in matches}
    level = [
        int(levels[found[i].page][found[i].place]) if i in found else 0 for i in range(len(text))
    ]
    for i in range(1, len(text) - 1):  # a blank inside one script: "max i"
        if text[i] == " " and level[i - 1] and level[i - 1] == level[i + 1]:
            level[i] = level[i - 1]
    written: list[str] = []
    moved: list[int] = []
    length, marked = 0, False
    for value, group in groupby(range(len(text)), key=level.__getitem__):
        places = list(group)
        start, piece = places[0], text[places[0] : places[-1] + 1]
        # A superscript that opens a block is the mark of a note or an address.
        touching = (value > 0 and start == 0) or (
            value != 0 and _is_attached(start, text, found, pages, marked=marked)
        )
        if not touching:
            # GROBID parts every script from what follows; the page tells whether a blank does.
            if marked and piece.startswith(" "):
                drop = _gap(found.get(start - 1), found.get(start + 1), pages) < _WORD_GAP
                moved += [length] * drop
                piece = piece[drop:]
            moved += range(length, length + len(piece))
        else:
            if written and written[-1].endswith(" "):
                written[-1] = written[-1][:-1]
                length -= 1
                moved[-1] = length
            inside = length + (2 if len(piece) > 1 else 1)
            moved += [length, *range(inside + 1, inside + len(piece))]
            piece = script("^" if value > 0 else "_", piece)
        marked = touching or (marked and not piece.strip())
        written.append(piece)
        length += len(piece)
    return "".join(written), [*moved, length]


def _is_attached(
    start: int,
    text: str,
    found: Mapping[int, Match],
    pages: Sequence[PageText],
    *,
    marked: bool,
) -> bool:
    """Whether a script at `start` stands at the character before it, as scripts do.

    One whose base was not found stays as GROBID wrote it, as does one that is marked already.
    `marked` says that the text before it was marked as a script, so that the two are stacked.
    """
    base = start - 2 if text[start - 1 : start] == " " else start - 1
    left, right = found.get(base), found.get(start)
    if base < 0 or text[start - 1] in "^_{" or left is None or right is None:
        return False
    sizes = pages[left.page].sizes
    is_base = marked or sizes[right.place] < _SMALLER * sizes[left.place]
    return bool(is_base) and _gap(left, right, pages) < _TOUCHING


def _gap(left: Match | None, right: Match | None, pages: Sequence[PageText]) -> float:
    """The blank between two characters of a line, in font sizes; endless across lines."""
    if not left or not right or left.page != right.page:
        return float("inf")
    page = pages[left.page]
    size = max(float(page.sizes[left.place]), float(page.sizes[right.place]), 0.1)
    gap = float(page.boxes[right.place][0] - page.boxes[left.place][2]) / size
    off_line = abs(float(page.baselines[left.place] - page.baselines[right.place]))
    return gap if gap > -2 and off_line < _LARGEST_SHIFT * size else float("inf")
