"""Where on the pages a TEI's blocks stand: from its coordinates, and from the PDF's own text.

With the PDF at hand, three things get better than GROBID can tell: the page and place of every
line, a bibliography entry as it is printed, and the super- and subscripts of its numbers.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from assets.parsing.tei_find import Finder, Finding
from assets.parsing.tei_hyphens import mended, with_hyphens
from assets.parsing.tei_scripts import script_levels, with_scripts
from assets.parsing.tei_text import Draft, Place, clean
from assets.parsing.tei_xml import TeiLimits
from resources.blocks import Block, BlockKind, Box, PageEntry
from resources.errors import Permanent
from resources.pdf_text_layer import PageText, read_text_layer_isolated

_LABEL = re.compile(r"\[\d+\] ")
_ENTRY_NUMBER = re.compile(r"\s*[\[(]?\d{1,4}[\])]?[.:]?\s+")


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
    if pages:
        drafts, boxes = _seen(drafts, pages)
    else:
        boxes = [_stated_boxes(draft, limits.pdf.pages) for draft in drafts]
    blocks = tuple(
        Block(draft.kind, draft.text, number, draft.section, places)
        for draft, number, places in zip(drafts, _page_numbers(boxes), boxes, strict=True)
    )
    return blocks, _ledger(blocks, pages, surfaces, trouble)


def _seen(
    drafts: Sequence[Draft], pages: Sequence[PageText]
) -> tuple[list[Draft], list[tuple[Box, ...]]]:
    """The drafts as the PDF prints them, and their boxes."""
    drafts = [_as_printed(draft, pages) for draft in drafts]
    levels = [script_levels(page) for page in pages]
    renamed: dict[str, str] = {}
    texts, boxes = [], []
    for draft, finding in zip(drafts, Finder(pages).find(drafts), strict=True):
        text, shifted = with_hyphens(draft.text, finding.matches, pages)
        matches = [match._replace(offset=shifted[match.offset]) for match in finding.matches]
        text, moved = with_scripts(text, matches, pages, levels)
        moved = [moved[offset] for offset in shifted]
        found = _found_boxes(finding, pages, len(draft.text))
        stated = _stated_boxes(draft, len(pages))
        chosen = found if _agree(stated, found, draft) else stated
        boxes.append(
            tuple(replace(box, start=moved[box.start], end=moved[box.end]) for box in chosen)
        )
        texts.append(text)
        if draft.kind is BlockKind.HEADING and text != draft.text:
            renamed[draft.text] = text
    return [
        replace(
            draft,
            text=text,
            section=tuple(renamed.get(heading, heading) for heading in draft.section),
        )
        for draft, text in zip(drafts, texts, strict=True)
    ], boxes


def _as_printed(draft: Draft, pages: Sequence[PageText]) -> Draft:
    """A bibliography entry, put together from its parts, as the page has it.

    GROBID may have completed the parts from elsewhere; only what is printed is the paper's.
    """
    places = [place for span in draft.spans for place in span.places if place.page <= len(pages)]
    if draft.printed or draft.kind is not BlockKind.REFERENCE or not places:
        return draft
    lines = (_text_within(pages[place.page - 1], place) for place in places)
    text = mended(" ".join(" ".join(lines).replace("\x02", "- ").split()))
    text = clean(_ENTRY_NUMBER.sub("", text, count=1))
    label = _LABEL.match(draft.text)
    # A box that misses its text, or holds much more than the entry, is wrong.
    if not len(draft.text) / 4 < len(text) < 4 * len(draft.text):
        return draft
    text = f"{label.group() if label else ''}{text}"
    spans = tuple(replace(span, start=0, end=len(text)) for span in draft.spans)
    return replace(draft, text=text, spans=spans, printed=True)


def _text_within(page: PageText, place: Place) -> str:
    """The characters of a page whose middle lies in a rectangle, in the order of the text layer."""
    across = (page.boxes[:, 0] + page.boxes[:, 2]) / 2
    down = (page.boxes[:, 1] + page.boxes[:, 3]) / 2
    inside = (across >= place.x0 - 1) & (across <= place.x1 + 1)
    inside &= (down >= place.y0 - 1) & (down <= place.y1 + 1)
    return "".join(page.text[index] for index in inside.nonzero()[0])


def _found_boxes(finding: Finding, pages: Sequence[PageText], length: int) -> tuple[Box, ...]:
    """One box a line of the page, over the characters that were found there."""
    lines: list[_Line] = []
    for match in finding.matches or finding.area:
        page = pages[match.page]
        x0, y0, x1, y1 = page.boxes[match.place].tolist()
        is_same_area = bool(lines and finding.area) and lines[-1].page == page.number
        if is_same_area or (lines and lines[-1].takes(page.number, x0, y0, y1)):
            lines[-1].widen(x0, y0, x1, y1)
        else:
            lines.append(_Line(page.number, x0, y0, x1, y1, match.offset))
    return _closed(
        [line.box() for line in lines],
        length,
    )


def _stated_boxes(draft: Draft, last_page: int) -> tuple[Box, ...]:
    """The stated rectangles; each of a span's gets its share of the span's characters by width."""
    boxes: list[Box] = []
    for span in draft.spans:
        places = [place for place in span.places if place.page <= last_page]
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

    def box(self) -> Box:
        """The line in hundredths of a point, its end still open."""
        x0, y0, x1, y1 = (round(edge, 2) for edge in (self.x0, self.y0, self.x1, self.y1))
        return Box(self.page, x0, y0, x1, y1, self.start, self.start)

    def widen(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """Stretch the line over one more character."""
        self.x0, self.y0 = min(self.x0, x0), min(self.y0, y0)
        self.x1, self.y1 = max(self.x1, x1), max(self.y1, y1)
