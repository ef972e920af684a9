"""Only what is missing is made, in batches; failures wait, and dead services are told apart."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.increment import (
    FEWEST_FOR_A_SERVICE,
    MOST_ATTEMPTS,
    MOST_COMMITS,
    FailureLedger,
    Outcome,
    as_item_error,
    fingerprint,
    in_batches,
    items_a_commit,
    make_missing,
)
from assets.tables import FAILURES
from resources.errors import Permanent, ServiceDown, Transient
from resources.lake import Lake

Result = str | Exception


class Stage:
    """A stage over keys: what it holds survives its runs, as the lake's tables do."""

    def __init__(self, lake: Lake, batch: int = 2) -> None:
        self.lake = lake
        self.batch = batch
        self.have: dict[str, str] = {}
        self.tried: list[str] = []
        self.finished: list[str] = []
        self.reports: list[tuple[int, int]] = []

    def run(
        self,
        wanted: Mapping[str, str],
        make: Callable[[str], Result] = str.upper,
        retry_failed: bool = False,
        now: str = "2026-01-01T00:00:00+00:00",
        service: bool = True,
    ) -> Outcome:
        self.tried = []
        self.reports = []

        def batches(keys: list[str]) -> Iterator[Mapping[str, Any]]:
            for batch in in_batches(keys, self.batch):
                self.tried += batch
                yield {key: make(key) for key in batch}
                self.finished += batch

        def commit(made: dict[str, Any]) -> None:
            self.have.update((key, wanted[key]) for key in made)

        return make_missing(
            wanted=wanted,
            have=dict(self.have),
            ledger=FailureLedger(self.lake, "stage", now, retry_failed),
            batches=batches,
            commit=commit,
            report=lambda done, total: self.reports.append((done, total)),
            service=service,
        )

    @property
    def failures(self) -> dict[str, tuple[str, int]]:
        rows = self.lake.rows(FAILURES)
        return {row["key"]: (row["kind"], row["attempts"]) for row in rows}


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(Lake(str(tmp_path / "lake")))


def all_of(keys: str, inputs: str = "v1") -> dict[str, str]:
    return dict.fromkeys(keys, inputs)


def failing(keys: str, error: type[Exception] = Permanent) -> Callable[[str], Result]:
    return lambda key: error(f"{key} is bad.") if key in keys else key.upper()


def test_everything_is_made_once(stage: Stage) -> None:
    first = stage.run(all_of("abcde"))
    assert (first.wanted, first.made, first.kept) == (5, 5, 0)
    again = stage.run(all_of("abcde"))
    assert (again.made, again.kept, stage.tried) == (0, 5, [])


def test_only_the_missing_and_the_changed_are_made(stage: Stage) -> None:
    stage.run(all_of("abc"))
    outcome = stage.run({**all_of("abd"), "b": "v2"})
    assert sorted(stage.tried) == ["b", "d"]
    assert (outcome.made, outcome.kept) == (2, 1)


def test_one_bad_item_never_stops_the_others(stage: Stage) -> None:
    outcome = stage.run(all_of("abcde"), failing("c"))
    assert sorted(stage.have) == list("abde")
    assert outcome.failed == {"c": "c is bad."}
    assert stage.failures == {"c": ("permanent", 1)}


def test_a_permanent_failure_waits_for_other_inputs(stage: Stage) -> None:
    stage.run(all_of("ab"), failing("a"))
    waiting = stage.run(all_of("ab"))
    assert (stage.tried, waiting.waiting) == ([], {"a": "a is bad."})
    assert (waiting.made, waiting.kept) == (0, 1)
    changed = stage.run({"a": "v2", "b": "v1"})
    assert (stage.tried, changed.made) == (["a"], 1)
    assert stage.failures == {}


def test_retry_failed_tries_what_waits(stage: Stage) -> None:
    stage.run(all_of("ab"), failing("a"))
    stage.run(all_of("ab"), failing("a"), retry_failed=True)
    assert stage.tried == ["a"]
    assert stage.failures == {"a": ("permanent", 2)}
    assert stage.run(all_of("ab"), retry_failed=True).made == 1
    assert stage.failures == {}


def test_a_transient_failure_is_tried_by_every_run_up_to_a_limit(stage: Stage) -> None:
    for attempt in range(1, MOST_ATTEMPTS + 1):
        stage.run(all_of("ab"), failing("a", Transient))
        assert "a" in stage.tried
        assert stage.failures == {"a": ("transient", attempt)}
    given_up = stage.run(all_of("ab"))
    assert (stage.tried, given_up.waiting) == ([], {"a": "a is bad."})
    assert stage.run({"a": "v2", "b": "v1"}, failing("a", Transient)).failed
    assert stage.failures == {"a": ("transient", 1)}, "other inputs are counted anew"


def test_what_is_no_longer_wanted_is_forgotten(stage: Stage) -> None:
    stage.run(all_of("ab"), failing("a"))
    stage.run(all_of("b"))
    assert stage.failures == {}


def test_a_kill_between_the_commit_and_the_ledger_leaves_no_stale_failure(stage: Stage) -> None:
    stage.run(all_of("ab"), failing("a"))
    stage.have["a"] = "v2"  # made by a run that died before it could say so
    outcome = stage.run({"a": "v2", "b": "v1"})
    assert (outcome.kept, stage.tried) == (2, [])
    assert stage.failures == {}


def test_stages_do_not_see_each_others_failures(stage: Stage) -> None:
    other = FailureLedger(stage.lake, "other", "2026-01-01")
    other.record({"a": Permanent("a is bad elsewhere.")}, {"a": "v1"})
    assert stage.run(all_of("a")).made == 1
    assert [row["stage"] for row in stage.lake.rows(FAILURES)] == ["other"]


def test_the_ledger_says_what_when_and_why(stage: Stage) -> None:
    stage.run(all_of("ab"), failing("a"), now="2026-03-01T12:00:00+00:00")
    (row,) = stage.lake.rows(FAILURES)
    assert row == {
        "stage": "stage",
        "key": "a",
        "fingerprint": "v1",
        "kind": "permanent",
        "message": "a is bad.",
        "attempts": 1,
        "last_tried": "2026-03-01T12:00:00+00:00",
    }


MANY = {f"item {number}": "v1" for number in range(FEWEST_FOR_A_SERVICE)}


def test_all_failing_is_the_service_and_sets_nothing_aside(stage: Stage) -> None:
    with pytest.raises(ServiceDown, match=r"Not one of 10 items .*: item 0 is bad\."):
        stage.run(MANY, lambda key: Permanent(f"{key} is bad."))
    assert stage.failures == {}
    assert stage.run(MANY).made == len(MANY)


def test_one_success_among_many_failures_is_no_dead_service(stage: Stage) -> None:
    outcome = stage.run(MANY, lambda key: "made" if key == "item 3" else Permanent("bad."))
    assert (outcome.made, len(stage.failures)) == (1, len(MANY) - 1)


def test_few_failures_are_the_items_own(stage: Stage) -> None:
    few = dict(list(MANY.items())[:-1])
    outcome = stage.run(few, lambda key: Permanent(f"{key} is bad."))
    assert (outcome.made, len(stage.failures)) == (0, len(few))


def test_where_there_is_no_service_the_items_are_to_blame(stage: Stage) -> None:
    outcome = stage.run(MANY, lambda key: Permanent(f"{key} is bad."), service=False)
    assert (len(outcome.failed), set(stage.failures)) == (len(MANY), set(MANY))
    assert set(stage.run(MANY, service=False).waiting) == set(MANY)


def test_what_a_service_did_before_it_went_is_kept(stage: Stage) -> None:
    def gone_after_three(key: str) -> Result:
        if len(stage.have) >= 3:
            raise ServiceDown("The server is gone.")
        return key

    stage.batch = 1
    with pytest.raises(ServiceDown, match="gone"):
        stage.run(all_of("abcde"), gone_after_three)
    assert sorted(stage.have) == list("abc")
    assert stage.failures == {}
    assert stage.run(all_of("abcde")).made == 2


class Killed(BaseException):
    """Stands for a kill: nothing may catch it."""


@settings(max_examples=25)
@given(data=st.data())
def test_a_run_killed_anywhere_repeats_at_most_one_batch(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    stage = Stage(Lake(str(tmp_path_factory.mktemp("killed"))), batch=data.draw(st.integers(1, 4)))
    wanted = all_of("abcdefghij")
    bad = "".join(data.draw(st.sets(st.sampled_from("abcdefghij"), max_size=4)))
    for kill_at in [*data.draw(st.lists(st.integers(0, 9), max_size=3)), len(wanted)]:
        finished = set(stage.finished)

        def make(key: str, kill_at: int = kill_at) -> Result:
            if stage.tried.index(key) >= kill_at:
                raise Killed
            return failing(bad)(key)

        with suppress(Killed):
            stage.run(wanted, make)
        assert not finished & set(stage.tried)
    assert set(stage.finished) == set(wanted)
    assert set(stage.have) == set(wanted) - set(bad)
    assert set(stage.failures) == set(bad)


def test_progress_ends_at_the_total(stage: Stage) -> None:
    stage.run(all_of("abcde"), failing("c"))
    assert stage.reports == [(0, 5), (2, 5), (4, 5), (5, 5)]
    stage.run(all_of("abcde"))
    assert stage.reports == [(0, 0)]


def test_metadata_counts_and_names_what_is_wrong(stage: Stage) -> None:
    stage.run(all_of("ab"), failing("a"))
    metadata = stage.run(all_of("abc"), failing("c")).metadata()
    assert metadata == {
        "rows_wanted": 3,
        "rows_made": 0,
        "rows_kept": 1,
        "rows_removed": 0,
        "failed": 1,
        "quarantined": 1,
        "what_is_wrong": "- a is bad.\n- c is bad.",
    }


def test_metadata_names_at_most_twenty() -> None:
    outcome = Outcome(waiting={str(n): f"{n} is bad." for n in range(50)})
    assert outcome.metadata()["quarantined"] == 50
    assert len(outcome.metadata()["what_is_wrong"].splitlines()) == 20


def test_an_unexpected_error_becomes_the_items_own() -> None:
    error = as_item_error(KeyError("x"), "2303.08533")
    assert isinstance(error, Permanent)
    assert str(error) == "2303.08533: KeyError: 'x'"
    for known in (Permanent("kept."), Transient("kept.")):
        assert as_item_error(known, "2303.08533") is known


def test_fingerprints_tell_every_part_apart() -> None:
    assert fingerprint("a", 1, [1, 2]) == fingerprint("a", 1, (1, 2))
    assert fingerprint({"x": 1, "y": 2}) == fingerprint({"y": 2, "x": 1})
    different = [("a", "b"), ("ab",), ("b", "a"), ("a", ["b"]), ("a", None), ("a", 1), ("a", "1")]
    assert len({fingerprint(*parts) for parts in different}) == len(different)


@given(keys=st.lists(st.integers(), max_size=20), size=st.integers(1, 7))
def test_batches_hold_every_key_once_in_order(keys: list[int], size: int) -> None:
    batches = list(in_batches([str(key) for key in keys], size))
    assert [key for batch in batches for key in batch] == [str(key) for key in keys]
    assert all(len(batch) == size for batch in batches[:-1])


@given(least=st.integers(1, 200), todo=st.integers(0, 10_000))
def test_a_stage_takes_few_commits_each_of_little(least: int, todo: int) -> None:
    batches = list(in_batches([""] * todo, items_a_commit(least, todo)))
    assert len(batches) <= MOST_COMMITS
    assert all(len(batch) <= max(least, todo // MOST_COMMITS + 1) for batch in batches)
