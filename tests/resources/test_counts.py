"""A count agrees with what it counts."""

import pytest

from resources.counts import counted


@pytest.mark.parametrize(
    ("number", "told"),
    [(0, "0 papers"), (1, "1 paper"), (2, "2 papers"), (21, "21 papers"), (1001, "1,001 papers")],
)
def test_a_count_agrees_with_its_word(number: int, told: str) -> None:
    assert counted(number, "paper") == told


def test_a_plural_of_its_own() -> None:
    assert counted(1, "query", "queries") == "1 query"
    assert counted(3, "query", "queries") == "3 queries"
