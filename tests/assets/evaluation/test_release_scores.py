"""Two releases score by score, on the same questions only."""

from pathlib import Path
from typing import Any

import pytest

from assets.evaluation.release_scores import score_differences
from resources.files import Files


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(str(tmp_path))


def retrieval(scores: dict[str, float]) -> dict[str, Any]:
    """A report on questions whose every score is the one given."""
    names = ("P@1", "Hit@5", "MRR", "nDCG@5", "Recall@20")
    rows = {key: dict.fromkeys(names, value) for key, value in scores.items()}
    mean = sum(scores.values()) / len(scores)
    return {
        "n": len(scores),
        "modes": {"hybrid": {"chunk": {"MRR": mean}, "paper": {"MRR": mean / 2}}},
        "questions": [{"id": key, "hybrid": row} for key, row in rows.items()],
    }


def test_reports_on_the_same_questions_are_compared(files: Files) -> None:
    files.write_json("evaluations/retrieval-A-0123abcd.json", retrieval({"q1": 0.2, "q2": 0.4}))
    files.write_json("evaluations/retrieval-B-0123abcd.json", retrieval({"q2": 0.5, "q3": 0.9}))
    (found,) = score_differences(files, "A", "B")
    assert (found["kind"], found["questions"], found["n"]) == ("retrieval", "0123abcd", (2, 2))
    assert found["modes"]["hybrid"]["chunk MRR"] == {
        "before": pytest.approx(0.3),
        "after": 0.7,
        "difference": 0.4,
    }
    assert found["modes"]["hybrid"]["paper MRR"]["difference"] == 0.2
    # Only q2 was asked of both.
    paired = found["paired"]["hybrid"]["MRR"]
    assert (paired["n"], paired["mean"]) == (1, pytest.approx(0.1))


def test_answers_are_compared_where_both_have_a_share(files: Files) -> None:
    for name, points in (("A", 0.5), ("B", 0.75)):
        modes = {"agentic": {"key_points": points, "citation_recall": None, "n": {"x": 1}}}
        files.write_json(f"evaluations/answer-{name}-0123abcd.json", {"n": 4, "modes": modes})
    (found,) = score_differences(files, "A", "B")
    assert found["modes"]["agentic"]["key_points"]["difference"] == 0.25
    assert "citation_recall" not in found["modes"]["agentic"]


def test_other_questions_and_other_releases_are_not(files: Files) -> None:
    report = retrieval({"q1": 0.2})
    for name in ("retrieval-A-0123abcd", "retrieval-B-ffffffff", "retrieval-A-2-ffffffff"):
        files.write_json(f"evaluations/{name}.json", report)
    assert score_differences(files, "A", "B") == []
    assert score_differences(files, "B", "A") == []
    assert [one["questions"] for one in score_differences(files, "A-2", "B")] == ["ffffffff"]
