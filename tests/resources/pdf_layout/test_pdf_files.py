"""What is refused, with which sentence, and what odd files still give."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resources.errors import Permanent
from resources.pdf_layout import Limits, parse_pdf, pdf_info
from tests.support.pdf_samples import (
    assembled,
    locked,
    many_pages,
    packed,
    stream,
    text_at,
    typeset,
    written,
)

LINE = "a short line of text that stands on the page"


def file(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "file.pdf"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"<html>Not found</html>", "not a PDF"),
        (written([stream(text_at(50, 400, LINE))])[:400], "cut short"),
        (locked(), "encrypted"),
        (b"%PDF-1.7\n1 0 obj\nnothing\nendobj\nstartxref\n9\n%%EOF\n", "damaged"),
        (written([]), "damaged"),
    ],
)
def test_an_unusable_file_is_refused_in_one_sentence(
    tmp_path: Path, data: bytes, said: str
) -> None:
    path = file(tmp_path, data)
    for look in (pdf_info, parse_pdf):
        with pytest.raises(Permanent, match=said) as refusal:
            look(path)
        message = str(refusal.value)
        assert message.startswith("file.pdf: ")
        assert message.endswith(".")
        assert "\n" not in message


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(Permanent, match="there is no such file"):
        parse_pdf(tmp_path / "nothing.pdf")


def test_a_linearised_file_that_lost_its_end_is_refused(tmp_path: Path) -> None:
    whole = written(
        [stream(text_at(50, 400, LINE))], extra={4: b"<< /Linearized 1 /L 999999 /N 1 >>"}
    )
    head, rest = whole[:9], whole[9:]
    early = b"%%EOF\n"
    path = file(tmp_path, head + b"4 0 obj\n<< /Linearized 1 /L 999999 >>\nendobj\n" + early + rest)
    with pytest.raises(Permanent, match="cut short"):
        pdf_info(path)


def test_limits_of_bytes_and_pages_hold(tmp_path: Path) -> None:
    path = file(tmp_path, many_pages(5000))
    with pytest.raises(Permanent, match=re.escape("5,000 pages are over the limit of 2,000")):
        pdf_info(path)
    with pytest.raises(Permanent, match="MB is over the limit"):
        pdf_info(path, Limits(bytes=1000))
    assert pdf_info(path, Limits(pages=5000)).pages == 5000


def test_metadata_is_read_without_reading_pages(tmp_path: Path) -> None:
    path = typeset(tmp_path, '#set document(title: "On muons", author: "A. Muon")\nText.')
    info = pdf_info(path)
    assert (info.pages, info.title, info.author) == (1, "On muons", "A. Muon")


@pytest.mark.parametrize(
    "objects",
    [
        pytest.param(
            {
                1: b"<< /Type /Catalog /Pages 2 0 R >>",
                2: b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>",
            },
            id="page tree that contains itself",
        ),
        pytest.param(
            {
                1: b"<< /Type /Catalog /Pages 2 0 R >>",
                2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
                3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R "
                b"/Resources << /XObject << /X 5 0 R >> >> >>",
                4: stream(b"/X Do"),
                5: stream(
                    b"/X Do",
                    "/Type /XObject /Subtype /Form /BBox [0 0 200 200] "
                    "/Resources << /XObject << /X 5 0 R >> >>",
                ),
            },
            id="form that draws itself",
        ),
        pytest.param(
            {
                1: b"<< /Type /Catalog /Pages 2 0 R >>",
                2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
                3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 3 0 R >>",
            },
            id="content that is no stream",
        ),
    ],
)
def test_files_that_loop_give_a_document_or_a_sentence(
    tmp_path: Path, objects: dict[int, bytes]
) -> None:
    path = file(tmp_path, assembled(objects))
    try:
        document = parse_pdf(path)
    except Permanent as refusal:
        assert str(refusal).endswith(".")
    else:
        assert document.blocks == ()
        assert all(entry.note for entry in document.pages)


def test_what_one_page_may_hold_is_bounded_and_said(tmp_path: Path) -> None:
    page = b"".join(text_at(50, 450 - 12 * n, f"line {n} of the page") for n in range(30))
    path = file(tmp_path, written([packed(page)]))
    whole = parse_pdf(path)
    part = parse_pdf(path, Limits(glyphs_a_page=200))
    assert whole.pages[0].note == ""
    assert part.pages[0].note == "more on the page than the limits allow"
    assert 0 < part.pages[0].characters < whole.pages[0].characters


def test_text_outside_the_page_is_no_text_of_it(tmp_path: Path) -> None:
    content = (
        text_at(50, 400, LINE)
        + text_at(50, 900, "cut off above")
        + text_at(900, 400, "cut off at the right")
    )
    document = parse_pdf(file(tmp_path, written([stream(content)])))
    assert [b.text for b in document.blocks] == [LINE]


@given(st.binary(max_size=400), st.integers(0, 2000))
def test_damage_anywhere_gives_a_document_or_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, damage: bytes, at: int
) -> None:
    whole = written([stream(text_at(50, 400, LINE)), packed(text_at(50, 300, LINE))])
    at %= len(whole)
    path = file(tmp_path_factory.mktemp("damaged"), whole[:at] + damage + whole[at + len(damage) :])
    try:
        document = parse_pdf(path)
    except Permanent as refusal:
        assert str(refusal).endswith(".")
    else:
        assert len(document.pages) >= 1
