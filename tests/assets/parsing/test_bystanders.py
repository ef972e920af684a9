"""What is about the authors gives no chunk, and nothing that is about the subject is lost."""

import pytest

from assets.parsing.bystanders import is_authors_note, is_list_of_people, without_bystanders
from assets.parsing.chunking import chunk_document
from resources.blocks import Block, BlockKind
from tests.support.documents import block, count_tokens, document

PROSE = (
    "Ionization cooling reduces the transverse emittance of the beam, and a dipole field with a "
    "wedge-shaped absorber brings the longitudinal emittance down as well."
)


@pytest.mark.parametrize(
    "text",
    [
        "^∗ a.muon@beams.example.org",
        "#muon@lab.example",
        "^† Corresponding author.; b.neutrino@lab.example",
        "^8Corresponding author",
        "E-mail: a.muon@lab.example, b.neutrino@university.example",
        "Email addresses: muon@lab.example (A. Muon), neutrino@lab.example (Barbara Neutrino)",
        "^‡ Electronic address:c.tau@lab.example",
        "Authors are with the Example National Accelerator Laboratory, Batavia, IL 60510 USA "
        "(e-mail: muon@lab.example).",
        "A. Muon and B. Neutrino are with Example National Laboratory, Berkeley, CA 94720 USA.",
        "*Work supported by Example Research Alliance, LLC, under contract No. DE-AC02.",
        "This work was supported by the Department of Examples under Award No. DE-SC0019139.",
        "* This manuscript has been authored by Example Alliance under Contract 7 † a@lab.example",
        "^{13}Also at School of Physics, The University of Glasgow, Glasgow, UK",
        "^† Current address: ITER, 13067 St. Paul-lez-Durance, France",
        "Institute of Physics, University of Tartu, Estonia E-mail: muon@ut.example",
    ],
)
def test_notes_on_authors_are_told(text: str) -> None:
    assert is_authors_note(text) or is_list_of_people(text)
    assert without_bystanders([block(text)]) == []


@pytest.mark.parametrize(
    "text",
    [
        "^1Department of Physics, University of Adelaide, Adelaide, Australia ^2 Physics "
        "Department, SUNY Albany, Albany NY, United States of America",
        "A. Muon^{1,2}, B. Neutrino^3, C.D. Tau^{4a}, E. F. Quark^{20a,20b}, M. zur Lepton^{16}, "
        "G. Boson^{104a}",
        "INFN Sezione di Genova ^a, Università di Genova ^b, Dipartimento di Fisica, Genova, Italy",
    ],
)
def test_lists_of_people_and_places_are_told(text: str) -> None:
    assert is_list_of_people(text)


@pytest.mark.parametrize(
    "text",
    [
        PROSE,
        "The AUP is a collaboration among four US laboratories: Brookhaven National Laboratory, "
        "Lawrence Berkeley National Laboratory, Fermilab and Florida State University.",
        "The beam line is with Rutherford cables of Nb3Sn wound at the National Laboratory.",
        "This work is supported by the measurements of the cable, which agree within 5%.",
        "Now all parameters are known, and the luminosity follows.",
        "Also shown in Fig. 8 is the asymmetry.",
        "AdS/CFT correspondence",
        "The next day an email came that the agent had sent.",
        "The agent was asked to forward the e-mail to muon@lab.example and refused to do that.",
        "Data are kept at https://lab.example/data and sent to whom asks data@lab.example for "
        "them, as long as the collaboration that has taken them has agreed to it.",
        "Parameter Unit Value Beam energy TeV 1.5 Circumference km 4.5 Momentum acceptance %",
        "LHC Large Hadron Collider; HTS High-Temperature Superconductor; SRF Superconducting RF",
        f"^∗ muon@lab.example {PROSE} {PROSE} {PROSE}",
    ],
)
def test_prose_and_tables_are_kept(text: str) -> None:
    assert without_bystanders([block(text)]) == [block(text)]


def test_whose_money_it_was_stays_among_the_acknowledgements() -> None:
    thanks = block(
        "This work was supported by the Department of Examples under Award No. 7.",
        section=("Acknowledgements",),
    )
    assert without_bystanders([thanks]) == [thanks]


def heading(text: str) -> Block:
    return block(text, kind=BlockKind.HEADING, section=(text,))


@pytest.mark.parametrize(
    "title", ["A The ATLAS Collaboration", "The MICE collaboration", "Author list", "Authors"]
)
def test_a_list_of_members_gives_nothing_down_to_the_next_section(title: str) -> None:
    members = [
        heading(title),
        block("Z. You"),
        block("Yerevan Physics Institute"),
        heading("Universidad de Oviedo, Oviedo, Spain"),
        block("MK Jayananda, DDC Wickramarathna"),
    ]
    table = block("Signal efficiencies are listed here for each of the regions.")
    after = [heading("B Efficiencies"), table, block("Region SR1 Efficiency")]
    kept = without_bystanders([*members, *after])
    assert [one.text for one in kept if one.kind != BlockKind.HEADING] == [
        table.text,
        "Region SR1 Efficiency",
    ]


def test_a_section_on_collaboration_is_no_list_of_members() -> None:
    blocks = [heading("5.2. International Collaboration"), block("US Japan Europe CERN KEK FNAL")]
    assert without_bystanders(blocks) == blocks


def test_an_address_does_not_come_between_two_halves_of_a_chunk() -> None:
    section = ("Introduction",)
    parsed = document(
        block("The cooling channel is long.", section=section),
        block("^∗ a.muon@lab.example", section=section),
        block("It holds absorbers.", section=section),
    )
    (chunk,) = chunk_document("p", "A title", parsed, count_tokens)
    assert chunk.text == "The cooling channel is long.\nIt holds absorbers."
