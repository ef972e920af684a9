"""TEI from a GROBID server: one PDF in, the bytes of its TEI out, or one clear reason why not.

The requests go through grobid-client-python's client. Two of its habits are changed by a small
subclass: its answers are streamed, because an answer must be weighed before it is held, and its
constructor leaves the logging of the host program alone. Retries are ours: bounded, jittered and
told apart by what failed, because GROBID's 503 is ordinary back-pressure ("all my threads are
busy"), while a timeout or a refused PDF will come back the same tomorrow.
"""

import json
import logging
import re
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import urlsplit

import requests
from grobid_client.grobid_client import GrobidClient
from tenacity import RetryCallState, Retrying, retry_if_exception_type, wait_random_exponential
from urllib3.exceptions import HTTPError, ReadTimeoutError

from resources.errors import MuonEvidenceError, Permanent, ServiceDown, Transient, UsageError

COORDINATES = ("title", "p", "s", "head", "figure", "formula", "ref", "biblStruct", "note")
"""The TEI elements that GROBID is asked to give page coordinates for."""

FULLTEXT_FORM: Mapping[str, object] = {
    "consolidateHeader": "0",
    "consolidateCitations": "0",
    "includeRawCitations": "1",
    "segmentSentences": "1",
    "teiCoordinates": list(COORDINATES),
}
"""Form fields of a full-text request: nothing is looked up elsewhere, references as printed."""

_CONNECT_SECONDS = 10.0
_STATUS_SECONDS = 10.0
_TIMEOUT_TRIES = 2
_LONGEST_REASON = 300
_PIECE_BYTES = 1 << 16

# Failures of the connection, while it is made (requests) or while it is read (urllib3).
_BROKEN = (requests.RequestException, HTTPError)
_OK = 200
_NO_CONTENT = 204
_SERVER_ERROR = 500
_BUSY = frozenset({429, 503})
_GATEWAY = frozenset({502, 504})
_NOT_GROBID = frozenset({401, 403, 404, 405, 406})


class _Unreachable(Transient):
    """The connection was refused, or broke before the whole answer had come."""


class _TimedOut(Transient):
    """The server held the connection and sent no whole answer in time."""


class _StreamingClient(GrobidClient):
    """grobid-client-python's client with streamed answers and without its own log handlers."""

    def _configure_logging(self) -> None:
        self.logger = logging.getLogger(__name__)

    def call_api(  # noqa: PLR0913 - the signature is the client's
        self,
        method: str,
        url: str,
        headers: dict[str, str] | None = None,
        params: dict[str, Any] | None = None,
        data: dict[str, Any] | None = None,
        files: dict[str, Any] | None = None,
        timeout: Any = None,
    ) -> tuple[requests.Response, int]:
        """Send one request; the answer's body is still unread when this returns."""
        response = requests.request(
            method,
            url,
            headers={"Accept": self.accept_type, **(headers or {})},
            params=params,
            data=data,
            files=files,
            timeout=timeout,
            stream=True,
        )
        return response, response.status_code


class Grobid:
    """A GROBID server at `url`, for any number of threads at once.

    At most `concurrency` requests are under way together. `timeout` is the longest a request may
    take, in seconds. A busy or broken request is sent up to `attempts` times in all, with random
    pauses below `backoff` seconds · 2^n and never over `longest_pause`; one that timed out is
    sent twice in all. Answers over `max_bytes` are refused while they arrive. `sleep` makes the
    pauses.
    """

    def __init__(  # noqa: PLR0913 - each is a setting of its own
        self,
        url: str,
        *,
        concurrency: int = 4,
        timeout: float = 180.0,
        attempts: int = 6,
        backoff: float = 2.0,
        longest_pause: float = 60.0,
        max_bytes: int = 50_000_000,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        parts = urlsplit(url.strip())
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise UsageError(
                "The GROBID address must look like http://host:8070; set GROBID_URL accordingly."
            )
        if concurrency < 1 or attempts < 1 or timeout <= 0:
            raise UsageError(
                "GROBID needs a concurrency and a number of attempts of at least 1 and a timeout "
                "above 0 seconds."
            )
        base = url.strip().rstrip("/").removesuffix("/api")
        # What messages show: the address without a user name or a password.
        port = f":{parts.port}" if parts.port else ""
        self.address = f"{parts.scheme}://{parts.hostname}{port}"
        self.concurrency = concurrency
        self._client = _StreamingClient(grobid_server=base, check_server=False)
        self._timeout = timeout
        self._attempts = attempts
        self._longest_pause = longest_pause
        self._max_bytes = max_bytes
        self._jitter = wait_random_exponential(multiplier=backoff, max=longest_pause)
        self._sleep = sleep
        self._places = threading.BoundedSemaphore(concurrency)
        self._version = ""
        self._version_lock = threading.Lock()

    def alive(self) -> bool:
        """Whether the server answers, now, that it can work; never raises."""
        try:
            status, body = self._get("isalive")
        except (*_BROKEN, MuonEvidenceError):
            return False
        return status == _OK and body.strip().lower() == b"true"

    def version(self) -> str:
        """The server's version, such as "0.8.1"; asked once and kept.

        Raises:
            ServiceDown: nothing that speaks like GROBID answers at the address.
        """
        with self._version_lock:
            if not self._version:
                self._version = self._ask_version()
            return self._version

    def _ask_version(self) -> str:
        try:
            status, body = self._get("version")
        except (*_BROKEN, Transient, Permanent) as error:
            raise self._down() from error
        text = body.decode("utf-8", "replace").strip()
        try:  # 0.8 answers with JSON, its predecessors with the bare number
            answer = json.loads(text)
            text = str(answer["version"]) if isinstance(answer, dict) else text
        except (ValueError, KeyError):
            pass
        if status != _OK or not re.fullmatch(r"\d+(\.\d+)+[\w.+-]{0,40}", text):
            raise ServiceDown(
                f"{self.address} does not answer like a GROBID server (HTTP {status} for its "
                "version): check GROBID_URL."
            )
        return text

    def tei(self, pdf: Path) -> bytes:
        """The TEI that GROBID makes of one PDF, as UTF-8 bytes ending in `</TEI>`.

        Raises:
            Permanent: GROBID refused this file, found nothing in it, took too long twice, or
                answered with something that is no TEI of acceptable size.
            Transient: GROBID stayed busy, or broke off each time while it is alive.
            ServiceDown: no GROBID answers at the address.
        """
        retrying = Retrying(
            sleep=self._sleep,
            retry=retry_if_exception_type(Transient),
            stop=self._enough,
            wait=self._pause,
            reraise=True,
        )
        try:
            with self._places:
                return retrying(self._tei_once, pdf)
        except _TimedOut as error:
            raise Permanent(
                f"GROBID did not finish {pdf.name} within {self._timeout:g} seconds, even when "
                "asked again; the file is set aside."
            ) from error
        except _Unreachable as error:
            if self.alive():
                raise
            raise self._down() from error

    def _enough(self, state: RetryCallState) -> bool:
        error = state.outcome.exception() if state.outcome else None
        tries = min(_TIMEOUT_TRIES, self._attempts) if isinstance(error, _TimedOut) else None
        return state.attempt_number >= (tries or self._attempts)

    def _pause(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.retry_after if isinstance(error, Transient) else None
        if asked is not None:
            return min(max(asked, 0.0), self._longest_pause)
        return float(self._jitter(state))

    def _tei_once(self, pdf: Path) -> bytes:
        try:
            with pdf.open("rb") as stream:
                status, body, retry_after = self._post(pdf.name, stream)
        except OSError as error:
            # requests' own errors are OSErrors too, and all of them were sorted out below.
            raise Permanent(f"{pdf.name} cannot be read: {error.strerror or error}.") from error
        if status == _OK:
            return self._tei_of(pdf.name, body)
        raise self._refusal(pdf.name, status, body, retry_after)

    def _post(self, name: str, stream: BinaryIO) -> tuple[int, bytes, float | None]:
        """Status, body and Retry-After of one full-text request."""
        deadline = time.monotonic() + self._timeout
        try:
            response, status = self._client.post(
                url=self._client.get_server_url("processFulltextDocument"),
                files={"input": (name, stream, "application/pdf")},
                data=dict(FULLTEXT_FORM),
                timeout=(min(_CONNECT_SECONDS, self._timeout), self._timeout),
            )
            with response:
                body = self._read(response, deadline, name)
                return status, body, _seconds(response.headers.get("Retry-After"))
        except requests.ConnectTimeout as error:
            raise _Unreachable(f"GROBID at {self.address} accepts no connection.") from error
        except (requests.Timeout, ReadTimeoutError) as error:
            raise _TimedOut(f"GROBID did not answer in time for {name}.") from error
        except _BROKEN as error:
            raise _Unreachable(
                f"The connection to GROBID at {self.address} broke while {name} was with it."
            ) from error

    def _get(self, service: str) -> tuple[int, bytes]:
        """Status and body of one of the small status services."""
        deadline = time.monotonic() + _STATUS_SECONDS
        response, status = self._client.get(
            self._client.get_server_url(service),
            # These answer in plain text or JSON and refuse a request that accepts XML alone.
            headers={"Accept": "*/*"},
            timeout=(_CONNECT_SECONDS, _STATUS_SECONDS),
        )
        with response:
            return status, self._read(response, deadline, service)

    def _read(self, response: requests.Response, deadline: float, name: str) -> bytes:
        """The body, read in pieces so that neither its size nor its time is without bound."""
        pieces: list[bytes] = []
        told = response.headers.get("Content-Length", "")
        size = int(told) if told.isdecimal() and int(told) > self._max_bytes else 0
        while size <= self._max_bytes:
            # What has come, not a full piece: a server that drips must not outlast the deadline.
            piece = response.raw.read1(_PIECE_BYTES, decode_content=True)
            if not piece:
                return b"".join(pieces)
            if time.monotonic() > deadline:
                raise _TimedOut(f"GROBID did not finish its answer for {name} in time.")
            pieces.append(piece)
            size += len(piece)
        raise Permanent(
            f"GROBID's answer for {name} is larger than {self._max_bytes / 1e6:g} MB and was not "
            "read to its end."
        )

    def _tei_of(self, name: str, body: bytes) -> bytes:
        """The body itself where it looks like a whole TEI document."""
        if not body.strip():
            raise Permanent(f"GROBID found no content in {name}.")
        if b"<TEI" not in body[:4096]:
            raise Permanent(
                f"GROBID at {self.address} answered with something that is no TEI for {name}."
            )
        if not body.rstrip().endswith(b"</TEI>"):
            raise _Unreachable(f"GROBID broke off in the middle of its answer for {name}.")
        return body

    def _refusal(
        self, name: str, status: int, body: bytes, retry_after: float | None
    ) -> Transient | Permanent | ServiceDown:
        """What an answer other than 200 means for this file."""
        reason = _reason(body)
        if status in _BUSY:
            return Transient(f"GROBID stayed too busy to take {name}.", retry_after)
        if status == _NO_CONTENT:
            return Permanent(f"GROBID found no content in {name}.")
        if status in _NOT_GROBID:
            return ServiceDown(
                f"{self.address} refuses full-text requests (HTTP {status}): check GROBID_URL."
            )
        # An error without a reason is the server's own trouble (disk, memory) or a gateway's.
        if status in _GATEWAY or (status >= _SERVER_ERROR and not reason):
            return Transient(f"GROBID failed on {name} without a reason (HTTP {status}).")
        return Permanent(
            f"GROBID could not read {name}: {reason or 'no reason given'} (HTTP {status})."
        )

    def _down(self) -> ServiceDown:
        return ServiceDown(
            f"No GROBID server answers at {self.address}: start it, or clear GROBID_URL to use "
            "the embedded parser."
        )


def _reason(body: bytes) -> str:
    """GROBID's own words in an error body, plain or JSON, on one line; empty where it has none."""
    text = body[: 1 << 16].decode("utf-8", "replace").strip()
    try:
        answer = json.loads(text)
    except ValueError:
        answer = None
    if isinstance(answer, dict):
        text = str(answer.get("description") or answer.get("message") or "")
    if text.lower().startswith(("<!doctype", "<html", "<?xml")):
        return ""
    # The JSON form repeats each cause behind its Java class; the bracketed code starts the reason.
    coded = re.search(r"\[[A-Z][A-Z0-9_]+\][^\n]*", text)
    line = " ".join((coded.group() if coded else text).split())
    return line[:_LONGEST_REASON].rstrip(" .")


def _seconds(header: str | None) -> float | None:
    """A Retry-After header in seconds; None for its absence or its other, dated form."""
    return float(header) if header and re.fullmatch(r"\d{1,6}", header.strip()) else None
