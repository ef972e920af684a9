"""The audits through the command line and through a run that the UI would show."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from assets.evaluation.audits import CONFOUND, COVERAGE, SPREAD
from assets.tables import FACTUAL_DENSITY
from pipelines import auditing
from resources import sample_corpus
from resources.encoder import Encoder
from resources.errors import UsageError
from resources.lake import Lake
from tests.support.health_folder import health_folder
from tests.support.pipeline import Demo, copied, parts_at, process, recorded_runs

#: What a page of the UI may hold of one report with all its plots.
MOST_METADATA = 300_000


@pytest.fixture(scope="module")
def audited(demo: Demo, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the demo's data location, audited by the command; its output beside it."""
    folder = tmp_path_factory.mktemp("audited")
    (folder / "labels.jsonl").write_text(
        json.dumps(
            {
                "id": "s1",
                "sentence": "The dipole reaches 16 T at 4.2 K.",
                "context": {"before": "We wound a coil.", "after": "It was tested."},
                "claims": [{"text": "The dipole reaches 16 T at 4.2 K.", "prob_fact": 1.0}],
            }
        ),
        encoding="utf-8",
    )
    data = copied(demo.data, folder / "data")
    ran = process(
        "audit", "--data", str(data), "--json",
        "--labels", str(folder / "labels.jsonl"), "--report", str(folder / "report.md"),
    )  # fmt: skip
    assert ran.status == 0, ran.err
    (folder / "report.json").write_text(ran.out, encoding="utf-8")
    return folder


def test_the_report_is_of_the_whole_release(audited: Path) -> None:
    report = json.loads((audited / "report.json").read_text(encoding="utf-8"))
    rows = Lake(f"{audited}/data/lake").count(FACTUAL_DENSITY)
    assert report["density"]["passages"] == rows
    assert report["unread"] == 0
    assert report["density"]["claims"] > rows
    questions = (sample_corpus.folder() / "questions.jsonl").read_text(encoding="utf-8")
    answerable = [line for line in questions.splitlines() if json.loads(line)["evidence"]]
    assert report["test"]["n"] == report["coverage"]["queries"] == len(answerable)
    assert report["tiers"]["expert"] == "sample"
    assert report["labels"]["claims"]["f1"] == 1.0


def test_the_run_shows_report_plots_and_checks(audited: Path) -> None:
    run = recorded_runs(audited / "data")[-1]
    assert (run.job, run.status) == ("audit", "SUCCESS")
    metadata = run.metadata["density_audit"]
    assert "| C-robust |" in metadata["report"]
    assert metadata["plots"].count("](data:image/png;base64,") == 4
    assert len(json.dumps(metadata)) < MOST_METADATA
    assert set(run.checks) == {f"density_audit:{name}" for name in (SPREAD, CONFOUND, COVERAGE)}


def test_checks_warn_by_what_the_report_says(audited: Path) -> None:
    report = json.loads((audited / "report.json").read_text(encoding="utf-8"))
    checks = recorded_runs(audited / "data")[-1].checks
    confound = report["density"]["length_confound"][report["density_variant"]]
    assert checks == {
        f"density_audit:{SPREAD}": report["density"]["prob_fact"]["sufficient"],
        f"density_audit:{CONFOUND}": confound["small"],
        f"density_audit:{COVERAGE}": report["coverage"]["sufficient"],
    }


def test_the_report_as_a_file_holds_its_plots(audited: Path) -> None:
    text = (audited / "report.md").read_text(encoding="utf-8")
    assert text.startswith("# Density audit of release ")
    assert text.count("![") == 4


def test_medical_literature_needs_no_data_location(
    tmp_path: Path, encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auditing, "cache_folder", lambda: tmp_path / "cache")
    folder = health_folder(tmp_path / "health", studies=4, reviews=1)
    data = tmp_path / "data"
    report, text = auditing.audit_health(parts_at(data, encoder), folder)
    assert not data.exists()
    assert report["documents"]["PubMed abstract"] == 4
    assert text.startswith("# Factual density on medical literature")
    assert text.count("![") == 5


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--health", "nowhere"], "cannot be read"),
        (["--health", "x", "--labels", "y"], "--health brings its own questions"),
    ],
)
def test_wrong_use_is_told(tmp_path: Path, options: list[str], sentence: str) -> None:
    ran = process("audit", "--data", str(tmp_path / "data"), *options)
    assert ran.status == 2
    assert sentence in ran.err
    assert "Traceback" not in ran.err


def test_what_is_missing_is_told_before_a_run(
    tmp_path: Path, copy_of_demo: Callable[[], Path]
) -> None:
    with pytest.raises(UsageError, match="has no release yet"):
        auditing.audit_release(parts_at(tmp_path / "empty"))
    parts = parts_at(copy_of_demo())
    with pytest.raises(UsageError, match="There is no file"):
        auditing.audit_release(parts, questions="absent.jsonl")
    with pytest.raises(UsageError, match="is no file of claim labels"):
        auditing.audit_release(parts, labels="absent.jsonl")


def test_an_estimate_is_told_in_words(copy_of_demo: Callable[[], Path]) -> None:
    ran = process(
        "estimate", "--data", str(copy_of_demo()),
        MUON_MODEL="gemini/gemini-2.5-flash", GEMINI_API_KEY="none", MUON_BUDGET_USD="0.01",
    )  # fmt: skip
    assert ran.status == 0, ran.err
    assert "texts without claims yet. Reading takes" in ran.out
    assert "A run stops at MUON_BUDGET_USD = 0.01" in ran.out
