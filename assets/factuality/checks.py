"""Dagster's checks of the factuality stage."""

import dagster as dg

from assets.factuality.assets import claims, factual_density
from assets.factuality.backlog import unread_texts
from assets.factuality.extractors import Extractor
from assets.parsing.selection import live_chunks
from assets.tables import CLAIMS, FACTUAL_DENSITY
from resources.lake import Lake, col


@dg.asset_check(asset=claims, blocking=True)
def quotes_are_verbatim(
    lake: dg.ResourceParam[Lake], extractor: dg.ResourceParam[Extractor]
) -> dg.AssetCheckResult:
    """Every claim's quote stands letter by letter in the chunk it was taken from."""
    texts = {row["text_sha"]: row["text"] for row in live_chunks(lake, ["text_sha", "text"])}
    checked = 0
    wrong: list[str] = []
    for row in lake.rows(CLAIMS, where=col("extractor") == extractor.fingerprint):
        text = texts.get(row["text_sha"])
        if text is None:
            continue
        for claim in row["claims"]:
            checked += 1
            if not claim["quote"] or claim["quote"] not in text:
                wrong.append(claim["quote"])
    return dg.AssetCheckResult(
        passed=not wrong, metadata={"quotes": checked, "not_in_their_chunk": wrong[:10]}
    )


@dg.asset_check(asset=claims)
def every_chunk_was_read(
    lake: dg.ResourceParam[Lake], extractor: dg.ResourceParam[Extractor]
) -> dg.AssetCheckResult:
    """Chunks whose claims were not extracted yet (a budget that ran out, a refused passage)."""
    wanted = {row["text_sha"] for row in live_chunks(lake, ["text_sha"])}
    unread = unread_texts(lake, extractor.fingerprint)
    return dg.AssetCheckResult(
        passed=not unread,
        severity=dg.AssetCheckSeverity.WARN,
        metadata={"chunks": len(wanted), "unread": len(unread)},
    )


@dg.asset_check(asset=factual_density, blocking=True)
def every_chunk_has_a_density(lake: dg.ResourceParam[Lake]) -> dg.AssetCheckResult:
    """The density table holds exactly the chunks of the next release."""
    wanted = {row["chunk_id"] for row in live_chunks(lake, ["chunk_id"])}
    have = set(lake.read(FACTUAL_DENSITY, ["chunk_id"])["chunk_id"].to_pylist())
    return dg.AssetCheckResult(
        passed=wanted == have,
        metadata={"missing": len(wanted - have), "left_over": len(have - wanted)},
    )
