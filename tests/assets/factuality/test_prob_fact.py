"""The features of a statement, and the score made of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.factuality.features import FEATURES, measure
from assets.factuality.prob_fact import COEFFICIENTS, HIGHEST, INTERCEPT, LOWEST, prob_fact


@pytest.mark.parametrize(
    ("feature", "present", "absent"),
    [
        ("quantity", "The field is 5.5 T.", "The field is high."),
        ("quantity", "The luminosity is 2×10^34 cm^-2 s^-1.", "The MARS15 code is used."),
        ("quantity", "It fell by ~30% at once.", "The HL-LHC ring is old."),
        ("number", "Plasma came in 1988.", "Plasma came in the B4C test."),
        ("name", "The ring is at CERN.", "The ring is at home."),
        ("name", "It is made of Nb3Sn.", "It is made of steel."),
        ("condition", "It holds at 4.2 K.", "It holds."),
        ("condition", "It holds when the field is low.", "It holds everywhere."),
        ("reference", "It is higher than in bulk Nb.", "It is higher."),
        ("event", "The coil was tested.", "The coil is round."),
        ("hedge", "It may degrade.", "It degrades."),
        ("vagueness", "It degrades significantly.", "It degrades."),
        ("judgement", "It is an important issue.", "It is a round coil."),
    ],
)
def test_a_feature_is_where_a_reader_sees_it(feature, present, absent):
    assert measure(present)[feature] > 0
    assert measure(absent)[feature] == 0


def test_the_model_has_one_coefficient_a_feature_with_the_sign_its_name_says():
    assert set(COEFFICIENTS) == set(FEATURES)
    lowering = {"hedge", "vagueness", "judgement"}
    assert all((weight < 0) == (name in lowering) for name, weight in COEFFICIENTS.items())


def test_the_score_is_the_clipped_sum():
    statement = "The coil may degrade."
    assert prob_fact(statement) == round(INTERCEPT + COEFFICIENTS["hedge"], 2)


def test_the_ends_of_the_scale_are_ordered():
    exact = "A Nb3Sn cavity reached a quality factor of 5.3×10^5 at 3.9 GHz, 6 T and 4.2 K."
    plain = "The coil is wound from a flat cable."
    opinion = "Better magnets may well be one of the most important and promising options."
    assert prob_fact(exact) > prob_fact(plain) > prob_fact(opinion)
    assert prob_fact(exact) >= 0.8
    assert prob_fact(opinion) <= 0.35


@given(st.text())
def test_the_score_stays_on_the_scale(text):
    assert LOWEST <= prob_fact(text) <= HIGHEST
    assert all(0 <= value <= 2 for value in measure(text).values())
