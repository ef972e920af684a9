"""Reports as tables that a person reads."""

from collections.abc import Mapping, Sequence
from typing import Any

from resources.counts import counted

COLUMNS = ("P@1", "Hit@5", "Recall@5", "Recall@20", "MRR", "nDCG@5")

ANSWER_COLUMNS = (
    "key_points",
    "citation_precision",
    "citation_recall",
    "ungrounded_numbers",
    "correct_abstention",
    "false_abstention",
    "wrong_claims",
)

#: What a model judge adds, where one is configured.
JUDGE_COLUMNS = (
    "judge_key_points",
    "judge_wrong_claims",
    "judge_good",
    "judge_satisfactory",
    "judge_agreement",
    "judge_kappa",
    "judged",
)


def scores_table(modes: Mapping[str, Mapping[str, Any]], level: str) -> str:
    """Markdown table of every mode's scores at `chunk` or `paper` level."""
    rows = [f"| mode | {' | '.join(COLUMNS)} |", "|---" * (len(COLUMNS) + 1) + "|"]
    for mode, levels in modes.items():
        cells = [f"{levels[level].get(name, float('nan')):.3f}" for name in COLUMNS]
        rows.append(f"| {mode} | {' | '.join(cells)} |")
    return "\n".join(rows)


def answers_table(
    modes: Mapping[str, Mapping[str, Any]], columns: Sequence[str] = ANSWER_COLUMNS
) -> str:
    """Markdown table of every mode's answer scores; a dash where there was nothing to share."""
    rows = [f"| mode | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    for mode, scores in modes.items():
        cells = [score_cell(name, scores[name]) for name in columns]
        rows.append(f"| {mode} | {' | '.join(cells)} |")
    return "\n".join(rows)


def score_cell(name: str, value: float | None) -> str:
    """A score to three digits; a dash where there was nothing to share."""
    if value is None:
        return "–"
    return str(value) if name == "judged" else f"{value:.3f}"


def judge_told(about: Mapping[str, Any]) -> list[str]:
    """What a model judge did and what it took, in sentences, with its notes."""
    tokens = about["input_tokens"] + about["output_tokens"]
    price = "unknown" if about["cost_usd"] is None else f"{about['cost_usd']:.4f}"
    agreement = (
        "no key point to compare with the code's verdicts"
        if about["judge_agreement"] is None
        else f"as the code on {about['judge_agreement']:.0%} of "
        f"{counted(about['key_points_compared'], 'key point')} "
        f"(kappa {score_cell('judge_kappa', about['judge_kappa'])})"
    )
    return [
        f"{about['name']} judged {about['judged']} of {counted(about['answers'], 'answer')}: "
        f"{agreement}; {counted(about['calls'], 'call')}, {about['cached_calls']} from the cache, "
        f"{counted(tokens, 'token')}, {price} US$.",
        *about["notes"],
    ]
