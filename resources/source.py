"""Where papers come from: one interface, and the record that every source fills.

A source lists the papers it has and hands over the PDF of one of them. The embedded samples, a
folder and arXiv all look like this to the rest of the house.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from resources.errors import Permanent, Transient

LOCAL_PREFIX = "local:"
MAX_PDF_BYTES = 200 * 1024 * 1024

_HEADER_WINDOW = 1024
_TRAILER_WINDOW = 4096


class PdfMissing(Permanent):
    """The source itself says that it has no PDF of this paper (withdrawn, or never made)."""


@dataclass(frozen=True, slots=True)
class ListedPaper:
    """One paper as its source lists it.

    `paper_id` is an arXiv id without version (`2303.08533`, `hep-ph/9909255`), the id that a
    papers.jsonl gives, or `local:` and the first 12 digits of the file's SHA-256. `published` and
    `updated` are ISO 8601 in UTC (`2023-03-15T11:02:21Z`), or empty; so is every text that the
    source does not tell. `source` is `sample`, `folder` or `arxiv`; `pdf_url_or_path` is empty
    where the source lists no PDF. `sha256` is known beforehand for files only.
    """

    paper_id: str
    title: str
    version: int = 1
    authors: tuple[str, ...] = ()
    abstract: str = ""
    categories: tuple[str, ...] = ()
    published: str = ""
    updated: str = ""
    doi: str = ""
    journal_ref: str = ""
    comment: str = ""
    licence: str = ""
    source: str = ""
    pdf_url_or_path: str = ""
    withdrawn: bool = False
    sha256: str = ""

    def page_link(self, page: int) -> str:
        """Link that opens the paper's PDF at a page, counted from 1."""
        return page_link(self.source, self.paper_id, self.version, self.pdf_url_or_path, page)


@dataclass(frozen=True, slots=True)
class Listing:
    """What a source answered when it was asked for its papers.

    `papers` holds each paper once, may be walked more than once, and may lie on disk rather than
    in memory. `total_reported` is the number of papers that the source says it has in all, also
    where only the changed ones were asked for. `complete` is False where the source gave fewer
    papers than it promised: nothing may be concluded from what is absent. `full` tells a listing
    of everything from one of what changed, or of a few chosen ids. `problems` are sentences, one
    for each item that could not be listed and one for each way the listing fell short.
    """

    papers: Collection[ListedPaper]
    total_reported: int
    complete: bool = True
    full: bool = True
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FetchedPdf:
    """A PDF that was checked and put in its place; `url` is where its bytes came from."""

    path: Path
    sha256: str
    bytes: int
    url: str


def nothing_known(paper: ListedPaper) -> bool:
    """The `known` of a reader that holds no paper yet."""
    del paper
    return False


class Source(Protocol):
    """A place that papers come from.

    Raises: UsageError where the source cannot be what was asked for, ServiceDown where it cannot
    be reached; a single paper's PDF raises Transient or Permanent.
    """

    @property
    def name(self) -> str:
        """`sample`, `folder` or `arxiv`."""
        ...

    def list_papers(
        self, since: str | None = None, known: Callable[[ListedPaper], bool] = nothing_known
    ) -> Listing:
        """All papers, or those updated since a time (ISO 8601, UTC) and a little before it.

        `known` says whether a paper is already held exactly as it is listed; a listing of changes
        may stop where a whole page holds nothing else.
        """
        ...

    def fetch_pdf(self, paper: ListedPaper, target: Path) -> FetchedPdf:
        """Put the paper's PDF at `target`, whole and checked, or leave `target` as it was."""
        ...


def page_link(source: str, paper_id: str, version: int, place: str, page: int) -> str:
    """Link that opens a PDF at a page: arXiv's own, or the file's.

    A file keeps its own link even when its paper is on arXiv, since arXiv's PDF may break its
    pages elsewhere.
    """
    if source == "arxiv":
        return f"https://arxiv.org/pdf/{paper_id}v{version}#page={page}"
    return f"{Path(place).absolute().as_uri()}#page={page}" if place else ""


def store_pdf(
    pieces: Iterable[bytes],
    target: Path,
    *,
    what: str,
    limit: int = MAX_PDF_BYTES,
    whole: bool = True,
) -> tuple[str, int]:
    """Stream a PDF to a file beside `target`, check it, and rename it to `target`.

    `what` names the PDF in error messages. Returns the SHA-256 (64 hexadecimal digits) and the
    number of bytes. Raises what `check_pdf` raises, and Permanent above `limit` bytes; whatever
    goes wrong, `target` stays as it was. The part file's name is fixed, so that what a killed
    process left is overwritten by the next.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.part")
    digest = hashlib.sha256()
    size = 0
    try:
        with part.open("wb") as file:
            for piece in pieces:
                size += len(piece)
                if size > limit:
                    raise Permanent(
                        f"{what} is larger than the {limit:,} bytes that are allowed; "
                        "it was left out."
                    )
                digest.update(piece)
                file.write(piece)
        check_pdf(part, what=what, whole=whole)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return digest.hexdigest(), size


def check_pdf(path: Path, *, what: str, whole: bool = True) -> None:
    """Check that a file starts like a PDF and, if `whole`, ends like one.

    Raises Permanent for an empty file and for what is no PDF, Transient for one that was cut.
    """
    size = path.stat().st_size
    if size == 0:
        raise Permanent(f"{what} is an empty file; it was left out.")
    with path.open("rb") as file:
        head = file.read(_HEADER_WINDOW)
        file.seek(max(0, size - _TRAILER_WINDOW))
        tail = file.read()
    if b"%PDF-" not in head:
        raise Permanent(f"{what} is not a PDF (it does not start with %PDF); it was left out.")
    if whole and (b"%%EOF" not in tail or b"startxref" not in tail):
        raise Transient(f"{what} arrived cut short: its end is missing.")
