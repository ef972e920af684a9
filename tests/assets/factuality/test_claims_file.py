"""Plain text as passages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.factuality.claims_file import passages, read_passages
from resources.errors import UsageError


def test_a_paragraph_is_a_passage():
    text = "\nThe field\nis 5 T.\n\n \t\nThe bore is 5 cm.\r\n\r\nIt is long.\n"
    assert passages(text) == ["The field\nis 5 T.", "The bore is 5 cm.", "It is long."]


@given(st.text(alphabet="ab \n\t\r"))
def test_passages_hold_every_word_in_order(text):
    found = passages(text)
    assert " ".join(found).split() == text.split()
    assert all(part.strip() and "\n\n" not in part for part in found)


def test_a_file_is_read_with_or_without_a_byte_order_mark(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_bytes("\ufeffThe μ beam.\n\nTwo.".encode())
    assert read_passages(path) == ["The μ beam.", "Two."]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "There is no file .*: name a PDF"),
        (b"\xff\xfe\x00PDF", "is not plain text in UTF-8"),
        (b" \n\n ", "holds no text"),
    ],
)
def test_what_cannot_be_read_says_so(tmp_path, content, message):
    path = tmp_path / "notes.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=message):
        read_passages(path)


def test_a_folder_is_not_a_file(tmp_path):
    with pytest.raises(UsageError, match="is a folder: name a PDF"):
        read_passages(tmp_path)
