"""Listings of arXiv that are complete, or say that they are not."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import arxiv

from resources.arxiv_api.limits import Limits
from resources.arxiv_api.pace import Pace
from resources.arxiv_api.pages import MalformedRequest, Page, PageReader
from resources.arxiv_api.query import Window, all_time, profile_window, search_query
from resources.arxiv_api.spool import PaperSpool
from resources.arxiv_api.walk import Scope, Walk
from resources.errors import UsageError
from resources.identifiers import ArxivId
from resources.profile import ArxivQuery
from resources.source import ListedPaper


def no_report(done: int, total: int) -> None:
    """Where nobody wants to know how far a listing is."""
    del done, total


@dataclass(slots=True)
class Found:
    """What a listing came to: `total` as arXiv reports it, and where it fell short, in words.

    `report` is told after each page how many papers there are, and of how many.
    """

    papers: PaperSpool = field(default_factory=PaperSpool)
    total: int = 0
    complete: bool = True
    problems: list[str] = field(default_factory=list)
    report: Callable[[int, int], None] = no_report

    def fell_short(self, sentence: str) -> None:
        """Note that the listing is not complete, and why."""
        self.complete = False
        self.problems.append(sentence)

    def doubt(self, walk: Walk) -> None:
        """Note the pages of an unfinished walk that stayed doubtful."""
        if walk.doubts:
            self.fell_short(f"The listing of changes may lack papers. {walk.doubts[-1]}")

    def compare(self, walk: Walk) -> None:
        """Note where a walk gave less than arXiv reports."""
        if walk.is_whole and walk.wanted:
            return
        last = f" The last doubt: {walk.doubts[-1]}" if walk.doubts else ""
        if walk.total is None:
            self.fell_short(f"arXiv gave {walk.given:,} papers and no total to hold them to.{last}")
        elif not walk.wanted:
            self.fell_short("arXiv reports no papers at all for the profile's query.")
        else:
            self.fell_short(f"arXiv reports {walk.wanted:,} papers but gave {walk.given:,}.{last}")


class Lister:
    """Lists papers of one profile's query, and of ids."""

    def __init__(
        self, reader: PageReader, pace: Pace, limits: Limits, query: ArxivQuery, today: datetime
    ) -> None:
        self._reader = reader
        self._pace = pace
        self._limits = limits
        self._query = query
        self._today = today
        self._excluded = frozenset(query.exclude_ids)

    def everything(self, found: Found) -> None:
        """All papers of the query, or the newest `max_papers`."""
        self._window(profile_window(self._query, self._today), found, finds_some=True)

    def changes(self, since: str, known: Callable[[ListedPaper], bool], found: Found) -> None:
        """Papers updated since a time, and in the days before it, the last updated first.

        Ends where a page reaches back far enough, or is `known` altogether.
        """
        horizon = _moment(since) - timedelta(days=self._limits.overlap_days)
        search = arxiv.Search(
            self._in_words(profile_window(self._query, self._today)),
            max_results=None,
            sort_by=arxiv.SortCriterion.LastUpdatedDate,
            sort_order=arxiv.SortOrder.Descending,
        )
        walk = self._walk(search, Scope(finds_some=True))
        for page in self._pages(walk):
            self._keep(page.papers, walk.wanted, found)
            if _reaches(page, horizon) or (page.papers and all(map(known, page.papers))):
                found.doubt(walk)
                break
        else:
            found.compare(walk)
        newest, total = self._query.max_papers, walk.total or 0
        found.total += min(newest, total) if newest else total

    def named(self, ids: Sequence[ArxivId], found: Found) -> None:
        """The papers of some ids; an id that arXiv does not know or refuses is a problem."""
        for start in range(0, len(ids), self._limits.ids_a_request):
            self._some_named(ids[start : start + self._limits.ids_a_request], found)

    def _some_named(self, ids: Sequence[ArxivId], found: Found) -> None:
        search = arxiv.Search(id_list=[str(one) for one in ids], max_results=None)
        walk = self._walk(search, Scope())
        try:
            papers = [paper for page in walk.pages() for paper in page.papers]
        except MalformedRequest as error:
            if len(ids) == 1:
                found.problems.append(f"{ids[0]} was not listed: {error}")
                return
            # One bad id spoils the answer for all; halves find it.
            self._some_named(ids[: len(ids) // 2], found)
            self._some_named(ids[len(ids) // 2 :], found)
            return
        before = len(found.papers)
        found.papers.add(papers)
        found.total += len(found.papers) - before
        given = {paper.paper_id for paper in papers}
        found.problems += [
            f"arXiv knows no paper {one}; check the id." for one in ids if one.paper_id not in given
        ]

    def _window(self, window: Window | None, found: Found, *, finds_some: bool = False) -> None:
        """List one window whole; one that holds more than arXiv gives is split by date."""
        newest = self._query.max_papers
        search = arxiv.Search(
            self._in_words(window),
            max_results=None,
            sort_by=arxiv.SortCriterion.SubmittedDate,
            # Oldest first: what is submitted meanwhile comes last and moves nothing.
            sort_order=arxiv.SortOrder.Descending if newest else arxiv.SortOrder.Ascending,
        )
        walk = self._walk(search, Scope(finds_some, newest, probe=not newest))
        for _ in range(self._limits.passes):
            for page in self._pages(walk):
                if walk.wanted > self._limits.window:
                    self._halves(window, walk.wanted, found)
                    return
                self._keep(page.papers, walk.wanted, found)
            if walk.is_whole:
                break
        if finds_some or walk.wanted or walk.total is None:
            found.compare(walk)
        found.total += walk.wanted

    def _halves(self, window: Window | None, total: int, found: Found) -> None:
        halves = (window or all_time(self._today)).halves()
        if halves is None:
            found.total += total
            found.fell_short(
                f"arXiv has {total:,} papers for {window}, more than the {self._limits.window:,} "
                "it lists for one query; narrow the profile's phrases."
            )
            return
        for half in halves:
            self._window(half, found)

    def _pages(self, walk: Walk) -> Iterator[Page]:
        try:
            yield from walk.pages()
        except MalformedRequest as error:
            raise UsageError(f"{error} Check the profile's phrases and categories.") from error

    def _walk(self, search: arxiv.Search, scope: Scope) -> Walk:
        return Walk(self._reader, self._pace, self._limits, search, scope)

    def _in_words(self, window: Window | None) -> str:
        return search_query(self._query, window)

    def _keep(self, papers: Sequence[ListedPaper], total: int, found: Found) -> None:
        found.papers.add(paper for paper in papers if paper.paper_id not in self._excluded)
        found.report(len(found.papers), found.total + total)


def _reaches(page: Page, horizon: datetime) -> bool:
    """Whether nothing newer than the horizon can come after a page.

    A page in order tells by its last paper. One out of order is not relied on, unless all of it
    is older.
    """
    updated = [_moment(paper.updated) for paper in page.papers]
    if not updated:
        return False
    in_order = updated == sorted(updated, reverse=True)
    return (updated[-1] if in_order else max(updated)) < horizon


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
