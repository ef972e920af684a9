"""What the `audit` and `estimate` commands do."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from assets.data_format import check_format
from assets.evaluation.assets import questions_file, report_path
from assets.evaluation.audit import Audit
from assets.evaluation.audit_text import health_text, plots_text, release_text
from assets.evaluation.audits import NAME, AuditConfig
from assets.evaluation.claim_labels import read_labels
from assets.evaluation.health_audit import health_audit
from assets.evaluation.health_corpus import read_health
from assets.evaluation.judging import load_questions
from assets.factuality.backlog import live_passages, unread_texts
from assets.retrieval.release import require_current
from pipelines.inventory import inventory
from pipelines.parts import Parts, cache_folder
from pipelines.running import run_job
from resources.lake import Lake


def audit_release(
    parts: Parts, questions: str = "", labels: str = ""
) -> tuple[dict[str, Any], str]:
    """The density audit of the current release through a run of the `audit` job.

    Returns the report, and the same in Markdown with its plots.
    """
    check_format(parts.files)
    path = questions_file(questions).absolute()
    load_questions(path)
    labels = str(Path(labels).expanduser().absolute()) if labels else ""
    if labels:
        read_labels(Path(labels))
    current = require_current(parts.files)
    done = run_job("audit", parts, {NAME: AuditConfig(questions=str(path), labels=labels)})
    report: dict[str, Any] = parts.files.read_json(
        report_path("density", current.release_id, path, "")
    )
    return report, f"{release_text(report)}\n\n{done.metadata[NAME]['plots']}\n"


def audit_health(parts: Parts, folder: Path) -> tuple[dict[str, Any], str]:
    """The density audit on medical literature, which needs no data location.

    Returns the report, and the same in Markdown with its plots. Vectors are kept in this
    machine's cache, so that a second audit embeds nothing.
    """
    data = read_health(folder)
    cache = Lake(str(cache_folder() / "audits"))
    found: Audit = health_audit(data, parts.encoder, parts.extractor, cache, parts.progress.report)
    return found.report, f"{health_text(found.report)}\n\n{plots_text(found.plots)}\n"


def estimate_claims(parts: Parts) -> dict[str, Any]:
    """What extracting the claims that are still missing would take, without a call."""
    check_format(parts.files)
    unread = unread_texts(parts.lake, parts.extractor_name)
    wanted = {key: text for key, text in live_passages(parts.lake).items() if key in unread}
    waiting = inventory(parts)["backlog"]
    return {
        "extractor": parts.extractor_name,
        "texts": len(wanted),
        **asdict(parts.extractor.estimate(wanted)),
        "budget_usd": parts.settings.budget_usd,
        "batch": parts.settings.batch,
        "papers_without_chunks": sum(waiting[name] for name in ("pdfs", "documents", "chunks")),
    }
