"""The factual density of a whole corpus's chunks as rows of its table."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from assets.factuality.density import fd_raw, fit_bins, published, robust
from assets.increment import fingerprint
from resources.lake import Row

#: Authority of a paper whose tier is not known: neither raised nor lowered.
NEUTRAL_AUTHORITY = 1.0


def density_rows(
    chunks: Sequence[Mapping[str, Any]],
    claims_of: Mapping[str, Sequence[Mapping[str, Any]]],
    tier_of: Mapping[str, str],
    authority_of: Mapping[str, float],
) -> list[Row]:
    """FD_raw and both variants of FD* for some chunks, standardised among each other.

    `chunks` have `chunk_id`, `paper_id`, `text_sha` and `tokens`; `claims_of` maps text hashes to
    claims; `tier_of` papers to tiers and `authority_of` tiers to authority.
    """
    if not chunks:
        return []
    found = [claims_of.get(chunk["text_sha"], ()) for chunk in chunks]
    sums = np.array([sum(claim["prob_fact"] for claim in claims) for claims in found])
    tokens = np.array([chunk["tokens"] for chunk in chunks])
    tiers = [tier_of.get(chunk["paper_id"], "") for chunk in chunks]
    authority = np.array([authority_of.get(tier, NEUTRAL_AUTHORITY) for tier in tiers])
    raw = fd_raw(sums, tokens)
    bins = fit_bins(tokens)
    as_published = published(raw, tokens, authority)
    ours = robust(raw, tokens, authority, bins)
    labels = [bins.labels[index] for index in bins.index(tokens)]
    rows = []
    for i, chunk in enumerate(chunks):
        row = {
            "chunk_id": chunk["chunk_id"],
            "paper_id": chunk["paper_id"],
            "tier": tiers[i],
            "tokens": int(tokens[i]),
            "claims": len(found[i]),
            "prob_fact_sum": float(sums[i]),
            "fd_raw": float(raw[i]),
            "bin": labels[i],
            "fd_star_published": float(as_published[i]),
            "fd_star": float(ours[i]),
        }
        rows.append({**row, "fingerprint": fingerprint(row)})
    return rows
