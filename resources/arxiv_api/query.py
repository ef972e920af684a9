"""What arXiv is asked: a profile's query, and windows of time that cut it into pieces.

`submittedDate`, the time of the first version, is the only date that arXiv filters by
(API User's Manual, "Details of Query Construction").
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from resources.profile import ArxivQuery

_MINUTE = timedelta(minutes=1)
# Before arXiv began, since some of its papers were put in later under their own dates.
_EARLIEST = datetime(1986, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Window:
    """A span of submission times, both ends included, in whole minutes UTC."""

    start: datetime
    end: datetime

    def __str__(self) -> str:
        return f"{self.start:%Y-%m-%d %H:%M} to {self.end:%Y-%m-%d %H:%M}"

    @property
    def term(self) -> str:
        """The window in arXiv's query language."""
        return f"submittedDate:[{self.start:%Y%m%d%H%M} TO {self.end:%Y%m%d%H%M}]"

    def halves(self) -> "tuple[Window, Window] | None":
        """Two windows for this one, or None for a single minute.

        They share the minute in which they meet, so that no reading of "to" loses a paper.
        """
        minutes = (self.end - self.start) // _MINUTE
        if minutes < 2:
            return None
        middle = self.start + minutes // 2 * _MINUTE
        return Window(self.start, middle), Window(middle, self.end)


def all_time(today: datetime) -> Window:
    """A window over everything; it ends in the next year, as arXiv misses this year's else."""
    return Window(_EARLIEST, datetime(today.year + 1, 12, 31, 23, 59, tzinfo=UTC))


def profile_window(query: ArxivQuery, today: datetime) -> Window | None:
    """The window that a profile's days set, or None where it sets none."""
    if not query.submitted_from and not query.submitted_to:
        return None
    bounds = all_time(today)
    start, end = bounds.start, bounds.end
    if query.submitted_from:
        start = datetime.fromisoformat(query.submitted_from).replace(tzinfo=UTC)
    if query.submitted_to:
        day = datetime.fromisoformat(query.submitted_to).replace(tzinfo=UTC)
        end = day + timedelta(days=1) - _MINUTE
    return Window(start, end)


def search_query(query: ArxivQuery, window: Window | None = None) -> str:
    """A profile's query in arXiv's language, within a window where one is given."""
    parts = [_any_of("all", query.phrases)]
    if query.categories:
        parts.append(_any_of("cat", query.categories))
    if window is not None:
        parts.append(window.term)
    return " AND ".join(parts)


def _any_of(field: str, values: Sequence[str]) -> str:
    terms = [f'{field}:"{value}"' if " " in value else f"{field}:{value}" for value in values]
    return f"({' OR '.join(terms)})"
