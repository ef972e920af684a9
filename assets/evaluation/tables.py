"""Reports as tables that a person reads."""

from collections.abc import Mapping
from typing import Any

COLUMNS = ("P@1", "Hit@5", "Recall@5", "Recall@20", "MRR", "nDCG@5")


def scores_table(modes: Mapping[str, Mapping[str, Any]], level: str) -> str:
    """Markdown table of every mode's scores at `chunk` or `paper` level."""
    rows = [f"| mode | {' | '.join(COLUMNS)} |", "|---" * (len(COLUMNS) + 1) + "|"]
    for mode, levels in modes.items():
        cells = [f"{levels[level].get(name, float('nan')):.3f}" for name in COLUMNS]
        rows.append(f"| {mode} | {' | '.join(cells)} |")
    return "\n".join(rows)
