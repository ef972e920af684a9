"""What an asset tells Dagster: previews that stay small, failures that are one sentence."""

import dagster as dg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.reporting import PREVIEW_CELL, PREVIEW_ROWS, plain_failures, preview
from resources.errors import MuonEvidenceError, Permanent, ServiceDown, Transient, UsageError


def table(rows: list[dict[str, object]], columns: list[str]) -> str:
    return str(preview(rows, columns).value)


@pytest.mark.parametrize(
    ("kind", "retried"),
    [
        (Transient, True),
        (Permanent, False),
        (ServiceDown, False),
        (UsageError, False),
        (MuonEvidenceError, False),
    ],
)
def test_an_expected_error_is_a_failure_with_its_sentence(
    kind: type[MuonEvidenceError], retried: bool
) -> None:
    with pytest.raises(dg.Failure) as failure, plain_failures():
        raise kind("arXiv cannot be reached; try again later.")
    assert failure.value.description == "arXiv cannot be reached; try again later."
    assert failure.value.allow_retries is retried
    assert isinstance(failure.value.__cause__, kind)


def test_an_unexpected_error_stays_what_it_is() -> None:
    with pytest.raises(KeyError), plain_failures():
        raise KeyError("x")


def test_a_preview_is_a_table_of_the_first_rows() -> None:
    rows: list[dict[str, object]] = [{"id": number, "text": "a|b\nc"} for number in range(50)]
    lines = table(rows, ["text", "id", "absent"]).splitlines()
    assert lines[:3] == ["| text | id | absent |", "| --- | --- | --- |", "| a\\|b c | 0 |  |"]
    assert len(lines) == PREVIEW_ROWS + 2


@given(text=st.text(max_size=400))
def test_no_cell_breaks_the_table(text: str) -> None:
    lines = table([{"text": text, "id": 1}], ["text", "id"]).split("\n")
    assert len(lines) == 3
    assert len(lines[2]) <= PREVIEW_CELL + len("|  | 1 |")
    assert lines[2].replace("\\|", "").count("|") == 3
