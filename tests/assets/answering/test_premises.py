"""What a question takes for granted, and the sentences that deny it, kind by kind."""

import pytest

from assets.answering.answer_question import answer_question
from assets.answering.premises import denial
from assets.answering.reading import Found, sentences_of
from assets.answering.records import AnswerSettings
from assets.answering.supposed import meant
from assets.retrieval.records import Mode
from tests.support.answering import ListSearcher, SmallProfile, evidence, passage

BESIDE = (
    "Beams of protons were stored for many hours in the older ring of the laboratory. "
    "The vacuum chamber is made of stainless steel with a thin layer of copper inside."
)


def found(text: str) -> list[Found]:
    return [
        one
        for number, part in enumerate((text, BESIDE), start=1)
        for one in sentences_of(evidence(part, key=f"E{number}"))
    ]


DENIED = [
    (  # absence
        "Why is hysteresis of the octupole so strong in iron-free gantry magnets?",
        "The hysteresis of the octupole was not observed in iron-free gantry magnets.",
    ),
    (
        "Why is hysteresis of the octupole so strong in iron-free gantry magnets?",
        "Surprisingly the iron-free gantry magnets show neither hysteresis nor octupole drift.",
    ),
    (  # impossibility, the subject in the sentence before
        "How are brass resonators plated with niobium by plasma spraying?",
        "Plasma spraying of niobium is hot. This process cannot be used on brass resonators.",
    ),
    (  # what follows "not" is what is supposed
        "Why is surface roughness a fundamental limit of plated resonators?",
        "Better plating shows that the roughness of the surface is not a fundamental limit of "
        "plated resonators.",
    ),
    (  # independence, with an acronym that the question spells out
        "How much weaker does the wake field bound become when the bunch charge is raised?",
        "The wake field bound is insensitive to the bunch charge.",
    ),
    (
        "How much do the bounds change when the tail of the spectrum is removed?",
        "Removing the tail of the spectrum has a negligible impact on the bounds.",
    ),
    (  # no need
        "Since recoil tagging works only once the mass of the scalar is known, how is it scanned?",
        "Recoil tagging does not require knowledge of the mass of the scalar.",
    ),
    (  # needed even then
        "How do split coils make an inner shield unnecessary in the decay ring?",
        "An inner shield would be needed in the decay ring even for split coils.",
    ),
    (  # the other way round, by numbers in their order
        "Why does the resonator reach a higher gradient in continuous mode than in pulsed mode?",
        "The resonator was run in continuous and pulsed mode at a gradient of 5 MV/m and 12 MV/m, "
        "respectively.",
    ),
    (  # by numbers beside their own
        "Why may the ceramic coils stand a higher stress than the metallic coils?",
        "Stress must stay below 170 MPa in the metallic coils and below 90 MPa in the ceramic "
        "coils.",
    ),
    (  # a word of the one stands beside the other as well
        "Why could the cold resonator run at a higher peak field in CW than in pulsed operation?",
        "The cold resonator can operate at a peak of 6 MV/m in CW mode, and at 15 MV/m in pulsed "
        "mode.",
    ),
    (  # in words
        "Why is the ring of Alpha larger than the ring of Beta?",
        "The ring of Alpha is much smaller than the ring of Beta.",
    ),
    (
        "Why is resin more brittle than wax?",
        "Wax is at room temperature more brittle than resin.",
    ),
    (
        "Why is wax stronger than resin?",
        "Wax is at room temperature not competitive with resin.",
    ),
    (  # a number that belongs to the other
        "Why does silver recover fully after warming, while nickel recovers only about 70%?",
        "Nickel recovers completely after warming, while the recovery of silver is about 70%.",
    ),
    (  # another value beside the same word
        "Why is the graphite jacket of the decay ring cooled to 9 K?",
        "The graphite jacket of the decay ring is cooled to 55 K by gas.",
    ),
    (  # the other choice
        "Why did the DELTA team choose laser cooling instead of sympathetic cooling?",
        "The DELTA team demonstrated sympathetic cooling of the stored ions.",
    ),
    (
        "Why is granite used instead of tungsten for the nozzle of the detector?",
        "The nozzle of the detector is made of tungsten and stands close to it.",
    ),
]


@pytest.mark.parametrize(("question", "sentence"), DENIED)
def test_a_denial_is_found(question: str, sentence: str) -> None:
    denied = denial(question, found(sentence))
    assert denied is not None
    assert denied.evidence.text == sentence


HELD = [
    (  # asked whether, nothing is supposed
        "Is hysteresis of the octupole seen in iron-free gantry magnets?",
        "The hysteresis of the octupole was not observed in iron-free gantry magnets.",
    ),
    (  # the question denies it itself
        "Why is no hysteresis of the octupole seen in iron-free gantry magnets?",
        "The hysteresis of the octupole was not observed in iron-free gantry magnets.",
    ),
    (  # something else is absent
        "Why is hysteresis of the octupole so strong in iron-free gantry magnets?",
        "The hysteresis of the octupole in iron-free gantry magnets needs no further study.",
    ),
    (  # the same way round
        "Why is the ring of Beta larger than the ring of Alpha?",
        "The ring of Alpha is much smaller than the ring of Beta.",
    ),
    (
        "Why does the resonator reach a higher gradient in pulsed mode than in continuous mode?",
        "The resonator was run in continuous and pulsed mode at a gradient of 5 MV/m and 12 MV/m, "
        "respectively.",
    ),
    (  # the number where the question has it
        "Why does nickel recover fully after warming, while silver recovers only about 70%?",
        "Nickel recovers completely after warming, while the recovery of silver is about 70%.",
    ),
    (  # both were chosen
        "Why did the DELTA team choose laser cooling instead of sympathetic cooling?",
        "The DELTA team chose laser cooling since sympathetic cooling is slow.",
    ),
    (
        "Why is resin stronger than wax?",
        "Wax is at room temperature not competitive with resin.",
    ),
    (  # a contrast in passing
        "Why are plated resonators sensitive to strain?",
        "Plated resonators were tested under one-axial and not under many-axial strain.",
    ),
    (  # the same value, and a value of something else
        "Why is the graphite jacket of the decay ring cooled to 9 K?",
        "The graphite jacket of the decay ring is cooled to 9 K, 55 K below its surroundings.",
    ),
    (
        "Why is the graphite jacket of the decay ring cooled to 9 K?",
        "The graphite jacket of the decay ring stands beside an oven of 900 K.",
    ),
    # How many, how long and a comparison suppose nothing.
    (
        "How many photons does the nozzle of the detector let through?",
        "The photons of the nozzle were not observed in the detector.",
    ),
    (
        "How do tungsten nozzles and lead nozzles compare in mass?",
        "It is not possible to use tungsten nozzles of the mass of lead nozzles.",
    ),
    # Two words are too little to be denied.
    ("How are muons produced?", "A plane that muons crossed did not produce a signal."),
    # What cannot be stands in another clause.
    (
        "How does the stochastic channel of the decay ring shrink the beam?",
        "The source is unsuitable for physics, so that a stochastic channel has to shrink the beam "
        "of the decay ring.",
    ),
    # What denies names something else.
    (
        "Why are octupole magnets of Nb3Sn trained with many quenches?",
        "Unlike octupole magnets of Nb3Sn, these Bi-2212 magnets showed no quenches when trained.",
    ),
    # Two numbers of two things, but not of what is compared.
    (
        "Why is the muon lighter than the electron?",
        "The lowest energies are 0.1 MeV for the electron and 1 MeV for the muon.",
    ),
    (  # the first of two comparisons is another one
        "Why are muons less affected by braking radiation than electrons?",
        "Muons have a much larger mass compared to electrons, making them less affected by braking "
        "radiation.",
    ),
    (  # the numbers measure something else
        "Why is the dipole field of ring Alpha higher than that of ring Beta?",
        "The dipole of ring Alpha works at 80% of its limit and the dipole of ring Beta at 90%.",
    ),
    (
        "Why do muons lose less energy to braking radiation than electrons?",
        "The lowest energies that are followed are 0.1 MeV for electrons and 1 MeV for muons.",
    ),
    (  # a value that is about the same, or a bound
        "Why do tin resonators allow operation at 4 K?",
        "The coat allows tin resonators operation at 4.5 K rather than at 2 K.",
    ),
    (
        "Why are ceramic magnets needed for fields above 16 T?",
        "Ceramic magnets are needed for fields of 20 T.",
    ),
    (  # in part, or of another subject
        "Why do tin magnets need training quenches?",
        "Tin magnets with training do not always need quenches in their high field region.",
    ),
    (
        "Why do tin coils degrade under stress?",
        "The thin steel core inside a cable does not degrade tin coils under stress.",
    ),
    (  # what is said to be had cannot be said to be impossible
        "What critical temperature does niobium alloy have?",
        "A higher critical temperature is not possible with normal niobium alloy.",
    ),
    ("Why is the shield thick?", ""),
]


@pytest.mark.parametrize(("question", "sentence"), HELD)
def test_what_denies_nothing_is_left_alone(question: str, sentence: str) -> None:
    assert denial(question, found(sentence) if sentence else []) is None


def test_acronyms_and_symbols_mean_the_words_of_the_question() -> None:
    held = meant("The DS interference on Cu surfaces", "Does the Dark-Sector interfere on copper?")
    assert {"dark", "sector", "copper"} <= held
    assert "dark" not in meant("The DS interference", "Does the sector interfere?")


def test_the_answer_to_a_false_premise_says_so_and_cites_the_denial() -> None:
    question, sentence = DENIED[0]
    searcher = ListSearcher([passage("a1", sentence), passage("b1", BESIDE, "2002.00002")])
    answer = answer_question(
        question, Mode.HYBRID, searcher, SmallProfile(), None, AnswerSettings(near_miss_cosine=0.0)
    )
    assert answer.abstained
    assert answer.reason.startswith("The papers say the opposite")
    assert sentence in answer.reason
    assert answer.near_misses[0].text == sentence
    assert answer.near_misses[0].citation.key in {item.key for item in answer.evidence}
