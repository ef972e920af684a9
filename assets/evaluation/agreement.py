"""How far two judges of the same things agree, and how far beyond chance."""

from collections.abc import Sequence


def equal_share(one: Sequence[bool], other: Sequence[bool]) -> float | None:
    """Share of things that both judges decide alike, in [0, 1]; None where there are none."""
    pairs = list(zip(one, other, strict=True))
    return sum(a == b for a, b in pairs) / len(pairs) if pairs else None


def cohens_kappa(one: Sequence[bool], other: Sequence[bool]) -> float | None:
    """Agreement of two judges beyond chance: Cohen's κ = (p_o − p_e) / (1 − p_e), at most 1.

    p_o is the share decided alike, p_e what judges with the same shares of yes would reach by
    chance (Cohen 1960, Educ. Psychol. Meas. 20, 37). None where chance alone explains everything
    (both give one and the same verdict throughout) or there is nothing to compare.
    """
    observed = equal_share(one, other)
    if observed is None:
        return None
    yes, other_yes = sum(one) / len(one), sum(other) / len(other)
    chance = yes * other_yes + (1 - yes) * (1 - other_yes)
    return (observed - chance) / (1 - chance) if chance < 1 else None
