"""Data locations of the whole pipeline: made, copied, refreshed, and read back for comparison."""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from resources import sample_corpus
from resources.encoder import Encoder
from resources.lake import Lake, Row, Table

CHECKOUT = Path(__file__).resolve().parents[2]

_SERVICES = ("GEMINI_", "GOOGLE_", "OPENAI_", "GROBID_", "DAGSTER_")


@dataclass(frozen=True)
class Finished:
    """A command that ended: its exit status and what it wrote."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What it printed, as JSON."""
        return json.loads(self.out)


@dataclass(frozen=True)
class Demo:
    """A data location that `muon-evidence demo` made, and what the command wrote."""

    data: Path
    run: Finished


def is_setting(name: str) -> bool:
    """Whether an environment variable would change what the pipeline does."""
    ours = name.startswith("MUON_") and name != "MUON_SHARED"
    return ours or name.startswith(_SERVICES)


def process(*arguments: str, module: str = "pipelines.cli", **environment: str) -> Finished:
    """Run the command line (or another module of the checkout) as a process, without settings."""
    plain = {name: value for name, value in os.environ.items() if not is_setting(name)}
    ended = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=CHECKOUT,
        env={**plain, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    return Finished(ended.returncode, ended.stdout, ended.stderr)


def run_demo(folder: Path) -> Demo:
    """Run `muon-evidence demo` with its data in `folder`, unless it was run there already."""
    record = folder / "run.json"
    if not record.exists():
        folder.mkdir()
        run = process("demo", "--data", str(folder / "data"))
        assert run.status == 0, run.err
        record.write_text(json.dumps([run.status, run.out, run.err]), encoding="utf-8")
    return Demo(folder / "data", Finished(*json.loads(record.read_text(encoding="utf-8"))))


def copied(data: Path, target: Path) -> Path:
    """A copy of a data location, to be changed.

    Another test may have the run history of the original open: SQLite's files beside a database
    come and go with that, and hold nothing that is not in it once the demo has ended.
    """
    return shutil.copytree(data, target, ignore=shutil.ignore_patterns("*-wal", "*-shm"))


def parts_at(data: Path, encoder: Encoder | None = None, **settings: Any) -> Any:
    """The parts over a data location, silent, with an encoder that is already open."""
    from assets.reporting import LoggedProgress  # noqa: PLC0415 - Dagster, for few tests
    from pipelines.parts import Parts  # noqa: PLC0415
    from pipelines.settings import Settings  # noqa: PLC0415

    parts = Parts(Settings(**{"MUON_DATA": str(data), **settings}), LoggedProgress())
    if encoder is not None:
        parts.encoder = encoder
    return parts


def sample_folder(folder: Path, *names: str) -> Path:
    """A folder of some of the sample papers' PDFs, without their papers.jsonl."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        shutil.copy(sample_corpus.folder() / f"{name}.pdf", folder)
    return folder


@dataclass(frozen=True)
class RunRecord:
    """What Dagster's instance knows of one run."""

    job: str
    status: str
    metadata: Mapping[str, Mapping[str, Any]]
    checks: Mapping[str, bool]


def recorded_runs(data: Path) -> list[RunRecord]:
    """The runs that a data location's Dagster instance holds, oldest first."""
    from pipelines.instance import open_instance  # noqa: PLC0415
    from pipelines.settings import Settings  # noqa: PLC0415

    os.environ.pop("DAGSTER_HOME", None)
    with open_instance(Settings(MUON_DATA=str(data))) as instance:
        return [
            _record(run, [entry.dagster_event for entry in instance.all_logs(run.run_id)])
            for run in reversed(list(instance.get_runs()))
        ]


def _record(run: Any, events: Sequence[Any]) -> RunRecord:
    metadata = {}
    checks = {}
    for event in events:
        if event is None:
            continue
        if event.is_step_materialization:
            made = event.step_materialization_data.materialization
            metadata[made.asset_key.to_user_string()] = {
                name: value.value for name, value in made.metadata.items()
            }
        if event.event_type_value == "ASSET_CHECK_EVALUATION":
            found = event.asset_check_evaluation_data
            checks[f"{found.asset_key.to_user_string()}:{found.check_name}"] = found.passed
    return RunRecord(run.job_name, run.status.value, metadata, checks)


def contents(data: Path, tables: Sequence[Table], without: Sequence[str] = ()) -> dict[str, Any]:
    """Rows of some tables as a multiset each, columns `without` left out."""
    lake = Lake(f"{data}/lake")
    return {
        table.name: Counter(_frozen(row, without) for row in lake.rows(table)) for table in tables
    }


def _frozen(row: Row, without: Sequence[str]) -> str:
    kept = {name: value for name, value in row.items() if name not in without}
    return json.dumps(kept, sort_keys=True, ensure_ascii=False)


class Muon(Protocol):
    """Runs the command line in this process, as a process of its own would run it."""

    def __call__(self, *arguments: str, data: Path | None = None) -> Finished: ...
