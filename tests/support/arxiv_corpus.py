"""A corpus kept from a loopback arXiv: quick runs, and what they asked, made and left."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dagster as dg

from assets.corpus.assets import PapersConfig, papers, pdfs
from assets.parsing.assets import chunks, documents
from assets.reporting import Progress, StageConfig
from assets.tables import CHUNKS, DOCUMENTS, PAPERS, PDFS
from pipelines import actions
from pipelines.inventory import inventory
from pipelines.parts import Parts, as_resources
from pipelines.running import _for_the_user
from pipelines.settings import Settings
from pipelines.sources import ConfiguredSources
from resources.arxiv_api import Limits
from resources.lake import Row, Table
from resources.profile import Profile
from tests.support.arxiv_access import QUICK, profile_with
from tests.support.arxiv_catalogue import Catalogue
from tests.support.arxiv_server import ArxivServer
from tests.support.letter_encoder import LetterEncoder

TO_PDFS = (papers, pdfs)
TO_CHUNKS = (papers, pdfs, documents, chunks)

Metadata = dict[str, dict[str, Any]]


@dataclass
class ArxivCorpus:
    """A data location that is refreshed from a loopback arXiv, page by page of 50 papers."""

    data: Path
    server: ArxivServer
    profile: Profile
    settings: dict[str, Any]
    limits: Limits = QUICK

    def parts(self) -> Parts:
        """The parts of one run."""
        given = {"MUON_ARXIV_URL": self.server.url, **self.settings}
        return quick_parts(self.data, self.profile, self.limits, **given)

    def refresh(self, **options: Any) -> Metadata:
        """Papers to release, through the `refresh` job; the metadata of each asset."""
        self.server.forget()
        made: Metadata = actions.refresh(self.parts(), **options)["assets"]
        return made

    def run(
        self,
        assets: Sequence[dg.AssetsDefinition] = TO_PDFS,
        retry_failed: bool = False,
        **options: Any,
    ) -> Metadata:
        """The first stages only, in a run of their own; an error comes as the user sees it."""
        self.server.forget()
        again = StageConfig(retry_failed=retry_failed)
        config = {"papers": PapersConfig(**options), "pdfs": again, "documents": again}
        keys = [asset.key.to_user_string() for asset in assets]
        try:
            result = dg.materialize(
                [*assets, dg.AssetSpec("arxiv"), dg.AssetSpec("grobid")],
                resources=as_resources(self.parts()),
                run_config=dg.RunConfig(
                    ops={key: config[key] for key in keys if key in config},
                    loggers={"console": {"config": {"log_level": "CRITICAL"}}},
                ),
            )
        except Exception as error:
            raise _for_the_user(error, "refresh") from error
        return {
            event.asset_key.to_user_string(): {
                name: value.value for name, value in event.materialization.metadata.items()
            }
            for event in result.get_asset_materialization_events()
            if event.asset_key is not None
        }

    @property
    def asked(self) -> tuple[int, dict[str, int]]:
        """Searches of the last run, and downloads of each paper."""
        return len(self.server.searches), dict(self.server.downloads)

    def rows(self, table: Table) -> dict[str, Row]:
        """A table's rows by paper."""
        return {row["paper_id"]: row for row in self.parts().lake.rows(table)}

    def holds(self, paper_id: str) -> dict[str, bool]:
        """Whether each of the first tables holds something of a paper."""
        return {
            table.name: paper_id in self.rows(table) for table in (PAPERS, PDFS, DOCUMENTS, CHUNKS)
        }

    @property
    def status(self) -> dict[str, Any]:
        """What `muon-evidence status --json` prints."""
        return inventory(self.parts())

    @property
    def messages(self) -> dict[str, str]:
        """The standing failures by what failed."""
        return {item["key"]: item["message"] for item in self.status["failures"]["items"]}


def quick_parts(
    data: Path,
    profile: Profile,
    limits: Limits = QUICK,
    progress: Progress | None = None,
    **settings: Any,
) -> Parts:
    """Parts that wait for nothing, and count letters for vectors."""
    given = {"MUON_SOURCE": "arxiv", "MUON_ARXIV_PACE": 0, "MUON_WORKERS": 1, **settings}
    parts = Parts(Settings(MUON_DATA=str(data), **given), progress)
    parts.profile = profile
    parts.encoder = LetterEncoder()
    parts.sources = ConfiguredSources(parts.settings, profile, parts.progress, limits)
    return parts


@contextmanager
def arxiv_corpus(
    data: Path, count: int, profile: dict[str, Any] | None = None, **settings: Any
) -> Iterator[ArxivCorpus]:
    """A corpus of nothing yet, and an arXiv of `count` papers."""
    with ArxivServer(Catalogue(count)) as server:
        yield ArxivCorpus(data, server, profile_with(**(profile or {})), settings)
