"""arXiv as a source of papers."""

import copy
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from resources.arxiv_api.connection import Connection, Traffic
from resources.arxiv_api.download import Downloader
from resources.arxiv_api.limits import Limits
from resources.arxiv_api.listing import Found, Lister, no_report
from resources.arxiv_api.pace import Pace
from resources.arxiv_api.pages import PageReader
from resources.identifiers import ArxivId, parse_arxiv_id
from resources.profile import Profile
from resources.source import FetchedPdf, ListedPaper, Listing, nothing_known


class ArxivSource:
    """arXiv, asked for a profile's papers, or for the papers of some ids.

    Search and downloads share one pace of `pace_seconds` between requests, so one object should
    serve a whole run. `base_url` is the search endpoint (empty: arXiv's own); PDFs come from the
    same host. `contact` goes into the User-Agent. With `ids`, arXiv ids in any form, only these
    papers are listed. `report` is called with the papers listed so far and their total.
    """

    def __init__(  # noqa: PLR0913 - the settings of one service
        self,
        profile: Profile,
        base_url: str = "",
        pace_seconds: float = 3.0,
        contact: str = "",
        ids: Sequence[str] | None = None,
        *,
        limits: Limits = Limits(),  # noqa: B008 - frozen
        sleep: Callable[[float], None] = time.sleep,
        report: Callable[[int, int], None] = no_report,
        today: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._query = profile.arxiv
        self._ids = ids
        self._report = report
        self._today = today
        self._limits = limits
        self._pace = Pace(pace_seconds, jitter=limits.jitter, sleep=sleep)
        self._connection = Connection(base_url, contact, self._pace, limits)
        self._reader = PageReader(self._connection)
        self._downloader = Downloader(self._connection)

    @property
    def name(self) -> str:
        """`arxiv`."""
        return "arxiv"

    @property
    def traffic(self) -> Traffic:
        """Requests made and bytes received so far."""
        return self._connection.traffic

    @property
    def waited(self) -> float:
        """Seconds waited so far to keep the pace."""
        return self._pace.waited

    def only(self, ids: Sequence[str]) -> "ArxivSource":
        """The same connection and pace, for listing some papers instead of the profile's."""
        other = copy.copy(self)
        other._ids = ids
        return other

    def including(self, ids: Sequence[str]) -> "ArxivSource":
        """The same connection and pace, for listing some papers besides the profile's.

        Papers that the profile excludes stay out.
        """
        query = self._query
        more = [one for one in ids if one not in query.exclude_ids]
        other = copy.copy(self)
        other._query = query.model_copy(
            update={"include_ids": tuple(dict.fromkeys([*query.include_ids, *more]))}
        )
        return other

    def list_papers(
        self, since: str | None = None, known: Callable[[ListedPaper], bool] = nothing_known
    ) -> Listing:
        """The profile's papers, those updated since a time, or those of the ids.

        A listing of ids is never `full`. Raises UsageError where the profile's query cannot be
        understood, and ServiceDown where arXiv does not answer.
        """
        query = self._query
        lister = Lister(self._reader, self._pace, self._limits, query, self._today())
        found = Found(report=self._report)
        if self._ids is not None:
            lister.named(_readable_ids(self._ids, found), found)
        else:
            if not since:
                lister.everything(found)
            else:
                lister.changes(since, known, found)
            lister.named([ArxivId(one) for one in query.include_ids], found)
        return Listing(
            papers=found.papers,
            total_reported=found.total,
            complete=found.complete,
            full=self._ids is None and not since,
            problems=tuple(found.problems),
        )

    def fetch_pdf(self, paper: ListedPaper, target: Path) -> FetchedPdf:
        """Download a paper's PDF to `target`, at the pace, whole and checked."""
        return self._downloader.fetch(paper, target)


def _readable_ids(ids: Sequence[str], found: Found) -> list[ArxivId]:
    """Each id once; what has not the form of one is a problem and is not asked for."""
    read: dict[str, ArxivId] = {}
    for text in ids:
        one = parse_arxiv_id(text)
        if one is None:
            found.problems.append(
                f"{text!r} is not an arXiv id; one looks like 2303.08533 or hep-ph/9909255."
            )
        else:
            read[str(one)] = one
    return list(read.values())
