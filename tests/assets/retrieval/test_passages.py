"""Passages in columns are the passages that were put in."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.retrieval.passages import (
    StoredPassages,
    are_captions,
    chunk_ids_of,
    rows_by_paper,
    words_of,
)
from assets.retrieval.records import Passage

text = st.text(max_size=12)
passages = st.lists(
    st.builds(
        Passage,
        chunk_id=text,
        paper_id=st.sampled_from("abc"),
        ordinal=st.integers(0, 9),
        title=text,
        section=st.lists(text, max_size=2).map(tuple),
        kind=st.sampled_from(["caption", "paragraph"]),
        page_start=st.integers(1, 99),
        page_end=st.integers(1, 99),
        text=text,
        link=text,
        year=st.none() | st.integers(1950, 2050),
        categories=st.lists(text, max_size=2).map(tuple),
        tier=text,
    ),
    max_size=6,
)


@settings(max_examples=30)
@given(passages)
def test_what_is_stored_comes_back(given_passages: list[Passage]) -> None:
    stored = StoredPassages.of(given_passages)
    assert list(stored) == given_passages
    assert [stored[row] for row in range(len(stored))] == given_passages
    assert stored[1:4] == given_passages[1:4]
    assert [stored[-1 - row] for row in range(len(stored))] == given_passages[::-1]
    assert StoredPassages.of(stored) is stored


@settings(max_examples=30)
@given(passages)
def test_columns_answer_as_the_objects_do(given_passages: list[Passage]) -> None:
    stored = StoredPassages.of(given_passages)
    assert chunk_ids_of(stored) == chunk_ids_of(given_passages)
    assert rows_by_paper(stored) == rows_by_paper(given_passages)
    assert are_captions(stored).tolist() == are_captions(given_passages).tolist()
    assert words_of(stored).tolist() == [len(one.text.split()) for one in given_passages]


def test_papers_rows_are_in_reading_order() -> None:
    def at(paper: str, ordinal: int) -> Passage:
        return Passage(f"{paper}{ordinal}", paper, ordinal, "", (), "", 1, 1, "")

    rows = rows_by_paper([at("b", 1), at("a", 2), at("b", 0), at("a", 1)])
    assert rows == {"b": [2, 0], "a": [3, 1]}


@pytest.mark.parametrize("place", [0, 5, -1])
def test_there_is_nothing_outside(place: int) -> None:
    with pytest.raises(IndexError, match="there are 0 passages"):
        StoredPassages.of([])[place]
