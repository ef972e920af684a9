"""The settings turned into the parts that the stages are handed.

Each part is a Dagster resource that is made when a step first needs it, so that a step pays only
for what it uses; `Parts` gives the same parts to callers outside a run.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import dagster as dg

from assets.factuality.extractors import EmbeddedClaims, Extractor, ModelClaims
from assets.increment import fingerprint
from assets.parsing.parsers import EmbeddedParser, Parser, grobid_or_stand_in
from assets.reporting import LoggedProgress, Progress
from pipelines.settings import Settings
from resources import sample_corpus
from resources.arxiv_api import ArxivSource
from resources.bibliography import named_papers
from resources.encoder import Encoder, WordpieceCounter, open_encoder, open_tokenizer
from resources.errors import UsageError
from resources.files import Files
from resources.folder import FolderSource
from resources.grobid import Grobid
from resources.lake import Lake, Row
from resources.language_model import Budget, FileCache, LanguageModel, open_language_model
from resources.profile import Profile, load_profile
from resources.source import FetchedPdf, ListedPaper, Listing, Source, nothing_known


class Parts:
    """Everything that the stages use, made from the settings at first use."""

    def __init__(self, settings: Settings, progress: Progress | None = None) -> None:
        self.settings = settings
        self.progress: Progress = progress or LoggedProgress()

    @cached_property
    def lake(self) -> Lake:
        """Every table."""
        return Lake(f"{self.settings.location}/lake")

    @cached_property
    def files(self) -> Files:
        """PDFs, index folders, releases."""
        return Files(self.settings.location)

    @cached_property
    def profile(self) -> Profile:
        """What makes this corpus this corpus."""
        return load_profile(self.settings.profile)

    @cached_property
    def sources(self) -> "ConfiguredSources":
        """Where papers come from."""
        return ConfiguredSources(self.settings, self.profile)

    @cached_property
    def parser(self) -> Parser:
        """GROBID where a server is configured, else the embedded layout parser."""
        if self.settings.grobid_url:
            grobid = Grobid(self.settings.grobid_url, concurrency=self.settings.workers)
            return grobid_or_stand_in(grobid, self.settings.workers, self.settings.grobid_stand_in)
        return EmbeddedParser(workers=self.settings.workers)

    @cached_property
    def counter(self) -> WordpieceCounter:
        """The encoder's wordpieces, without its weights."""
        return open_tokenizer(self.settings.encoder)

    @cached_property
    def encoder(self) -> Encoder:
        """Text to vectors."""
        return open_encoder(self.settings.encoder, cache_folder())

    @cached_property
    def model(self) -> LanguageModel | None:
        """The language model, or None: the embedded parts do without."""
        return open_language_model(
            self.settings.model,
            cache=FileCache(self._local / "cache" / "model"),
            budget=Budget(self.settings.budget_usd),
        )

    @cached_property
    def extractor(self) -> Extractor:
        """The language model where one is configured, else the embedded rules."""
        if self.model is None:
            return EmbeddedClaims()
        from assets.factuality.model_extractor import (  # noqa: PLC0415 - needs a model anyway
            ModelExtractor,
        )

        return ModelClaims(ModelExtractor(self.model))

    @property
    def _local(self) -> Path:
        """A folder of this machine that belongs to the data location."""
        return Path(self.settings.location) if self.files.is_local else cache_folder()


class ConfiguredSources:
    """Opens sources by name, with what the settings say about each."""

    def __init__(self, settings: Settings, profile: Profile) -> None:
        self._settings = settings
        self._profile = profile

    def open(self, name: str = "", folder: str = "", ids: str = "") -> Source:
        """A source by name; empty means the configured one."""
        chosen = name or self._settings.source
        if ids and chosen != "arxiv":
            raise UsageError("Ids name arXiv papers: give them with --source arxiv.")
        makers: Mapping[str, Callable[[], Source]] = {
            "sample": lambda: FolderSource(sample_corpus.folder(), name="sample"),
            "folder": lambda: self._folder(folder or self._settings.folder),
            "arxiv": lambda: self._named(ids) if ids else self._arxiv(),
        }
        if chosen not in makers:
            raise UsageError(
                f"There is no source {chosen!r}: choose one of {', '.join(sorted(makers))}."
            )
        return makers[chosen]()

    def of_row(self, row: Row) -> Source:
        """The source that fetches a known paper's PDF."""
        if row["source"] == "arxiv":
            return self._shared_arxiv
        return FolderSource(Path(row["url"]).parent, name=row["source"])

    def query(self, source: Source) -> str:
        """What arXiv is asked for; a folder is always listed whole."""
        if isinstance(source, FolderSource):
            return ""
        return fingerprint(self._profile.arxiv.model_dump(mode="json"))

    def covers(self, source: Source, row: Row, query_changed: bool) -> bool:
        """A folder answers for the files below it; arXiv's silence says nothing, unless it was
        asked another question than before."""
        if row["source"] != source.name:
            return False
        if isinstance(source, FolderSource):
            return Path(row["url"]).is_relative_to(source.folder.absolute())
        return query_changed or row["paper_id"] in self._profile.arxiv.exclude_ids

    def _folder(self, folder: str) -> Source:
        if not folder:
            raise UsageError(
                "The source `folder` needs a folder of PDFs: name it with --folder or MUON_FOLDER."
            )
        return FolderSource(Path(folder).expanduser().absolute())

    @cached_property
    def _shared_arxiv(self) -> ArxivSource:
        # One source, and so one pace, for all PDFs of a run.
        return self._arxiv()

    def _named(self, ids: str) -> Source:
        named = named_papers(ids)
        return NamedArxivPapers(self._arxiv(named.ids), named.problems)

    def _arxiv(self, ids: Sequence[str] | None = None) -> ArxivSource:
        return ArxivSource(
            self._profile,
            base_url=self._settings.arxiv_url,
            pace_seconds=self._settings.arxiv_pace,
            contact=self._settings.contact,
            ids=ids,
        )


class NamedArxivPapers:
    """arXiv papers that a person named, and what was wrong with the naming."""

    def __init__(self, source: ArxivSource, problems: Sequence[str]) -> None:
        self._source = source
        self._problems = tuple(problems)

    @property
    def name(self) -> str:
        """`arxiv`."""
        return self._source.name

    def list_papers(
        self, since: str | None = None, known: Callable[[ListedPaper], bool] = nothing_known
    ) -> Listing:
        """The papers named, whatever changed; entries that name none are problems."""
        listing = self._source.list_papers(since, known)
        return replace(listing, problems=(*self._problems, *listing.problems))

    def fetch_pdf(self, paper: ListedPaper, target: Path) -> FetchedPdf:
        """As arXiv's."""
        return self._source.fetch_pdf(paper, target)


def cache_folder() -> Path:
    """Where what is derived from a model's weights is kept, for all data locations."""
    base = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    return Path(base) / "muon-evidence"


def as_resources(parts: Parts) -> dict[str, dg.ResourceDefinition]:
    """The parts under the names that assets ask for, each made when first needed."""
    makers: dict[str, Callable[[], Any]] = {
        "lake": lambda: parts.lake,
        "files": lambda: parts.files,
        "profile": lambda: parts.profile,
        "sources": lambda: parts.sources,
        "parser": lambda: parts.parser,
        "counter": lambda: parts.counter,
        "encoder": lambda: parts.encoder,
        "extractor": lambda: parts.extractor,
        "model": lambda: parts.model,
        "density_variant": lambda: parts.settings.density,
        "progress": lambda: parts.progress,
    }
    return {name: _resource(make) for name, make in makers.items()}


def _resource(make: Callable[[], Any]) -> dg.ResourceDefinition:
    return dg.ResourceDefinition(resource_fn=lambda _context: make())
