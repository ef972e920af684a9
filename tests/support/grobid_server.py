"""A GROBID server on the loopback interface, with the misbehaviour that real ones show.

It answers `/api/isalive`, `/api/version`, `/api/health` and `/api/processFulltextDocument` as
GROBID 0.8 does, including its refusal of status requests that accept XML alone. For each posted
PDF it follows a plan: a list of `Behaviour`, one a request, the last of them for ever.
"""

import json
import socket
import struct
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP
from enum import Enum, auto
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

from tests.support.grobid_tei import VERSION, tei_of_pdf

HUGE_BYTES = 300_000_000

ENTITY_BOMB = (
    '<?xml version="1.0"?>\n<!DOCTYPE TEI [<!ENTITY a "ha">'
    + "".join(
        f'<!ENTITY {name} "{f"&{before};" * 10}">'
        for before, name in zip("abcdefghi", "bcdefghij", strict=True)
    )
    + "]>\n<TEI><text><body><p>&j;</p></body></text></TEI>"
).encode()


class Behaviour(Enum):
    """What one request meets."""

    OK = auto()
    SLOW = auto()  # no answer until the server closes
    DRIPPING = auto()  # an answer that begins and never ends
    BUSY = auto()  # 503, as when all engines are taken; GROBID sends no Retry-After
    BUSY_PROXY = auto()  # 429 with Retry-After, as a proxy in front sends it
    BAD_INPUT = auto()  # 500 with GROBID's plain reason
    BAD_INPUT_JSON = auto()  # 500 with the same as JSON
    NO_BLOCKS = auto()  # 500: nothing to read, a scan
    PDF_TIMEOUT = auto()  # 409 in JSON: GROBID's own time limit
    BROKEN = auto()  # 500 without any reason
    GATEWAY = auto()  # 502 with a proxy's page
    EMPTY = auto()  # 204
    BAD_REQUEST = auto()  # 400
    NOT_FOUND = auto()  # 404: something else lives here
    GARBAGE = auto()  # 200 with bytes that are no XML
    NOT_WELL_FORMED = auto()  # 200 with TEI whose tags do not match
    WEB_PAGE = auto()  # 200 with HTML
    BOMB = auto()  # 200 with entities that would grow to gigabytes
    HUGE = auto()  # 200 and 300 MB
    HUGE_UNTOLD = auto()  # the same without a Content-Length
    DIES = auto()  # the connection is reset in mid-answer
    CUT = auto()  # the connection is closed in mid-answer, as if the answer were whole


def _mapped(status: int, reason: str) -> tuple[int, bytes, str]:
    """An error as GROBID's exception mapper writes it: each cause behind its Java class."""
    java = "org.grobid.core.exceptions.GrobidException"
    body = {
        "type": java,
        "description": f"{java}:{reason}\njava.lang.RuntimeException:no more is known",
        "code": status,
        "requestUri": None,
    }
    return status, json.dumps(body).encode(), "application/json"


_XML, _TEXT, _HTML = "application/xml", "text/plain", "text/html"
_BAD_INPUT = "[BAD_INPUT_DATA] PDF to XML conversion failed with error code: 1"
_ANSWERS: Mapping[Behaviour, tuple[int, bytes, str]] = {
    Behaviour.BUSY: (503, b"", _XML),
    Behaviour.BAD_INPUT: (500, _BAD_INPUT.encode(), _TEXT),
    Behaviour.BAD_INPUT_JSON: _mapped(500, _BAD_INPUT),
    Behaviour.NO_BLOCKS: (500, b"[NO_BLOCKS] PDF parsing resulted in empty content", _TEXT),
    Behaviour.PDF_TIMEOUT: _mapped(409, "[TIMEOUT] PDF to XML conversion timed out"),
    Behaviour.BROKEN: (500, b"", _XML),
    Behaviour.GATEWAY: (502, b"<html><body>Bad Gateway</body></html>", _HTML),
    Behaviour.EMPTY: (204, b"", _XML),
    Behaviour.BAD_REQUEST: (400, b"", _XML),
    Behaviour.NOT_FOUND: (404, b"<html>Not here</html>", _HTML),
    Behaviour.GARBAGE: (200, bytes(range(256)) * 16, _XML),
    Behaviour.NOT_WELL_FORMED: (200, b"<TEI><text><body><p>no end</body></text></TEI>", _XML),
    Behaviour.WEB_PAGE: (200, b"<!DOCTYPE html><p>Please sign in</p>", _HTML),
    Behaviour.BOMB: (200, ENTITY_BOMB, _XML),
}


@dataclass
class Posted:
    """One full-text request as the server saw it."""

    name: str
    fields: dict[str, list[str]]
    behaviour: Behaviour


@dataclass
class GrobidServer:
    """`with GrobidServer(plan) as server:` then GROBID_URL = server.url.

    `plan` maps file names to behaviours; a name that is not in it meets OK. `makes` turns a PDF
    into TEI. `answer`, where set, is the answer to every PDF. `posted` logs the requests, `sent`
    counts the bytes of answers, `most_at_once` the requests that were under way together.
    """

    plan: Mapping[str, Sequence[Behaviour]] = field(default_factory=dict)
    makes: Callable[[bytes], bytes | None] = tei_of_pdf
    version_body: str = json.dumps({"version": VERSION, "revision": "0000000"})
    alive: bool = True
    port: int = 0
    answer: tuple[int, bytes] | None = None
    posted: list[Posted] = field(default_factory=list)
    status_requests: list[str] = field(default_factory=list)
    sent: int = 0
    most_at_once: int = 0

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._under_way = 0
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                server._status(self)

            def do_POST(self) -> None:
                server._fulltext(self)

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                pass  # clients hang up in mid-answer here, as the tests want them to

        self._http = Server(("127.0.0.1", self.port), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop listening: connections are refused from now on."""
        if not self._closing.is_set():
            self._closing.set()
            self._http.shutdown()
            self._http.server_close()
            self._thread.join()

    def _status(self, handler: BaseHTTPRequestHandler) -> None:
        service = handler.path.removeprefix("/api/")
        self.status_requests.append(service)
        accepts = handler.headers.get("Accept", "*/*")
        if "*/*" not in accepts and "text/plain" not in accepts:
            self._send(handler, 406, b"")
        elif service == "isalive":
            self._send(handler, 200, b"true" if self.alive else b"false", "text/plain")
        elif service == "version":
            self._send(handler, 200, self.version_body.encode(), "application/json")
        elif service == "health":
            body = {"healthy": self.alive, "message": None}
            self._send(handler, 200, json.dumps(body).encode(), "application/json")
        else:
            self._send(handler, 404, b"")

    def _fulltext(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers["Content-Length"]))
        if handler.path != "/api/processFulltextDocument":
            self._send(handler, 404, b"")
            return
        pdf, name, fields = _form(handler.headers["Content-Type"], body)
        if pdf is None:
            self._send(handler, 400, b"")
            return
        with self._lock:
            self._under_way += 1
            self.most_at_once = max(self.most_at_once, self._under_way)
            earlier = sum(posted.name == name for posted in self.posted)
            planned = self.plan.get(name, [Behaviour.OK])
            behaviour = planned[min(earlier, len(planned) - 1)]
            self.posted.append(Posted(name, fields, behaviour))
        try:
            self._behave(handler, behaviour, pdf)
        except OSError:
            handler.close_connection = True  # the client has hung up, as it may
        finally:
            with self._lock:
                self._under_way -= 1

    def _behave(self, handler: BaseHTTPRequestHandler, behaviour: Behaviour, pdf: bytes) -> None:
        if self.answer:
            self._send(handler, *self.answer)
            return
        match behaviour:
            case Behaviour.OK:
                tei = self.makes(pdf)
                self._send(handler, 204 if tei is None else 200, tei or b"")
            case Behaviour.SLOW:
                self._closing.wait(30)
                handler.close_connection = True
            case Behaviour.DRIPPING:
                handler.send_response(200)
                handler.send_header("Content-Type", "application/xml")
                handler.end_headers()
                while not self._closing.wait(0.005):
                    handler.wfile.write(b"<TEI>")
            case Behaviour.BUSY_PROXY:
                self._send(handler, 429, b"", retry_after="7")
            case Behaviour.HUGE | Behaviour.HUGE_UNTOLD:
                self._send_huge(handler, told=behaviour is Behaviour.HUGE)
            case Behaviour.DIES | Behaviour.CUT:
                self._die(handler, pdf, reset=behaviour is Behaviour.DIES)
            case _:
                self._send(handler, *_ANSWERS[behaviour])

    def _send(
        self,
        handler: BaseHTTPRequestHandler,
        status: int,
        body: bytes,
        kind: str = "application/xml",
        retry_after: str | None = None,
    ) -> None:
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        if status != 204:
            handler.send_header("Content-Length", str(len(body)))
        if retry_after:
            handler.send_header("Retry-After", retry_after)
        handler.end_headers()
        handler.wfile.write(body)
        self.sent += len(body)

    def _send_huge(self, handler: BaseHTTPRequestHandler, *, told: bool) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "application/xml")
        if told:
            handler.send_header("Content-Length", str(HUGE_BYTES))
        handler.end_headers()
        handler.close_connection = True
        piece = b"<TEI>" + b" " * (1 << 20)
        while self.sent < HUGE_BYTES:
            handler.wfile.write(piece)
            self.sent += len(piece)

    def _die(self, handler: BaseHTTPRequestHandler, pdf: bytes, *, reset: bool) -> None:
        tei = self.makes(pdf) or b"<TEI></TEI>"
        handler.send_response(200)
        handler.send_header("Content-Type", "application/xml")
        if reset:
            handler.send_header("Content-Length", str(len(tei)))
        handler.end_headers()
        handler.wfile.write(tei[: len(tei) // 2])
        handler.wfile.flush()
        handler.close_connection = True
        if reset:
            linger = struct.pack("ii", 1, 0)  # closing without lingering sends a reset
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        handler.connection.shutdown(socket.SHUT_WR)


def _form(kind: str, body: bytes) -> tuple[bytes | None, str, dict[str, list[str]]]:
    """The file, its name and the other fields of a multipart form."""
    message = BytesParser(policy=HTTP).parsebytes(
        b"Content-Type: " + kind.encode() + b"\r\n\r\n" + body
    )
    pdf, name, fields = None, "", dict[str, list[str]]()
    for part in message.iter_parts():
        field_name = str(part.get_param("name", header="content-disposition"))
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        if field_name == "input":
            pdf, name = content, part.get_filename() or ""
        else:
            fields.setdefault(field_name, []).append(content.decode())
    return pdf, name, fields
