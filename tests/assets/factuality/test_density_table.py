"""The density table agrees with the published formulas, row by row."""

import math
import statistics
from typing import Any

import pytest

from assets.factuality.density_table import density_rows
from assets.tables import FACTUAL_DENSITY

AUTHORITY = {"review": 1.0, "preprint": 0.5}
TIERS = {"a": "review", "b": "preprint"}


def chunk(number: int, paper_id: str, tokens: int) -> dict[str, Any]:
    return {
        "chunk_id": f"c{number}",
        "paper_id": paper_id,
        "text_sha": f"t{number}",
        "tokens": tokens,
    }


def claims(*prob_facts: float) -> list[dict[str, Any]]:
    return [{"text": "", "quote": "", "prob_fact": value} for value in prob_facts]


CHUNKS = [chunk(0, "a", 100), chunk(1, "b", 200), chunk(2, "b", 50), chunk(3, "a", 250)]
CLAIMS = {"t0": claims(0.9, 0.6), "t1": claims(0.4), "t3": claims(1.0, 0.8, 0.7)}


def rows(**changed: Any) -> list[dict[str, Any]]:
    values: dict[str, Any] = {
        "chunks": CHUNKS,
        "claims_of": CLAIMS,
        "tier_of": TIERS,
        "authority_of": AUTHORITY,
    }
    return density_rows(**{**values, **changed})


def test_fd_raw_is_the_sum_of_prob_fact_per_token() -> None:
    found = rows()
    assert [row["chunk_id"] for row in found] == ["c0", "c1", "c2", "c3"]
    assert [row["claims"] for row in found] == [2, 1, 0, 3]
    expected = [1.5 / 100, 0.4 / 200, 0.0, 2.5 / 250]
    assert [row["fd_raw"] for row in found] == pytest.approx(expected)
    assert [row["prob_fact_sum"] for row in found] == pytest.approx([1.5, 0.4, 0.0, 2.5])


def test_the_published_density_is_a_z_score_times_authority() -> None:
    # All of these are "short" (at most 288 tokens) in the published bins.
    raw = [1.5 / 100, 0.4 / 200, 0.0, 2.5 / 250]
    mean, sigma = statistics.fmean(raw), statistics.pstdev(raw)
    authority = [1.0, 0.5, 0.5, 1.0]
    expected = [(x - mean) / sigma * a for x, a in zip(raw, authority, strict=True)]
    assert [row["fd_star_published"] for row in rows()] == pytest.approx(expected)


def test_more_authority_never_lowers_the_robust_density() -> None:
    trusted = rows(authority_of={"review": 1.0, "preprint": 1.0})
    assert all(
        more["fd_star"] >= less["fd_star"] for more, less in zip(trusted, rows(), strict=True)
    )
    assert [row["tier"] for row in trusted] == ["review", "preprint", "preprint", "review"]


def test_an_unknown_tier_is_neutral() -> None:
    unknown = rows(tier_of={})
    assert {row["tier"] for row in unknown} == {""}
    neutral = rows(authority_of={"review": 1.0, "preprint": 1.0})
    assert [row["fd_star"] for row in unknown] == [row["fd_star"] for row in neutral]


def test_rows_are_those_of_the_table() -> None:
    for row in rows():
        assert set(row) == set(FACTUAL_DENSITY.schema.names)
        assert all(math.isfinite(row[name]) for name in ("fd_raw", "fd_star", "fd_star_published"))


def test_the_fingerprint_changes_with_the_row_alone() -> None:
    before = {row["chunk_id"]: row["fingerprint"] for row in rows()}
    assert {row["chunk_id"]: row["fingerprint"] for row in rows()} == before
    after = {
        row["chunk_id"]: row["fingerprint"] for row in rows(claims_of={**CLAIMS, "t2": claims(0.5)})
    }
    assert before["c2"] != after["c2"]
    assert before.keys() == after.keys()


def test_nothing_gives_nothing() -> None:
    assert rows(chunks=[]) == []


def test_one_chunk_alone_is_neither_dense_nor_sparse() -> None:
    (row,) = rows(chunks=CHUNKS[:1])
    assert row["fd_star_published"] == 0
    assert row["bin"] == "all"
