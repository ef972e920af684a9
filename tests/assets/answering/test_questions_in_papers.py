"""A question that a paper asks, as a run-in heading or in its prose, answers nothing."""

import pytest

from assets.answering.reading import read
from tests.support.answering import WordEncoder, evidence, plan

QUESTION = "How thick is the tungsten liner of the ring dipole?"


@pytest.mark.parametrize("asked", [QUESTION, f"“{QUESTION}”", f"({QUESTION})"])
def test_a_question_is_never_read_as_an_answer(asked: str) -> None:
    text = f"{asked} The tungsten liner of the ring dipole is 4.1 cm thick."
    read_ones = read(plan(QUESTION), [evidence(text)], WordEncoder()).sentences
    assert [one.text for one in read_ones] == [
        "The tungsten liner of the ring dipole is 4.1 cm thick."
    ]
