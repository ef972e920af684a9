"""One page of arXiv's answers, through the arxiv package, and the record made of each entry.

The package leaves out what a complete listing has to know: it takes a missing total for 0, skips
entries, and takes a web page for an empty answer. So each answer is looked at before the package
reads it.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any
from xml.etree.ElementTree import Element, ParseError

import arxiv
import requests
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from resources.arxiv_api.connection import Connection, Unreachable, retry_after
from resources.errors import Permanent, ServiceDown, Transient
from resources.identifiers import parse_arxiv_id
from resources.source import ListedPaper

_ATOM = "{http://www.w3.org/2005/Atom}"
_OPENSEARCH = "{http://a9.com/-/spec/opensearch/1.1/}"
_WITHDRAWN = re.compile(
    r"^\W*(?:paper |article |manuscript |submission )?(?:is |was |has been )?withdrawn\b"
    r"|\b(?:this|the|our)\s(?:\w+\s)?(?:paper|article|submission|manuscript|preprint|work|note|"
    r"version|letter|report|document)\s(?:is|was|has|had)\s(?:\w+\s){0,3}withdrawn\b"
    r"|\bwithdrawn\sby\s(?:the\s)?(?:author|arxiv|submitter)",
    re.IGNORECASE,
)


class MalformedRequest(Permanent):
    """A request that arXiv does not understand, with its own words on why."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a listing.

    `entries` counts what the page holds, `papers` what could be read of it. `total` is how many
    the whole query has and `start` the page's first place in it, from 0, as arXiv reports them;
    None where it does not.
    """

    papers: tuple[ListedPaper, ...]
    entries: int
    total: int | None
    start: int | None


class PageReader:
    """Reads pages over one connection, one request a call."""

    def __init__(self, connection: Connection) -> None:
        session = connection.open_session()
        session.hooks["response"] = [self._look]
        self._client = arxiv.Client(delay_seconds=0, num_retries=0)
        self._client.query_url_format = connection.api_url + "?{}"
        # Its own session cannot be given from outside and knows neither timeouts nor our pace.
        self._client._session = session
        self._feed = _Feed(0, 0, None, None)

    def read(self, search: arxiv.Search, start: int, size: int) -> Page:
        """The page of `size` results that begins at `start`, of a search without `max_results`.

        Raises MalformedRequest where arXiv says so, Transient where it may answer later,
        ServiceDown where it will not.
        """
        self._client.page_size = size
        try:
            results = self._client.results(search, offset=start)
            first = next(results, None)
            # No more than the page holds: the package would ask for the next one by itself.
            more = islice(results, self._feed.readable - 1) if first is not None else ()
            found = [listed_paper(result) for result in (first, *more) if result is not None]
        except MalformedRequest:
            raise
        except requests.TooManyRedirects as error:
            raise ServiceDown(
                "arXiv's search redirects without end; check MUON_ARXIV_URL."
            ) from error
        except (Permanent, requests.RequestException) as error:
            raise ServiceDown(f"arXiv's search cannot be used: {error}") from error
        papers = tuple(paper for paper in found if paper is not None)
        return Page(papers, self._feed.entries, self._feed.total, self._feed.start)

    def _look(self, response: requests.Response, **_: Any) -> None:
        if not response.is_redirect:
            refuse(response)
            self._feed = _read_feed(response)


def listed_paper(result: arxiv.Result) -> ListedPaper | None:
    """The record of one result, or None where its id is not arXiv's."""
    found = parse_arxiv_id(result.entry_id.rpartition("/abs/")[2])
    if found is None:
        return None
    comment = _one_line(result.comment)
    abstract = _one_line(result.summary)
    return ListedPaper(
        paper_id=found.paper_id,
        title=_one_line(result.title),
        version=found.version or 1,
        authors=tuple(_one_line(author.name) for author in result.authors),
        abstract=abstract,
        categories=tuple(dict.fromkeys([result.primary_category, *result.categories])),
        published=_iso(result.published),
        updated=_iso(result.updated),
        doi=_one_line(result.doi),
        journal_ref=_one_line(result.journal_ref),
        comment=comment,
        source="arxiv",
        pdf_url_or_path=result.pdf_url or "",
        withdrawn=says_withdrawn(comment) or says_withdrawn(abstract[:200]),
    )


def says_withdrawn(text: str) -> bool:
    """Whether a comment, or an abstract's beginning, says that the paper itself is withdrawn."""
    return _WITHDRAWN.search(text) is not None


def refuse(response: requests.Response) -> None:
    """Raise what an answer's status means for a listing; 200 means nothing."""
    status = response.status_code
    if status == requests.codes.ok:
        return
    wait = retry_after(response.headers)
    if status == requests.codes.bad_request:
        raise MalformedRequest(f"arXiv refuses the request: {_complaint(response)}.")
    if status == requests.codes.too_many_requests:
        raise Unreachable("arXiv asks to slow down (429).", wait)
    if status >= 500:
        raise Transient(f"arXiv's search failed ({status} {response.reason}).", wait)
    if status == requests.codes.forbidden:
        raise ServiceDown(
            "arXiv's search refuses this client (403 Forbidden); set MUON_CONTACT, wait a day, "
            "and run again."
        )
    raise ServiceDown(
        f"{response.url.split('?')[0]} answered {status} {response.reason} instead of a listing; "
        "check MUON_ARXIV_URL."
    )


@dataclass(frozen=True, slots=True)
class _Feed:
    entries: int
    readable: int
    total: int | None
    start: int | None


def _read_feed(response: requests.Response) -> _Feed:
    root = _parse(response)
    if root is None or root.tag != f"{_ATOM}feed":
        kind = response.headers.get("Content-Type", "an unnamed type").split(";")[0]
        raise Transient(f"arXiv's search answered with {kind} that is no whole Atom feed.")
    entries = root.findall(f"{_ATOM}entry")
    return _Feed(
        entries=len(entries),
        readable=sum(map(_readable, entries)),
        total=_number(root, "totalResults"),
        start=_number(root, "startIndex"),
    )


def _readable(entry: Element) -> bool:
    """Whether the package makes a result of an entry: it needs an id and both dates."""
    if not entry.findtext(f"{_ATOM}id"):
        return False
    dates = [entry.findtext(f"{_ATOM}{name}") for name in ("published", "updated")]
    try:
        return all(date and datetime.fromisoformat(date.strip()) for date in dates)
    except ValueError as error:
        raise Transient(f"arXiv's search gave a date that is none ({error}).") from error


def _complaint(response: requests.Response) -> str:
    """arXiv's own words on a malformed request: the summary of the feed's one entry."""
    root = _parse(response)
    summary = root.findtext(f".//{_ATOM}summary") if root is not None else None
    return _one_line(summary) or "it does not say why (400)"


def _parse(response: requests.Response) -> Element | None:
    try:
        root: Element = fromstring(response.content)
    except (ParseError, DefusedXmlException, ValueError):
        return None
    return root


def _number(root: Element, name: str) -> int | None:
    text = (root.findtext(f"{_OPENSEARCH}{name}") or "").strip()
    return int(text) if text.isdigit() else None


def _one_line(text: str | None) -> str:
    return " ".join((text or "").split())


def _iso(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
