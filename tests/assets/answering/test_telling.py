"""The steps of an answer in words."""

from assets.answering.answer_question import answer_question
from assets.answering.records import AnswerSettings
from assets.answering.telling import MOST_SHOWN, clipped, in_words
from assets.retrieval.records import Mode
from tests.support.answering import ListSearcher, SmallProfile, passage


def test_every_step_of_an_answer_is_told() -> None:
    lines: list[str] = []
    answer_question(
        "Which field do the dipole magnets reach?",
        Mode.AGENTIC,
        ListSearcher([passage("c1", "The dipole magnets of the ring reach a field of 10 T.")]),
        SmallProfile(),
        None,
        AnswerSettings(abstain_below=0.0),
        lambda step, told: lines.extend(in_words(step, told)),
    )
    text = "\n".join(lines)
    assert [line.split(":")[0] for line in lines if not line.startswith(" ")] == [
        "plan",
        "evidence",
        "reading",
        "writing",
    ]
    assert "precise fact" in text
    assert "  search Which field do the dipole magnets reach?" in lines
    assert "evidence: 1 passage" in text
    assert "reading: 1 sentence to" in text
    assert "1 sentence passed the checks, 0 did not (embedded" in text


def test_of_a_long_question_the_beginning_is_shown() -> None:
    words = "flurbl " * 3000
    assert clipped(words) == f"{' '.join(['flurbl'] * (MOST_SHOWN // 7))}…"
    assert clipped("x" * 20_000, 40) == f"{'x' * 40}…"
    assert clipped(" What is\n a muon? ") == "What is a muon?"
    plan = {"type": "precise_fact", "tags": [], "subqueries": [words, words]}
    evidence = {"passages": 0, "notes": [words]}
    for line in (*in_words("plan", plan), *in_words("evidence", evidence)):
        assert len(line) <= 2 * MOST_SHOWN + 10


def test_a_step_that_is_not_known_is_named() -> None:
    assert in_words("rest", {}) == ["rest"]
