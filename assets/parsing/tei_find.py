"""Finding the blocks of a TEI again in the text layer of the PDF that it was made from.

Only letters and digits are compared, so that hyphens, blanks, ligatures and accents, on which
GROBID and a text layer rarely agree, cannot hide a block. Long blocks are looked for all over the
paper first; short ones, whose words stand in many places, then between their neighbours only.
"""

import unicodedata
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from assets.parsing.tei_text import Draft
from resources.blocks import BlockKind
from resources.pdf_text_layer import PageText

_SEED = 12
_LONG_SEED = 24
_FAR_SEED = 40
_AT_ONCE = 4
_LONG_BLOCK = 32
_SHORTEST_BLOCK = 3
_NEAR = 400
_WIDE_GAP = 2_000
_FAR = 12_000
_AHEAD = 30_000
_BEFORE_TEXT = 600
_SKIP = 400
_SHORT_GAP = 160
_NARROW = 100
_PIECES = 12
_OCCURRENCES = 8
_MOSTLY = 0.6
_LARGEST_AREA = 4_000
_LETTERS_SEARCHED = 50_000_000_000
_STRETCHES_LOST = 1_000
_FLOATING = frozenset({BlockKind.CAPTION, BlockKind.TABLE})
_DASHES = dict.fromkeys(map(ord, "−–—‐‑‒"), "-")


class Match(NamedTuple):
    """A character of a draft's text (`offset`) and of a page's text (`page` from 0, `place`)."""

    offset: int
    page: int
    place: int


@dataclass(slots=True)
class Finding:
    """Where a draft stands: character by character, or only the `area` between its neighbours.

    Both are in the order of the draft's text; both are empty for a draft that was not found.
    """

    matches: list[Match] = field(default_factory=list)
    area: list[Match] = field(default_factory=list)


class _Run(NamedTuple):
    """`length` equal letters at `block` in a block's letters and at `document` in the PDF's."""

    block: int
    document: int
    length: int


@dataclass(frozen=True, slots=True)
class _Letters:
    """The folded letters and digits of a text, and for each the place it comes from."""

    text: str
    source: "array[int]"


class Finder:
    """Finds drafts in a PDF's text layer; the work that one paper may take is bounded."""

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
        self._backwards = self._text[::-1]
        self._letters_left = _LETTERS_SEARCHED
        self._stretches_left = _STRETCHES_LOST

    def find(self, drafts: Sequence[Draft]) -> Iterator[Finding]:
        """A finding for each draft, in the order given."""
        blocks = [_letters(draft.text) for draft in drafts]
        runs: list[list[_Run]] = [[] for _ in drafts]
        cursor = 0
        for place, (draft, block) in enumerate(zip(drafts, blocks, strict=True)):
            if len(block.text) < _LONG_BLOCK:
                continue
            runs[place] = self._long(block.text, cursor, self._hinted(draft))
            if runs[place] and draft.kind not in _FLOATING:
                cursor = max(cursor, _extent_of(runs[place])[1])
        bounds = self._bounds(drafts, runs)
        passed = 0
        for place, (draft, block) in enumerate(zip(drafts, blocks, strict=True)):
            if _SHORTEST_BLOCK <= len(block.text) < _LONG_BLOCK:
                low, high = self._hinted(draft) or _between(bounds[place], passed, draft.kind)
                runs[place] = self._short(block.text, low, high, draft.kind)
                passed = _extent_of(runs[place])[1] or passed
        bounds = self._bounds(drafts, runs)
        for draft, block, found, (low, high) in zip(drafts, blocks, runs, bounds, strict=True):
            if found:
                yield Finding(matches=list(self._matches(draft.text, block, found)))
            elif draft.kind not in _FLOATING and self._may_fill(len(block.text), high - low):
                yield Finding(area=[self._match(0, letter) for letter in range(low, high)])
            else:
                yield Finding()

    def _bounds(self, drafts: Sequence[Draft], runs: Sequence[list[_Run]]) -> list[tuple[int, int]]:
        """For each draft where the one found before it ends, and where the next one begins."""
        ends, starts = [], []
        end, start = 0, len(self._text)
        for draft, found in zip(drafts, runs, strict=True):
            ends.append(end)
            if found and draft.kind not in _FLOATING:
                end = _extent_of(found)[1]
        for draft, found in zip(reversed(drafts), reversed(runs), strict=True):
            starts.append(start)
            if found and draft.kind not in _FLOATING:
                start = _extent_of(found)[0]
        return list(zip(ends, reversed(starts), strict=True))

    @staticmethod
    def _may_fill(length: int, gap: int) -> bool:
        """Whether what stands between two blocks can be one that was not found between them."""
        return 0 < gap <= min(6 * length + _NARROW, _LARGEST_AREA)

    def _match(self, offset: int, letter: int) -> Match:
        return Match(offset, self._page_of[letter], self._index_of[letter])

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

    def _long(self, block: str, cursor: int, hinted: tuple[int, int] | None) -> list[_Run]:
        near = (max(cursor - _AHEAD, 0), min(cursor + _AHEAD, len(self._text)))
        everywhere = (0, len(self._text))
        searches = [(hinted, _LONG_SEED, 0.0), (hinted, _SEED, 0.0)] if hinted else []
        searches += [(near, _LONG_SEED, _MOSTLY), (everywhere, _LONG_SEED, 0.0), (near, _SEED, 0.0)]
        for (low, high), seed, least in searches:
            anchor = self._anchor(block, seed, low, high, cursor, least)
            if anchor:
                return self._aligned(block, *anchor, low, high)
        return []

    def _anchor(  # noqa: PLR0913 - a search has that many sides
        self, block: str, seed: int, low: int, high: int, cursor: int, least: float
    ) -> tuple[int, int] | None:
        """The first of the block's pieces, and its place where most of them stand together.

        A phrase of the block may stand elsewhere too, in an abstract or a caption; all its phrases
        in one place are the block. Of equal places the one nearest to the cursor counts; fewer
        than the share `least` of all pieces are not enough.
        """
        last = max(len(block) - seed, 0)
        starts = range(0, last + 1, max(last // _PIECES, 1))
        seen: list[tuple[int, int]] = []
        for start in starts:
            found = low - 1
            for _ in range(_OCCURRENCES):
                if self._letters_left < 0:
                    return None
                passed = found + 1
                found = self._text.find(block[start : start + seed], passed, high)
                self._letters_left -= (found if found >= 0 else high) - passed
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

        start, found = best = max(seen, key=support)
        if support(best)[0] < least * len(starts):
            return None
        return min(one for one in seen if abs(one[1] - one[0] - found + start) <= reach)

    def _aligned(self, block: str, start: int, found: int, low: int, high: int) -> list[_Run]:
        """All runs of equal letters on both sides of an anchor, in the order of the block."""
        onward = self._runs(block, start, found, self._text, high)
        size = len(self._text)
        back = self._runs(block[:start][::-1], 0, size - found, self._backwards, size - low)
        before = [
            _Run(start - run.block - run.length, size - run.document - run.length, run.length)
            for run in reversed(back)
        ]
        return self._filled(block, [*before, *onward])

    def _filled(self, block: str, runs: Sequence[_Run]) -> list[_Run]:
        """The runs and, between two of them, what short differing stretches still share.

        Formulas have too few letters in a row to be found by pieces, but are bounded on both
        sides.
        """
        filled = list(runs[:1])
        for last, run in pairwise(runs):
            start, found = last.block + last.length, last.document + last.length
            here, there = block[start : run.block], self._text[found : run.document]
            if 0 < len(here) <= _SHORT_GAP and abs(len(here) - len(there)) <= len(here) // 2 + 4:
                same = SequenceMatcher(None, here, there, autojunk=False).get_matching_blocks()
                filled += [_Run(start + at, found + by, size) for at, by, size in same if size]
            filled.append(run)
        return filled

    def _runs(self, block: str, start: int, found: int, text: str, high: int) -> list[_Run]:
        """The runs from one place in both texts on, up to `high`."""
        runs: list[_Run] = []
        while True:
            length = _common_prefix(block, start, text, found)
            if length:
                runs.append(_Run(start, found, length))
            start, found = start + length, found + length
            step = self._resumed(block, start, found, text, high)
            if step is None:
                return runs
            start, found = step

    def _resumed(
        self, block: str, start: int, found: int, text: str, high: int
    ) -> tuple[int, int] | None:
        """Where both texts go on together after a difference: nearby first, then farther on.

        Farther on stands what a figure or a footnote parted from its paragraph: it goes on at
        once, or with more letters in a row than a common phrase has.
        """
        while len(block) - start >= _SEED and self._stretches_left > 0:
            for reach, seed, most in (
                (_NEAR, _SEED, _SKIP // 8),
                (_FAR, _LONG_SEED, _AT_ONCE),
                (_FAR, _FAR_SEED, _SKIP // 8),
                (_NEAR, _SEED, _SKIP),
                (_FAR, _FAR_SEED, _SKIP),
            ):
                for skip in range(min(most, len(block) - start - seed + 1)):
                    piece = block[start + skip : start + skip + seed]
                    place = text.find(piece, found, min(found + reach + skip, high))
                    if place >= 0:
                        return start + skip, place
            start += _SKIP
            self._stretches_left -= 1
        rest = block[start:]
        if _SHORTEST_BLOCK <= len(rest) < _SEED:
            place = text.find(rest, found, min(found + _SEED * 4, high))
            return (start, place) if place >= 0 else None
        return None

    def _short(self, block: str, low: int, high: int, kind: BlockKind) -> list[_Run]:
        """A heading stands right before what follows it, anything else after what precedes."""
        search = self._text.rfind if kind is BlockKind.HEADING else self._text.find
        found = search(block, low, high)
        return [_Run(0, found, len(block))] if found >= 0 else []

    def _matches(self, text: str, block: _Letters, runs: Sequence[_Run]) -> Iterator[Match]:
        """Each letter found, and the signs between two of them where both texts have the same."""
        previous: Match | None = None
        for run in runs:
            for step in range(run.length):
                offset = block.source[run.block + step]
                match = self._match(offset, run.document + step)
                if previous and previous.page == match.page:
                    yield from self._signs(text, previous, match)
                if not previous or match[:2] != previous[:2] or match.place != previous.place:
                    yield match
                previous = match

    def _signs(self, text: str, before: Match, after: Match) -> Iterator[Match]:
        if after.offset - before.offset < 2 or not 2 <= after.place - before.place <= _NARROW:
            return
        here = [i for i in range(before.offset + 1, after.offset) if not text[i].isspace()]
        page = self._pages[before.page].text
        there = [i for i in range(before.place + 1, after.place) if page[i] > " "]
        if [_sign(text[i]) for i in here] == [_sign(page[i]) for i in there]:
            for offset, place in zip(here, there, strict=True):
                yield Match(offset, before.page, place)


def _between(bounds: tuple[int, int], passed: int, kind: BlockKind) -> tuple[int, int]:
    """Where to look for a short block that stands after `passed` and between its neighbours."""
    low, high = bounds
    low = max(low, passed) if passed < high else low
    if low < high:
        return low, high
    # Out of order, beside a figure or in another column: near to what follows, or precedes.
    if kind is BlockKind.HEADING:
        return max(high - _BEFORE_TEXT, 0), high
    return low, low + _AHEAD


def _extent_of(runs: Sequence[_Run]) -> tuple[int, int]:
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


def _sign(character: str) -> str:
    """A sign as both texts may write it: all dashes and minus signs are one."""
    return unicodedata.normalize("NFKC", character).translate(_DASHES)
