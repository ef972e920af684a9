"""GROBID's TEI to a document: blocks in reading order, each with its section, page and boxes.

Written for what GROBID of any age really puts out: with or without a header, a title, a body,
references or coordinates, pretty-printed or not, with its early `<trash>` and its late sentences.
Where the TEI says nothing about pages, the PDF beside it does (see `tei_pages`).
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from xml.etree.ElementTree import Element

from assets.parsing.tei_headings import Outline, split_number
from assets.parsing.tei_pages import located
from assets.parsing.tei_references import (
    find_note,
    person_names,
    printed_numbers,
    reference_line,
)
from assets.parsing.tei_text import Draft, Passage, Place, Span, clean, places_of
from assets.parsing.tei_xml import TeiLimits, find, inline, plain_text, tei_root
from resources.blocks import BlockKind, ParsedDocument
from resources.errors import Permanent

DEFAULT_LIMITS = TeiLimits()

_LONGEST_HEADING = 200
_CONTAINERS = frozenset({"text", "front", "body", "back", "group", "div", "p", "quote", "sp"})
_SKIPPED = frozenset(
    {"teiHeader", "facsimile", "graphic", "listOrg", "figDesc", "standOff", "ptr", "fw"}
)
_BLOCK_ELEMENTS = (
    frozenset(
        {"head", "figure", "table", "list", "note", "listBibl", "biblStruct", "bibl", "trash"}
    )
    | _CONTAINERS
    | _SKIPPED
)
_WORDS = re.compile(r"[^\W\d_]{3,}")


def read_tei(
    data: bytes, pdf: Path | None = None, limits: TeiLimits = DEFAULT_LIMITS
) -> ParsedDocument:
    """The document in a GROBID TEI; `pdf`, where given, is the file that GROBID read.

    Every block has a page. It comes from the TEI's coordinates; without them from the place
    where the block's words stand in the PDF's text layer; without a PDF from the nearest block
    whose page is known, and is 1 where none is, which the page ledger then notes.

    Raises:
        Permanent: the bytes are no well-formed TEI within `limits`, or hold no text.
    """
    root = tei_root(data, limits)
    header = root.find("teiHeader")
    drafts = _Reader(root).read()
    if not drafts:
        raise Permanent("The TEI holds no text: neither an abstract nor a body nor references.")
    blocks, pages = located(drafts, pdf, _surfaces(root, limits.pdf.pages), limits)
    source = find(header, "fileDesc", "sourceDesc", "biblStruct")
    return ParsedDocument(
        parser=f"grobid {_version(header)}".strip(),
        title=_title(header, source),
        authors=tuple(
            person_names(find(source, "analytic")) or person_names(find(source, "monogr"))
        ),
        blocks=blocks,
        pages=pages,
    )


def _title(header: Element | None, source: Element | None) -> str:
    candidates = (
        find(header, "fileDesc", "titleStmt", "title"),
        find(source, "analytic", "title"),
        find(source, "monogr", "title"),
    )
    return next((clean(text) for title in candidates if (text := plain_text(title))), "")


def _version(header: Element | None) -> str:
    for application in header.iter("application") if header is not None else ():
        if application.get("ident", "").upper() == "GROBID":
            return application.get("version", "").strip()[:40]
    return ""


def _surfaces(root: Element, most: int) -> dict[int, tuple[float, float]]:
    """Page number (up to `most`) to width and height in points, as `<facsimile>` states them."""
    sizes: dict[int, tuple[float, float]] = {}
    for surface in root.iterfind("facsimile/surface"):
        try:
            number = int(surface.get("n", ""))
            left, top, right, bottom = (
                float(surface.get(name, "")) for name in ("ulx", "uly", "lrx", "lry")
            )
        except ValueError:
            continue
        if 1 <= number <= most and 0 < right - left < math.inf and 0 < bottom - top < math.inf:
            sizes[number] = (right - left, bottom - top)
    return sizes


@dataclass(slots=True)
class _Reader:
    """Walks one TEI tree in document order and collects its blocks."""

    root: Element
    drafts: list[Draft] = field(default_factory=list)
    outline: Outline = field(init=False)
    numbers: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        text = self.root.find("text")
        heads = [
            split_number(plain_text(head), head.get("n"))[0]
            for division in (text.iter("div") if text is not None else ())
            for head in division.findall("head")
        ]
        self.outline = Outline(numbered=sum(map(bool, heads)) >= 2)
        self.numbers = printed_numbers(self.root)

    def read(self) -> list[Draft]:
        """All blocks: the abstract, the body with its figures, the back matter, references."""
        abstract = find(self.root, "teiHeader", "profileDesc", "abstract")
        if abstract is not None:
            self._abstract(abstract)
        for text in self.root.findall("text"):
            self._flow(text, BlockKind.PARAGRAPH, depth=0)
        return self.drafts

    def _abstract(self, abstract: Element) -> None:
        """One block a paragraph; the headings of a structured abstract open theirs."""
        opening = ""
        for element in abstract.iter():
            if element.tag == "head":
                opening = plain_text(element)
            elif element.tag in {"abstract", "div", "p", "ab", "item"}:
                content = [
                    item
                    for item in inline(element)
                    if isinstance(item, str) or item.tag not in _BLOCK_ELEMENTS
                ]
                passage = Passage().add(content)
                if opening and passage.text:
                    passage = Passage().add([f"{opening}: ", *content])
                if self._keep(BlockKind.ABSTRACT, passage, places_of(element), ("Abstract",)):
                    opening = ""

    def _flow(self, element: Element, kind: BlockKind, depth: int) -> None:
        """The content of a container: its running text as blocks, its block elements in turn."""
        if element.tag in {"back", "group"} or element.get("type") in {
            "acknowledgement",
            "annex",
            "references",
            "availability",
            "funding",
        }:
            self.outline.leave()
        depth += element.tag == "div" and element.find("head") is not None
        run: list[str | Element] = []
        whole = places_of(element)
        for item in inline(element):
            if isinstance(item, str) or _is_inline(item, element):
                run.append(item)
                continue
            if self._flush(run, kind, whole):
                whole = ()
            self._block(item, kind, depth)
        self._flush(run, kind, whole)

    def _flush(self, run: list[str | Element], kind: BlockKind, whole: tuple[Place, ...]) -> bool:
        passage = Passage().add(run)
        run.clear()
        return self._keep(kind, passage, whole)

    def _block(self, element: Element, kind: BlockKind, depth: int) -> None:
        match element.tag:
            case "head":
                self._heading(element, depth)
            case "figure":
                self._figure(element)
            case "table":
                self._table(element)
            case "formula":
                self._keep(BlockKind.EQUATION, Passage().add(inline(element)), places_of(element))
            case "trash":
                self._trash(element)
            case "list":
                for item in element:
                    self._flow(item, kind, depth)
            case "note":
                self._flow(element, BlockKind.PARAGRAPH, depth)
            case "listBibl":
                for entry in element:
                    self._reference(entry)
            case "biblStruct" | "bibl":
                self._reference(element)
            case tag if tag in _CONTAINERS:
                self._flow(element, kind, depth)

    def _heading(self, element: Element, depth: int) -> None:
        text = Passage().add(inline(element)).text
        if len(text) > _LONGEST_HEADING:
            self._keep(BlockKind.PARAGRAPH, Passage().add(inline(element)), places_of(element))
            return
        number, printed = split_number(text, element.get("n"))
        if not printed:
            return
        section = self.outline.enter(number, printed, depth)
        passage = Passage().add([printed])
        self._keep(BlockKind.HEADING, passage, places_of(element), section)

    def _figure(self, figure: Element) -> None:
        """A figure's or table's caption, its cells, its notes and what else GROBID put there."""
        head, description = figure.find("head"), figure.find("figDesc")
        opening = Passage().add(inline(head)).text if head is not None else ""
        caption = Passage()
        if description is not None:
            told = Passage().add(inline(description)).text
            repeated = _letters(told).startswith(_letters(opening))
            caption.add([] if repeated else [opening, " "])
            caption.add(inline(description))
        else:
            caption.add([opening])
        self._keep(BlockKind.CAPTION, caption, places_of(figure))
        for child in figure:
            if child is head or child is description or child.tag == "label":
                continue
            if child.tag in {"figDesc", "note"}:
                self._keep(BlockKind.CAPTION, Passage().add(inline(child)), places_of(child))
            else:
                self._block(child, BlockKind.PARAGRAPH, depth=1)

    def _table(self, table: Element) -> None:
        """One row a line, cells parted by " | "; without rows, the text as it stands."""
        rows = [
            " | ".join(Passage().add(inline(cell)).text for cell in row.iter("cell"))
            for row in table.iter("row")
        ]
        text = "\n".join(row.strip() for row in rows if row.strip(" |"))
        text = text or Passage().add(inline(table)).text
        if text:
            places = places_of(table)
            spans = (Span(0, len(text), "table", places),) if places else ()
            self.drafts.append(Draft(BlockKind.TABLE, text, self.outline.path, spans, bool(places)))

    def _trash(self, element: Element) -> None:
        """What GROBID of about 2015 could not place: a display, or prose around one."""
        passage = Passage().add(inline(element))
        letters = sum(map(len, _WORDS.findall(passage.text)))
        is_prose = letters > len(passage.text) / 2
        kind = BlockKind.PARAGRAPH if is_prose else BlockKind.EQUATION
        self._keep(kind, passage, places_of(element))

    def _reference(self, entry: Element) -> None:
        if entry.tag not in {"biblStruct", "bibl"}:
            return
        line = reference_line(entry)
        number = self.numbers.get(entry.get("id", ""))
        if line:
            if number and not line.startswith(f"[{number}]"):
                line = f"[{number}] {line.removeprefix(f'{number}. ')}"
            passage = Passage().add([line])
            self._keep(BlockKind.REFERENCE, passage, places_of(entry), ("References",))
            if entry.tag == "biblStruct" and not find_note(entry, "raw_reference"):
                self.drafts[-1] = replace(self.drafts[-1], printed=False)

    def _keep(
        self,
        kind: BlockKind,
        passage: Passage,
        whole: tuple[Place, ...],
        section: tuple[str, ...] | None = None,
    ) -> bool:
        """Add a block unless it is empty; `whole` are the places of the block itself."""
        text = passage.text
        if not text:
            return False
        sentences = _apart([span for span in passage.spans if span.element == "s"], len(text))
        if sentences:
            spans = sentences
        elif whole:
            spans = (Span(0, len(text), "", whole),)
        else:
            spans = _apart(passage.spans, len(text))
        path = self.outline.path if section is None else section
        self.drafts.append(Draft(kind, text, path, spans, whole=bool(sentences or whole)))
        return True


def _apart(spans: Sequence[Span], length: int) -> tuple[Span, ...]:
    """The spans within a text of some length, in order, without those inside another."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        start, end = max(span.start, kept[-1].end if kept else 0), min(span.end, length)
        if start == span.start and start < end:
            kept.append(Span(start, end, span.element, span.places))
    return tuple(kept)


def _is_inline(item: str | Element, parent: Element | None = None) -> bool:
    """Whether a piece of content belongs to the running text around it.

    A formula does where it stands between words of a paragraph without a number of its own.
    """
    if isinstance(item, str):
        return True
    if item.tag == "formula":
        alone = parent is None or parent.tag != "p" or (len(parent) == 1 and not _own_text(parent))
        return not alone and item.find("label") is None and not item.get("coords")
    return item.tag not in _BLOCK_ELEMENTS


def _own_text(element: Element) -> str:
    return "".join(item for item in inline(element) if isinstance(item, str)).strip()


def _letters(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())
