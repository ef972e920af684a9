"""Where on the pages a TEI's blocks stand: from its coordinates, and from the PDF's own text.

Blocks are found again in the PDF by their letters and digits alone, so that hyphens, blanks,
ligatures and accents, on which GROBID and a text layer rarely agree, cannot hide them. Long blocks
are looked for all over the paper first; short ones, whose words stand in many places, are then
looked for between their neighbours only.
"""

import unicodedata
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from assets.parsing.tei_text import Place, Span
from assets.parsing.tei_xml import TeiLimits
from resources.blocks import Block, BlockKind, Box, PageEntry
from resources.errors import Permanent
from resources.pdf_text_layer import PageText, read_text_layer_isolated

_SEED = 12
_LONG_SEED = 24
_LONG_BLOCK = 32
_SHORTEST_BLOCK = 3
_NEAR = 400
_WIDE_GAP = 2_000
_FAR = 12_000
_AHEAD = 30_000
_SKIP = 48
_PIECES = 12
_OCCURRENCES = 8
_BUDGET = 20_000_000_000
_FLOATING = frozenset({BlockKind.CAPTION, BlockKind.TABLE})


@dataclass(slots=True)
class Draft:
    """A block before its page is known; `spans` are the parts of its text with coordinates.

    `whole` says that the spans together cover the block, and are no more hints from inside it.
    """

    kind: BlockKind
    text: str
    section: tuple[str, ...]
    spans: list[Span]
    whole: bool


class Run(NamedTuple):
    """`length` equal letters at `block` in a block's letters and at `document` in the PDF's."""

    block: int
    document: int
    length: int


def located(
    drafts: Sequence[Draft],
    pdf: Path | None,
    surfaces: dict[int, tuple[float, float]],
    limits: TeiLimits,
) -> tuple[tuple[Block, ...], tuple[PageEntry, ...]]:
    """The blocks with their pages and boxes, and the page ledger.

    `surfaces` are the page sizes that the TEI states. A PDF that cannot be opened or is over
    the limits is as good as none; the ledger then says so.
    """
    pages: list[PageText] = []
    trouble = ""
    if pdf is not None:
        try:
            pages = read_text_layer_isolated(pdf, limits.pdf)
        except Permanent as error:
            trouble = str(error).rstrip(".")
    boxes = [_boxes_of_spans(draft, len(pages)) for draft in drafts]
    if pages:
        found = _Finder(pages).find(drafts)
        boxes = [
            seen if _agree(stated, seen, draft) else stated
            for draft, stated, seen in zip(drafts, boxes, found, strict=True)
        ]
    numbers = _page_numbers(boxes)
    blocks = tuple(
        Block(draft.kind, draft.text, number, draft.section, places)
        for draft, number, places in zip(drafts, numbers, boxes, strict=True)
    )
    return blocks, _ledger(blocks, pages, surfaces, trouble)


def _boxes_of_spans(draft: Draft, page_count: int) -> tuple[Box, ...]:
    """The stated rectangles; each of a span's gets its share of the span's characters by width."""
    boxes: list[Box] = []
    for span in draft.spans:
        places = [place for place in span.places if not page_count or place.page <= page_count]
        total = sum(_extent(place) for place in places)
        passed, start = 0.0, span.start
        for place in places:
            passed += _extent(place)
            end = span.start + round((span.end - span.start) * passed / total)
            boxes.append(Box(place.page, place.x0, place.y0, place.x1, place.y1, start, end))
            start = end
    return _closed(boxes, len(draft.text)) if draft.whole else tuple(boxes)


def _extent(place: Place) -> float:
    return max(place.x1 - place.x0, 1e-3)


def _closed(boxes: Sequence[Box], length: int) -> tuple[Box, ...]:
    """The boxes with the characters between them given to the one before: none is left out."""
    if not boxes:
        return ()
    starts = [0, *(box.start for box in boxes[1:]), length]
    return tuple(
        Box(box.page, box.x0, box.y0, box.x1, box.y1, start, max(start, end))
        for box, (start, end) in zip(boxes, pairwise(starts), strict=True)
    )


def _agree(stated: tuple[Box, ...], seen: tuple[Box, ...], draft: Draft) -> bool:
    """Whether boxes found in the text layer may replace the stated ones, being more exact.

    They may where nothing whole is stated, or where both name the same pages.
    """
    if not seen:
        return False
    if not stated or not draft.whole:
        return True
    return {box.page for box in seen} == {box.page for box in stated}


def _page_numbers(boxes: Sequence[tuple[Box, ...]]) -> list[int]:
    """A page for every block; one without a box takes it from the block before, or after."""
    first_known = next((places[0].page for places in boxes if places), 1)
    numbers, last = [], first_known
    for places in boxes:
        numbers.append(places[0].page if places else last)
        last = places[-1].page if places else last
    return numbers


def _ledger(
    blocks: Sequence[Block],
    pages: Sequence[PageText],
    surfaces: dict[int, tuple[float, float]],
    trouble: str,
) -> tuple[PageEntry, ...]:
    sizes = {page.number: (page.width, page.height) for page in pages} or dict(surfaces)
    characters: dict[int, int] = {}
    counts: dict[int, int] = {}
    known = any(block.boxes for block in blocks)
    for block in blocks:
        shares = [(box.page, box.end - box.start) for box in block.boxes]
        if sum(share for _, share in shares) < len(block.text):
            shares = [(block.page, len(block.text))]
        for page, share in shares:
            characters[page] = characters.get(page, 0) + share
        for page in {page for page, _ in shares}:
            counts[page] = counts.get(page, 0) + 1
    texts = {page.number: page for page in pages}
    last = max([*sizes, *characters, 1])
    entries = []
    for number in range(1, last + 1):
        width, height = sizes.get(number, (0.0, 0.0))
        note = trouble
        if not known:
            note = f"{trouble}; " * bool(trouble) + "pages unknown: the TEI has no coordinates"
        elif number not in counts:
            note = _why_empty(texts.get(number)) or trouble
        entries.append(
            PageEntry(number, width, height, characters.get(number, 0), counts.get(number, 0), note)
        )
    return tuple(entries)


def _why_empty(page: PageText | None) -> str:
    if page is None:
        return "nothing taken by GROBID"
    if page.text.strip():
        return "its text was not taken by GROBID"
    return "image only" if page.has_images else "blank"


@dataclass(frozen=True, slots=True)
class _Letters:
    """The folded letters and digits of a text, and for each the place it comes from."""

    text: str
    source: "array[int]"


class _Finder:
    """Finds drafts in a PDF's text layer."""

    def __init__(self, pages: Sequence[PageText]) -> None:
        self._pages = pages
        self._starts = [0]
        letters: list[str] = []
        self._page_of = array("i")
        self._index_of = array("i")
        for place, page in enumerate(pages):
            folded = _letters(page.text)
            letters.append(folded.text)
            self._page_of.extend([place] * len(folded.text))
            self._index_of.extend(folded.source)
            self._starts.append(self._starts[-1] + len(folded.text))
        self._text = "".join(letters)
        self._budget = _BUDGET

    def find(self, drafts: Sequence[Draft]) -> list[tuple[Box, ...]]:
        """Boxes of each draft, one a line; empty for a draft that was not found."""
        blocks = [_letters(draft.text) for draft in drafts]
        runs: list[list[Run]] = [[] for _ in drafts]
        cursor = 0
        for place, (draft, block) in enumerate(zip(drafts, blocks, strict=True)):
            if len(block.text) < _LONG_BLOCK:
                continue
            runs[place] = self._long(block.text, cursor, self._hinted(draft))
            if runs[place] and draft.kind not in _FLOATING:
                cursor = max(cursor, _extent_of(runs[place])[1])
        for place, (draft, block) in enumerate(zip(drafts, blocks, strict=True)):
            if _SHORTEST_BLOCK <= len(block.text) < _LONG_BLOCK:
                low, high = self._between(runs, drafts, place)
                hinted = self._hinted(draft)
                if hinted:
                    low, high = hinted
                runs[place] = self._short(block.text, low, high, draft.kind)
        return [
            self._boxes(block, found, len(draft.text))
            for draft, block, found in zip(drafts, blocks, runs, strict=True)
        ]

    def _hinted(self, draft: Draft) -> tuple[int, int] | None:
        """The range of letters on the pages that the draft's coordinates name."""
        numbers = [place.page for span in draft.spans for place in span.places]
        numbers = [number for number in numbers if number <= len(self._pages)]
        if not numbers:
            return None
        first, last = min(numbers), max(numbers)
        if not draft.whole:  # a hint from inside the block: it may begin and end a page away
            first, last = max(first - 1, 1), min(last + 1, len(self._pages))
        return self._starts[first - 1], self._starts[last]

    def _long(self, block: str, cursor: int, hinted: tuple[int, int] | None) -> list[Run]:
        near = (max(cursor - _AHEAD, 0), cursor + _AHEAD)
        everywhere = (0, len(self._text))
        searches = [(hinted, _LONG_SEED), (hinted, _SEED)] if hinted else []
        searches += [(everywhere, _LONG_SEED), (near, _SEED)]
        for (low, high), seed in searches:
            anchor = self._anchor(block, seed, low, high, cursor)
            if anchor:
                return self._aligned(block, *anchor, low, high)
        return []

    def _anchor(
        self, block: str, seed: int, low: int, high: int, cursor: int
    ) -> tuple[int, int] | None:
        """The first of the block's pieces, and its place where most of them stand together.

        A phrase of the block may stand elsewhere too, in an abstract or a caption; all its phrases
        in one place are the block. Of equal places the one nearest to the cursor counts.
        """
        last = max(len(block) - seed, 0)
        seen: list[tuple[int, int]] = []
        for start in range(0, last + 1, max(last // _PIECES, 1)):
            found = low - 1
            for _ in range(_OCCURRENCES):
                if self._budget < 0:
                    break
                found = self._text.find(block[start : start + seed], found + 1, high)
                self._budget -= high - low
                if found < 0:
                    break
                seen.append((start, found))
        if not seen:
            return None
        reach = _NEAR + len(block) // 2

        def support(one: tuple[int, int]) -> tuple[int, int]:
            origin = one[1] - one[0]
            pieces = {start for start, found in seen if abs(found - start - origin) <= reach}
            return len(pieces), -abs(origin - cursor)

        start, found = max(seen, key=support)
        return min(one for one in seen if abs(one[1] - one[0] - found + start) <= reach)

    def _aligned(self, block: str, start: int, found: int, low: int, high: int) -> list[Run]:
        """All runs of equal letters from an anchor on, and just before it."""
        while start > 0 and found > low and block[start - 1] == self._text[found - 1]:
            start, found = start - 1, found - 1
        runs: list[Run] = []
        while True:
            length = _common_prefix(block, start, self._text, found)
            runs.append(Run(start, found, length))
            start, found = start + length, found + length
            step = self._resumed(block, start, found, high)
            if step is None:
                return runs
            start, found = step

    def _resumed(self, block: str, start: int, found: int, high: int) -> tuple[int, int] | None:
        """Where both texts go on together after a difference: nearby first, then farther on."""
        while len(block) - start >= _SEED and self._budget > 0:
            for reach, seed in ((_NEAR, _SEED), (_FAR, _LONG_SEED)):
                end = min(found + reach, high)
                for skip in range(min(_SKIP, max(len(block) - start - seed + 1, 0))):
                    piece = block[start + skip : start + skip + seed]
                    place = self._text.find(piece, found, end)
                    if place >= 0:
                        return start + skip, place
            start += _SKIP
            self._budget -= _SKIP * _FAR
        rest = block[start:]
        if _SHORTEST_BLOCK <= len(rest) < _SEED:
            place = self._text.find(rest, found, min(found + _SEED * 4, high))
            return (start, place) if place >= 0 else None
        return None

    def _between(
        self, runs: Sequence[list[Run]], drafts: Sequence[Draft], place: int
    ) -> tuple[int, int]:
        """The range of letters between the found neighbours of a draft."""
        low, high = 0, len(self._text)
        for before in range(place - 1, -1, -1):
            if runs[before] and drafts[before].kind not in _FLOATING:
                low = _extent_of(runs[before])[1]
                break
        for after in range(place + 1, len(runs)):
            if runs[after] and drafts[after].kind not in _FLOATING:
                high = _extent_of(runs[after])[0]
                break
        return (low, high) if low < high else (low, min(low + _AHEAD, len(self._text)))

    def _short(self, block: str, low: int, high: int, kind: BlockKind) -> list[Run]:
        # A heading stands right before what follows it, anything else right after what precedes.
        search = self._text.rfind if kind is BlockKind.HEADING else self._text.find
        found = search(block, low, high)
        return [Run(0, found, len(block))] if found >= 0 else []

    def _boxes(self, block: _Letters, runs: Sequence[Run], length: int) -> tuple[Box, ...]:
        """One box a line of the page, over the letters that were found there."""
        lines: list[_Line] = []
        for run in runs:
            for step in range(run.length):
                page = self._pages[self._page_of[run.document + step]]
                edges = page.boxes[self._index_of[run.document + step]].tolist()
                x0, y0, x1, y1 = (round(edge, 2) for edge in edges)
                start = block.source[run.block + step]
                if lines and lines[-1].takes(page.number, x0, y0, y1):
                    lines[-1].widen(x0, y0, x1, y1)
                else:
                    lines.append(_Line(page.number, x0, y0, x1, y1, start))
        return _closed(
            [Box(line.page, line.x0, line.y0, line.x1, line.y1, line.start, 0) for line in lines],
            length,
        )


@dataclass(slots=True)
class _Line:
    """A line of a block on a page while its characters come in."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float
    start: int

    def takes(self, page: int, x0: float, y0: float, y1: float) -> bool:
        """Whether a character stands on this line: level with it and not far to its left."""
        middle, height = (y0 + y1) / 2, self.y1 - self.y0
        level = self.y0 - height / 2 <= middle <= self.y1 + height / 2
        return page == self.page and level and x0 > self.x0 - 1

    def widen(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """Stretch the line over one more character."""
        self.x0, self.y0 = min(self.x0, x0), min(self.y0, y0)
        self.x1, self.y1 = max(self.x1, x1), max(self.y1, y1)


def _extent_of(runs: Sequence[Run]) -> tuple[int, int]:
    """Where runs begin in the document, and where they end before the first wide gap."""
    if not runs:
        return 0, 0
    end = runs[0].document + runs[0].length
    for run in runs[1:]:
        if run.document - end > _WIDE_GAP:
            break
        end = run.document + run.length
    return runs[0].document, end


def _common_prefix(one: str, start: int, other: str, place: int) -> int:
    """The number of equal characters of two strings from two places on."""
    length, most = 0, min(len(one) - start, len(other) - place)
    while length < most:
        step = min(64, most - length)
        if one[start + length : start + length + step] == other[place + length :][:step]:
            length += step
            continue
        while length < most and one[start + length] == other[place + length]:
            length += 1
        return length
    return length


def _letters(text: str) -> _Letters:
    letters: list[str] = []
    source = array("i")
    for place, character in enumerate(text):
        for letter in _folded(character):
            letters.append(letter)
            source.append(place)
    return _Letters("".join(letters), source)


@lru_cache(maxsize=8192)
def _folded(character: str) -> str:
    """The bare letters or digits of a character: lower case, no accents; empty for a sign."""
    return "".join(
        letter for letter in unicodedata.normalize("NFKD", character.casefold()) if letter.isalnum()
    )
