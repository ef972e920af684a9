"""The folder watcher starts a refresh for each change, and a failed run is told of."""

import json
import os
import threading
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import dagster as dg
import pytest

from assets.corpus.assets import papers, pdfs
from assets.reporting import plain_failures
from assets.retrieval.assets import release
from pipelines.definitions import build_defs
from pipelines.jobs import refresh
from pipelines.sensors import failure_notice, folder_watcher
from resources.errors import MuonEvidenceError, Permanent, ServiceDown, Transient, UsageError
from tests.support.tiny_pdf import tiny_pdf


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A watched folder with one paper."""
    folder = tmp_path / "papers"
    (folder / "deep").mkdir(parents=True)
    put(folder / "one.pdf", "One.")
    monkeypatch.setenv("MUON_FOLDER", str(folder))
    monkeypatch.setenv("MUON_DATA", str(tmp_path / "data"))
    return folder


def put(path: Path, text: str, seconds: int = 1_700_000_000) -> None:
    path.write_bytes(tiny_pdf([[text]]))
    os.utime(path, (seconds, seconds))


def look(cursor: str | None) -> tuple[dg.RunRequest | None, str, str | None]:
    """What one look asks for, or why not, and the cursor after it."""
    with dg.build_sensor_context(cursor=cursor) as context:
        told = folder_watcher(context)
        if isinstance(told, dg.SkipReason):
            return None, told.skip_message or "", context.cursor
        assert isinstance(told, dg.RunRequest)
        return told, "", context.cursor


def test_a_folder_is_refreshed_once_for_each_change(folder: Path) -> None:
    first, _, cursor = look(None)
    assert first is not None
    config = first.run_config["ops"]["papers"]["config"]
    assert (config["source"], config["folder"]) == ("folder", str(folder))
    assert look(cursor) == (None, "Nothing changed.", cursor)

    keys = {first.run_key}
    put(folder / "deep" / "two.PDF", "Two.")
    (folder / "notes.txt").write_text("no paper")
    for change in (
        lambda: put(folder / "one.pdf", "One!", 1_700_000_001),
        lambda: (folder / "papers.jsonl").write_text(""),
        (folder / "deep" / "two.PDF").unlink,
    ):
        request, _, cursor = look(cursor)
        assert request is not None
        keys.add(request.run_key)
        change()
    request, _, cursor = look(cursor)
    assert request is not None
    assert len(keys | {request.run_key}) == 5, "Dagster ignores a key that it has seen"
    (folder / "notes.txt").unlink()
    (folder / ".hidden.pdf").write_bytes(b"")
    assert look(cursor)[1] == "Nothing changed."


def test_a_folder_that_goes_back_to_an_earlier_state_has_changed(folder: Path) -> None:
    first, _, cursor = look(None)
    put(folder / "two.pdf", "Two.")
    _, _, cursor = look(cursor)
    (folder / "two.pdf").unlink()
    back, _, _ = look(cursor)
    assert first is not None
    assert back is not None
    assert back.run_key != first.run_key


def test_what_a_watcher_asks_for_can_start(folder: Path) -> None:
    request, _, _ = look(None)
    assert request is not None
    job = build_defs().resolve_job_def(refresh.name)
    assert dg.validate_run_config(job, dict(request.run_config))


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("", "MUON_FOLDER names no folder to watch."),
        ("nowhere", "The folder cannot be watched: There is no folder"),
    ],
)
def test_a_folder_that_cannot_be_watched_is_skipped(
    place: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUON_FOLDER", str(tmp_path / place) if place else "")
    request, said, cursor = look("1 before")
    assert request is None
    assert said.startswith(why)
    assert cursor == "1 before", "when it is back as it was, nothing has changed"


# Failure notices


@dg.op
def listing() -> None:
    with plain_failures():
        raise ServiceDown("arXiv's search gives no usable answer; run again later.")


@dg.job(name="refresh")
def failing() -> None:
    listing()


@pytest.fixture
def posted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """What is posted to MUON_NOTICE_URL."""
    found: list[object] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            found.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    monkeypatch.setenv("MUON_NOTICE_URL", f"http://127.0.0.1:{server.server_port}/notice")
    yield found
    server.shutdown()
    server.server_close()


def notice_of_a_failed_run(data: Path) -> dict[str, str]:
    """Run a job that fails, let the sensor see it, and read what it kept."""
    with dg.DagsterInstance.ephemeral() as instance:
        quiet = dg.RunConfig(loggers={"console": {"config": {"log_level": "CRITICAL"}}})
        result = failing.execute_in_process(
            instance=instance, raise_on_error=False, run_config=quiet
        )
        context = dg.build_run_status_sensor_context(
            sensor_name="failure_notice",
            dagster_instance=instance,
            dagster_run=result.dagster_run,
            dagster_event=result.get_run_failure_event(),
        ).for_run_failure()
        failure_notice(context)
        kept: dict[str, str] = json.loads((data / f"notices/{result.run_id}.json").read_text())
        return kept


WHY = "The refresh run failed: arXiv's search gives no usable answer; run again later."


def test_a_failed_run_is_written_down_and_posted(folder: Path, posted: list[object]) -> None:
    assert notice_of_a_failed_run(folder.parent / "data") == {"text": WHY}
    assert posted == [{"text": WHY}]


def test_a_notice_that_cannot_be_posted_is_still_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUON_NOTICE_URL", "http://127.0.0.1:9/closed")
    assert notice_of_a_failed_run(folder.parent / "data") == {"text": WHY}


# Retries and freshness


@pytest.mark.parametrize(
    ("error", "tries"),
    [
        (Transient("A file was busy."), 3),
        (Permanent("It is damaged."), 1),
        (ServiceDown("It is gone."), 1),
        (UsageError("There is no such folder."), 1),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
def test_a_step_is_tried_again_only_for_what_may_pass(error: MuonEvidenceError, tries: int) -> None:
    tried: list[int] = []

    @dg.asset(retry_policy=dg.RetryPolicy(max_retries=2))
    def stage() -> None:
        tried.append(1)
        with plain_failures():
            raise error

    quiet = dg.RunConfig(loggers={"console": {"config": {"log_level": "CRITICAL"}}})
    assert not dg.materialize([stage], raise_on_error=False, run_config=quiet).success
    assert len(tried) == tries


def test_the_stages_that_talk_to_the_outside_have_a_retry_policy() -> None:
    for asset in (papers, pdfs):
        policy = asset.op.retry_policy
        assert policy is not None
        assert (policy.max_retries, policy.backoff) == (2, dg.Backoff.EXPONENTIAL)


def test_papers_and_release_go_stale() -> None:
    """Refreshed on five days of seven and reconciled weekly: a week without is too old."""
    for asset in (papers, release):
        (spec,) = asset.specs
        assert spec.freshness_policy is not None
        assert spec.freshness_policy == dg.FreshnessPolicy.time_window(
            fail_window=timedelta(days=8), warn_window=timedelta(days=4)
        )
