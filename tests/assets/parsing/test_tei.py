"""TEI to blocks: what GROBID of any age writes, and what it must never be allowed to do."""

from pathlib import Path

import pytest

from assets.parsing.tei import read_tei
from assets.parsing.tei_xml import TeiLimits
from resources.blocks import Block, BlockKind, ParsedDocument
from resources.errors import Permanent
from tests.support.grobid_server import ENTITY_BOMB
from tests.support.tei_builder import check_whole, tei

HEADER = """
<fileDesc><titleStmt><title level="a" type="main">Cooling of  Muons</title></titleStmt>
<sourceDesc><biblStruct><analytic>
<author><persName><forename type="first">Ada</forename><forename type="middle">B</forename>
<surname>Lovelace</surname></persName><affiliation><orgName>CERN</orgName></affiliation></author>
<author><orgName>MICE Collaboration</orgName></author>
<author><email>nobody@example.org</email></author>
</analytic></biblStruct></sourceDesc></fileDesc>
<encodingDesc><appInfo><application version="0.8.1" ident="GROBID"/></appInfo></encodingDesc>
<profileDesc><abstract><div><p>We cool muons.</p></div></abstract></profileDesc>
"""


def read(body: str, **parts: str) -> ParsedDocument:
    document = read_tei(tei(body, **parts))
    check_whole(document)
    return document


def texts(document: ParsedDocument, kind: BlockKind) -> list[str]:
    return [block.text for block in document.blocks if block.kind is kind]


def only(document: ParsedDocument) -> Block:
    (block,) = document.blocks
    return block


def test_title_authors_and_version_come_from_the_header() -> None:
    document = read("<div><p>Words.</p></div>", header=HEADER)
    assert document.title == "Cooling of Muons"
    assert document.authors == ("Ada B Lovelace", "MICE Collaboration")
    assert document.parser == "grobid 0.8.1"


def test_without_a_header_only_the_text_is_known() -> None:
    document = read("<div><p>Words.</p></div>")
    assert (document.title, document.authors, document.parser) == ("", (), "grobid")


def test_an_empty_title_falls_back_to_the_sources_own() -> None:
    header = (
        "<fileDesc><titleStmt><title/></titleStmt><sourceDesc><biblStruct><monogr>"
        "<title>A Report</title></monogr></biblStruct></sourceDesc></fileDesc>"
    )
    assert read("<div><p>Words.</p></div>", header=header).title == "A Report"


def test_the_abstract_comes_first_and_under_its_own_name() -> None:
    document = read("<div><p>Words.</p></div>", header=HEADER)
    first = document.blocks[0]
    assert (first.kind, first.text) == (BlockKind.ABSTRACT, "We cool muons.")
    assert first.section == ("Abstract",)


@pytest.mark.parametrize(
    "abstract",
    [
        "<p>One. Two.</p>",
        "One. Two.",
        "<div>One. Two.</div>",
        "<div><p><s>One.</s><s>Two.</s></p></div>",
    ],
)
def test_abstracts_of_every_age_are_read(abstract: str) -> None:
    header = f"<profileDesc><abstract>{abstract}</abstract></profileDesc>"
    document = read("", header=header)
    assert texts(document, BlockKind.ABSTRACT) == ["One. Two."]


def test_a_structured_abstract_keeps_its_headings() -> None:
    header = (
        "<profileDesc><abstract><div><head>Methods</head><p>We cool.</p></div>"
        "<div><head>Results</head><p>It is cold.</p></div></abstract></profileDesc>"
    )
    assert texts(read("", header=header), BlockKind.ABSTRACT) == [
        "Methods: We cool.",
        "Results: It is cold.",
    ]


def test_a_header_alone_is_a_document() -> None:
    data = tei(header=HEADER).replace(b"<div><p>Words.</p></div>", b"")
    assert [block.kind for block in read_tei(data).blocks] == [BlockKind.ABSTRACT]


def test_a_body_without_divisions_is_read() -> None:
    document = read("<p>One.</p>Stray text.<p>Two.</p>")
    assert texts(document, BlockKind.PARAGRAPH) == ["One.", "Stray text.", "Two."]


def test_text_without_a_body_is_read() -> None:
    data = b"<TEI><teiHeader/><text><div>All in one.<div><p>More.</p></div></div></text></TEI>"
    assert [block.text for block in read_tei(data).blocks] == ["All in one.", "More."]


def test_sentences_without_blanks_between_them_stay_apart() -> None:
    assert only(read("<p><s>One.</s><s>Two <ref>[1]</ref>.</s></p>")).text == "One. Two [1]."


def test_line_ends_and_indents_of_the_file_are_no_part_of_the_text() -> None:
    body = (
        "<p>Recently the ATLAS\n     <ref>[1]</ref> and CMS\n   <ref>[2]</ref> experiments.\n  </p>"
    )
    assert only(read(body)).text == "Recently the ATLAS [1] and CMS [2] experiments."


def test_namespaces_are_of_no_account() -> None:
    plain = read_tei(tei("<div><head n='1'>A</head><p>B</p></div>", namespace=""))
    prefixed = tei("<div><head n='1'>A</head><p>B</p></div>", namespace="")
    prefixed = prefixed.replace(b"</", b"</t:").replace(b"<", b"<t:").replace(b"<t:/t:", b"</t:")
    prefixed = prefixed.replace(b"<t:?", b"<?").replace(b"<t:TEI>", b'<t:TEI xmlns:t="urn:t">')
    assert read_tei(prefixed).blocks == plain.blocks
    assert read_tei(tei("<div><head n='1'>A</head><p>B</p></div>")).blocks == plain.blocks


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
def test_other_encodings_are_read_as_they_declare_themselves(encoding: str) -> None:
    before = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig")}"?>'
    data = tei("<p>Füße °C</p>", before=before).decode().encode(encoding)
    assert only(read_tei(data)).text == "Füße °C"


def test_comments_and_instructions_leave_no_trace() -> None:
    assert only(read("<p>One <!-- no --><?x no?>two.</p>")).text == "One two."


def sections(*heads: tuple[str, str]) -> list[tuple[str, ...]]:
    body = "".join(
        f"<div><head{f' n={number!r}' if number else ''}>{text}</head><p>Words.</p></div>"
        for number, text in heads
    )
    document = read(body)
    return [b.section for b in document.blocks if b.kind is BlockKind.PARAGRAPH]


def test_decimal_numbers_nest() -> None:
    assert sections(
        ("1", "Intro"),
        ("2", "Lattice"),
        ("2.1", "Arcs"),
        ("2.1.1", "Magnets"),
        ("2.2", "IR"),
        ("3", "End"),
    ) == [
        ("1 Intro",),
        ("2 Lattice",),
        ("2 Lattice", "2.1 Arcs"),
        ("2 Lattice", "2.1 Arcs", "2.1.1 Magnets"),
        ("2 Lattice", "2.2 IR"),
        ("3 End",),
    ]


def test_roman_numbers_nest_letters_and_letters_nest_digits() -> None:
    assert sections(
        ("I.", "INTRO"), ("II.", "RING"), ("A.", "Arcs"), ("1.", "Dipoles"), ("B.", "Cells"),
        ("C.", "Cavities"), ("D.", "Dumps"), ("III.", "END"), ("IV.", "OUTLOOK"),
    ) == [
        ("I. INTRO",),
        ("II. RING",),
        ("II. RING", "A. Arcs"),
        ("II. RING", "A. Arcs", "1. Dipoles"),
        ("II. RING", "B. Cells"),
        ("II. RING", "C. Cavities"),
        ("II. RING", "D. Dumps"),
        ("III. END",),
        ("IV. OUTLOOK",),
    ]  # fmt: skip


def test_letters_after_decimal_numbers_are_appendices() -> None:
    assert sections(("1", "Intro"), ("2", "Ring"), ("A", "Proofs"), ("A.1", "Lemma")) == [
        ("1 Intro",),
        ("2 Ring",),
        ("A Proofs",),
        ("A Proofs", "A.1 Lemma"),
    ]


def test_numbers_within_the_text_of_a_heading_count_too() -> None:
    assert sections(("", "1. INTRO"), ("", "2. RING"), ("", "2.1 Arcs"), ("", "3 End")) == [
        ("1. INTRO",),
        ("2. RING",),
        ("2. RING", "2.1 Arcs"),
        ("3 End",),
    ]


@pytest.mark.parametrize(
    "word", ["3D modelling", "A new method", "10 T dipoles", "10 TeV rings", "I think so"]
)
def test_words_that_look_like_numbers_are_none(word: str) -> None:
    assert sections(("1", "Intro"), ("2", "Ring"), ("", word))[-1] == ("2 Ring", word)


def test_unnumbered_headings_of_a_numbered_paper_are_below_its_sections() -> None:
    assert sections(
        ("1", "Intro"), ("1.1", "Aims"), ("", "Scope"), ("", "Limits"), ("2", "Ring")
    ) == [
        ("1 Intro",),
        ("1 Intro", "1.1 Aims"),
        ("1 Intro", "1.1 Aims", "Scope"),
        ("1 Intro", "1.1 Aims", "Limits"),
        ("2 Ring",),
    ]


def test_closing_headings_stand_on_their_own() -> None:
    assert sections(("1", "Intro"), ("2.3", "Ring"), ("", "Acknowledgments"))[-1] == (
        "Acknowledgments",
    )


def test_headings_without_any_numbers_are_all_of_one_level() -> None:
    assert sections(("", "Intro"), ("", "Ring"), ("", "End")) == [("Intro",), ("Ring",), ("End",)]


def test_nested_divisions_nest_without_numbers() -> None:
    document = read("<div><head>Ring</head><div><head>Arcs</head><p>Words.</p></div></div>")
    assert document.blocks[-1].section == ("Ring", "Arcs")


def test_a_division_without_a_heading_goes_on_with_the_section() -> None:
    document = read("<div><head n='1'>Intro</head><p>One.</p></div><div><p>Two.</p></div>")
    assert document.blocks[-1].section == ("1 Intro",)


def test_back_matter_is_in_no_section_of_the_body() -> None:
    document = read(
        "<div><head n='1'>Intro</head><p>One.</p></div>",
        back='<div type="annex"><div><p>Appended.</p></div></div>',
    )
    assert document.blocks[-1].section == ()


def test_a_headings_own_path_ends_with_itself() -> None:
    document = read("<div><head n='1'>Ring</head></div><div><head n='1.1'>Arcs</head></div>")
    assert [block.section for block in document.blocks] == [("1 Ring",), ("1 Ring", "1.1 Arcs")]


def test_a_paragraph_that_was_taken_for_a_heading_is_one_again() -> None:
    document = read(f"<div><head>{'Many words. ' * 30}</head><p>Words.</p></div>")
    assert [block.kind for block in document.blocks] == [BlockKind.PARAGRAPH] * 2
    assert document.blocks[1].section == ()


def test_scripts_are_kept_in_one_notation() -> None:
    body = (
        '<p>10 <hi rend="superscript">34</hi> cm<hi rend="superscript">−2</hi> and '
        'Nb<hi rend="subscript">3</hi>Sn, μ<hi rend="sup">+</hi>, 10⁻⁶ and H₂O</p>'
    )
    assert only(read(body)).text == "10^{34} cm^{-2} and Nb_3Sn, μ^+, 10^{-6} and H_2O"


def test_presentation_forms_become_plain_letters_and_signs_stay() -> None:
    assert only(read("<p>ﬁeld of 5 µm, 𝛽 = ½ …\u00ad\u200b</p>")).text == "field of 5 μm, β = ½ …"


def test_a_displayed_formula_parts_its_paragraph_and_keeps_its_number() -> None:
    document = read(
        "<p>The energy is</p><formula xml:id='f0'>E = mc 2<label>(1)</label></formula><p>where</p>"
    )
    assert [(b.kind, b.text) for b in document.blocks] == [
        (BlockKind.PARAGRAPH, "The energy is"),
        (BlockKind.EQUATION, "E = mc 2 (1)"),
        (BlockKind.PARAGRAPH, "where"),
    ]


def test_a_formula_within_a_paragraph_is_inline_or_displayed() -> None:
    inline = read("<p>Let <formula>x = 1</formula> hold.</p>")
    assert only(inline).text == "Let x = 1 hold."
    alone = read("<p><formula>x = 1</formula></p>")
    assert only(alone).kind is BlockKind.EQUATION
    numbered = read("<p>Let <formula>x = 1<label>(2)</label></formula> hold.</p>")
    assert [b.kind for b in numbered.blocks].count(BlockKind.EQUATION) == 1


@pytest.mark.parametrize(
    ("figure", "caption"),
    [
        ("<head>Fig. 1</head><label>1</label><figDesc>The ring.</figDesc>", "Fig. 1 The ring."),
        ("<head>Figure 1 :</head><figDesc>Figure 1: The ring.</figDesc>", "Figure 1: The ring."),
        ("<figDesc>The ring.</figDesc>", "The ring."),
        ("<head>Fig. 1</head><figDesc/>", "Fig. 1"),
        (
            "<figDesc><div><p><s>The ring.</s><s>It turns.</s></p></div></figDesc>",
            "The ring. It turns.",
        ),
    ],
)
def test_captions_of_figures(figure: str, caption: str) -> None:
    document = read(f"<figure xml:id='fig_0'>{figure}<graphic/></figure>")
    assert [(b.kind, b.text) for b in document.blocks] == [(BlockKind.CAPTION, caption)]


def test_a_figure_without_words_is_no_block() -> None:
    document = read("<p>Words.</p><figure><head></head><label></label><figDesc/></figure>")
    assert len(document.blocks) == 1


def test_tables_are_rows_of_cells_below_their_caption() -> None:
    document = read(
        "<figure type='table'><head>Table 1</head><figDesc>Magnets</figDesc><table>"
        "<row><cell>Name</cell><cell cols='2'>Field (T)</cell></row>"
        "<row><cell>Dipole</cell><cell>10</cell><cell/></row><row><cell/></row></table>"
        "<note>At 4.5 K.</note></figure>"
    )
    assert [(b.kind, b.text) for b in document.blocks] == [
        (BlockKind.CAPTION, "Table 1 Magnets"),
        (BlockKind.TABLE, "Name | Field (T)\nDipole | 10 |"),
        (BlockKind.CAPTION, "At 4.5 K."),
    ]


def test_a_table_without_rows_keeps_its_text() -> None:
    document = read("<figure type='table'><figDesc>T</figDesc><table>a b c</table></figure>")
    assert texts(document, BlockKind.TABLE) == ["a b c"]


def test_what_grobid_of_2015_threw_into_figures_is_not_lost() -> None:
    document = read(
        "<figure><trash>V ρ = Q 2 + k 1</trash></figure>"
        "<figure><trash>Under the decomposition these tensors transform alike.</trash></figure>"
    )
    assert [b.kind for b in document.blocks] == [BlockKind.EQUATION, BlockKind.PARAGRAPH]


def test_footnotes_and_lists_are_paragraphs() -> None:
    document = read(
        "<div><p>Text</p><list><item>One</item><item>Two</item></list>"
        "<note place='foot' n='1'>A footnote.</note></div>"
    )
    assert texts(document, BlockKind.PARAGRAPH) == ["Text", "One", "Two", "A footnote."]


RAW = (
    '<biblStruct xml:id="b0"><analytic><title>On Rings</title></analytic>'
    '<note type="raw_reference">A. Author, On Rings, Clin- ical beam- induced J. 1, 2 (2020).'
    "</note>"
    "</biblStruct>"
)
PARTS = """<biblStruct xml:id="b1"><analytic><title level="a">On Arcs</title><author><persName>
<forename type="first">B</forename><surname>Writer</surname></persName></author></analytic>
<monogr><title level="j">J. Beams</title><imprint><biblScope unit="volume">7</biblScope>
<biblScope unit="page" from="11" to="19"/><date type="published" when="2021">2021</date></imprint>
</monogr><idno type="arXiv">arXiv:2101.00001</idno><idno type="PMID">123</idno></biblStruct>"""


def references(body: str, *entries: str) -> list[str]:
    back = f'<div type="references"><listBibl>{"".join(entries)}</listBibl></div>'
    return texts(read(body, back=back), BlockKind.REFERENCE)


def test_a_reference_is_its_printed_line_where_there_is_one() -> None:
    assert references("<p>Words.</p>", RAW) == [
        "A. Author, On Rings, Clinical beam-induced J. 1, 2 (2020)."
    ]


def test_a_reference_in_parts_becomes_one_line() -> None:
    assert references("<p>Words.</p>", PARTS) == [
        "B Writer. On Arcs. J. Beams. 7, 11-19. 2021. arXiv:2101.00001"
    ]


def test_references_bear_the_numbers_by_which_the_text_cites_them() -> None:
    body = (
        '<p>As in <ref type="bibr" target="#b0">[12]</ref> and '
        '<ref type="bibr" target="#b1">[13,</ref><ref type="bibr" target="#b0">12]</ref>.</p>'
    )
    lines = references(body, RAW, PARTS)
    assert [line.split()[0] for line in lines] == ["[12]", "[13]"]


def test_references_cited_by_name_bear_no_number() -> None:
    body = '<p>As in <ref type="bibr" target="#b0">(Author, 2020)</ref>.</p>'
    assert references(body, RAW)[0].startswith("A. Author")


def test_in_text_references_stay_as_they_are_printed() -> None:
    body = '<p>As in <ref type="bibr" target="#b0">[12,</ref> <ref target="#b1">13]</ref>.</p>'
    assert texts(read(body), BlockKind.PARAGRAPH) == ["As in [12, 13]."]


def test_empty_references_are_left_out() -> None:
    empty = "<biblStruct><monogr><title/><imprint/></monogr></biblStruct>"
    assert references("<p>Words.</p>", empty, "<note>no entry</note>", RAW)[0].startswith("A.")
    assert len(references("<p>Words.</p>", empty, RAW)) == 1


# Refusals.


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "not well-formed XML"),
        (b"   ", "not well-formed XML"),
        (b"\x00\xff\xfe garbage", "not well-formed XML"),
        (b"%PDF-1.7", "not well-formed XML"),
        (b"<TEI><text>", "not well-formed XML"),
        (b"<TEI/><TEI/>", "not well-formed XML"),
        (b'<?xml version="1.0" encoding="no-such"?><TEI/>', "not well-formed XML"),
        (b'<?xml version="1.0" encoding="utf-7"?><TEI/>', "not well-formed XML"),
        (b"<html><body>Sign in</body></html>", "outermost element is html, not TEI"),
        (b"<biblStruct><monogr/></biblStruct>", "outermost element is biblStruct"),
        (b"<TEI/>", "holds no text"),
        (b"<TEI><teiHeader/><text><body/></text></TEI>", "holds no text"),
        (ENTITY_BOMB, "declares a document type or entities"),
        (b"<!DOCTYPE TEI><TEI/>", "declares a document type"),
        (b'<!DOCTYPE TEI SYSTEM "http://127.0.0.1:9/t.dtd"><TEI/>', "declares a document type"),
    ],
)
def test_what_is_no_tei_is_refused_in_one_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(Permanent, match=sentence) as caught:
        read_tei(data)
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith(".")


def test_an_external_entity_reads_no_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    data = (
        f'<!DOCTYPE TEI [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
        "<TEI><text><body><p>&x;</p></body></text></TEI>"
    )
    with pytest.raises(Permanent) as caught:
        read_tei(data.encode())
    assert "secret" not in str(caught.value)


def test_an_undeclared_entity_is_refused() -> None:
    with pytest.raises(Permanent, match="not well-formed"):
        read_tei(tei("<p>&nbsp;</p>"))


def test_a_document_over_the_limit_of_bytes_is_refused_unread() -> None:
    with pytest.raises(Permanent, match="over the limit"):
        read_tei(b"<" * 1001, limits=TeiLimits(max_bytes=1000))


def test_depth_is_bounded() -> None:
    deep = "<div>" * 100_000 + "<p>x</p>" + "</div>" * 100_000
    with pytest.raises(Permanent, match="more than 64 deep"):
        read_tei(tei(deep))
    assert only(read("<div>" * 50 + "<p>x</p>" + "</div>" * 50)).text == "x"


def test_the_number_of_elements_is_bounded() -> None:
    with pytest.raises(Permanent, match="more than 500 elements"):
        read_tei(tei("<p>x</p>" * 600), limits=TeiLimits(max_elements=500))


def test_a_paragraph_of_very_many_pieces_takes_no_more_than_linear_time() -> None:
    pieces = 100_000
    text = only(read_tei(tei(f"<p>{'<ref>[1]</ref> a ' * pieces}</p>"))).text
    assert text.count("[1]") == pieces


# Pages and boxes from the TEI itself.

SURFACES = "<facsimile>{}</facsimile>".format(
    "".join(f'<surface n="{n}" ulx="0.0" uly="0.0" lrx="612.0" lry="792.0"/>' for n in (1, 2, 3))
)


def test_a_paragraphs_boxes_are_its_sentences_each_with_its_characters() -> None:
    block = only(
        read(
            '<p coords="1,10,10,99,99"><s coords="1,50,700,200,10">One sentence.</s>'
            '<s coords="1,50,712,200,10;2,50,60,100,10">Two runs on here.</s></p>'
        )
    )
    assert block.page == 1
    assert [(b.page, b.x0, b.y0, b.x1, b.y1) for b in block.boxes] == [
        (1, 50, 700, 250, 710),
        (1, 50, 712, 250, 722),
        (2, 50, 60, 150, 70),
    ]
    parts = [block.text[box.start : box.end] for box in block.boxes]
    assert "".join(parts) == block.text
    assert parts[0].strip() == "One sentence."
    # The second sentence is shared by width: two thirds on the first page.
    assert abs(len(parts[1]) - 2 * len(parts[2])) <= 2


def test_a_paragraph_without_sentences_takes_its_own_boxes() -> None:
    block = only(read('<p coords="3,50,60,100,10">Words.</p>', facsimile=SURFACES))
    assert (block.page, block.boxes[0].start, block.boxes[0].end) == (3, 0, 6)


@pytest.mark.parametrize(
    "body",
    [
        '<head coords="2,1,2,3,4">A heading</head>',
        '<formula coords="2,1,2,3,4">x = 1</formula>',
        '<figure coords="2,1,2,3,4"><figDesc>A ring</figDesc></figure>',
        '<figure coords="2,1,2,3,4" type="table"><figDesc>T</figDesc></figure>',
        '<note place="foot" coords="2,1,2,3,4">A note</note>',
        '<listBibl><bibl coords="2,1,2,3,4">A. Author, On Rings.</bibl></listBibl>',
    ],
)
def test_every_kind_of_block_takes_its_coordinates(body: str) -> None:
    block = only(read(f"<div>{body}</div>", facsimile=SURFACES))
    assert block.page == 2
    assert (block.boxes[0].x0, block.boxes[0].y1) == (1, 6)


def test_references_within_a_paragraph_tell_its_page_when_nothing_else_does() -> None:
    block = only(read('<p>As in <ref coords="2,1,2,3,4">[1]</ref> too.</p>', facsimile=SURFACES))
    assert block.page == 2
    assert block.text[block.boxes[0].start : block.boxes[0].end] == "[1]"


@pytest.mark.parametrize(
    "coords",
    [
        "",
        ";;",
        "x",
        "1,2,3",
        "0,1,2,3,4",
        "-1,1,2,3,4",
        "1,nan,2,3,4",
        "1,inf,2,3,4",
        "1e99,1,2,3,4",
        "999999,1,2,3,4",
        "1,1e308,2,1e308,4",
    ],
)
def test_coordinates_that_are_none_are_as_good_as_absent(coords: str) -> None:
    block = only(read(f'<p coords="{coords}">Words.</p>'))
    assert (block.page, block.boxes) == (1, ())


def test_a_block_without_a_place_takes_the_page_of_its_neighbour() -> None:
    document = read(
        '<p>Before.</p><p coords="2,1,2,3,4">Here.</p><p>After.</p><p coords="3,1,2,3,4">End.</p>',
        facsimile=SURFACES,
    )
    assert [block.page for block in document.blocks] == [2, 2, 2, 3]


def test_the_ledger_has_every_page_the_tei_states() -> None:
    document = read('<p coords="2,1,2,3,4">Words.</p>', facsimile=SURFACES)
    assert [(p.page, p.width, p.height) for p in document.pages] == [
        (1, 612, 792),
        (2, 612, 792),
        (3, 612, 792),
    ]
    assert [p.characters for p in document.pages] == [0, 6, 0]
    assert [p.blocks for p in document.pages] == [0, 1, 0]
    assert [p.note for p in document.pages] == [
        "nothing taken by GROBID",
        "",
        "nothing taken by GROBID",
    ]


@pytest.mark.parametrize("number", ["99999999999", "0", "-1", "x", ""])
def test_surfaces_that_are_no_pages_are_left_out(number: str) -> None:
    surface = f'<surface n="{number}" ulx="0" uly="0" lrx="612" lry="792"/>'
    infinite = '<surface n="1" ulx="0" uly="0" lrx="inf" lry="nan"/>'
    document = read("<p>Words.</p>", facsimile=f"<facsimile>{surface}{infinite}</facsimile>")
    assert [(page.page, page.width) for page in document.pages] == [(1, 0)]


@pytest.mark.parametrize("number", ["²", "9" * 5000, "٣", "1." * 3000, "...", "MMXX"])
def test_odd_section_numbers_do_no_harm(number: str) -> None:
    heads = [("1", "Intro"), (number, "Odd"), ("I", "Roman"), (number, "Odd"), ("2", "End")]
    assert len(sections(*heads)) == len(heads)


def test_unknown_pages_are_noted_in_the_ledger() -> None:
    (page,) = read("<p>Words.</p>").pages
    assert (page.page, page.characters, page.blocks) == (1, 6, 1)
    assert page.note == "pages unknown: the TEI has no coordinates"
