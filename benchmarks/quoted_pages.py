"""Whether the pages that answers cite hold the words they quote, by the PDFs' own text layer.

The text layer is the PDF library's plain text of a page; this project's parser has no part in it.
Both texts are made comparable in one documented way and nothing else is forgiven:

* compatibility forms are resolved (NFKC: ligatures, superscripts, full-width signs);
* white space, hyphens and dashes of every kind, soft hyphens and control characters are left out,
  since a line's end adds and takes them away at will;
* the signs by which the parser writes a superscript or a subscript (^ _ { }) are left out;
* accents that stand beside their letter in one text and on it in the other are left out.

Letters, digits and all other signs must agree, one by one and in order.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pypdfium2

from assets.answering.records import Answer, Citation

_LEFT_OUT = frozenset("^_{}´`¨˜ˆ¸˚·")
_CATEGORIES = frozenset({"Cc", "Cf", "Mn", "Pd", "Zl", "Zp", "Zs"})


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
    return "".join(
        one
        for one in apart
        if one not in _LEFT_OUT and unicodedata.category(one) not in _CATEGORIES
    )


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
                if plain(citation.quote) not in page:
                    missing.append(Unheld(answer.question, citation))
        return checked, missing

    def _layer(self, paper_id: str) -> dict[int, str]:
        if paper_id not in self._pages:
            pdf = self._folder / f"{paper_id.replace('/', '_')}.pdf"
            self._pages[paper_id] = {n: plain(text) for n, text in text_layer(pdf).items()}
        return self._pages[paper_id]
