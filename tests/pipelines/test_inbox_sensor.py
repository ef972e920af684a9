"""The questions inbox by its sensor and the runs it asks for: once each, whatever was killed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from pipelines.definitions import build_defs
from pipelines.inbox_sensor import MOST_RUNS, questions_inbox
from pipelines.jobs import ask
from resources.encoder import Encoder
from resources.files import Files
from tests.support.pipeline import parts_at

NOZZLE = "What does a tungsten nozzle absorb?"
QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


class Inbox:
    """A data location with an inbox, and Dagster's instance over it."""

    def __init__(self, data: Path, instance: dg.DagsterInstance, encoder: Encoder) -> None:
        self.files = Files(str(data))
        self.instance = instance
        self.job = build_defs(parts_at(data, encoder)).resolve_job_def(ask.name)

    def put(self, name: str, text: str) -> None:
        self.files.write_bytes(f"inbox/{name}", text.encode())

    def look(self) -> tuple[list[dg.RunRequest], str]:
        """What the sensor asks for now, or why for nothing."""
        context = dg.build_sensor_context(instance=self.instance)
        told = questions_inbox(context)
        if isinstance(told, dg.SkipReason):
            return [], told.skip_message or ""
        assert isinstance(told, dg.SensorResult)
        return list(told.run_requests or []), ""

    def run(self, request: dg.RunRequest) -> bool:
        done = self.job.execute_in_process(
            run_config={**dict(request.run_config), **QUIET},
            tags=dict(request.tags),
            instance=self.instance,
            raise_on_error=False,
        )
        return bool(done.success)

    def result(self, name: str) -> Any:
        return self.files.read_json(f"outbox/{name}.json")


@pytest.fixture
def inbox(
    copy_of_demo: Callable[[], Path], encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> Any:
    data = copy_of_demo()
    monkeypatch.setenv("MUON_DATA", str(data))
    with dg.DagsterInstance.ephemeral() as instance:
        yield Inbox(data, instance, encoder)


def test_each_file_is_answered_once(inbox: Inbox) -> None:
    assert inbox.look() == ([], "The folder inbox holds nothing that is not answered.")
    inbox.put("one.txt", f"{NOZZLE}\n?!\n")
    (request,), _ = inbox.look()
    assert inbox.run(request)
    result = inbox.result("one.txt")
    assert [row["question"] for row in result["answers"]] == [NOZZLE]
    assert [one["question"] for one in result["not_answered"]] == ["?!"]
    assert NOZZLE in inbox.files.read_bytes("outbox/one.txt.md").decode()
    assert inbox.look()[0] == []
    inbox.put("one.txt", NOZZLE)
    (again,), _ = inbox.look()
    assert again.run_key != request.run_key


def test_a_file_that_cannot_be_read_fails_by_name_and_is_not_tried_again(inbox: Inbox) -> None:
    inbox.put("broken.jsonl", "{")
    inbox.put("fine.txt", NOZZLE)
    broken, fine = inbox.look()[0]
    assert not inbox.run(broken)
    assert inbox.result("broken.jsonl")["failed"] == "broken.jsonl, line 1: this is not valid JSON."
    assert inbox.run(fine), "one bad file stops no other"
    assert inbox.look()[0] == []


def test_a_run_that_was_killed_is_started_again_and_not_for_ever(inbox: Inbox) -> None:
    inbox.put("one.txt", NOZZLE)
    keys = set()
    for _ in range(MOST_RUNS):
        (request,), _ = inbox.look()
        keys.add(request.run_key)
        run = inbox.instance.create_run_for_job(
            inbox.job, run_config=dict(request.run_config), tags=dict(request.tags)
        )
        assert inbox.look() == ([], "Every file is being answered, or was given up.")
        inbox.instance.report_run_failed(run, "The process of this run was killed.")
    assert len(keys) == MOST_RUNS, "Dagster ignores a key that it has seen"
    assert inbox.look()[0] == []
    assert "3 runs failed" in inbox.result("one.txt")["failed"]


def test_what_a_killed_run_had_answered_is_not_answered_again(
    inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    inbox.put("one.txt", f"{NOZZLE}\nWhat stops the background?\n")
    (request,), _ = inbox.look()
    with monkeypatch.context() as killed:
        killed.setattr("assets.answering.inbox.write_result", _die)
        assert not inbox.run(request)
    made: list[str] = []
    monkeypatch.setattr(
        "assets.answering.assets.answer_question", lambda question, *_, **__: made.append(question)
    )
    (request,), _ = inbox.look()
    assert inbox.run(request)
    assert made == []
    assert len(inbox.result("one.txt")["answers"]) == 2


def _die(*_: object) -> None:
    raise KeyboardInterrupt


def test_without_a_release_files_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUON_DATA", str(tmp_path))
    Files(str(tmp_path)).write_bytes("inbox/one.txt", NOZZLE.encode())
    told = questions_inbox(dg.build_sensor_context())
    assert isinstance(told, dg.SkipReason)
    assert "no release" in str(told.skip_message)
