"""Progress as lines in a log, errors in one line, JSON as it is."""

import json

import pytest

from pipelines.console import ConsoleProgress, complain, print_json


def test_a_log_has_a_line_when_a_stage_begins_and_one_when_it_ends(
    capsys: pytest.CaptureFixture[str],
) -> None:
    progress = ConsoleProgress()
    for done in range(4):
        progress.report("documents", done, 3)
    progress.report("claims", 0, 0)
    progress.report("a new stage", 1, 1)
    progress.close()
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == ["parsing: 0 of 3", "parsing: 3 of 3", "a new stage: 1 of 1"]


def test_quiet_progress_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    ConsoleProgress(quiet=True).report("documents", 1, 1)
    assert capsys.readouterr() == ("", "")


def test_bars_on_a_terminal_go_when_they_are_closed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    progress = ConsoleProgress()
    progress.report("documents", 1, 3)
    progress.report("documents", 3, 3)
    progress.report("chunks", 0, 0)
    progress.close()
    progress.close()
    out, err = capsys.readouterr()
    assert out == ""
    assert "parsing" in err
    assert "3/3" in err


def test_an_error_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    complain("It went\n  wrong:\tbadly.")
    assert capsys.readouterr() == ("", "muon-evidence: It went wrong: badly.\n")


def test_json_keeps_letters_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"text": "μ⁺μ⁻ → H"})
    out = capsys.readouterr().out
    assert "μ⁺μ⁻ → H" in out
    assert json.loads(out) == {"text": "μ⁺μ⁻ → H"}
