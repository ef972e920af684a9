"""Dagster's view of the factuality stage: claims of each chunk, and its factual density."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

import dagster as dg

from assets.corpus.selection import live_papers
from assets.factuality.backlog import live_passages, read_texts
from assets.factuality.density_table import density_rows
from assets.factuality.extractors import Extractor
from assets.increment import FailureLedger, make_missing
from assets.parsing.assets import chunks
from assets.parsing.selection import live_chunks
from assets.reporting import (
    OWNERS,
    Progress,
    StageConfig,
    now,
    plain_failures,
    preview,
    reporter,
)
from assets.tables import CLAIMS, FACTUAL_DENSITY
from resources.lake import Lake, Row, col
from resources.profile import Profile

#: What a density row owes to its own chunk; the rest is fitted on the whole corpus.
_OWN = ["chunk_id", "tier", "tokens", "claims", "prob_fact_sum"]


@dg.asset(
    group_name="factuality",
    kinds={"gemini", "lancedb"},
    owners=OWNERS,
    code_version="1",
    deps=[chunks, "gemini"],
    description=(
        "Atomic claims of every chunk, each with a quote that stands verbatim in it and a "
        "prob_fact in [0.2, 1.0] (arXiv:2605.31506). A language model where one is configured, "
        "else the embedded rules; the row names which. Kept by the text's hash: unchanged text "
        "is never extracted, or paid for, twice."
    ),
)
def claims(
    config: StageConfig,
    lake: dg.ResourceParam[Lake],
    extractor: dg.ResourceParam[Extractor],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[None]:
    """Extract the claims of texts that this extractor has not read."""
    with plain_failures():
        texts = live_passages(lake)
        name = extractor.fingerprint

        def batches(keys: list[str]) -> Iterator[Mapping[str, Any]]:
            yield from extractor.extract_batches({key: texts[key] for key in keys})

        outcome = make_missing(
            wanted=dict.fromkeys(texts, name),
            have=dict.fromkeys(read_texts(lake, name), name),
            ledger=FailureLedger(lake, "claims", now(), config.retry_failed),
            batches=batches,
            commit=lambda made: lake.merge(
                CLAIMS,
                [
                    {"text_sha": key, "extractor": name, "claims": [asdict(one) for one in found]}
                    for key, found in made.items()
                ],
            ),
            report=reporter(progress, "claims"),
        )
        found = [
            claim
            for row in lake.rows(CLAIMS, ["text_sha", "claims"], where=col("extractor") == name)
            if row["text_sha"] in texts
            for claim in row["claims"]
        ]
        return dg.MaterializeResult(
            metadata={
                **outcome.metadata(),
                **extractor.cost(),
                "extractor": name,
                "claims": len(found),
                "claims_per_chunk": round(len(found) / max(1, len(texts)), 2),
                "backlog": outcome.wanted - outcome.made - outcome.kept,
                "preview": preview(found, ["prob_fact", "text"]),
            }
        )


@dg.asset(
    group_name="factuality",
    kinds={"numpy", "lancedb"},
    owners=OWNERS,
    code_version="1",
    deps=[claims],
    description=(
        "Factual density of each chunk: the sum of prob_fact per token, as published "
        "(z-score within a length bin, times source authority; arXiv:2605.31506) and robust "
        "(quantile bins fitted on this corpus, median and MAD, authority added). Fitted anew over "
        "the whole corpus; only rows that changed are written."
    ),
)
def factual_density(
    lake: dg.ResourceParam[Lake],
    extractor: dg.ResourceParam[Extractor],
    profile: dg.ResourceParam[Profile],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[None]:
    """Compute both variants of FD* for every chunk of the next release."""
    with plain_failures():
        progress.report("factual_density", 0, 0)
        papers = live_papers(lake)
        passages = live_chunks(lake, ["chunk_id", "text_sha", "tokens"])
        claims_of = {
            row["text_sha"]: row["claims"]
            for row in lake.rows(CLAIMS, where=col("extractor") == extractor.fingerprint)
        }
        rows = density_rows(
            passages,
            claims_of,
            tier_of={key: row["tier"] for key, row in papers.items()},
            authority_of={name: tier.authority for name, tier in profile.tiers.items()},
        )
        made, refitted, removed = _write_changed(lake, rows)
        return dg.MaterializeResult(
            metadata={
                "dagster/row_count": len(rows),
                "rows_made": made,
                "rows_refitted": refitted,
                "rows_removed": removed,
                "chunks_without_claims": sum(row["claims"] == 0 for row in rows),
                "densest": preview(
                    sorted(rows, key=lambda row: float(row["fd_star"]), reverse=True),
                    ["chunk_id", "paper_id", "tier", "claims", "fd_raw", "fd_star"],
                ),
            }
        )


def _write_changed(lake: Lake, rows: list[Row]) -> tuple[int, int, int]:
    """Write what changed, drop what is gone. Returns how many rows are of chunks that are new or
    were read anew, how many changed only because the others did, and how many went."""
    before = {row["chunk_id"]: row for row in lake.rows(FACTUAL_DENSITY, [*_OWN, "fingerprint"])}
    made, refitted = [], []
    for row in rows:
        known = before.get(row["chunk_id"])
        if known is None or any(known[name] != row[name] for name in _OWN):
            made.append(row)
        elif known["fingerprint"] != row["fingerprint"]:
            refitted.append(row)
    if made or refitted:
        lake.merge(FACTUAL_DENSITY, [*made, *refitted])
    stale = sorted(before.keys() - {row["chunk_id"] for row in rows})
    removed = lake.delete(FACTUAL_DENSITY, col("chunk_id").isin(stale)) if stale else 0
    return len(made), len(refitted), removed
