"""A reader that searches without pause, while all that writes goes on and is killed at times.

    python -m tests.support.stress [--seconds 300] [--seed 0]

A folder holds a few papers, of which some are rewritten between the steps. Each step is a process
of its own: a refresh, one that is killed somewhere, a rebuild, a clean-up that leaves old releases
alone for seconds instead of an hour, or a step back. Every paper is of one edition and every part
of it is numbered, so that what a release must hold is known without asking the program.
"""

import argparse
import json
import logging
import multiprocessing
import os
import random
import re
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from tests.support.tiny_pdf import tiny_pdf

EVERY_PAPER = [f"stress-{name}" for name in ("cooling", "dipoles", "higgs", "lattice", "nozzle")]
PARTS = 60  # numbered parts of a paper: several passages
LINES_A_PAGE = 45

#: How long a retired release is left alone, and the longest that the reader holds one.
GRACE = timedelta(seconds=40)
HOLD_SECONDS = 15.0

KEPT = 2  # releases that a clean-up keeps
LONGEST_STEP = 300
MOST_BEFORE_A_KILL = 4.0  # seconds

KILL = "killed refresh"
STEPS = (
    "refresh",
    KILL,
    "rebuild_indices",
    "maintenance",
    "refresh",
    "rollback",
    "rebuild_dense_index",
    KILL,
    "rebuild_sparse_index",
    "maintenance",
    "refresh",
    "rollback",
    "maintenance",
    KILL,
    "reextract_claims",
)

MODES = ("hybrid", "dense", "sparse", "paper", "density")
QUERY = "muon beam cooling dipole field nozzle"

_MODULES = ["pipelines.definitions", "tests.support.letter_encoder"]
_MARK = re.compile(r"(\w+)ed(\d+)part(\d+)")
_WORDS = "muon beam cooling dipole field nozzle lattice higgs tungsten neutrino decay".split()


@dataclass
class Seen:
    """What the reader did and met; `errors` are tracebacks."""

    opened: int = 0
    searches: int = 0
    releases: list[str] = field(default_factory=list)
    longest_ms: float = 0.0
    errors: list[str] = field(default_factory=list)


@dataclass
class Outcome:
    """Steps that ended as they should, were killed, or were refused with a sentence."""

    steps: Counter[str] = field(default_factory=Counter)
    refused: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    seen: Seen = field(default_factory=Seen)


def stress(base: Path, steps: Iterable[str], seed: int = 0) -> Outcome:
    """Take the steps, with a reader beside them from the first release on."""
    folder, data = base / "papers", base / "data"
    dice = random.Random(seed)
    editions = dict.fromkeys(EVERY_PAPER, 1)
    _write(folder, editions)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_MODULES)
    outcome = Outcome()
    _told(outcome, "refresh", _step(context, "refresh", data, folder))
    theirs, ours = context.Pipe()
    reader = context.Process(target=_read_on, args=(data, theirs), daemon=True)
    reader.start()
    try:
        for step in steps:
            if step in {"refresh", KILL}:
                for paper in dice.sample(EVERY_PAPER, 2):
                    editions[paper] += 1
                _write(folder, editions)
            seconds = dice.uniform(0, MOST_BEFORE_A_KILL) if step == KILL else None
            _told(outcome, step, _step(context, step, data, folder, seconds))
            if not reader.is_alive():
                break
    finally:
        with suppress(OSError):
            ours.send("enough")
        outcome.seen = ours.recv() if ours.poll(LONGEST_STEP) else Seen(errors=["no word"])
        reader.join(10)
    return outcome


def _told(outcome: Outcome, step: str, ended: str) -> None:
    outcome.steps[f"{step}: {ended.split(':', maxsplit=1)[0]}"] += 1
    if ended.startswith("refused"):
        outcome.refused.append(f"{step}: {ended}")
    if ended.startswith("failed"):
        outcome.failed.append(f"{step}: {ended}")


def _step(
    context: ForkServerContext,
    step: str,
    data: Path,
    folder: Path,
    kill_after: float | None = None,
) -> str:
    """Take one step in a process of its own; `done`, `killed`, `refused: …` or `failed: …`."""
    ours, theirs = context.Pipe(duplex=False)
    process: BaseProcess = context.Process(
        target=_write_on, args=(step, data, folder, theirs), daemon=True
    )
    process.start()
    theirs.close()
    if kill_after is not None:
        ours.poll(LONGEST_STEP)  # it tells when all is loaded
        ours.recv()
        if not ours.poll(kill_after):
            with suppress(ProcessLookupError):
                os.kill(process.pid or 0, signal.SIGKILL)
    told = "failed: no word"
    with suppress(EOFError):
        while ours.poll(LONGEST_STEP):
            told = ours.recv()
    process.join(LONGEST_STEP)
    return "killed" if process.exitcode == -signal.SIGKILL else told


def _write_on(step: str, data: Path, folder: Path, pipe: Connection) -> None:
    from pipelines import actions  # noqa: PLC0415 - imported in the process that is forked
    from pipelines.running import run_job  # noqa: PLC0415
    from pipelines.upkeep import prune  # noqa: PLC0415
    from resources.errors import MuonEvidenceError  # noqa: PLC0415

    logging.disable(logging.CRITICAL)
    parts = _parts(data)
    jobs: dict[str, Callable[[], Any]] = {
        "refresh": lambda: actions.refresh(parts, source="folder", folder=str(folder)),
        "rollback": lambda: actions.rollback(parts),
        "maintenance": lambda: prune(parts.lake, parts.files, KEPT, datetime.now(UTC), GRACE),
    }
    jobs[KILL] = jobs["refresh"]
    job = jobs.get(step) or (lambda: run_job(step, parts, _REBUILDS.get(step, dict)()))
    pipe.send("begun")
    try:
        job()
        pipe.send("done")
    except MuonEvidenceError as error:
        pipe.send(f"refused: {error}")
    except Exception:
        pipe.send(f"failed: {traceback.format_exc()}")


def _dense_anew() -> dict[str, Any]:
    from assets.retrieval.assets import DenseConfig  # noqa: PLC0415

    return {"dense_index": DenseConfig(rebuild=True)}


def _sparse_anew() -> dict[str, Any]:
    from assets.retrieval.assets import SparseConfig  # noqa: PLC0415

    return {"sparse_index": SparseConfig(rebuild=True)}


_REBUILDS: dict[str, Callable[[], dict[str, Any]]] = {
    "rebuild_dense_index": _dense_anew,
    "rebuild_sparse_index": _sparse_anew,
    "rebuild_indices": lambda: {**_dense_anew(), **_sparse_anew()},
}


def _read_on(data: Path, pipe: Connection) -> None:
    """Open the current release and search it, and one that is held, until told that it is enough.

    The first error ends it.
    """
    seen = Seen()
    parts = _parts(data)
    held, since = None, 0.0
    try:
        while not pipe.poll(0.05):
            start = time.perf_counter()
            release, searcher = _opened(parts)
            seen.opened += 1
            if release.release_id not in seen.releases:
                seen.releases.append(release.release_id)
            seen.searches += _read(parts, release, searcher)
            seen.longest_ms = max(seen.longest_ms, 1000 * (time.perf_counter() - start))
            if held is None or time.monotonic() - since > HOLD_SECONDS:
                held, since = (release, searcher), time.monotonic()
            seen.searches += _read(parts, *held)
    except Exception:
        seen.errors.append(traceback.format_exc())
    pipe.send(seen)


def _opened(parts: Any) -> tuple[Any, Any]:
    from assets.retrieval.reader import open_searcher  # noqa: PLC0415
    from assets.retrieval.release import require_current  # noqa: PLC0415

    release = require_current(parts.files)
    searcher = open_searcher(parts.lake, parts.files, release, parts.encoder)
    whole(release, searcher.index.passages)
    return release, searcher


def whole(release: Any, passages: Iterable[Any]) -> None:
    """Refuse a release of which a part is missing, or that mixes two editions of a paper."""
    marks: dict[str, Counter[int]] = {}
    editions: dict[str, set[int]] = {}
    count = 0
    for passage in passages:
        count += 1
        for name, edition, part in _MARK.findall(passage.text):
            if f"stress-{name}" != passage.paper_id:
                raise AssertionError(f"{passage.chunk_id} of {passage.paper_id} has {name}'s text")
            marks.setdefault(passage.paper_id, Counter())[int(part)] += 1
            editions.setdefault(passage.paper_id, set()).add(int(edition))
    if count != release.counts["chunks"]:
        raise AssertionError(f"{release.release_id} holds {count} of {release.counts}")
    for paper in EVERY_PAPER:
        missing = set(range(PARTS)) - set(marks.get(paper, ()))
        if missing or len(editions[paper]) != 1:
            raise AssertionError(
                f"{release.release_id}: {paper} has editions {editions.get(paper)} and lacks the "
                f"parts {sorted(missing)}"
            )


def _read(parts: Any, release: Any, searcher: Any) -> int:
    """Search in every mode, and look up all that an answer would show; the number of searches."""
    from assets.tables import CHUNKS, PAPERS  # noqa: PLC0415
    from resources.lake import col  # noqa: PLC0415

    for mode in MODES:
        hits = searcher.search(QUERY, mode, 5)
        if not hits:
            raise AssertionError(f"{release.release_id}: {mode} finds nothing")
        for table, name in ((CHUNKS, "chunk_id"), (PAPERS, "paper_id")):
            wanted = {getattr(hit, name) for hit in hits}
            rows = parts.lake.rows(
                table,
                [name],
                where=col(name).isin(sorted(wanted)),
                version=release.versions[table.name],
            )
            if {row[name] for row in rows} != wanted:
                raise AssertionError(f"{release.release_id}: {table.name} lacks a hit's {name}")
    return len(MODES)


def _parts(data: Path) -> Any:
    from assets.reporting import LoggedProgress  # noqa: PLC0415
    from pipelines.parts import Parts  # noqa: PLC0415
    from pipelines.settings import Settings  # noqa: PLC0415
    from tests.support.letter_encoder import LetterEncoder  # noqa: PLC0415

    parts = Parts(Settings(MUON_DATA=str(data), MUON_WORKERS=1), LoggedProgress())
    parts.encoder = LetterEncoder()
    return parts


def _write(folder: Path, editions: dict[str, int]) -> None:
    """Every paper in its edition, and a papers.jsonl that names them."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for paper, edition in editions.items():
        name = paper.removeprefix("stress-")
        rows.append({"paper_id": paper, "file": f"{name}.pdf", "title": f"On {name}"})
        (folder / f"{name}.pdf").write_bytes(_pdf(name, edition))
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    (folder / "papers.jsonl").write_text(lines, encoding="utf-8")


def _pdf(name: str, edition: int) -> bytes:
    dice = random.Random(f"{name} {edition}")
    lines = []
    for part in range(PARTS):
        words = " ".join(dice.choices(_WORDS, k=8))
        lines.append(f"Here {words} give {part} T in {name}ed{edition}part{part}.")
    pages = [lines[start : start + LINES_A_PAGE] for start in range(0, PARTS, LINES_A_PAGE)]
    return tiny_pdf(pages)


def _until(end: float) -> Iterator[str]:
    while True:
        for step in STEPS:
            if time.monotonic() > end:
                return
            yield step


def main() -> None:
    """Print what happened; exit status 1 where the reader met an error or a step failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as base:
        outcome = stress(Path(base), _until(time.monotonic() + options.seconds), options.seed)
    for step, count in sorted(outcome.steps.items()):
        print(f"{step:<32} {count:4}")
    for sentence, count in Counter(outcome.refused).items():
        print(f"refused {count} times: {sentence}")
    seen = outcome.seen
    print(
        f"reader: {seen.opened} times opened, {seen.searches} searches, {len(seen.releases)} "
        f"releases, {seen.longest_ms:.0f} ms at most to open and read one, "
        f"{len(seen.errors)} errors"
    )
    print("\n".join([*seen.errors, *outcome.failed]), end="")
    sys.exit(bool(seen.errors or outcome.failed))


if __name__ == "__main__":
    main()
