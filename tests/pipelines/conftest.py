"""What tests of the command line share."""

import os
import sys
from pathlib import Path

import pytest

from pipelines import cli
from resources.encoder import Encoder
from tests.support.pipeline import Finished, Muon


@pytest.fixture
def muon(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], encoder: Encoder
) -> Muon:
    """The command line, run in the test's own process."""
    monkeypatch.setattr("pipelines.parts.open_encoder", lambda *_: encoder)

    def run(*arguments: str, data: Path | None = None) -> Finished:
        at = ["--data", str(data)] if data else []
        monkeypatch.setattr(sys, "argv", ["muon-evidence", *arguments, *at])
        os.environ.pop("DAGSTER_HOME", None)
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        return Finished(int(ended.value.code or 0), out, err)

    return run
