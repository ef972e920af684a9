"""A few at a time, as they finish, and nothing more after a failure."""

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from resources.language_model import map_bounded


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(), max_size=30), st.integers(1, 5))
def test_every_item_comes_back_once(items, workers):
    assert sorted(map_bounded(lambda x: 2 * x, items, workers)) == sorted(2 * x for x in items)


def test_one_worker_keeps_the_order():
    assert list(map_bounded(str, range(20), 1)) == [str(i) for i in range(20)]


def test_results_come_as_they_finish():
    slow_may_end = threading.Event()

    def fn(name):
        if name == "slow":
            slow_may_end.wait(5)
        return name

    results = map_bounded(fn, ["slow", "quick", "quick too"], 2)
    assert next(results) == "quick"
    assert next(results) == "quick too"
    slow_may_end.set()
    assert list(results) == ["slow"]


def test_never_more_than_the_workers_at_once():
    running, most, lock = [0], [0], threading.Lock()

    def fn(_):
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        threading.Event().wait(0.001)
        with lock:
            running[0] -= 1

    list(map_bounded(fn, range(30), 3))
    assert 1 <= most[0] <= 3


def test_items_are_taken_only_when_a_worker_is_free():
    taken = []

    def items():
        for i in range(100):
            taken.append(i)
            yield i

    results = map_bounded(lambda x: x, items(), 2)
    next(results)
    assert len(taken) <= 4
    results.close()
    assert len(taken) <= 4


def test_after_a_failure_what_runs_is_finished_and_nothing_else_is_started():
    failed, started = threading.Event(), []

    def fn(item):
        started.append(item)
        if item == "bad":
            failed.set()
            raise ValueError("bad item")
        failed.wait(5)
        return item

    results = map_bounded(fn, ["bad", "running", "never", "never either"], 2)
    got = []
    with pytest.raises(ValueError, match="bad item"):
        for result in results:
            got.append(result)
    assert "running" in got
    assert "never either" not in started
