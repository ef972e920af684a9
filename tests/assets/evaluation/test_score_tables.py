"""Scores as Markdown: a row a mode, a column a metric, a dash where there is nothing."""

from assets.evaluation.tables import ANSWER_COLUMNS, COLUMNS, answers_table, scores_table


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_retrieval_scores_of_one_level() -> None:
    scores = {name: place / 10 for place, name in enumerate(COLUMNS)}
    modes = {"dense": {"chunk": scores, "paper": {}}, "hybrid": {"chunk": {}, "paper": scores}}
    lines = scores_table(modes, "chunk").splitlines()
    assert cells(lines[0]) == ["mode", *COLUMNS]
    assert len(cells(lines[1])) == len(COLUMNS) + 1
    assert cells(lines[2]) == ["dense", "0.000", "0.100", "0.200", "0.300", "0.400", "0.500"]
    assert cells(lines[3]) == ["hybrid", *["nan"] * len(COLUMNS)]


def test_answer_scores_with_a_dash_where_there_is_nothing_to_share() -> None:
    scores: dict[str, float | None] = dict.fromkeys(ANSWER_COLUMNS, 0.25)
    scores["correct_abstention"] = None
    lines = answers_table({"agentic": scores}).splitlines()
    assert cells(lines[0]) == ["mode", *ANSWER_COLUMNS]
    expected = ["–" if name == "correct_abstention" else "0.250" for name in ANSWER_COLUMNS]
    assert cells(lines[2]) == ["agentic", *expected]
