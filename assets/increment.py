"""Making only what is missing, in batches that are committed as they finish.

A stage says which rows there should be and the fingerprint of each one's inputs; what the lake
already holds, and what failed for the same inputs before, is left alone. A run that is killed
loses at most the batch it was working on.
"""

import hashlib
import json
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assets.tables import FAILURES
from resources.errors import Permanent, ServiceDown, Transient
from resources.lake import Lake, Row, col
from resources.source import PdfMissing

#: A transient failure is tried again by every run; after this many it is left to the user.
MOST_ATTEMPTS = 5

#: What a failure is: may pass by itself, repeats until the item changes, or is the source's word
#: that there is no such thing.
KIND_TRANSIENT, KIND_PERMANENT, KIND_MISSING = "transient", "permanent", "missing"

#: Commits of a stage in one run, about: each makes a file and a list of all files before it, so
#: that their number would cost its square.
MOST_COMMITS = 100

#: This many items must all have failed before the service behind them is blamed.
FEWEST_FOR_A_SERVICE = 10


def fingerprint(*parts: Any) -> str:
    """A short hash of everything a row depends on; parts are compared as JSON values."""
    text = json.dumps(parts, ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


@dataclass
class Outcome:
    """What a stage did, as its metadata shows it."""

    wanted: int = 0
    made: int = 0
    kept: int = 0
    removed: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    waiting: dict[str, str] = field(default_factory=dict)

    def metadata(self) -> dict[str, Any]:
        """Counts for the asset's page; the failures in words, at most twenty of them."""
        counts: dict[str, Any] = {
            "rows_wanted": self.wanted,
            "rows_made": self.made,
            "rows_kept": self.kept,
            "rows_removed": self.removed,
            "failed": len(self.failed),
            "quarantined": len(self.waiting),
        }
        messages = {**self.waiting, **self.failed}
        if messages:
            counts["what_is_wrong"] = "\n".join(
                f"- {text}" for text in list(messages.values())[:20]
            )
        return counts


class FailureLedger:
    """The standing list of what could not be made, and why.

    `now` is an ISO time that the caller reads from its clock, so that this module has none.
    """

    def __init__(self, lake: Lake, stage: str, now: str, retry_failed: bool = False) -> None:
        self._lake = lake
        self._stage = stage
        self._now = now
        self._retry_failed = retry_failed
        self._rows: dict[str, Row] = {
            row["key"]: row for row in lake.rows(FAILURES, where=col("stage") == stage)
        }

    def waits(self, key: str, inputs: str) -> str | None:
        """Why an item must not be tried again with these inputs, or None."""
        row = self._rows.get(key)
        if row is None or self._retry_failed or row["fingerprint"] != inputs:
            return None
        exhausted = row["attempts"] >= MOST_ATTEMPTS
        return str(row["message"]) if row["kind"] != KIND_TRANSIENT or exhausted else None

    def has_failed(self, key: str, inputs: str) -> bool:
        """Whether an item failed before with these inputs."""
        row = self._rows.get(key)
        return row is not None and row["fingerprint"] == inputs

    def record(self, errors: Mapping[str, Exception], inputs: Mapping[str, str]) -> None:
        """Write down failures of this run."""
        if not errors:
            return
        rows: list[Row] = []
        for key, error in errors.items():
            before = self._rows.get(key)
            again = before is not None and before["fingerprint"] == inputs[key]
            rows.append(
                {
                    "stage": self._stage,
                    "key": key,
                    "fingerprint": inputs[key],
                    "kind": _kind(error),
                    "message": str(error),
                    "attempts": (before["attempts"] if again and before else 0) + 1,
                    "last_tried": self._now,
                }
            )
        self._rows.update((row["key"], row) for row in rows)
        self._lake.merge(FAILURES, rows)

    def clear(self, keys: Sequence[str]) -> None:
        """Forget failures of items that are made now, or are no longer wanted."""
        gone = [key for key in keys if key in self._rows]
        if gone:
            self._lake.delete(FAILURES, (col("stage") == self._stage) & col("key").isin(gone))
            for key in gone:
                del self._rows[key]

    def clear_all_but(self, keys: Container[str]) -> None:
        """Forget failures of items that are made, or no longer wanted at all."""
        self.clear([key for key in self._rows if key not in keys])


#: Makes one batch: {key: what was made, or the error that stands for it}.
MakeBatch = Callable[[list[str]], Mapping[str, Any]]
CommitBatch = Callable[[dict[str, Any]], object]
Report = Callable[[int, int], None]


def make_missing(  # noqa: PLR0913 - one value each, named by the caller
    wanted: Mapping[str, str],
    have: Mapping[str, str],
    ledger: FailureLedger,
    batches: Callable[[list[str]], Iterator[Mapping[str, Any]]],
    commit: CommitBatch,
    report: Report,
    service: bool = True,
) -> Outcome:
    """Make every wanted row whose fingerprint the lake does not hold.

    `wanted` and `have` map keys to fingerprints. `batches` is given the keys to make and yields
    results as they come: for each key what was made, or the exception that stands for it.
    `commit` writes one batch. Every single item failing is a failure of the service behind the
    stage, and stops it, unless `service` says that there is none; one bad item never does, nor do
    items that are known to be bad.
    """
    outcome = Outcome(wanted=len(wanted))
    todo: list[str] = []
    for key, inputs in wanted.items():
        if have.get(key) == inputs:
            outcome.kept += 1
        elif (why := ledger.waits(key, inputs)) is not None:
            outcome.waiting[key] = why
        else:
            todo.append(key)
    first_tries = sum(not ledger.has_failed(key, wanted[key]) for key in todo)
    # Also of what a run made that was killed before it could say so.
    ledger.clear_all_but({*todo, *outcome.waiting})
    report(0, len(todo))
    for batch in batches(todo) if todo else ():
        errors = {key: value for key, value in batch.items() if isinstance(value, Exception)}
        made = {key: value for key, value in batch.items() if key not in errors}
        if made:
            commit(made)
            ledger.clear(list(made))
        if errors:
            ledger.record(errors, wanted)
        outcome.made += len(made)
        outcome.failed.update((key, str(error)) for key, error in errors.items())
        report(outcome.made + len(outcome.failed), len(todo))
    if service:
        _stop_if_nothing_worked(outcome, first_tries, ledger)
    return outcome


def items_a_commit(least: int, todo: int) -> int:
    """How many of `todo` items are committed at a time: `least`, or a hundredth of them."""
    return max(least, -(-todo // MOST_COMMITS))


def in_batches(keys: Sequence[str], size: int) -> Iterator[list[str]]:
    """Cut keys into lists of at most `size`."""
    for start in range(0, len(keys), size):
        yield list(keys[start : start + size])


def _kind(error: Exception) -> str:
    if isinstance(error, PdfMissing):
        return KIND_MISSING
    return KIND_TRANSIENT if isinstance(error, Transient) else KIND_PERMANENT


def _stop_if_nothing_worked(outcome: Outcome, first_tries: int, ledger: FailureLedger) -> None:
    # A handful of items can all be bad by themselves; a whole run of them is the service.
    tried = len(outcome.failed)
    if tried >= first_tries >= FEWEST_FOR_A_SERVICE and outcome.made == 0:
        first = next(iter(outcome.failed.values()))
        # None of the items is to blame, so none is set aside.
        ledger.clear(list(outcome.failed))
        raise ServiceDown(f"Not one of {tried} items could be made; the first one: {first}")


def as_item_error(error: Exception, name: str) -> Exception:
    """An unexpected exception as the permanent failure of one item, named."""
    if isinstance(error, (Transient, Permanent)):
        return error
    return Permanent(f"{name}: {type(error).__name__}: {error}")
