"""Answers where a model of inference is asked: what it refuses is mended once, or left out."""

from typing import Any

import pytest

from assets.answering.answer_question import answer_from, answer_question
from assets.answering.markdown import to_markdown
from assets.answering.records import Answer
from assets.retrieval.records import Mode
from resources.language_model import ModelSettings, RetryPolicy, open_language_model
from tests.support.answering import (
    EAGER,
    RING,
    ListSearcher,
    SmallProfile,
    TableEntailment,
    hit,
)
from tests.support.model_server import ModelRequest
from tests.support.openai_server import OpenAIServer

QUESTION = "Which field do the dipole magnets of the ring reach?"
QUOTE = "The dipole magnets of the ring reach a field of 10 T."
REWORDED = "A field of 10 T is reached by the dipole magnets of the ring."
SHORTER = "The dipole magnets reach a field of 10 T."
REPAIR = "was checked by program"


def writes(text: str) -> dict[str, Any]:
    return {
        "quotes": [{"key": "E1", "quote": QUOTE}],
        "sentences": [{"text": text, "quotes": [0]}],
        "sufficient": True,
        "missing": "",
    }


def by_model(
    entailment: TableEntailment, written: str, repaired: str
) -> tuple[Answer, list[ModelRequest]]:
    """The answer of a model that writes one sentence and mends it, and its requests to mend."""
    repairs: list[ModelRequest] = []

    def respond(request: ModelRequest) -> Any:
        if "plan literature searches" in request.system:
            return {"tags": [], "type": "precise_fact", "subqueries": []}
        if "relevant" in request.system and "sentences" not in request.system:
            return {"relevant": ["E1"]}
        if REPAIR in request.user:
            repairs.append(request)
            return writes(repaired)
        return writes(written)

    with OpenAIServer(respond) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", server.base_url)
        patch.setenv("OPENAI_API_KEY", "none")
        settings = ModelSettings(retry=RetryPolicy(attempts=1), timeout_seconds=10)
        with open_language_model("openai/writer", settings=settings) as model:  # type: ignore[union-attr]
            answer = answer_question(
                QUESTION, Mode.AGENTIC, ListSearcher(RING[:1]), SmallProfile(), model, EAGER,
                entailment=entailment,
            )  # fmt: skip
    return answer, repairs


def test_what_is_entailed_needs_no_repair() -> None:
    answer, repairs = by_model(TableEntailment({REWORDED: 0.9}), REWORDED, SHORTER)
    assert [sentence.text for sentence in answer.sentences] == [REWORDED]
    assert answer.sentences[0].verdict.entailment == pytest.approx(0.9)
    assert repairs == []


def test_what_is_not_entailed_is_mended_once() -> None:
    model = TableEntailment({REWORDED: 0.2, SHORTER: 0.8})
    answer, (repair,) = by_model(model, REWORDED, SHORTER)
    assert "the cited words entail it with 0.20 only" in repair.user
    assert [sentence.text for sentence in answer.sentences] == [SHORTER]
    assert [dropped.text for dropped in answer.dropped] == [REWORDED]
    assert len(model.asked) == 2


def test_what_is_not_entailed_after_that_either_is_left_out() -> None:
    answer, repairs = by_model(TableEntailment({}, others=0.2), REWORDED, SHORTER)
    assert len(repairs) == 1
    assert answer.abstained
    assert [dropped.text for dropped in answer.dropped] == [REWORDED, SHORTER]
    assert "entail it with 0.20 only" in answer.reason


def embedded(entailment: TableEntailment | None) -> Answer:
    return answer_question(
        QUESTION, Mode.HYBRID, ListSearcher(RING), SmallProfile(), None, EAGER,
        entailment=entailment,
    )  # fmt: skip


def test_an_extractive_answer_is_scored_and_not_refused() -> None:
    plain, judged = embedded(None), embedded(TableEntailment({}, others=0.11))
    assert judged.text == plain.text
    assert not judged.abstained
    assert {one.verdict.entailment for one in judged.sentences} == {0.11}
    assert {one.verdict.entailment for one in plain.sentences} == {None}


def test_the_answer_names_what_judged_it_and_shows_what_it_found() -> None:
    plain, judged = embedded(None), embedded(TableEntailment({}, others=0.88))
    assert plain.as_row()["grounding"] == "overlap and alignment"
    assert judged.as_row()["grounding"] == "overlap and alignment, and table@1"
    assert judged.as_row()["sentences"][0]["verdict"]["entailment"] == 0.88
    assert ", entailed 0.88)" in to_markdown(judged)
    assert "entailed" not in to_markdown(plain)


def test_an_answer_from_given_passages_is_held_to_it_too() -> None:
    model = TableEntailment({}, others=0.7)
    answer = answer_from(QUESTION, [hit(RING[0])], ListSearcher(RING), None, entailment=model)
    assert answer.sentences
    assert all(one.verdict.entailment == pytest.approx(0.7) for one in answer.sentences)
    assert answer.grounding.endswith(model.id)
