"""`ask` and `export` by the command line: kept answers, many questions, steps, bibliographies."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assets.tables import ANSWERS
from resources.lake import Lake
from tests.support.model_server import ModelRequest, status
from tests.support.openai_server import OpenAIServer
from tests.support.pipeline import recorded_runs

NOZZLE = "What does a tungsten nozzle absorb?"
COFFEE = "What is the price of a cup of coffee in Lisbon?"


def asks(data: Path) -> int:
    return sum(run.job == "ask" for run in recorded_runs(data))


def test_the_same_question_is_answered_once_unless_asked(
    muon: Any, copy_of_demo: Callable[[], Path]
) -> None:
    data = copy_of_demo()
    before = asks(data)
    first = muon("ask", NOZZLE, "--json", data=data).json
    assert asks(data) == before + 1
    second = muon("ask", f"  {NOZZLE} ", "--json", data=data).json
    assert second == first
    assert "kept from before" in muon("ask", NOZZLE, data=data).out
    assert asks(data) == before + 1, "a kept answer needs no run"
    fresh = muon("ask", NOZZLE, "--fresh", data=data)
    assert "kept from before" not in fresh.out
    assert asks(data) == before + 2
    other = muon("ask", NOZZLE, "--k", "5", "--json", data=data).json
    assert other["answer_id"] != first["answer_id"]
    assert Lake(f"{data}/lake").count(ANSWERS) == 3, "the demo's, the first, the one with --k"


def test_steps_are_told_as_they_end_on_stderr(muon: Any, copy_of_demo: Callable[[], Path]) -> None:
    told = muon("ask", NOZZLE, "--follow", "--json", data=copy_of_demo())
    assert told.json["question"] == NOZZLE
    places = [told.err.index(f"{step}:") for step in ("plan", "evidence", "reading", "writing")]
    assert places == sorted(places)
    assert f"search {NOZZLE}" in told.err


def test_many_questions_are_answered_in_one_run(
    muon: Any, copy_of_demo: Callable[[], Path], tmp_path: Path
) -> None:
    data = copy_of_demo()
    before = asks(data)
    file = tmp_path / "questions.txt"
    file.write_text(f"{NOZZLE}\n\n# a remark\n{COFFEE}\n?!\n", encoding="utf-8")
    done = muon("ask", "--questions", str(file), "--json", data=data)
    assert asks(data) == before + 1
    assert [row["question"] for row in done.json["answers"]] == [NOZZLE, COFFEE]
    assert [row["abstained"] for row in done.json["answers"]] == [False, True]
    assert [one["question"] for one in done.json["not_answered"]] == ["?!"]
    assert done.status == 1, "what was not answered is a failure"
    assert "Not answered: 1 of 3 questions" in done.err
    shown = muon("ask", "--questions", str(file), data=data)
    assert NOZZLE in shown.out
    assert COFFEE in shown.out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["ask"], "Give a question in words, or a file of them with --questions."),
        (["ask", "What?", "--questions", "q.txt"], "Give a question in words, or a file"),
        (["ask", "--questions", "/nowhere/q.txt"], "/nowhere/q.txt cannot be read"),
        (["ask", "What?", "--k", "0"], "--k must be between 1 and 200, not 0."),
        (["ask", "What?", "--model", "chatty"], "'chatty', which names no model"),
        (["ask", "What?", "--budget", "-1"], "--budget"),
        (["export", "nothing"], "No answer begins with 'nothing'"),
    ],
)
def test_wrong_use_is_one_sentence(muon: Any, demo: Any, arguments: list[str], why: str) -> None:
    ended = muon(*arguments, data=demo.data)
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.count("muon-evidence: ") == 1
    assert why in ended.err


def test_an_export_holds_the_answer_and_an_entry_for_all_it_cites(
    muon: Any, copy_of_demo: Callable[[], Path], tmp_path: Path
) -> None:
    data = copy_of_demo()
    row = muon("ask", NOZZLE, "--json", data=data).json
    cited = {c["paper_id"] for one in row["sentences"] for c in one["citations"]}
    done = muon("export", "--out", str(tmp_path / "out"), data=data)
    files = [Path(line) for line in done.out.splitlines()]
    assert [file.name for file in files] == [
        f"{row['answer_id']}{end}" for end in (".md", ".json", ".bib")
    ]
    markdown, plain, bibtex = (file.read_text(encoding="utf-8") for file in files)
    assert json.loads(plain) == row
    assert row["sentences"][0]["text"] in markdown
    assert all(f"{{{paper}," in bibtex for paper in cited)
    assert "author = {" in bibtex
    assert muon("export", row["answer_id"][:6], "--json", data=data).json["bibtex"] == bibtex
    assert "```bibtex" in muon("export", row["answer_id"], data=data).out


def test_before_any_answer_there_is_nothing_to_export(muon: Any, tmp_path: Path) -> None:
    ended = muon("export", data=tmp_path / "data")
    assert ended.status == 2
    assert "has no answer yet: run `muon-evidence ask`" in ended.err


def says(request: ModelRequest) -> Any:
    """A model that plans nothing, and finds nothing in the passages."""
    if "plan literature searches" in request.system:
        return {"tags": [], "type": "precise_fact", "subqueries": []}
    if '"relevant"' in request.system and "sentences" not in request.system:
        return {"relevant": ["E1"]}
    return {"quotes": [], "sentences": [], "sufficient": False, "missing": "what nozzles absorb"}


def test_a_models_answer_costs_nothing_the_second_time(
    muon: Any, copy_of_demo: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = copy_of_demo()
    with OpenAIServer(says) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        ask = ["ask", NOZZLE, "--model", "openai/small", "--json"]
        first = muon(*ask, data=data).json
        calls = len(server.requests)
        assert first["model"] == "openai/small"
        assert "what nozzles absorb" in first["reason"]
        assert first["tokens"]["calls"] == calls > 0
        assert muon(*ask, data=data).json == first
        assert len(server.requests) == calls
        fresh = muon(*ask, "--fresh", data=data).json
        assert len(server.requests) == 2 * calls
        assert fresh["tokens"]["calls"] == calls
        embedded = muon("ask", NOZZLE, "--model", "none", "--json", data=data).json
        assert embedded["model"].startswith("embedded")
        assert len(server.requests) == 2 * calls


def test_a_model_whose_service_is_down_is_one_sentence(
    muon: Any, copy_of_demo: Callable[[], Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    data = copy_of_demo()
    file = tmp_path / "questions.txt"
    file.write_text(f"{NOZZLE}\n{COFFEE}\n", encoding="utf-8")
    with OpenAIServer(status(401, "no such key")) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        one = muon("ask", NOZZLE, "--model", "openai/small", data=data)
        many = muon("ask", "--questions", str(file), "--model", "openai/small", data=data)
    for ended in (one, many):
        assert (ended.status, ended.out) == (1, "")
        assert ended.err.count("muon-evidence: ") == 1
        assert "OPENAI_API_KEY" in ended.err
    assert "0 of 2 questions were answered and are kept" in many.err
