"""`MUON_NLI` by the command line: asked, named, part of an answer's name, refused in a sentence."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from resources import sample_corpus
from tests.support.nli import THREE, onnx_folder
from tests.support.pipeline import Muon

QUESTION = "What does a tungsten nozzle absorb?"


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model that gives each outcome a third, whatever it is asked."""
    folder = onnx_folder(tmp_path / "third", THREE)
    monkeypatch.setenv("MUON_NLI", str(folder))
    return folder


def test_an_answer_is_held_to_the_configured_model_and_names_it(
    muon: Muon, copy_of_demo: Callable[[], Path], model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = copy_of_demo()
    judged = muon("ask", QUESTION, "--json", data=data).json
    assert re.fullmatch(r"overlap and alignment, and third@[0-9a-f]{12}", judged["grounding"])
    # The embedded writer quotes, and no model refuses a quotation.
    found = {one["verdict"]["entailment"] for one in judged["sentences"]}
    assert found == {0.333}
    shown = muon("ask", QUESTION, data=data)
    assert "kept from before" in shown.out
    assert ", entailed 0.33)" in " ".join(shown.out.split())
    assert f"checked by {judged['grounding']}" in shown.out
    assert re.search(rf"entailment +{re.escape(str(model))}", muon("status", data=data).out)
    monkeypatch.delenv("MUON_NLI")
    plain = muon("ask", QUESTION, "--json", data=data).json
    assert plain["answer_id"] != judged["answer_id"]
    assert plain["grounding"] == "overlap and alignment"
    assert [one["text"] for one in plain["sentences"]] == [
        one["text"] for one in judged["sentences"]
    ]


@pytest.mark.usefixtures("model")
def test_scores_of_answers_name_the_model(
    muon: Muon, copy_of_demo: Callable[[], Path], tmp_path: Path
) -> None:
    lines = (sample_corpus.folder() / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    first = next(line for line in lines if json.loads(line)["set"] == "answer")
    questions = tmp_path / "questions.jsonl"
    questions.write_text(first, encoding="utf-8")
    asked = ["evaluate", "--questions", str(questions), "--set", "answer", "--json"]
    report = muon(*asked, data=copy_of_demo()).json
    assert "third@" in report["grounding"]


def test_a_model_that_cannot_be_used_is_refused_before_anything_is_done(
    muon: Muon, demo: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = onnx_folder(tmp_path / "mood", ("sad", "glad"))
    monkeypatch.setenv("MUON_NLI", str(folder))
    ended = muon("ask", QUESTION, data=demo.data)  # type: ignore[attr-defined]
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.count("muon-evidence: ") == 1
    assert "no output called entailment" in ended.err
    assert "MUON_NLI" in ended.err
