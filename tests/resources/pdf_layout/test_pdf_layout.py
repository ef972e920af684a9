"""Typeset pages read as a reader reads them: order, furniture, kinds, sections, words, boxes."""

import re
from pathlib import Path

import pypdfium2 as pdfium
import pytest

from resources.blocks import Block, BlockKind, ParsedDocument
from resources.pdf_layout import parse_pdf
from resources.pdf_layout.classify import ends_sentence
from tests.support.pdf_samples import typeset

TWO_COLUMNS = """
#set page(width: 500pt, height: 640pt, margin: (x: 45pt, y: 60pt))
#set text(size: 9pt, lang: "en")
#set par(justify: true, first-line-indent: (amount: 1em, all: true))
"""
WORDS = (
    "The muon beam is cooled in a channel of solenoids and absorbers before it is accelerated "
    "because the lifetime of the muon at rest is short and the emittance after capture is large. "
)


def read(tmp_path: Path, source: str, setup: str | None = None) -> ParsedDocument:
    path = typeset(tmp_path, source) if setup is None else typeset(tmp_path, source, setup=setup)
    return parse_pdf(path)


def of_kind(document: ParsedDocument, kind: BlockKind) -> list[Block]:
    return [b for b in document.blocks if b.kind is kind]


def texts(document: ParsedDocument, kind: BlockKind) -> list[str]:
    return [b.text for b in of_kind(document, kind)]


def plain_words(text: str) -> list[str]:
    return re.findall(r"[\w'-]+", text)


def numbered(count: int, prefix: str = "word") -> str:
    """A paragraph whose words say their own order."""
    return " ".join(f"{prefix}{n}" for n in range(count))


# --- reading order -----------------------------------------------------------------------------


def test_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    body = numbered(900)
    document = read(tmp_path, f"#columns(2, gutter: 14pt)[{body}]", TWO_COLUMNS)
    assert plain_words(" ".join(b.text for b in document.blocks)) == body.split()


def test_what_spans_both_columns_comes_before_them(tmp_path: Path) -> None:
    source = (
        '#align(center)[#text(size: 15pt, weight: "bold")[A long title of a paper that spans]]\n'
        f"#pad(x: 40pt)[{numbered(70, 'abstract')}.]\n"
        f"#columns(2, gutter: 14pt)[{numbered(500)}]"
    )
    document = read(tmp_path, source, TWO_COLUMNS)
    assert document.title == "A long title of a paper that spans"
    found = plain_words(" ".join(b.text for b in document.blocks))
    expected = [*"A long title of a paper that spans".split()]
    expected += numbered(70, "abstract").split() + numbered(500).split()
    assert found == expected


def test_a_paragraph_goes_on_past_column_page_and_figure(tmp_path: Path) -> None:
    source = (
        "#set page(columns: 2)\n"
        + numbered(300)
        + "\n\n#place(top, float: true, figure(rect(width: 100%, height: 60pt, fill: silver), "
        + "caption: [A grey box.]))\n\n"
        + numbered(500, "next")
    )
    document = read(tmp_path, source, TWO_COLUMNS)
    paragraphs = of_kind(document, BlockKind.PARAGRAPH)
    assert [plain_words(p.text) for p in paragraphs] == [
        numbered(300).split(),
        numbered(500, "next").split(),
    ]
    assert texts(document, BlockKind.CAPTION) == ["Figure 1: A grey box."]


def test_a_footnote_does_not_interrupt_the_text(tmp_path: Path) -> None:
    source = (
        "#set page(columns: 2)\n"
        + numbered(60)
        + "#footnote[The note stands at the foot of its column.] "
        + numbered(600, "next")
    )
    document = read(tmp_path, source, TWO_COLUMNS)
    main = max(document.blocks, key=lambda b: len(b.text))
    assert "next100" in main.text
    assert "next590" in main.text
    assert "foot of its column" not in main.text
    assert any("The note stands at the foot of its column." in b.text for b in document.blocks)


# --- furniture ---------------------------------------------------------------------------------


def test_running_heads_and_page_numbers_are_left_out(tmp_path: Path) -> None:
    setup = (
        '#set page(width: 400pt, height: 300pt, margin: 50pt, numbering: "— 1 —", '
        "header: context [_A. Muon et al._ #h(1fr) Cooling of muons])\n#set text(size: 10pt)\n"
    )
    document = read(tmp_path, numbered(500), setup)
    assert len(document.pages) >= 4
    assert plain_words(" ".join(b.text for b in document.blocks)) == numbered(500).split()


def test_a_title_repeated_over_the_second_page_is_left_out(tmp_path: Path) -> None:
    setup = (
        "#set page(width: 400pt, height: 320pt, margin: 50pt, header: context "
        "if counter(page).get().first() > 1 [Cooling of muon beams in short . . .])\n"
        "#set text(size: 10pt)\n"
    )
    source = '#text(size: 15pt, weight: "bold")[Cooling of muon beams in short channels]\n\n'
    document = read(tmp_path, source + numbered(250), setup)
    assert len(document.pages) == 2
    words = plain_words(" ".join(b.text for b in document.blocks))
    assert words == "Cooling of muon beams in short channels".split() + numbered(250).split()


def test_line_numbers_are_left_out_and_numbers_in_the_text_stay(tmp_path: Path) -> None:
    source = '#set par.line(numbering: "1")\n' + WORDS * 3 + " It took 12 runs of 1998 hours."
    document = read(tmp_path, source)
    assert " ".join(b.text for b in document.blocks) == (WORDS * 3).strip() + (
        " It took 12 runs of 1998 hours."
    )


def test_a_list_of_contents_is_no_text(tmp_path: Path) -> None:
    source = (
        '#set heading(numbering: "1.1")\n#outline()\n'
        f"= Introduction\n{WORDS}\n= Cooling\n{WORDS}\n== Absorbers\n{WORDS}\n= Summary\n{WORDS}"
    )
    document = read(tmp_path, source)
    assert texts(document, BlockKind.HEADING) == [
        "1 Introduction",
        "2 Cooling",
        "2.1 Absorbers",
        "3 Summary",
    ]
    assert not any("Contents" in b.text or ". . ." in b.text for b in document.blocks)


# --- kinds -------------------------------------------------------------------------------------


def test_sections_nest_by_their_numbers(tmp_path: Path) -> None:
    source = (
        '#set heading(numbering: "1.1")\n'
        f"= Machine\n{WORDS}\n== Cooling\n{WORDS}\n=== Absorbers\n{WORDS}\n"
        f"== Ring\n{WORDS}\n= Detector\n{WORDS}"
    )
    document = read(tmp_path, source)
    paths = [b.section for b in of_kind(document, BlockKind.PARAGRAPH)]
    assert paths == [
        ("1 Machine",),
        ("1 Machine", "1.1 Cooling"),
        ("1 Machine", "1.1 Cooling", "1.1.1 Absorbers"),
        ("1 Machine", "1.2 Ring"),
        ("2 Detector",),
    ]
    for heading in of_kind(document, BlockKind.HEADING):
        assert heading.section[-1] == heading.text


@pytest.mark.parametrize("numbers", ["I.", "A.", "1.1", "1."])
def test_headings_of_every_numbering_are_found(tmp_path: Path, numbers: str) -> None:
    source = f'#set heading(numbering: "{numbers}")\n' + "".join(
        f"= {title}\n{WORDS}\n" for title in ("Motivation", "Target and capture", "Outlook")
    )
    document = read(tmp_path, source)
    assert [h.split(maxsplit=1)[1] for h in texts(document, BlockKind.HEADING)] == [
        "Motivation",
        "Target and capture",
        "Outlook",
    ]


def test_a_heading_may_run_over_two_lines(tmp_path: Path) -> None:
    title = "Requirements on the magnets of the interaction region and of the arcs of the ring"
    document = read(tmp_path, f"= {title}\n{WORDS}")
    assert texts(document, BlockKind.HEADING) == [title]


def test_a_heading_that_fills_its_column_ends_there(tmp_path: Path) -> None:
    tight = "#set par(spacing: 0.65em)\n#set block(spacing: 0.65em)\n"
    source = f"{tight}#columns(2, gutter: 14pt)[\n"
    for number, title in (("I", "INTRODUCTION"), ("II", "LINACS AND RECIRCULATING RING")):
        source += (
            f'#align(center)[#text(weight: "bold")[{number}. {title}]]\n'
            f"#par(first-line-indent: 0pt)[{WORDS * 2}]\n"
        )
    document = read(tmp_path, source + "]", TWO_COLUMNS)
    assert texts(document, BlockKind.HEADING) == [
        "I. INTRODUCTION",
        "II. LINACS AND RECIRCULATING RING",
    ]
    assert all(text.startswith("The muon") for text in texts(document, BlockKind.PARAGRAPH))


@pytest.mark.parametrize(
    ("line", "ends"),
    [
        ("the beam is lost.", True),
        ("the beam is lost.12", True),
        ("the beam is lost [12].", True),
        ("as was shown (Ref. 3).", True),
        ("the beam is lost.^{3,4}", True),
        ("one of 5 TeV lives 0.1", False),
        ("a ratio of 1:4", False),
        ("a muon beam of", False),
    ],
)
def test_a_number_with_decimals_ends_no_sentence(line: str, ends: bool) -> None:
    assert ends_sentence(line) is ends


def test_bold_words_and_numbered_items_are_no_headings(tmp_path: Path) -> None:
    source = (
        f"= Cooling\n*Absorbers.* {WORDS}\n\n1. First the muons are captured.\n"
        f"2. Then they are cooled.\n3. At last they are accelerated.\n\n{WORDS}"
    )
    document = read(tmp_path, source)
    assert texts(document, BlockKind.HEADING) == ["Cooling"]


def test_an_abstract_is_found_with_and_without_its_name(tmp_path: Path) -> None:
    title = '#align(center)[#text(size: 16pt, weight: "bold")[A paper on muons]]\n'
    named = read(tmp_path, title + f"*Abstract*\n\n{WORDS}\n= Introduction\n{WORDS * 2}")
    assert texts(named, BlockKind.ABSTRACT) == [WORDS.strip()]
    run_in = read(tmp_path, title + f"Abstract: {WORDS}\n= Introduction\n{WORDS * 2}")
    assert texts(run_in, BlockKind.ABSTRACT) == [WORDS.strip()]
    assert "Abstract" in texts(run_in, BlockKind.HEADING)
    inset = read(
        tmp_path,
        title
        + "#align(center)[A. Muon and B. Neutrino]\n"
        + f"#pad(x: 30pt, text(size: 9pt)[{WORDS * 2}])\n= Introduction\n{WORDS * 4}",
    )
    assert texts(inset, BlockKind.ABSTRACT) == [(WORDS * 2).strip()]
    assert inset.title == "A paper on muons"
    assert inset.authors == ("A. Muon", "B. Neutrino")
    for document in (named, run_in, inset):
        assert {b.section for b in of_kind(document, BlockKind.ABSTRACT)} == {("Abstract",)}


def test_a_caption_is_one_and_a_sentence_about_a_figure_is_not(tmp_path: Path) -> None:
    source = (
        f"{WORDS}\n\n#figure(rect(width: 200pt, height: 60pt, fill: silver), "
        f"caption: [The cooling channel.])\n\nFigure 1 shows the channel. {WORDS}"
    )
    document = read(tmp_path, source)
    assert texts(document, BlockKind.CAPTION) == ["Figure 1: The cooling channel."]
    assert any(
        t.startswith("Figure 1 shows the channel.") for t in texts(document, BlockKind.PARAGRAPH)
    )


def test_labels_inside_a_drawing_are_no_text(tmp_path: Path) -> None:
    drawing = (
        "box(width: 240pt, height: 100pt, {"
        "place(curve(stroke: 1pt, curve.line((240pt, 100pt)), curve.line((0pt, 100pt))));"
        "place(dx: 5pt, dy: 80pt, text(6pt)[0.5]); place(dx: 100pt, dy: 10pt, text(6pt)[TeV]) })"
    )
    document = read(tmp_path, f"{WORDS}\n\n#figure({drawing}, caption: [Energies.])\n\n{WORDS}")
    text = " ".join(b.text for b in document.blocks)
    assert text == f"{WORDS}Figure 1: Energies. {WORDS}".strip()


def test_a_framed_paragraph_stays(tmp_path: Path) -> None:
    document = read(tmp_path, f"#rect(stroke: 1pt, fill: silver)[{WORDS * 3}]")
    assert " ".join(b.text for b in document.blocks) == (WORDS * 3).strip()


def test_table_rows_keep_their_cells(tmp_path: Path) -> None:
    table = (
        "table(columns: 3, stroke: none, column-gutter: 20pt, table.hline(), "
        "[Magnet], [Length, m], [Gradient, T/m], table.hline(), "
        "[Q1], [1.5], [250], [Q2], [1.7], [−187], [B1], [6.0], [8.0], table.hline())"
    )
    document = read(
        tmp_path, f"{WORDS}\n\n#figure({table}, caption: [Magnets.], kind: table)\n\n{WORDS}"
    )
    assert texts(document, BlockKind.TABLE) == [
        "Magnet | Length, m | Gradient, T/m\nQ1 | 1.5 | 250\nQ2 | 1.7 | −187\nB1 | 6.0 | 8.0"
    ]
    assert texts(document, BlockKind.CAPTION) == ["Table 1: Magnets."]
    assert len(texts(document, BlockKind.PARAGRAPH)) == 2


def test_a_cell_that_runs_over_two_lines_stays_one(tmp_path: Path) -> None:
    table = (
        "table(columns: (80pt, 60pt, 60pt), stroke: none, column-gutter: 20pt, table.hline(), "
        "[Layout], [Wedges], [Field], table.hline(), "
        "[first], [0], [6.928E- \\ 06], [second], [1], [5.480E- \\ 06], table.hline())"
    )
    document = read(
        tmp_path, f"{WORDS}\n\n#figure({table}, caption: [Fields.], kind: table)\n\n{WORDS}"
    )
    (block,) = of_kind(document, BlockKind.TABLE)
    assert block.text == "Layout | Wedges | Field\nfirst | 0 | 6.928E-06\nsecond | 1 | 5.480E-06"
    assert [block.text[b.start : b.end] for b in block.boxes if "06" in block.text[b.start : b.end]]


def test_a_fraction_is_written_with_its_bar(tmp_path: Path) -> None:
    source = (
        f"{WORDS}\n$ x = a_1/b + (c + d)/(e - 1) $\n"
        f"{WORDS} The half $1/2$ of it and the factor $(1 - beta^2)^(-1/2)$ remain. {WORDS}"
    )
    document = read(tmp_path, source)
    (equation,) = texts(document, BlockKind.EQUATION)
    assert equation == "x = a_1/b + (c + d)/(e − 1)"
    prose = " ".join(texts(document, BlockKind.PARAGRAPH))
    assert "The half 1/2 of it" in prose


def test_pages_of_different_widths_are_read_together(tmp_path: Path) -> None:
    wide = "#set page(width: 1400pt, height: 300pt, margin: 50pt)\n" + numbered(600, "wide")
    document = read(tmp_path, numbered(500) + "\n\n" + wide)
    found = plain_words(" ".join(b.text for b in document.blocks))
    assert found == numbered(500).split() + numbered(600, "wide").split()


def test_a_displayed_equation_stands_apart(tmp_path: Path) -> None:
    source = (
        '#set math.equation(numbering: "(1)")\n'
        f"{WORDS} The emittance follows\n$ (d epsilon_N)/(d s) = -epsilon_N / (beta^2 E) + b $\n"
        f"where $beta$ is the velocity. {WORDS}"
    )
    document = read(tmp_path, source)
    (equation,) = texts(document, BlockKind.EQUATION)
    assert equation.endswith("(1)")
    assert "ε_N" in equation
    assert "β^2" in equation
    before, after = texts(document, BlockKind.PARAGRAPH)
    assert before.endswith("The emittance follows")
    assert after.startswith("where β is the velocity.")


def test_every_reference_is_an_entry(tmp_path: Path) -> None:
    entries = [
        f"A. Muon and B. Neutrino, Phys. Rev. D {n}, 112001 (2021). {WORDS}" for n in range(4)
    ]
    listed = "".join(f"#enum.item({n + 1})[{entry}]\n" for n, entry in enumerate(entries))
    document = read(
        tmp_path,
        f'= Introduction\n{WORDS}\n= References\n#set enum(numbering: "[1]")\n{listed}',
    )
    assert [
        r.removeprefix(f"[{n + 1}] ") for n, r in enumerate(texts(document, BlockKind.REFERENCE))
    ] == [e.strip() for e in entries]
    assert {b.section for b in of_kind(document, BlockKind.REFERENCE)} == {("References",)}


def listed(first: int, number: int) -> str:
    """A numbered list that looks like references, or goes on with them."""
    entries = [
        f"#enum.item({n})[A. Muon and B. Neutrino, Phys. Rev. D {n}, 112001 (2021).]\n"
        for n in range(first, first + number)
    ]
    return '#set enum(numbering: "[1]")\n' + "".join(entries)


@pytest.mark.parametrize("first", [1, 7])
def test_references_without_a_heading_are_known_by_their_numbers(
    tmp_path: Path, first: int
) -> None:
    document = read(
        tmp_path, f"= Introduction\n{WORDS * 2}\n= Appendix\n{WORDS}\n{listed(first, 5)}"
    )
    assert [r.split("]")[0] for r in texts(document, BlockKind.REFERENCE)] == [
        f"[{n}" for n in range(first, first + 5)
    ]
    assert len(texts(document, BlockKind.PARAGRAPH)) == 2


def test_text_beside_references_without_a_heading_stays_text(tmp_path: Path) -> None:
    source = f"= Introduction\n{WORDS}\n{listed(1, 5)}\n{WORDS * 3}\n{listed(6, 4)}"
    document = read(tmp_path, source)
    assert len(texts(document, BlockKind.REFERENCE)) == 9
    assert " ".join(texts(document, BlockKind.PARAGRAPH)).count(WORDS.strip()) == 4


def test_a_numbered_list_that_cites_nothing_is_text(tmp_path: Path) -> None:
    steps = "".join(
        f"#enum.item({n})[Step {n} of the cooling channel is taken.]\n" for n in range(1, 7)
    )
    document = read(tmp_path, f'= Introduction\n{WORDS}\n#set enum(numbering: "[1]")\n{steps}')
    assert texts(document, BlockKind.REFERENCE) == []
    assert "Step 6 of the cooling" in " ".join(texts(document, BlockKind.PARAGRAPH))


# --- boxes and ledger --------------------------------------------------------------------------


def test_every_box_holds_on_its_page_the_text_that_it_claims(tmp_path: Path) -> None:
    source = (
        '#set page(columns: 2)\n#set heading(numbering: "1.1")\n'
        f"= Introduction\n{WORDS * 16}\n= Cooling\n{WORDS * 20}"
    )
    path = typeset(tmp_path, source, setup=TWO_COLUMNS)
    document = parse_pdf(path)
    pdf = pdfium.PdfDocument(path)
    heights = [pdf[n].get_size()[1] for n in range(len(pdf))]
    layers = [pdf[n].get_textpage() for n in range(len(pdf))]
    seen = 0
    for block in document.blocks:
        assert block.boxes[0].start == 0
        assert block.boxes[-1].end == len(block.text)
        assert block.page == block.boxes[0].page
        for box in block.boxes:
            height = heights[box.page - 1]
            layer = layers[box.page - 1].get_text_bounded(
                box.x0 - 1, height - box.y1, box.x1 + 1, height - box.y0
            )
            claimed = re.sub(r"\W", "", block.text[box.start : box.end])
            assert re.sub(r"\W", "", layer) == claimed
            seen += 1
    assert seen > 30
    assert {b.page for block in document.blocks for b in block.boxes} == {1, 2}


def test_the_ledger_accounts_for_every_character(tmp_path: Path) -> None:
    document = read(tmp_path, f"{WORDS * 8}\n#pagebreak()\n#pagebreak()\n{WORDS}")
    assert [p.page for p in document.pages] == list(range(1, len(document.pages) + 1))
    for entry in document.pages:
        boxes = [box for b in document.blocks for box in b.boxes if box.page == entry.page]
        assert entry.characters == sum(box.end - box.start for box in boxes)
        assert (entry.note == "") == bool(boxes)
    assert document.pages[-2].note == "blank"
    assert document.pages[-2].blocks == 0


def test_the_same_file_gives_the_same_document(tmp_path: Path) -> None:
    path = typeset(tmp_path, f"= Cooling\n{WORDS * 4}", setup=TWO_COLUMNS)
    assert parse_pdf(path) == parse_pdf(path)
