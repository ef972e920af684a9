"""What both audits are made of: claims of passages, coverage, and the test of the conditions."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from assets.evaluation.conditions import AuditCorpus, Ranked, rank
from assets.evaluation.coverage import Rows, passing
from assets.evaluation.density_audit import VARIANTS, density_audit
from assets.evaluation.plots import length_plot, prob_fact_plot
from assets.factuality.extractors import Extractor, Passage
from assets.parsing.records import text_sha
from resources.encoder import Vectors
from resources.errors import MuonEvidenceError

Claims = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Audit:
    """A report of plain values, and its plots as PNG images by name."""

    report: dict[str, Any]
    plots: dict[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Asked:
    """Queries with their coverage, the rows of passages that pass for each, and the rankings."""

    ranked: Ranked
    passing: list[Rows]
    coverage: dict[str, Any]

    @property
    def covered(self) -> list[int]:
        """Places of the queries that some passage passes for."""
        return [place for place, rows in enumerate(self.passing) if len(rows)]


def claims_by_text(extractor: Extractor, texts: Sequence[str]) -> dict[str, Claims]:
    """Claims of every text by its hash; a text whose claims cannot be had is an error."""
    passages = {text_sha(text): Passage(text) for text in texts}
    found: dict[str, Claims] = {}
    for batch in extractor.extract_batches(passages):
        for key, claims in batch.items():
            if isinstance(claims, Exception):
                raise MuonEvidenceError(f"A passage's claims cannot be had: {claims}") from claims
            found[key] = [asdict(claim) for claim in claims]
    return found


def ask(corpus: AuditCorpus, queries: Sequence[str], vectors: Vectors) -> Asked:
    """Filter and rank the whole corpus for some queries; `vectors` has a row a query."""
    rows, coverage = passing(queries, vectors, corpus.texts, corpus.vectors)
    return Asked(
        ranked=rank(corpus, queries, vectors),
        passing=rows,
        coverage={
            **asdict(coverage),
            "share": coverage.share,
            "sufficient": coverage.sufficient,
            "best_cosine": _quartiles(vectors, corpus.vectors),
        },
    )


def audit_density(rows: Sequence[Mapping[str, Any]], claims: Sequence[Claims]) -> Audit:
    """The audit of the passages of `density_rows`, with the claims of each."""
    prob_facts: dict[str, list[float]] = {}
    for row, found in zip(rows, claims, strict=True):
        scores = prob_facts.setdefault(row["tier"], [])
        scores.extend(claim["prob_fact"] for claim in found)
    report = density_audit(rows, prob_facts)
    densities = {name: [row[column] for row in rows] for name, column in VARIANTS.items()}
    tokens = [row["tokens"] for row in rows]
    return Audit(
        report,
        {
            "prob_fact by tier": prob_fact_plot(prob_facts),
            "density and length": length_plot(tokens, densities, report["length_confound"]),
        },
    )


def _quartiles(queries: Vectors, passages: Vectors) -> list[float]:
    """Quartiles over the queries of each one's highest cosine with any passage."""
    if not len(queries) or not len(passages):
        return []
    best = [float((passages @ query).max()) for query in queries]
    return [round(float(value), 3) for value in np.quantile(best, [0.25, 0.5, 0.75])]
