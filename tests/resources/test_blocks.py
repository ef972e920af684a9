"""Which pages a part of a block stands on."""

from hypothesis import given
from hypothesis import strategies as st

from resources.blocks import Box, pages_of


def box(page: int, start: int, end: int) -> Box:
    return Box(page=page, x0=0, y0=0, x1=1, y1=1, start=start, end=end)


OVER_TWO_PAGES = [box(3, 0, 40), box(3, 40, 55), box(4, 55, 90)]


def test_a_part_has_the_pages_of_its_own_characters() -> None:
    assert pages_of(OVER_TWO_PAGES, 0, 90, fallback=9) == (3, 4)
    assert pages_of(OVER_TWO_PAGES, 10, 55, fallback=9) == (3, 3)
    assert pages_of(OVER_TWO_PAGES, 54, 56, fallback=9) == (3, 4)
    assert pages_of(OVER_TWO_PAGES, 55, 60, fallback=9) == (4, 4)


def test_without_boxes_the_blocks_own_page_counts() -> None:
    assert pages_of([], 0, 10, fallback=7) == (7, 7)
    assert pages_of(OVER_TWO_PAGES, 90, 95, fallback=7) == (7, 7)


@given(
    cuts=st.lists(st.integers(1, 30), min_size=1, max_size=8),
    first_page=st.integers(1, 50),
    data=st.data(),
)
def test_the_pages_are_those_of_the_characters_one_by_one(
    cuts: list[int], first_page: int, data: st.DataObject
) -> None:
    boxes, page_of, at = [], [], 0
    for place, length in enumerate(cuts):
        boxes.append(box(first_page + place, at, at + length))
        page_of += [first_page + place] * length
        at += length
    start = data.draw(st.integers(0, at - 1))
    end = data.draw(st.integers(start + 1, at))
    pages = page_of[start:end]
    assert pages_of(boxes, start, end, fallback=0) == (min(pages), max(pages))
