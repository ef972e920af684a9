"""Trying again what may pass by itself: bounded, with jitter, and as patient as the server asks."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import tenacity

from resources.errors import ServiceDown, Transient

T = TypeVar("T")


class Unreachable(Transient):
    """No connection to the server could be made."""


class Slow(Transient):
    """The server took longer than it was given; it may only have been busy."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how patiently a call is made again.

    The n-th wait is drawn evenly from 0 to `backoff_seconds`·2ⁿ, at most `longest_wait_seconds`;
    where the server says how long to wait (Retry-After), it is that long and never shorter. A
    server that asks for more than `longest_wait_seconds` is not waited for, and one that was too
    slow is given a second chance and no third.
    """

    attempts: int = 5
    backoff_seconds: float = 1.0
    longest_wait_seconds: float = 60.0

    def run(self, call: Callable[[], T], on_retry: Callable[[], None]) -> T:
        """The result of `call`, made again while it raises Transient; `on_retry` before each.

        Raises the last Transient once the attempts are used up, or ServiceDown where that was
        a connection which could not be made.
        """
        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception_type(Transient),
            stop=self._is_enough,
            wait=self._wait,
            before_sleep=lambda _: on_retry(),
            reraise=True,
        )
        try:
            return retrying(call)
        except Unreachable as error:
            raise ServiceDown(str(error)) from error

    def _wait(self, state: tenacity.RetryCallState) -> float:
        jittered = tenacity.wait_random_exponential(self.backoff_seconds, self.longest_wait_seconds)
        return max(_asked_wait(state), jittered(state))

    def _is_enough(self, state: tenacity.RetryCallState) -> bool:
        slow = state.outcome is not None and isinstance(state.outcome.exception(), Slow)
        used_up = state.attempt_number >= min(self.attempts, 2 if slow else self.attempts)
        return used_up or _asked_wait(state) > self.longest_wait_seconds


def _asked_wait(state: tenacity.RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    return (error.retry_after or 0.0) if isinstance(error, Transient) else 0.0
