"""The weight sweep ends at either index alone, and its plot is small enough for a page."""

from collections.abc import Sequence

import numpy as np
import pytest

from assets.evaluation.judging import Evidence, Judge, Question
from assets.evaluation.metrics import ranking_scores
from assets.evaluation.plots import data_uri, weights_plot
from assets.evaluation.weight_sweep import DEPTH, SHOWN, WEIGHTS, weight_sweep
from assets.retrieval.records import Passage
from assets.retrieval.search import Searcher, SearchIndex
from assets.retrieval.sparse import SparseIndex
from resources.encoder import Vectors
from tests.support.letter_encoder import LetterEncoder

ENCODER = LetterEncoder()
TEXTS = [
    "solenoids of forty tesla cool the muon beam finally",
    "tungsten nozzles shield the detector from decay electrons",
    "the collider ring holds dipoles of sixteen tesla and more",
    "higgs bosons come from fusion of two vector bosons here",
]


def question(number: int, words: str, answerable: bool = True) -> Question:
    evidence = (Evidence("p", TEXTS[number], 3),) if answerable else ()
    return Question(f"q{number}", words, "retrieval", "", answerable, evidence, {})


QUESTIONS = [
    question(1, "what shields against decay"),
    question(2, "dipoles in the ring"),
    question(3, "how many monopoles", answerable=False),
]


@pytest.fixture(scope="module")
def searcher() -> Searcher:
    passages = [
        Passage(f"c{row}", "p", row, "", (str(row),), "paragraph", 1, 1, text)
        for row, text in enumerate(TEXTS)
    ]
    sparse = SparseIndex.build([one.chunk_id for one in passages], TEXTS)
    return Searcher(SearchIndex(passages, ENCODER.encode(TEXTS), sparse, ENCODER.id), ENCODER)


@pytest.fixture
def judge(searcher: Searcher) -> Judge:
    return Judge({one.chunk_id: (one.paper_id, one.text) for one in searcher.index.passages})


def test_the_ends_are_the_two_indexes_alone(searcher: Searcher, judge: Judge) -> None:
    sweep = weight_sweep(QUESTIONS, judge, searcher)
    assert (sweep["n"], sweep["weights"]) == (2, list(WEIGHTS))
    assert (WEIGHTS[0], WEIGHTS[-1]) == (0, 1)
    for place, mode in ((0, "sparse"), (-1, "dense")):
        for name in SHOWN:
            alone = [
                ranking_scores(
                    [hit.chunk_id for hit in searcher.search(one.question, mode, DEPTH)],
                    judge.grades(one),
                )[name]
                for one in QUESTIONS[:2]
            ]
            assert sweep["modes"]["paper"][name][place] == pytest.approx(np.mean(alone), abs=1e-4)


def test_a_question_is_embedded_once(searcher: Searcher, judge: Judge) -> None:
    counting = LetterEncoder()
    asked: list[str] = []

    def encode_queries(texts: Sequence[str]) -> Vectors:
        asked.extend(texts)
        return counting.encode(texts)

    counting.encode_queries = encode_queries  # type: ignore[method-assign]
    weight_sweep(QUESTIONS, judge, Searcher(searcher.index, counting))
    assert sorted(asked) == sorted({one.question for one in QUESTIONS[:2]})


def test_nothing_to_ask_gives_no_scores(searcher: Searcher, judge: Judge) -> None:
    sweep = weight_sweep(QUESTIONS[2:], judge, searcher)
    assert sweep["n"] == 0
    assert set(sweep["modes"]["hybrid"]["MRR"]) == {0.0}


def test_the_plot_is_a_png_of_its_own_address(searcher: Searcher, judge: Judge) -> None:
    plot = weights_plot(weight_sweep(QUESTIONS, judge, searcher), 0.9)
    assert plot.startswith(b"\x89PNG")
    assert len(data_uri(plot)) < 200_000
