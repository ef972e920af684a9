"""Answers that are kept: read back as they were, under a name that all that decides them makes."""

from dataclasses import replace
from pathlib import Path

from assets.answering.embedded_writer import NAME
from assets.answering.kept import answer_of, find_answer, keep, named, path_of, writer_of
from assets.answering.records import Usage, answer_id
from resources.files import Files
from resources.lake import Lake
from tests.support.answering import EAGER, answered


def test_an_answer_is_read_back_as_it_was() -> None:
    usage = Usage(3, 1, 1200, 80, 0.012)
    for made in (answered(), answered("What does a cup of coffee cost in Lisbon?")):
        answer = replace(made, usage=usage)
        assert answer_of(answer.as_row()) == answer


def test_what_a_model_of_inference_found_is_kept() -> None:
    made = answered()
    first = made.sentences[0]
    judged = replace(first, verdict=replace(first.verdict, entailment=0.75))
    answer = replace(made, sentences=(judged,), grounding="overlap and alignment, and nli@1")
    row = answer.as_row()
    assert row["sentences"][0]["verdict"]["entailment"] == 0.75
    assert row["grounding"] == "overlap and alignment, and nli@1"
    assert answer_of(row) == answer


def test_an_answer_from_before_entailment_is_read() -> None:
    row = answered().as_row()
    del row["grounding"]
    for sentence in row["sentences"]:
        del sentence["verdict"]["entailment"]
    assert answer_of(row) == answered()


def test_a_kept_answer_is_found_by_its_name_in_every_form(tmp_path: Path) -> None:
    lake, files = Lake(str(tmp_path / "lake")), Files(str(tmp_path))
    answer = answered()
    assert find_answer(lake, answer.answer_id) is None
    keep(lake, files, answer, "2026-03-01T00:00:00+00:00")
    assert find_answer(lake, answer.answer_id) == answer
    assert files.read_json(path_of(answer, "json")) == answer.as_row()
    assert answer.sentences[0].text in files.read_bytes(path_of(answer, "md")).decode()


def test_the_name_is_known_before_the_answer() -> None:
    answer = answered()
    writer = writer_of("")
    assert writer == NAME
    assert answer.answer_id == answer_id(answer.question, "agentic", "r1", writer, EAGER)


def test_another_question_mode_release_model_or_setting_is_another_answer() -> None:
    first = ("q", "agentic", "r1", NAME, EAGER)
    others = [
        ("Q", "agentic", "r1", NAME, EAGER),
        ("q", "dense", "r1", NAME, EAGER),
        ("q", "agentic", "r2", NAME, EAGER),
        ("q", "agentic", "r1", "openai/x", EAGER),
        ("q", "agentic", "r1", NAME, replace(EAGER, k=21)),
        ("q", "agentic", "r1", NAME, replace(EAGER, reranker="x")),
        ("q", "agentic", "r1", NAME, replace(EAGER, entailment="x")),
    ]
    assert len({answer_id(*one) for one in [first, *others]}) == 8


def test_what_stood_in_for_a_model_is_found_as_neithers_answer() -> None:
    answer = answered()
    assert named(answer, "", EAGER) == answer
    by_model = replace(answer, model="openai/x")
    assert named(by_model, "openai/x", EAGER) == by_model
    stand_in = named(answer, "openai/x", EAGER)
    key = answer_id(answer.question, "agentic", "r1", "openai/x", EAGER)
    assert stand_in.answer_id not in {answer.answer_id, key}
    assert replace(stand_in, answer_id=answer.answer_id) == answer
