"""Tables: merged by key, read at a version, written by several processes."""

import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from resources import lake as lake_module
from resources.errors import UsageError
from resources.lake import ADDRESS, GRACE, Lake, Table, VersionGone, col
from tests.support.pipeline import CHECKOUT

THINGS = Table(
    "things",
    ("key",),
    pa.schema([("key", pa.string()), ("group", pa.string()), ("number", pa.int32())]),
)
PAIRS = Table(
    "pairs",
    ("left", "right"),
    pa.schema([("left", pa.string()), ("right", pa.string()), ("number", pa.int32())]),
)


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(str(tmp_path / "lake"))


def thing(key: str, number: int, group: str = "one") -> dict[str, object]:
    return {"key": key, "group": group, "number": number}


def numbers(lake: Lake, version: int | None = None) -> dict[str, int]:
    rows = lake.rows(THINGS, ["key", "number"], version=version)
    found = {row["key"]: row["number"] for row in rows}
    assert len(found) == len(rows), "a key stands in the table twice"
    return found


def test_a_table_that_was_never_written_is_empty(lake: Lake) -> None:
    assert lake.read(THINGS, ["number", "key"]).schema.names == ["number", "key"]
    assert lake.read(THINGS).schema == THINGS.schema
    assert lake.rows(THINGS) == []
    assert (lake.exists(THINGS), lake.count(THINGS), lake.version(THINGS)) == (False, 0, 0)
    assert lake.delete(THINGS, col("key") == "a") == 0
    assert lake.pin(THINGS, "tag") == 0


def test_reading_leaves_no_trace(lake: Lake) -> None:
    lake.rows(THINGS)
    lake.count(THINGS)
    lake.compact([THINGS])
    assert not Path(lake.uri).exists()


def test_a_file_in_the_place_of_the_location_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    lake = Lake(str(tmp_path / "file" / "lake"))
    for use in (lambda: lake.merge(THINGS, [thing("a", 1)]), lambda: lake.rows(THINGS)):
        with pytest.raises(UsageError, match=r"/file is a file\): choose another with --data"):
            use()


def test_merge_inserts_and_replaces_by_key(lake: Lake) -> None:
    assert lake.merge(THINGS, [thing("a", 1), thing("b", 2)]) == 2
    assert lake.merge(THINGS, [thing("b", 20), thing("c", 30)]) == 2
    assert numbers(lake) == {"a": 1, "b": 20, "c": 30}
    assert lake.count(THINGS) == 3
    assert lake.column_map(THINGS, "key", "number") == {"a": 1, "b": 20, "c": 30}


def test_merge_of_nothing_writes_nothing(lake: Lake) -> None:
    assert lake.merge(THINGS, []) == 0
    assert not lake.exists(THINGS)


def test_a_key_of_two_columns(lake: Lake) -> None:
    rows = [{"left": "a", "right": "x", "number": 1}, {"left": "a", "right": "y", "number": 2}]
    lake.merge(PAIRS, rows)
    lake.merge(PAIRS, [{"left": "a", "right": "y", "number": 3}])
    assert sorted(row["number"] for row in lake.rows(PAIRS)) == [1, 3]


def test_one_key_twice_in_a_write_is_refused(lake: Lake) -> None:
    twice = [thing("a", 1), thing("b", 2), thing("a", 3)]
    with pytest.raises(ValueError, match=r"things.*'a'"):
        lake.merge(THINGS, twice)
    with pytest.raises(ValueError, match=r"things.*'a'"):
        lake.replace(THINGS, twice, within=col("group") == "one")
    assert lake.rows(THINGS) == []


def test_a_large_merge_is_cut_and_arrives_whole(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lake_module, "MERGE_ROWS", 4)
    assert lake.merge(THINGS, [thing(str(n), n) for n in range(10)]) == 10
    assert numbers(lake) == {str(n): n for n in range(10)}


def test_replace_makes_the_rows_all_there_are_within(lake: Lake) -> None:
    lake.merge(THINGS, [thing("a", 1), thing("b", 2), thing("c", 3, "two")])
    before = lake.version(THINGS)
    assert lake.replace(THINGS, [thing("b", 20), thing("d", 40)], col("group") == "one") == 2
    assert numbers(lake) == {"b": 20, "c": 3, "d": 40}
    assert lake.version(THINGS) == before + 1, "one commit, so that no reader sees half of it"


def test_replace_by_nothing_empties_within(lake: Lake) -> None:
    lake.merge(THINGS, [thing("a", 1), thing("c", 3, "two")])
    assert lake.replace(THINGS, [], within=col("group") == "one") == 0
    assert numbers(lake) == {"c": 3}


def test_columns_come_in_the_order_asked_and_rows_by_expression(lake: Lake) -> None:
    lake.merge(THINGS, [thing("a", 1), thing("b", 2), thing("c", 3, "two")])
    data = lake.read(THINGS, ["number", "key"], where=col("number") > 1)
    assert data.schema.names == ["number", "key"]
    assert sorted(data["key"].to_pylist()) == ["b", "c"]
    both = (col("group") == "one") & col("key").isin(["b", "c"])
    assert [row["key"] for row in lake.rows(THINGS, where=both)] == ["b"]


#: Ids that would end, widen or turn round a filter made of strings.
AWKWARD = [
    "o'Neill",
    'say "x"',
    "a' OR '1'='1",
    "μ⁺μ⁻",
    "50%_",
    "back\\slash",
    "--",
    "",
    "a`b",
    "´",
]


def test_awkward_ids_are_only_ever_values(lake: Lake) -> None:
    lake.merge(THINGS, [thing(key, place) for place, key in enumerate([*AWKWARD, "other"])])
    for place, key in enumerate(AWKWARD):
        assert [row["number"] for row in lake.rows(THINGS, where=col("key") == key)] == [place]
        lake.replace(THINGS, [thing(key, -1)], within=col("key") == key)
        assert lake.count(THINGS) == len(AWKWARD) + 1
    assert lake.delete(THINGS, col("key").isin(AWKWARD)) == len(AWKWARD)
    assert numbers(lake) == {"other": len(AWKWARD)}


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    writes=st.lists(
        st.dictionaries(st.text(max_size=3), st.integers(0, 9), max_size=6), min_size=1, max_size=4
    )
)
def test_merges_are_those_of_a_dictionary(
    tmp_path_factory: pytest.TempPathFactory, writes: list[dict[str, int]]
) -> None:
    lake = Lake(str(tmp_path_factory.mktemp("merges")))
    expected: dict[str, int] = {}
    for write in writes:
        lake.merge(THINGS, [thing(key, number) for key, number in write.items()])
        expected |= write
        assert numbers(lake) == expected


def test_a_version_stays_readable_after_later_writes(lake: Lake) -> None:
    lake.merge(THINGS, [thing("a", 1)])
    version = lake.version(THINGS)
    lake.merge(THINGS, [thing("a", 2), thing("b", 2)])
    lake.delete(THINGS, col("key") == "a")
    assert numbers(lake, version) == {"a": 1}
    assert lake.rows(THINGS, ["key"], where=col("number") == 1, version=version) == [{"key": "a"}]
    assert numbers(lake) == {"b": 2}


def test_a_pinned_version_survives_compaction(lake: Lake) -> None:
    lake.merge(THINGS, [thing("a", 1)])
    pinned = lake.pin(THINGS, "release-1")
    for number in range(2, 6):
        lake.merge(THINGS, [thing("a", number)])
    lake.compact([THINGS], keep=timedelta(0))
    assert numbers(lake, pinned) == {"a": 1}
    assert numbers(lake) == {"a": 5}


@pytest.mark.filterwarnings("ignore:optimize")
def test_an_unpinned_version_goes_with_compaction(lake: Lake) -> None:
    lake.merge(THINGS, [thing("a", 1)])
    version = lake.pin(THINGS, "release-1")
    lake.merge(THINGS, [thing("a", 2)])
    lake.unpin(THINGS, "release-1")
    lake.unpin(THINGS, "never-there")
    lake.compact([THINGS], keep=timedelta(0))
    assert numbers(lake) == {"a": 2}
    with pytest.raises(VersionGone, match=r"Version 2 of the table things is no longer kept"):
        numbers(lake, version)


def aged(lake: Lake, monkeypatch: pytest.MonkeyPatch, by: timedelta) -> None:
    """Let time pass: compaction's clock runs ahead, and LanceDB's versions age with it."""

    class Later(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return datetime.now(tz) + by

    monkeypatch.setattr(lake_module, "datetime", Later)


def test_the_version_in_use_when_the_grace_began_stays(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake.merge(THINGS, [thing("a", 1)])
    lake.merge(THINGS, [thing("a", 2)])
    in_use = lake.version(THINGS)
    aged(lake, monkeypatch, by=timedelta(days=30))
    asked: list[timedelta] = []
    handle = type(lake.at(THINGS, in_use))
    monkeypatch.setattr(
        handle, "optimize", lambda self, cleanup_older_than: asked.append(cleanup_older_than)
    )
    lake.compact([THINGS])
    # It was written a month ago, and somebody may have opened it a second ago.
    assert timedelta(days=30) < asked[0] < timedelta(days=30, minutes=5)
    aged(lake, monkeypatch, by=timedelta(minutes=5))
    lake.compact([THINGS])
    assert asked[1] == GRACE


def test_what_was_opened_before_a_compaction_stays_readable(lake: Lake) -> None:
    for number in range(4):
        lake.merge(THINGS, [thing(str(number), number)])
    opened = lake.at(THINGS, lake.version(THINGS))
    lake.compact([THINGS])
    lake.merge(THINGS, [thing("4", 4)])
    assert opened.search().to_arrow().num_rows == 4


def test_a_named_version_can_be_pinned_after_later_writes(lake: Lake) -> None:
    lake.merge(THINGS, [thing("a", 1)])
    first = lake.version(THINGS)
    lake.merge(THINGS, [thing("a", 2)])
    assert lake.pin(THINGS, "release-1", first) == first
    assert lake.pins(THINGS) == {"release-1": first}
    lake.compact([THINGS], keep=timedelta(0))
    assert numbers(lake, first) == {"a": 1}


def test_addresses_tell_rows_apart(lake: Lake) -> None:
    lake.merge(THINGS, [thing(str(number), number) for number in range(5)])
    lake.merge(THINGS, [thing("1", 7)])
    rows = lake.read(THINGS, ["key"], version=lake.version(THINGS), addresses=True)
    assert rows.schema.names == ["key", ADDRESS]
    assert len(set(rows[ADDRESS].to_pylist())) == 5


def test_a_folder_that_a_killed_process_left_is_no_table(lake: Lake) -> None:
    lake.merge(PAIRS, [{"left": "a", "right": "b", "number": 1}])
    Path(lake.uri, "things.lance").mkdir()
    assert not lake.exists(THINGS)
    assert lake.rows(THINGS) == []
    lake.merge(THINGS, [thing("a", 1)])
    assert numbers(lake) == {"a": 1}


def test_a_tag_moves_to_the_newest_version(lake: Lake) -> None:
    lake.merge(THINGS, [thing("a", 1)])
    first = lake.pin(THINGS, "release")
    assert lake.pin(THINGS, "release") == first
    lake.merge(THINGS, [thing("a", 2)])
    assert lake.pin(THINGS, "release") > first


_WRITER = """
import sys
from resources.lake import Lake
from tests.resources.test_lake import THINGS, thing
lake = Lake(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
for n in range(8):
    lake.merge(THINGS, [thing(str(key), n) for key in range(4 * n, 4 * n + 8)])
"""


def test_two_processes_that_write_the_same_keys_double_none(lake: Lake) -> None:
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", _WRITER, lake.uri],
            cwd=CHECKOUT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        writer.communicate("go\n", timeout=120)
    assert [writer.returncode for writer in writers] == [0, 0]
    assert numbers(lake) == {str(key): min(key // 4, 7) for key in range(36)}
