"""The order of results."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assets.retrieval.ranking import id_order, top_rows

IDS = ["d", "a", "c", "b", "e"]


def test_equal_scores_come_by_id() -> None:
    scores = np.array([1, 1, 2, 1, 0], dtype=np.float32)
    assert [IDS[row] for row in top_rows(scores, 3, id_order(IDS))] == ["c", "a", "b"]


def test_what_is_not_above_the_bound_is_no_hit() -> None:
    scores = np.array([0, 2, 0, 1, 0], dtype=np.float32)
    assert [IDS[row] for row in top_rows(scores, 5, id_order(IDS), above=0)] == ["a", "b"]


def test_more_than_there_is_gives_all() -> None:
    assert len(top_rows(np.ones(5, dtype=np.float32), 50, id_order(IDS))) == 5
    assert len(top_rows(np.empty(0, dtype=np.float32), 3, id_order([]))) == 0


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0]), min_size=1, max_size=40), st.integers(1, 45))
def test_is_the_start_of_the_full_order(values: list[float], k: int) -> None:
    ids = [f"{(7 * i) % 41:02d}" for i in range(len(values))]
    full = sorted(range(len(values)), key=lambda row: (-values[row], ids[row]))
    scores = np.array(values, dtype=np.float32)
    assert top_rows(scores, k, id_order(ids)).tolist() == full[:k]
