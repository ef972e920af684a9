"""Which tiers fill the first five places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.evaluation.saturation import saturation, tier_shares

TIERS = ["review", "review", "study", "study", "study", "summary", "review", "review", "review"]


def test_shares_by_hand():
    rankings = [[0, 1, 2, 3, 4, 8], [0, 1, 6, 7, 8], [5, 2], []]
    assert tier_shares(rankings, TIERS, "review") == [0.4, 1.0, 0.0, 0.0]
    assert tier_shares(rankings, TIERS, "summary") == [0.0, 0.0, 0.5, 0.0]
    found = saturation(rankings, TIERS)
    assert list(found) == ["review", "study", "summary"]
    assert found["review"].share == pytest.approx(1.4 / 4)
    assert found["review"].full == 1 / 4
    assert found["review"].corpus == pytest.approx(5 / 9)
    assert found["study"].full == 0.0


def test_no_queries_and_no_passages():
    assert saturation([], TIERS)["review"].share == 0.0
    assert saturation([[]], []) == {}


@given(st.lists(st.lists(st.integers(0, 8), min_size=1, unique=True), min_size=1))
def test_the_tiers_share_every_place(rankings):
    found = saturation(rankings, TIERS)
    assert sum(one.share for one in found.values()) == pytest.approx(1.0)
    assert sum(one.corpus for one in found.values()) == pytest.approx(1.0)
    assert all(one.full <= one.share + 1e-12 for one in found.values())
