"""PDFs from arXiv, whole and checked, each failure in its class."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import requests

from resources.arxiv_api.connection import (
    ARXIV_HOSTS,
    Connection,
    ForbiddenHost,
    Unreachable,
    retry_after,
)
from resources.arxiv_api.pace import retrying
from resources.errors import Permanent, ServiceDown, Transient
from resources.source import FetchedPdf, ListedPaper, PdfMissing, store_pdf

_HTML_LOOKED_AT = 64 * 1024
_LEFT_OUT = "it is left out until there is another version."


class _WebPage(Transient):
    """A web page in place of a PDF: arXiv may still be making it."""


class Downloader:
    """Fetches PDFs over one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._session = connection.open_session()

    def fetch(self, paper: ListedPaper, target: Path) -> FetchedPdf:
        """Put a paper's PDF at `target`; nothing else is left there, whatever goes wrong.

        Raises PdfMissing where arXiv has none, Permanent where it has none that can be used,
        Transient where it failed but may not another time, ServiceDown where it gives nothing.
        """
        what = f"The PDF of {paper.paper_id} version {paper.version}"
        if not paper.pdf_url_or_path:
            raise PdfMissing(f"{what} cannot be had: arXiv lists none; {_LEFT_OUT}")
        url = self._place(paper.pdf_url_or_path)
        limits = self._connection.limits
        try:
            retry = retrying(self._connection.pace, limits, "arXiv")
            return retry(self._try, url, target, what)
        except _WebPage as error:
            raise Permanent(f"{error}; {_LEFT_OUT}") from error
        except Unreachable as error:
            raise ServiceDown(
                f"arXiv gives no PDFs at present; run again later. The last time: {error}"
            ) from error

    def _place(self, listed: str) -> str:
        """Where a listed PDF is fetched: from the host that was configured, not the readers' site.

        Of arXiv's hosts the default one, export.arxiv.org, is the one set aside for programs.
        """
        parts = urlsplit(listed)
        if parts.hostname not in ARXIV_HOSTS:
            return listed
        origin = urlsplit(self._connection.origin)
        return urlunsplit((origin.scheme, origin.netloc, parts.path, parts.query, ""))

    def _try(self, url: str, target: Path, what: str) -> FetchedPdf:
        try:
            headers = {"Accept": "application/pdf, */*;q=0.1"}
            with self._session.get(url, stream=True, headers=headers) as response:
                _refuse(response, what)
                self._refuse_type(response, what)
                limit = self._connection.limits.pdf_bytes
                announced = response.headers.get("Content-Length", "")
                if announced.isdigit() and int(announced) > limit:
                    raise Permanent(
                        f"{what} has {int(announced):,} bytes, more than the {limit:,} that are "
                        "allowed; it was left out."
                    )
                pieces = self._pieces(response, what)
                sha256, size = store_pdf(pieces, target, what=what, limit=limit)
                return FetchedPdf(path=target, sha256=sha256, bytes=size, url=response.url)
        except ForbiddenHost as error:
            raise Permanent(f"{what} was left out: {error}") from error
        except requests.TooManyRedirects as error:
            raise Permanent(
                f"{what} is sent from one address to the next without end; it was left out."
            ) from error
        except requests.RequestException as error:
            raise Permanent(f"{what} cannot be fetched from {url}: {error}.") from error

    def _pieces(self, response: requests.Response, what: str) -> Iterator[bytes]:
        empty = True
        for piece in self._connection.body(response):
            empty = False
            yield piece
        if empty:
            raise Transient(f"{what} arrived empty.")

    def _refuse_type(self, response: requests.Response, what: str) -> None:
        kind = response.headers.get("Content-Type", "").split(";")[0].strip().lower()
        if kind not in ("text/html", "application/xhtml+xml"):
            return
        text = b""
        for piece in self._connection.body(response):
            text += piece
            if len(text) > _HTML_LOOKED_AT:
                break
        if b"withdrawn" in text.lower():
            raise PdfMissing(f"{what} cannot be had: arXiv says that it was withdrawn; {_LEFT_OUT}")
        raise _WebPage(f"{what} was answered with a web page instead")


def _refuse(response: requests.Response, what: str) -> None:
    """Raise what an answer's status means for one PDF; 200 means nothing."""
    status = response.status_code
    if status == requests.codes.ok:
        return
    wait = retry_after(response.headers)
    if status == requests.codes.too_many_requests:
        raise Unreachable("arXiv asks to slow down (429).", wait)
    if status >= 500 or status == requests.codes.accepted:
        raise Transient(f"{what} failed: arXiv answered {status} {response.reason}.", wait)
    if status in (requests.codes.not_found, requests.codes.gone):
        raise PdfMissing(
            f"{what} cannot be had: arXiv has none ({status} {response.reason}); {_LEFT_OUT}"
        )
    raise Permanent(
        f"{what} was refused: arXiv answered {status} {response.reason}; it was left out."
    )
