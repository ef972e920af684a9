"""Reports as tables that a person reads."""

from collections.abc import Mapping
from typing import Any

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


def scores_table(modes: Mapping[str, Mapping[str, Any]], level: str) -> str:
    """Markdown table of every mode's scores at `chunk` or `paper` level."""
    rows = [f"| mode | {' | '.join(COLUMNS)} |", "|---" * (len(COLUMNS) + 1) + "|"]
    for mode, levels in modes.items():
        cells = [f"{levels[level].get(name, float('nan')):.3f}" for name in COLUMNS]
        rows.append(f"| {mode} | {' | '.join(cells)} |")
    return "\n".join(rows)


def answers_table(modes: Mapping[str, Mapping[str, Any]]) -> str:
    """Markdown table of every mode's answer scores; a dash where there was nothing to share."""
    rows = [f"| mode | {' | '.join(ANSWER_COLUMNS)} |", "|---" * (len(ANSWER_COLUMNS) + 1) + "|"]
    for mode, scores in modes.items():
        cells = ["–" if scores[name] is None else f"{scores[name]:.3f}" for name in ANSWER_COLUMNS]
        rows.append(f"| {mode} | {' | '.join(cells)} |")
    return "\n".join(rows)
