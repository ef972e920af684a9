"""What can go wrong, sorted by what to do about it.

Every error that reaches a user is one of these and carries one sentence: what happened,
where, and what to do. The class decides the handling, never the text:

* `Transient`: the same call may succeed later; it is retried with backoff.
* `Permanent`: the same input will fail again; the item is set aside with its reason.
* `ServiceDown`: nothing more can be done without the service; the step stops.
* `UsageError`: the caller asked for something that cannot be; nothing was started.
"""


class MuonEvidenceError(Exception):
    """Base of all errors whose message is fit to be shown as it is."""


class Transient(MuonEvidenceError):
    """A failure that may pass by itself (timeout, 429, 5xx).

    `retry_after` is the number of seconds the service asked to wait, or None.
    """

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Permanent(MuonEvidenceError):
    """A failure of this one item that repeats until the item itself changes."""


class ServiceDown(MuonEvidenceError):
    """A service that cannot be reached, or that refuses every item."""


class UsageError(MuonEvidenceError):
    """A request that cannot be carried out as it was made (wrong option, bad file)."""
