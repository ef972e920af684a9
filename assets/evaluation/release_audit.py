"""The density audit of a release: its claims, its densities, and whether density helps search."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assets.evaluation.audit import Audit, Claims, ask, audit_density
from assets.evaluation.claim_labels import Label, label_report, of_the_sentence
from assets.evaluation.conditions import AuditCorpus
from assets.evaluation.density_effect import density_test, tier_test
from assets.evaluation.judging import Judge, Question
from assets.evaluation.plots import saturation_plot, sweep_plot
from assets.evaluation.verdict import verdict
from assets.factuality.extractors import Extractor, Passage
from assets.factuality.records import Claim
from assets.parsing.records import passage_text
from assets.retrieval.reader import open_searcher
from assets.retrieval.release import Release
from assets.tables import CHUNKS, CLAIMS, FACTUAL_DENSITY
from resources.encoder import Encoder
from resources.errors import MuonEvidenceError
from resources.files import Files
from resources.lake import Lake, Row, col

#: Parts of the audited corpus, and the column of the density table that each is.
_COLUMNS = {"published": "fd_star_published", "robust": "fd_star", "tokens": "tokens"}


@dataclass(frozen=True)
class ReleaseParts:
    """What a release holds for the audit; passage i of the corpus has row i and claims i.

    `texts` maps chunk ids to (paper id, text); `unread` counts passages whose claims the
    extractor has not read.
    """

    release: Release
    corpus: AuditCorpus
    texts: Mapping[str, tuple[str, str]]
    rows: Sequence[Row]
    claims: Sequence[Claims]
    unread: int


def open_release(
    lake: Lake, files: Files, release: Release, encoder: Encoder, extractor: str
) -> ReleaseParts:
    """What a release pinned, with the claims that the extractor of this name found in it."""
    index = open_searcher(lake, files, release, encoder).index
    passages = list(index.passages)
    density = {
        row["chunk_id"]: row
        for row in lake.rows(FACTUAL_DENSITY, version=release.versions[FACTUAL_DENSITY.name])
    }
    columns = ["chunk_id", "text_sha"]
    chunks = lake.rows(CHUNKS, columns, version=release.versions[CHUNKS.name])
    sha_of = {row["chunk_id"]: row["text_sha"] for row in chunks}
    read = {
        row["text_sha"]: row["claims"]
        for row in lake.rows(CLAIMS, ["text_sha", "claims"], where=col("extractor") == extractor)
    }
    lacking = [passage.chunk_id for passage in passages if passage.chunk_id not in density]
    if lacking:
        raise MuonEvidenceError(
            f"Release {release.release_id} has {len(lacking)} passages without a factual density: "
            "run a refresh."
        )
    rows = [density[passage.chunk_id] for passage in passages]
    shas = [sha_of[passage.chunk_id] for passage in passages]
    corpus = AuditCorpus(
        chunk_ids=[passage.chunk_id for passage in passages],
        document_ids=[passage.paper_id for passage in passages],
        tiers=[row["tier"] for row in rows],
        texts=[passage_text(one.title, one.section, one.text) for one in passages],
        vectors=index.vectors,
        bm25=lambda query: index.sparse.scores(query)[index.sparse_rows],
        **{
            name: np.array([row[column] for row in rows], dtype=np.float32)
            for name, column in _COLUMNS.items()
        },
    )
    return ReleaseParts(
        release=release,
        corpus=corpus,
        texts={one.chunk_id: (one.paper_id, one.text) for one in passages},
        rows=rows,
        claims=[read.get(sha, ()) for sha in shas],
        unread=sum(sha not in read for sha in shas),
    )


def release_audit(
    parts: ReleaseParts,
    questions: Sequence[Question],
    judge: Judge,
    encoder: Encoder,
    expert: str,
) -> Audit:
    """Audit a release, and test the conditions on the answerable ones of some questions.

    `expert` names the tier whose share of the first places is compared.
    """
    density = audit_density(parts.rows, parts.claims)
    asked = [question for question in questions if question.answerable]
    texts = [question.question for question in asked]
    vectors = encoder.encode_queries(texts)
    found = ask(parts.corpus, texts, vectors)
    grades = [judge.grades(question) for question in asked]
    test = density_test(parts.corpus, found.ranked, grades)
    covered = found.covered
    passing = density_test(
        parts.corpus, found.ranked.only(covered), [grades[place] for place in covered]
    )
    tiers = tier_test(found.ranked, parts.corpus.tiers, expert)
    variant = parts.release.density_variant
    report = {
        "release": parts.release.release_id,
        "density_variant": variant,
        "unread": parts.unread,
        "density": density.report,
        "coverage": found.coverage,
        "test": test,
        "test_of_covered": passing,
        "tiers": tiers,
        "verdict": verdict(test, "the questions with gold passages"),
    }
    return Audit(
        report,
        {
            **density.plots,
            "P@5 by weight": sweep_plot(test["sweep"], test["best_possible_P@5"]),
            "tiers": saturation_plot(tiers["saturation"]),
        },
    )


def label_agreement(labels: Sequence[Label], extractor: Extractor) -> dict[str, Any]:
    """How well the extractor's claims agree with hand labels; an item it cannot read has none."""
    passages = {label.id: Passage(label.passage) for label in labels}
    found: dict[str, list[Claim]] = {}
    for batch in extractor.extract_batches(passages):
        found |= {key: made for key, made in batch.items() if isinstance(made, list)}
    claims = [of_the_sentence(label, found.get(label.id, [])) for label in labels]
    return {"extractor": extractor.fingerprint, **label_report(labels, claims)}
