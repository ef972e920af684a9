"""Agreement of two judges, by tables worked by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.evaluation.agreement import cohens_kappa, equal_share

PAIRS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40)


def judges(both: int, first: int, second: int, neither: int) -> tuple[list[bool], list[bool]]:
    """Verdicts of two judges who say yes to so many things together, alone, and not at all."""
    one = [True] * (both + first) + [False] * (second + neither)
    other = [True] * both + [False] * first + [True] * second + [False] * neither
    return one, other


@pytest.mark.parametrize(
    ("table", "share", "kappa"),
    [
        # p_o = 35/50; yes: 25/50 and 30/50, so p_e = .5·.6 + .5·.4 = .5; κ = .2/.5.
        ((20, 5, 10, 15), 0.7, 0.4),
        # p_o = .6; yes: .7 and .7, so p_e = .49 + .09 = .58; κ = .02/.42.
        ((50, 20, 20, 10), 0.6, 0.02 / 0.42),
        # p_o = 0; yes: .5 and .5, so p_e = .5; κ = −.5/.5.
        ((0, 3, 3, 0), 0.0, -1.0),
        ((4, 0, 0, 4), 1.0, 1.0),
    ],
)
def test_share_and_kappa_of_a_table(
    table: tuple[int, int, int, int], share: float, kappa: float
) -> None:
    assert equal_share(*judges(*table)) == pytest.approx(share)
    assert cohens_kappa(*judges(*table)) == pytest.approx(kappa)


def test_where_chance_explains_everything_there_is_no_kappa() -> None:
    assert equal_share(*judges(5, 0, 0, 0)) == 1
    assert cohens_kappa(*judges(5, 0, 0, 0)) is None
    assert cohens_kappa([], []) is None
    assert equal_share([], []) is None


@given(PAIRS)
def test_it_is_the_same_whoever_is_first_and_whatever_is_called_yes(
    pairs: list[tuple[bool, bool]],
) -> None:
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    kappa = cohens_kappa(one, other)
    turned = cohens_kappa([not a for a in one], [not b for b in other])
    if kappa is None:
        assert turned is None
        assert one == other
        return
    assert cohens_kappa(other, one) == pytest.approx(kappa)
    assert turned == pytest.approx(kappa)
    assert -1 - 1e-9 <= kappa <= 1
