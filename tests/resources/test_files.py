"""Files beside the tables, in a folder and in an object store alike."""

import hashlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest
from filelock import FileLock, Timeout

from resources.errors import UsageError
from resources.files import SCRATCH_SECONDS, Files, sha256_of


@pytest.fixture(params=["folder", "object store"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Files]:
    if request.param == "folder":
        yield Files(str(tmp_path / "data"))
        return
    yield Files("memory://bucket/data")
    fsspec.filesystem("memory").store.clear()


@pytest.fixture
def folder(tmp_path: Path) -> Files:
    return Files(str(tmp_path / "data"))


def test_bytes_and_json_come_back_as_they_were_written(files: Files) -> None:
    files.write_bytes("deep/er/file.bin", b"\x00\xff first")
    assert files.read_bytes("deep/er/file.bin") == b"\x00\xff first"
    files.write_bytes("deep/er/file.bin", b"second")
    assert files.read_bytes("deep/er/file.bin") == b"second"
    value = {"title": "μ⁺μ⁻ → H", "pages": [1, 2], "none": None}
    files.write_json("manifest.json", value)
    assert files.read_json("manifest.json") == value


def test_what_is_not_there(files: Files) -> None:
    assert not files.exists("nothing")
    assert files.list("nothing") == []
    files.remove("nothing")
    with pytest.raises(FileNotFoundError):
        files.read_bytes("nothing")


def test_names_under_a_folder_are_sorted(files: Files) -> None:
    for name in ("releases/b.json", "releases/a.json", "releases/sub/c.json"):
        files.write_bytes(name, b"x")
    assert files.list("releases") == ["a.json", "b.json", "sub"]
    assert files.exists("releases/sub")
    files.remove("releases/sub")
    assert files.list("releases") == ["a.json", "b.json"]


def test_a_finished_file_is_moved_in(files: Files, tmp_path: Path) -> None:
    for content in (b"old", b"new"):
        finished = tmp_path / "finished"
        finished.write_bytes(content)
        files.put_file(finished, "pdfs/paper.pdf")
        assert not finished.exists()
        assert files.read_bytes("pdfs/paper.pdf") == content
    assert files.list("pdfs") == ["paper.pdf"]


def test_a_finished_folder_is_moved_in_and_never_replaced(files: Files, tmp_path: Path) -> None:
    for content in (b"first", b"second"):
        finished = tmp_path / "index"
        (finished / "inner").mkdir(parents=True)
        (finished / "inner" / "data").write_bytes(content)
        files.put_folder(finished, "indexes/sparse/1")
        assert not finished.exists()
    assert files.list("indexes/sparse") == ["1"]
    assert files.read_bytes("indexes/sparse/1/inner/data") == b"first"


def test_a_local_path_holds_the_same_file_or_folder(files: Files) -> None:
    files.write_bytes("indexes/one/data", b"content")
    with files.local("indexes/one/data") as path:
        assert path.read_bytes() == b"content"
        assert path.name == "data"
    with files.local("indexes/one") as path:
        assert (path / "data").read_bytes() == b"content"


def test_scratch_is_gone_afterwards(files: Files) -> None:
    with files.scratch() as place:
        (place / "draft").write_bytes(b"x")
        assert place.is_dir()
    assert not place.exists()


def test_scratch_of_a_folder_lies_on_the_same_disk(folder: Files) -> None:
    with folder.scratch() as place:
        assert place.is_relative_to(folder.uri)


def test_scratch_that_a_killed_run_left_goes_after_a_day(folder: Files) -> None:
    with folder.scratch() as in_use:
        old = in_use.with_name("left by a killed run")
        (old / "index").mkdir(parents=True)
        yesterday = time.time() - SCRATCH_SECONDS - 1
        os.utime(old, (yesterday, yesterday))
        with folder.scratch() as place:
            assert sorted(in_use.parent.iterdir()) == sorted([in_use, place])


def test_a_write_that_fails_leaves_the_old_content_and_no_scraps(
    folder: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write_bytes("current.json", b"old")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        folder.write_bytes("current.json", b"new")
    assert folder.read_bytes("current.json") == b"old"
    assert folder.list("") == ["current.json"]


def test_a_file_in_the_place_of_the_location_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    files = Files(str(tmp_path / "file" / "data"))
    with pytest.raises(UsageError, match=r"file/data cannot be written .*choose another"):
        files.write_json("format.json", {})


def test_an_object_store_without_its_package_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "s3fs", None)  # as on a machine that lacks it
    files = Files("s3://bucket/data")
    with pytest.raises(UsageError, match=r"s3://bucket/data needs one more package: .*s3fs"):
        files.exists("anything")


def test_only_a_folder_is_local(files: Files) -> None:
    assert files.is_local is not files.uri.startswith("memory://")


def test_the_hash_is_of_the_bytes(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"muon" * 100_000)
    assert sha256_of(path) == hashlib.sha256(b"muon" * 100_000).hexdigest()


def test_a_lock_is_held_by_one_at_a_time(folder: Files) -> None:
    with folder.lock("releases"):
        held = FileLock(f"{folder.uri}/releases.lock", timeout=0)
        with pytest.raises(Timeout):
            held.acquire()
    with folder.lock("releases"):
        assert folder.exists("releases.lock")


def test_an_object_store_has_no_locks(files: Files) -> None:
    if not files.is_local:
        with files.lock("releases"), files.lock("releases"):
            assert not files.exists("releases.lock")
