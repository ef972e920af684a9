"""The finite verb and the subject of a sentence, and the statements it holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.factuality.clauses import split_clauses
from assets.factuality.grammar import (
    has_finite_verb,
    main_verb,
    subject_span,
    tokenize,
)


def statements(sentence: str) -> list[str]:
    return [clause.text(sentence).rstrip(".") for clause in split_clauses(sentence)]


@pytest.mark.parametrize(
    ("sentence", "verb", "subject"),
    [
        ("The coil was wound in 2019.", "was", "The coil"),
        ("The coil wound in 2019 was tested.", "was", "The coil wound in 2019"),
        ("The system contained a total of 26 coils.", "contained", "The system"),
        ("In 1911, Onnes discovered the effect.", "discovered", "Onnes"),
        ("Magnets that are used in rings have margins.", "have", "Magnets that are used in rings"),
        ("When the field is low, the loss rises.", "rises", "the loss"),
        ("The data show the same trend.", "show", "The data"),
        ("The test results show that it works.", "show", "The test results"),
        ("Because of the losses, the cavity quenched a second time.", "quenched", "the cavity"),
        ("The beam screen (made of W) represents the core.", "represents", None),
        ("The field at which it can stably operate drops to 6 MV/m.", "drops", None),
    ],
)
def test_the_main_verb_is_found_behind_participles_and_subordinate_clauses(sentence, verb, subject):
    tokens = tokenize(sentence)
    found = main_verb(tokens)
    assert tokens[found].word == verb
    if subject is not None:
        first, last = subject_span(tokens, found)
        assert sentence[tokens[first].start : tokens[last - 1].end] == subject


@pytest.mark.parametrize(
    "text",
    [
        "Critical surfaces of NbTi and Nb3Sn",
        "Parameters of the ring",
        "Effect of the (is) shielding",
    ],
)
def test_what_has_no_finite_verb_has_no_main_verb(text):
    assert main_verb(tokenize(text)) is None
    assert not has_finite_verb(tokenize(text), certainly=False)


def test_a_participle_is_a_verb_only_where_certainty_is_not_asked():
    tokens = tokenize("Orders of great size sustained over many years.")
    assert has_finite_verb(tokens, certainly=False)
    assert not has_finite_verb(tokens, certainly=True)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "T-15 produced its first plasma in 1988, and it was shut down in 1995.",
            ["T-15 produced its first plasma in 1988", "T-15 was shut down in 1995"],
        ),
        (
            "The ring is 4 km long and has a bore of 15 cm.",
            ["The ring is 4 km long", "The ring has a bore of 15 cm"],
        ),
        (
            "The coil was impregnated with epoxy resin and tested at 4.2 K.",
            ["The coil was impregnated with epoxy resin", "The coil was tested at 4.2 K"],
        ),
        (
            "The first coil is short; the second coil is longer by 2 m.",
            ["The first coil is short", "the second coil is longer by 2 m"],
        ),
        (
            "Whereas pure resin performed well, the mixed resin had a higher strength.",
            ["pure resin performed well", "the mixed resin had a higher strength"],
        ),
        (
            "The pair had a major radius of 2.5 m and a minor radius of 0.75 m.",
            ["The pair had a major radius of 2.5 m", "The pair had a minor radius of 0.75 m"],
        ),
        (
            "The magnets use the toroid, which was built by KEK in 2006.",
            ["The magnets use the toroid", "the toroid was built by KEK in 2006"],
        ),
        (
            "The toroid, which was built by KEK in 2006, was cooled to 4 K.",
            ["The toroid was cooled to 4 K", "The toroid was built by KEK in 2006"],
        ),
    ],
)
def test_a_sentence_comes_apart_at_its_joints(sentence, expected):
    assert statements(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "Magnets, coils and wires are used in the ring.",
        "The model shows that the field is high and the loss is low.",
        "The field rises, which reduces the cost of the plant.",
        "The cryostat was designed and procured to hold the cavity.",
        "The radius of the coil and the height of the yoke are large.",
    ],
)
def test_what_is_one_statement_stays_one(sentence):
    assert len(statements(sentence)) == 1


WORDS = st.sampled_from(
    "the coil , and is was which has of 5 T ; while it they wound tested in ( ) field : but".split()
)


@given(st.lists(WORDS, max_size=40).map(" ".join))
def test_every_part_of_a_statement_stands_in_its_sentence(sentence):
    for clause in split_clauses(sentence):
        assert all(0 <= start <= end <= len(sentence) for start, end in clause.parts)
        assert clause.start <= clause.end
