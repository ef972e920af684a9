"""Factual density on medical literature, where it was published: the test that was never run.

Three kinds of source stand side by side: Cochrane abstracts, the plain-language summaries of the
same reviews, and PubMed abstracts. The queries are

- PubMedQA's questions; relevant are the passages of the abstract that the question was asked of,
  which the data set's makers know and no ranking decides. They are few, so P@5 has a low ceiling,
  and MRR and nDCG stand beside it.
- HealthFC's claims; nobody has judged passages for them, so relevant is what passes the double
  filter, as in the paper. Half of that filter is the cosine, by which condition A ranks: A cannot
  lose, and the comparison is shown but decides nothing. Who fills the first places needs no
  judgement and is compared over all claims.

The paper does not say which tier had which authority; all six ways are tried.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np

from assets.evaluation.audit import Asked, Audit, Claims, ask, audit_density, claims_by_text
from assets.evaluation.conditions import WEIGHT, AuditCorpus, Condition, candidates
from assets.evaluation.coverage import GATE
from assets.evaluation.density_effect import VARIANTS, density_test, tier_test
from assets.evaluation.health_corpus import AUTHORITY, REVIEW, HealthData, health_chunks
from assets.evaluation.metrics import precision
from assets.evaluation.plots import saturation_plot, sweep_plot
from assets.evaluation.saturation import TOP
from assets.evaluation.vector_cache import cached_vectors
from assets.evaluation.verdict import direction, figures, verdict
from assets.evaluation.within_topic import conclusions_report, document_rows, documents_report
from assets.factuality.density_table import density_rows
from assets.factuality.extractors import Extractor
from assets.parsing.records import Chunk
from assets.retrieval.sparse import SparseIndex
from resources.encoder import Encoder, Vectors
from resources.lake import Lake, Row

Report = Callable[[str, int, int], None]


def health_audit(
    data: HealthData, encoder: Encoder, extractor: Extractor, cache: Lake, report: Report
) -> Audit:
    """The whole audit; vectors are kept in `cache`, progress goes to `report` by stage."""
    chunks = [
        chunk
        for document in data.documents
        for chunk in health_chunks(document, encoder.count_tokens, encoder.window)
    ]
    report("claims", 0, len(chunks))
    claims = claims_by_text(extractor, [chunk.text for chunk in chunks])
    report("claims", len(chunks), len(chunks))
    tier_of = {document.document_id: document.tier for document in data.documents}
    rows = _rows(chunks, claims, tier_of, AUTHORITY)
    vectors = cached_vectors(
        cache, encoder, [chunk.text for chunk in chunks], lambda *n: report("dense_index", *n)
    )
    corpus = _corpus(chunks, rows, vectors)
    texts = [*(one.text for one in data.questions), *(one.text for one in data.claims)]
    asked = cached_vectors(cache, encoder, texts, lambda *n: report("queries", *n), queries=True)
    count = len(data.questions)

    report("density_audit", 0, 3)
    pubmed = ask(corpus, texts[:count], asked[:count])
    report("density_audit", 1, 3)
    health = ask(corpus, texts[count:], asked[count:])
    report("density_audit", 2, 3)
    grades = _own_passages(data, corpus)
    density = audit_density(rows, [claims[chunk.text_sha] for chunk in chunks])
    whole = document_rows(data.documents, chunks, claims, encoder.count_tokens)
    found: dict[str, Any] = {
        "extractor": extractor.fingerprint,
        "encoder": encoder.id,
        "authority": dict(AUTHORITY),
        "documents": dict(Counter(document.tier for document in data.documents)),
        "passages": dict(Counter(corpus.tiers)),
        "density": density.report,
        "whole_documents": documents_report(data.documents, whole),
        "conclusions": conclusions_report(data.questions, corpus, rows),
        "pubmedqa": _pubmedqa(corpus, pubmed, grades),
        "healthfc": _healthfc(corpus, health),
        "authority_orders": _authority_orders(
            corpus,
            pubmed,
            asked[:count],
            grades,
            lambda given: _rows(chunks, claims, tier_of, given),
        ),
    }
    found["verdict"] = _verdict(found)
    report("density_audit", 3, 3)
    test = found["pubmedqa"]["test"]
    return Audit(
        found,
        {
            **density.plots,
            "P@5 by weight": sweep_plot(test["sweep"], test["best_possible_P@5"]),
            "tiers, PubMedQA": saturation_plot(found["pubmedqa"]["tiers"]["saturation"]),
            "tiers, HealthFC": saturation_plot(found["healthfc"]["tiers"]["saturation"]),
        },
    )


def _rows(
    chunks: Sequence[Chunk],
    claims: Mapping[str, Claims],
    tier_of: Mapping[str, str],
    authority: Mapping[str, float],
) -> list[Row]:
    columns = [
        {
            "chunk_id": chunk.chunk_id,
            "paper_id": chunk.paper_id,
            "text_sha": chunk.text_sha,
            "tokens": chunk.tokens,
        }
        for chunk in chunks
    ]
    return density_rows(columns, claims, tier_of, authority)


def _corpus(chunks: Sequence[Chunk], rows: Sequence[Row], vectors: Vectors) -> AuditCorpus:
    ids, texts = [chunk.chunk_id for chunk in chunks], [chunk.text for chunk in chunks]
    return AuditCorpus(
        chunk_ids=ids,
        document_ids=[chunk.paper_id for chunk in chunks],
        tiers=[row["tier"] for row in rows],
        texts=texts,
        vectors=vectors,
        bm25=SparseIndex.build(ids, texts).scores,
        published=_column(rows, "fd_star_published"),
        robust=_column(rows, "fd_star"),
        tokens=_column(rows, "tokens"),
    )


def _column(rows: Sequence[Row], name: str) -> Any:
    return np.array([row[name] for row in rows], dtype=np.float32)


def _own_passages(data: HealthData, corpus: AuditCorpus) -> list[dict[str, int]]:
    """For each question the passages of its own abstract, all of grade 1."""
    own: dict[str, dict[str, int]] = {}
    for chunk_id, document in zip(corpus.chunk_ids, corpus.document_ids, strict=True):
        own.setdefault(document, {})[chunk_id] = 1
    return [own[question.document_id] for question in data.questions]


def _pubmedqa(
    corpus: AuditCorpus, asked: Asked, grades: Sequence[Mapping[str, int]]
) -> dict[str, Any]:
    covered = asked.covered
    passed = asked.ranked.only(covered)
    return {
        "coverage": asked.coverage,
        "test": density_test(corpus, passed, [grades[place] for place in covered]),
        "test_of_all": density_test(corpus, asked.ranked, grades),
        "tiers": tier_test(passed, corpus.tiers, REVIEW),
    }


def _healthfc(corpus: AuditCorpus, asked: Asked) -> dict[str, Any]:
    covered = asked.covered
    passed = asked.ranked.only(covered)
    grades = [{corpus.chunk_ids[row]: 1 for row in asked.passing[place]} for place in covered]
    return {
        "coverage": asked.coverage,
        "test": density_test(corpus, passed, grades),
        "tiers_of_covered": tier_test(passed, corpus.tiers, REVIEW),
        "tiers": tier_test(asked.ranked, corpus.tiers, REVIEW),
    }


def _authority_orders(
    corpus: AuditCorpus,
    asked: Asked,
    vectors: Vectors,
    grades: Sequence[Mapping[str, int]],
    rows_with: Callable[[Mapping[str, float]], list[Row]],
) -> list[dict[str, Any]]:
    """Mean P@5 of the reranked conditions for each way to give the authorities to the tiers."""
    orders = []
    for given in permutations(AUTHORITY.values()):
        authority = dict(zip(AUTHORITY, given, strict=True))
        rows = rows_with(authority)
        other = replace(
            corpus, published=_column(rows, "fd_star_published"), robust=_column(rows, "fd_star")
        )
        scores: dict[Condition, list[float]] = {name: [] for name in VARIANTS}
        for place in asked.covered:
            found = candidates(other, vectors[place])
            for name, values in scores.items():
                best = found.reranked(name, WEIGHT, corpus.order)[:TOP]
                ranking = [corpus.chunk_ids[row] for row in best]
                values.append(precision(ranking, grades[place], TOP))
        means = {name.value: round(float(np.mean(own)), 4) for name, own in scores.items() if own}
        orders.append({"authority": authority, "P@5": means})
    return orders


def _verdict(found: Mapping[str, Any]) -> str:
    return " ".join(
        [
            verdict(
                found["pubmedqa"]["test"], "the PubMedQA questions that pass the double filter"
            ),
            _of_healthfc(found["healthfc"]),
            _of_pairs(found["whole_documents"]["review_against_summary"]),
            _of_conclusions(found["conclusions"]),
            f"The claims are those of {found['extractor']}.",
        ]
    ).replace("  ", " ")


def _of_healthfc(found: Mapping[str, Any]) -> str:
    coverage, tiers = found["coverage"], found["tiers"]
    if not coverage["queries"]:
        return ""
    said = (
        f"{coverage['covered']} of {coverage['queries']} HealthFC claims ({coverage['share']:.1%}) "
        f"pass the filter"
    )
    gate = "." if coverage["sufficient"] else f", under the gate of {GATE:.0%}: no test of P@5."
    shares, changes = tiers["expert_share"], tiers["against_cosine"]
    change = direction(changes["C"], "raises", "lowers", "does not change")
    return (
        f"{said}{gate} Over all of them C {change} the share of {tiers['expert']}s among the first "
        f"five: {shares['A']:.2f} by cosine, {shares['B']:.2f} by BM25, {shares['C']:.2f} by C "
        f"({figures(changes['C'])}), {shares['C-robust']:.2f} by C-robust."
    )


def _of_pairs(pairs: Mapping[str, Mapping[str, Any]]) -> str:
    if not pairs:
        return ""
    said = direction(pairs["published"], "a higher", "a lower", "no other")
    return (
        f"A review's abstract has {said} FD* than its own plain-language summary "
        f"(n = {pairs['published']['n']}: {figures(pairs['published'])})."
    )


def _of_conclusions(found: Mapping[str, Mapping[str, Any]]) -> str:
    if not found:
        return ""
    said = direction(found["published"], "a higher", "a lower", "no other")
    return (
        f"Within one abstract the passage with the conclusion has {said} FD* than the rest "
        f"(n = {found['published']['n']}: {figures(found['published'])})."
    )
