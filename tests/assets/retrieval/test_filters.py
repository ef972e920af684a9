"""Restricting a search."""

import pytest

from assets.retrieval.filters import Filters, allowed
from assets.retrieval.records import Passage

PASSAGE = Passage(
    chunk_id="c1",
    paper_id="2203.10431",
    ordinal=3,
    title="Muon Colliders",
    section=("2 Machine", "2.1 Magnet protection"),
    kind="paragraph",
    page_start=4,
    page_end=5,
    text="text",
    year=2022,
    categories=("physics.acc-ph", "hep-ex"),
    tier="preprint",
    tags=("machine",),
)


@pytest.mark.parametrize(
    "filters",
    [
        Filters(),
        Filters(papers=("1202.0270", "2203.10431")),
        Filters(categories=("hep-ex",)),
        Filters(tiers=("preprint",)),
        Filters(tags=("machine", "higgs")),
        Filters(kinds=("paragraph",)),
        Filters(section="magnet PROTECTION"),
        Filters(year_from=2022, year_to=2022),
        Filters(year_to=2030),
        Filters(papers=("2203.10431",), year_from=2000, tags=("machine",)),
    ],
)
def test_allows_what_meets_every_condition(filters: Filters) -> None:
    assert filters.allow(PASSAGE)


@pytest.mark.parametrize(
    "filters",
    [
        Filters(papers=("1202.0270",)),
        Filters(categories=("hep-th",)),
        Filters(tiers=("journal article",)),
        Filters(tags=("higgs",)),
        Filters(kinds=("caption", "table")),
        Filters(section="cooling"),
        Filters(year_from=2023),
        Filters(year_to=2021),
        Filters(papers=("2203.10431",), year_from=2023),
    ],
)
def test_refuses_what_misses_one(filters: Filters) -> None:
    assert not filters.allow(PASSAGE)
    assert filters.any()


def test_an_unknown_year_meets_no_condition_on_years() -> None:
    undated = Passage(**{**{n: getattr(PASSAGE, n) for n in PASSAGE.__slots__}, "year": None})
    assert not Filters(year_from=1900).allow(undated)
    assert Filters().allow(undated)


def test_one_answer_for_each_passage() -> None:
    assert allowed([PASSAGE, PASSAGE], Filters(tiers=("thesis",))).tolist() == [False, False]
    assert allowed([], Filters()).tolist() == []
    assert not Filters().any()
