"""What a status code, a header or a broken connection means, whichever client met it."""

import email.utils
from collections.abc import Mapping
from urllib.parse import urlsplit

from resources.errors import MuonEvidenceError, Permanent, ServiceDown, Transient
from resources.language_model.retry import Slow, Unreachable

_MAY_PASS = {408, 409, 425, 429, 500, 502, 503, 504, 529}
_LONGEST_QUOTE = 200


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the Retry-After header asks for, or None where it is absent or unreadable.

    The header's other form, a date, is counted from the server's own Date header.
    """
    value = headers.get("retry-after", "").strip()
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        until = email.utils.parsedate_to_datetime(value)
        now = email.utils.parsedate_to_datetime(headers.get("date", ""))
        return max(0.0, (until - now).total_seconds())
    except (TypeError, ValueError):
        return None


def server_name(base_url: str) -> str:
    """Host and port of a server, without what else its address may carry (a password, a key)."""
    return urlsplit(base_url).netloc.rpartition("@")[2]


def readable(message: object, secret: str) -> str:
    """A server's message as one short line, without the key should the server repeat it."""
    line = " ".join(str(message or "").split())
    return line.replace(secret, "[key]")[:_LONGEST_QUOTE] if secret else line[:_LONGEST_QUOTE]


def status_failure(  # noqa: PLR0913 - the parts of one sentence
    status: int, message: str, *, where: str, model: str, key_name: str, wait: float | None
) -> MuonEvidenceError:
    """The error that an HTTP status stands for."""
    if status in {401, 403}:
        return ServiceDown(
            f"{where} does not let us in (status {status}): check {key_name} and what it may use."
        )
    if status == 404:
        return ServiceDown(
            f"{where} knows no model {model}: check MUON_MODEL (MUON_JUDGE for a judge) and the "
            "base URL."
        )
    if status in _MAY_PASS or status >= 500:
        asked = f", and asks to wait {wait:g} s" if wait else ""
        return Transient(f"{where} answered with status {status}{asked}: {message}", wait)
    return Permanent(f"{where} does not accept the request (status {status}): {message}")


def connection_failure(error: Exception, where: str) -> MuonEvidenceError:
    """The error that a call which brought no readable answer stands for.

    google-genai may speak through httpx or httpx2, whose classes share their names alone, and
    openai wraps them; so the names along the chain of causes decide.
    """
    names = {kind.__name__ for cause in _causes(error) for kind in type(cause).__mro__}
    if "ConnectError" in names or "ConnectTimeout" in names:
        return Unreachable(
            f"{where} cannot be reached: check the base URL and that the server runs."
        )
    if "TimeoutException" in names or "APITimeoutError" in names:
        return Slow(f"{where} did not answer in time: give it longer with MUON_MODEL_TIMEOUT.")
    if names & {"TransportError", "APIConnectionError", "OSError"}:
        return Transient(f"{where} broke the connection off.")
    return Transient(f"{where} sent something that is no answer of a model (an error page?).")


def _causes(error: BaseException) -> list[BaseException]:
    chain: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in chain:
        chain.append(current)
        current = current.__cause__ or current.__context__
    return chain
