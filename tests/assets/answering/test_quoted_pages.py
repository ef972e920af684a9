"""Every page that an answer cites holds the words it quotes: the PDF's own text layer says so."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from assets.answering.answer_question import answer_question
from assets.answering.records import Answer, AnswerSettings, Citation
from assets.parsing.chunking import chunk_document
from assets.parsing.records import Chunk
from assets.retrieval.records import Mode, Passage
from benchmarks.quoted_pages import QuotedPages, citations, holds
from resources.blocks import Box
from resources.encoder import open_tokenizer
from resources.pdf_layout import parse_pdf
from tests.support.answering import ListSearcher, SmallProfile
from tests.support.shared import require_shared

#: Two columns, one column, line numbers in the margin, an old one, formulae.
PAPERS = ["2203.10431", "2104.05720", "2106.05813", "hep-ph/9802219"]


@pytest.mark.parametrize(
    ("page", "quote"),
    [
        ("The ﬁeld of Nb3Sn mag\ufffenets is\r\n10 T.", "The field of Nb_3Sn magnets is 10 T."),
        (
            "the Labo\ufffe85 ratory and 90 a\r\nsecond line 95 of text\r\n100 it holds 3 T",
            "the Laboratory and a second line of text it holds 3 T",
        ),
        (
            "The variable is given by\r\nX i\r\nq2\r\nσ 2 y = 1\r\nN 4 , q being the rest of it.",
            "The variable is given by y = 1/(N − 4) Σ_i q^2/σ^2, q being the rest of it.",
        ),
        (
            "The condition of a screen is given by\r\nt ∼\r\nr\r\n2G\r\n2Bs\r\n. (63)",
            "The condition of a screen is given by t ∼ r^2G/2B_s.",
        ),
        ("about 1034 cm−2 s−1 of", "10^{34} cm^{-2} s^{-1}"),
        ("for m mu of 0.1 TeV, the ` q channel", "for m_{mu} of 0.1 TeV, the ℓq channel"),
        (
            "the fields of the dipole magnets 545 of the collider ring are high",
            "the fields of the dipole magnets of the collider ring are high",
        ),
    ],
)  # fmt: skip
def test_what_a_text_layer_does_to_words_is_forgiven(page: str, quote: str) -> None:
    assert holds(page, quote)


@pytest.mark.parametrize(
    "quote",
    [
        "The field of the magnets is 11 T",
        "The field of the magnets is 1.0 T",
        "The field of the magnet is 10 T",
        "The field of the magnets is not 10 T",
        "The field of the magnets is ±10 T",
        "10 T. The field of the magnets is",
        "The field of the magnets is ∼ 11 T",
    ],
)
def test_other_words_digits_or_signs_are_not(quote: str) -> None:
    assert not holds("The field of the magnets is 10 T. It is cold.", quote)


@pytest.fixture(scope="module")
def chunks() -> dict[str, Chunk]:
    """The chunks of some papers, as a refresh cuts them."""
    folder = require_shared("corpus")
    listed = (folder / "papers.jsonl").read_text().splitlines()
    titles = {paper["paper_id"]: paper["title"] for paper in map(json.loads, listed)}
    count = open_tokenizer().count
    return {
        chunk.chunk_id: chunk
        for paper in PAPERS
        for chunk in chunk_document(paper, titles[paper], parse_pdf(pdf_of(paper)), count)
    }


@pytest.fixture(scope="module")
def answers(chunks: dict[str, Chunk]) -> list[Answer]:
    """Answers to every second question of the benchmark from these papers alone."""
    searcher = ListSearcher([passage_of(chunk) for chunk in chunks.values()])
    lines = require_shared("benchmark", "questions.jsonl").read_text().splitlines()[::2]

    def boxes(chunk_id: str) -> Sequence[Box]:
        return chunks[chunk_id].boxes

    return [
        answer_question(
            json.loads(line)["question"],
            Mode.HYBRID,
            searcher,
            SmallProfile(),
            None,
            AnswerSettings(abstain_below=0.0),
            boxes_of=boxes,
        )
        for line in lines
    ]


def pdf_of(paper_id: str) -> Path:
    return require_shared("corpus") / f"{paper_id.replace('/', '_')}.pdf"


def passage_of(chunk: Chunk) -> Passage:
    return Passage(
        chunk.chunk_id, chunk.paper_id, chunk.ordinal, chunk.paper_id, chunk.section, chunk.kind,
        chunk.page_start, chunk.page_end, chunk.text, f"x.pdf#page={chunk.page_start}",
    )  # fmt: skip


def test_every_cited_page_holds_the_quoted_words(answers: list[Answer]) -> None:
    checked, missing = QuotedPages(require_shared("corpus")).unheld(answers)
    assert checked > 100
    assert [(one.citation.paper_id, one.citation.page, one.citation.quote) for one in missing] == []


def test_the_check_would_see_a_wrong_page(answers: list[Answer]) -> None:
    pages = QuotedPages(require_shared("corpus"))
    some = next(answer for answer in answers if answer.sentences)
    every = [one for answer in answers for one in citations(answer)]
    held = [pages.unheld([citing(some, replace(one, page=one.page + 1))])[1] == [] for one in every]
    assert sum(held) < 0.05 * len(held)


def citing(answer: Answer, citation: Citation) -> Answer:
    """An answer that cites one thing."""
    sentence = replace(answer.sentences[0], citations=(citation,))
    return replace(answer, sentences=(sentence,), disagreements=(), near_misses=())
