"""What an opening pronoun stands for, or that nothing tells."""

import pytest

from assets.factuality.anaphora import Antecedents, antecedents, resolve

NOTHING = Antecedents()


def after(sentence: str, statement: str) -> str | None:
    return resolve(statement, antecedents(sentence, NOTHING))


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "The T-15 tokamak had two coils.",
            "It was shut down in 1995.",
            "The T-15 tokamak was shut down in 1995.",
        ),
        (
            "Muons from the arcs – of all energies – fill the hall.",
            "They are produced by photons.",
            "Muons from the arcs are produced by photons.",
        ),
        (
            "The T-15 tokamak had two coils.",
            "In 1995 it was shut down.",
            "In 1995 the T-15 tokamak was shut down.",
        ),
        (
            "The magnets have long coils.",
            "Their yoke is made of iron.",
            "The magnets' yoke is made of iron.",
        ),
        (
            "We tested the short model magnet in March.",
            "This magnet reached 11 T.",
            "The short model magnet reached 11 T.",
        ),
        (
            "Windings are subjected to strong electromagnetic forces.",
            "The latter arise from large currents.",
            "Strong electromagnetic forces arise from large currents.",
        ),
        (
            "The cables are sensitive to strain.",
            "This requires stress management.",
            "The cables are sensitive to strain, which requires stress management.",
        ),
        ("A ring was built.", "This large ring has 8 arcs.", "The large ring has 8 arcs."),
    ],
)
def test_a_reference_with_one_reading_is_replaced(sentence, statement, expected):
    assert after(sentence, statement) == expected


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("The magnets have long coils.", "It was shut down in 1995."),
        ("The T-15 tokamak had two coils.", "They were shut down in 1995."),
        ("Nothing came of it.", "This approach is cheap."),
        ("Nothing came of it.", "Such magnets are cheap."),
        ("Nothing came of it.", "These are cheap magnets."),
        ("Nothing came of it.", "The former is cheap."),
        ("Nothing came of it.", "He built it in 1995."),
    ],
)
def test_a_reference_without_a_reading_is_refused(sentence, statement):
    assert after(sentence, statement) is None


@pytest.mark.parametrize(
    "statement",
    [
        "It is clear that the field is 5 T.",
        "It would therefore seem that the field is 5 T.",
        "It has not yet been measured whether the field is 5 T.",
        "Both coils have a radius of 2 m.",
        "The coil has a radius of 2 m.",
    ],
)
def test_what_refers_to_nothing_stays(statement):
    assert resolve(statement, NOTHING) == statement


def test_a_pronoun_hands_on_what_it_stood_for():
    known = antecedents("The T-15 tokamak had two coils.", NOTHING)
    known = antecedents("It produced a plasma in 1988.", known)
    assert resolve("It was shut down in 1995.", known) == "The T-15 tokamak was shut down in 1995."


def test_a_long_statement_is_not_joined_to_this():
    long = "The coil " + "and its very long yoke " * 8 + "is strong."
    assert after(long, "This requires stress management.") is None
