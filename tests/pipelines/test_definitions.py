"""The graph loads, is described, guards what it releases, and opens nothing before it runs."""

import json
import subprocess
import sys
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from assets.answering.assets import AnswerConfig
from pipelines.definitions import build_defs
from resources.errors import UsageError
from tests.support.pipeline import CHECKOUT, parts_at, process

LINEAGE = {
    "papers": {"arxiv"},
    "pdfs": {"papers"},
    "documents": {"pdfs", "grobid"},
    "chunks": {"documents"},
    "claims": {"chunks", "gemini"},
    "factual_density": {"claims"},
    "dense_index": {"chunks"},
    "sparse_index": {"chunks"},
    "release": {"dense_index", "sparse_index", "factual_density"},
    "answer": {"release", "gemini"},
    "retrieval_scores": {"release"},
}
OUTSIDE = {"arxiv", "grobid", "gemini"}
TO_RELEASE = set(LINEAGE) - {"answer", "retrieval_scores"}


@pytest.fixture(scope="module")
def defs(tmp_path_factory: pytest.TempPathFactory) -> dg.Definitions:
    return build_defs(parts_at(tmp_path_factory.mktemp("definitions") / "data"))


@pytest.fixture(scope="module")
def nodes(defs: dg.Definitions) -> dict[str, Any]:
    graph = defs.resolve_asset_graph()
    return {key.to_user_string(): graph.get(key) for key in graph.get_all_asset_keys()}


def selected(defs: dg.Definitions, job: str) -> set[str]:
    keys = defs.resolve_job_def(job).asset_layer.executable_asset_keys
    return {key.to_user_string() for key in keys}


def test_the_lineage_is_that_of_the_design(nodes: dict[str, Any]) -> None:
    for name, parents in LINEAGE.items():
        assert {key.to_user_string() for key in nodes[name].parent_keys} == parents, name
    assert {name for name, node in nodes.items() if not node.is_executable} == OUTSIDE


def test_every_asset_is_described(nodes: dict[str, Any]) -> None:
    for name, node in nodes.items():
        assert node.kinds, name
        assert len(node.description.split()) >= 8, name
        assert node.group_name != "default", name
        if name not in OUTSIDE:
            assert node.owners == ["team:muon-evidence"], name
            assert node.code_version, name


def test_each_stage_is_a_group(nodes: dict[str, Any]) -> None:
    groups = {node.group_name for node in nodes.values()}
    stages = {"corpus", "parsing", "factuality", "retrieval", "answering", "evaluation"}
    assert groups == {*stages, "outside"}


@pytest.mark.parametrize(
    ("asset", "check"),
    [
        ("papers", "paper_ids_unique"),
        ("pdfs", "stored_pdfs_are_there"),
        ("documents", "every_page_accounted_for"),
        ("chunks", "chunk_ids_unique"),
        ("chunks", "chunks_fit_the_window"),
        ("chunks", "no_document_lost"),
        ("claims", "quotes_are_verbatim"),
        ("factual_density", "every_chunk_has_a_density"),
        ("dense_index", "dense_index_agrees_with_chunks"),
        ("sparse_index", "sparse_index_agrees_with_chunks"),
    ],
)
def test_a_bad_batch_is_blocked(defs: dg.Definitions, asset: str, check: str) -> None:
    key = dg.AssetCheckKey(dg.AssetKey(asset), check)
    assert defs.resolve_asset_graph().get_check_spec(key).blocking


def test_every_check_says_what_it_checks(defs: dg.Definitions) -> None:
    graph = defs.resolve_asset_graph()
    for key in graph.asset_check_keys:
        assert graph.get_check_spec(key).description, key


@pytest.mark.parametrize(
    ("job", "assets"),
    [
        ("refresh", TO_RELEASE),
        ("rebuild_dense_index", {"dense_index", "release"}),
        ("rebuild_sparse_index", {"sparse_index", "release"}),
        ("rebuild_indices", {"dense_index", "sparse_index", "release"}),
        ("reextract_claims", {"claims", "factual_density", "release"}),
        ("ask", {"answer"}),
    ],
)
def test_a_job_runs_its_assets(defs: dg.Definitions, job: str, assets: set[str]) -> None:
    assert selected(defs, job) == assets
    assert defs.resolve_job_def(job).description


def test_evaluate_runs_the_evaluation_stage(defs: dg.Definitions, nodes: dict[str, Any]) -> None:
    stage = {name for name, node in nodes.items() if node.group_name == "evaluation"}
    assert selected(defs, "evaluate") == stage
    assert "retrieval_scores" in stage


def test_a_rebuild_is_asked_for_by_the_job_alone(defs: dg.Definitions) -> None:
    for job, ops in {
        "rebuild_dense_index": ["dense_index"],
        "rebuild_sparse_index": ["sparse_index"],
        "rebuild_indices": ["dense_index", "sparse_index"],
    }.items():
        config = defs.resolve_job_def(job).run_config or {}
        assert {op: config["ops"][op]["config"]["rebuild"] for op in ops} == dict.fromkeys(
            ops, True
        )


def test_a_question_is_all_that_asking_needs(defs: dg.Definitions) -> None:
    job = defs.resolve_job_def("ask")
    ways: list[dict[str, Any]] = [
        {"question": "Why?"},
        {"questions": ["Why?", "How?"]},
        {"inbox": "one.txt"},
    ]
    for asks in ways:
        assert dg.validate_run_config(job, {"ops": {"answer": {"config": asks}}})
        AnswerConfig(**asks).check_asks()
    for asks in ({}, {"m": 3}, ways[0] | ways[2]):
        with pytest.raises(UsageError, match="Give one of `question`, `questions`"):
            AnswerConfig(**asks).check_asks()


@pytest.mark.parametrize("job", ["refresh", "evaluate", "rollback", "maintenance"])
def test_other_jobs_start_without_configuration(defs: dg.Definitions, job: str) -> None:
    assert dg.validate_run_config(defs.resolve_job_def(job), {})


def test_the_workspace_and_the_project_name_one_module() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    workspace = (CHECKOUT / "workspace.yaml").read_text(encoding="utf-8").split()
    named = dict(pairwise(workspace))
    settings = project["tool"]["dagster"]
    assert named["module_name:"] == settings["module_name"] == "pipelines.definitions"
    assert named["location_name:"] == settings["code_location_name"]


def test_dagsters_packages_are_pinned_together() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    pins = [one for one in project["project"]["dependencies"] if one.startswith("dagster")]
    assert len({pin.split("==")[1] for pin in pins}) == 1


def test_dagster_validates_the_definitions(tmp_path: Path) -> None:
    validated = process(
        "definitions", "validate", module="dagster", MUON_DATA=str(tmp_path / "data")
    )
    assert validated.status == 0, validated.err
    assert "All code locations passed validation" in validated.out + validated.err


_LOAD = """
import json, sys
import pipelines.definitions
heavy = {"torch", "lancedb", "google.genai", "openai", "onnxruntime", "matplotlib", "transformers"}
print(json.dumps(sorted(heavy & set(sys.modules))))
"""


def test_loading_the_graph_is_light_and_touches_nothing(tmp_path: Path) -> None:
    data = tmp_path / "data"
    loaded = subprocess.run(
        [sys.executable, "-c", _LOAD],
        cwd=CHECKOUT,
        env={"PATH": "", "MUON_DATA": str(data), "GROBID_URL": "http://127.0.0.1:9"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(loaded.stdout) == []
    assert not data.exists()
