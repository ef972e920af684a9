"""Scores of search modes side by side."""

import pytest

from assets.evaluation.judging import Evidence, Judge, Question
from assets.evaluation.retrieval import averaged, retrieval_report
from assets.retrieval.records import Hit

TEXTS = {
    "a1": ("pa", "the tungsten nozzle shields the detector"),
    "a2": ("pa", "nothing of interest stands here"),
    "b1": ("pb", "muons are cooled in liquid hydrogen absorbers"),
}
PAPERS = {key: paper for key, (paper, _) in TEXTS.items()}


def question(number: int, quote: str, answerable: bool = True) -> Question:
    evidence = (Evidence("", quote, 3),) if answerable else ()
    return Question(f"q{number}", quote, "", "reasoning", answerable, evidence, {})


def search(*ids: str):
    hits = [
        Hit(rank, 1.0 / rank, key, PAPERS[key], "", (), "paragraph", 1, 1, "", "")
        for rank, key in enumerate(ids, 1)
    ]
    return lambda _question, k: hits[:k]


QUESTIONS = [
    question(1, "tungsten nozzle shields the detector"),
    question(2, "cooled in liquid hydrogen absorbers"),
    question(3, "what is the price of tea", answerable=False),
]


@pytest.fixture
def report() -> dict:
    searches = {"good": search("a1", "b1", "a2"), "poor": search("a2", "b1")}
    return retrieval_report(QUESTIONS, searches, Judge(TEXTS), PAPERS, "good", "r1")


def test_only_answerable_questions_count(report: dict) -> None:
    assert (report["n"], report["release"], report["default_mode"]) == (2, "r1", "good")
    assert report["judge"] == "built-in"
    assert report["nothing_to_find"] == []


def test_chunk_level_by_hand(report: dict) -> None:
    good, poor = report["modes"]["good"]["chunk"], report["modes"]["poor"]["chunk"]
    assert (good["P@1"], good["MRR"], good["Recall@5"]) == (0.5, 0.75, 1.0)
    assert (poor["P@1"], poor["MRR"], poor["Recall@5"]) == (0.0, 0.25, 0.5)


def test_a_paper_is_found_by_any_of_its_chunks(report: dict) -> None:
    assert report["modes"]["poor"]["paper"]["P@1"] == 0.5
    assert report["modes"]["poor"]["paper"]["MRR"] == 0.75


def test_every_other_mode_is_compared_with_the_default(report: dict) -> None:
    assert list(report["against_default"]) == ["poor"]
    assert report["against_default"]["poor"]["MRR"]["mean"] == pytest.approx(0.5)


def test_questions_whose_passages_the_corpus_lacks_are_named() -> None:
    lost = [question(7, "a sentence that no passage of this corpus holds")]
    report = retrieval_report(lost, {"m": search("a1")}, Judge(TEXTS), PAPERS, "m", "r")
    assert report["nothing_to_find"] == ["q7"]
    assert report["modes"]["m"]["chunk"]["MRR"] == 0


def test_progress_sees_every_answerable_question() -> None:
    seen = []

    def told(items):
        for item in items:
            seen.append(item.id)
            yield item

    retrieval_report(QUESTIONS, {"m": search("a1")}, Judge(TEXTS), PAPERS, "m", "r", progress=told)
    assert seen == ["q1", "q2"]


def test_no_questions_give_no_averages() -> None:
    assert averaged([]) == {}
    assert retrieval_report([], {}, Judge(TEXTS), PAPERS, "m", "r")["n"] == 0
