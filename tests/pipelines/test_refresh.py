"""A corpus that changes paper by paper: work for just these papers in every later stage."""

import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from assets.factuality.records import Claim
from assets.retrieval.records import Mode
from assets.retrieval.release import require_current
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
from pipelines import actions, inventory
from pipelines.definitions import build_defs
from pipelines.instance import open_instance
from resources.errors import MuonEvidenceError
from resources.lake import Row, col
from tests.support.arxiv_catalogue import Catalogue
from tests.support.arxiv_server import ArxivServer
from tests.support.letter_encoder import LetterEncoder
from tests.support.odd_pdfs import encrypted, image_only
from tests.support.pipeline import parts_at
from tests.support.tiny_pdf import tiny_pdf

STAGES = ("pdfs", "documents", "chunks", "claims", "dense_index", "sparse_index", "factual_density")

Metadata = Mapping[str, Mapping[str, Any]]


@dataclass
class Corpus:
    """A data location that is refreshed in this process, with an encoder that costs nothing."""

    data: Path
    settings: Mapping[str, Any] = field(default_factory=dict)
    encoder: LetterEncoder = field(default_factory=LetterEncoder)

    def __post_init__(self) -> None:
        self.parts = parts_at(self.data, self.encoder, **self.settings)

    def refresh(self, **options: Any) -> Metadata:
        """Refresh with parts of its own, as a new process would."""
        self.parts = parts_at(self.data, self.encoder, **self.settings)
        made: Metadata = actions.refresh(self.parts, **options)["assets"]
        return made

    def rows(self, table: Any, **where: Any) -> list[Row]:
        (name, value), *_ = where.items() or [("", None)]
        return list(self.parts.lake.rows(table, where=col(name) == value if name else None))

    def versions(self) -> dict[str, int]:
        tables = (PAPERS, PDFS, DOCUMENTS, CHUNKS, CLAIMS, FACTUAL_DENSITY, FAILURES)
        sized = (vectors(self.encoder.dimension), dense_index(self.encoder.dimension))
        return {table.name: self.parts.lake.version(table) for table in (*tables, *sized)}


def rows_made(made: Metadata) -> dict[str, int]:
    return {stage: made[stage]["rows_made"] for stage in STAGES}


NOTHING = dict.fromkeys(STAGES, 0)

TEXTS = {
    "cooling": "Ionisation cooling shrinks the emittance of a muon beam in absorbers of hydrogen.",
    "magnets": "Dipole magnets of 16 T keep the beam of 5 TeV in a ring of 10 km.",
    "shielding": "Tungsten nozzles absorb 99 per cent of the decay electrons near the detector.",
    "added": "Forty tesla solenoids of superconducting tape end the cooling channel.",
    "changed": "Dipole magnets of 20 T would shorten the ring to 8 km at the same energy.",
}


def put(folder: Path, name: str, text: str) -> None:
    """A paper of one sentence in a folder."""
    pdf = tiny_pdf([[text, "It was measured twice."]], heading=f"A paper on {name} at colliders")
    (folder / f"{name}.pdf").write_bytes(pdf)


def describe(folder: Path) -> None:
    """A papers.jsonl, so that a file that changes stays the same paper."""
    lines = [
        json.dumps({"paper_id": path.stem, "file": path.name, "title": f"On {path.stem}"})
        for path in sorted(folder.glob("*.pdf"))
    ]
    (folder / "papers.jsonl").write_text("\n".join(lines), encoding="utf-8")


@dataclass
class Step:
    """One refresh of the changing folder: what it made, and what was embedded for it."""

    made: Metadata
    embedded: list[str]
    chunks: list[Row]
    written: bool


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Step]:
    """A folder of three papers: refreshed, refreshed again, one added, one changed, one removed,
    the removed one put back, the file of one renamed."""
    base = tmp_path_factory.mktemp("history")
    folder = base / "papers"
    folder.mkdir()
    corpus = Corpus(base / "data")
    steps: dict[str, Step] = {}

    def step(name: str) -> None:
        describe(folder)
        corpus.encoder.encoded.clear()
        before = corpus.versions()
        made = corpus.refresh(source="folder", folder=str(folder))
        steps[name] = Step(
            made,
            list(corpus.encoder.encoded),
            corpus.rows(CHUNKS),
            corpus.versions() != before,
        )

    for name in ("cooling", "magnets", "shielding"):
        put(folder, name, TEXTS[name])
    step("first")
    step("nothing new")
    put(folder, "added", TEXTS["added"])
    step("one added")
    put(folder, "magnets", TEXTS["changed"])
    step("one changed")
    shutil.move(folder / "cooling.pdf", base)
    step("one removed")
    shutil.move(base / "cooling.pdf", folder)
    step("one back")
    return steps


def chunks_of(step: Step, paper_id: str) -> int:
    return sum(row["paper_id"] == paper_id for row in step.chunks)


def test_the_first_refresh_makes_all(history: dict[str, Step]) -> None:
    made = history["first"].made
    assert made["papers"]["new"] == 3
    assert (rows_made(made)["pdfs"], rows_made(made)["documents"]) == (3, 3)
    assert made["chunks"]["rows_made"] == 3
    assert len(history["first"].embedded) == len(history["first"].chunks)
    assert (made["release"]["new"], made["release"]["papers"]) == (True, 3)


def test_nothing_new_makes_nothing(history: dict[str, Step]) -> None:
    first, again = history["first"].made, history["nothing new"]
    assert again.made["papers"]["unchanged"] == 3
    assert rows_made(again.made) == NOTHING
    assert again.embedded == []
    assert not again.written
    assert again.made["release"]["new"] is False
    assert again.made["release"]["release"] == first["release"]["release"]


def test_one_paper_added_is_work_for_one_paper(history: dict[str, Step]) -> None:
    step = history["one added"]
    new = chunks_of(step, "added")
    assert new >= 1
    assert (step.made["papers"]["new"], step.made["papers"]["unchanged"]) == (1, 3)
    assert {stage: rows_made(step.made)[stage] for stage in STAGES[:5]} == {
        "pdfs": 1,
        "documents": 1,
        "chunks": 1,
        "claims": new,
        "dense_index": new,
    }
    assert len(step.embedded) == new
    assert all(TEXTS["added"][:20] in text or "On added" in text for text in step.embedded)
    assert (step.made["release"]["new"], step.made["release"]["papers"]) == (True, 4)


def test_one_paper_changed_is_work_for_one_paper(history: dict[str, Step]) -> None:
    step = history["one changed"]
    new = chunks_of(step, "magnets")
    assert step.made["papers"]["new_version"] == 1
    assert {stage: rows_made(step.made)[stage] for stage in STAGES[:3]} == {
        "pdfs": 1,
        "documents": 1,
        "chunks": 1,
    }
    assert len(step.embedded) == step.made["dense_index"]["rows_made"] <= new
    texts = " ".join(row["text"] for row in step.chunks)
    assert "20 T" in texts
    assert "16 T" not in texts
    assert step.made["release"]["papers"] == 4


def test_one_paper_removed_leaves_and_makes_nothing(history: dict[str, Step]) -> None:
    before, step = history["one changed"], history["one removed"]
    gone = chunks_of(before, "cooling")
    assert step.made["papers"]["unlisted"] == 1
    assert {stage: rows_made(step.made)[stage] for stage in STAGES[:5]} == dict.fromkeys(
        STAGES[:5], 0
    )
    assert step.embedded == []
    assert step.made["chunks"]["rows_removed"] == gone
    assert step.made["dense_index"]["rows_removed"] == gone
    assert step.made["factual_density"]["rows_removed"] == gone
    assert step.made["release"]["papers"] == 3


def test_a_paper_that_comes_back_is_neither_parsed_nor_read_again(history: dict[str, Step]) -> None:
    step = history["one back"]
    assert step.made["papers"]["new"] == 1
    assert {stage: rows_made(step.made)[stage] for stage in STAGES[:4]} == {
        "pdfs": 0,
        "documents": 0,
        "chunks": 1,
        "claims": 0,
    }
    assert step.made["dense_index"]["rows_made"] == chunks_of(step, "cooling")
    assert step.embedded == []
    assert step.made["release"]["papers"] == 4


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> tuple[Corpus, list[Metadata]]:
    """A folder of two good papers among four bad ones; then ten scans are added; then everything
    that failed is tried again."""
    base = tmp_path_factory.mktemp("odd")
    folder = base / "papers"
    folder.mkdir()
    for name in ("cooling", "magnets"):
        put(folder, name, TEXTS[name])
    (folder / "notes.pdf").write_bytes(b"These are notes, and no PDF.")
    (folder / "empty.pdf").write_bytes(b"")
    (folder / "locked.pdf").write_bytes(encrypted())
    (folder / "scan.pdf").write_bytes(image_only(shade=1, pages=2))
    corpus = Corpus(base / "data")
    made = [corpus.refresh(source="folder", folder=str(folder))]
    for shade in range(2, 12):
        (folder / f"scan-{shade}.pdf").write_bytes(image_only(shade))
    made.append(corpus.refresh(source="folder", folder=str(folder)))
    made.append(corpus.refresh(source="folder", folder=str(folder), retry_failed=True))
    return corpus, made


def test_bad_papers_stop_no_good_ones(odd: tuple[Corpus, list[Metadata]]) -> None:
    _, (first, *_) = odd
    assert first["papers"]["new"] == 3  # the scan is a PDF, and gives no text only when parsed
    assert first["release"]["papers"] == 2
    assert first["chunks"]["failed"] == 1


def test_many_scans_at_once_are_as_many_bad_papers(odd: tuple[Corpus, list[Metadata]]) -> None:
    _, (_, second, _) = odd
    assert second["chunks"]["failed"] == 10
    assert second["release"]["papers"] == 2
    assert second["release"]["new"] is False


def test_retry_failed_tries_them_again(odd: tuple[Corpus, list[Metadata]]) -> None:
    corpus, (_, _, third) = odd
    assert third["chunks"]["failed"] == 11
    assert {row["attempts"] for row in corpus.rows(FAILURES, stage="chunks")} == {2}


def test_status_names_each_of_them_with_its_reason(odd: tuple[Corpus, list[Metadata]]) -> None:
    found = inventory.inventory(odd[0].parts)
    messages: dict[str, list[str]] = {"papers": [], "chunks": []}
    for item in found["failures"]["items"]:
        messages[item["stage"]].append(item["message"])
    assert found["failures"]["by_stage"] == {"papers": 3, "chunks": 11}
    for name, why in {
        "notes.pdf": "not a PDF",
        "empty.pdf": "empty",
        "locked.pdf": "encrypted",
    }.items():
        (message,) = [text for text in messages["papers"] if name in text]
        assert why in message
    assert all("images" in text for text in messages["chunks"])
    for message in (text for texts in messages.values() for text in texts):
        assert message.endswith(".")
        assert "Traceback" not in message
        assert "\n" not in message


def test_pages_without_text_are_in_the_ledger(odd: tuple[Corpus, list[Metadata]]) -> None:
    corpus, (first, *_) = odd
    assert first["documents"]["pages_without_text"] == 2
    (scan,) = [
        row for row in corpus.rows(DOCUMENTS) if len(row["pages"]) == 2 and not row["blocks"]
    ]
    assert {page["note"] for page in scan["pages"]} == {"image only"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of two papers."""
    place = tmp_path / "papers"
    place.mkdir()
    for name in ("cooling", "magnets"):
        put(place, name, TEXTS[name])
    return place


def test_a_refresh_that_a_check_blocks_changes_no_answer(tmp_path: Path, folder: Path) -> None:
    corpus = Corpus(tmp_path / "data")
    corpus.refresh(source="folder", folder=str(folder))
    before = require_current(corpus.parts.files)
    hits = actions.search(corpus.parts, "absorbers of hydrogen", "sparse", 1)

    class Inventing:
        """An extractor whose quotes stand nowhere."""

        fingerprint = "inventing 1"

        def extract_batches(self, passages: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
            claim = Claim("Muons are stable.", "Muons are stable.", 0.9)
            yield {key: [claim] for key in passages}

        def cost(self) -> Mapping[str, Any]:
            return {}

    put(folder, "added", TEXTS["added"])
    corpus.parts = parts_at(corpus.data, corpus.encoder)
    corpus.parts.extractor = Inventing()
    with pytest.raises(MuonEvidenceError, match=r"The refresh run .*claims: quotes_are_verbatim"):
        actions.refresh(corpus.parts, source="folder", folder=str(folder))
    assert require_current(corpus.parts.files) == before
    assert actions.search(corpus.parts, "absorbers of hydrogen", "sparse", 1) == hits
    mended = corpus.refresh(source="folder", folder=str(folder))
    assert mended["documents"]["rows_made"] == 0
    assert mended["release"]["papers"] == 3


def test_samples_step_aside_and_a_rollback_brings_them_back(tmp_path: Path, folder: Path) -> None:
    corpus = Corpus(tmp_path / "data")
    # A folder that calls itself the samples: the real ones would take longer.
    shutil.copytree(folder, tmp_path / "samples")
    put(tmp_path / "samples", "shielding", TEXTS["shielding"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("resources.sample_corpus.folder", lambda: tmp_path / "samples")
        first = corpus.refresh(source="sample")
    put(folder, "cooling", TEXTS["added"])
    put(folder, "magnets", TEXTS["changed"])
    real = corpus.refresh(source="folder", folder=str(folder))
    assert (first["release"]["papers"], real["release"]["papers"]) == (3, 2)
    assert not any(inventory.inventory(corpus.parts)["backlog"].values())
    (hit,) = actions.search(corpus.parts, "solenoids of superconducting tape", "sparse", 1)
    assert "Forty tesla" in hit["text"]
    names = (real["release"]["release"], first["release"]["release"])
    assert actions.rollback(corpus.parts) == names
    (hit,) = actions.search(corpus.parts, "tungsten nozzles", "sparse", 1)
    assert "Tungsten nozzles" in hit["text"]
    marks = {one["release_id"]: one["current"] for one in inventory.releases(corpus.parts)}
    assert marks == {first["release"]["release"]: True, real["release"]["release"]: False}
    forward = corpus.refresh(source="folder", folder=str(folder))
    assert rows_made(forward) == NOTHING
    assert forward["release"]["papers"] == 2


def test_a_rebuild_embeds_nothing_anew(tmp_path: Path, folder: Path) -> None:
    corpus = Corpus(tmp_path / "data")
    first = corpus.refresh(source="folder", folder=str(folder))
    hits = actions.search(corpus.parts, "absorbers of hydrogen", Mode.PAPER, 3)
    corpus.encoder.encoded.clear()
    job = build_defs(corpus.parts).resolve_job_def("rebuild_indices")
    with open_instance(corpus.parts.settings) as instance:
        result = job.execute_in_process(instance=instance)
    made = {
        event.asset_key.to_user_string(): event.materialization.metadata
        for event in result.get_asset_materialization_events()
        if event.asset_key
    }
    assert made["dense_index"]["rows_made"].value == len(corpus.rows(CHUNKS))
    assert made["sparse_index"]["rows_made"].value == len(corpus.rows(CHUNKS))
    assert corpus.encoder.encoded == []
    assert made["release"]["release"].value != first["release"]["release"]
    assert actions.search(corpus.parts, "absorbers of hydrogen", Mode.PAPER, 3) == hits


def test_arxivs_changes_are_work_for_just_these_papers(tmp_path: Path) -> None:
    catalogue = Catalogue(6)
    with ArxivServer(catalogue) as server:
        corpus = Corpus(
            tmp_path / "data",
            {"MUON_ARXIV_URL": server.url, "MUON_ARXIV_PACE": 0, "MUON_SOURCE": "arxiv"},
        )
        first = corpus.refresh()
        assert (first["papers"]["new"], first["release"]["papers"]) == (6, 6)
        assert sum(server.downloads.values()) == 6

        server.forget()
        again = corpus.refresh()
        assert rows_made(again) == NOTHING
        assert len(server.searches) <= 2
        assert not server.downloads

        ids = [entry.paper_id for entry in catalogue.entries]
        added = catalogue.add_paper().paper_id
        version = catalogue.add_version(ids[0]).version
        catalogue.withdraw(ids[1])
        catalogue.change(ids[2], journal_ref="Phys. Rev. D 109 (2024) 1", updated=catalogue._tick())
        server.forget()
        corpus.encoder.encoded.clear()
        changed = corpus.refresh()
    assert dict(server.downloads) == {added: 1, ids[0]: 1}
    papers = changed["papers"]
    assert (papers["new"], papers["new_version"], papers["withdrawn"]) == (1, 1, 1)
    assert papers["metadata_only"] == 1
    assert {stage: rows_made(changed)[stage] for stage in STAGES[:3]} == {
        "pdfs": 2,
        "documents": 2,
        "chunks": 2,
    }
    chunks = corpus.rows(CHUNKS)
    of = {key: [row for row in chunks if row["paper_id"] == key] for key in (added, *ids)}
    assert of[ids[1]] == []
    assert any(f"version {version}" in row["text"] for row in of[ids[0]])
    new = len(of[added]) + len(of[ids[0]])
    assert changed["claims"]["rows_made"] <= new
    assert len(corpus.encoder.encoded) <= new
    # A paper that was published is of another tier, which its hits show.
    assert changed["dense_index"]["rows_made"] == new + len(of[ids[2]])
    assert changed["release"]["papers"] == 6
