"""What is printed for people agrees with its counts."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from assets.answering.grounding import cite
from assets.answering.planning import check_subqueries
from assets.answering.records import Answer, Plan, QuestionType, Sentence, Usage, Verdict
from assets.answering.telling import in_words
from assets.evaluation.tables import ANSWER_COLUMNS
from pipelines import showing, showing_audit
from pipelines.reading import FileClaims
from tests.support.answering import answer_of, evidence

ONE = {"papers": 1, "chunks": 1}
RELEASE = {"release_id": "r", "release": "r", "created": "today", "new": True, "current": True}
LEFT_OUT = check_subqueries("What is a muon?", ["muon mass", "muon decay"], most=1)[1]
ANSWER = Answer(
    answer_id="a",
    question="What is a muon?",
    mode="agentic",
    plan=Plan((), QuestionType.PRECISE_FACT, ("What is a muon?",), "p", notes=tuple(LEFT_OUT)),
    evidence=(),
    sentences=(),
    dropped=(),
    disagreements=(),
    abstained=True,
    reason="Nothing was found.",
    near_misses=(),
    confidence=0.0,
    signals={},
    drift=(),
    notes=(),
    release="r",
    model="m",
    usage=Usage(calls=1, cached_calls=1, input_tokens=1),
).as_row()
CLAIMS = FileClaims(
    claims=[{"page": 3, "prob_fact": 0.5, "text": "Muons decay."}],
    density=[
        {
            "page_start": 3, "page_end": 3, "claims": 1, "tokens": 1, "fd_raw": 0.5,
            "fd_star_published": 0.0, "fd_star": 0.0,
        }
    ],
    empty_pages={},
)  # fmt: skip
STATUS: dict[str, Any] = {
    "data": "d",
    "release": RELEASE | {"counts": ONE},
    "tables": ONE,
    "papers": {
        "by_status": {}, "by_source": {}, "by_tier": {}, "newest_update": None,
        "last_complete_listing": {}, "out_of_release": {"p": "It is empty."},
        "same_file_as_another": {},
    },
    "backlog": {},
    "parts": {},
    "failures": {"count": 1, "items": []},
}  # fmt: skip
ESTIMATE = {
    "extractor": "e", "texts": 1, "calls": 1, "input_tokens": 9, "output_tokens": 9,
    "cost_usd": 0.0, "budget_usd": 5.0, "papers_without_chunks": 1,
}  # fmt: skip


@pytest.mark.parametrize(
    "show",
    [
        lambda: showing.show_refresh({"assets": {"papers": {"new": 1}, "release": RELEASE | ONE}}),
        lambda: showing.show_releases([RELEASE | ONE]),
        lambda: showing.show_answer(ANSWER),
        lambda: showing.show_claims(CLAIMS),
        lambda: showing.show_scores({"n": 1, "release": "r", "modes": {}}, "answer"),
        lambda: showing.show_status(STATUS),
        lambda: showing_audit.show_estimate(ESTIMATE),
        lambda: [print(line) for step, told in STEPS.items() for line in in_words(step, told)],
    ],
    ids=["refresh", "releases", "answer", "claims", "scores", "status", "estimate", "steps"],
)
def test_one_thing_is_not_many(
    show: Callable[[], object], capsys: pytest.CaptureFixture[str]
) -> None:
    show()
    printed = capsys.readouterr().out
    assert re.search(r"\b1 \w", printed)
    wrong = re.search(r"\b1 (?:more )?(?:\w+s|subqueries)\b", printed)
    assert wrong is None, wrong


STEPS: dict[str, dict[str, Any]] = {
    "evidence": {"passages": 1, "notes": []},
    "reading": {"sentences": 1},
    "writing": {"sentences": 1, "dropped": 1, "writer": "w"},
}


def test_many_left_out_subqueries_are_many() -> None:
    _, notes = check_subqueries("What is a muon?", ["muon mass", "muon decay", "muon spin"], most=1)
    assert notes == ["2 more subqueries left out: at most 1 added."]


def test_a_rollback_says_from_which_to_which_and_how_to_go_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    showing.show_rollback("20260202-b", "20260101-a")
    first, further = capsys.readouterr().out.splitlines()
    assert first == "Answers came from release 20260202-b and now come from release 20260101-a."
    assert "`muon-evidence rollback 20260202-b` takes that back" in further
    assert "`muon-evidence rollback` goes to the release before 20260101-a" in further
    assert "`muon-evidence rollback RELEASE`" in further
    showing.show_rollback("20260101-a", "20260101-a")
    assert capsys.readouterr().out == "Answers come from release 20260101-a, as before.\n"


def test_a_question_of_thousands_of_words_is_shown_by_its_beginning(
    capsys: pytest.CaptureFixture[str],
) -> None:
    long = "flurbl " * 2800
    showing.show_answer(ANSWER | {"question": long, "notes": [f"Nothing holds {long}."]})
    printed = capsys.readouterr().out
    assert "flurbl flurbl" in printed
    assert "…" in printed
    assert len(printed) < 1500


def test_answer_scores_tell_what_is_grounded_and_each_kind_of_abstention(
    capsys: pytest.CaptureFixture[str],
) -> None:
    scores = dict.fromkeys(ANSWER_COLUMNS, 0.5) | {
        "grounded": 0.75,
        "correct_abstention_by_kind": {"false_premise": 0.25, "near_miss": None},
    }
    showing.show_scores({"n": 2, "release": "r", "modes": {"agentic": scores}}, "answer")
    printed = capsys.readouterr().out
    last = printed.splitlines()[-1].split()
    assert last == ["agentic", "0.750", "0.250", "–"]
    assert "premise" in printed


def test_a_page_that_two_passages_are_cited_from_is_one_source(
    capsys: pytest.CaptureFixture[str],
) -> None:
    halves = [evidence("The liner is 4 cm thick.", "E1"), evidence("It is cold there.", "E2")]
    sentences = [
        Sentence(one.text, tuple(cite(one, 0, len(one.text), None)), Verdict(True, 1.0, {}))
        for one in halves
    ]
    showing.show_answer(answer_of(sentences, halves).as_row())
    printed = capsys.readouterr().out
    assert printed.count("[1]") == 3  # after each sentence, and before the source
    assert "[2]" not in printed
