"""A data location of another layout is refused, never guessed at."""

import json
from pathlib import Path

import pytest

from assets.data_format import FORMAT, FORMAT_FILE, check_format, mark_format
from resources.errors import UsageError
from resources.files import Files


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(str(tmp_path / "data"))


def test_a_new_location_is_marked_once(files: Files) -> None:
    check_format(files)
    assert not Path(files.uri).exists(), "checking writes nothing"
    mark_format(files)
    assert files.read_json(FORMAT_FILE) == {"format": FORMAT}
    mark_format(files)
    check_format(files)


def test_a_file_is_no_location(files: Files) -> None:
    Path(files.uri).write_text("a file")
    for use in (check_format, mark_format):
        with pytest.raises(UsageError, match=r"data is a file: choose a folder"):
            use(files)


@pytest.mark.parametrize(
    "content",
    [
        json.dumps({"format": FORMAT + 1}),
        json.dumps({"format": str(FORMAT)}),
        json.dumps({"layout": FORMAT}),
        json.dumps([FORMAT]),
        "not JSON",
        "",
    ],
)
def test_another_format_is_refused_and_left_alone(files: Files, content: str) -> None:
    files.write_bytes(FORMAT_FILE, content.encode())
    for use in (check_format, mark_format):
        with pytest.raises(
            UsageError, match=r"data has format \S+, .* reads format 1: use another"
        ):
            use(files)
    assert files.read_bytes(FORMAT_FILE) == content.encode()
