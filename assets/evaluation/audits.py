"""Dagster's view of the density audit: one report of a release, with its plots and its checks."""

from pathlib import Path
from typing import Any

import dagster as dg

from assets.evaluation.assets import EvaluationConfig, questions_file, report_path
from assets.evaluation.audit_text import plots_text, release_text
from assets.evaluation.claim_labels import read_labels
from assets.evaluation.coverage import GATE
from assets.evaluation.density_audit import LARGEST_CONFOUND
from assets.evaluation.judging import Judge, gold_module, load_questions
from assets.evaluation.release_audit import label_agreement, open_release, release_audit
from assets.factuality.confound import LEAST_SPREAD
from assets.factuality.extractors import Extractor
from assets.reporting import OWNERS, Progress, plain_failures
from assets.retrieval.assets import release
from assets.retrieval.release import require_current
from resources.encoder import Encoder
from resources.files import Files
from resources.lake import Lake
from resources.profile import Profile

NAME = "density_audit"

SPREAD, CONFOUND, COVERAGE = "claim_scores_vary", "density_is_not_length", "questions_are_covered"


class AuditConfig(EvaluationConfig):
    """Also a JSONL file of hand-labelled sentences (empty: no comparison with labels)."""

    labels: str = ""


@dg.asset(
    group_name="evaluation",
    kinds={"python"},
    owners=OWNERS,
    code_version="1",
    deps=[release],
    check_specs=[
        dg.AssetCheckSpec(
            SPREAD,
            asset=NAME,
            description=f"prob_fact varies in every source tier (spread ≥ {LEAST_SPREAD}).",
        ),
        dg.AssetCheckSpec(
            CONFOUND,
            asset=NAME,
            description=(
                "The release's factual density is not just length: the interval of its "
                f"correlation lies within ±{LARGEST_CONFOUND}."
            ),
        ),
        dg.AssetCheckSpec(
            COVERAGE,
            asset=NAME,
            description=(
                f"The corpus holds something on at least {GATE:.0%} of the questions (double "
                "filter over all chunks)."
            ),
        ),
    ],
    description=(
        "Claims and factual density of the current release: spread of prob_fact by tier, length "
        "confound, claims a chunk, coverage of the questions, and whether reranking by density "
        "helps, tested pair by pair with a sweep over its weight (arXiv:2605.31506)."
    ),
)
def density_audit(  # noqa: PLR0913 - Dagster hands every resource over as an argument
    config: AuditConfig,
    lake: dg.ResourceParam[Lake],
    files: dg.ResourceParam[Files],
    encoder: dg.ResourceParam[Encoder],
    extractor: dg.ResourceParam[Extractor],
    profile: dg.ResourceParam[Profile],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult:  # type: ignore[type-arg]  # Dagster takes no other
    """Audit the current release."""
    with plain_failures():
        path = questions_file(config.questions)
        questions = load_questions(path, config.set)
        labels = read_labels(Path(config.labels).expanduser()) if config.labels else []
        current = require_current(files)
        progress.report(NAME, 0, 2)
        parts = open_release(lake, files, current, encoder, extractor.fingerprint)
        present = [tier for tier in profile.tiers if tier in set(parts.corpus.tiers)]
        expert = max(present, key=lambda tier: profile.tiers[tier].authority, default="")
        progress.report(NAME, 1, 2)
        audit = release_audit(
            parts, questions, Judge(parts.texts, gold_module(path)), encoder, expert
        )
        report = audit.report
        if labels:
            report["labels"] = label_agreement(labels, extractor)
        files.write_json(report_path("density", current.release_id, path, config.set), report)
        progress.report(NAME, 2, 2)
        return dg.MaterializeResult(
            metadata={
                "release": current.release_id,
                "claims": report["density"]["claims"],
                "verdict": report["verdict"],
                "report": dg.MetadataValue.md(release_text(report)),
                "plots": dg.MetadataValue.md(plots_text(audit.plots)),
            },
            check_results=_checks(report),
        )


def _checks(report: dict[str, Any]) -> list[dg.AssetCheckResult]:
    density = report["density"]
    spread = density["prob_fact"]
    confound = density["length_confound"][report["density_variant"]]
    coverage = report["coverage"]
    return [
        _warning(
            SPREAD,
            spread["sufficient"],
            {tier: round(one["std"], 4) for tier, one in spread["by_tier"].items()},
        ),
        _warning(CONFOUND, confound is not None and confound["small"], confound or {}),
        _warning(
            COVERAGE,
            coverage["sufficient"],
            {name: coverage[name] for name in ("queries", "covered", "share")},
        ),
    ]


def _warning(name: str, passed: bool, metadata: dict[str, Any]) -> dg.AssetCheckResult:
    return dg.AssetCheckResult(
        check_name=name, passed=passed, severity=dg.AssetCheckSeverity.WARN, metadata=metadata
    )
