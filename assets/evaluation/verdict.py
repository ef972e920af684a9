"""What a density test says, in plain words, whichever way it came out."""

from collections.abc import Mapping
from typing import Any

FEWEST = 50
"""Queries from which the paper planned to test."""

SIGNIFICANT = 0.05

_VARIANTS = {"C": "FD* as published", "C-robust": "the robust FD*"}


def verdict(report: Mapping[str, Any], what: str) -> str:
    """A few sentences on a report of `density_effect.density_test`; `what` names its queries."""
    n = report["n"]
    if n < FEWEST:
        return f"Of {what} only {n} can be tested, fewer than {FEWEST}: too few to say anything."
    found = {name: difference(report, name, "A", "P@5") for name in _VARIANTS}
    means = {name: scores["P@5"] for name, scores in report["conditions"].items()}
    effects = [
        f"{_VARIANTS[name]} {_effect(one, means['A'], means[name])}" for name, one in found.items()
    ]
    between = difference(report, "C-robust", "C", "P@5")
    better = direction(between, "is better than", "is worse than", "does not differ from")
    return " ".join(
        [
            _conclusion(found),
            f"On {n} of {what}, reranking by {' and by '.join(effects)}, where BM25 has "
            f"{means['B']:.3f} and {report['best_possible_P@5']:.3f} is the most.",
            f"The robust variant {better} the published one ({figures(between)}).",
            _of_the_sweep(report["sweep"]),
        ]
    )


def difference(report: Mapping[str, Any], one: str, other: str, metric: str) -> dict[str, Any]:
    """The comparison of two conditions by one metric."""
    return next(
        row
        for row in report["comparisons"]
        if (row["condition"], row["against"], row["metric"]) == (one, other, metric)
    )


def figures(found: Mapping[str, Any]) -> str:
    """A comparison in figures: mean difference, interval, p, effect size."""
    if found["p_value"] is None:
        return "no pair differs"
    return (
        f"{found['mean']:+.3f}, 95% CI {found['low']:+.3f} to {found['high']:+.3f}, "
        f"p = {p_text(found['p_value'])}, rank-biserial {found['effect']:+.2f}"
    )


def direction(found: Mapping[str, Any], up: str, down: str, none: str) -> str:
    """The word for a difference's sign, or `none` where it cannot be told from chance."""
    if found["p_value"] is None or found["p_value"] >= SIGNIFICANT:
        return none
    return up if found["mean"] > 0 else down


def p_text(p: float) -> str:
    """A p-value as a person reads it: `.032`, or `2e-09` where it is small."""
    return f"{p:.3f}".removeprefix("0") if p >= 0.001 else f"{p:.0e}"


def _conclusion(found: Mapping[str, Mapping[str, Any]]) -> str:
    signs = {name: direction(one, "helps", "harms", "") for name, one in found.items()}
    helping = [_VARIANTS[name] for name, sign in signs.items() if sign == "helps"]
    if helping:
        return f"Reranking by {' and by '.join(helping)} helps retrieval here."
    if "harms" in signs.values():
        return "Reranking by factual density does not help retrieval here; it harms it."
    return "That reranking by factual density helps retrieval is not shown here."


def _effect(found: Mapping[str, Any], before: float, after: float) -> str:
    change = direction(found, "raises", "lowers", "")
    if not change:
        return f"leaves P@5 at {after:.3f} against {before:.3f} by cosine ({figures(found)})"
    return f"{change} P@5 from {before:.3f} by cosine to {after:.3f} ({figures(found)})"


def _of_the_sweep(sweep: Mapping[str, Any]) -> str:
    said = []
    for name, variant in _VARIANTS.items():
        best = sweep[name].index(max(sweep[name]))
        if best:
            said.append(
                f"{variant} is best at the weight {sweep['weights'][best]:.1f} "
                f"({sweep[name][best]:.3f}; length alone there {sweep['C-length'][best]:.3f})"
            )
    if not said:
        return "No weight of the density above 0 is better than the cosine alone."
    return f"Chosen on these same queries, {' and '.join(said)}."
