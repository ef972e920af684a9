"""Acronyms that a text defines itself."""

import pytest

from assets.retrieval.acronyms import acronyms_in, definitions


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("a large beam-induced background (BIB) is", ("BIB", "beam-induced background")),
        ("vector boson scattering (VBS)", ("VBS", "vector boson scattering")),
        (
            "anomalous quartic gauge couplings (aQGCs)",
            ("aQGC", "anomalous quartic gauge couplings"),
        ),
        ("the machine–detector interface (MDI),", ("MDI", "machine–detector interface")),
        ("High-Luminosity LHC (HL-LHC)", ("HL-LHC", "High-Luminosity LHC")),
        ("residual resistivity ratio (RRR; see", ("RRR", "residual resistivity ratio")),
    ],
)
def test_the_long_form_stands_before_the_bracket(text: str, pair: tuple[str, str]) -> None:
    assert definitions(text) == [pair]


@pytest.mark.parametrize(
    "text",
    [
        "as shown before (Fig)",
        "the field (B) grows",
        "Fermilab, USA (P. Smith)",
        "we see no such thing (XYZ)",
        "LHC (LHC)",
        "(BIB) at the start",
        "A. Smith (CERN), B. Jones (ITER)",
    ],
)
def test_other_brackets_define_nothing(text: str) -> None:
    assert definitions(text) == []


def test_a_definition_does_not_reach_into_the_sentence_before() -> None:
    assert definitions("beam ends. induced background (BIB)") == []


def test_the_commonest_long_form_wins() -> None:
    texts = ["inner triplet (IT)", "Inner Triplet (IT)", "ion trap (IT)"]
    assert acronyms_in(texts) == {"IT": "inner triplet"}
