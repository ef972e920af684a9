"""Files of many questions."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.answering.questions import MOST_QUESTIONS, read_questions
from resources.errors import UsageError


def test_a_question_a_line() -> None:
    text = "\ufeffWhat is BIB?\r\n\n# a remark\n  How  hot is it? \nWhat is BIB?\n"
    assert read_questions("q.txt", text.encode()) == ["What is BIB?", "How hot is it?"]


def test_json_lines() -> None:
    lines = [{"id": "a", "question": "# What?"}, {"question": "Why?\nHow?", "set": "answer"}]
    content = "\n\n".join(map(json.dumps, lines)).encode()
    assert read_questions("Q.JSONL", content) == ["# What?", "Why? How?"]


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("q.txt", b"", "q.txt holds no question"),
        ("q.txt", b"# only a remark\n\n", "q.txt holds no question"),
        ("q.txt", b"\xff\xfe\x00", "q.txt is not text in UTF-8"),
        ("q.jsonl", b'{"question": "What?"}\n{broken', "q.jsonl, line 2: this is not valid JSON"),
        ("q.jsonl", b'["What?"]', "q.jsonl, line 1: the field 'question'"),
        ("q.jsonl", b'{"question": 5}', "q.jsonl, line 1: the field 'question'"),
        ("q.jsonl", b'{"question": " "}', "q.jsonl, line 1: the field 'question'"),
        ("q.jsonl", b"[" * 100_000, "q.jsonl, line 1: "),
        ("q.txt", b"a" * 5_000_001, "q.txt is larger than 5,000,000 bytes"),
        ("q.txt", b"\n".join(b"%d?" % n for n in range(1001)), "1,001 questions and at most"),
    ],
)
def test_a_file_that_cannot_be_answered_is_named(name: str, content: bytes, why: str) -> None:
    with pytest.raises(UsageError) as refused:
        read_questions(name, content)
    assert why in str(refused.value)
    assert str(refused.value).endswith(".")


@given(st.lists(st.text(st.characters(categories=("L", "N")), min_size=1), min_size=1))
def test_plain_lines_come_back_in_order_and_once(lines: list[str]) -> None:
    assert len(lines) <= MOST_QUESTIONS
    found = read_questions("q.txt", "\n".join(lines).encode())
    assert found == list(dict.fromkeys(lines))
