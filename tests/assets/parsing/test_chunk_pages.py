"""A chunk names the pages on which its words stand: the PDF's own text layer says so.

Needs the shared corpus and its questions. The truth is the PDF library's plain text, page by page,
and the questions' own rule of what holds a quote; the parser has no part in it.
"""

import json
from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest

from assets.parsing.chunking import chunk_document
from assets.parsing.records import Chunk
from resources.blocks import ParsedDocument
from resources.encoder import open_tokenizer
from resources.pdf_layout import ParserPool
from tests.support.quoted import gold_rule, text_layer
from tests.support.shared import require_shared


@pytest.fixture(scope="module")
def gold() -> ModuleType:
    """The questions' own rule of what holds a quote."""
    return gold_rule()


@pytest.fixture(scope="module")
def quotes(gold: ModuleType) -> dict[str, list[str]]:
    """The quoted passages of each paper."""
    found: dict[str, list[str]] = defaultdict(list)
    for question in gold.load():
        for evidence in question["evidence"]:
            found[evidence["paper_id"]].append(evidence["quote"])
    return found


@pytest.fixture(scope="module")
def chunks(quotes: dict[str, list[str]]) -> dict[str, list[Chunk]]:
    """The chunks of every quoted paper, as a refresh cuts them."""
    folder = require_shared("corpus")
    listed = (folder / "papers.jsonl").read_text().splitlines()
    titles = {paper["paper_id"]: paper["title"] for paper in map(json.loads, listed)}
    counter = open_tokenizer()
    with ParserPool(2) as pool:
        parsed = dict(pool.parse_many(pdf_of(paper_id) for paper_id in sorted(quotes)))
    cut = {}
    for paper_id in quotes:
        document = parsed[pdf_of(paper_id)]
        assert isinstance(document, ParsedDocument), document
        cut[paper_id] = chunk_document(paper_id, titles[paper_id], document, counter.count)
    return cut


def pdf_of(paper_id: str) -> Path:
    return require_shared("corpus") / f"{paper_id.replace('/', '_')}.pdf"


def true_pages(gold: ModuleType, quote: str, layers: Mapping[int, str]) -> set[int]:
    """The pages that hold a quote, and both where it runs over the break between two."""
    pages = {n for n, text in layers.items() if gold.overlap(quote, text) >= gold.THRESHOLD}
    for page, following in pairwise(layers):
        if not pages & {page, following}:
            both = f"{layers[page]}\n{layers[following]}"
            if gold.overlap(quote, both) >= gold.THRESHOLD:
                pages |= {page, following}
    return pages


def words_by_page(chunk: Chunk) -> dict[int, str]:
    """A chunk's words on each page, by where its boxes say that they stand."""
    parts: dict[int, list[str]] = defaultdict(list)
    for box in chunk.boxes:
        parts[box.page].append(chunk.text[box.start : box.end])
    return {page: " ".join(words) for page, words in parts.items()}


def test_every_quote_is_held_by_a_chunk_that_names_its_page(
    gold: ModuleType, quotes: dict[str, list[str]], chunks: dict[str, list[Chunk]]
) -> None:
    lost, wrong = [], []
    for paper_id, wanted in quotes.items():
        layers = text_layer(pdf_of(paper_id))
        for quote in wanted:
            pages = true_pages(gold, quote, layers)
            assert pages, f"the text layer of {paper_id} has no page with {quote!r}"
            holding = [
                chunk
                for chunk in chunks[paper_id]
                if gold.overlap(quote, chunk.text) >= gold.THRESHOLD
            ]
            if not holding:
                lost.append((paper_id, quote))
            for chunk in holding:
                parts = words_by_page(chunk)
                named = max(parts, key=lambda page: gold.overlap(quote, parts[page]))
                if named not in pages or not chunk.page_start <= named <= chunk.page_end:
                    wrong.append((paper_id, chunk.page_start, chunk.page_end, named, pages, quote))
    assert lost == []
    assert wrong == []


def test_a_chunk_names_no_page_without_its_words(chunks: dict[str, list[Chunk]]) -> None:
    for paper_id, cut in chunks.items():
        for chunk in cut:
            named = set(words_by_page(chunk))
            assert named, (paper_id, chunk.text)
            assert (min(named), max(named)) == (chunk.page_start, chunk.page_end)
