"""Questions files, and which passages are relevant."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.evaluation.judging import (
    Evidence,
    Judge,
    Question,
    covers,
    gold_module,
    load_questions,
    normalise,
    paper_grades,
    paper_key,
    trigrams,
)
from resources.errors import UsageError
from tests.support.shared import require_shared

GOOD = {
    "id": "q1",
    "set": "retrieval",
    "question": "What field do the dipoles reach?",
    "type": "precise_fact",
    "answerable": True,
    "evidence": [{"paper_id": "1", "quote": "the dipoles reach a field of 10 T", "grade": 3}],
}


def questions_file(folder: Path, *lines: object) -> Path:
    path = folder / "questions.jsonl"
    text = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(text), encoding="utf-8")
    return path


def question(*evidence: tuple[str, str, int]) -> Question:
    pieces = tuple(Evidence(*piece) for piece in evidence)
    fields = {"evidence": [{"paper_id": p, "quote": q, "grade": g} for p, q, g in evidence]}
    return Question("q", "?", "retrieval", "reasoning", bool(pieces), pieces, fields)


def test_reads_questions_in_order_and_skips_blank_lines(tmp_path: Path) -> None:
    path = questions_file(tmp_path, GOOD, "", {**GOOD, "id": "q2", "set": "answer"})
    assert [one.id for one in load_questions(path)] == ["q1", "q2"]
    assert [one.id for one in load_questions(path, "answer")] == ["q2"]
    assert load_questions(path)[0].evidence[0].grade == 3


def test_a_question_without_evidence_is_unanswerable(tmp_path: Path) -> None:
    path = questions_file(tmp_path, {"id": "q1", "question": "Why?"})
    assert not load_questions(path)[0].answerable


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{not json", "not valid JSON"),
        ("[1]", "must be a JSON object"),
        ({"question": "Why?"}, "'id'"),
        ({"id": "q9", "question": "  "}, "'question'"),
        ({**GOOD, "evidence": "all of it"}, "must be a list"),
        ({**GOOD, "evidence": ["a quote"]}, "JSON object"),
        ({**GOOD, "evidence": [{"paper_id": "1", "grade": 3}]}, "'quote'"),
        ({**GOOD, "evidence": [{"quote": "a b c", "grade": 4}]}, "1, 2 or 3"),
        ({**GOOD, "evidence": [{"quote": "a b c", "grade": True}]}, "1, 2 or 3"),
        ({**GOOD, "answerable": "yes"}, "true or false"),
        ({**GOOD, "evidence": []}, "needs evidence"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: object, said: str) -> None:
    path = questions_file(tmp_path, {**GOOD, "id": "first"}, "", line)
    with pytest.raises(UsageError, match=r"questions\.jsonl, line 3") as caught:
        load_questions(path)
    assert said in str(caught.value)


def test_refuses_the_same_id_twice(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'q1' occurs twice"):
        load_questions(questions_file(tmp_path, GOOD, GOOD))


def test_refuses_a_set_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no questions of the set 'answer'"):
        load_questions(questions_file(tmp_path, GOOD), "answer")


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00"])
def test_refuses_a_file_that_cannot_be_read(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "questions.jsonl"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match="cannot be read"):
        load_questions(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("High-\nenergy ﬁeld of 10<sup>34</sup>, *β\\**=3 mm", "highenergy field of 1034 β 3 mm"),
        ("two- layer", "twolayer"),
        ("10–12 T", "1012 t"),
        ("magnets – the", "magnets the"),
        ("a < b and 5 > 3", "a b and 5 3"),
        ("", ""),
    ],
)
def test_words_are_compared_without_markup_and_hyphens(text: str, words: str) -> None:
    assert normalise(text) == words


def test_short_texts_are_one_n_gram() -> None:
    assert trigrams("one two three four") == ["one two three", "two three four"]
    assert trigrams("one two") == ["one two"]
    assert trigrams("--") == []


def test_60_percent_of_the_trigrams_are_needed() -> None:
    quote = "a b c d e f g"  # five trigrams
    assert covers("x a b c d e y", quote)
    assert not covers("x a b c d y", quote)
    assert not covers("anything", "")


def test_the_best_grade_of_several_quotes_counts() -> None:
    texts = {"c1": ("p", "one two three four five six seven"), "c2": ("p", "nothing at all here")}
    asked = question(("p", "one two three four", 1), ("p", "four five six seven", 3))
    assert Judge(texts).grades(asked) == {"c1": 3}


def test_quotes_of_one_or_two_words_are_found_too() -> None:
    texts = {"c1": ("p", "the beam-induced background is large"), "c2": ("p", "background music")}
    assert Judge(texts).grades(question(("p", "induced background", 2))) == {}
    assert Judge(texts).grades(question(("p", "background is", 2))) == {"c1": 2}


def test_evidence_that_no_passage_holds_is_told() -> None:
    asked = question(("p", "a quote that was cut in two", 3))
    assert Judge({"c": ("p", "a quote that")}).uncovered(asked) == list(asked.evidence)


def test_papers_count_by_name_and_by_text() -> None:
    asked = question(("2203.10431", "one two three four", 3))
    papers = {"a": "2203.10431", "b": "local:9f", "c": "1202.0270"}
    assert paper_grades(asked, {"b": 2}, papers) == {"2203.10431": 3, "local:9f": 2}


def test_one_spelling_for_one_arxiv_id() -> None:
    spellings = ["arXiv:hep-ph/9802219v2", "hep-ph_9802219", "hep-ph9802219", "hep-ph/9802219"]
    assert {paper_key(spelling) for spelling in spellings} == {"hepph9802219"}
    assert paper_key("1202.0270v1") == paper_key("1202.0270.pdf.txt") == "1202.0270"


def test_no_gold_module_without_a_file(tmp_path: Path) -> None:
    assert gold_module(tmp_path / "questions.jsonl") is None


@pytest.mark.parametrize(
    ("code", "said"), [("grades = 3", "no function"), ("1 / 0", "ZeroDivisionError")]
)
def test_refuses_a_gold_module_that_cannot_judge(tmp_path: Path, code: str, said: str) -> None:
    (tmp_path / "gold.py").write_text(code)
    with pytest.raises(UsageError, match=said):
        gold_module(tmp_path / "questions.jsonl")


def test_the_folders_own_rule_decides(tmp_path: Path) -> None:
    (tmp_path / "gold.py").write_text("def grades(chunks, question): return {c: 2 for c in chunks}")
    judge = Judge({"c": ("p", "one two three four")}, gold_module(tmp_path / "questions.jsonl"))
    assert judge.name == "gold.py"
    assert judge.grades(question(("p", "one two three", 3))) == {"c": 2}


def shared_texts() -> dict[str, tuple[str, str]]:
    """Overlapping windows of 150 words over the shared papers' texts."""
    texts = {}
    for path in sorted(require_shared("corpus", "text").glob("*.md"))[:8]:
        words = path.read_text(encoding="utf-8").split(" ")
        for start in range(0, len(words), 120):
            window = " ".join(words[start : start + 150])
            texts[f"{path.stem}-{start}"] = (path.stem, window)
    return texts


def test_verdicts_are_those_of_the_benchmarks_own_rule() -> None:
    path = require_shared("benchmark", "questions.jsonl")
    gold, texts = gold_module(path), shared_texts()
    assert gold is not None
    built_in, own = Judge(texts), Judge(texts, gold)
    judged = 0
    for one in load_questions(path)[::4]:
        slowly = gold.grades(texts, one.fields)
        assert own.grades(one) == slowly
        assert built_in.grades(one) == slowly
        judged += len(slowly)
    assert judged > 5


@given(st.lists(st.sampled_from(["beam", "dipole", "T", "10", "of", "the"]), min_size=3))
def test_a_passage_always_covers_what_it_holds(words: list[str]) -> None:
    quote = " ".join(words)
    texts = {"c": ("p", f"before {quote} after")}
    assert Judge(texts).grades(question(("p", quote, 3))) == {"c": 3}
