"""A refresh that cannot begin says why, at once, and leaves nothing in the data location."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pipelines import actions
from pipelines.inventory import inventory
from pipelines.showing import _source
from resources.errors import UsageError
from resources.folder import FolderSource
from tests.support.pipeline import parts_at


def nothing(folder: Path) -> None:
    """No such folder."""


def empty(folder: Path) -> None:
    folder.mkdir()
    (folder / "notes.txt").write_text("no paper")


def a_file(folder: Path) -> None:
    folder.write_text("no folder")


def described_wrongly(folder: Path) -> None:
    folder.mkdir()
    (folder / "one.pdf").write_bytes(b"%PDF-1.4")
    (folder / "papers.jsonl").write_text("{")


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (nothing, "There is no folder"),
        (empty, "holds no PDF files; put papers there or name another"),
        (a_file, "is a file: name the folder"),
        (described_wrongly, "papers.jsonl"),
    ],
)
def test_a_folder_that_cannot_be_used(
    make: Callable[[Path], None], why: str, tmp_path: Path
) -> None:
    make(tmp_path / "papers")
    with pytest.raises(UsageError, match=why):
        actions.refresh(
            parts_at(tmp_path / "data"), source="folder", folder=str(tmp_path / "papers")
        )
    assert not (tmp_path / "data").exists()


def test_a_folder_that_is_named_is_read_whatever_is_configured(tmp_path: Path) -> None:
    for name in ("", "folder"):
        source = parts_at(tmp_path / "data").sources.open(name, str(tmp_path))
        assert isinstance(source, FolderSource)
        assert source.folder == tmp_path


@pytest.mark.parametrize("source", ["sample", "arxiv"])
def test_a_folder_goes_with_no_other_source(tmp_path: Path, source: str) -> None:
    with pytest.raises(UsageError, match=f"leave out --source {source}, or --folder"):
        actions.refresh(parts_at(tmp_path / "data"), source=source, folder=str(tmp_path))
    assert not (tmp_path / "data").exists()


def test_ids_of_no_form_are_all_named_before_anything_is_asked(tmp_path: Path) -> None:
    ids = "2303.08533, 23030.8533 hep-ph/9909255;higgs, higgs,arXiv:2303.08533v2"
    with pytest.raises(UsageError) as raised:
        actions.refresh(parts_at(tmp_path / "data"), source="arxiv", ids=ids)
    assert str(raised.value) == (
        "'23030.8533', 'higgs' are no arXiv ids: nothing was fetched. "
        "An id looks like 2303.08533 or hep-ph/9909255."
    )
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("by_source", "told"),
    [
        ({}, "sample"),
        ({"sample": 16}, "sample"),
        (
            {"folder": 3},
            "folder so far; `muon-evidence refresh` without --source reads sample (MUON_SOURCE)",
        ),
        (
            {"arxiv": 3, "sample": 16},
            "arxiv, sample so far; `muon-evidence refresh` without --source reads sample "
            "(MUON_SOURCE)",
        ),
    ],
)
def test_status_says_where_the_papers_came_from(by_source: dict[str, int], told: str) -> None:
    assert _source("sample", by_source) == told


def test_looking_at_a_location_that_is_not_there_makes_none(tmp_path: Path) -> None:
    assert inventory(parts_at(tmp_path / "data"))["papers"]["by_status"] == {}
    assert not (tmp_path / "data").exists()
