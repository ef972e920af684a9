"""The audits' reports as Markdown, for a page's metadata, a file, or a terminal."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assets.evaluation.conditions import MEANING, Condition
from assets.evaluation.coverage import GATE, LEAST_COSINE, LEAST_KEYWORDS
from assets.evaluation.density_audit import LARGEST_CONFOUND, VARIANTS
from assets.evaluation.density_effect import SWEPT
from assets.evaluation.plots import data_uri
from assets.evaluation.verdict import p_text
from assets.factuality.confound import LEAST_SPREAD
from resources.counts import counted

METRICS = ("P@1", "P@5", "Hit@5", "MRR", "nDCG@5")
"""Columns of a table of scores."""

_FILTER = f"cosine ≥ {LEAST_COSINE} and ≥ {LEAST_KEYWORDS} shared keywords"


def release_text(report: Mapping[str, Any]) -> str:
    """The audit of a release."""
    return _joined(
        f"# Density audit of release {report['release']}",
        report["verdict"],
        _density_text(report["density"], report["unread"]),
        _labels_text(report["labels"]) if report.get("labels") else "",
        "## Questions with gold passages",
        _coverage_text(report["coverage"]),
        _test_text(report["test"]),
        "### Only those that pass the double filter",
        _scores_table(report["test_of_covered"]),
        "## Who fills the first five places",
        _tiers_table(report["tiers"]),
    )


def health_text(report: Mapping[str, Any]) -> str:
    """The audit of the medical corpus."""
    pubmed, health = report["pubmedqa"], report["healthfc"]
    sources = [
        (tier, count, report["passages"].get(tier, 0), report["authority"][tier])
        for tier, count in report["documents"].items()
    ]
    return _joined(
        "# Factual density on medical literature",
        report["verdict"],
        "## The corpus",
        _table(["tier", "documents", "passages", "authority"], sources),
        _density_text(report["density"], 0),
        "### Whole documents",
        _confound_table(report["whole_documents"]["length_confound"]),
        _differences_table(
            "a review against its own summary", report["whole_documents"]["review_against_summary"]
        ),
        _differences_table("passages with the conclusion against the rest", report["conclusions"]),
        "## PubMedQA: a question's own abstract",
        _coverage_text(pubmed["coverage"]),
        _test_text(pubmed["test"]),
        "### All questions, filtered or not",
        _scores_table(pubmed["test_of_all"]),
        "### Who fills the first five places",
        _tiers_table(pubmed["tiers"]),
        "### P@5 by the authority given to each tier",
        _orders_table(report["authority_orders"]),
        "## HealthFC: what passes the double filter",
        _coverage_text(health["coverage"]),
        "Relevance is the double filter itself, half of which is the ranking of A: the scores are "
        "shown and decide nothing.",
        _scores_table(health["test"]),
        "### Who fills the first five places, over all claims",
        _tiers_table(health["tiers"]),
    )


def plots_text(plots: Mapping[str, bytes]) -> str:
    """The plots as images that the Markdown itself holds."""
    return "\n\n".join(f"![{name}]({data_uri(png)})" for name, png in plots.items())


def _density_text(density: Mapping[str, Any], unread: int) -> str:
    scores, counts = density["prob_fact"], density["claims_per_passage"]
    tiers = [
        (
            tier,
            counts["by_tier"][tier]["n"],
            f"{counts['by_tier'][tier]['mean']:.2f}",
            counts["by_tier"][tier]["without"],
            one["n"],
            f"{one['mean']:.3f}",
            f"{one['std']:.3f}",
        )
        for tier, one in scores["by_tier"].items()
    ]
    verdict = "enough" if scores["sufficient"] else "too little"
    return _joined(
        "## Claims and density",
        f"{counted(density['claims'], 'claim')} in {counted(density['passages'], 'passage')}, "
        f"{counts['mean']:.2f} a passage (median {counts['median']:.0f}, at most {counts['most']}, "
        f"none in {counts['without']})"
        + (f"; not read: {counted(unread, 'passage')}." if unread else ".")
        + f" prob_fact has mean {scores['mean']:.3f} and spread {scores['std']:.3f}, {verdict} "
        f"(≥ {LEAST_SPREAD} in every tier).",
        _table(
            ["tier", "passages", "claims each", "without", "claims", "mean prob_fact", "spread"],
            tiers,
        ),
        f"Correlation with length (small where the interval lies within ±{LARGEST_CONFOUND}):",
        _confound_table(density["length_confound"]),
    )


def _confound_table(found: Mapping[str, Mapping[str, Any] | None]) -> str:
    rows = []
    for name in VARIANTS:
        one = found[name]
        if one is None:
            rows.append((name, "–", "–", "–", "–", "–"))
        else:
            interval = f"{one['low']:+.3f} to {one['high']:+.3f}"
            small = "yes" if one["small"] else "no"
            rows.append(
                (name, f"{one['r']:+.3f}", str(one["n"]), interval, p_text(one["p"]), small)
            )
    return _table(["density", "R", "n", "95% CI", "p", "small"], rows)


def _labels_text(labels: Mapping[str, Any]) -> str:
    rows = [
        (name, one["n"], f"{one['precision']:.3f}", f"{one['recall']:.3f}", f"{one['f1']:.3f}")
        for name, one in ((name, labels[name]) for name in ("sentences", "claims"))
    ]
    rho = labels["prob_fact"]["spearman"]
    return _joined(
        f"### Agreement with hand labels ({labels['extractor']})",
        _table(["", "n", "precision", "recall", "F1"], rows),
        f"Spearman's correlation of prob_fact over {labels['prob_fact']['n']} matched claims: "
        + (f"{rho:.3f}." if rho is not None else "not defined."),
    )


def _coverage_text(found: Mapping[str, Any]) -> str:
    gate = "over" if found["sufficient"] else "under"
    best = ", ".join(f"{value:.2f}" for value in found["best_cosine"])
    return (
        f"{found['covered']} of {found['queries']} queries ({found['share']:.1%}) have a passage "
        f"that passes the double filter ({_FILTER}; over the whole corpus), {gate} the gate of "
        f"{GATE:.0%}; {found['by_cosine']} pass by cosine alone, {found['by_keywords']} by "
        f"keywords alone. Quartiles of the best cosine: {best or '–'}."
    )


def _test_text(test: Mapping[str, Any]) -> str:
    weights = test["sweep"]["weights"]
    sweep = [(name, *(f"{value:.3f}" for value in test["sweep"][name])) for name in SWEPT]
    return _joined(
        _scores_table(test),
        "Paired differences (Wilcoxon signed-rank, two-sided; bootstrap interval):",
        _comparisons_table(test["comparisons"]),
        "P@5 by the weight of the density (or of the length):",
        _table(["", *(f"{weight:.1f}" for weight in weights)], sweep),
    )


def _scores_table(test: Mapping[str, Any]) -> str:
    if not test["n"]:
        return "No query."
    rows = [
        (name, MEANING[name], *(f"{test['conditions'][name][metric]:.3f}" for metric in METRICS))
        for name in Condition
    ]
    most = f"n = {test['n']}; P@5 is at most {test['best_possible_P@5']:.3f}."
    return _joined(most, _table(["", "ranks by", *METRICS], rows))


def _comparisons_table(comparisons: Sequence[Mapping[str, Any]]) -> str:
    return _table(
        ["", "metric", "n", "differ", "mean", "95% CI", "p", "rank-biserial"],
        [
            (f"{one['condition']} − {one['against']}", one["metric"], *_cells(one))
            for one in comparisons
        ],
    )


def _differences_table(what: str, found: Mapping[str, Mapping[str, Any]]) -> str:
    return _table(
        [what, "n", "differ", "mean", "95% CI", "p", "rank-biserial"],
        [(name, *_cells(one, digits=4)) for name, one in found.items()],
    )


def _cells(one: Mapping[str, Any], digits: int = 3) -> tuple[str, ...]:
    tested = one["p_value"] is not None
    return (
        str(one["n"]),
        str(one["differing"]),
        f"{one['mean']:+.{digits}f}",
        f"{one['low']:+.{digits}f} to {one['high']:+.{digits}f}",
        p_text(one["p_value"]) if tested else "–",
        f"{one['effect']:+.2f}" if tested else "–",
    )


def _tiers_table(found: Mapping[str, Any]) -> str:
    if not found["n"]:
        return "No query."
    by_condition = found["saturation"]
    rows = [
        (
            tier,
            f"{one['corpus']:.2f}",
            *(
                f"{tiers[tier]['share']:.2f} ({tiers[tier]['full']:.0%})"
                for tiers in (by_condition[name] for name in Condition)
            ),
        )
        for tier, one in by_condition[Condition.COSINE].items()
    ]
    return _joined(
        f"Mean share of the first five places over {found['n']} queries (in brackets: queries "
        "where all five are of that tier).",
        _table(["tier", "in the corpus", *Condition], rows),
        _differences_table(f"share of {found['expert']} against A", found["against_cosine"]),
    )


def _orders_table(orders: Sequence[Mapping[str, Any]]) -> str:
    if not orders:
        return ""
    tiers = list(orders[0]["authority"])
    return _table(
        [*tiers, "C", "C-robust"],
        [
            (
                *(f"{order['authority'][tier]:.2f}" for tier in tiers),
                *(f"{order['P@5'].get(name, float('nan')):.3f}" for name in ("C", "C-robust")),
            )
            for order in orders
        ],
    )


def _table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)
