"""Releases pin what they name, move one pointer, and refuse what they cannot read."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from assets.retrieval.release import (
    CURRENT,
    FOLDER,
    all_releases,
    current_release,
    forget,
    load_release,
    point_to,
    previous_release,
    publish,
    release_ids,
    release_name,
    require_current,
    retire,
    retirements,
)
from assets.tables import CHUNKS, PAPERS
from resources.errors import MuonEvidenceError, UsageError
from resources.files import Files
from resources.lake import Lake
from tests.support.releases import manifest
from tests.support.rows import chunk, paper


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(str(tmp_path / "lake"))


@pytest.fixture
def files(tmp_path: Path) -> Files:
    files = Files(str(tmp_path))
    files.write_json(f"{manifest('any').sparse_index}/passages.json", {"chunk_ids": []})
    return files


def test_before_the_first_release(files: Files) -> None:
    assert current_release(files) is None
    assert release_ids(files) == []
    with pytest.raises(UsageError, match=r"has no release yet: run `muon-evidence refresh`"):
        require_current(files)
    with pytest.raises(UsageError, match=r"no release '2026'; there are: none\."):
        load_release(files, "2026")


def test_a_release_pins_the_tables_as_they_are(lake: Lake, files: Files) -> None:
    lake.merge(PAPERS, [paper("a")])
    lake.merge(CHUNKS, [chunk("c", "a")])
    made = publish(lake, files, manifest("20260301-1"), [PAPERS, CHUNKS])
    assert set(made.versions) == {"papers", "chunks"}
    assert require_current(files) == made
    lake.merge(PAPERS, [paper("b")])
    lake.merge(CHUNKS, [chunk("c", "a", text="Other words.")])
    lake.compact([PAPERS, CHUNKS])
    papers = lake.rows(PAPERS, ["paper_id"], version=made.versions["papers"])
    chunks = lake.rows(CHUNKS, ["text"], version=made.versions["chunks"])
    assert papers == [{"paper_id": "a"}]
    assert chunks == [{"text": "Words of c."}]


def test_the_manifest_comes_back_as_it_was_published(lake: Lake, files: Files) -> None:
    made = publish(lake, files, manifest("20260301-1"), [])
    assert load_release(files, "20260301-1") == made
    assert asdict(current_release(files) or made) == asdict(made)


@pytest.mark.parametrize("broken", [f"{FOLDER}/20260302-2.json", CURRENT])
def test_a_publication_that_fails_moves_no_pointer(
    lake: Lake, files: Files, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    before = publish(lake, files, manifest("20260301-1"), [])
    write = Files.write_json

    def failing(self: Files, path: str, value: Any) -> None:
        if path == broken:
            raise OSError(28, "No space left on device")
        write(self, path, value)

    monkeypatch.setattr(Files, "write_json", failing)
    with pytest.raises(OSError, match="No space"):
        publish(lake, files, manifest("20260302-2"), [])
    assert require_current(files) == before


def test_a_release_pins_the_versions_that_it_names(lake: Lake, files: Files) -> None:
    lake.merge(PAPERS, [paper("a")])
    looked_at = lake.version(PAPERS)
    lake.merge(PAPERS, [paper("b")])
    made = publish(lake, files, manifest("20260301-1", versions={"papers": looked_at}), [PAPERS])
    assert made.versions == {"papers": looked_at}
    assert lake.pins(PAPERS) == {made.tag: looked_at}


def test_an_index_folder_that_went_is_not_released(lake: Lake, files: Files) -> None:
    before = publish(lake, files, manifest("20260301-1"), [])
    with pytest.raises(MuonEvidenceError, match=r"gone-folder was cleared away before"):
        publish(lake, files, manifest("20260302-2", sparse_index="gone-folder"), [])
    assert require_current(files) == before
    assert release_ids(files) == ["20260301-1"]


def test_a_name_is_never_given_twice(lake: Lake, files: Files) -> None:
    lake.merge(PAPERS, [paper("a")])
    first = publish(lake, files, manifest("20260301-1"), [PAPERS])
    lake.merge(PAPERS, [paper("b")])
    second = publish(lake, files, manifest("20260301-1"), [PAPERS])
    retire(files, first, "2026-03-02T00:00:00+00:00")
    third = publish(lake, files, manifest("20260301-1"), [PAPERS])
    assert [one.release_id for one in (first, second, third)] == [
        "20260301-1",
        "20260301-1-2",
        "20260301-1-3",
    ]
    assert len(lake.rows(PAPERS, version=first.versions["papers"])) == 1
    assert len(lake.pins(PAPERS)) == 3


def test_a_retired_release_can_still_be_opened_but_not_gone_back_to(
    lake: Lake, files: Files
) -> None:
    first = publish(lake, files, manifest("20260301-1"), [])
    second = publish(lake, files, manifest("20260302-2", created="2026-03-02T00:00:00"), [])
    retire(files, first, "2026-03-03T00:00:00+00:00")
    assert release_ids(files) == ["20260302-2"]
    assert all_releases(files) == [second]
    with pytest.raises(UsageError, match=r"no release '20260301-1'; there are: 20260302-2"):
        load_release(files, "20260301-1")
    with pytest.raises(UsageError, match=r"is the oldest"):
        previous_release(files, second)
    # A reader that read the pointer just before it moved and the release was retired.
    point_to(files, "20260301-1")
    assert require_current(files) == first
    assert retirements(files) == [(first, "2026-03-03T00:00:00+00:00")]
    forget(files, "20260301-1")
    assert retirements(files) == []


def test_the_pointer_moves_there_and_back(lake: Lake, files: Files) -> None:
    first = publish(lake, files, manifest("20260301-1"), [])
    second = publish(lake, files, manifest("20260302-2"), [])
    assert release_ids(files) == ["20260301-1", "20260302-2"]
    assert require_current(files) == second
    point_to(files, first.release_id)
    assert require_current(files) == first
    assert release_ids(files) == ["20260301-1", "20260302-2"]


def test_an_unknown_release_is_named_with_those_there_are(lake: Lake, files: Files) -> None:
    publish(lake, files, manifest("20260301-1"), [])
    with pytest.raises(UsageError, match=r"no release 'x'; there are: 20260301-1\."):
        load_release(files, "x")
    point_to(files, "gone")
    with pytest.raises(UsageError, match=r"no release 'gone'"):
        require_current(files)


def _without(name: str) -> dict[str, Any]:
    return {key: value for key, value in asdict(manifest("r")).items() if key != name}


@pytest.mark.parametrize(
    "content",
    [
        json.dumps(_without("sparse_index")),
        json.dumps({**asdict(manifest("r")), "shards": 4}),
        json.dumps([1, 2]),
        "not JSON",
        "",
    ],
    ids=["a field less", "a field more", "a list", "no JSON", "empty"],
)
def test_a_manifest_of_another_format_is_refused(files: Files, content: str) -> None:
    files.write_bytes(f"{FOLDER}/r.json", content.encode())
    point_to(files, "r")
    with pytest.raises(UsageError, match=r"releases/r\.json in .* not written by this version"):
        require_current(files)


@pytest.mark.parametrize("content", ["", "not JSON", "[]", '{"release": "r"}'])
def test_a_pointer_of_another_format_is_refused(files: Files, content: str) -> None:
    files.write_bytes(CURRENT, content.encode())
    with pytest.raises(UsageError, match=r"current\.json in .* not written by this version"):
        require_current(files)


def test_the_release_before_one_is_the_next_older(lake: Lake, files: Files) -> None:
    moments = {"c": "2026-03-01T10:00:00", "a": "2026-03-01T11:00:00", "b": "2026-03-02T09:00:00"}
    made = {
        name: publish(lake, files, manifest(name, created=created), [])
        for name, created in moments.items()
    }
    assert previous_release(files, made["b"]) == made["a"]
    assert previous_release(files, made["a"]) == made["c"]
    with pytest.raises(UsageError, match=r"Release c is the oldest"):
        previous_release(files, made["c"])


def test_names_sort_by_day_and_differ_by_content() -> None:
    name = release_name("2026-03-01T23:59:59+00:00", "1a2b3c4d5e6f")
    assert name == "20260301-1a2b3c4d"
    assert name < release_name("2026-03-02T00:00:00+00:00", "0")
    assert name != release_name("2026-03-01T23:59:59+00:00", "ffffffff")


def test_tags_tell_releases_apart() -> None:
    assert manifest("20260301-1").tag == "release-20260301-1"
