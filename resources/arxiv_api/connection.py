"""The way to arXiv: allowed hosts only, at the pace, with timeouts, under our own name."""

import io
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from urllib.parse import urlsplit

import requests
import urllib3
from requests.adapters import HTTPAdapter
from typing_extensions import override

from resources.arxiv_api.limits import Limits
from resources.arxiv_api.pace import Pace, TooSlow
from resources.errors import Permanent, Transient, UsageError

ARXIV_HOSTS = frozenset({"arxiv.org", "export.arxiv.org", "www.arxiv.org"})
DEFAULT_API = "https://export.arxiv.org/api/query"

_DEFAULT_PORTS = {"http": 80, "https": 443}
_MOST_REDIRECTS = 5
_PIECE = 64 * 1024


class Unreachable(Transient):
    """A failure that is arXiv's as a whole and not this item's: no connection, or "slow down"."""


class ForbiddenHost(Permanent):
    """A link or a redirect to a host that nothing is fetched from."""


@dataclass(slots=True)
class Traffic:
    """What went over the wire: requests (redirects and retries included) and body bytes."""

    requests: int = 0
    bytes: int = 0


class Connection:
    """What the search and the downloads share: one pace, one pool, one list of allowed hosts.

    `api_url` is the search endpoint without its query. Raises UsageError where the base URL or
    the contact cannot be used.
    """

    def __init__(self, base_url: str, contact: str, pace: Pace, limits: Limits) -> None:
        self.api_url = api_url(base_url)
        self.pace = pace
        self.limits = limits
        self.traffic = Traffic()
        self._adapter = _PoliteAdapter(self, user_agent(contact))

    def open_session(self) -> requests.Session:
        """A session whose every request, redirects included, goes this way."""
        session = requests.Session()
        session.max_redirects = _MOST_REDIRECTS
        for scheme in _DEFAULT_PORTS:
            session.mount(f"{scheme}://", self._adapter)
        return session

    @property
    def origin(self) -> str:
        """Scheme and host of the search endpoint."""
        parts = urlsplit(self.api_url)
        return f"{parts.scheme}://{parts.netloc}"

    def allows(self, url: str) -> bool:
        """Whether anything may be fetched from a URL: arXiv's hosts, or the configured one."""
        try:
            parts = urlsplit(url)
            port = parts.port or _DEFAULT_PORTS.get(parts.scheme)
        except ValueError:
            return False
        usual = port in _DEFAULT_PORTS.values()
        if parts.scheme not in _DEFAULT_PORTS:
            return False
        if parts.hostname in ARXIV_HOSTS and usual:
            return True
        own = urlsplit(self.api_url)
        own_port = own.port or _DEFAULT_PORTS[own.scheme]
        same_port = port == own_port or (usual and own_port in _DEFAULT_PORTS.values())
        return parts.hostname == own.hostname and same_port

    def body(self, response: requests.Response, limit: int | None = None) -> Iterator[bytes]:
        """Pieces of a response's body as they arrive.

        Raises Transient for a body that stalls, ends early or takes too long, and Permanent above
        `limit` bytes, where there is a limit.
        """
        url, size, started = address(response.url), 0, time.monotonic()
        try:
            while piece := response.raw.read1(_PIECE, decode_content=True):
                size += len(piece)
                self.traffic.bytes += len(piece)
                if limit is not None and size > limit:
                    raise Permanent(f"{url} is larger than the {limit:,} bytes that are allowed.")
                if time.monotonic() - started > self.limits.body_seconds:
                    raise TooSlow(
                        f"{url} took longer than {self.limits.body_seconds:g} seconds to arrive."
                    )
                yield piece
        except urllib3.exceptions.ReadTimeoutError as error:
            raise Transient(
                f"{url} stalled: nothing came for {self.limits.read_seconds:g} seconds."
            ) from error
        except (urllib3.exceptions.HTTPError, OSError) as error:
            raise Transient(f"{url} broke off after {size:,} bytes.") from error


class _PoliteAdapter(HTTPAdapter):
    """Sees each request of a session, each hop of a redirect included."""

    def __init__(self, connection: Connection, agent: str) -> None:
        super().__init__(pool_connections=4, pool_maxsize=1, pool_block=True)
        self._connection = connection
        self._agent = agent

    @override
    def send(
        self,
        request: requests.PreparedRequest,
        stream: bool = False,
        timeout: Any = None,
        verify: Any = True,
        cert: Any = None,
        proxies: Any = None,
    ) -> requests.Response:
        connection, url = self._connection, address(request.url or "")
        if not connection.allows(request.url or ""):
            raise ForbiddenHost(
                f"{url} is on a host that nothing is fetched from; allowed are arXiv's own and "
                f"that of {connection.origin}."
            )
        # The arxiv package names itself on every request, and sets no timeout on any.
        request.headers["User-Agent"] = self._agent
        timeout = (connection.limits.connect_seconds, connection.limits.read_seconds)
        with connection.pace.turn():
            connection.traffic.requests += 1
            try:
                response = super().send(request, stream, timeout, verify, cert, proxies)
            except requests.ReadTimeout as error:
                raise Transient(
                    f"{url} did not answer within {connection.limits.read_seconds:g} seconds."
                ) from error
            except requests.ConnectTimeout as error:
                raise Unreachable(f"{connection.origin} cannot be reached (timeout).") from error
            except requests.ConnectionError as error:
                raise _broken(error, connection.origin, url) from error
        if not stream or response.is_redirect:
            # Read here, within bounds: requests itself would read on without end.
            with response:
                whole = b"".join(connection.body(response, connection.limits.feed_bytes))
            response.raw = io.BytesIO(whole)
        return response


def api_url(base_url: str) -> str:
    """The search endpoint that a base URL means; empty means arXiv's own.

    A bare host stands for its `/api/query`. Raises UsageError for what is no http(s) URL.
    """
    base = base_url.strip().removesuffix("{}").rstrip("?/") or DEFAULT_API
    try:
        parts = urlsplit(base)
        usable = parts.scheme in _DEFAULT_PORTS and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable or parts.query or parts.username:
        raise UsageError(
            f"{base_url!r} is no base URL of an arXiv API; it must look like {DEFAULT_API}."
        )
    path = {"": "/api/query", "/api": "/api/query"}.get(parts.path, parts.path)
    return f"{parts.scheme}://{parts.netloc}{path}"


def address(url: str) -> str:
    """A URL as messages name it: without its query, which for a search fills half a screen."""
    return url.partition("?")[0]


def user_agent(contact: str) -> str:
    """How we introduce ourselves; arXiv asks for a way to reach who runs a program."""
    if not contact.isascii() or not contact.isprintable():
        raise UsageError("The contact must be plain text on one line, such as an e-mail address.")
    try:
        number = version("muon-evidence")
    except PackageNotFoundError:
        number = "0"
    return f"muon-evidence/{number} ({contact.strip() or 'no contact given'})"


def retry_after(
    headers: Mapping[str, str], now: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> float | None:
    """Seconds that a response asks to wait, by number or by date; None where it does not."""
    text = headers.get("Retry-After", "").strip()
    if text.isdigit():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now()).total_seconds())


def _broken(error: requests.ConnectionError, origin: str, url: str) -> Transient:
    """A connection that was never made concerns all of arXiv; one that broke, this request."""
    cause = error.args[0] if error.args else None
    if isinstance(cause, urllib3.exceptions.MaxRetryError):
        return Unreachable(f"{origin} cannot be reached; check the network and the address.")
    return Transient(f"The connection broke while {url} was asked for.")
