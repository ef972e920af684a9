"""arXiv on the loopback interface: its search, its PDFs, and the misbehaviour that both show.

It answers `/api/query` from a catalogue, or from a folder of recorded answers, and `/pdf/<id>v<n>`
with a small PDF. What each request meets is planned: for searches one after the other, for PDFs
paper by paper. A plan that has run out means that all is well.

Run as a program (`python -m tests.support.arxiv_server 5000`) it serves a catalogue of that size
and prints its URL.
"""

import json
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Self
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape

from tests.support.arxiv_catalogue import Catalogue, Entry, made_up_pages
from tests.support.tiny_pdf import tiny_pdf

_ID = re.compile(r"((?:[a-z-]+(?:\.[A-Z]{2})?/\d{7})|\d{4}\.\d{4,5})(?:v(\d+))?")
_PDF = re.compile(r"/pdf/(.+?)(?:v(\d+))?(?:\.pdf)?$")
_MOVED = "/moved"
_DRIP_SECONDS = 0.01


class Fault(Enum):
    """What a request meets instead of its answer."""

    THROTTLED = auto()  # 429
    THROTTLED_WAIT = auto()  # 429 with Retry-After
    UNAVAILABLE = auto()  # 503
    UNAVAILABLE_WAIT = auto()  # 503 with Retry-After
    FORBIDDEN = auto()  # 403
    NOT_FOUND = auto()  # 404
    NOT_ACCEPTABLE = auto()  # 406
    GONE = auto()  # 410
    ACCEPTED = auto()  # 202: it is still being made
    WEB_PAGE = auto()  # 200 with HTML
    WITHDRAWN_PAGE = auto()  # 200 with HTML that says the paper is withdrawn
    GARBAGE = auto()  # 200 with bytes that are nothing
    BLANK = auto()  # 200 and no bytes
    HUGE = auto()  # 200 and a megabyte more than it should have, announced
    HUGE_UNTOLD = auto()  # the same without a Content-Length
    STALLED = auto()  # the body begins, and no more comes
    SILENT = auto()  # no answer at all
    SLOW = auto()  # the body comes in ten pieces
    DRIPPING = auto()  # the body comes a byte at a time
    CUT = auto()  # the connection closes in mid-body
    CUT_UNTOLD = auto()  # the same without a Content-Length, as if the answer were whole
    DROPPED = auto()  # the connection closes before the answer
    MOVED = auto()  # 302 to another path of this host
    ELSEWHERE = auto()  # 302 to another host
    CIRCLE = auto()  # 302 to itself
    # Of searches only:
    EMPTY_PAGE = auto()  # no entries, the total right
    NOTHING = auto()  # no entries, and a total of 0
    NO_TOTAL = auto()  # the total is missing
    LOW_TOTAL = auto()  # the total is what this page holds
    HIGH_TOTAL = auto()  # the total is ten too high
    REPEATED_PAGE = auto()  # the entries of the page before, under this page's number
    WRONG_PAGE = auto()  # the entries and the number of the page before
    SHORT_PAGE = auto()  # the last third of the entries is missing
    UNDATED_ENTRY = auto()  # the first entry has no dates


_STATUSES: Mapping[Fault, int] = {
    Fault.THROTTLED: 429,
    Fault.THROTTLED_WAIT: 429,
    Fault.UNAVAILABLE: 503,
    Fault.UNAVAILABLE_WAIT: 503,
    Fault.FORBIDDEN: 403,
    Fault.NOT_FOUND: 404,
    Fault.NOT_ACCEPTABLE: 406,
    Fault.GONE: 410,
    Fault.ACCEPTED: 202,
}


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        # A client that is killed is what some tests are about.
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


@dataclass
class ArxivServer:
    """`with ArxivServer(Catalogue(100)) as server:` then MUON_ARXIV_URL = server.url.

    `api_plan` gives the fault of each search in turn, `pdf_plan` those of each paper's downloads.
    `recordings` is a folder of recorded answers that are replayed in place of the catalogue's.
    `elsewhere` is where a redirect away leads; `largest_page` is the most that a search gives,
    and beyond `window` results it refuses. `searches` and `downloads` log what was asked.
    """

    catalogue: Catalogue = field(default_factory=lambda: Catalogue(0))
    api_plan: Iterable[Fault | None] = ()
    pdf_plan: Mapping[str, Iterable[Fault | None]] = field(default_factory=dict)
    recordings: Path | None = None
    retry_after: str = "1"
    elsewhere: str = "http://elsewhere.invalid"
    largest_page: int = 2_000
    window: int = 30_000
    searches: list[dict[str, str]] = field(default_factory=list)
    downloads: Counter[str] = field(default_factory=Counter)
    agents: set[str] = field(default_factory=set)
    times: list[float] = field(default_factory=list)
    sent: int = 0
    most_at_once: int = 0

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._under_way = 0
        self._api_faults = iter(self.api_plan)
        self._pdf_faults = {paper: iter(plan) for paper, plan in self.pdf_plan.items()}
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                server._serve(self)

            def log_message(self, *_: object) -> None:
                pass

        self._http = _Server(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    @property
    def url(self) -> str:
        return f"{self.origin}/api/query"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()

    def plan(self, *faults: Fault | None) -> None:
        """What the next searches meet."""
        with self._lock:
            self._api_faults = iter(faults)

    def plan_pdf(self, paper_id: str, *faults: Fault | None) -> None:
        """What the next downloads of one paper meet."""
        with self._lock:
            self._pdf_faults[paper_id] = iter(faults)

    def forget(self) -> None:
        """Empty the logs."""
        with self._lock:
            self.searches.clear()
            self.downloads.clear()
            self.times.clear()
            self.sent = 0

    def pdf_of(self, paper_id: str, version: int) -> bytes:
        """The PDF that is served for a version of a paper."""
        entry = self.catalogue.of_id(paper_id)
        heading = entry.title if entry else paper_id
        stamp = f"arXiv:{paper_id}v{version} [hep-ph] 1 May 2024"
        return tiny_pdf(made_up_pages(paper_id, version), heading=heading, stamp=stamp)

    def _serve(self, request: BaseHTTPRequestHandler) -> None:
        if self._closing.is_set():
            # A connection that was kept open ends with the server.
            request.close_connection = True
            return
        with self._lock:
            self._under_way += 1
            self.most_at_once = max(self.most_at_once, self._under_way)
            self.agents.add(request.headers.get("User-Agent", ""))
            self.times.append(time.monotonic())
        try:
            parts = urlsplit(request.path)
            path, moved = parts.path.removeprefix(_MOVED), parts.path.startswith(_MOVED)
            if path == "/api/query":
                self._search(request, {k: v[0] for k, v in parse_qs(parts.query).items()}, moved)
            elif found := _PDF.match(path):
                self._pdf(request, found[1], int(found[2] or 0), moved)
            else:
                _answer(self, request, 404, b"<p>Not here</p>", "text/html")
        except (BrokenPipeError, ConnectionResetError):
            request.close_connection = True
        finally:
            with self._lock:
                self._under_way -= 1

    def _search(self, request: BaseHTTPRequestHandler, asked: dict[str, str], moved: bool) -> None:
        with self._lock:
            self.searches.append(asked)
            fault = None if moved else next(self._api_faults, None)
        if self.recordings is not None:
            status, body = _recorded(self.recordings, asked)
        else:
            status, body = self._feed(asked, fault)
        self._send(request, status, body, "application/atom+xml; charset=utf-8", fault)

    def _pdf(
        self, request: BaseHTTPRequestHandler, paper_id: str, version: int, moved: bool
    ) -> None:
        with self._lock:
            self.downloads[paper_id] += 1
            fault = None if moved else next(self._pdf_faults.get(paper_id, iter(())), None)
        entry = self.catalogue.of_id(paper_id)
        if entry is None or version > entry.version:
            _answer(self, request, 404, b"<p>No such paper</p>", "text/html")
            return
        body = self.pdf_of(paper_id, version or entry.version)
        self._send(request, 200, body, "application/pdf", fault)

    def _send(
        self,
        request: BaseHTTPRequestHandler,
        status: int,
        body: bytes,
        kind: str,
        fault: Fault | None,
    ) -> None:
        if fault in _MISSENT:
            _MISSENT[fault](self, request, body, kind)
        elif fault in _STATUSES:
            headers = {"Retry-After": self.retry_after} if fault.name.endswith("_WAIT") else {}
            _answer(
                self, request, _STATUSES[fault], b"<p>Not now</p>", "text/html", headers=headers
            )
        elif fault in _REDIRECTS:
            place = _REDIRECTS[fault](self, request)
            _answer(self, request, 302, b"", "text/html", headers={"Location": place})
        else:
            _answer(self, request, status, body, kind)

    def _feed(self, asked: dict[str, str], fault: Fault | None) -> tuple[int, bytes]:
        start = int(asked.get("start", 0))
        size = min(int(asked.get("max_results", 10)), self.largest_page)
        if start >= self.window:
            return 400, _complaint(f"start must be below {self.window}")
        if asked.get("id_list"):
            try:
                entries = list(self._named(asked["id_list"].split(",")))
            except ValueError as error:
                return 400, _complaint(str(error))
        else:
            descending = asked.get("sortOrder") != "ascending"
            query, sort_by = asked.get("search_query", ""), asked.get("sortBy", "")
            entries = self.catalogue.found(query, sort_by, descending)
        total, place, shown = len(entries), start, entries[start : start + size]
        if fault in (Fault.REPEATED_PAGE, Fault.WRONG_PAGE):
            before = max(0, start - size)
            shown = entries[before : before + size]
            place = before if fault is Fault.WRONG_PAGE else start
        elif fault in (Fault.EMPTY_PAGE, Fault.NOTHING):
            shown = []
        elif fault is Fault.SHORT_PAGE:
            shown = shown[: len(shown) * 2 // 3]
        totals = {
            Fault.NO_TOTAL: None,
            Fault.NOTHING: 0,
            Fault.LOW_TOTAL: start + len(shown),
            Fault.HIGH_TOTAL: total + 10,
        }
        texts = [self._entry(entry) for entry in shown]
        if fault is Fault.UNDATED_ENTRY and texts:
            texts[0] = re.sub(r"<published>.*?</published>", "", texts[0])
        return 200, _feed(totals.get(fault, total) if fault else total, place, size, texts)

    def _named(self, ids: Iterable[str]) -> Iterator[Entry]:
        for text in ids:
            found = _ID.fullmatch(text)
            if found is None:
                raise ValueError(f"incorrect id format for {text}")
            entry = self.catalogue.of_id(found[1])
            version = int(found[2] or 0)
            if entry is not None and version <= entry.version:
                yield entry if not version else _at_version(entry, version)

    def _entry(self, entry: Entry) -> str:
        name = f"{entry.paper_id}v{entry.version}"
        pdf = (
            f'<link href="{self.origin}/pdf/{name}" rel="related" type="application/pdf" '
            'title="pdf"/>'
        )
        return (
            f"<entry><id>http://arxiv.org/abs/{name}</id><title>{escape(entry.title)}</title>"
            f"<updated>{entry.updated:%Y-%m-%dT%H:%M:%SZ}</updated>"
            f"<published>{entry.published:%Y-%m-%dT%H:%M:%SZ}</published>"
            f'<link href="https://arxiv.org/abs/{name}" rel="alternate" type="text/html"/>'
            + (pdf if entry.has_pdf else "")
            + f"<summary>{escape(entry.abstract)}</summary>"
            + "".join(f'<category term="{term}"/>' for term in entry.categories)
            + f'<arxiv:primary_category term="{entry.categories[0]}"/>'
            + _optional("comment", entry.comment)
            + _optional("journal_ref", entry.journal_ref)
            + _optional("doi", entry.doi)
            + "".join(f"<author><name>{escape(name)}</name></author>" for name in entry.authors)
            + "</entry>"
        )


def _at_version(entry: Entry, version: int) -> Entry:
    return Entry(**{**entry.__dict__, "version": version})


def _optional(name: str, text: str) -> str:
    return f"<arxiv:{name}>{escape(text)}</arxiv:{name}>" if text else ""


def _feed(total: int | None, start: int, size: int, entries: Iterable[str]) -> bytes:
    reported = (
        "" if total is None else f"<opensearch:totalResults>{total}</opensearch:totalResults>"
    )
    return (
        "<?xml version='1.0' encoding='UTF-8'?>\n"
        '<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" '
        'xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">'
        f"<id>https://arxiv.org/api/loopback</id><title>arXiv Query</title>"
        f"<opensearch:itemsPerPage>{size}</opensearch:itemsPerPage>{reported}"
        f"<opensearch:startIndex>{start}</opensearch:startIndex>{''.join(entries)}</feed>\n"
    ).encode()


def _complaint(text: str) -> bytes:
    return _feed(1, 0, 1, [f"<entry><title>Error</title><summary>{escape(text)}</summary></entry>"])


def _recorded(folder: Path, asked: Mapping[str, str]) -> tuple[int, bytes]:
    """The recorded answer to the same search, whatever it was sorted by."""
    names = ("search_query", "id_list", "start", "max_results")
    for path in sorted(folder.glob("*.json")):
        answer = json.loads(path.read_text())
        recorded = {k: v[0] for k, v in parse_qs(urlsplit(answer["url"]).query).items()}
        if all(recorded.get(name) == asked.get(name) for name in names):
            return answer["status_code"], answer["body"].encode("latin-1")
    return 404, b""


def _answer(
    server: ArxivServer,
    request: BaseHTTPRequestHandler,
    status: int,
    body: bytes,
    kind: str,
    *,
    headers: Mapping[str, str] | None = None,
) -> None:
    request.send_response(status, HTTPStatus(status).phrase)
    request.send_header("Content-Type", kind)
    request.send_header("Content-Length", str(len(body)))
    for name, value in (headers or {}).items():
        request.send_header(name, value)
    request.end_headers()
    _write(server, request, body)


def _write(server: ArxivServer, request: BaseHTTPRequestHandler, body: bytes) -> None:
    request.wfile.write(body)
    with server._lock:
        server.sent += len(body)


def _begin(request: BaseHTTPRequestHandler, kind: str, length: int | None) -> None:
    request.close_connection = True
    request.send_response(200)
    request.send_header("Content-Type", kind)
    if length is not None:
        request.send_header("Content-Length", str(length))
    request.send_header("Connection", "close")
    request.end_headers()


_Missend = Callable[[ArxivServer, BaseHTTPRequestHandler, bytes, str], None]


def _page(text: bytes) -> _Missend:
    def send(server: ArxivServer, request: BaseHTTPRequestHandler, _: bytes, __: str) -> None:
        _answer(server, request, 200, b"<html><body>" + text + b"</body></html>", "text/html")

    return send


def _bytes(body: bytes) -> _Missend:
    def send(server: ArxivServer, request: BaseHTTPRequestHandler, _: bytes, kind: str) -> None:
        _answer(server, request, 200, body, kind)

    return send


def _huge(told: bool) -> _Missend:
    def send(server: ArxivServer, request: BaseHTTPRequestHandler, body: bytes, kind: str) -> None:
        padded = body + b" " * 1_000_000
        _begin(request, kind, len(padded) if told else None)
        _write(server, request, padded)

    return send


def _stalled(server: ArxivServer, request: BaseHTTPRequestHandler, body: bytes, kind: str) -> None:
    _begin(request, kind, len(body))
    _write(server, request, body[:40])
    server._closing.wait(10)


def _silent(server: ArxivServer, request: BaseHTTPRequestHandler, _: bytes, __: str) -> None:
    request.close_connection = True
    server._closing.wait(10)


def _slow(server: ArxivServer, request: BaseHTTPRequestHandler, body: bytes, kind: str) -> None:
    _begin(request, kind, len(body))
    step = len(body) // 10 + 1
    for place in range(0, len(body), step):
        if server._closing.wait(_DRIP_SECONDS):
            return
        _write(server, request, body[place : place + step])


def _dripping(server: ArxivServer, request: BaseHTTPRequestHandler, body: bytes, kind: str) -> None:
    _begin(request, kind, len(body))
    for place in range(len(body)):
        if server._closing.wait(_DRIP_SECONDS):
            return
        _write(server, request, body[place : place + 1])


def _cut(told: bool) -> _Missend:
    def send(server: ArxivServer, request: BaseHTTPRequestHandler, body: bytes, kind: str) -> None:
        _begin(request, kind, len(body) if told else None)
        _write(server, request, body[: len(body) // 2])

    return send


def _dropped(_: ArxivServer, request: BaseHTTPRequestHandler, __: bytes, ___: str) -> None:
    request.close_connection = True


_MISSENT: Mapping[Fault, _Missend] = {
    Fault.WEB_PAGE: _page(b"Please confirm that you are human."),
    Fault.WITHDRAWN_PAGE: _page(b"This paper has been withdrawn and is unavailable."),
    Fault.GARBAGE: _bytes(bytes(range(256)) * 8),
    Fault.BLANK: _bytes(b""),
    Fault.HUGE: _huge(told=True),
    Fault.HUGE_UNTOLD: _huge(told=False),
    Fault.STALLED: _stalled,
    Fault.SILENT: _silent,
    Fault.SLOW: _slow,
    Fault.DRIPPING: _dripping,
    Fault.CUT: _cut(told=True),
    Fault.CUT_UNTOLD: _cut(told=False),
    Fault.DROPPED: _dropped,
}
_REDIRECTS: Mapping[Fault, Callable[[ArxivServer, BaseHTTPRequestHandler], str]] = {
    Fault.MOVED: lambda server, request: f"{server.origin}{_MOVED}{request.path}",
    Fault.ELSEWHERE: lambda server, request: f"{server.elsewhere}{request.path}",
    Fault.CIRCLE: lambda server, request: f"{server.origin}{request.path}",
}


def main(count: int) -> None:
    """Serve a catalogue of `count` papers until the process is ended."""
    with ArxivServer(Catalogue(count)) as server:
        sys.stdout.write(server.url + "\n")
        sys.stdout.flush()
        server._closing.wait()


if __name__ == "__main__":
    main(int(sys.argv[1]))
