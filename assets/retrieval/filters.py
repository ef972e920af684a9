"""Restricting a search to a part of the corpus."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from assets.retrieval.records import Passage


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions that a passage must meet, all of them; an empty one is none.

    `papers`, `categories`, `tiers`, `tags` and `kinds` list what is allowed; `year_from` and
    `year_to` are inclusive; `section` is a part of the section path's text, in any case.
    """

    papers: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    tiers: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    section: str = ""
    year_from: int | None = None
    year_to: int | None = None

    def any(self) -> bool:
        """Whether there is a condition at all."""
        return any(getattr(self, entry.name) not in ((), "", None) for entry in fields(self))

    def allow(self, passage: Passage) -> bool:
        """Whether a passage meets every condition."""
        return (
            _among(self.papers, (passage.paper_id,))
            and _among(self.categories, passage.categories)
            and _among(self.tiers, (passage.tier,))
            and _among(self.tags, passage.tags)
            and _among(self.kinds, (passage.kind,))
            and self.section.lower() in " > ".join(passage.section).lower()
            and self._in_years(passage.year)
        )

    def _in_years(self, year: int | None) -> bool:
        if self.year_from is None and self.year_to is None:
            return True
        return year is not None and (self.year_from or year) <= year <= (self.year_to or year)


def allowed(passages: Sequence[Passage], filters: Filters) -> NDArray[np.bool_]:
    """Which passages meet the filters; bool of shape (n,)."""
    return np.fromiter((filters.allow(one) for one in passages), dtype=bool, count=len(passages))


def _among(wanted: tuple[str, ...], present: Sequence[str]) -> bool:
    return not wanted or any(value in wanted for value in present)
