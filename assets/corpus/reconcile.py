"""What a listing changes in the table of papers.

Absence is not withdrawal: a paper that a listing lacks keeps its row and its place in the
release, unless its source says that it is withdrawn or has no PDF of it, the profile no longer
asks for it, or the folder it came from was listed whole and no longer has it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from assets.increment import fingerprint
from resources.lake import Row
from resources.source import ListedPaper

#: `active`: in the release. `withdrawn`: its source says so. `no_pdf`: its source has no PDF of
#: this version, which counts as withdrawn until there is another. `unlisted`: no longer asked for,
#: or gone from its folder. All but the first are kept as tombstones, out of the release.
ACTIVE, WITHDRAWN, NO_PDF, UNLISTED = "active", "withdrawn", "no_pdf", "unlisted"

#: What has to be known of a paper to compare it with a listing.
KNOWN_COLUMNS = ["paper_id", "version", "source", "url", "sha256", "status", "fingerprint"]

#: Share of the papers it covers that one listing may lose before it is not believed.
MOST_LOST = 0.5

#: Share by which what a source says it has may fall between two listings of the same query.
#: arXiv's totals waver by a few papers, and papers leave a query when their authors edit them.
MOST_SHRUNK = 0.1

_RANKS = {"arxiv": 2, "folder": 1, "sample": 0}


@dataclass
class Changes:
    """How many listed papers are new (or came back), have a new version, changed in their metadata
    only, or were withdrawn, and how many stayed as they were."""

    new: int = 0
    new_version: int = 0
    metadata_only: int = 0
    withdrawn: int = 0
    unchanged: int = 0


@dataclass
class Lost:
    """Papers that a listing lacks: `unlisted` where it would name them if they still belonged, of
    `covered` such papers; `absent` counts those whose absence says nothing."""

    unlisted: list[str] = field(default_factory=list)
    covered: int = 0
    absent: int = 0

    @property
    def too_many(self) -> bool:
        """Whether the listing lost so much that it should not be believed."""
        return len(self.unlisted) > MOST_LOST * max(1, self.covered)


def reconcile(
    listed: Iterable[ListedPaper],
    known: Mapping[str, Row],
    tier_of: Callable[[ListedPaper], str],
    changes: Changes,
) -> Iterator[Row]:
    """The rows to write for a listing, one after the other; `changes` counts what they are.

    `known` holds at least the `KNOWN_COLUMNS` of each paper that the table has.
    """
    for paper in listed:
        before = known.get(paper.paper_id)
        row = paper_row(paper, tier_of(paper))
        if before is None:
            changes.withdrawn += row["status"] == WITHDRAWN
            changes.new += row["status"] != WITHDRAWN
        elif before["fingerprint"] == row["fingerprint"] or _is_better_known(before, row):
            changes.unchanged += 1
            continue
        elif before["status"] == UNLISTED and row["status"] == ACTIVE:
            changes.new += 1
        elif row["status"] == WITHDRAWN and before["status"] != WITHDRAWN:
            changes.withdrawn += 1
        elif pdf_inputs(before) != pdf_inputs(row):
            changes.new_version += 1
        else:
            changes.metadata_only += 1
            if before["status"] == NO_PDF:
                # A missing PDF stays missing when somebody corrects the title.
                row = without_pdf(row)
        yield row


def lost_papers(
    listed: Collection[str],
    known: Mapping[str, Row],
    source: str,
    covers: Callable[[Row], bool],
) -> Lost:
    """What a whole listing of a source lacks of its active papers.

    `covers` says whether the listing would name a known paper if it still belonged there (a folder
    listed whole covers its files; arXiv's silence says nothing, unless the query changed).
    """
    lost = Lost()
    for paper_id, row in known.items():
        if row["status"] != ACTIVE or row["source"] != source:
            continue
        covered = covers(row)
        lost.covered += covered
        if paper_id in listed:
            continue
        if covered:
            lost.unlisted.append(paper_id)
        else:
            lost.absent += 1
    return lost


def shrank(total: int, before: int) -> bool:
    """Whether a source says that it has so many papers less than before that it is not believed."""
    return total < (1 - MOST_SHRUNK) * before


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
    """The same paper with another status, so that it is written again when it is listed again."""
    changed = {key: value for key, value in row.items() if key != "fingerprint"} | {
        "status": status
    }
    return {**changed, "fingerprint": fingerprint(changed)}


def without_pdf(row: Row) -> Row:
    """The same paper, of which its source has no PDF; the same listing leaves it so."""
    return {**row, "status": NO_PDF}


def with_pdf(row: Row) -> Row:
    """The same paper, whose PDF came after all."""
    return {**row, "status": ACTIVE}


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


def source_rank(source: str) -> int:
    """How well a source knows its papers: arXiv better than a folder, a sample worst of all."""
    return _RANKS.get(source, 0)


def _is_better_known(before: Row, row: Row) -> bool:
    """Whether what is known of a paper is better than what is listed, and stays as it was.

    arXiv's versions only grow: an older one comes from an index that lags behind. A copy in a
    folder does not stand in for arXiv's paper, nor bring back what arXiv withdrew; but what the
    profile no longer asks arXiv for may still come from a folder.
    """
    if before["source"] == row["source"]:
        return row["source"] == "arxiv" and int(before["version"]) > int(row["version"])
    better = source_rank(before["source"]) > source_rank(row["source"])
    return better and before["status"] != UNLISTED
