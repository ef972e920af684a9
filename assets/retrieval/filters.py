"""Restricting a search to a part of the corpus, by expressions over the passages' columns."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from assets.retrieval.passages import StoredPassages
from assets.retrieval.records import Passage


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions that a passage must meet, all of them; an empty one is none.

    `papers`, `categories`, `tiers` and `kinds` list what is allowed; `year_from` and `year_to`
    are inclusive, and leave out papers whose year is unknown; `section` is a part of the section
    path's text, in any case.
    """

    papers: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    tiers: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    section: str = ""
    year_from: int | None = None
    year_to: int | None = None

    def any(self) -> bool:
        """Whether there is a condition at all."""
        return any(getattr(self, entry.name) not in ((), "", None) for entry in fields(self))


def allowed(passages: Sequence[Passage], filters: Filters) -> NDArray[np.bool_]:
    """Which passages meet the filters; bool of shape (n,)."""
    stored = StoredPassages.of(passages)
    keep = np.ones(len(stored), dtype=bool)
    if not len(stored):
        return keep
    rows = stored.rows
    for name, wanted in (
        ("paper_id", filters.papers),
        ("tier", filters.tiers),
        ("kind", filters.kinds),
    ):
        if wanted:
            keep &= _flags(pc.is_in(rows[name], pa.array(wanted)))
    if filters.categories:
        keep &= _holds_any(rows["categories"].combine_chunks(), filters.categories)
    if filters.section:
        line = filters.section.lower()
        keep &= _flags(pc.match_substring(stored.section_lines, line))
    years = rows["year"].to_numpy()
    if filters.year_from is not None:
        keep &= years >= filters.year_from
    if filters.year_to is not None:
        keep &= (years <= filters.year_to) & (years > 0)
    return keep


def _holds_any(lists: pa.ListArray, wanted: tuple[str, ...]) -> NDArray[np.bool_]:
    """Which lists hold one of the wanted values."""
    found = _flags(pc.is_in(lists.flatten(), pa.array(wanted)))
    flags = np.zeros(len(lists), dtype=bool)
    flags[pc.list_parent_indices(lists).to_numpy()[found]] = True
    return flags


def _flags(values: pa.Array | pa.ChunkedArray) -> NDArray[np.bool_]:
    flags: NDArray[np.bool_] = values.to_numpy(zero_copy_only=False)
    return flags
