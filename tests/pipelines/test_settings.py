"""Settings come from the environment, are documented, and are refused by name."""

import re
from pathlib import Path

import pytest

from assets.retrieval.building import Bm25
from pipelines.parts import Parts
from pipelines.settings import Settings, read_settings
from resources.errors import UsageError
from tests.support.nli import onnx_folder
from tests.support.pipeline import CHECKOUT

ALIASES = {name: str(field.alias) for name, field in Settings.model_fields.items()}


def test_the_defaults_need_nothing() -> None:
    settings = read_settings()
    assert (settings.source, settings.folder, settings.model) == ("sample", "", "")
    assert (settings.grobid_url, settings.encoder, settings.density) == ("", "", "published")
    assert (settings.arxiv_pace, settings.budget_usd, settings.batch) == (3.0, 5.0, False)


def test_every_setting_is_read_from_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUON_DATA", "s3://bucket/corpus/")
    monkeypatch.setenv("MUON_SOURCE", "folder")
    monkeypatch.setenv("MUON_ARXIV_PACE", "0.5")
    monkeypatch.setenv("GROBID_URL", "http://localhost:8070")
    monkeypatch.setenv("MUON_WORKERS", "7")
    settings = read_settings()
    assert settings.location == "s3://bucket/corpus"
    assert (settings.source, settings.arxiv_pace, settings.workers) == ("folder", 0.5, 7)
    assert settings.grobid_url == "http://localhost:8070"


@pytest.mark.parametrize("alias", ALIASES.values())
def test_an_empty_variable_is_the_default(monkeypatch: pytest.MonkeyPatch, alias: str) -> None:
    default = read_settings()
    monkeypatch.setenv(alias, "")
    assert read_settings() == default


def test_a_folder_becomes_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert read_settings().location == str(tmp_path / "data")
    monkeypatch.setenv("MUON_DATA", "~/corpus")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert read_settings().location == str(tmp_path / "corpus")


def test_parameters_of_bm25_that_are_not_set_stay_the_indexs_own() -> None:
    assert Parts(Settings()).bm25 == Bm25()
    assert Parts(Settings(MUON_BM25_B=0.75)).bm25 == Bm25(b=0.75)
    assert Parts(Settings(MUON_BM25_K1=1.2, MUON_BM25_B=0)).bm25 == Bm25(k1=1.2, b=0.0)


def test_a_reranker_is_opened_where_one_is_set(tmp_path: Path) -> None:
    assert Parts(Settings()).reranker is None
    with pytest.raises(UsageError, match=r"MUON_RERANKER"):
        _ = Parts(Settings(MUON_RERANKER=str(tmp_path))).reranker


def test_a_model_of_inference_is_opened_where_one_is_set(tmp_path: Path) -> None:
    assert Parts(Settings()).entailment is None
    folder = onnx_folder(tmp_path / "nli")
    opened = Parts(Settings(MUON_NLI=str(folder))).entailment
    assert opened is not None
    assert opened.id.startswith("nli@")
    with pytest.raises(UsageError, match=r"MUON_NLI"):
        _ = Parts(Settings(MUON_NLI=str(tmp_path))).entailment


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MUON_SOURCE", "web"),
        ("MUON_ARXIV_PACE", "-1"),
        ("MUON_ARXIV_PACE", "fast"),
        ("MUON_BUDGET_USD", "-0.01"),
        ("MUON_DENSITY", "dense"),
        ("MUON_BM25_K1", "-0.1"),
        ("MUON_BM25_B", "1.1"),
        ("MUON_WORKERS", "0"),
        ("MUON_WORKERS", "1000"),
    ],
)
def test_a_value_that_cannot_be_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(UsageError, match=rf"^The setting {name} cannot be '{value}': it must be "):
        read_settings()


def test_every_setting_is_in_the_reference() -> None:
    reference = (CHECKOUT / "docs" / "reference.md").read_text(encoding="utf-8")
    table = reference.split("## Settings")[1].split("## ")[0]
    documented = set(re.findall(r"`([A-Z][A-Z0-9_]+)`", table))
    assert set(ALIASES.values()) <= documented
