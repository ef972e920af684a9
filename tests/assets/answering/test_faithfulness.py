"""What a rewording may change of the sentences it cites, and what it may not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.answering.faithfulness import grounded_words, turned_order, unfaithful

FIELD = "The dipole magnets of the muon collider ring reach a field of 10 T at 4.5 K."
OTHER = "The dipole magnets of the LHC reach a field of 8.3 T."
PARTS = "The arc dipoles reach 10 T and the interaction region dipoles reach 16 T."
DENIED = "The field does not exceed the quench limit, and the coil has no splice."
HEDGED = "The field of the dipoles may reach 20 T in the next decade."
BOUND = "The emittance growth stays below 5 % over the whole ring."
CAUSE = "Muon decays heat the magnets of the ring."
SENTENCES = [FIELD, OTHER, PARTS, DENIED, HEDGED, BOUND, CAUSE]


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        *((sentence, [sentence]) for sentence in SENTENCES),
        *((sentence, [FIELD, sentence]) for sentence in SENTENCES),
        ("The dipole magnets of the muon collider ring reach a field of 10 T.", [FIELD]),
        ("A field of 10 T is reached by the dipole magnets of the muon collider ring.", [FIELD]),
        ("The ring's dipole magnets reach 10 T, those of the LHC 8.3 T.", [FIELD, OTHER]),
        ("Arc dipoles reach 10 T, interaction region dipoles 16 T.", [PARTS]),
        ("The coil has no splice.", [DENIED]),
        ("The quench limit is not exceeded by the field.", [DENIED]),
        ("The magnets of the ring are heated by muon decays.", [CAUSE]),
        ("Three coils heat the ring.", ["In the ring, 3 coils heat the pipe."]),
        ("The authors report a field of 10 T at 4.5 K.", [FIELD]),
    ],
)  # fmt: skip
def test_what_says_the_same_passes(text: str, quoted: list[str]) -> None:
    assert unfaithful(text, quoted) == ""


@pytest.mark.parametrize(
    ("text", "quoted", "why"),
    [
        (FIELD.replace("dipole", "quadrupole"), [FIELD], "'quadrupole' does not stand"),
        (FIELD.replace("field", "power"), [FIELD], "'power' does not stand"),
        (f"Fermilab's {FIELD}", [FIELD], "does not stand"),
        (FIELD.replace("The dipole", "All dipole"), [FIELD], "'all' does not stand"),
        (FIELD.replace("10 T", "twenty T"), [FIELD], "the number 'twenty' does not stand in"),
        (FIELD.replace("10 T", "up to 10 T"), [FIELD], "'up to' does not stand"),
        (BOUND.replace("below", "above"), [BOUND], "'above' does not stand"),
        (BOUND.replace("stays below", "is"), [BOUND], "5 % is a bound"),
        (HEDGED.replace("may reach", "reaches"), [HEDGED], "it leaves out 'may'"),
        (DENIED.replace("does not exceed", "exceeds"), [DENIED], "deny different things"),
        (DENIED.replace("has no splice", "has splices"), [DENIED], "deny different things"),
        ("The arc dipoles reach 16 T.", [PARTS], "16 T belongs to something else"),
        ("The muon collider ring reaches 8.3 T.", [FIELD, OTHER], "8.3 T belongs to something"),
        ("Magnets of the ring heat the muon decays.", [CAUSE], "another order"),
        ("Muon decays are heated by the magnets.", [CAUSE], "who acts on whom"),
        (f"\x1b[2J{FIELD}", [FIELD], "control character U+001B"),
        (FIELD.replace("10 T", "10\u200b T"), [FIELD], "control character U+200B"),
        (FIELD.replace("10 T", "٩٩ T"), [FIELD], "the sign ٩"),
        (f"<b>{FIELD}</b>", [FIELD], "markup"),
        (f"{FIELD} See https://evil.example", [FIELD], "markup"),
        (f"{FIELD} " * 40, [FIELD], "longer than a sentence"),
    ],
)
def test_what_says_something_else_does_not(text: str, quoted: list[str], why: str) -> None:
    assert why in unfaithful(text, quoted)


def test_markup_of_the_paper_may_be_repeated() -> None:
    cited = "The code is at https://example.org/code and reads <tag> files."
    assert unfaithful(cited, [cited]) == ""


def test_without_a_citation_there_is_nothing_to_compare_with() -> None:
    assert unfaithful(FIELD, []) == ""


@given(st.permutations(["dipole", "quench", "limit", "coil", "splice"]))
def test_only_the_cited_order_or_one_near_it_is_told(words: list[str]) -> None:
    cited = "dipole quench limit coil splice"
    kept = turned_order(" ".join(words), [cited]) == ""
    rises = [cited.split().index(word) for word in words]
    longest = max(
        sum(1 for _ in run)
        for run in ([rises[i] for i in range(5) if mask >> i & 1] for mask in range(1, 32))
        if run == sorted(run)
    )
    assert kept == (longest >= 3)


@pytest.mark.parametrize(
    ("remark", "holds"),
    [
        ("the field of the dipole magnets", True),
        ("the field at 4.5 K", True),
        ("the field at 5 K", False),
        ("the cost of the dipole magnets", False),
        ("the field of Fermilab", False),
        ("twenty dipole magnets", False),
        ("", False),
    ],
)
def test_a_remark_says_only_what_is_there(remark: str, holds: bool) -> None:
    assert grounded_words(remark, [FIELD]) is holds
