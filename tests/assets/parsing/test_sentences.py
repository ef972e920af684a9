"""Sentences of scientific prose, as character ranges."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.parsing.sentences import split_sentences
from tests.support.shared import require_shared


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        "The layout is shown in Fig. 3 of the report.",
        "Previous work by Mokhov et al. [12] gave 4.5 mW/g, cf. Ref. 7 and e.g. Table II.",
        "Calculations by A. B. Zlobin and N. V. Mokhov agree.",
        "The gap is 1. 5 T wide.",
        "It was published in Phys. Rev. Lett. by the group.",
        "The strand is approx. 0.8 mm thick, vs. 1.0 mm before.",
        "Dr. Palmer and Prof. Fernow proposed it, i.e. Cooling came first.",
        "2. Magnets need cooling",
        "Figure 7. Illustration of the lattice",
        "It is wound from Nb3Sn, no. 7 in the list",
        "The mass is 91.19 ± 0.21 (stat.) ± 0.11 (syst.) GeV in both channels.",
        "A rate of 3.1 (exp.) + 0.2 (theo.) Hz was seen.",
    ],
)
def test_abbreviations_numbers_and_labels_do_not_end_a_sentence(text):
    assert sentences(text) == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The field is 16 T. The bore is 50 mm.",
            ["The field is 16 T.", "The bore is 50 mm."],
        ),
        (
            "A thick liner is shown in Fig.\n3. The liner is cooled.",
            ["A thick liner is shown in Fig.\n3.", "The liner is cooled."],
        ),
        (
            "It is low (cf. above). The next is high.",
            ["It is low (cf. above).", "The next is high."],
        ),
        (
            "It is low (as was said.) A new one is high.",
            ["It is low (as was said.)", "A new one is high."],
        ),
        (
            "It was built at CERN [3]. Later it moved.",
            ["It was built at CERN [3].", "Later it moved."],
        ),
        (
            "It is stable.[12] However, it is slow.",
            ["It is stable.[12]", "However, it is slow."],
        ),
        (
            "It is brittle.^4^ The other is not.",
            ["It is brittle.^4^", "The other is not."],
        ),
        (
            "This was seen by Rossi et al. The effect is small.",
            ["This was seen by Rossi et al.", "The effect is small."],
        ),
        (
            "It fell to 6.02MV/m. Table 1 lists it.",
            ["It fell to 6.02MV/m.", "Table 1 lists it."],
        ),
        (
            "Is it enough? Yes! (It is.) So we stop.",
            ["Is it enough?", "Yes!", "(It is.)", "So we stop."],
        ),
        (
            "It was found in the U.S. The rest was not.",
            ["It was found in the U.S.", "The rest was not."],
        ),
        (
            "It has wires, tapes, etc. The wires are round.",
            ["It has wires, tapes, etc.", "The wires are round."],
        ),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text, expected):
    assert sentences(text) == expected


def test_blank_lines_items_headings_and_rows_begin_sentences_and_wrapped_lines_do_not():
    text = (
        "## Magnets\n\nBackground\nThe coil is\nwound twice:\n- once here\n- once there\n"
        "| a | b |\n| c | d |"
    )
    assert sentences(text) == [
        "## Magnets",
        "Background",
        "The coil is\nwound twice:",
        "- once here",
        "- once there",
        "| a | b |",
        "| c | d |",
    ]


@pytest.mark.parametrize("text", ["", "   ", "\n\n \t\n"])
def test_nothing_has_no_sentence(text):
    assert split_sentences(text) == []


@given(st.text(alphabet=st.sampled_from("aZ1.?!() \n[]^*-|TFig et al.") | st.characters()))
def test_ranges_are_ordered_disjoint_trimmed_and_cover_all_but_white_space(text):
    spans = split_sentences(text)
    last = 0
    for start, end in spans:
        assert last <= start < end
        assert text[start:end] == text[start:end].strip()
        last = end
    covered = {i for start, end in spans for i in range(start, end)}
    assert all(char.isspace() for i, char in enumerate(text) if i not in covered)


def test_time_grows_with_length_alone():
    # initials are never an end, so every one of them looks back at the same sentence
    assert len(split_sentences("A. " * 100_000 + "Smith came.")) == 1


def test_labelled_sentences_of_real_papers_keep_their_ends():
    rows = require_shared("benchmark", "claims.jsonl").read_text(encoding="utf-8").splitlines()
    kept = 0
    for row in map(json.loads, rows):
        before, after = row["context"]["before"], row["context"]["after"]
        text = f"{before} {row['sentence']} {after}"
        end = len(before) + 1 + len(row["sentence"])
        kept += any(abs(stop - end) <= 1 for _, stop in split_sentences(text))
    assert kept >= 0.9 * len(rows)
