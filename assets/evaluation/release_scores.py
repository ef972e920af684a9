"""Two releases score by score, where the same questions were asked of both."""

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from assets.evaluation.retrieval import COMPARED
from assets.evaluation.significance import paired_difference
from resources.files import Files

FOLDER = "evaluations"
KINDS = ("retrieval", "answer")

_QUESTIONS = re.compile(r"[0-9a-f]{8}\.json")


def score_differences(files: Files, before: str, after: str) -> list[dict[str, Any]]:
    """Every pair of reports on the same questions file, the later release's minus the earlier's.

    For each: the kind, the questions' fingerprint, and by mode every score of both and their
    difference; for retrieval at chunk level also the paired differences over the questions that
    both reports hold, with their 95% interval.
    """
    differences = []
    for kind in KINDS:
        old, new = _reports(files, kind, before), _reports(files, kind, after)
        for questions in sorted(old.keys() & new.keys()):
            one, other = files.read_json(old[questions]), files.read_json(new[questions])
            modes = [mode for mode in one["modes"] if mode in other["modes"]]
            differences.append(
                {
                    "kind": kind,
                    "questions": questions,
                    "n": (one["n"], other["n"]),
                    "modes": {
                        mode: _scores(one["modes"][mode], other["modes"][mode]) for mode in modes
                    },
                    "paired": {mode: _paired(one, other, mode) for mode in modes}
                    if kind == "retrieval"
                    else {},
                }
            )
    return differences


def _reports(files: Files, kind: str, release_id: str) -> dict[str, str]:
    """Paths of a release's reports of one kind by the fingerprint of their questions."""
    start = f"{kind}-{release_id}-"
    return {
        name[len(start) :].removesuffix(".json"): f"{FOLDER}/{name}"
        for name in files.list(FOLDER)
        if name.startswith(start) and _QUESTIONS.fullmatch(name[len(start) :])
    }


def _scores(before: Mapping[str, Any], after: Mapping[str, Any], level: str = "") -> dict[str, Any]:
    """`{score: {before, after, difference}}`; scores of levels are named `level score`."""
    found: dict[str, Any] = {}
    for name, value in before.items():
        other = after.get(name)
        if isinstance(value, dict) and isinstance(other, dict):
            found.update(_scores(value, other, f"{level}{name} "))
        elif _is_score(value) and _is_score(other):
            difference = round(other - value, 4)
            found[level + name] = {"before": value, "after": other, "difference": difference}
    return found


def _is_score(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _paired(before: Mapping[str, Any], after: Mapping[str, Any], mode: str) -> dict[str, Any]:
    """Differences over the same questions, score by score; {} where they share none."""
    old = {row["id"]: row[mode] for row in before["questions"]}
    new = {row["id"]: row[mode] for row in after["questions"]}
    shared = [key for key in old if key in new]
    if not shared:
        return {}
    return {
        name: asdict(
            paired_difference(
                [new[key][name] for key in shared], [old[key][name] for key in shared]
            )
        )
        for name in COMPARED
    }
