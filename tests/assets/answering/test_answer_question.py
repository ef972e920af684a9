"""The whole flow with the embedded parts: answers, abstentions, disagreements, and their record."""

import json
from collections.abc import Mapping
from itertools import count
from typing import Any

import pytest

from assets.answering.abstention import SIGNALS, confidence, plainly_missing
from assets.answering.answer_question import ORACLE, answer_from, answer_question
from assets.answering.disagreement import disagreements
from assets.answering.reading import read
from assets.answering.records import Answer, AnswerSettings
from assets.retrieval.records import Mode, Passage
from resources.errors import UsageError
from tests.support.answering import (
    ListSearcher,
    SmallProfile,
    WordEncoder,
    evidence,
    hit,
    passage,
    plan,
)

LINER = "The tungsten liner of the ring dipole is 4.1 cm thick and is cooled at 60 K."
PASSAGES = [
    passage("a1", f"{LINER} The ring dipole has a field of 8 T.", "2001.00001", page=4),
    passage("b1", "Photons leave the nozzle in large numbers every turn.", "2002.00002"),
]
QUESTION = "How thick is the tungsten liner of the ring dipole?"
OPEN = AnswerSettings(abstain_below=0.0)


def asked(
    question: str = QUESTION,
    passages: list[Passage] = PASSAGES,
    settings: AnswerSettings = OPEN,
    mode: Mode = Mode.AGENTIC,
    **options: Any,
) -> Answer:
    searcher = ListSearcher(passages, WordEncoder())
    return answer_question(question, mode, searcher, SmallProfile(), None, settings, **options)


@pytest.mark.parametrize("mode", [Mode.AGENTIC, Mode.HYBRID, Mode.DENSE, Mode.SPARSE])
def test_an_answer_cites_passage_page_and_words(mode: Mode) -> None:
    answer = asked(mode=mode)
    assert not answer.abstained
    assert "4.1 cm" in answer.text
    citation = answer.sentences[0].citations[0]
    assert (citation.chunk_id, citation.paper_id, citation.page) == ("a1", "2001.00001", 4)
    assert citation.quote in PASSAGES[0].text
    assert citation.key in {item.key for item in answer.evidence}
    assert all(sentence.verdict.grounded for sentence in answer.sentences)


def test_only_the_agent_plans() -> None:
    assert len(asked("What is the field, and how thick is the liner?").plan.subqueries) > 1
    assert asked(mode=Mode.DENSE).plan.subqueries == (QUESTION,)


def test_steps_are_told_and_timed() -> None:
    told: list[str] = []
    ticks = count()

    def on_step(name: str, _: Mapping[str, Any]) -> None:
        told.append(name)

    answer = asked(on_step=on_step, clock=lambda: float(next(ticks)))
    assert told == ["plan", "evidence", "reading", "writing"]
    assert answer.timings == dict.fromkeys(told, 1.0)


def test_the_record_is_plain_json_and_its_id_is_stable() -> None:
    first, second = asked(release="r1"), asked(release="r1")
    row = json.loads(json.dumps(first.as_row()))
    assert first.answer_id == second.answer_id != asked(release="r2").answer_id
    assert row["plan"]["type"] == "precise_fact"
    assert row["tokens"] == {"input": 0, "output": 0, "calls": 0, "cached_calls": 0}
    assert row["cost_usd"] == 0
    assert row["sentences"][0]["citations"][0]["page"] == 4


def test_what_is_too_far_off_is_not_answered() -> None:
    answer = asked("Why do vaccines raise antibodies?", settings=AnswerSettings())
    assert answer.abstained
    assert answer.sentences == ()
    assert "antibodies" in answer.reason or "vaccines" in answer.reason


def test_an_abstention_offers_what_the_corpus_does_say() -> None:
    answer = asked("How thick, in mSv, is the tungsten liner of the ring dipole?")
    assert answer.abstained
    assert "mSv" in answer.reason
    assert any("tungsten liner" in miss.text for miss in answer.near_misses)
    assert all(miss.citation.page for miss in answer.near_misses)


def test_an_empty_release_abstains_in_words() -> None:
    answer = asked(passages=[])
    assert answer.abstained
    assert answer.reason


@pytest.mark.parametrize("question", ["", "   ", "?!", "x" * 20_001])
def test_a_question_that_cannot_be_searched_for_is_refused(question: str) -> None:
    with pytest.raises(UsageError):
        asked(question)


def test_passages_handed_over_are_answered_from_alone() -> None:
    searcher = ListSearcher(PASSAGES, WordEncoder())
    answer = answer_from(QUESTION, [hit(PASSAGES[0])], searcher, None)
    assert answer.mode == ORACLE
    assert {item.chunk_id for item in answer.evidence} == {"a1"}
    assert not answer.abstained
    assert answer_from(QUESTION, [], searcher, None).abstained


@pytest.mark.parametrize(
    ("question", "what"),
    [
        ("What dose, in mSv, does the liner of the dipole see?", "mSv"),
        ("What does CRISPR do to the NMC811 cell?", "CRISPR"),
        ("At what temperature does the nozzle of the ring stand?", "figure"),
        ("How can antineutrons be tagged in a ring?", "antineutrons"),
        ("How do hydrothermal antineutrons tag pions at a nozzle?", "hydrothermal"),
    ],
)
def test_what_is_plainly_missing_is_named(question: str, what: str) -> None:
    pool = [evidence("Photons leave the nozzle of the ring in large numbers every turn.")]
    made = plan(question)
    assert what in plainly_missing(made, read(made, pool, WordEncoder()), pool)


def test_what_is_there_is_not_plainly_missing() -> None:
    pool = [evidence(LINER)]
    made = plan(QUESTION)
    assert plainly_missing(made, read(made, pool, WordEncoder()), pool) == ""


FOR_ANOTHER = (
    "The beam screen of the ALBA-hh ring works at a temperature of 45 K. "
    "The OMEGA-pp ring is a similar machine that is studied elsewhere."
)


@pytest.mark.parametrize(
    ("question", "text", "what"),
    [
        # The figure is another machine's.
        ("At what temperature will the beam screen of OMEGA-pp work?", FOR_ANOTHER, "OMEGA"),
        ("At what temperature will the beam screen of NbX2 work?", FOR_ANOTHER, "NbX2"),
        # The names never stand together.
        (
            "What current has a VXA cable of MgX2 at 4 K?",
            "A VXA cable has a current of 9 kA. It is long. It is thin. It was wound twice. "
            "Wires of MgX2 are cheap.",
            "together",
        ),
        # A length, but not of what is asked.
        (
            "What transverse beam size was measured at the absorber?",
            "The absorber vessel has a length of 35 cm and a window of 0.2 mm.",
            "transverse beam size",
        ),
        # The figure is of a machine of another energy, or of none.
        (
            "What is the circumference of the 3 TeV ring?",
            "The proton machine has two magnet rings of 3.8 km in circumference.",
            "3 TeV",
        ),
        (
            "What is the circumference of the 3 TeV ring?",
            "The 10 TeV ring has a circumference of 10 km.",
            "3 TeV",
        ),
        # A name of several words that nothing has.
        (
            "What is the highest energy of the Fermilab Main Injector?",
            "The highest energy of the injector at Fermilab is 8 GeV, its main use is another.",
            "Main Injector",
        ),
        # Numbers asked for in so many words, of no kind that is there.
        (
            "How do the luminosities of both rings compare in numbers?",
            "Both rings compare well in luminosity, and are 27 km long.",
            "figure",
        ),
    ],
)
def test_a_figure_of_something_else_is_no_answer(question: str, text: str, what: str) -> None:
    pool = [evidence(text)]
    made = plan(question)
    assert what in plainly_missing(made, read(made, pool, WordEncoder()), pool)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("At what temperature does the beam screen of ALBA-hh work?", FOR_ANOTHER),
        # The paper is about it, and the sentence names nothing else.
        (
            "At what temperature does the beam screen of ALBA-hh work?",
            "We describe ALBA-hh and its parts. The vacuum is good. The magnets are long. "
            "The beam screen works at a temperature of 45 K.",
        ),
        (
            "What is the circumference of the 3 TeV ring?",
            "The ring for 3 TeV is small. Its magnets are strong. The ring has a circumference of "
            "4.5 km.",
        ),
        (
            "What is the highest energy of the Fermilab Main Injector?",
            "The highest energy of the Main Injector is 120 GeV.",
        ),
        # Two energies are no label of one machine.
        (
            "What luminosity is assumed for the 3 TeV and 14 TeV rings?",
            "A luminosity of 20 ab-1 is assumed for the ring of 14 TeV.",
        ),
        # An acronym is there in its words.
        (
            "At what temperature does the beam screen at NPL work?",
            "It was built at the Northern Physics Laboratory. The beam screen works at a "
            "temperature of 45 K.",
        ),
        # The first half of a name with a hyphen is no name of its own.
        (
            "At what temperature does the PQR screen of XY-ABC work?",
            "The PQR screen of the Extended Yield ABC works at a temperature of 45 K.",
        ),
    ],
)
def test_a_figure_of_the_thing_itself_is_there(question: str, text: str) -> None:
    pool = [evidence(text)]
    made = plan(question)
    assert plainly_missing(made, read(made, pool, WordEncoder()), pool) == ""


def test_a_near_miss_does_not_point_back() -> None:
    pool = [passage("b1", "It has photons of the nozzle. Photons leave the nozzle every turn.")]
    answer = asked(
        "How many photons leave the nozzle in Tesla?", pool, AnswerSettings(near_miss_cosine=0.0)
    )
    assert answer.abstained
    assert [miss.text for miss in answer.near_misses] == ["Photons leave the nozzle every turn."]


def test_confidence_grows_with_its_signals() -> None:
    low, high = dict.fromkeys(SIGNALS, 0.2), dict.fromkeys(SIGNALS, 0.9)
    assert 0 <= confidence(low) < confidence(high) <= 1
    for name in SIGNALS:
        assert confidence(low) < confidence(low | {name: 0.9})


def test_two_numbers_for_one_quantity_are_shown() -> None:
    other = LINER.replace("4.1 cm", "2.5 cm")
    pool = [evidence(LINER, "E1"), evidence(other, "E2", "2002.00002")]
    (found,) = disagreements(read(plan(QUESTION), pool, WordEncoder()), None)
    assert {value for value, _ in found.sides} == {"4.1 cm", "2.5 cm"}
    assert {citation.paper_id for _, citation in found.sides} == {"2001.00001", "2002.00002"}


def test_the_same_number_or_the_same_paper_is_no_disagreement() -> None:
    same = [evidence(LINER, "E1"), evidence(LINER, "E2", "2002.00002")]
    own = [evidence(LINER, "E1"), evidence(LINER.replace("4.1", "2.5"), "E2")]
    for pool in (same, own):
        assert disagreements(read(plan(QUESTION), pool, WordEncoder()), None) == ()


def test_a_question_of_which_no_word_is_there_is_not_answered() -> None:
    pool = [evidence("The resin has a pot life of one hour."), evidence("The liner is thick.")]
    made = plan("Which isotope of technetium decays?")
    missing = plainly_missing(made, read(made, pool, WordEncoder()), pool)
    assert missing.startswith("No passage that was read mentions")
    assert "technetium" in missing
