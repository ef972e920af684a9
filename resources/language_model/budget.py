"""What may be spent, and what was.

A call reserves its worst case before it is made and settles what it really cost afterwards, so
that calls running at the same time cannot overrun the limit together.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Condition, Lock

from resources.errors import MuonEvidenceError, UsageError

# Sums of prices carry rounding errors far below the smallest price of a token.
_ROUNDING_USD = 1e-9


class BudgetExhausted(MuonEvidenceError):
    """The next call might cost more than is left; what was not done stays for a later run."""


class Budget:
    """A limit in US dollars that several threads, models and stages may share."""

    def __init__(self, limit_usd: float) -> None:
        if not limit_usd >= 0:
            msg = (
                f"The budget must be zero or more US dollars, not {limit_usd}: set MUON_BUDGET_USD."
            )
            raise UsageError(msg)
        self.limit_usd = limit_usd
        self._spent = 0.0
        self._reserved = 0.0
        self._changed = Condition()

    @property
    def spent_usd(self) -> float:
        """US dollars settled so far."""
        with self._changed:
            return self._spent

    @contextmanager
    def reserve(self, worst_case_usd: float) -> Iterator["Reservation"]:
        """Hold `worst_case_usd` for one call; waits while calls in flight may still free money.

        Raises BudgetExhausted where nothing is in flight and too little is left.
        """
        self._take(worst_case_usd)
        reservation = Reservation()
        try:
            yield reservation
        finally:
            with self._changed:
                self._reserved -= worst_case_usd
                self._spent += reservation.cost_usd
                self._changed.notify_all()

    def _take(self, amount: float) -> None:
        with self._changed:
            while self._spent + self._reserved + amount > self.limit_usd + _ROUNDING_USD:
                if self._reserved <= _ROUNDING_USD:
                    msg = (
                        f"The budget of ${self.limit_usd:.2f} is used up: ${self._spent:.4f} is "
                        f"spent and the next call may cost ${amount:.4f}; raise MUON_BUDGET_USD "
                        "and run again to do the rest."
                    )
                    raise BudgetExhausted(msg)
                self._changed.wait()
            self._reserved += amount


class Reservation:
    """The part of a budget one call holds; `cost_usd` is what the call turned out to cost."""

    def __init__(self) -> None:
        self.cost_usd = 0.0


@dataclass(frozen=True, slots=True)
class Usage:
    """What a model has used so far.

    `calls` counts answers that came from the server, useless ones included, and `cached_calls`
    those that came from the cache, which cost nothing. Tokens are those the server reported.
    `unpriced_calls` are calls whose cost is not in `cost_usd` because no price is known.
    """

    calls: int = 0
    cached_calls: int = 0
    retries: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    unpriced_calls: int = 0


class Ledger:
    """Adds up usage from several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._usage = Usage()

    @property
    def usage(self) -> Usage:
        """The totals at this moment."""
        with self._lock:
            return self._usage

    def paid(self, input_tokens: int, output_tokens: int, cost_usd: float | None) -> None:
        """Count one answer of the server."""
        with self._lock:
            was = self._usage
            self._usage = Usage(
                was.calls + 1,
                was.cached_calls,
                was.retries,
                was.input_tokens + input_tokens,
                was.output_tokens + output_tokens,
                was.cost_usd + (cost_usd or 0.0),
                was.unpriced_calls + (cost_usd is None),
            )

    def cached(self) -> None:
        """Count one answer from the cache."""
        with self._lock:
            self._usage = replace(self._usage, cached_calls=self._usage.cached_calls + 1)

    def retried(self) -> None:
        """Count one attempt that failed and is made again."""
        with self._lock:
            self._usage = replace(self._usage, retries=self._usage.retries + 1)
