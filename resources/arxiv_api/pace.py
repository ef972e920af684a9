"""One pace for everything that is asked of arXiv, and retries that keep to it.

arXiv asks for no more than one request every three seconds, over one connection at a time, of
its search and its PDFs together (API Terms of Use).
"""

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import tenacity

from resources.arxiv_api.limits import Limits
from resources.errors import ServiceDown, Transient


class TooSlow(Transient):
    """An answer that would not end; it is not waited for a second time in the same run."""


class Pace:
    """Lets one request through at a time, and the next only some seconds after it ended.

    `seconds` are between the end of one and the beginning of the next. `jitter` adds a random
    share of up to that much, so that many clients do not fall into step. `waited` counts the
    seconds that were waited so far.
    """

    def __init__(
        self,
        seconds: float,
        *,
        jitter: float = 0.2,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.seconds = seconds
        self._jitter = jitter
        self._sleep = sleep
        self._clock = clock
        self._turn = threading.Lock()
        self._free_at = clock()
        self.waited = 0.0

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for one's turn, and hold it for the time of the block."""
        with self._turn:
            wait = self._free_at - self._clock()
            if wait > 0:
                self.waited += wait
                self._sleep(wait)
            try:
                yield
            finally:
                self._free_at = self._clock() + self.spread(self.seconds)

    def hold(self, seconds: float) -> None:
        """Let nothing through for some seconds more."""
        self._free_at = max(self._free_at, self._clock() + seconds)

    def spread(self, seconds: float) -> float:
        """Some seconds and a random share of them."""
        return seconds * (1 + self._jitter * random.random())  # noqa: S311 - no secret


def retrying(pace: Pace, limits: Limits, service: str) -> tenacity.Retrying:
    """Retries of transient errors; the wait before each is the pace's, and binds all requests.

    A service that asks to wait longer than the limits allow is down: ServiceDown, naming
    `service`. The last Transient is raised as it is.
    """

    def seconds(state: tenacity.RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = (error.retry_after or 0.0) if isinstance(error, Transient) else 0.0
        if asked > limits.longest_wait_seconds:
            raise ServiceDown(
                f"{service} asks to be left alone for {asked:,.0f} seconds; run again after that."
            )
        first = max(limits.backoff_paces * pace.seconds, limits.least_backoff_seconds)
        backoff = pace.spread(first * 2 ** (state.attempt_number - 1))
        return max(asked, min(backoff, limits.longest_wait_seconds))

    return tenacity.Retrying(
        retry=tenacity.retry_if_exception(
            lambda error: isinstance(error, Transient) and not isinstance(error, TooSlow)
        ),
        stop=tenacity.stop_after_attempt(limits.attempts),
        wait=seconds,
        sleep=pace.hold,
        reraise=True,
    )
