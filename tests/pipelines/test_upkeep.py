"""Clearing away what is old breaks no release and no reader; going back is one step."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Self

import pytest

from assets.retrieval.building import SPARSE_FOLDER, build_sparse
from assets.retrieval.reader import open_searcher
from assets.retrieval.release import (
    Release,
    current_release,
    load_release,
    point_to,
    release_ids,
    require_current,
    retirements,
)
from assets.tables import CHUNKS, every_table
from pipelines.upkeep import prune, roll_back
from resources import lake as lake_module
from resources.errors import MuonEvidenceError, UsageError
from resources.files import Files
from resources.lake import GRACE, Lake
from tests.support.letter_encoder import LetterEncoder
from tests.support.releases import released
from tests.support.rows import chunk, paper

ENCODER = LetterEncoder()
NOW = datetime(2026, 3, 9, tzinfo=UTC)
LATER = NOW + GRACE + timedelta(seconds=1)


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(str(tmp_path / "lake"))


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(str(tmp_path))


@pytest.fixture
def nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compaction keeps nothing for readers that are just opening a version."""
    compact = Lake.compact
    monkeypatch.setattr(
        Lake, "compact", lambda self, tables, _: compact(self, tables, timedelta(0))
    )


def publish(lake: Lake, files: Files, day: int) -> Release:
    """A release of one paper, whose words name the day."""
    rows = [chunk("c", "a", text=f"Words of day {'x' * day}.", passage_sha=f"day {day}")]
    return released(
        lake,
        files,
        ENCODER,
        [paper("a")],
        rows,
        release_id=f"2026030{day}-{day}",
        created=f"2026-03-0{day}T00:00:00+00:00",
    )


def words(lake: Lake, files: Files, release: Release) -> Sequence[str]:
    return [one.text for one in open_searcher(lake, files, release, ENCODER).index.passages]


def test_going_back_moves_the_pointer_alone(lake: Lake, files: Files) -> None:
    first, second, third = (publish(lake, files, day) for day in (1, 2, 3))
    assert roll_back(files) == second
    assert require_current(files) == second
    assert words(lake, files, second) == ["Words of day xx."]
    assert roll_back(files, third.release_id) == third
    assert roll_back(files, first.release_id) == first
    with pytest.raises(UsageError, match="is the oldest"):
        roll_back(files)
    with pytest.raises(UsageError, match="no release 'x'"):
        roll_back(files, "x")
    assert require_current(files) == first
    assert len(release_ids(files)) == 3


@pytest.mark.usefixtures("nobody_reads")
@pytest.mark.filterwarnings("ignore:optimize")
def test_kept_releases_stay_whole_and_the_others_go(lake: Lake, files: Files) -> None:
    made = [publish(lake, files, day) for day in range(1, 6)]
    old, kept = made[:3], made[3:]
    assert prune(lake, files, 2, NOW).retired == [one.release_id for one in old]
    assert release_ids(files) == [one.release_id for one in kept]
    # Whoever holds a retired release finds all of it.
    for day, release in enumerate(made, 1):
        assert words(lake, files, release) == [f"Words of day {'x' * day}."]
    pruned = prune(lake, files, 2, LATER)
    assert pruned.forgotten == [one.release_id for one in old]
    assert set(pruned.index_folders) == {one.sparse_index for one in old}
    assert retirements(files) == []
    for release in kept:
        assert words(lake, files, release)
    for table in every_table(ENCODER.dimension):
        assert set(lake.pins(table)) <= {one.tag for one in kept}
    for release in old:
        with pytest.raises(MuonEvidenceError, match=r"no longer kept|no readable sparse index"):
            words(lake, files, release)
    assert len(files.list(SPARSE_FOLDER)) == len(kept) + 1


@pytest.mark.usefixtures("nobody_reads")
@pytest.mark.filterwarnings("ignore:optimize")
def test_the_current_release_stays_however_old(lake: Lake, files: Files) -> None:
    first = publish(lake, files, 1)
    for day in (2, 3):
        publish(lake, files, day)
    roll_back(files, first.release_id)
    for now in (NOW, LATER):
        prune(lake, files, 1, now)
    assert release_ids(files) == [first.release_id, "20260303-3"]
    assert words(lake, files, require_current(files)) == ["Words of day x."]


def test_a_reader_that_saw_the_pointer_before_finds_its_release(lake: Lake, files: Files) -> None:
    first = publish(lake, files, 1)
    publish(lake, files, 2)
    pointer = files.read_json("releases/current.json")
    prune(lake, files, 1, NOW)
    # As the reader read it: between its two reads the release was retired.
    point_to(files, first.release_id)
    found = current_release(files)
    files.write_json("releases/current.json", pointer)
    assert found == first
    assert words(lake, files, first) == ["Words of day x."]
    with pytest.raises(UsageError, match="no release"):
        load_release(files, first.release_id)


@pytest.mark.usefixtures("nobody_reads")
@pytest.mark.filterwarnings("ignore:optimize")
def test_an_open_searcher_answers_while_its_release_is_cleared_away(
    lake: Lake, files: Files
) -> None:
    searcher = open_searcher(lake, files, publish(lake, files, 1), ENCODER)
    before = searcher.search("words of day", "hybrid", 3)
    publish(lake, files, 2)
    for now in (NOW, LATER):
        prune(lake, files, 1, now)
    assert searcher.search("words of day", "hybrid", 3) == before


def test_pins_of_a_release_that_was_never_finished_go(lake: Lake, files: Files) -> None:
    made = publish(lake, files, 1)
    lake.pin(CHUNKS, "release-20260302-killed")
    lake.pin(CHUNKS, "somebody-elses")
    prune(lake, files, 1, NOW)
    assert set(lake.pins(CHUNKS)) == {made.tag, "somebody-elses"}


def test_an_index_that_is_about_to_be_released_stays(lake: Lake, files: Files) -> None:
    publish(lake, files, 1)
    folder, _ = build_sparse(files, [chunk("new", "a")], {}, made_from="new", rebuild=False)
    assert prune(lake, files, 1, NOW).index_folders == []
    assert files.exists(folder)


def test_old_versions_beside_an_older_pin_are_cleared_without_an_error(
    lake: Lake, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LanceDB refuses to clean up where a tagged version is old enough to go."""
    release = publish(lake, files, 1)
    for day in (2, 3):
        lake.merge(CHUNKS, [chunk("c", "a", text=f"Written on day {day}.")])

    class NextMonth(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Self:
            return cls.fromtimestamp((datetime.now(UTC) + timedelta(days=30)).timestamp(), tz)

    monkeypatch.setattr(lake_module, "datetime", NextMonth)
    prune(lake, files, 1, NOW)
    version = release.versions[CHUNKS.name]
    assert lake.rows(CHUNKS, ["text"], version=version) == [{"text": "Words of day x."}]
    assert lake.rows(CHUNKS, ["text"]) == [{"text": "Written on day 3."}]
