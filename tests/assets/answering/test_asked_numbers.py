"""Which numbers a question asks for, and which of a text fit."""

import pytest

from assets.answering.asked_numbers import (
    asked_dimensions,
    asks_a_number,
    fitting_quantities,
    measured_by,
)


@pytest.mark.parametrize(
    ("question", "dimension"),
    [
        ("At what temperature is the liner cooled?", (("K", 1),)),
        ("How thick is the absorber?", (("m", 1),)),
        ("What current density is used?", (("A", 1), ("m", -2))),
        ("How large is the cross section?", (("b", 1),)),
        ("What price is quoted?", (("$", 1),)),
        ("What is the half-life of the isotope?", (("s", 1),)),
        ("What is the circumference of the ring?", (("m", 1),)),
        ("How precisely could the coupling be measured?", (("%", 1),)),
    ],
)
def test_what_a_question_wants_measured(question: str, dimension: tuple[object, ...]) -> None:
    assert dimension in asked_dimensions(question)


@pytest.mark.parametrize(
    ("question", "dimensions"),
    [
        ("How thick is the liner at a temperature of 4 K?", {(("m", 1),)}),
        ("At what field, and over which length, was it tested?", {(("T", 1),)}),
        ("What efficiency has the tagger at an energy of 3 GeV?", {(("%", 1),)}),
        ("Why does the field fall at a temperature of 4 K?", set()),
        ("How long is the ring?", {(("m", 1),), (("s", 1),)}),
        ("How large is the field of the ring?", {(("T", 1),)}),
        ("How large can the ring be?", set()),
    ],
)
def test_a_number_is_of_what_the_question_begins_with(
    question: str, dimensions: set[tuple[tuple[str, int], ...]]
) -> None:
    measured = measured_by(question)
    assert dimensions <= measured
    assert bool(measured) == bool(dimensions)
    assert (("K", 1),) not in measured


def test_a_question_why_wants_no_number() -> None:
    question = "Why is the field of the dipole limited?"
    assert not asks_a_number(question)
    assert asked_dimensions(question) == frozenset()


def test_fitting_quantities_measure_what_is_wanted() -> None:
    wanted = asked_dimensions("At what temperature is the liner cooled?")
    found = list(fitting_quantities("The 4.1-cm liner is cooled at 60-80 K.", wanted))
    assert [quantity.value for quantity in found] == [60, 80]


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("What did the experiment demonstrate?", False),
        ("What is ionisation cooling?", False),
        ("Which of the rings was built?", False),
        ("What beam size was measured?", True),
        ("What Q0 is reached?", True),
        ("Which Tc does the film have?", True),
        ("How thick is the liner?", True),
    ],
)
def test_a_short_word_after_what_asks_for_no_number(question: str, number: bool) -> None:
    assert asks_a_number(question) is number
