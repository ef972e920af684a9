"""Code points, fonts and runs: what a glyph means, and what becomes of scripts and accents."""

from pathlib import Path

import pytest

from resources.blocks import BlockKind
from resources.pdf_layout import parse_pdf
from resources.pdf_layout.encodings import HYPHEN, REPLACEMENT, decoder
from resources.pdf_layout.fonts import Font, settle_weights
from resources.pdf_layout.scripts import normalised
from tests.support.pdf_samples import packed, stream, text_at, typeset, written


def text_of(path: Path) -> str:
    return "\n".join(b.text for b in parse_pdf(path).blocks)


@pytest.mark.parametrize(
    ("font", "codes", "text"),
    [
        # Knuth, The TeXbook, appendix F: OML, OMS, OMX and OT1.
        ("CMMI10", [0x0B, 0x16, 0x1C, 0x60, 0x40, ord("x")], "αμτℓ∂x"),
        ("LMMathItalic10-Regular", [0x0C, ord(".")], "β."),
        ("CMSY10", [0x00, 0x02, 0x1C, 0x30, 0x68, 0x69, 0x6B, ord("L")], "−×≪′⟨⟩∥L"),
        ("CMEX10", [0x58, 0x5A, 0x12, 0x13, 0x70], "∑∫()√"),
        ("CMR10", [0x0B, 0x0C, 0x0E, ord("A")], "fffiffiA"),
        # Families that name their printable signs well keep them.
        ("txsys", [ord("("), ord("="), ord("h"), 0x00], "(=⟨−"),
        ("NewTXMI", [ord("="), 0x0B, 0x1D465], "=α𝑥"),
        ("NimbusRomNo9L-Regu", [ord("k"), ord("0"), 0x02], f"k0{HYPHEN}"),
        ("SymbolMT", [0xF061, 0xF0B1, 0xF044], "α±Δ"),
        ("Wingdings", [0xF0B7], "•"),
        ("LINE10", [0x12, 0x40], ""),
    ],
)
def test_a_font_without_a_map_is_read_by_its_encoding(
    font: str, codes: list[int], text: str
) -> None:
    table = decoder(font)
    assert "".join(table[code] for code in codes) == text


@pytest.mark.parametrize("code", [0x01, 0x1F, 0x7F, 0x9C, 0xD835, 0xE123, 0xFFFF])
def test_what_has_no_meaning_is_counted_and_not_hidden(code: int) -> None:
    assert decoder("Arial")[code] == REPLACEMENT


@pytest.mark.parametrize(
    ("name", "bold", "italic", "math"),
    [
        ("ABCDEF+CMBX12", True, False, False),
        ("CMTI10", False, True, False),
        ("CMMI7", False, True, True),
        ("NimbusRomNo9L-MediItal", True, True, False),
        ("TimesNewRomanPS-BoldMT", True, False, False),
        ("LMMathSymbols10-Regular", False, False, True),
        ("XITSMath", False, False, True),
        ("TeXGyreTermes-Regular", False, False, False),
    ],
)
def test_a_font_is_known_by_its_name(name: str, bold: bool, italic: bool, math: bool) -> None:
    font = Font(name)
    assert (font.bold, font.italic, font.math) == (bold, italic, math)
    assert not font.name.startswith("ABCDEF")


def test_a_nameless_bold_font_is_known_by_being_heavier_than_the_text() -> None:
    body, heavy, alike = Font("AdvTT1", 400), Font("AdvTT2", 700), Font("AdvTT3", 500)
    settle_weights({body: 900, heavy: 20, alike: 30})  # type: ignore[arg-type]
    assert (body.bold, heavy.bold, alike.bold) == (False, True, False)


def test_a_descriptor_that_calls_all_fonts_heavy_makes_none_bold() -> None:
    body, other = Font("CMR10", 700), Font("CMTI10", 700)
    settle_weights({body: 900, other: 20})  # type: ignore[arg-type]
    assert not body.bold
    assert not other.bold


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("ﬁeld ﬂux oﬃce", "field flux office"),
        ("10⁻³⁴ cm²", "10^{-34} cm^2"),
        ("H₂O and x₁₂", "H_2O and x_{12}"),
        ("60º", "60º"),
        ("µ𝛽𝐵", "μβB"),
        ("Nb‑Ti", "Nb-Ti"),
        ("a\u200bb\ufeffc", "abc"),
        ("plain ASCII", "plain ASCII"),
    ],
)
def test_normalisation_unfolds_forms_but_keeps_exponents(raw: str, text: str) -> None:
    assert normalised(raw) == text


def test_scripts_survive_as_marks(tmp_path: Path) -> None:
    text = text_of(
        typeset(
            tmp_path,
            "#set super(typographic: false)\n#set sub(typographic: false)\n"
            "A luminosity of $10^34$ cm#super[−2]s#super[−1] with Nb#sub[3]Sn magnets, "
            "$mu^+ mu^-$ beams and $beta_x^*$ as in Ref.#super[12]",
        )
    )
    assert "10^{34} cm^{-2}s^{-1}" in text
    assert "Nb_3Sn magnets" in text
    assert "μ^+μ^−" in text
    assert "β^∗_x" in text or "β_x^∗" in text
    assert "Ref.^{12}" in text


def test_an_accent_of_its_own_joins_its_letter(tmp_path: Path) -> None:
    # An umlaut set before the letter and moved back over it, as TeX's old fonts do.
    font = "/Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding"
    content = b"BT /F 10 Tf 50 400 Td [(Universit) (\xa8) 390 (at M) (\xa8) 390 (unchen)] TJ ET"
    path = tmp_path / "accents.pdf"
    path.write_bytes(written([stream(content)], font=font))
    assert text_of(path) == "Universität München"


def test_an_accent_after_its_letter_joins_it_too(tmp_path: Path) -> None:
    # A bar drawn over the first of two letters after both are set, as math accents are.
    font = "/Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding"
    content = b"BT /F 10 Tf 50 400 Td (field ab) Tj 1 0 0 1 71.7 402 Tm (\xaf) Tj ET"
    path = tmp_path / "accents.pdf"
    path.write_bytes(written([stream(content)], font=font))
    assert text_of(path) == "field āb"


def test_a_glyph_of_absurd_width_costs_nothing(tmp_path: Path) -> None:
    content = text_at(50, 400, "some text of the page") + (
        b"BT /F 10 Tf 1e8 0 0 1 50 300 Tm (x) Tj ET"
    )
    path = tmp_path / "absurd.pdf"
    path.write_bytes(written([stream(content)]))
    assert "some text of the page" in text_of(path)


def test_gaps_are_spaces_also_without_a_space_glyph(tmp_path: Path) -> None:
    content = b"BT /F 10 Tf 50 400 Td [(muon) -250 (collider) 20 (s) -333 (now)] TJ ET"
    path = tmp_path / "gaps.pdf"
    path.write_bytes(written([stream(content)]))
    assert text_of(path) == "muon colliders now"


def test_a_page_without_text_says_why(tmp_path: Path) -> None:
    image = (
        b"<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray "
        b"/BitsPerComponent 8 /Length 1 >>\nstream\n\x80\nendstream"
    )
    path = tmp_path / "scan.pdf"
    path.write_bytes(
        written(
            [stream(b"q 300 0 0 400 50 50 cm /I Do Q"), packed(b""), stream(text_at(50, 400, "x"))],
            resources="/XObject << /I 4 0 R >>",
            extra={4: image},
        )
    )
    pages = parse_pdf(path).pages
    assert [p.note for p in pages] == ["image only", "blank", ""]
    assert [p.characters for p in pages] == [0, 0, 1]
    assert all((p.width, p.height) == (400, 500) for p in pages)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_rotated_page_reads_as_it_is_shown(tmp_path: Path, rotation: int) -> None:
    # The text runs so that it is upright once the viewer has turned the page.
    matrix = {
        0: "1 0 0 1 60 420",
        90: "0 1 -1 0 80 60",
        180: "-1 0 0 -1 340 80",
        270: "0 -1 1 0 320 440",
    }[rotation]
    lines = "".join(f"({word}) Tj 0 -14 Td " for word in ("upright text", "second line"))
    content = f"BT /F 10 Tf {matrix} Tm {lines} ET".encode()
    path = tmp_path / "turned.pdf"
    page = f"/MediaBox [0 0 400 500] /Rotate {rotation}"
    path.write_bytes(written([stream(content)], page=page))
    document = parse_pdf(path)
    (block,) = document.blocks
    assert block.text == "upright text second line"
    assert (document.pages[0].width, document.pages[0].height) == (
        (500, 400) if rotation % 180 else (400, 500)
    )
    first, second = block.boxes
    assert first.x0 == pytest.approx(60, abs=0.5)
    assert first.y0 < 80 < first.y1 + 1
    assert second.y0 == pytest.approx(first.y0 + 14, abs=0.5)


def test_a_landscape_table_is_read_along_its_lines(tmp_path: Path) -> None:
    lines = ["magnet field length", "Q1 250 1.5", "Q2 187 1.7", "Q3 130 1.7"]
    content = b"".join(
        f"BT /F 10 Tf 0 1 -1 0 {100 + 14 * n} 60 Tm ({line}) Tj ET\n".encode()
        for n, line in enumerate(lines)
    )
    path = tmp_path / "landscape.pdf"
    path.write_bytes(written([stream(content)]))
    document = parse_pdf(path)
    assert " ".join(b.text for b in document.blocks).split() == " ".join(lines).split()
    box = document.blocks[0].boxes[0]
    # On the page as it is shown, a line runs upwards: narrow and high.
    assert box.x1 - box.x0 < 12 < box.y1 - box.y0
    assert box.y1 == pytest.approx(500 - 60, abs=0.5)


def test_the_margin_stamp_and_a_watermark_are_no_text(tmp_path: Path) -> None:
    content = (
        text_at(60, 400, "The text of the paper stands here.")
        + b"BT /F 20 Tf 0 1 -1 0 30 150 Tm (arXiv:2303.08533v1) Tj ET "
        + b"BT /F 60 Tf 0.7 0.7 -0.7 0.7 100 100 Tm (DRAFT) Tj ET"
    )
    path = tmp_path / "stamp.pdf"
    path.write_bytes(written([stream(content)]))
    (block,) = parse_pdf(path).blocks
    assert (block.kind, block.text) == (
        BlockKind.PARAGRAPH,
        "The text of the paper stands here.",
    )
