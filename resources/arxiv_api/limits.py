"""How much is asked of arXiv, how long it is waited for, and when to give up."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one source's dealings with arXiv; the defaults are for arXiv itself.

    `page_size` results a request (arXiv takes up to 2,000) and `window` results a query, beyond
    which arXiv answers none (API User's Manual, "Paging"). `overlap_days` is how far a listing of
    changes reaches behind its watermark: a paper shows its time of submission, and is announced
    days later. `passes` is how often a listing that came out short is walked before it is given
    up. `attempts` tries of one request wait for `backoff_paces` times the pace, at least
    `least_backoff_seconds`, doubled each time, plus a random share of up to `jitter`; a wait that
    the service asks for is not waited beyond `longest_wait_seconds`.
    """

    page_size: int = 500
    ids_a_request: int = 100
    window: int = 30_000
    overlap_days: float = 7.0
    passes: int = 3
    attempts: int = 5
    backoff_paces: float = 2.0
    least_backoff_seconds: float = 0.05
    jitter: float = 0.2
    longest_wait_seconds: float = 300.0
    connect_seconds: float = 15.0
    read_seconds: float = 20.0
    body_seconds: float = 300.0
    feed_bytes: int = 64 * 1024 * 1024
    pdf_bytes: int = 200 * 1024 * 1024
