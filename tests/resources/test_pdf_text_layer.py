"""The text layer of a PDF with the place of each character, and the files that have none."""

import time
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
import typst
from numpy.typing import NDArray

from resources.errors import Permanent
from resources.pdf_layout.limits import Limits
from resources.pdf_text_layer import read_text_layer, read_text_layer_isolated
from tests.support.tiny_pdf import tiny_pdf

SOURCE = """#set page(width: 200pt, height: 100pt, margin: 20pt)
#set text(size: 10pt)
Energy $E_0 = 10^34$ of 𝛽
#pagebreak()
Second page
"""


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    path = tmp_path / "paper.pdf"
    path.write_bytes(typst.compile(SOURCE.encode()))
    return path


def test_every_character_has_its_place(pdf: Path) -> None:
    first, second = read_text_layer(pdf, Limits())
    assert (first.number, first.width, first.height) == (1, 200, 100)
    assert second.text.strip() == "Second page"
    for page in (first, second):
        count = len(page.text)
        assert page.boxes.shape == (count, 4)
        assert page.baselines.shape == page.sizes.shape == (count,)
        drawn = [i for i, character in enumerate(page.text) if character > " "]
        assert (page.boxes[drawn, 0] <= page.boxes[drawn, 2]).all()
        assert (page.boxes[drawn, 1] <= page.boxes[drawn, 3]).all()
        assert (page.boxes[drawn] >= 0).all()
        assert (page.boxes[drawn, 2] <= page.width).all()
        assert (page.boxes[drawn, 3] <= page.height).all()


def test_places_agree_with_the_library(pdf: Path) -> None:
    (page, _) = read_text_layer(pdf, Limits())
    document = pypdfium2.PdfDocument(pdf)
    text_page = document[0].get_textpage()
    for index in range(len(page.text)):
        left, bottom, right, top = text_page.get_charbox(index)
        assert page.boxes[index].tolist() == pytest.approx(
            [left, 100 - top, right, 100 - bottom], abs=1e-3
        )
    document.close()


def test_scripts_are_smaller_and_off_the_line(pdf: Path) -> None:
    (page, _) = read_text_layer(pdf, Limits())
    place = page.text.index("34")
    base = page.text.index("10")
    assert page.sizes[place] < 0.8 * page.sizes[base]
    assert page.baselines[place] < page.baselines[base] - 1


def test_letters_beyond_the_first_plane_are_one_character(pdf: Path) -> None:
    (page, _) = read_text_layer(pdf, Limits())
    assert "𝐸\0" in page.text or "E" in page.text
    assert not any(0xD800 <= ord(character) < 0xE000 for character in page.text)


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_turned_pages_are_read_as_they_are_shown(tmp_path: Path, pdf: Path, turn: int) -> None:
    document = pypdfium2.PdfDocument(pdf)
    document[0].set_rotation(turn)
    document.save(tmp_path / "turned.pdf")
    document.close()
    upright, turned = (
        read_text_layer(path, Limits())[0] for path in (pdf, tmp_path / "turned.pdf")
    )
    assert (turned.width, turned.height) == ((100, 200) if turn in {90, 270} else (200, 100))
    boxes, shown = (
        page.boxes[[i for i, letter in enumerate(page.text) if letter > " "]]
        for page in (upright, turned)
    )
    x, y = boxes[:, [0, 2]], boxes[:, [1, 3]]
    expected = {
        90: np.stack([100 - y[:, 1], x[:, 0], 100 - y[:, 0], x[:, 1]], axis=1),
        180: np.stack([200 - x[:, 1], 100 - y[:, 1], 200 - x[:, 0], 100 - y[:, 0]], axis=1),
        270: np.stack([y[:, 0], 200 - x[:, 1], y[:, 1], 200 - x[:, 0]], axis=1),
    }[turn]
    assert np.allclose(_in_order(shown), _in_order(expected), atol=1e-2)


def test_reading_in_another_process_gives_the_same(pdf: Path) -> None:
    here, there = read_text_layer(pdf, Limits()), read_text_layer_isolated(pdf, Limits())
    assert len(here) == len(there)
    for one, other in zip(here, there, strict=True):
        assert (one.number, one.width, one.height, one.text, one.has_images) == (
            other.number,
            other.width,
            other.height,
            other.text,
            other.has_images,
        )
        assert np.array_equal(one.boxes, other.boxes)
        assert np.array_equal(one.baselines, other.baselines)
        assert np.array_equal(one.sizes, other.sizes)


@pytest.mark.parametrize(
    "data",
    [b"", b"no pdf", b"%PDF-1.7\nand nothing", tiny_pdf([["Words."]], locked=True)],
    ids=["empty", "other", "cut", "locked"],
)
def test_what_cannot_be_opened_is_refused_in_one_sentence(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "bad.pdf"
    path.write_bytes(data)
    with pytest.raises(Permanent) as here:
        read_text_layer(path, Limits())
    with pytest.raises(Permanent) as there:
        read_text_layer_isolated(path, Limits())
    assert str(here.value) == str(there.value)
    assert str(here.value).startswith("bad.pdf")


def test_pages_are_bounded(pdf: Path) -> None:
    with pytest.raises(Permanent, match="over the limit of 1"):
        read_text_layer_isolated(pdf, Limits(pages=1))


def test_time_is_bounded(pdf: Path) -> None:
    began = time.monotonic()
    with pytest.raises(Permanent, match=r"longer than the limit of 0\.01 s"):
        read_text_layer_isolated(pdf, Limits(seconds=0.01))
    assert time.monotonic() - began < 5


def test_memory_is_bounded(pdf: Path) -> None:
    with pytest.raises(Permanent, match="crashed on this file or ran out of memory"):
        read_text_layer_isolated(pdf, Limits(megabytes_of_memory=1))


def _in_order(boxes: NDArray[np.float32]) -> NDArray[np.float32]:
    return boxes[np.lexsort(boxes.round(1).T)]
