"""The questions inbox: what waits, and how it is told that a file is done."""

from pathlib import Path

import pytest

from assets.answering.inbox import (
    Refused,
    open_file,
    result_paths,
    waiting,
    write_failure,
    write_result,
)
from resources.errors import UsageError
from resources.files import Files
from tests.support.answering import answered


@pytest.fixture
def files(tmp_path: Path) -> Files:
    (tmp_path / "inbox").mkdir()
    return Files(str(tmp_path))


def put(files: Files, name: str, text: str) -> None:
    files.write_bytes(f"inbox/{name}", text.encode())


def names(files: Files) -> list[str]:
    return [file.name for file in waiting(files)]


def test_what_is_still_being_written_or_is_no_file_does_not_wait(files: Files) -> None:
    for name in ("one.txt", "two.jsonl", ".hidden", "three.txt.part", "four.tmp"):
        put(files, name, "What is BIB?")
    put(files, "folder/five.txt", "What is BIB?")
    assert names(files) == ["one.txt", "two.jsonl"]


def test_without_an_inbox_nothing_waits(tmp_path: Path) -> None:
    assert waiting(Files(str(tmp_path / "nowhere"))) == []


def test_a_content_is_answered_once(files: Files) -> None:
    put(files, "one.txt", "What is BIB?")
    file, content = open_file(files, "one.txt")
    assert content == b"What is BIB?"
    write_result(files, file, [answered()], [], "run-1")
    assert names(files) == []
    put(files, "one.txt", "What is MDI?")
    (changed,) = waiting(files)
    assert changed.key != file.key
    put(files, "one.txt", "What is BIB?")
    assert names(files) == [], "this content has its result"


def test_the_same_content_under_another_name_is_another_file(files: Files) -> None:
    put(files, "one.txt", "What is BIB?")
    put(files, "two.txt", "What is BIB?")
    one, two = waiting(files)
    assert one.key != two.key


@pytest.mark.parametrize("left", ["", "{", "[]", '{"sha256": 5}'])
def test_a_result_that_was_not_finished_counts_for_nothing(files: Files, left: str) -> None:
    put(files, "one.txt", "What is BIB?")
    files.write_bytes(result_paths("one.txt")[1], left.encode())
    assert names(files) == ["one.txt"]


def test_a_result_holds_answers_and_names_what_was_not_answered(files: Files) -> None:
    put(files, "one.txt", "What is BIB?")
    file, _ = open_file(files, "one.txt")
    write_result(files, file, [answered()], [Refused("?!", "It holds no words.")], "run-1")
    markdown, plain = result_paths("one.txt")
    result = files.read_json(plain)
    assert result["answers"] == [answered().as_row()]
    assert result["not_answered"] == [{"question": "?!", "reason": "It holds no words."}]
    assert (result["run"], result["failed"]) == ("run-1", "")
    text = files.read_bytes(markdown).decode()
    assert "It holds no words." in text
    assert answered().sentences[0].text in text


def test_a_failure_is_a_result_that_says_why(files: Files) -> None:
    put(files, "one.txt", "")
    file, _ = open_file(files, "one.txt")
    write_failure(files, file, "one.txt holds no question.", "run-1")
    assert names(files) == []
    markdown, plain = result_paths("one.txt")
    assert files.read_json(plain)["failed"] == "one.txt holds no question."
    assert "one.txt holds no question." in files.read_bytes(markdown).decode()


@pytest.mark.parametrize("name", ["gone.txt", "../lake.lock", "a/b.txt", "", ".hidden", "a\\b"])
def test_no_name_leads_out_of_the_inbox(files: Files, name: str) -> None:
    files.write_bytes("lake.lock", b"")
    with pytest.raises(UsageError, match="has no file"):
        open_file(files, name)


def test_a_folder_is_no_file_of_questions(files: Files) -> None:
    put(files, "folder/one.txt", "What is BIB?")
    with pytest.raises(UsageError, match="is a folder"):
        open_file(files, "folder")
