"""From pages of runs to a document: the steps of the layout analysis in their order."""

from collections import Counter
from statistics import median

from resources.blocks import ParsedDocument
from resources.pdf_layout.columns import regions, shared_gutters
from resources.pdf_layout.contents import without_contents
from resources.pdf_layout.figures import TextType, drawings, without_labels
from resources.pdf_layout.flow import joined, mark_references
from resources.pdf_layout.fonts import Font, settle_weights
from resources.pdf_layout.front import authors_of, mark_abstract, mark_front
from resources.pdf_layout.furniture import without_furniture, without_line_numbers
from resources.pdf_layout.glyphs import Page
from resources.pdf_layout.groups import Group
from resources.pdf_layout.headings import mark_headings
from resources.pdf_layout.lines import Line, segments
from resources.pdf_layout.paragraphs import PageLayout, groups_of
from resources.pdf_layout.writing import write

PARSER = "embedded-layout 3"


def analyse(pages: list[Page]) -> ParsedDocument:
    """The document that the pages hold."""
    _settle_fonts(pages)
    without_line_numbers(pages)
    pieces = [segments(page) for page in pages]
    pieces = without_furniture(pages, pieces, _title_words(pieces))
    pieces, contents = without_contents(pieces)
    body, leading = _body(pieces)
    groups = _groups(pages, pieces, body, leading)
    title, front_end = mark_front(groups, body)
    mark_headings(groups[front_end:], body, leading)
    mark_abstract(groups, title, front_end)
    authors = authors_of(groups, title, front_end)
    groups = joined(mark_references(groups))
    return write(PARSER, pages, groups, (title, authors, contents))


def _settle_fonts(pages: list[Page]) -> None:
    used: Counter[Font] = Counter()
    for page in pages:
        for run in page.runs:
            used[run.font] += len(run.text)
    settle_weights(used)


def _title_words(pieces: list[list[Line]]) -> list[str]:
    """Words of the largest lines of the first page, to know the title again in running heads."""
    first = [p for p in next((items for items in pieces if items), []) if p.letters > 8]
    if not first:
        return []
    largest = max(p.size for p in first)
    text = " ".join(p.plain for p in first if p.size > 0.95 * largest)
    return [w.lower() for w in "".join(c if c.isalpha() else " " for c in text).split()]


def _body(pieces: list[list[Line]]) -> tuple[float, float]:
    """Size of the body text and its usual line distance, in points."""
    sizes: Counter[float] = Counter()
    for items in pieces:
        for piece in items:
            sizes[round(piece.size, 1)] += piece.letters
    body = sizes.most_common(1)[0][0] if sizes else 10.0
    steps = []
    for items in pieces:
        previous: Line | None = None
        for piece in items:
            if previous is not None and abs(piece.x0 - previous.x0) < 1:
                step = piece.y - previous.y
                if abs(piece.size - body) < 0.3 and 0.9 * body < step < 2.5 * body:
                    steps.append(step)
            previous = piece
    return body, median(steps) if steps else 1.2 * body


def _faces(pieces: list[list[Line]]) -> frozenset[str]:
    """Names of the fonts in which a fair part of the paper is set."""
    used: Counter[str] = Counter()
    for items in pieces:
        for piece in items:
            for run in piece.runs:
                used[run.font.name] += len(run.text)
    least = 0.02 * used.total()
    return frozenset(name for name, count in used.items() if count >= least)


def _groups(
    pages: list[Page], pieces: list[list[Line]], body: float, leading: float
) -> list[Group]:
    found = [drawings(page) for page in pages]
    text_type = TextType(body, _faces(pieces))
    kept = [
        without_labels(items, shapes, text_type)
        for items, shapes in zip(pieces, found, strict=True)
    ]
    width = median([page.width for page in pages]) if pages else 0.0
    gutters = shared_gutters(kept, width)
    groups: list[Group] = []
    for page, items, shapes in zip(pages, kept, found, strict=True):
        rules = [a for a in page.areas if a.kind == "rule"]
        layout = PageLayout(body, leading, rules, shapes, page.height)
        for region in regions(items, gutters, rules, page.number):
            groups.extend(groups_of(region, layout))
    return groups
