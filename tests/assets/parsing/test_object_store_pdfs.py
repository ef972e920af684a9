"""PDFs of an object store are copied here a few at a time, and not kept."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

import assets.parsing.assets as stage
from assets.parsing.parsers import Parsed
from assets.reporting import LoggedProgress
from resources.errors import Permanent
from resources.files import Files
from resources.lake import Lake
from tests.support.rows import paper, pdf, with_papers

NAMES = ["2301.00001", "2301.00002", "2301.00003", "2301.00004", "2301.00005"]


class Looking:
    """A parser that only looks which files are here."""

    fingerprint = "looking@1"

    def __init__(self) -> None:
        self.seen: list[list[Path]] = []

    def keeps(self, made_by: str) -> bool:
        return made_by == self.fingerprint

    def parse(self, pdfs: Mapping[str, Path], batch: int) -> Iterator[Parsed]:
        assert all(path.read_bytes() == b"%PDF" for path in pdfs.values())
        assert not any(path.exists() for paths in self.seen for path in paths)
        self.seen.append(list(pdfs.values()))
        yield {key: Permanent(f"{key} was only looked at.") for key in pdfs}


def test_copies_are_made_a_few_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage, "COPIES", 2)
    lake = with_papers(Lake(str(tmp_path)), *map(paper, NAMES))
    files = Files("memory://object-store-pdfs")
    for name in NAMES:
        files.write_bytes(pdf(name)["path"], b"%PDF")
    parser = Looking()
    parts: dict[str, Any] = {
        "lake": lake, "files": files, "parser": parser, "progress": LoggedProgress()
    }  # fmt: skip
    made = dg.materialize(
        [stage.documents, dg.AssetSpec("pdfs"), dg.AssetSpec("grobid")],
        resources=parts,
        run_config=dg.RunConfig(loggers={"console": {"config": {"log_level": "CRITICAL"}}}),
    )
    assert made.success
    assert [len(paths) for paths in parser.seen] == [2, 2, 1]
