"""Numbers and units in the forms that papers write them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.answering.quantities import (
    find_quantities,
    plain_form,
    same_quantity,
    stands_in,
    units_named,
)


def read(text: str) -> list[tuple[float, str]]:
    return [(quantity.value, quantity.unit.symbol) for quantity in find_quantities(text)]


@pytest.mark.parametrize(
    "text",
    ["10^34", "10^{34}", "1e34", "10³⁴", "10<sup>34</sup>", "10^34^", "10 to the 34",
     "10 to the power of 34", "1 × 10^34", "1·10^{34}", "1E34"],
)  # fmt: skip
def test_one_power_of_ten_in_every_form(text: str) -> None:
    (quantity,) = find_quantities(f"a luminosity of {text}")
    assert math.isclose(quantity.value, 1e34)


@pytest.mark.parametrize(
    "text",
    [
        "2 cm^-2 s^-1", "2 cm^{-2}s^{-1}", "2 cm−2 s−1", "2 cm⁻²s⁻¹", "2 cm⁻² s⁻¹", "2 cm-2s-1",
        "2 cm−^2 s −1", "2 cm-2 s -1", "2 cm-2s -1", "2/cm^2/s", "2 /cm^2 /s",
    ],
)  # fmt: skip
def test_one_unit_in_every_form(text: str) -> None:
    (quantity,) = find_quantities(text)
    assert quantity.unit.dimensions == (("m", -2), ("s", -1))
    assert math.isclose(quantity.size, 2e4)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10TeV", [(10, "TeV")]),
        ("between 60–80 K", [(60, "K"), (80, "K")]),
        ("3, 10 and 14 TeV", [(3, "TeV"), (10, "TeV"), (14, "TeV")]),
        ("(10.88 ± 0.02) MeV", [(10.88, "MeV"), (0.02, "MeV")]),
        ("(5.3 ± 0.3)×10^5", [(5.3e5, ""), (0.3e5, "")]),
        ("about 2×10-4 DPA", [(2e-4, "DPA")]),
        ("Epk=6.02MV/m", [(6.02, "MV/m")]),
        ("1,200 magnets", [(1200, "")]),
        ("$26 billion", [(26e9, "$")]),
        ("5500 M\\$", [(5500, "M$")]),
        ("at -269 °C", [(-269, "°C")]),
        ("350-400 A/mm^2", [(350, "A/mm^2"), (400, "A/mm^2")]),
        ("20 ab−1 at 14 TeV", [(20, "ab-1"), (14, "TeV")]),
        ("95 per cent", [(95, "per cent")]),
        ("a .75 TeV beam", [(0.75, "TeV")]),
        ("20 T -1 T", [(20, "T"), (-1, "T")]),
        ("10 m -2 of them", [(10, "m"), (-2, "")]),
    ],
)
def test_numbers_with_their_units(text: str, expected: list[tuple[float, str]]) -> None:
    found = read(text)
    assert [unit for _, unit in found] == [unit for _, unit in expected]
    assert [value for value, _ in found] == pytest.approx([value for value, _ in expected])


@pytest.mark.parametrize(
    "text", ["Nb3Sn", "Bi-2212", "the Q1B coil", "CTD-101", "H2O", "b-jets [16], [27–29]", "U1"]
)
def test_digits_in_names_and_reference_marks_are_no_numbers(text: str) -> None:
    assert find_quantities(text) == ()


def test_a_letter_before_a_hyphen_is_no_unit() -> None:
    assert read("2 s-channel diagrams and 3 b-jets") == [(2, ""), (3, "")]


@pytest.mark.parametrize(
    ("one", "other"),
    [("10 TeV", "10TeV"), ("1 TeV", "1000 GeV"), ("50 µm", "50 μm"), ("3.5 hours", "210 minutes"),
     ("10^34 cm^-2 s^-1", "1e34 cm⁻²s⁻¹"), ("10 T", "10 tesla"), ("8 %", "8 percent")],
)  # fmt: skip
def test_equal_quantities(one: str, other: str) -> None:
    assert same_quantity(find_quantities(one)[0], find_quantities(other)[0])


@pytest.mark.parametrize(
    ("said", "source"),
    [("540 GeV", "540 TeV"), ("10 T", "10 K"), ("1.5 mW/g", "1.5 W/g"), ("-5 °C", "5 °C"),
     ("10^34", "10^33"), ("13 fb^-1", "13 pb^-1"), ("12 m", "12 %")],
)  # fmt: skip
def test_another_number_unit_or_sign_does_not_stand(said: str, source: str) -> None:
    assert not stands_in(find_quantities(said)[0], (f"It is {source} there.",))


def test_a_bare_number_stands_where_it_has_a_unit_but_not_the_other_way() -> None:
    assert stands_in(find_quantities("two papers say 12")[0], ("12 T",))
    assert not stands_in(find_quantities("12 T")[0], ("figure 12 shows",))


@given(
    st.integers(min_value=1, max_value=99),
    st.integers(min_value=-30, max_value=40),
    st.sampled_from(["TeV", "T", "K", "mm", "MV/m", "fb^-1", "%", ""]),
)
def test_scientific_forms_agree_with_floats(mantissa: int, exponent: int, unit: str) -> None:
    expected = float(f"{mantissa}e{exponent}")
    forms = [
        f"{mantissa}×10^{{{exponent}}} {unit}",
        f"{mantissa} x 10^{exponent} {unit}",
        f"{mantissa}e{exponent} {unit}",
    ]
    for form in forms:
        (quantity,) = find_quantities(f"It is {form.strip()}")
        assert math.isclose(quantity.value, expected)
        assert quantity.unit.symbol == unit


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    plain = plain_form(text)
    for quantity in find_quantities(text):
        assert quantity.text in plain
        assert 0 <= quantity.start < quantity.end <= len(plain)


def test_units_a_question_names() -> None:
    assert [u.symbol for u in units_named("What ramp rate, in T/s, is reached?")] == ["T/s"]
    assert units_named("in a ring in the tunnel") == []
