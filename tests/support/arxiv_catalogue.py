"""A catalogue of made-up papers, of any size, the same for the same size.

The papers begin in 2006, so that the first have old ids, and follow each other evenly. Every
fifth has a second version, and some a third, dated up to a year after the first. What happens to
the catalogue later (a new paper, a new version, a withdrawal) happens after all of that.
"""

import random
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

_FIRST = datetime(2006, 1, 2, 9, 30, tzinfo=UTC)
_SPAN = timedelta(days=365 * 14)
_LATER = datetime(2024, 5, 6, 7, 0, tzinfo=UTC)
_CATEGORIES = ("hep-ph", "physics.acc-ph", "hep-ex", "physics.ins-det")
_SUBJECTS = ("cooling channels", "beam-induced background", "Higgs couplings", "dipole magnets")
_OBJECTS = (
    "the final cooling channel",
    "the tungsten nozzle",
    "the silicon tracker",
    "the storage ring",
    "the proton driver",
    "the crystal calorimeter",
    "the Higgs self-coupling",
    "the helical solenoid",
)
_UNITS = ("TeV", "MW", "tesla", "mm", "percent", "ns", "microns", "GeV")
_WINDOW = re.compile(r"submittedDate:\[(\d{12}) TO (\d{12})\]")


@dataclass(frozen=True)
class Entry:
    paper_id: str
    title: str
    published: datetime
    updated: datetime
    version: int = 1
    authors: tuple[str, ...] = ("A. Muon", "B. Collider")
    abstract: str = "We study muon colliders in this made-up paper."
    categories: tuple[str, ...] = ("hep-ph",)
    comment: str = ""
    journal_ref: str = ""
    doi: str = ""
    has_pdf: bool = True


class Catalogue:
    """`entries` by place, in the order of submission."""

    def __init__(self, count: int) -> None:
        spacing = min(timedelta(hours=6), _SPAN / max(1, count))
        self.entries = [_made_up(place, _FIRST + place * spacing) for place in range(count)]
        self._places = {entry.paper_id: place for place, entry in enumerate(self.entries)}
        self._now = _LATER
        self._newest_first: list[Entry] | None = None

    def __len__(self) -> int:
        return len(self.entries)

    def of_id(self, paper_id: str) -> Entry | None:
        place = self._places.get(paper_id)
        return None if place is None else self.entries[place]

    def add_paper(self) -> Entry:
        place = len(self.entries)
        moment = self._tick()
        entry = Entry(f"{moment:%y%m}.{place:05d}", f"Paper {place} on what is new", moment, moment)
        self.entries.append(entry)
        self._places[entry.paper_id] = place
        return entry

    def add_version(self, paper_id: str) -> Entry:
        return self.change(paper_id, updated=self._tick(), more_versions=1)

    def withdraw(self, paper_id: str) -> Entry:
        comment = "This paper has been withdrawn by the authors due to an error in equation 3"
        return self.change(paper_id, updated=self._tick(), more_versions=1, comment=comment)

    def lose(self, *paper_ids: str) -> None:
        """Papers that arXiv no longer finds, without saying why."""
        self.entries = [entry for entry in self.entries if entry.paper_id not in paper_ids]
        self._places = {entry.paper_id: place for place, entry in enumerate(self.entries)}
        self._newest_first = None

    def change(self, paper_id: str, *, more_versions: int = 0, **fields: object) -> Entry:
        place = self._places[paper_id]
        entry = self.entries[place]
        self.entries[place] = replace(entry, version=entry.version + more_versions, **fields)
        self._newest_first = None
        return self.entries[place]

    def found(self, query: str, sort_by: str, descending: bool) -> list[Entry]:
        """The entries within the query's windows of time; its words are taken to fit them all."""
        if sort_by == "lastUpdatedDate":
            if self._newest_first is None:
                self._newest_first = sorted(self.entries, key=lambda entry: entry.updated)[::-1]
            entries = self._newest_first if descending else self._newest_first[::-1]
        else:
            entries = self.entries[::-1] if descending else self.entries
        for start, end in _WINDOW.findall(query):
            first, last = _moment(start), _moment(end) + timedelta(seconds=59)
            entries = [entry for entry in entries if first <= entry.published <= last]
        return entries

    def _tick(self) -> datetime:
        self._now += timedelta(hours=1)
        self._newest_first = None
        return self._now


def made_up_pages(paper_id: str, version: int) -> list[list[str]]:
    """The lines of a paper's two pages; the first page is the same in all of its versions."""
    return [
        [
            "Abstract. We study a muon collider and quote what this made-up paper needs.",
            *_sentences(paper_id, 6),
        ],
        [
            f"Results. This is version {version} of {paper_id}.",
            *_sentences(f"{paper_id}v{version}", 6),
        ],
    ]


def _sentences(seed: str, count: int) -> list[str]:
    chance = random.Random(seed)
    return [
        f"For {chance.choice(_OBJECTS)} we find {chance.randrange(10, 9_999) / 10} "
        f"{chance.choice(_UNITS)} at {chance.choice((3, 6, 10, 14))} TeV, where "
        f"{chance.choice(_OBJECTS)} needs {chance.randrange(2, 90)} {chance.choice(_UNITS)}."
        for _ in range(count)
    ]


def _moment(text: str) -> datetime:
    return datetime.strptime(text, "%Y%m%d%H%M").replace(tzinfo=UTC)


def _made_up(place: int, moment: datetime) -> Entry:
    version = 1 + (place % 5 == 0) + (place % 35 == 0)
    updated = moment + timedelta(days=place * 37 % 365) if version > 1 else moment
    category = _CATEGORIES[place % len(_CATEGORIES)]
    if moment < datetime(2007, 4, 1, tzinfo=UTC):
        paper_id = f"hep-ph/{moment:%y%m}{place % 1000:03d}"
    elif moment < datetime(2015, 1, 1, tzinfo=UTC):
        paper_id = f"{moment:%y%m}.{place % 10_000:04d}"
    else:
        paper_id = f"{moment:%y%m}.{place:05d}"
    return Entry(
        paper_id=paper_id,
        title=f"Paper {place} on {_SUBJECTS[place % len(_SUBJECTS)]}",
        published=moment,
        updated=updated,
        version=version,
        categories=(category, "hep-ex") if place % 3 == 0 else (category,),
        comment=f"{4 + place % 30} pages" if place % 2 else "",
        journal_ref=f"Phys. Rev. D {place % 100} (2020) 1" if place % 7 == 0 else "",
        doi=f"10.1103/PhysRevD.{place}" if place % 7 == 0 else "",
    )
