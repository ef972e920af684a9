"""What the commands do: jobs run, the release searched, reports read back."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from assets.answering.agentic import agentic_hits
from assets.answering.assets import answering_mode
from assets.corpus.assets import PapersConfig
from assets.data_format import check_format
from assets.evaluation.assets import EvaluationConfig, questions_file, report_path
from assets.evaluation.judging import load_questions
from assets.parsing.assets import ChunksConfig
from assets.reporting import StageConfig
from assets.retrieval.assets import DenseConfig
from assets.retrieval.filtered import FilteredSearcher, refuse_unknown
from assets.retrieval.filters import Filters
from assets.retrieval.reader import open_searcher
from assets.retrieval.records import Mode
from assets.retrieval.release import load_release, previous_release, require_current
from assets.retrieval.search import usable_query
from assets.retrieval.topics import papers_with_tags
from pipelines.parts import Parts
from pipelines.running import run_job
from pipelines.upkeep import RollbackConfig
from resources.errors import UsageError
from resources.folder import FolderSource

#: Hits that one search may give.
MOST_HITS = 1000


def refresh(  # noqa: PLR0913 - one value each, named by the caller
    parts: Parts,
    source: str = "",
    folder: str = "",
    ids: str = "",
    full: bool = False,
    retry_failed: bool = False,
    accept_shrunk: bool = False,
) -> dict[str, Any]:
    """Papers to release through a run of the `refresh` job; each asset's metadata.

    A source that cannot be used is told before a run begins, and leaves nothing behind.
    """
    check_format(parts.files)
    chosen = parts.sources.open(source, folder, ids)
    if isinstance(chosen, FolderSource):
        chosen.check()
    again = StageConfig(retry_failed=retry_failed)
    done = run_job(
        "refresh",
        parts,
        {
            "papers": PapersConfig(
                source=source, folder=folder, ids=ids, full=full, accept_shrunk=accept_shrunk
            ),
            "pdfs": again,
            "documents": again,
            "chunks": ChunksConfig(retry_failed=retry_failed),
            "claims": again,
            "dense_index": DenseConfig(retry_failed=retry_failed),
        },
    )
    return {"run_id": done.run_id, "assets": done.metadata}


def search(  # noqa: PLR0913 - one value each, named by the caller
    parts: Parts,
    query: str,
    mode: str = "hybrid",
    k: int = 10,
    filters: Filters | None = None,
    tags: Sequence[str] = (),
) -> list[dict[str, Any]]:
    """The best passages of the current release for a query, of those that the filters let through.

    With `tags`, of papers that one of the profile's tags fits. A filter that names what the release
    does not have is a UsageError.
    """
    query = usable_query(query)
    chosen = answering_mode(mode)
    _within("--k", k, MOST_HITS)
    check_format(parts.files)
    current = require_current(parts.files)
    whole = open_searcher(parts.lake, parts.files, current, parts.encoder, parts.reranker)
    filters = filters or Filters()
    if tags:
        tagged = papers_with_tags(whole.index, parts.encoder, parts.profile.tags, tags)
        refuse_unknown(whole.index.passages, filters)
        wanted = filters.papers or tagged
        filters = replace(filters, papers=tuple(one for one in tagged if one in wanted))
        if not filters.papers:
            return []
    searcher = FilteredSearcher(whole, filters)
    if chosen is Mode.AGENTIC:
        hits = agentic_hits(query, searcher, parts.profile, parts.model, k)
    else:
        hits = searcher.search(query, chosen, k)
    return [asdict(hit) for hit in hits]


def evaluate(parts: Parts, questions: str, only_set: str) -> dict[str, Any]:
    """Every mode's scores on a questions file, through a run of the `evaluate` job's assets."""
    if only_set not in {"retrieval", "answer"}:
        raise UsageError(f"There is no set {only_set!r}: choose retrieval or answer.")
    path = questions_file(questions)
    load_questions(path, only_set)
    check_format(parts.files)
    current = require_current(parts.files)
    kind = {"retrieval": "retrieval_scores", "answer": "answer_scores"}[only_set]
    if only_set == "answer":
        # A judge that cannot be is told before a run begins.
        _ = parts.judge
    run_job(
        "evaluate",
        parts,
        {kind: EvaluationConfig(questions=str(path.absolute()), set=only_set)},
        only=[kind],
    )
    name = report_path(only_set, current.release_id, path.absolute(), only_set)
    report: dict[str, Any] = parts.files.read_json(name)
    return report


def rollback(parts: Parts, release_id: str = "") -> tuple[str, str]:
    """Go back to a release through a run of the `rollback` job.

    Returns the release that was current, and the one that is current now.
    """
    check_format(parts.files)
    before = require_current(parts.files)
    if release_id:
        load_release(parts.files, release_id)
    else:
        previous_release(parts.files, before)
    run_job("rollback", parts, {"move_pointer": RollbackConfig(release=release_id)})
    return before.release_id, require_current(parts.files).release_id


def _within(option: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise UsageError(f"{option} must be between 1 and {most}, not {value}.")
