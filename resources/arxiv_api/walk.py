"""One search of arXiv, walked page by page, with every page that looks wrong asked for again.

arXiv's search gives, now and then, an empty page in the middle, a page cut short, a page that was
given before, or another total than a moment ago, all with status 200. Such a page is doubted and
asked for a bounded number of times; what was given is then held against what was promised.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import arxiv

from resources.arxiv_api.limits import Limits
from resources.arxiv_api.pace import Pace, retrying
from resources.arxiv_api.pages import MalformedRequest, Page, PageReader
from resources.errors import ServiceDown, Transient


class Doubt(Transient):
    """A page that may not be what arXiv holds; `page` is what was given."""

    def __init__(self, message: str, page: Page) -> None:
        super().__init__(message)
        self.page = page


@dataclass(frozen=True, slots=True)
class Scope:
    """What is expected of a search: that it finds something, and how many are wanted (0 = all).

    `probe` asks once more behind the last page, so that a total that is too small is found out.
    """

    finds_some: bool = False
    most: int = 0
    probe: bool = False


class Walk:
    """A search that can be walked more than once.

    `total` is what arXiv last said, twice where it changed its mind; None before the first page,
    and where it never says. `doubts` are sentences on pages that stayed doubtful.
    """

    def __init__(
        self, reader: PageReader, pace: Pace, limits: Limits, search: arxiv.Search, scope: Scope
    ) -> None:
        self._reader = reader
        self._limits = limits
        self._retrying = retrying(pace, limits, "arXiv's search")
        self._search = search
        self._scope = scope
        self._size = limits.page_size
        self._disputed: int | None = None
        self._short: tuple[int, int] | None = None
        self._this_time: set[str] = set()
        self._seen: set[str] = set()
        self.total: int | None = None
        self.doubts: list[str] = []

    @property
    def wanted(self) -> int:
        """How many papers a whole walk has given."""
        total = self.total or 0
        return min(total, self._scope.most) if self._scope.most else total

    @property
    def given(self) -> int:
        """How many distinct papers all walks together have given."""
        return len(self._seen)

    @property
    def is_whole(self) -> bool:
        """Whether all that arXiv reports was given."""
        return self.total is not None and self.given >= self.wanted

    def pages(self) -> Iterator[Page]:
        """The pages from the first on, as far as arXiv gives results for one query.

        Raises ServiceDown where arXiv gives no answer at all.
        """
        self._this_time = set()
        self.doubts.clear()
        start = 0
        while start < self._limits.window:
            try:
                page = self._page(start)
            except MalformedRequest:
                if self.total is not None and start >= self.total:
                    return  # a refusal to look behind the last page
                raise
            ids = {paper.paper_id for paper in page.papers}
            self._this_time |= ids
            self._seen |= ids
            if page.entries:
                yield page
            elif self.total is None or start + self._size >= self.total:
                return
            # A page that stays empty is stepped over: what comes after it may be there.
            start += page.entries or self._size
            if self._at_end(start):
                return

    def _at_end(self, start: int) -> bool:
        if self._scope.most and start >= self._scope.most:
            return True
        if self.total is None or start < self.total:
            return False
        return not self._scope.probe or start > self.total

    def _due(self, start: int) -> int:
        """How many results to ask for from a place on."""
        return min(self._size, self._scope.most - start) if self._scope.most else self._size

    def _page(self, start: int) -> Page:
        def read() -> Page:
            page = self._reader.read(self._search, start, self._due(start))
            if doubt := self._doubt(page, start):
                raise Doubt(f"arXiv's search {doubt}.", page)
            return page

        try:
            page = self._retrying(read)
        except Doubt as doubt:
            self.doubts.append(str(doubt))
            page = doubt.page
        except Transient as error:
            raise ServiceDown(
                f"arXiv's search gives no usable answer; run again later. The last time: {error}"
            ) from error
        if page.total is not None:
            self.total = page.total
        return page

    def _doubt(self, page: Page, start: int) -> str:
        """What is wrong with a page, as the rest of a sentence; empty where nothing is."""
        if page.total is None:
            return "does not say how many papers it has"
        if page.start is not None and page.start != start:
            return f"gave results from {page.start:,} on where {start:,} was asked for"
        if self.total not in (None, page.total) and self._disputed != page.total:
            self._disputed = page.total
            return f"first reported {self.total:,} papers and then {page.total:,}"
        if page.entries == 0:
            missing = start < page.total or (start == 0 and self._scope.finds_some)
            return f"gave an empty page at {start:,} of {page.total:,} papers" if missing else ""
        return self._doubt_entries(page, page.total, start)

    def _doubt_entries(self, page: Page, total: int, start: int) -> str:
        if start > 0 and self._this_time.issuperset(paper.paper_id for paper in page.papers):
            return f"gave at {start:,} a page that it had given before"
        if start + page.entries > total:
            return f"gave more papers than the {total:,} it reports"
        if len(page.papers) < page.entries:
            missing = page.entries - len(page.papers)
            return f"gave entries without an id or a date ({missing} of {page.entries})"
        due = min(self._due(start), total - start)
        if page.entries < due:
            if self._short != (start, page.entries):
                self._short = (start, page.entries)
                return f"gave {page.entries:,} papers at {start:,} where {due:,} were due"
            # The same again: arXiv's pages are smaller than ours.
            self._size = page.entries
        return ""
