"""Real TEI of GROBID from about 2015 to 0.8, with and without the PDF it was made from.

Pages are checked against the PDF's own text layer, which is read here without the product.
"""

import re
import unicodedata
from functools import cache
from itertools import permutations
from pathlib import Path

import pypdfium2
import pytest

from assets.parsing.tei import read_tei
from resources.blocks import BlockKind, ParsedDocument
from resources.errors import Permanent
from resources.pdf_layout import parse_pdf
from tests.support.shared import require_shared, shared_folder
from tests.support.tei_builder import check_whole, share_found, words

_FOLDER = shared_folder()
FIXTURES = sorted((_FOLDER / "fixtures" / "tei").glob("*.tei.xml")) if _FOLDER else []


def pdf_of(path: Path) -> Path | None:
    stem = path.name.removesuffix(".tei.xml")
    pdf = path.with_name(("gc" if stem.startswith("gc_") else stem) + ".pdf")
    return pdf if pdf.exists() else None


@cache
def document_of(path: Path) -> ParsedDocument:
    return read_tei(path.read_bytes(), pdf_of(path))


def named(name: str) -> ParsedDocument:
    return document_of(require_shared("fixtures", "tei", f"{name}.tei.xml"))


def text_of(document: ParsedDocument, *without: BlockKind) -> str:
    return "\n".join(block.text for block in document.blocks if block.kind not in without)


every_fixture = pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name.split(".")[0])
every_pair = pytest.mark.parametrize(
    "path", [p for p in FIXTURES if pdf_of(p)], ids=lambda path: path.name.split(".")[0]
)


@every_fixture
def test_every_file_gives_a_document_or_one_clear_refusal(path: Path) -> None:
    try:
        document = document_of(path)
    except Permanent as refusal:
        assert path.name == "citation_empty.tei.xml"
        assert str(refusal) == (
            "The file is no full-text TEI: its outermost element is biblStruct, not TEI."
        )
    else:
        check_whole(document)
        assert re.fullmatch(r"grobid( \d\.\d\.\d(-SNAPSHOT)?)?", document.parser)


@every_fixture
def test_without_its_pdf_it_gives_the_same_blocks(path: Path) -> None:
    """The PDF adds pages, scripts and printed references; it takes nothing away."""
    if path.name == "citation_empty.tei.xml":
        return
    alone = read_tei(path.read_bytes())
    check_whole(alone)
    beside = document_of(path)
    assert [block.kind for block in alone.blocks] == [block.kind for block in beside.blocks]
    assert (alone.title, alone.authors) == (beside.title, beside.authors)


@every_pair
def test_every_part_of_a_block_stands_on_the_page_named_for_it(path: Path) -> None:
    pdf = pypdfium2.PdfDocument(pdf_of(path))
    texts = [folded(page.get_textpage().get_text_range()) for page in pdf]
    pdf.close()
    document = document_of(path)
    assert [entry.page for entry in document.pages] == list(range(1, len(texts) + 1))
    total = found = 0
    for block in document.blocks:
        for page in {box.page for box in block.boxes}:
            part = " ".join(
                block.text[box.start : box.end] for box in block.boxes if box.page == page
            )
            for word in words(part):
                total += 1
                found += folded(word) in texts[page - 1]
    assert found / total >= 0.995


@every_pair
def test_nearly_every_block_is_found_in_the_pdf(path: Path) -> None:
    blocks = document_of(path).blocks
    lost = [block for block in blocks if not block.boxes]
    assert sum(len(block.text) for block in lost) <= 0.01 * sum(len(block.text) for block in blocks)


@every_pair
def test_its_words_are_those_of_the_embedded_parser(path: Path) -> None:
    pdf = pdf_of(path)
    assert pdf is not None
    embedded = words(text_of(parse_pdf(pdf)))
    assert share_found(words(text_of(document_of(path))), embedded) >= 0.95


@pytest.mark.parametrize(("one", "other"), list(permutations(["gc_a", "gc_b", "gc_c"], 2)))
def test_one_paper_through_three_versions_has_the_same_words(one: str, other: str) -> None:
    assert share_found(words(text_of(named(one))), words(text_of(named(other)))) >= 0.98


def test_one_paper_through_three_versions_has_the_same_sections() -> None:
    headings = [
        [block.section for block in named(name).blocks if block.kind is BlockKind.HEADING]
        for name in ("gc_a", "gc_b", "gc_c")
    ]
    shared = set(headings[0]) & set(headings[1]) & set(headings[2])
    assert len(shared) >= 18
    for paths in headings:
        assert [path for path in paths if path in shared] == [
            path for path in headings[0] if path in shared
        ]
        assert len(set(paths) - shared) <= 2


def test_a_paper_without_a_title_has_none() -> None:
    assert named("os_05").title == named("os_h8_no_title").title == ""


def test_a_paper_without_references_has_none() -> None:
    kinds = {block.kind for block in named("os_06").blocks}
    assert BlockKind.REFERENCE not in kinds
    assert {BlockKind.TABLE, BlockKind.CAPTION, BlockKind.PARAGRAPH} <= kinds


def test_a_header_alone_gives_its_abstract() -> None:
    document = named("header_only")
    assert [block.kind for block in document.blocks] == [BlockKind.ABSTRACT]
    assert document.authors == ("Tal Garfinkel", "Mendel Rosenblum")


def test_a_paper_of_2015_keeps_its_physics() -> None:
    document = named("invenio_2015")
    text = text_of(document)
    assert document.title == "The Need to Fairly Confront Spin-1 for the New Higgs-like Particle"
    for printed in ("Q^μ", "γ(k_1) + γ(k_2)", "c_{3+}", "mass near 125 GeV"):
        assert printed in text
    numbered = [b.text for b in document.blocks if b.kind is BlockKind.REFERENCE]
    assert sum(bool(re.match(r"\[\d+\] ", line)) for line in numbered) >= 8


def test_scripts_of_a_later_paper_are_put_back() -> None:
    text = text_of(named("os_18"))
    for printed in ("strains {S_i | 1 ≤ i ≤ n}", "t^0_c = (c − 1) (t_g + t_k)", "X_i(t)"):
        assert printed in text


def test_numbered_sections_nest_as_they_are_numbered() -> None:
    paths = {block.section for block in named("os_05").blocks}
    assert ("3 Methodology", "3.1 Agent Behavioral Entropy") in paths
    assert ("2 Data Collection", "Structural observation.") in paths


def folded(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in plain if character.isalnum())
