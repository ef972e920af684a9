"""Blocks found again in the PDF: their pages, lines, scripts, hyphens and printed references.

The papers are typeset here, so that what stands where is known; pages are checked against the
PDF's own text, read without the code under test.
"""

import re
from pathlib import Path
from random import Random

import pypdfium2
import pytest
import typst

from assets.parsing import tei_pages
from assets.parsing.tei import read_tei
from assets.parsing.tei_find import Finder
from assets.parsing.tei_text import Draft
from assets.parsing.tei_xml import TeiLimits
from resources.blocks import Block, BlockKind, ParsedDocument
from resources.pdf_layout.limits import Limits
from resources.pdf_text_layer import read_text_layer
from tests.support.tei_builder import check_whole, tei
from tests.support.tiny_pdf import tiny_pdf

WORDS = (
    "muon beam cooling ring magnet field cavity absorber emittance lattice target pion decay "
    "neutrino detector shielding tungsten nozzle luminosity collision energy quench cable strand "
    "aperture dipole quadrupole solenoid gradient phase rotation capture channel simulation"
).split()


def prose(seed: int, sentences: int) -> str:
    """Text that says nothing twice: each sentence holds a number of its own."""
    random = Random(seed)
    return " ".join(
        f"The {' '.join(random.choices(WORDS, k=9))} amounts to {seed * 1000 + n} units."
        for n in range(sentences)
    )


def typeset(path: Path, source: str, columns: int = 1) -> Path:
    page = f"#set page(width: 300pt, height: 400pt, margin: 30pt, columns: {columns})\n"
    text = "#set text(size: 9pt, hyphenate: true)\n#set par(justify: true)\n"
    path.write_bytes(typst.compile((page + text + source).encode()))
    return path


def page_texts(pdf: Path) -> list[str]:
    """Each page's letters and digits, from the PDF library itself."""
    document = pypdfium2.PdfDocument(pdf)
    texts = [letters(page.get_textpage().get_text_range()) for page in document]
    document.close()
    return texts


def letters(text: str) -> str:
    return re.sub(r"[\W_]", "", text.replace("\x02", "").lower())


def check_pages(document: ParsedDocument, pdf: Path) -> None:
    """Every part of every block stands on the page that is named for it."""
    check_whole(document)
    texts = page_texts(pdf)
    assert [entry.page for entry in document.pages] == list(range(1, len(texts) + 1))
    for block in document.blocks:
        assert block.boxes
        assert block.boxes[0].start == 0
        assert block.boxes[-1].end == len(block.text)
        for page in {box.page for box in block.boxes}:
            part = "".join(
                block.text[box.start : box.end] for box in block.boxes if box.page == page
            )
            assert letters(part) in texts[page - 1]


@pytest.fixture(autouse=True)
def read_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Saves a process a test; that both ways of reading agree is tested with the text layer."""
    monkeypatch.setattr(tei_pages, "read_text_layer_isolated", read_text_layer)


PARAGRAPHS = [prose(seed, 9) for seed in range(1, 8)]


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = "\n\n".join(f"= {n} Part number {n}\n\n{text}" for n, text in enumerate(PARAGRAPHS, 1))
    return typeset(tmp_path_factory.mktemp("typeset") / "paper.pdf", source)


@pytest.fixture(scope="module")
def columned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = "\n\n".join(PARAGRAPHS)
    return typeset(tmp_path_factory.mktemp("typeset") / "columned.pdf", source, columns=2)


def body_of(paragraphs: list[str]) -> bytes:
    return tei(
        "".join(
            f"<div><head n='{n}'>Part number {n}</head><p>{text}</p></div>"
            for n, text in enumerate(paragraphs, 1)
        )
    )


def test_every_block_is_found_on_the_pages_where_it_stands(paper: Path) -> None:
    document = read_tei(body_of(PARAGRAPHS), paper)
    check_pages(document, paper)
    assert [b.text for b in document.blocks if b.kind is BlockKind.PARAGRAPH] == PARAGRAPHS
    assert any(len({box.page for box in block.boxes}) == 2 for block in document.blocks)
    assert all(entry.note == "" for entry in document.pages)
    assert sum(entry.characters for entry in document.pages) == sum(
        len(block.text) for block in document.blocks
    )


def test_two_columns_are_found_line_by_line(columned: Path) -> None:
    document = read_tei(tei("".join(f"<p>{text}</p>" for text in PARAGRAPHS)), columned)
    check_pages(document, columned)
    for block in document.blocks:
        for box in block.boxes:
            assert box.x1 - box.x0 < 125  # no line reaches into the other column
            assert box.y1 - box.y0 < 14


def test_boxes_are_where_the_words_are_drawn(paper: Path) -> None:
    document = read_tei(body_of(PARAGRAPHS), paper)
    pdf = pypdfium2.PdfDocument(paper)
    for block in document.blocks:
        for box in block.boxes:
            page = pdf[box.page - 1]
            drawn = page.get_textpage().get_text_bounded(
                box.x0 - 1,
                page.get_height() - box.y1 - 1,
                box.x1 + 1,
                page.get_height() - box.y0 + 1,
            )
            assert letters(drawn) == letters(block.text[box.start : box.end])
    pdf.close()


def test_what_grobid_moved_is_found_all_the_same(paper: Path) -> None:
    """Captions come last in TEI wherever they stand, and may repeat words of the text."""
    order = [4, 0, 6, 2, 5, 1, 3]
    shuffled = [PARAGRAPHS[i] for i in order]
    document = read_tei(tei("".join(f"<p>{text}</p>" for text in shuffled)), paper)
    check_pages(document, paper)


@pytest.mark.parametrize("seed", range(4))
def test_what_grobid_misread_does_not_lose_the_page(paper: Path, seed: int) -> None:
    random = Random(seed)

    def misread(word: str) -> str:
        return random.choice(["", "?", word + word, "ﬁ"]) if random.random() < 0.05 else word

    texts = [" ".join(map(misread, text.split())) for text in PARAGRAPHS]
    document = read_tei(tei("".join(f"<p>{text}</p>" for text in texts)), paper)
    exact = read_tei(tei("".join(f"<p>{text}</p>" for text in PARAGRAPHS)), paper)
    pages = [{box.page for box in block.boxes} for block in document.blocks]
    assert pages == [{box.page for box in block.boxes} for block in exact.blocks]


def test_a_page_break_within_a_paragraph_falls_at_the_right_word(paper: Path) -> None:
    document = read_tei(body_of(PARAGRAPHS), paper)
    texts = page_texts(paper)
    broken = [block for block in document.blocks if len({box.page for box in block.boxes}) > 1]
    assert broken
    for block in broken:
        for left, right in zip(block.boxes, block.boxes[1:], strict=False):
            if left.page != right.page:
                assert texts[left.page - 1].endswith(letters(block.text[left.start : left.end]))
                assert texts[right.page - 1].startswith(
                    letters(block.text[right.start : right.end])
                )


def test_coordinates_that_agree_give_way_to_the_exact_lines(paper: Path) -> None:
    plain = read_tei(body_of(PARAGRAPHS), paper).blocks[1]
    rough = "".join(f"{page},10,10,280,380;" for page in sorted({b.page for b in plain.boxes}))
    stated = read_tei(tei(f"<p coords='{rough}'>{PARAGRAPHS[0]}</p>"), paper).blocks[0]
    assert stated.boxes == plain.boxes


def test_coordinates_of_another_page_stand_against_the_text_layer(paper: Path) -> None:
    short = "<p coords='3,10,20,30,40'>The</p>"
    (block,) = read_tei(tei(short), paper).blocks
    assert block.page == 3


def test_repeated_short_headings_are_found_each_at_its_own_text(tmp_path: Path) -> None:
    source = "\n\n".join(
        f"Results are summarised. {prose(n, 12)}\n\n= Results\n\n{prose(n + 20, 12)}"
        for n in (1, 2, 3)
    )
    pdf = typeset(tmp_path / "repeated.pdf", source)
    body = "".join(
        f"<p>Results are summarised. {prose(n, 12)}</p><head>Results</head>"
        f"<p>{prose(n + 20, 12)}</p>"
        for n in (1, 2, 3)
    )
    document = read_tei(tei(f"<div>{body}</div>"), pdf)
    check_pages(document, pdf)
    blocks = document.blocks
    for heading, text in [(blocks[i], blocks[i + 1]) for i in (1, 4, 7)]:
        head, first = heading.boxes[-1], text.boxes[0]
        assert head.page < first.page or (head.page == first.page and 0 < first.y0 - head.y0 < 40)


def test_a_formula_that_cannot_be_found_stands_between_its_neighbours(tmp_path: Path) -> None:
    source = f"{prose(1, 4)}\n\n$ E = integral_0^1 x dif x $\n\n{prose(2, 4)}"
    pdf = typeset(tmp_path / "formula.pdf", source)
    body = f"<p>{prose(1, 4)}</p><formula>garbled beyond recognition</formula><p>{prose(2, 4)}</p>"
    before, formula, after = read_tei(tei(body), pdf).blocks
    (box,) = formula.boxes
    assert (box.page, box.start, box.end) == (1, 0, len(formula.text))
    assert before.boxes[-1].y1 <= box.y0 + 1
    assert box.y1 <= after.boxes[0].y0 + 1


# Scripts, hyphens, references: what is printed.


def rewritten(tmp_path: Path, source: str, body: str) -> Block:
    pdf = typeset(tmp_path / "scripts.pdf", source)
    document = read_tei(tei(f"<p>{body}</p>"), pdf)
    check_whole(document)
    (block,) = document.blocks
    assert block.boxes[-1].end == len(block.text)
    return block


@pytest.mark.parametrize(
    ("source", "flat", "kept"),
    [
        ('$10^34 thin "cm"^(-2) "s"^(-1)$', "10 34 cm −2 s −1", "10^{34} cm^{-2}s^{-1}"),
        ("$10^34$ units", "1034 units", "10^{34} units"),
        ("Nb#sub(typographic: false)[3]Sn", "Nb 3 Sn", "Nb_3Sn"),
        ("Nb#sub(typographic: false)[3]Sn", "Nb3Sn", "Nb_3Sn"),
        ("$mu^+ mu^-$ pairs", "μ + μ − pairs", "μ^+μ^− pairs"),
        ("$T_(k-1)$ then", "T k−1 then", "T_{k-1} then"),
        ("the 15#super(typographic: false)[th] of", "the 15 th of", "the 15^{th} of"),
        ("$epsilon_n^2$ falls", "ε 2 n falls", "ε^2_n falls"),
        ("in 2034 and 10 34 of", "in 2034 and 10 34 of", "in 2034 and 10 34 of"),
    ],
)
def test_scripts_that_grobid_flattened_are_put_back(
    tmp_path: Path, source: str, flat: str, kept: str
) -> None:
    opening, ending = prose(3, 1), prose(4, 1)
    block = rewritten(tmp_path, f"{opening} {source} {ending}", f"{opening} {flat} {ending}")
    text = block.text.removeprefix(opening).removesuffix(ending).strip()
    assert text == kept


def test_a_superscript_that_opens_a_block_is_one(tmp_path: Path) -> None:
    source = f"#super(typographic: false)[1]Also at {prose(3, 3)}"
    assert rewritten(tmp_path, source, f"1 Also at {prose(3, 3)}").text.startswith("^1Also at The")


def test_marked_scripts_are_not_marked_twice(tmp_path: Path) -> None:
    text = prose(3, 1)
    body = f'{text} 10<hi rend="superscript">34</hi> units'
    assert rewritten(tmp_path, f"{text} $10^34$ units", body).text.endswith(" 10^{34} units")


def test_boxes_follow_their_words_through_the_rewriting(tmp_path: Path) -> None:
    source = " ".join(f"{prose(n, 2)} near $10^{n}$ units" for n in range(10, 22))
    body = " ".join(f"{prose(n, 2)} near 10 {n} units" for n in range(10, 22))
    block = rewritten(tmp_path, source, body)
    assert all(f"10^{{{n}}} units" in block.text for n in range(10, 22))
    pdf = pypdfium2.PdfDocument(tmp_path / "scripts.pdf")
    for box in block.boxes:
        page = pdf[box.page - 1]
        drawn = page.get_textpage().get_text_bounded(
            box.x0 - 1, page.get_height() - box.y1 - 1, box.x1 + 1, page.get_height() - box.y0 + 1
        )
        assert letters(drawn) == letters(block.text[box.start : box.end])
    pdf.close()


def test_headings_and_the_sections_named_after_them_change_together(tmp_path: Path) -> None:
    pdf = typeset(
        tmp_path / "h.pdf", f"= 1 Strands of Nb#sub(typographic: false)[3]Sn\n\n{prose(1, 5)}"
    )
    body = f"<div><head n='1'>Strands of Nb 3 Sn</head><p>{prose(1, 5)}</p></div>"
    heading, paragraph = read_tei(tei(body), pdf).blocks
    assert heading.text == "1 Strands of Nb_3Sn"
    assert heading.section == paragraph.section == ("1 Strands of Nb_3Sn",)


@pytest.mark.parametrize(
    ("printed", "grobid", "kept"),
    [
        ("topic-based", "topicbased", "topic-based"),
        ("beam-induced", "beaminduced", "beam-induced"),
        ("simulation", "simulation", "simulation"),
    ],
)
def test_a_hyphen_at_a_lines_end_stays_where_it_is_the_words_own(
    tmp_path: Path, printed: str, grobid: str, kept: str
) -> None:
    opening, ending = prose(5, 1), prose(6, 1)
    # Cut at its hyphen, or after its fourth letter as a typesetter would.
    first, _, second = printed.partition("-")
    first, second = (first, second) if second else (printed[:4], printed[4:])
    source = f"{opening} {first}- \\ {second} {ending}"
    block = rewritten(tmp_path, source, f"{opening} {grobid} {ending}")
    assert f" {kept} " in block.text


def test_a_reference_in_parts_is_taken_as_it_is_printed(tmp_path: Path) -> None:
    line = "[7] A. Writer and B. Author, On the cooling of muons, J. Beams 12, 345 (2019)."
    pdf = typeset(tmp_path / "refs.pdf", f"{prose(1, 6)}\n\n{line}")
    place = read_tei(tei(f"<p>{line}</p>"), pdf).blocks[0].boxes
    # The boxes of letters and digits; GROBID's hold the signs at a line's end too.
    coords = ";".join(f"{b.page},{b.x0},{b.y0},{b.x1 - b.x0 + 9},{b.y1 - b.y0}" for b in place)
    entry = (
        f'<biblStruct coords="{coords}" xml:id="b0"><analytic><title>On the cooling of muons'
        "</title><author><persName><forename>Alexandra</forename><surname>Writer</surname>"
        '</persName></author></analytic><monogr><imprint><date when="2019"/></imprint></monogr>'
        "</biblStruct>"
    )
    body = f'<p>{prose(1, 6)} <ref type="bibr" target="#b0">[7]</ref></p>'
    document = read_tei(tei(body, back=f"<listBibl>{entry}</listBibl>"), pdf)
    assert document.blocks[-1].text == line
    check_whole(document)
    assert read_tei(tei(body, back=f"<listBibl>{entry}</listBibl>")).blocks[-1].text == (
        "[7] Alexandra Writer. On the cooling of muons. 2019"
    )


# The PDF is of no use.


@pytest.mark.parametrize(
    ("data", "note"),
    [
        (b"", "empty"),
        (b"not a pdf", "not a PDF"),
        (b"%PDF-1.7 cut short", "damaged|cut short"),
        (tiny_pdf([["Words."]], locked=True), "encrypted|damaged|cut short"),
    ],
)
def test_a_pdf_that_cannot_be_opened_is_noted_and_the_tei_stands(
    tmp_path: Path, data: bytes, note: str
) -> None:
    pdf = tmp_path / "bad.pdf"
    pdf.write_bytes(data)
    document = read_tei(tei("<p>Words.</p>"), pdf)
    check_whole(document)
    (entry,) = document.pages
    assert re.search(note, entry.note)
    assert "pages unknown" in entry.note


def test_a_pdf_over_the_limits_is_noted_too(paper: Path) -> None:
    limits = TeiLimits(pdf=Limits(pages=1))
    document = read_tei(body_of(PARAGRAPHS), paper, limits)
    assert "over the limit of 1" in document.pages[0].note


def test_the_pdf_of_another_paper_gives_no_false_places(tmp_path: Path) -> None:
    pdf = typeset(tmp_path / "other.pdf", prose(77, 40))
    document = read_tei(
        tei(f"<p>{'Quite another text altogether, with no such words. ' * 9}</p>"), pdf
    )
    (block,) = document.blocks
    assert (block.page, block.boxes) == (1, ())
    assert "pages unknown" in document.pages[0].note


def test_pages_without_text_say_why(tmp_path: Path) -> None:
    picture = "#rect(width: 10pt)\n#pagebreak()\n"
    source = f"{prose(1, 3)}\n#pagebreak()\n#pagebreak()\n{prose(2, 3)}\n#pagebreak()\n{picture}"
    pdf = typeset(tmp_path / "blank.pdf", source)
    document = read_tei(tei(f"<p>{prose(1, 3)}</p>"), pdf)
    assert [entry.note for entry in document.pages][:3] == [
        "",
        "blank",
        "its text was not taken by GROBID",
    ]


# The work is bounded.


def test_the_search_for_a_text_that_is_not_there_ends_soon(paper: Path) -> None:
    pages = read_text_layer(paper, Limits())
    random = Random(0)
    text = " ".join("".join(random.choices("abcdefgh", k=8)) for _ in range(60_000))
    draft = Draft(BlockKind.PARAGRAPH, text, (), (), whole=False)
    (finding,) = Finder(pages).find([draft])
    assert len(finding.matches) < 200
