"""Statements freed of citations, pointers, markup and connectives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.factuality.tidying import tidy


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("However, the field is 5 T.", "The field is 5 T."),
        ("It has been shown in Ref. [3] that the field is 5 T", "The field is 5 T."),
        ("We find that, the field is 5 T.", "We find that, the field is 5 T."),
        ("We find that the field is 5 T.", "The field is 5 T."),
        ("Ref. [10] shows that the field is 5 T.", "The field is 5 T."),
        ("Figure 3(b) also shows that the field is 5 T.", "The field is 5 T."),
        ("Note that the field is 5 T [3], [5-7].", "The field is 5 T."),
        ("The coil (see Fig. 3, left) is short.", "The coil is short."),
        ("The coil (2 m) is short.", "The coil (2 m) is short."),
        ("The coil is short, as shown in Fig. 3.", "The coil is short."),
        ("The coil is *short*, as Figure 1 shows.", "The coil is short."),
        ("- 2. The coil is short;", "The coil is short."),
        ("It is 5 × 10^34^ cm^−2^ s^−1^ at most.", "It is 5 × 10^34 cm^−2 s^−1 at most."),
        ("It is 5 × 10^34 cm^-2 at m_{H} and m_H.", "It is 5 × 10^34 cm^-2 at m_{H} and m_H."),
        ("The peak B^p^ of Nb^3^Sn is high.", "The peak Bp of Nb3Sn is high."),
        ("They studied it in earlier research.^4^", "They studied it in earlier research."),
        ("Therefore, as expected, thus the coil is short.", "The coil is short."),
        ("", ""),
        ("[3]", ""),
    ],
)
def test_what_only_guides_the_reader_is_taken_off(text, expected):
    assert tidy(text) == expected


@given(st.text())
def test_a_tidy_statement_is_one_line_and_tidy_again(text):
    once = tidy(text)
    assert "\n" not in once
    assert once == "" or once.endswith(".")


@given(st.integers(0, 10**9), st.sampled_from(["T", "GeV", "mm"]))
def test_quantities_survive(number, unit):
    assert f"{number} {unit}" in tidy(f"However, the value is {number} {unit} [3].")
