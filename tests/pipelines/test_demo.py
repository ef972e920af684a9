"""The demo from nothing: every asset made and checked, an answer whose pages hold its words, and
nothing made a second time."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from assets.evaluation.judging import covers
from assets.tables import ANSWERS, CHUNKS, DOCUMENTS, PAPERS, PDFS, every_table
from pipelines.definitions import build_defs
from resources import sample_corpus
from resources.lake import Lake
from tests.support.pipeline import Demo, RunRecord, parts_at, process, recorded_runs

STAGES = ["pdfs", "documents", "chunks", "claims", "dense_index", "sparse_index", "factual_density"]

#: Characters that one asset's metadata may hold: a page that a person reads, not a data dump.
MOST_METADATA = 20_000


@pytest.fixture(scope="module")
def runs(demo: Demo) -> dict[str, RunRecord]:
    """The demo's runs by job, as the UI would show them."""
    return {run.job: run for run in recorded_runs(demo.data)}


@pytest.fixture(scope="module")
def answer(demo: Demo) -> dict[str, Any]:
    (row,) = Lake(f"{demo.data}/lake").rows(ANSWERS, ["answer"])
    return dict(json.loads(row["answer"]))


def page_text(paper_id: str, page: int) -> str:
    name = paper_id.removeprefix("sample-")
    document = pypdfium2.PdfDocument(sample_corpus.folder() / f"{name}.pdf")
    try:
        return str(document[page - 1].get_textpage().get_text_range())
    finally:
        document.close()


def test_the_runs_are_where_the_ui_looks(runs: dict[str, RunRecord]) -> None:
    assert {job: run.status for job, run in runs.items()} == {
        "refresh": "SUCCESS",
        "ask": "SUCCESS",
    }


def test_every_asset_was_made(runs: dict[str, RunRecord]) -> None:
    assert set(runs["refresh"].metadata) == {"papers", *STAGES, "release"}
    assert set(runs["ask"].metadata) == {"answer"}


def test_every_check_was_made_and_passed(runs: dict[str, RunRecord], demo: Demo) -> None:
    graph = build_defs(parts_at(demo.data)).resolve_asset_graph()
    every = {
        f"{key.asset_key.to_user_string()}:{key.name}"
        for key in graph.asset_check_keys
        if key.asset_key.to_user_string() in runs["refresh"].metadata
    }
    assert runs["refresh"].checks == dict.fromkeys(every, True)


def test_metadata_counts_what_the_tables_hold(runs: dict[str, RunRecord], demo: Demo) -> None:
    lake = Lake(f"{demo.data}/lake")
    made = runs["refresh"].metadata
    papers = len(list(sample_corpus.folder().glob("*.pdf")))
    assert made["papers"]["new"] == lake.count(PAPERS) == papers
    assert made["pdfs"]["rows_made"] == lake.count(PDFS) == papers
    assert made["documents"]["rows_made"] == lake.count(DOCUMENTS) == papers
    assert made["chunks"]["dagster/row_count"] == lake.count(CHUNKS)
    assert made["dense_index"]["rows_made"] == lake.count(CHUNKS)
    assert made["sparse_index"]["rows_made"] == lake.count(CHUNKS)
    assert made["factual_density"]["rows_made"] == lake.count(CHUNKS)
    assert made["release"]["papers"] == papers
    assert made["release"]["chunks"] == lake.count(CHUNKS)
    assert made["documents"]["pages_without_text"] == 0
    assert made["claims"]["claims"] > made["claims"]["rows_made"] > 0


def test_metadata_stays_readable(runs: dict[str, RunRecord]) -> None:
    for run in runs.values():
        for asset, metadata in run.metadata.items():
            assert len(json.dumps(metadata)) < MOST_METADATA, asset


def test_the_answer_is_printed_with_its_sources(demo: Demo, answer: dict[str, Any]) -> None:
    out = " ".join(demo.run.out.split())
    assert answer["question"] in out
    for sentence in answer["sentences"]:
        assert " ".join(sentence["text"].split()) in out
    for citation in (one for sentence in answer["sentences"] for one in sentence["citations"]):
        assert f"({citation['paper_id']}), page {citation['page']}" in out
    assert "make ui" in out
    assert "Traceback" not in demo.run.err


def test_the_cited_pages_hold_the_cited_words(answer: dict[str, Any]) -> None:
    citations = [one for sentence in answer["sentences"] for one in sentence["citations"]]
    assert len(citations) >= 2
    assert all(sentence["citations"] for sentence in answer["sentences"])
    for citation in citations:
        assert covers(page_text(citation["paper_id"], citation["page"]), citation["quote"], 0.8)
        assert citation["link"].endswith(f"#page={citation['page']}")


def test_the_answers_page_shows_it_as_markdown(
    runs: dict[str, RunRecord], answer: dict[str, Any]
) -> None:
    shown = runs["ask"].metadata["answer"]
    assert shown["answer_id"] == answer["answer_id"]
    assert answer["question"] in shown["answer"]
    assert answer["sentences"][0]["citations"][0]["link"] in shown["answer"]


def test_a_second_demo_makes_nothing(demo: Demo, copy_of_demo: Callable[[], Path]) -> None:
    data = copy_of_demo()
    lake = Lake(f"{data}/lake")
    before = {table.name: lake.version(table) for table in every_table()}
    again = process("demo", "--data", str(data))
    assert again.status == 0
    assert again.out.replace(str(data), str(demo.data)) == demo.run.out
    refresh = recorded_runs(data)[2]
    assert refresh.job == "refresh"
    assert {stage: refresh.metadata[stage]["rows_made"] for stage in STAGES} == dict.fromkeys(
        STAGES, 0
    )
    assert refresh.metadata["papers"]["unchanged"] == lake.count(PAPERS)
    assert refresh.metadata["release"]["new"] is False
    after = {table.name: lake.version(table) for table in every_table() if table != ANSWERS}
    assert after == {name: before[name] for name in after}, "a table was written to"
    assert lake.count(ANSWERS) == 1
