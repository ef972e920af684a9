"""A model whose context takes few passages is given few, and the answer says so."""

import pytest

from assets.answering.prompts import writing_prompt
from assets.answering.reading import read
from assets.answering.records import AnswerSettings
from assets.answering.writing import write
from resources.language_model import ModelSettings, RetryPolicy, open_language_model
from tests.support.answering import WordEncoder, evidence, plan
from tests.support.model_server import ModelRequest, status
from tests.support.openai_server import OpenAIServer

QUESTION = "Which field do the dipole magnets reach?"
TEXT = "The dipole magnets of the ring reach a field of 10 T. " * 8
EVIDENCE = [evidence(f"{TEXT}Of paper {n}.", f"E{n}", f"200{n}.00001") for n in range(1, 6)]
PLAN = plan(QUESTION)


def written_within(characters: int, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """What is written with a model whose context holds so many characters of a request."""

    def respond(request: ModelRequest) -> object:
        if len(request.user) > characters:
            return status(400, "This model's maximum context length is 2048 tokens.")
        return {
            "quotes": [{"key": "E1", "quote": TEXT[:50]}],
            "sentences": [{"text": TEXT[:50], "quotes": [0]}],
            "sufficient": True,
            "missing": "",
        }

    settings = ModelSettings(retry=RetryPolicy(attempts=1), timeout_seconds=10)
    reading = read(PLAN, EVIDENCE, WordEncoder())
    with OpenAIServer(respond) as server:  # type: ignore[arg-type]
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        with open_language_model("openai/small", settings=settings) as model:  # type: ignore[union-attr]
            return write(PLAN, EVIDENCE, reading, model, AnswerSettings())


def size_of(passages: int) -> int:
    return len(writing_prompt(PLAN, EVIDENCE[:passages]).user)


def test_all_passages_are_read_where_they_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    written = written_within(size_of(5), monkeypatch)
    assert (written.writer, written.notes) == ("openai/small", ())


@pytest.mark.parametrize(("fitting", "read_"), [(4, 2), (2, 2), (1, 1)])
def test_fewer_are_read_where_they_do_not(
    fitting: int, read_: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = written_within(size_of(fitting), monkeypatch)
    assert written.writer == "openai/small"
    (note,) = written.notes
    passages = "1 passage" if read_ == 1 else f"{read_} passages"
    assert note == f"Only {passages} fitted into the context of openai/small."


def test_where_not_one_fits_the_embedded_writer_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    written = written_within(10, monkeypatch)
    assert written.writer.startswith("embedded")
    (note,) = written.notes
    assert "longer than the context" in note
    assert "the embedded writer wrote this one" in note
