"""Whether the pages that answers cite hold the words they quote, by the PDFs' own text layer.

The text layer is the PDF library's plain text of a page; this project's parser has no part in it.
Both texts are made comparable in one way, and nothing else is forgiven:

* compatibility forms are resolved (NFKC: ligatures, superscripts), and of what is left letters,
  digits, the point inside a number and the signs % ± < > = / + × √ count: white space, hyphens,
  punctuation and marks of an index come and go with a line's end, and other signs stand in a text
  layer as whatever character their font keeps in their place;
* a page is also read without the numbers of its lines, where the margin has them: three or more
  numbers of which each is 5 above the one before;
* TeX's fonts keep ℓ in the place of the grave accent, so a page is also read with l for that;
* the text layer tells a page in the order in which it was set: up to three pieces of a quote, of
  20 characters or more each, may have something between them there (a figure with its caption), in
  their order;
* a formula stands in a text layer in the order of its glyphs: of a quote with an equals sign, or
  with a symbol that is about something ("t ∼ r^2"), each run of plain words must stand there, and
  each letter and digit of the rest somewhere on the page.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pypdfium2

from assets.answering.records import Answer, Citation

_FORMULA = re.compile(r"=|(?<!\w)[^\W\d](?:[_^]\{?\w+\}?)?\s*[∼≈≃≲≳]")
_SIGNS = frozenset("%±<>=/+×√")
_MOST_PIECES = 3
_SHORTEST_PIECE = 20
_FEWEST_NUMBERS = 3


@dataclass(frozen=True, slots=True)
class Unheld:
    """A citation whose page does not hold the words it quotes."""

    question: str
    citation: Citation


def text_layer(pdf: Path) -> dict[int, str]:
    """The plain text of each page, by page number from 1."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return {n + 1: document[n].get_textpage().get_text_range() for n in range(len(document))}
    finally:
        document.close()


def plain(text: str) -> str:
    """A text in the form in which a quote and a page are compared."""
    apart = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text))
    pointed = re.sub(r"(?<!\d)\.|\.(?!\d)", "", apart)
    return "".join(one for one in pointed if one.isalnum() or one in _SIGNS or one == ".")


def holds(page: str, quote: str) -> bool:
    """Whether a page's text layer holds the words of a quote."""
    pages = {page, without_line_numbers(page)}
    readings = {plain(one) for page in pages for one in (page, page.replace("`", "l"))}
    formula = bool(_FORMULA.search(quote))
    return any(
        _in_pieces(reading, plain(quote)) or (formula and _around_formula(reading, quote))
        for reading in readings
    )


def without_line_numbers(page: str) -> str:
    """A page without the longest run of numbers in steps of 5, where that has three or more."""
    chains: dict[int, list[re.Match[str]]] = {}
    for match in re.finditer(r"(?<![\d.])\d{1,4}(?![\d.])", page):
        number = int(match.group())
        chain = chains.get(number - 5, [])
        if number % 5 == 0 and len(chain) + 1 > len(chains.get(number, [])):
            chains[number] = [*chain, match]
    longest = max(chains.values(), key=len, default=[])
    if len(longest) < _FEWEST_NUMBERS:
        return page
    for match in reversed(longest):
        page = f"{page[: match.start()]} {page[match.end() :]}"
    return page


def citations(answer: Answer) -> list[Citation]:
    """Everything that an answer cites: sentences, disagreements, near misses."""
    cited = [one for sentence in answer.sentences for one in sentence.citations]
    cited += [one for found in answer.disagreements for _, one in found.sides]
    return cited + [miss.citation for miss in answer.near_misses]


class QuotedPages:
    """Checks citations against the PDFs of a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pages: dict[str, dict[int, str]] = {}

    def unheld(self, answers: Iterable[Answer]) -> tuple[int, list[Unheld]]:
        """How many citations were checked, and those whose page does not hold their quote."""
        checked = 0
        missing = []
        for answer in answers:
            for citation in citations(answer):
                checked += 1
                page = self._layer(citation.paper_id).get(citation.page, "")
                if not plain(citation.quote) or not holds(page, citation.quote):
                    missing.append(Unheld(answer.question, citation))
        return checked, missing

    def _layer(self, paper_id: str) -> dict[int, str]:
        if paper_id not in self._pages:
            pdf = self._folder / f"{paper_id.replace('/', '_')}.pdf"
            self._pages[paper_id] = text_layer(pdf)
        return self._pages[paper_id]


def _around_formula(page: str, quote: str) -> bool:
    words = re.compile(r"(?:(?<!\S)[(“]?[A-Za-z]{2,}[-A-Za-z]*[.,;:)”]*(?:\s+|$)){2,}")
    runs = [plain(match.group()) for match in words.finditer(quote)]
    rest = {one for one in plain(words.sub(" ", quote)) if one.isascii() and one.isalnum()}
    return bool(runs) and all(run in page for run in runs) and rest <= set(page)


def _in_pieces(page: str, quote: str, pieces: int = _MOST_PIECES) -> bool:
    if quote in page:
        return True
    # The longest beginning of the quote that the page holds; shorter ones only move the break.
    low, high = 0, len(quote)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if quote[:middle] in page else (low, middle - 1)
    rest = len(quote) - low
    if pieces == 1 or low < _SHORTEST_PIECE or rest < _SHORTEST_PIECE:
        return False
    after = page[page.index(quote[:low]) + low :]
    return _in_pieces(after, quote[low:], pieces - 1)
