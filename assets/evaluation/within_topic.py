"""Does density tell expert text from lay text, and findings from background, on one topic?

What a ranking by density promises needs no query to be tested: texts on the same topic differ in
nothing but what they say of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from assets.evaluation.audit import Claims
from assets.evaluation.conditions import AuditCorpus
from assets.evaluation.density_audit import VARIANTS, density_audit
from assets.evaluation.health_corpus import (
    AUTHORITY,
    REVIEW,
    SUMMARY,
    HealthDocument,
    HealthQuestion,
)
from assets.evaluation.judging import covers
from assets.evaluation.significance import paired_difference
from assets.factuality.density_table import density_rows
from assets.parsing.chunking import CountTokens
from assets.parsing.records import Chunk
from resources.lake import Row


def document_rows(
    documents: Sequence[HealthDocument],
    chunks: Sequence[Chunk],
    claims: Mapping[str, Claims],
    count_tokens: CountTokens,
) -> list[Row]:
    """FD_raw and both variants of FD* of whole documents, as the paper has them.

    A claim that stands where two passages overlap counts once.
    """
    own: dict[str, dict[tuple[str, str], Any]] = {one.document_id: {} for one in documents}
    for chunk in chunks:
        for claim in claims[chunk.text_sha]:
            own[chunk.paper_id][claim["text"], claim["quote"]] = claim
    return density_rows(
        [
            {
                "chunk_id": one.document_id,
                "paper_id": one.document_id,
                "text_sha": one.document_id,
                "tokens": count_tokens(one.text),
            }
            for one in documents
        ],
        {key: list(found.values()) for key, found in own.items()},
        tier_of={one.document_id: one.tier for one in documents},
        authority_of=AUTHORITY,
    )


def documents_report(documents: Sequence[HealthDocument], rows: Sequence[Row]) -> dict[str, Any]:
    """The length confound of whole documents, and each review against its own summary.

    A positive difference says that the review is denser than the summary.
    """
    density_of = {row["chunk_id"]: row for row in rows}
    pairs: dict[str, dict[str, Row]] = {}
    for one in documents:
        if one.pair:
            pairs.setdefault(one.pair, {})[one.tier] = density_of[one.document_id]
    whole = [pair for pair in pairs.values() if {REVIEW, SUMMARY} <= pair.keys()]
    return {
        "documents": len(rows),
        "length_confound": density_audit(rows, {})["length_confound"],
        "review_against_summary": {
            name: asdict(
                paired_difference(
                    [pair[REVIEW][column] for pair in whole],
                    [pair[SUMMARY][column] for pair in whole],
                )
            )
            for name, column in VARIANTS.items()
            if whole
        },
    }


def conclusions_report(
    questions: Sequence[HealthQuestion], corpus: AuditCorpus, rows: Sequence[Row]
) -> dict[str, Any]:
    """Within an abstract: the passages that hold its conclusion against those that do not.

    Abstracts of one passage, and those whose conclusion a passage's end cuts, are left out. A
    positive difference says that the passage with the conclusion is denser.
    """
    places: dict[str, list[int]] = {}
    for place, document in enumerate(corpus.document_ids):
        places.setdefault(document, []).append(place)
    parted = []
    for question in questions:
        own = places[question.document_id]
        holding = [place for place in own if covers(corpus.texts[place], question.conclusion)]
        others = [place for place in own if place not in holding]
        if holding and others:
            parted.append((holding, others))
    return {
        name: asdict(
            paired_difference(
                [float(np.mean([rows[place][column] for place in held])) for held, _ in parted],
                [float(np.mean([rows[place][column] for place in rest])) for _, rest in parted],
            )
        )
        for name, column in VARIANTS.items()
        if parted
    }
