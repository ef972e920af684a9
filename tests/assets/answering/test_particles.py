"""A paper that names none of the particles that a question is about is no evidence for it."""

import pytest

from assets.answering.particles import asked_particles, of_its_particles, particles
from tests.support.answering import evidence


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("How large is the neutrino dose of a muon collider?", {"muon", "neutrino"}),
        ("What is the mass of the Higgs boson?", {"Higgs boson"}),
        ("How is μ+ polarisation kept?", {"muon"}),
        ("Which leptons decay?", {"lepton"}),
        ("What field do the dipoles reach?", set()),
        # A word that only begins like a particle's name.
        ("How is the pionjar sealed, and what is tautology?", set()),
    ],
)
def test_the_particles_of_a_question_are_known_by_name(text: str, named: set[str]) -> None:
    assert asked_particles(text) == named


def test_what_names_a_lepton_speaks_of_leptons_but_not_the_other_way() -> None:
    assert particles("Neutrinos escape.") == {"neutrino", "lepton"}
    assert particles("Leptons escape.") == {"lepton"}


def test_papers_without_the_particle_are_left_out_as_a_whole() -> None:
    plant = evidence("Sewage needs a radiation dose of 5 kGy.", "E1", "2001.00001")
    ring = evidence("The radiation dose is 1 mSv a year.", "E2", "2002.00002")
    beam = evidence("Neutrinos leave the ring in its plane.", "E3", "2002.00002")
    kept = of_its_particles("How much radiation dose do neutrinos cause?", [plant, ring, beam])
    assert kept == (ring, beam), "what one passage of a paper names stands for all of it"
    assert of_its_particles("How much dose is needed?", [plant, ring]) == (plant, ring)
