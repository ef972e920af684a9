"""The judge of answers: statements made, citations that hold, abstentions."""

from dataclasses import replace

import pytest

from assets.answering.grounding import cite
from assets.answering.records import Answer, Sentence, Verdict
from assets.evaluation.answers import (
    AnswerScore,
    StatementJudge,
    answers_report,
    numbers_made,
    risk_coverage,
    score_answer,
    summary,
    ungrounded_numbers,
)
from assets.evaluation.judging import Evidence as Gold
from assets.evaluation.judging import Judge, Question
from tests.support.answering import WordEncoder, answer_of, evidence

GOLD = "The tungsten liner of the ring dipole is 4.1 cm thick and cooled at 60 K."
ITEM = evidence(GOLD)
OTHER = evidence("Photons leave the nozzle in large numbers every turn.", "E2", "2002.00002")
TEXTS = {item.chunk_id: (item.paper_id, item.text) for item in (ITEM, OTHER)}


def question(answerable: bool = True, kind: str = "") -> Question:
    fields = {
        "key_points": ["The liner is 4.1 cm thick", "Cooled at 60 K"],
        "unsupported_claims": ["The tungsten liner of the ring dipole is 9 cm thick"],
        "kind": kind,
    }
    gold = (Gold(ITEM.paper_id, GOLD, 3),) if answerable else ()
    return Question(
        "q1", "How thick is the liner?", "answer", "precise_fact", answerable, gold, fields
    )


def answered(text: str = GOLD, item: object = ITEM) -> Answer:
    citations = tuple(cite(item, 0, len(item.text), None))  # type: ignore[attr-defined, arg-type]
    sentences = (Sentence(text, citations, Verdict(True, 0.9, {})),)
    return answer_of(sentences, [ITEM])


def silent() -> Answer:
    return answer_of([], [ITEM])


def scored(answer: Answer, asked: Question | None = None) -> object:
    grades = {ITEM.chunk_id: 3}
    return score_answer(answer, asked or question(), grades, TEXTS, StatementJudge(WordEncoder()))


def test_a_right_answer() -> None:
    score = scored(answered())
    assert score.key_points == 1  # type: ignore[attr-defined]
    assert score.wrong_claims == 0  # type: ignore[attr-defined]
    assert score.citation_precision == score.citation_recall == 1  # type: ignore[attr-defined]
    assert score.ungrounded_numbers == 0  # type: ignore[attr-defined]


def test_a_wrong_claim_is_noticed_and_its_number_has_no_ground() -> None:
    wrong = answered("The tungsten liner of the ring dipole is 9 cm thick.")
    score = scored(wrong)
    assert score.wrong_claims == 1  # type: ignore[attr-defined]
    assert score.key_points == 0  # type: ignore[attr-defined]
    assert ungrounded_numbers(wrong, TEXTS) == 1


def test_a_denied_claim_is_not_made() -> None:
    judge = StatementJudge(WordEncoder())
    claims = ["The tungsten liner is cooled by helium"]
    assert judge.claims_made(claims, "The tungsten liner is cooled by helium.") == [True]
    assert judge.claims_made(claims, "The tungsten liner is not cooled by helium.") == [False]


def test_a_citation_elsewhere_is_not_precise() -> None:
    score = scored(answered(OTHER.text, OTHER))
    assert score.citation_precision == score.citation_recall == 0  # type: ignore[attr-defined]


def test_abstaining_makes_no_point_and_is_not_scored_on_citations() -> None:
    score = scored(silent())
    assert score.key_points == 0  # type: ignore[attr-defined]
    assert score.citation_precision is None  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("statement", "text", "made"),
    [
        ("about 14.8 MV/m", "it reached 14.84 MV/m", True),
        ("about 14.8 MV/m", "it reached 14.95 MV/m", False),
        ("13 fb-1 per year", "a luminosity of 13 fb^-1", True),
        ("540 TeV", "540 GeV", False),
        ("20 minutes (25 °C)", "20 minutes", True),
        ("(25 °C)", "20 minutes", False),
        ("no number", "anything", True),
    ],
)
def test_numbers_are_made_to_the_digits_and_units_written(
    statement: str, text: str, made: bool
) -> None:
    assert numbers_made(statement, text) is made


def test_what_the_question_says_need_not_be_said_again() -> None:
    judge = StatementJudge(WordEncoder())
    point = ["the snapback of the sextupole decays"]
    text = "It decays."
    assert judge.key_points_made(point, text, "Does the snapback of the sextupole decay?") == [True]
    assert judge.key_points_made(point, text, "Is it so?") == [False]


def test_abstentions_are_counted_by_kind() -> None:
    near, far = question(False, "near_miss"), question(False, "off_topic")
    scores = [
        scored(silent(), near), scored(answered(), far), scored(silent()), scored(answered()),
    ]  # fmt: skip
    means = summary(scores)  # type: ignore[arg-type]
    assert means["correct_abstention"] == 0.5
    assert means["correct_abstention_by_kind"] == {"near_miss": 1.0, "off_topic": 0.0}
    assert means["false_abstention"] == 0.5


def test_risk_grows_as_the_threshold_falls_below_what_has_no_answer() -> None:
    def one(confidence: float, answerable: bool, kept_back: bool = False) -> AnswerScore:
        signals = {"kept_back": float(kept_back)}
        answer = replace(answered(), confidence=confidence, signals=signals)
        return score_answer(answer, question(answerable), {}, TEXTS, StatementJudge(WordEncoder()))

    scores = [
        one(0.9, True),
        one(0.8, True),
        one(0.5, False),
        one(0.5, True),
        one(0.7, False, True),
    ]
    curve = risk_coverage(scores)
    assert curve["threshold"] == [0.9, 0.8, 0.5]
    assert curve["coverage"] == [0.2, 0.4, 0.8]
    assert curve["risk"] == [0.0, 0.0, 0.25]
    assert risk_coverage([]) == {"threshold": [], "coverage": [], "risk": []}


def test_the_report_has_every_mode() -> None:
    report = answers_report(
        [question()],
        {"hybrid": lambda _: answered(), "sparse": lambda _: silent()},
        Judge(TEXTS),
        TEXTS,
        StatementJudge(WordEncoder()),
    )
    assert report["modes"]["hybrid"]["key_points"] == 1
    assert report["modes"]["sparse"]["false_abstention"] == 1
    assert report["risk_coverage"]["hybrid"]["coverage"] == [1.0]
    assert set(report["modes"]["hybrid"]) >= {
        "key_points", "citation_precision", "citation_recall", "ungrounded_numbers",
        "correct_abstention", "false_abstention",
    }  # fmt: skip
