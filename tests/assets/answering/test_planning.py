"""Plans: the embedded planner's, and any plan held to the rules."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.answering import embedded_planner
from assets.answering.embedded_planner import classify, expand_acronyms, subqueries_of
from assets.answering.planning import check_subqueries, check_tags, make_plan, question_alone
from assets.answering.records import AnswerSettings, QuestionType
from resources.errors import Permanent
from tests.support.answering import SmallProfile, WordEncoder

QUESTION = "How much energy does the BIB bring into the detector, and which particles carry it?"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the aperture of the arc dipole?", "precise_fact"),
        ("At what temperature is the absorber cooled?", "precise_fact"),
        ("Which laboratory built the cavity?", "precise_fact"),
        ("How many bunches circulate in the ring?", "precise_fact"),
        ("Why is the decay of muons a problem for the magnets?", "reasoning"),
        ("How much power is lost, and why?", "reasoning"),
        ("How can neutrino radiation be reduced?", "reasoning"),
        ("Is it the heat load or the dose that limits the absorber?", "reasoning"),
        ("Which techniques are used to cool muon beams?", "broad_synthesis"),
        ("How do the designs at 3 and 10 TeV compare?", "broad_synthesis"),
        ("Compare Nb3Sn and HTS dipoles for the ring.", "broad_synthesis"),
        ("What is the difference between a helical and a rectilinear channel?", "broad_synthesis"),
        ("Summarize what is known about muon production targets.", "broad_synthesis"),
        (
            "Solenoids or quadrupoles for capture: what are the advantages of each?",
            "broad_synthesis",
        ),
        ("Explain in simple terms how a muon is cooled.", "paraphrase"),
        ("Rephrase the result on the Higgs width.", "paraphrase"),
    ],
)
def test_types_by_the_documented_rules(question: str, expected: str) -> None:
    assert classify(question) == QuestionType(expected)


def test_subqueries_are_the_clauses_and_the_acronyms_written_out() -> None:
    made = subqueries_of(QUESTION, SmallProfile.acronyms)
    assert any("beam-induced background" in one for one in made)
    assert any(one.startswith("How much energy does the BIB bring") for one in made)
    particles = next(one for one in made if one.startswith("which particles carry it"))
    assert "energy" in particles
    assert "detector" in particles


def test_an_enumeration_is_asked_for_one_by_one() -> None:
    made = subqueries_of("How much stress do Nb3Sn, Bi-2212 and REBCO coils stand?", {})
    assert "How much stress do Bi-2212 coils stand?" in made


def test_acronyms_are_replaced_as_whole_words_only() -> None:
    known = {"BIB": "beam-induced background"}
    assert expand_acronyms("the BIB and the BIBLE", known).endswith("and the BIBLE")
    assert expand_acronyms("beam-induced background (BIB)", known).endswith("(BIB)")


@given(st.text(max_size=200))
def test_the_embedded_planner_takes_any_question(question: str) -> None:
    classify(question)
    for subquery in subqueries_of(question, SmallProfile.acronyms):
        assert isinstance(subquery, str)


@pytest.mark.parametrize(
    ("subquery", "why"),
    [
        ("energy of 750 GeV background", "number"),
        ("background in arXiv:2203.10431", "does not name"),
        ('the paper "A Muon Collider for Everyone"', "quotes a title"),
        ("the paper “A Muon Collider for Everyone”", "quotes a title"),
        ("", "empty"),
        ("?!", "empty"),
        ("muon collider physics overview", "generic"),
        ("introduction and background", "generic"),
        ("which particles carry the BIB energy into the detector, how much it brings", "repeats"),
        ("particle " * 100, "too long"),
    ],
)
def test_subqueries_that_break_a_rule_are_rejected(subquery: str, why: str) -> None:
    kept, notes = check_subqueries(QUESTION, [subquery], 5)
    assert kept == (QUESTION,)
    assert len(notes) == 1
    assert why in notes[0]


@pytest.mark.parametrize(
    ("question", "subquery"),
    [
        ("What is reached at 10^34 cm^-2 s^-1?", "detector occupancy at 1e34 cm⁻²s⁻¹"),
        ("What does arXiv:2203.10431 say of optics?", "lattice optics in 2203.10431"),
        (QUESTION, "shielding nozzles of tungsten"),
        (QUESTION, "Nb3Sn quadrupoles under decay electrons"),
    ],
)
def test_subqueries_within_the_rules_are_kept(question: str, subquery: str) -> None:
    assert check_subqueries(question, [subquery], 5) == ((question, subquery), [])


@given(st.lists(st.text(max_size=60), max_size=12), st.integers(0, 5))
def test_the_question_comes_first_and_the_limit_holds(proposed: list[str], most: int) -> None:
    kept, _ = check_subqueries(QUESTION, proposed, most)
    assert kept[0] == QUESTION
    assert len(kept) <= 1 + most
    assert len(set(kept)) == len(kept)


def test_tags_are_a_closed_vocabulary_and_general_stands_alone() -> None:
    tags, notes = check_tags(["Machine", "general", "astrology", "machine"], SmallProfile.tags)
    assert tags == ("machine",)
    assert any("astrology" in note for note in notes)
    assert check_tags([], SmallProfile.tags)[0] == ("general",)
    assert check_tags(["general"], SmallProfile.tags)[0] == ("general",)


def test_the_embedded_plan() -> None:
    plan = make_plan(QUESTION, SmallProfile(), WordEncoder(), None, AnswerSettings())
    assert plan.planner == embedded_planner.NAME
    assert plan.subqueries[0] == QUESTION
    assert plan.type is QuestionType.PRECISE_FACT
    assert len(plan.subqueries) <= 3
    assert set(plan.tags) <= set(SmallProfile.tags)


class Model:
    """Stands where a language model does; gives a value or raises."""

    name = "scripted/model"

    def __init__(self, give: Callable[[], Any]) -> None:
        self._give = give

    def generate(self, *_: object) -> Any:
        return self._give()


class Value:
    def __init__(self, **fields: Any) -> None:
        self.value = type("Plan", (), fields)()
        self.cached = True


def planned(give: Callable[[], Any]) -> Any:
    return make_plan(QUESTION, SmallProfile(), WordEncoder(), Model(give), AnswerSettings())  # type: ignore[arg-type]


def test_a_models_plan_is_held_to_the_rules() -> None:
    plan = planned(
        lambda: Value(
            tags=["detector", "nonsense"],
            type=QuestionType.PRECISE_FACT,
            subqueries=["tungsten nozzles", "energy of 99 TeV", "photon flux", "neutron flux"],
        )
    )
    assert plan.tags == ("detector",)
    assert plan.subqueries == (QUESTION, "tungsten nozzles", "photon flux")
    assert any("99 TeV" in note for note in plan.notes)
    assert any("at most 2" in note for note in plan.notes)


def test_a_malformed_plan_degrades_to_the_question_alone_and_says_so() -> None:
    def fail() -> Any:
        raise Permanent("not the schema")

    plan = planned(fail)
    assert plan.subqueries == (QUESTION,)
    assert "not the schema" in plan.notes[0]


def test_without_an_agent_the_question_is_the_plan() -> None:
    plan = question_alone(QUESTION, "no planner (dense)")
    assert plan.subqueries == (QUESTION,)
    assert plan.notes == ()
