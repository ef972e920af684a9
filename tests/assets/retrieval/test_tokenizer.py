"""Terms of the field: every spelling of one thing gives one term."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.retrieval.tokenizer import FieldTokenizer, plain, unified

TOKENIZER = FieldTokenizer()


@pytest.mark.parametrize(
    ("spellings", "term"),
    [
        (["√s", r"$\sqrt{s}$", r"\sqrt s", "√(s)", "√ s"], "√s"),
        (["μ+μ−", "μ^+μ^-", r"$\mu^+\mu^-$", "μ⁺μ⁻", "µ+ µ-", "μ^{+}μ^{-}"], "μ+μ-"),
        (["e+e−", "e^{+}e^{-}", "e+ e-", "e⁺e⁻"], "e+e-"),
        (["W′", "W'", "W’", r"$W^\prime$"], "w'"),
        (["H→bb̄", r"$H \to b\bar{b}$", "H -> bb"], "bb"),
        (["Nb3Sn", "Nb_3Sn", "Nb$_3$Sn", "Nb₃Sn", "Nb 3 Sn", "Nb<sub>3</sub>Sn"], "nb3sn"),
        (["10 TeV", "10TeV", "10~TeV", "10-TeV", "10.0 TeV", r"10\,TeV"], "10tev"),
        (["10^34", "10^{34}", "1e34", "10³⁴", "10<sup>34</sup>", "1E34", "1.0×10^34"], "1e34"),
        (["2×10^34", "2 x 10^34", r"2 \times 10^{34}", "2·10³⁴", "2e34", "2.0e+34"], "2e34"),
        (["10^-3", "10⁻³", "10^{-3}", "1e-3", "10^(-3)"], "1e-3"),
        (["cm−2", "cm^-2", "cm⁻²", "cm^{-2}", "cm$^{-2}$"], "cm-2"),
        (["1 ab−1", "1ab^{-1}", "1 ab⁻¹", "1.0 ab-1"], "1ab-1"),
        (["5,813 chunks", "5813 chunks"], "5813"),
        (["16 T", "16T", "16 tesla", "16-T"], "16t"),
        (["0.75 TeV", ".75 TeV", "0.750TeV"], "0.75tev"),
        (["12%", "12 %", "12 percent"], "12%"),
        (["aQGC", "AQGC"], "aqgc"),
        (["β*", r"$\beta^*$", r"\beta^{*}", "β∗"], "β"),
        (["σ", r"$\sigma$", "Σ"], "σ"),
        (["Nb-Ti", "Nb–Ti", "Nb‐Ti", "NbTi"], "nbti"),
        (["beam-induced", "beam–induced"], "beaminduced"),
        (["K", "the K factor"], "k"),
        (["200 MeV/c", "200 MeV"], "200mev"),
    ],
)
def test_one_term_for_every_spelling(spellings: list[str], term: str) -> None:
    for spelling in spellings:
        assert term in TOKENIZER.terms(spelling), spelling


@pytest.mark.parametrize(
    ("one", "other"),
    [("10^34", "1034"), ("μ+", "μ-"), ("10 TeV", "10 GeV"), ("W'", "W"), ("1.5 T", "15 T")],
)
def test_what_differs_stays_apart(one: str, other: str) -> None:
    assert set(TOKENIZER.terms(one)) != set(TOKENIZER.terms(other))


def test_a_quantity_is_found_by_number_and_by_unit_too() -> None:
    assert TOKENIZER.terms("10 TeV") == ["10", "tev", "10tev"]


def test_words_are_stemmed_and_stop_words_dropped() -> None:
    assert TOKENIZER.terms("The colliders are colliding with a collider") == ["collid"] * 3


def test_one_letter_symbols_stay() -> None:
    assert TOKENIZER.terms("the t and s channels") == ["t", "s", "channel"]


def test_possessives_and_html_leave_no_term() -> None:
    assert TOKENIZER.terms("the <b>detector</b>&amp;") == ["detector"]
    assert "s" not in TOKENIZER.terms("the detector's")


def test_either_form_of_an_acronym_finds_the_other() -> None:
    tokenizer = FieldTokenizer({"BIB": "beam-induced background"})
    short, plural = tokenizer.terms("the BIB"), tokenizer.terms("BIBs")
    long = tokenizer.terms("Beam induced backgrounds")
    assert set(short) & set(long) == {"≡bib"}
    assert set(plural) & set(long) == {"≡bib"}


def test_an_acronym_is_told_from_a_word_by_its_capitals() -> None:
    tokenizer = FieldTokenizer({"IT": "inner triplet"})
    assert "≡it" not in tokenizer.terms("it is so")
    assert "≡it" in tokenizer.terms("the IT quadrupoles")


def test_an_acronym_counts_once_in_a_question() -> None:
    tokenizer = FieldTokenizer({"BIB": "beam-induced background"})
    assert tokenizer.query_terms("BIB of the BIB") == ["≡bib"]
    assert set(tokenizer.query_terms("what is bib")) & set(tokenizer.terms("The BIB is large"))
    long = tokenizer.query_terms("the beam-induced background")
    assert {"beam", "background", "≡bib"} <= set(long)


def test_the_fingerprint_changes_with_the_acronyms_alone() -> None:
    one = FieldTokenizer({"BIB": "beam-induced background", "IP": "interaction point"})
    same = FieldTokenizer({"IP": "interaction point", "BIB": "beam-induced background"})
    other = FieldTokenizer({"BIB": "beam-induced background"})
    assert one.fingerprint == same.fingerprint != other.fingerprint


@given(st.text(max_size=200))
def test_any_text_gives_terms_that_are_not_empty(text: str) -> None:
    assert all(TOKENIZER.terms(text))


@given(st.text(alphabet="abc √μ+-−10^{}$\\×.,Tev ", max_size=60))
def test_writing_symbols_out_changes_nothing_the_second_time(text: str) -> None:
    once = plain(text)
    assert unified(once).split() == unified(text).split() or "\\" in once or "{" in text
