"""Context, duplicates and the cross-encoder's part."""

from collections.abc import Sequence

import numpy as np
import pytest

from assets.retrieval.records import Passage
from assets.retrieval.rerank import cross_encoded, distinct, in_context
from assets.retrieval.views import clauses


def passage(key: str, paper: str, section: str, text: str = "") -> Passage:
    return Passage(key, paper, 0, "t", (section,), "paragraph", 1, 1, text or key)


PASSAGES = [
    passage("a", "p1", "s1"),
    passage("b", "p1", "s1"),
    passage("c", "p1", "s2"),
    passage("d", "p2", "s1"),
]
ROWS = np.array([0, 3, 1, 2])
SCORES = np.array([4, 3, 2, 1], dtype=np.float32)


def test_section_and_paper_are_added_by_hand() -> None:
    moved = in_context(ROWS, SCORES, PASSAGES, section_weight=0.5, paper_weight=0.3)
    p1 = 0.3 * (4 + 2 + 1) / 3
    p2 = 0.3 * (3 + 1 + 1) / 3  # one candidate; the last candidate's score for each lacking
    assert moved.tolist() == pytest.approx(
        [4 + 0.5 * 4 + p1, 3 + 0.5 * 3 + p2, 2 + 0.5 * 4 + p1, 1 + 0.5 * 1 + p1]
    )


def test_without_weights_nothing_moves() -> None:
    assert in_context(ROWS, SCORES, PASSAGES, 0, 0).tolist() == SCORES.tolist()
    none = np.empty(0, dtype=np.int64)
    assert len(in_context(none, SCORES[:0], PASSAGES, 0.5, 0.5)) == 0


SENTENCE = "the tungsten nozzle shields the detector from electrons of muon decays near the point"


def test_a_passage_that_repeats_a_better_one_is_left_out() -> None:
    passages = [
        passage("a", "p1", "s", SENTENCE),
        passage("b", "p2", "s", SENTENCE.replace("near the point", "near the  point")),
        passage("c", "p3", "s", "something else altogether about magnets in a ring"),
    ]
    assert distinct(np.array([1, 0, 2]), passages, 5).tolist() == [1, 2]


def test_an_overlapping_passage_stays() -> None:
    half = " ".join(SENTENCE.split()[7:])
    passages = [
        passage("a", "p1", "s", SENTENCE),
        passage("b", "p1", "s", f"{half} and then it goes on with other things"),
        passage("c", "p1", "s", "word"),
        passage("d", "p2", "s", "word"),
    ]
    assert distinct(np.array([0, 1, 2, 3]), passages, 5).tolist() == [0, 1, 2, 3]


def test_no_more_than_asked_for() -> None:
    assert distinct(ROWS, PASSAGES, 2).tolist() == [0, 3]


class Likes:
    """A cross-encoder that prefers one passage."""

    id = "likes"

    def __init__(self, key: str) -> None:
        self.key = key
        self.read: list[str] = []

    def score(self, query: str, texts: Sequence[str]) -> np.ndarray:
        self.read += texts
        return np.array([9.0 if text == self.key else 0.0 for text in texts], dtype=np.float32)


def test_a_cross_encoder_reads_the_first_and_keeps_them_first() -> None:
    reranker = Likes("d")
    merged = cross_encoded("q", ROWS, SCORES, PASSAGES, reranker, depth=3)
    assert reranker.read == ["a", "d", "b"]
    order = ROWS[np.argsort(-merged)].tolist()
    assert order[0] == 3
    assert order[3] == 2


def test_one_candidate_needs_no_cross_encoder() -> None:
    reranker = Likes("a")
    assert cross_encoded("q", ROWS[:1], SCORES[:1], PASSAGES, reranker, 8).tolist() == [4]
    assert reranker.read == []


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("What field do the dipoles reach?", []),
        (
            "At a 3 TeV muon collider, what is the main background, and how large is it?",
            ["At a 3 TeV muon collider", "what is the main background", "how large is it"],
        ),
        (
            "Why is the dose in the coils higher than in the first design of the screen?",
            ["Why is the dose in the coils higher", "in the first design of the screen"],
        ),
        ("  ", []),
    ],
)
def test_a_question_comes_apart_at_its_clauses(question: str, parts: list[str]) -> None:
    assert clauses(question) == parts
