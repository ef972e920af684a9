"""Restricting a search: every filter agrees with a plain reading of its words."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.retrieval.filters import Filters, allowed
from assets.retrieval.passages import StoredPassages
from assets.retrieval.records import Passage

PASSAGE = Passage(
    chunk_id="c1",
    paper_id="2203.10431",
    ordinal=3,
    title="Muon Colliders",
    section=("2 Machine", "2.1 Magnet protection (α < 5%)"),
    kind="paragraph",
    page_start=4,
    page_end=5,
    text="text",
    year=2022,
    categories=("physics.acc-ph", "hep-ex"),
    tier="preprint",
)

words = st.sampled_from(["a", "b", "A", "β", "%", "'", ".*", "a > b"])
few = st.lists(words, max_size=3).map(tuple)
years = st.none() | st.integers(1990, 1994)
some_passages = st.lists(
    st.builds(
        lambda paper, section, kind, year, categories, tier: replace(
            PASSAGE,
            paper_id=paper,
            section=section,
            kind=kind,
            year=year,
            categories=categories,
            tier=tier,
        ),
        words,
        few,
        words,
        years,
        few,
        words,
    ),
    max_size=8,
)
some_filters = st.builds(
    Filters,
    papers=few,
    categories=few,
    tiers=few,
    kinds=few,
    section=st.just("") | words,
    year_from=years,
    year_to=years,
)


def meets(passage: Passage, filters: Filters) -> bool:
    """The same, read out loud."""
    if filters.papers and passage.paper_id not in filters.papers:
        return False
    if filters.tiers and passage.tier not in filters.tiers:
        return False
    if filters.kinds and passage.kind not in filters.kinds:
        return False
    if filters.categories and not set(filters.categories) & set(passage.categories):
        return False
    if filters.section.lower() not in " > ".join(passage.section).lower():
        return False
    if filters.year_from is not None and (passage.year or 0) < filters.year_from:
        return False
    return filters.year_to is None or (passage.year is not None and passage.year <= filters.year_to)


@settings(max_examples=60)
@given(passages=some_passages, filters=some_filters)
def test_columns_and_objects_are_filtered_alike(passages: list[Passage], filters: Filters) -> None:
    expected = [meets(one, filters) for one in passages]
    assert allowed(passages, filters).tolist() == expected
    assert allowed(StoredPassages.of(passages), filters).tolist() == expected


@pytest.mark.parametrize(
    ("filters", "meant"),
    [
        (Filters(papers=("1202.0270", "2203.10431")), True),
        (Filters(papers=("2203.1043",)), False),
        (Filters(categories=("hep-ex",)), True),
        (Filters(categories=("hep",)), False),
        (Filters(section="magnet PROTECTION"), True),
        (Filters(section="(α < 5%)"), True),
        (Filters(section="machine > 2.1"), True),
        (Filters(section=".*"), False),
        (Filters(kinds=("caption", "table")), False),
        (Filters(year_from=2022, year_to=2022), True),
        (Filters(year_from=2023), False),
        (Filters(papers=("2203.10431",), tiers=("thesis",)), False),
    ],
)
def test_what_a_filter_means(filters: Filters, meant: bool) -> None:
    assert allowed([PASSAGE], filters).tolist() == [meant]
    assert filters.any()


@pytest.mark.parametrize("filters", [Filters(year_from=1900), Filters(year_to=2100)])
def test_an_unknown_year_meets_no_condition_on_years(filters: Filters) -> None:
    assert allowed([replace(PASSAGE, year=None)], filters).tolist() == [False]


def test_no_condition_leaves_everything() -> None:
    assert not Filters().any()
    assert allowed([PASSAGE, PASSAGE], Filters()).tolist() == [True, True]
    assert allowed([], Filters(papers=("x",))).tolist() == []
