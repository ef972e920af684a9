"""The picture of what was understood: outlines over the pages, in the kinds' colours."""

from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
import pytest

from resources.blocks import BlockKind
from resources.errors import Permanent, UsageError
from resources.pdf_layout import draw_overlay, parse_pdf
from tests.support.pdf_samples import stream, typeset, written

SOURCE = "= A heading\nSome text that makes a paragraph under it.\n#pagebreak()\nMore text."


def rendered(path: Path, page: int) -> np.ndarray:
    return np.asarray(pdfium.PdfDocument(path)[page].render(scale=2).to_pil().convert("RGB"), int)


def test_the_pdf_keeps_its_pages_and_shows_every_box(tmp_path: Path) -> None:
    source = typeset(tmp_path, SOURCE)
    document = parse_pdf(source)
    (written_file,) = draw_overlay(source, document, tmp_path / "over.pdf")
    before, after = rendered(source, 0), rendered(written_file, 0)
    assert after.shape == before.shape
    assert len(pdfium.PdfDocument(written_file)) == 2
    changed = np.abs(after - before).sum(axis=2) > 60
    for block in document.blocks:
        for box in block.boxes:
            page = changed if box.page == 1 else None
            if page is None:
                continue
            edge = page[
                int(2 * box.y0) - 2 : int(2 * box.y0) + 3, int(2 * box.x0) : int(2 * box.x1)
            ]
            assert edge.any(axis=0).mean() > 0.9
    text = pdfium.PdfDocument(written_file)[0].get_textpage().get_text_range()
    assert "1 heading" in text
    assert "2 paragraph" in text
    assert "Some text that makes a paragraph" in text


def test_kinds_differ_in_colour(tmp_path: Path) -> None:
    source = typeset(tmp_path, SOURCE)
    document = parse_pdf(source)
    (target,) = draw_overlay(source, document, tmp_path / "over.pdf")
    picture = rendered(target, 0)
    seen = {}
    for kind in (BlockKind.HEADING, BlockKind.PARAGRAPH):
        box = next(b for b in document.blocks if b.kind is kind).boxes[0]
        row = picture[int(2 * box.y0), int(2 * box.x0) + 4 : int(2 * box.x1) - 4]
        seen[kind] = np.median(row, axis=0)
    assert np.abs(seen[BlockKind.HEADING] - seen[BlockKind.PARAGRAPH]).max() > 60


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_rotated_page_is_outlined_where_its_text_is_shown(tmp_path: Path, rotation: int) -> None:
    matrix = {
        0: "1 0 0 1 60 420",
        90: "0 1 -1 0 80 60",
        180: "-1 0 0 -1 340 80",
        270: "0 -1 1 0 320 440",
    }
    content = f"BT /F 20 Tf {matrix[rotation]} Tm (HHHHHHHH) Tj ET".encode()
    source = tmp_path / "turned.pdf"
    source.write_bytes(
        written([stream(content)], page=f"/MediaBox [0 0 400 500] /Rotate {rotation}")
    )
    (target,) = draw_overlay(source, parse_pdf(source), tmp_path / "over.pdf")
    before, after = rendered(source, 0), rendered(target, 0)
    ink = np.argwhere(before.sum(axis=2) < 300)
    drawn = np.argwhere((np.abs(after - before).sum(axis=2) > 60) & (after.max(axis=2) > 100))
    assert np.all(drawn.min(axis=0) <= ink.min(axis=0) + 2)
    assert np.all(drawn.max(axis=0) >= ink.max(axis=0) - 2)


def test_pictures_are_written_one_a_page(tmp_path: Path) -> None:
    source = typeset(tmp_path, SOURCE)
    files = draw_overlay(source, parse_pdf(source), tmp_path / "over.png")
    assert [f.name for f in files] == ["over-001.png", "over-002.png"]
    assert all(f.read_bytes().startswith(b"\x89PNG") for f in files)


def test_wrong_use_is_said(tmp_path: Path) -> None:
    source = typeset(tmp_path, SOURCE)
    document = parse_pdf(source)
    with pytest.raises(UsageError, match=r"\.pdf or \.png"):
        draw_overlay(source, document, tmp_path / "over.svg")
    with pytest.raises(Permanent, match="no such file"):
        draw_overlay(tmp_path / "none.pdf", document, tmp_path / "over.pdf")
