"""What a listing changes in the table of papers.

Absence is not withdrawal: a paper that a listing lacks keeps its row and its place in the
release, unless its source says that it is withdrawn, the profile excludes it, or the folder it
came from was listed whole and no longer has it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from assets.increment import fingerprint
from resources.lake import Row
from resources.source import ListedPaper

ACTIVE, WITHDRAWN, UNLISTED = "active", "withdrawn", "unlisted"

#: Share of a source's active papers that one listing may lose before it is not believed.
MOST_LOST = 0.5


@dataclass
class Changes:
    """Rows to write, and how many papers are new, have a new version, changed in their metadata
    only, were withdrawn, or are no longer listed."""

    rows: list[Row] = field(default_factory=list)
    new: int = 0
    new_version: int = 0
    metadata_only: int = 0
    withdrawn: int = 0
    unlisted: int = 0
    unchanged: int = 0
    lost: int = 0
    lost_of: int = 0

    @property
    def shrank(self) -> bool:
        """Whether the listing lost so much that it should not be believed."""
        return self.lost > MOST_LOST * max(1, self.lost_of)


def reconcile(
    listed: Iterable[ListedPaper],
    known: Mapping[str, Row],
    tier_of: Callable[[ListedPaper], str],
    covers: Callable[[Row], bool],
) -> Changes:
    """Compare a listing with the rows that are known.

    `covers` says whether the listing would name a known paper if it still existed (a folder
    listed whole covers the papers of that folder; arXiv's answers cover nothing).
    """
    changes = Changes()
    seen: set[str] = set()
    for paper in listed:
        seen.add(paper.paper_id)
        before = known.get(paper.paper_id)
        row = paper_row(paper, tier_of(paper))
        if before is not None and _keeps_source(before, row):
            changes.unchanged += 1
            continue
        if before is not None and before["fingerprint"] == row["fingerprint"]:
            changes.unchanged += 1
            continue
        changes.rows.append(row)
        if row["status"] == WITHDRAWN:
            changes.withdrawn += 1
        elif before is None:
            changes.new += 1
        elif pdf_inputs(before) != pdf_inputs(row):
            changes.new_version += 1
        else:
            changes.metadata_only += 1
    for paper_id, row in known.items():
        if row["status"] != ACTIVE or not covers(row):
            continue
        changes.lost_of += 1
        if paper_id not in seen:
            changes.lost += 1
            changes.unlisted += 1
            changes.rows.append(with_status(row, UNLISTED))
    return changes


def paper_row(paper: ListedPaper, tier: str) -> Row:
    """A paper as a row of the table."""
    row: dict[str, Any] = {
        "paper_id": paper.paper_id,
        "version": paper.version,
        "title": paper.title,
        "authors": list(paper.authors),
        "abstract": paper.abstract,
        "categories": list(paper.categories),
        "published": paper.published,
        "updated": paper.updated,
        "doi": paper.doi,
        "journal_ref": paper.journal_ref,
        "comment": paper.comment,
        "licence": paper.licence,
        "source": paper.source,
        "url": paper.pdf_url_or_path,
        # A file's bytes may change under the same name; its hash makes that a change of the paper.
        "sha256": paper.sha256,
        "tier": tier,
        "status": WITHDRAWN if paper.withdrawn else ACTIVE,
    }
    return {**row, "fingerprint": fingerprint(row)}


def pdf_inputs(row: Row) -> str:
    """Fingerprint of what a paper's PDF depends on: a metadata-only change leaves it alone."""
    if row["source"] == "arxiv":
        return fingerprint(row["paper_id"], row["version"], "arxiv")
    return fingerprint(row["paper_id"], row["version"], row["url"], row["sha256"])


def with_status(row: Row, status: str) -> Row:
    """The same paper with another status."""
    changed = {key: value for key, value in row.items() if key != "fingerprint"} | {
        "status": status
    }
    return {**changed, "fingerprint": fingerprint(changed)}


def listed_paper(row: Row) -> ListedPaper:
    """A row back as its source would list it, for fetching its PDF and linking its pages."""
    return ListedPaper(
        paper_id=row["paper_id"],
        version=row["version"],
        title=row["title"],
        authors=tuple(row["authors"]),
        abstract=row["abstract"],
        categories=tuple(row["categories"]),
        published=row["published"],
        updated=row["updated"],
        doi=row["doi"],
        journal_ref=row["journal_ref"],
        comment=row["comment"],
        licence=row["licence"],
        source=row["source"],
        pdf_url_or_path=row["url"],
        withdrawn=row["status"] == WITHDRAWN,
        sha256=row["sha256"],
    )


def in_release(rows: Iterable[Row]) -> list[Row]:
    """The papers whose text belongs in the next release.

    The samples are for trying things out: as soon as there is one paper of another source they
    step aside, so that nothing real is ever answered from them.
    """
    active = [row for row in rows if row["status"] == ACTIVE]
    real = [row for row in active if row["source"] != "sample"]
    return real or active


def _keeps_source(before: Row, row: Row) -> bool:
    """Whether the same paper is known from another source already, and stays as it was.

    A paper that arXiv lists is better known than one that lies in a folder; a sample gives way
    to anything.
    """
    if before["source"] == row["source"] or before["status"] != ACTIVE:
        return False
    rank = {"arxiv": 2, "folder": 1, "sample": 0}
    return rank.get(before["source"], 0) > rank.get(row["source"], 0)
