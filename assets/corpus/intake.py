"""A listing taken into the table of papers, row by row, or refused.

Listings may be long: what is held in memory is a few short fields of each known paper and one
batch of rows.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from assets.corpus.reconcile import (
    KNOWN_COLUMNS,
    UNLISTED,
    Changes,
    Lost,
    lost_papers,
    reconcile,
    shrank,
    with_status,
)
from assets.increment import in_batches
from assets.tables import PAPERS
from resources.errors import MuonEvidenceError
from resources.lake import Lake, Row, col
from resources.source import ListedPaper, Listing

#: Rows a commit.
BATCH = 2_000

#: Written rows that are kept to be shown.
SHOWN = 10

_AGAIN = "If that is right, run again with --accept-shrunk (accept_shrunk in the launchpad)."


@dataclass
class Intake:
    """What a listing changed, what it lacks, its newest update, and the first rows written."""

    changes: Changes = field(default_factory=Changes)
    lost: Lost = field(default_factory=Lost)
    newest: str = ""
    written: list[Row] = field(default_factory=list)


def known_papers(lake: Lake) -> dict[str, Row]:
    """What has to be known of each paper to compare it with a listing."""
    return {row["paper_id"]: row for row in lake.rows(PAPERS, KNOWN_COLUMNS)}


def take_in(
    lake: Lake,
    listing: Listing,
    known: dict[str, Row],
    tier_of: Callable[[ListedPaper], str],
    lost: Lost,
) -> Intake:
    """Write what a listing changes, and what it lost as unlisted."""
    intake = Intake(lost=lost)

    def listed() -> Iterator[ListedPaper]:
        for paper in listing.papers:
            intake.newest = max(intake.newest, paper.updated)
            yield paper

    for rows in _batched(reconcile(listed(), known, tier_of, intake.changes)):
        lake.merge(PAPERS, rows)
        intake.written += rows[: SHOWN - len(intake.written)]
    for keys in in_batches(lost.unlisted, BATCH):
        gone = lake.rows(PAPERS, where=col("paper_id").isin(keys))
        lake.merge(PAPERS, [with_status(row, UNLISTED) for row in gone])
    return intake


def what_is_lost(
    listing: Listing, known: dict[str, Row], source: str, covers: Callable[[Row], bool]
) -> Lost:
    """What a listing lacks; one that is not of everything, or not complete, lacks nothing."""
    if not (listing.full and listing.complete):
        return Lost()
    return lost_papers({paper.paper_id for paper in listing.papers}, known, source, covers)


def refuse_lost(lost: Lost, source: str) -> None:
    """Stop before anything is written where a listing lost most of what it should hold."""
    if lost.too_many:
        raise MuonEvidenceError(
            f"The {source} listing lacks {len(lost.unlisted):,} of the {lost.covered:,} papers "
            f"that it should hold; nothing was changed. {_AGAIN}"
        )


def refuse_shrunk(listing: Listing, source: str, before: int) -> None:
    """Stop before anything is written where a source says that it has far fewer papers than
    `before`."""
    if listing.complete and shrank(listing.total_reported, before):
        raise MuonEvidenceError(
            f"The {source} listing shrank: {source} reports {listing.total_reported:,} papers "
            f"where it reported {before:,} before; nothing was changed. {_AGAIN}"
        )


def refuse_incomplete(listing: Listing, source: str) -> None:
    """Stop after a listing that gave less than it promised; what it gave is kept."""
    if not listing.complete:
        what = listing.problems[-1] if listing.problems else "it promised more than it gave."
        raise MuonEvidenceError(
            f"The {source} listing was incomplete and the run stops here: {what} What was listed "
            "is kept, nothing was removed; run again, and if it stays so with --accept-shrunk."
        )


def believable_total(listing: Listing, before: int) -> int:
    """How many papers a source has, as far as its word was held against what it gave.

    Only a whole listing is. One of changes may report any number: it can lower what was known
    `before` (where that is refused, it was refused already), but not raise it, or the next true
    total would look shrunk.
    """
    if not listing.full:
        return min(before, listing.total_reported)
    return listing.total_reported if listing.complete else len(listing.papers)


def refuse_nothing_named(listing: Listing) -> None:
    """Stop where none of the papers that somebody named could be listed."""
    if not listing.papers:
        raise MuonEvidenceError(f"No paper was listed: {listing.problems[0]}")


def _batched(rows: Iterable[Row]) -> Iterator[list[Row]]:
    rows = iter(rows)
    while batch := list(islice(rows, BATCH)):
        yield batch
