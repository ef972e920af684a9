"""The sources that are configured, by name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from assets.increment import fingerprint
from assets.reporting import Progress
from pipelines.settings import Settings
from resources import sample_corpus
from resources.arxiv_api import ArxivSource, Limits
from resources.bibliography import named_papers
from resources.errors import UsageError
from resources.folder import FolderSource
from resources.lake import Row
from resources.profile import Profile
from resources.source import FetchedPdf, ListedPaper, Listing, Source, nothing_known


class ConfiguredSources:
    """Opens sources by name, with what the settings say about each."""

    def __init__(
        self,
        settings: Settings,
        profile: Profile,
        progress: Progress,
        limits: Limits = Limits(),  # noqa: B008 - frozen
    ) -> None:
        self._settings = settings
        self._profile = profile
        self._progress = progress
        self._limits = limits

    def open(self, name: str = "", folder: str = "", ids: str = "") -> Source:
        """A source by name; empty means `folder` where one is named, else the configured one."""
        chosen = name or ("folder" if folder else self._settings.source)
        if folder and chosen != "folder":
            raise UsageError(
                f"A folder is read by the source `folder` alone: leave out --source {chosen}, or "
                "--folder."
            )
        if ids and chosen != "arxiv":
            raise UsageError("Ids name arXiv papers: give them with --source arxiv.")
        makers: Mapping[str, Callable[[], Source]] = {
            "sample": lambda: FolderSource(sample_corpus.folder(), name="sample"),
            "folder": lambda: self._folder(folder or self._settings.folder),
            "arxiv": lambda: self._named(ids) if ids else self.arxiv,
        }
        if chosen not in makers:
            raise UsageError(
                f"There is no source {chosen!r}: choose one of {', '.join(sorted(makers))}."
            )
        return makers[chosen]()

    def of_row(self, row: Row) -> Source:
        """The source that fetches a known paper's PDF."""
        if row["source"] == "arxiv":
            return self.arxiv
        return FolderSource(Path(row["url"]).parent, name=row["source"])

    def with_named(self, source: Source, ids: Sequence[str]) -> Source:
        """arXiv with some more papers; any other source as it is."""
        return source.including(ids) if ids and isinstance(source, ArxivSource) else source

    def query(self, source: Source) -> str:
        """What arXiv is asked for, and the tiers that its papers are sorted into; a folder is
        asked nothing, and always listed whole."""
        if isinstance(source, FolderSource):
            return ""
        profile = self._profile.model_dump(mode="json")
        return fingerprint(profile["arxiv"], profile["tier_rules"])

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
        place = Path(folder).expanduser().absolute()
        if place.is_file():
            raise UsageError(f"{place} is a file: name the folder of PDFs that it lies in.")
        if not place.is_dir():
            raise UsageError(f"There is no folder {place}: name one that holds PDFs.")
        return FolderSource(place)

    @cached_property
    def arxiv(self) -> ArxivSource:
        """arXiv: one source, and so one pace, for all listings and PDFs of a run."""
        return ArxivSource(
            self._profile,
            base_url=self._settings.arxiv_url,
            pace_seconds=self._settings.arxiv_pace,
            contact=self._settings.contact,
            limits=self._limits,
            report=lambda done, total: self._progress.report("papers", done, total),
        )

    def _named(self, ids: str) -> Source:
        named = named_papers(ids)
        return NamedArxivPapers(self.arxiv.only(named.ids), named.problems)


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
