"""A searcher that sees a part of its release only, for whatever searches more than once."""

from collections.abc import Sequence

import numpy as np

from assets.retrieval.filters import Filters, allowed
from assets.retrieval.passages import StoredPassages
from assets.retrieval.records import Hit, Mode, Passage
from assets.retrieval.search import Searcher
from resources.encoder import Encoder
from resources.errors import UsageError

_MOST_NAMED = 12


class FilteredSearcher:
    """Every search of it is filtered; neighbours are of the whole release, for reading on.

    Raises UsageError where a filter names what the release does not have, and so could never
    find anything.
    """

    def __init__(self, searcher: Searcher, filters: Filters) -> None:
        refuse_unknown(searcher.index.passages, filters)
        self._searcher = searcher
        self._filters = filters

    @property
    def encoder(self) -> Encoder:
        """The encoder that the release was embedded with."""
        return self._searcher.encoder

    def search(self, query: str, mode: Mode | str, k: int) -> list[Hit]:
        """The `k` best passages of those that are let through."""
        return self._searcher.search(query, mode, k, self._filters)

    def neighbours(self, chunk_id: str, before: int = 1, after: int = 1) -> list[Passage]:
        """A passage and those around it in its paper, in reading order."""
        return self._searcher.neighbours(chunk_id, before, after)


def refuse_unknown(passages: Sequence[Passage], filters: Filters) -> None:
    """Refuse years in the wrong order, and names that no passage has."""
    first, last = filters.year_from, filters.year_to
    if first is not None and last is not None and first > last:
        raise UsageError(f"There is no year from {first} to {last}: give the earlier one first.")
    rows = StoredPassages.of(passages).rows
    for option, column, wanted in (
        ("--paper", "paper_id", filters.papers),
        ("--category", "categories", filters.categories),
        ("--tier", "tier", filters.tiers),
        ("--kind", "kind", filters.kinds),
    ):
        if not wanted:
            continue
        values = rows[column].combine_chunks()
        present = (values.flatten() if column == "categories" else values).unique().to_pylist()
        unknown = [name for name in wanted if name not in present]
        if unknown:
            raise UsageError(
                f"No passage of this release has {option} {unknown[0]!r}; there are: "
                f"{_some(sorted(present))}."
            )
    if filters.section and not np.any(allowed(passages, Filters(section=filters.section))):
        raise UsageError(
            f"No section of this release is named like {filters.section!r}: "
            "give a part of a heading."
        )


def _some(names: Sequence[str]) -> str:
    shown = [name for name in names if name][:_MOST_NAMED]
    more = len(names) - len(shown)
    told = ", ".join(shown) or "none"
    return f"{told} and {more} more" if more > 0 else told
