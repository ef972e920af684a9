"""`MUON_JUDGE` by the command line: a second judge's rows, its name, and what is refused."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pipelines.parts import Parts
from pipelines.settings import Settings
from resources import sample_corpus
from resources.errors import UsageError
from tests.support.model_server import ModelRequest, status
from tests.support.openai_server import OpenAIServer
from tests.support.pipeline import Muon, recorded_runs

JUDGE = "openai/strict-reader"
MODES = {"sparse", "dense", "hybrid", "agentic", "oracle"}


def first_made(request: ModelRequest) -> dict[str, object]:
    """A judge that finds the first key point of every answer made, and nothing else."""
    assert request.system.startswith("You grade answers")
    return {"key_points_made": [1], "wrong_claims_asserted": [], "grade": "satisfactory"}


@pytest.fixture
def asked(tmp_path: Path) -> list[str]:
    """The command that scores the answers to one question, which the corpus answers."""
    lines = (sample_corpus.folder() / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    path = tmp_path / "questions.jsonl"
    path.write_text(next(line for line in lines if json.loads(line)["id"] == "s008"))
    return ["evaluate", "--questions", str(path), "--set", "answer"]


def test_the_judges_rows_stand_beside_the_codes(
    muon: Muon,
    copy_of_demo: Callable[[], Path],
    asked: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = copy_of_demo()
    monkeypatch.setenv("MUON_JUDGE", JUDGE)
    with OpenAIServer(first_made) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        shown = muon(*asked, data=data)
    assert len(server.requests) > 0
    report = json.loads(next((data / "evaluations").glob("answer-*.json")).read_text())
    assert set(report["modes"]) == MODES
    for mode, scores in report["modes"].items():
        (row,) = report["questions"][mode]
        assert scores["judged"] == int(not row["abstained"])
        if row["abstained"]:
            assert row["model_judge"] is None
            assert scores["judge_key_points"] == 0
            continue
        made = row["model_judge"]["key_points"]
        assert made == [True] + [False] * (len(made) - 1)
        assert scores["judge_key_points"] == pytest.approx(1 / len(made), abs=1e-4)
        assert (scores["judge_good"], scores["judge_satisfactory"]) == (0, 1)
    assert report["modes"]["oracle"]["judged"] == 1
    given = sum(scores["judged"] for scores in report["modes"].values())
    about = report["model_judge"]
    assert (about["name"], about["judged"], about["answers"]) == (JUDGE, given, given)
    assert about["calls"] == len(server.requests)
    assert about["input_tokens"] == server.input_tokens
    text = " ".join(shown.out.split())
    assert f"answers, by {JUDGE}" in text
    for word in ("satisfactory", "kappa", "agreement", "judged"):
        assert word in text
    assert f"{JUDGE} judged {given} of {given} answer" in text
    metadata = recorded_runs(data)[-1].metadata["answer_scores"]
    assert metadata["model_judge"] == JUDGE
    assert "| oracle |" in metadata["judge_scores"]
    assert (metadata["judged"], metadata["judge_cost_usd"]) == (given, 0)
    assert re.search(rf"judge of answers +{JUDGE}", muon("status", data=data).out)


def test_a_judge_whose_service_is_down_leaves_the_codes_scores(
    muon: Muon,
    copy_of_demo: Callable[[], Path],
    asked: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MUON_JUDGE", JUDGE)
    with OpenAIServer(status(404, "no such model")) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        shown = muon(*asked, data=copy_of_demo())
    assert shown.status == 0
    text = " ".join(shown.out.split())
    assert "Judging ended with" in text
    assert f"knows no model {JUDGE}" in text
    assert "MUON_JUDGE" in text
    assert "oracle" in text


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"MUON_MODEL": JUDGE, "MUON_JUDGE": JUDGE}, "name another model to judge them"),
        ({"MUON_MODEL": JUDGE, "MUON_JUDGE": JUDGE.upper()}, "name another model to judge them"),
        ({"MUON_JUDGE": JUDGE}, "set one, or empty MUON_JUDGE"),
        ({"MUON_JUDGE": "gemini/gemini-2.5-flash"}, "set GEMINI_API_KEY, or empty MUON_JUDGE"),
        ({"MUON_JUDGE": "claude"}, "MUON_JUDGE is 'claude', which names no model"),
    ],
)
def test_a_judge_that_cannot_be_is_refused_before_anything_is_done(
    muon: Muon,
    demo: object,
    asked: list[str],
    monkeypatch: pytest.MonkeyPatch,
    settings: dict[str, str],
    sentence: str,
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    ended = muon(*asked, data=demo.data)  # type: ignore[attr-defined]
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.count("muon-evidence: ") == 1
    assert sentence in ended.err


def test_a_judge_shares_the_writers_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    parts = Parts(Settings(MUON_MODEL="openai/writer", MUON_JUDGE=JUDGE, MUON_BUDGET_USD=2))
    assert parts.judge is not None
    assert parts.model is not None
    assert parts.judge.budget is parts.model.budget
    alone = Parts(Settings(MUON_JUDGE=JUDGE, MUON_BUDGET_USD=2)).judge
    assert alone is not None
    assert alone.budget.limit_usd == 2


@pytest.mark.parametrize("name", ["", "none"])
def test_no_judge_is_needed(name: str) -> None:
    assert Parts(Settings(MUON_JUDGE=name, MUON_MODEL="none")).judge is None


def test_the_writer_judges_nothing_of_its_own() -> None:
    with pytest.raises(UsageError, match=r"MUON_JUDGE is openai/x, which also writes the answers"):
        _ = Parts(Settings(MUON_MODEL="openai/x", MUON_JUDGE="openai/x")).judge
