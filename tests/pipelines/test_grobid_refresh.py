"""A corpus parsed by a GROBID server: faults that pass, a server that is down, a stand-in."""

from pathlib import Path

import pytest

from assets.parsing.parsers import GrobidParser
from assets.tables import DOCUMENTS, FAILURES
from pipelines.running import RunFailed, run_job
from resources import sample_corpus
from resources.encoder import Encoder
from resources.errors import MuonEvidenceError
from resources.files import sha256_of
from resources.grobid import Grobid
from resources.identifiers import safe_name
from tests.support.grobid_server import Behaviour, GrobidServer
from tests.support.pipeline import parts_at, sample_folder
from tests.support.tiny_pdf import tiny_pdf

PASSING = (Behaviour.BUSY, Behaviour.DIES, Behaviour.GATEWAY, Behaviour.BUSY_PROXY)
TWENTY = 20


def names() -> list[str]:
    return sorted(path.stem for path in sample_corpus.folder().glob("*.pdf"))


def twenty_papers(folder: Path) -> list[Path]:
    """The sample papers, and short ones up to twenty."""
    sample_folder(folder, *names())
    for number in range(len(names()), TWENTY):
        lines = [f"The ring of study {number} stores muons for {number} turns at most."]
        pdf = tiny_pdf([lines], heading=f"Study {number} of a muon ring", title=f"Study {number}")
        (folder / f"study{number}.pdf").write_bytes(pdf)
    return sorted(folder.glob("*.pdf"))


def stored_name(pdf: Path) -> str:
    """The name under which a folder's PDF without an id is kept, and so posted."""
    digest = sha256_of(pdf)
    return f"{safe_name(f'local:{digest[:12]}')}-{digest[:12]}.pdf"


def without_waiting(url: str) -> GrobidParser:
    return GrobidParser(Grobid(url, sleep=lambda _seconds: None), workers=2)


def test_a_refresh_through_a_server_whose_faults_pass_ends_complete(
    tmp_path: Path, encoder: Encoder
) -> None:
    folder = tmp_path / "papers"
    every_fifth = twenty_papers(folder)[::5]
    plan = {
        stored_name(pdf): [fault, Behaviour.OK]
        for pdf, fault in zip(every_fifth, PASSING, strict=True)
    }
    parts = parts_at(tmp_path / "data", encoder, MUON_SOURCE="folder", MUON_FOLDER=str(folder))
    with GrobidServer(plan) as server:
        parts.parser = without_waiting(server.url)
        done = run_job("refresh", parts).metadata
        parts.parser = without_waiting(server.url)
        again = run_job("refresh", parts).metadata
        faults = [one.behaviour for one in server.posted if one.behaviour is not Behaviour.OK]
    assert sorted(faults, key=lambda one: one.name) == sorted(PASSING, key=lambda one: one.name)
    assert done["documents"]["rows_made"] == TWENTY
    assert done["release"]["papers"] == TWENTY
    assert parts.lake.count(FAILURES) == 0
    parsers = {row["parser"] for row in parts.lake.rows(DOCUMENTS, ["parser"])}
    assert len(parsers) == 1
    assert parsers.pop().startswith("grobid ")
    assert again["documents"]["rows_made"] == 0


def test_a_server_that_is_down_stops_the_run_with_one_sentence(
    tmp_path: Path, encoder: Encoder
) -> None:
    folder = sample_folder(tmp_path / "papers", *names()[:2])
    with GrobidServer() as server:
        gone = server.url
    parts = parts_at(tmp_path / "data", encoder, MUON_SOURCE="folder", MUON_FOLDER=str(folder))
    parts.parser = without_waiting(gone)
    with pytest.raises(MuonEvidenceError, match="No GROBID server answers") as raised:
        run_job("refresh", parts)
    assert not isinstance(raised.value, RunFailed)
    assert parts.lake.count(DOCUMENTS) == 0
    assert parts.lake.count(FAILURES) == 0


def test_the_embedded_parser_stands_in_where_the_settings_allow_it(
    tmp_path: Path, encoder: Encoder
) -> None:
    folder = sample_folder(tmp_path / "papers", *names()[:2])
    settings = {"MUON_SOURCE": "folder", "MUON_FOLDER": str(folder), "MUON_GROBID_STAND_IN": "1"}
    with GrobidServer() as server:
        first = parts_at(tmp_path / "data", encoder, GROBID_URL=server.url, **settings)
        run_job("refresh", first)
        gone = server.url
    sample_folder(folder, names()[2])
    down = parts_at(tmp_path / "data", encoder, GROBID_URL=gone, **settings)
    made = run_job("refresh", down).metadata["documents"]
    signed = sorted(row["parser"] for row in down.lake.rows(DOCUMENTS, ["parser"]))
    # What GROBID had parsed stays; the new paper says who stood in.
    assert made["rows_made"] == 1
    assert [name.startswith("grobid ") for name in signed] == [False, True, True]
    assert "GROBID being down" in signed[0]
