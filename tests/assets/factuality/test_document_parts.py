"""What is no prose, and what a statement does besides stating."""

import pytest

from assets.factuality.document_parts import (
    section_bears_claims,
    why_incomplete,
    why_no_sentence,
)
from assets.factuality.rhetoric import why_nothing_stated


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("## 3 Magnet design and field quality", "heading"),
        ("| Ring circumference is | 10 km | 4 km |", "table"),
        ("$$B = \\mu_0 I / 2 \\pi r is the field of a line$$", "equation"),
        ("Can this current be sustained in the ends of the coil?", "question"),
        ("**Fig. 11:** Critical surfaces of NbTi and Nb3Sn; a fit is shown.", "caption"),
        ("Table 2 Main parameters of the storage ring.", "caption"),
        ("The solid red lines show the fit.", "caption"),
        ("E-mail: jane.doe@cern.ch is the contact of the authors.", "address"),
        (
            "Department of Physics, University of Oslo, Norway Institute of Physics, Riga",
            "address",
        ),
        ("We are grateful to E. Sherman for many fruitful discussions.", "acknowledgement"),
        (
            "This work was supported by the U.S. Department of Energy under contract no. 5.",
            "acknowledgement",
        ),
        ("The manuscript has been authored by Some Laboratory, LLC.", "acknowledgement"),
        (
            "The laboratory is run by an alliance under U.S. DOE Contract No. DE-AC02-7.",
            "acknowledgement",
        ),
        (
            "[11] A. C. Dexter and R. Carter, First demonstration, Phys. Rev. ST 14, 32 (2011).",
            "reference",
        ),
        ("The field is then given by the following expression", "lead-in"),
        ("The main attributes of the conductor are:", "lead-in"),
        ("Here B is the field and I is the current of the line.", "definition of symbols"),
        ("and the coil is wound from a Rutherford cable.", "fragment"),
        ("ization of the beam.", "fragment"),
        ("Figure.", "fragment"),
        ("Conceptual layout of the machine-detector interface.", "no verb"),
        ("The ring \ufffd\ufffd has a bore of 5 cm.", "garbage"),
        ("1 2 3 4 5 6 7 8 is 9 10 11 12 13 14 15 the 16 17 18 19 20.", "garbage"),
    ],
)
def test_what_is_no_sentence_of_prose_is_named(text, reason):
    assert why_no_sentence(text) == reason


@pytest.mark.parametrize(
    "text",
    [
        "The Tevatron was commissioned in 1983 and closed in 2011; in 1995 it was upgraded.",
        "Nb-Ti is ductile.",
        "pp collisions at 13 TeV are studied at the LHC.",
        "The maximum current was 1,138 A.",
        "Magnetic fields of the order of 5 T penetrated the wall of the cavity.",
        "At Fermilab, the University of Chicago and the Niels Bohr Institute tested a 5 T coil.",
    ],
)
def test_prose_is_let_through(text):
    assert why_no_sentence(text) is None


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("In this paper we discuss the main principles of magnet design.", "announcement"),
        ("This white paper reviews the properties of the conductor.", "announcement"),
        ("We then focus on the peak field in the coil.", "announcement"),
        ("Fig. 6 shows muon flux isocontours in the ring.", "pointer"),
        ("Data for the cables are presented in Fig. 12 for a sample of 2015.", "pointer"),
        ("In Table II, the parameters of the lattice are listed.", "pointer"),
        ("Plans for a model dipole are presented.", "pointer"),
        ("See the discussion of the cooling channel.", "pointer"),
        ("The ultimate goal is to develop coil technology.", "goal"),
        ("To determine whether the strain provides limited protection.", "goal"),
        ("The real coil will be heat treated at 50 bar.", "goal"),
        ("Further studies are needed to settle the matter.", "goal"),
        ("These efforts should be encouraged at the global level.", "advocacy"),
        ("We recommend a broader programme of tests.", "advocacy"),
        ("Broader coordination could encourage a market.", "guess"),
        ("We believe the collider is the best option.", "guess"),
    ],
)
def test_what_states_nothing_is_named(statement, reason):
    assert why_nothing_stated(statement) == reason


@pytest.mark.parametrize(
    "statement",
    [
        "The magnets will operate in superfluid helium at 1.9 K.",
        "The dose could reach 30 MGy in the inner coil.",
        "The authors measured a field of 5 T.",
        "The section of the tunnel is 5 m wide.",
        "The figure of merit is 12.",
        "Charts of 60 patients were reviewed.",
        "To reach 16 T, the coils are wound from Nb3Sn.",
    ],
)
def test_what_states_something_is_let_through(statement):
    assert why_nothing_stated(statement) is None


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("The gradient is given by.", "fragment"),
        ("As more data are gathered.", "fragment"),
        ("B is the field of the line.", "definition of symbols"),
        ("A ring, which is long.", "no verb"),
    ],
)
def test_a_statement_that_cannot_stand_alone_is_named(statement, reason):
    assert why_incomplete(statement) == reason


@pytest.mark.parametrize(
    ("section", "bears"),
    [
        ((), True),
        (("3 Results", "3.1 Cooling performance"), True),
        (("Acknowledgements",), False),
        (("V. ACKNOWLEDGMENT",), False),
        (("Appendix", "References"), False),
        (("Competing interests",), False),
    ],
)
def test_sections_that_bear_no_claims(section, bears):
    assert section_bears_claims(section) is bears
