"""A refresh that is killed and started again ends where an undisturbed one does, and repeats no
finished batch."""

import signal
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from assets.retrieval.release import Release, require_current
from assets.retrieval.sparse import SparseIndex
from assets.tables import (
    CHUNKS,
    CLAIMS,
    DOCUMENTS,
    FACTUAL_DENSITY,
    FAILURES,
    PAPERS,
    PDFS,
    dense_index,
    vectors,
)
from resources.files import Files
from tests.support.letter_encoder import LetterEncoder
from tests.support.pipeline import (
    contents,
    process,
    recorded_runs,
    sample_folder,
)

SAMPLES = ["acceleration", "cooling", "higgs", "magnets", "mdi", "mice"]
DIMENSION = LetterEncoder().dimension
TABLES = [
    PAPERS, PDFS, DOCUMENTS, CHUNKS, CLAIMS, FACTUAL_DENSITY, FAILURES,
    vectors(DIMENSION), dense_index(DIMENSION),
]  # fmt: skip

#: Where the refreshes of one corpus die, each after what the one before it had finished.
POINTS = [
    "after papers 1",  # papers are known, how far they were listed is not
    "after file 3",  # the third PDF is stored, its row is not
    "after documents 2",
    "before chunks 1",  # a batch is cut, and lost
    "after claims 2",
    f"after {vectors(DIMENSION).name} 1",  # vectors are kept, the index rows are not
    "after releases 1",  # the manifest is written, the pointer has not moved
]


@dataclass
class Refreshed:
    """A data location, and what the refreshes that made it wrote, one list a refresh."""

    data: Path
    folder: Path
    diary: list[list[str]] = field(default_factory=list)

    def refresh(self, point: str = "") -> int:
        """Refresh in a process of its own, which dies at a point; its exit status."""
        log = self.data.with_name(f"{self.data.name}-{len(self.diary)}.log")
        log.touch()
        ended = process(
            str(log),
            point,
            *self.command,
            module="tests.support.killed",
        )
        self.diary.append(log.read_text(encoding="utf-8").splitlines())
        assert "Traceback" not in ended.err, ended.err
        return ended.status

    @property
    def command(self) -> list[str]:
        source = ["--source", "folder", "--folder", str(self.folder)]
        return ["refresh", *source, "--data", str(self.data)]

    @property
    def release(self) -> Release:
        return require_current(Files(str(self.data)))

    def bm25(self, query: str) -> dict[str, float]:
        index = SparseIndex.load(self.data / self.release.sparse_index)
        return dict(zip(index.chunk_ids, index.scores(query).tolist(), strict=True))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Refreshed:
    base = tmp_path_factory.mktemp("undisturbed")
    made = Refreshed(base / "data", sample_folder(base / "papers", *SAMPLES))
    assert made.refresh() == 0
    return made


@pytest.fixture(scope="module")
def killed(undisturbed: Refreshed, tmp_path_factory: pytest.TempPathFactory) -> Refreshed:
    """The same folder, refreshed until it was done: killed at every point before that."""
    made = Refreshed(tmp_path_factory.mktemp("killed") / "data", undisturbed.folder)
    for point in POINTS:
        assert made.refresh(point) == -signal.SIGKILL, point
    assert made.refresh() == 0
    return made


def assert_the_same(one: Refreshed, other: Refreshed) -> None:
    left, right = contents(one.data, TABLES), contents(other.data, TABLES)
    for table in TABLES:
        assert left[table.name] == right[table.name], table.name
        if table != FAILURES:
            assert left[table.name], f"{table.name} is empty"
    assert one.release.content == other.release.content
    assert one.release.counts == other.release.counts
    for query in ("dipole field", "emittance of the beam", "decay electrons"):
        assert one.bm25(query) == other.bm25(query)


def test_the_end_state_is_that_of_an_undisturbed_run(
    undisturbed: Refreshed, killed: Refreshed
) -> None:
    assert_the_same(killed, undisturbed)


def test_every_point_was_reached(killed: Refreshed) -> None:
    written = [{line.split()[0] for line in lines} for lines in killed.diary]
    for point, names in zip(POINTS, written, strict=False):
        assert point.split()[1] in names


def test_no_finished_batch_is_repeated(undisturbed: Refreshed, killed: Refreshed) -> None:
    names = {table.name for table in TABLES} | {"file", "folder"}
    times = Counter(line for lines in killed.diary for line in lines if line.split()[0] in names)
    lost = {line for line in killed.diary[POINTS.index("before chunks 1")] if "chunks " in line}
    assert lost
    assert {line for line, count in times.items() if count > 1} == lost
    assert max(times.values()) == 2
    once = {line for lines in undisturbed.diary for line in lines if line.split()[0] in names}
    assert set(times) == once


def test_the_ui_shows_the_killed_runs_as_failed(killed: Refreshed) -> None:
    status = [run.status for run in recorded_runs(killed.data)]
    assert status == ["FAILURE"] * len(POINTS) + ["SUCCESS"]
