"""Meaningful words, names and their stems."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.answering.terms import content_terms, coverage, is_present, names, names_in, stems


def words(text: str) -> list[str]:
    return [term.word for term in content_terms(text)]


def test_question_words_and_numbers_are_no_content() -> None:
    assert words("How much energy is lost at 200 MeV/c in the absorber?") == [
        "energy", "lost", "absorber",
    ]  # fmt: skip


def test_rare_words_weigh_more() -> None:
    weights = {term.stem: term.weight for term in content_terms("the energy of a leptoquark")}
    assert weights["leptoquark"] > weights["energi"] > 0


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("dipole", "several dipoles"),
        ("Nb-Ti", "NbTi coils"),
        ("niobium-tin", "a Nb3Sn cable"),
        ("heat-load", "the load of heat"),
        ("ionisation", "ionization cooling"),
        ("Nb3Sn", "Nb_{3}Sn wire"),
        ("normalised", "the normalized emittance"),
        ("optimisation", "it was optimized"),
        ("analyzed", "we analyse"),
        ("behaviour", "behaviors of films"),
        ("fibre", "scintillating fibers"),
        ("centre-of-mass", "the center of mass"),
        ("modelling", "a modeled beam"),
        ("sulphur", "sulfur hexafluoride"),
    ],
)
def test_one_word_in_several_forms(word: str, text: str) -> None:
    (term,) = content_terms(word)
    assert is_present(term, stems(text))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("precise", "precision"), ("rise", "rises"), ("noise", "noises"), ("hour", "hours"),
        ("filled", "fill"), ("controlled", "control"), ("drilling", "drill"), ("acre", "acres"),
    ],
)  # fmt: skip
def test_words_that_only_look_british_keep_their_stem(one: str, other: str) -> None:
    (term,) = content_terms(f"beryllium {one}")[1:]
    assert is_present(term, stems(other))


@given(st.text(max_size=100), st.text(max_size=100))
def test_coverage_is_a_share(question: str, text: str) -> None:
    share = coverage(content_terms(question), stems(text))
    assert 0 <= share <= 1
    assert coverage(content_terms(question), stems(f"{question} {text}")) == pytest.approx(1)


def test_names_are_acronyms_digit_names_and_capitalised_words() -> None:
    found = names("The BIB at Fermilab and in HL-LHC quadrupoles of Nb3Sn, with QXFs.")
    assert {"BIB", "Fermilab", "Nb3Sn"} <= found
    assert "The" not in found


def test_a_question_after_a_colon_names_nothing_by_its_first_word() -> None:
    assert names("muon collider: What field does it need? Ring, How large is it?") == frozenset()


def test_units_are_no_names() -> None:
    assert names("A beam of 10 TeV and 5 MHz") == frozenset()


def test_a_name_is_found_in_another_spelling() -> None:
    assert names_in("coils of Nb_{3}Sn", "Nb3Sn")
    assert names_in("the bi2212 cable", "Bi-2212")
    assert not names_in("coils of Nb3Al", "Nb3Sn")


@pytest.mark.parametrize(
    ("text", "name", "there"),
    [
        ("wires of Nb_{3}Sn", "Nb3Sn", True),
        ("wires of Nb₃Sn", "Nb3Sn", True),
        ("the FCC-hh ring", "FCC", True),
        ("many LQs", "LQ", True),
        ("Bi 2212 and Bi2212", "Bi-2212", True),
        ("the Q^0 of a cavity", "Q0", True),
        ("at 10TeV", "TeV", True),
        # Letters that only happen to follow one another.
        ("the coil c is long", "ILC", False),
        ("as simple as that", "IMP", False),
        ("from to f", "TOF", False),
        ("the U12 field", "U1", False),
    ],
)
def test_a_name_stands_as_a_word(text: str, name: str, there: bool) -> None:
    assert names_in(text, name) is there


def test_an_accent_beside_its_letter_is_part_of_the_symbol() -> None:
    assert stems("the coupling κ̃_U") == stems("the coupling κ˜_U")


def test_a_name_may_have_its_capital_inside() -> None:
    assert "SppC" in names("The screen of the SppC is cold.")
