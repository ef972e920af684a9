"""A folder of PDFs as a source of papers.

Every PDF below the folder is one paper. What a `papers.jsonl` beside it says about it goes first;
where there is none, the PDF's first page, its document information and its name are asked.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Annotated

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

from resources.errors import Permanent, UsageError
from resources.first_page import FirstPage, read_first_page
from resources.identifiers import (
    ArxivId,
    arxiv_id_of_file,
    parse_arxiv_id,
    stamped_arxiv_id,
)
from resources.source import (
    LOCAL_PREFIX,
    MAX_PDF_BYTES,
    FetchedPdf,
    ListedPaper,
    Listing,
    check_pdf,
    nothing_known,
    store_pdf,
)
from resources.wrong_values import wrong_value

METADATA_FILE = "papers.jsonl"

_PIECE = 1 << 20
_LOCAL_DIGITS = 12


class MetadataRow(BaseModel):
    """One line of a papers.jsonl: at least `paper_id` and `file`, the file's path from there."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    paper_id: Annotated[
        str, StringConstraints(strip_whitespace=True, max_length=200, pattern=r"^[^\x00-\x1f]+$")
    ]
    file: Annotated[str, StringConstraints(min_length=1)]
    title: str = ""
    version: int | None = Field(default=None, ge=1)
    authors: tuple[str, ...] = ()
    abstract: str = ""
    categories: tuple[str, ...] = ()
    published: str = ""
    updated: str = ""
    doi: str = ""
    journal_ref: str = ""
    comment: str = ""
    licence: str = ""

    @model_validator(mode="before")
    @classmethod
    def _null_is_absent(cls, row: object) -> object:
        if not isinstance(row, dict):
            return row
        return {name: value for name, value in row.items() if value is not None}


@dataclass(frozen=True, slots=True)
class FolderSource:
    """The PDFs below a folder, hidden files and folders left out.

    The same bytes twice are one paper; so are two versions of one paper, of which the later
    counts.
    """

    folder: Path
    name: str = "folder"

    def list_papers(
        self, since: str | None = None, known: Callable[[ListedPaper], bool] = nothing_known
    ) -> Listing:
        """List every PDF of the folder; a folder is always listed in full.

        Raises UsageError where the folder is missing, is no folder or holds no PDF, and where a
        papers.jsonl has a malformed line. A PDF that cannot be read is one of the `problems`.
        """
        del since, known
        files, rows = self.check()
        present = {path.resolve() for path in files}
        problems = [
            f"{path} is missing, though {METADATA_FILE} names it as the file of {row.paper_id}."
            for path, row in rows.items()
            if path not in present
        ]
        papers: dict[str, ListedPaper] = {}
        seen: dict[str, Path] = {}
        # Described files first: of two copies the one with the better record is kept.
        for path in sorted(files, key=lambda path: (path.resolve() not in rows, path)):
            try:
                sha256 = _sha256(path)
                if sha256 in seen:
                    continue
                paper = self._describe(path, sha256, rows.get(path.resolve()))
            except (Permanent, OSError) as error:
                problems.append(_sentence(path, error))
                continue
            seen[sha256] = path
            other = papers.get(paper.paper_id)
            if other is not None and other.version == paper.version:
                problems.append(
                    f"{path} and {other.pdf_url_or_path} differ but are both {paper.paper_id}"
                    f" version {paper.version}; the second is used."
                )
            if other is None or other.version < paper.version:
                papers[paper.paper_id] = paper
        listed = tuple(sorted(papers.values(), key=lambda paper: paper.pdf_url_or_path))
        return Listing(papers=listed, total_reported=len(listed), problems=tuple(problems))

    def check(self) -> tuple[list[Path], dict[Path, MetadataRow]]:
        """Its PDFs, and what is said about them, without reading any of them.

        Raises UsageError for the folders for which a listing does.
        """
        files, metadata = _survey(self.folder)
        if not files:
            raise UsageError(
                f"The folder {self.folder} holds no PDF files; put papers there or name another."
            )
        return files, _read_metadata(metadata)

    def signature(self) -> str:
        """A hash that changes whenever a file that a listing reads is added, removed or written to.

        Raises UsageError where the folder is missing or is no folder.
        """
        digest = hashlib.sha256()
        for path in sorted(chain.from_iterable(_survey(self.folder))):
            state = path.stat()
            digest.update(os.fsencode(path.relative_to(self.folder)))
            digest.update(f"\0{state.st_size}\0{state.st_mtime_ns}\0".encode())
        return digest.hexdigest()[:32]

    def fetch_pdf(self, paper: ListedPaper, target: Path) -> FetchedPdf:
        """Copy the paper's file to `target`.

        Raises Permanent where the file is gone or can no longer be read.
        """
        path = Path(paper.pdf_url_or_path)
        try:
            sha256, size = store_pdf(_pieces(path), target, what=str(path), whole=False)
        except FileNotFoundError as error:
            raise Permanent(f"{path} is no longer there; list the folder again.") from error
        except PermissionError as error:
            raise Permanent(f"{path} may not be read; check its permissions.") from error
        return FetchedPdf(path=target, sha256=sha256, bytes=size, url=path.absolute().as_uri())

    def _describe(self, path: Path, sha256: str, row: MetadataRow | None) -> ListedPaper:
        if _shown(path) != str(path):
            raise Permanent("its name is not valid UTF-8; rename it")
        if path.stat().st_size > MAX_PDF_BYTES:
            raise Permanent(f"it is larger than the {MAX_PDF_BYTES:,} bytes that are allowed")
        check_pdf(path, what="it", whole=False)
        page = read_first_page(path)
        paper = _from_page(path, sha256, page) if row is None else _from_row(row, page)
        return replace(
            paper,
            title=paper.title or path.stem,
            source=self.name,
            pdf_url_or_path=str(path.absolute()),
            sha256=sha256,
        )


def _from_row(row: MetadataRow, page: FirstPage) -> ListedPaper:
    arxiv = parse_arxiv_id(row.paper_id)
    named = arxiv.version if arxiv is not None else None
    return ListedPaper(
        paper_id=arxiv.paper_id if arxiv is not None else row.paper_id,
        title=row.title.strip() or page.title,
        version=row.version or named or 1,
        authors=row.authors,
        abstract=row.abstract,
        categories=row.categories,
        published=row.published,
        updated=row.updated,
        doi=row.doi,
        journal_ref=row.journal_ref,
        comment=row.comment,
        licence=row.licence,
    )


def _from_page(path: Path, sha256: str, page: FirstPage) -> ListedPaper:
    arxiv = _arxiv_id(stamped_arxiv_id(page.text), arxiv_id_of_file(path.name))
    if arxiv is None:
        local = LOCAL_PREFIX + sha256[:_LOCAL_DIGITS]
        return ListedPaper(paper_id=local, title=page.title, authors=page.authors)
    return ListedPaper(
        paper_id=arxiv.paper_id,
        title=page.title,
        version=arxiv.version or 1,
        authors=page.authors,
    )


def _arxiv_id(stamp: ArxivId | None, file: ArxivId | None) -> ArxivId | None:
    """The stamp's word before the file name's, and the version from whichever has one."""
    if stamp is None or file is None:
        return stamp or file
    if stamp.paper_id == file.paper_id and stamp.version is None:
        return file
    return stamp


def _survey(folder: Path) -> tuple[list[Path], list[Path]]:
    """All PDFs and all metadata files below a folder, following links but never in circles."""
    if not folder.exists():
        raise UsageError(f"There is no folder {folder}; check the path.")
    if not folder.is_dir():
        raise UsageError(f"{folder} is a file, not a folder; name the folder that holds the PDFs.")
    files: list[Path] = []
    metadata: list[Path] = []
    entered: set[Path] = set()
    for place, folders, names in os.walk(folder, followlinks=True):
        real = Path(place).resolve()
        if real in entered:
            folders.clear()
            continue
        entered.add(real)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(place, name)
            if name == METADATA_FILE:
                metadata.append(path)
            elif name.lower().endswith(".pdf") and not name.startswith(".") and path.is_file():
                files.append(path)
    return files, metadata


def _read_metadata(metadata: list[Path]) -> dict[Path, MetadataRow]:
    """Rows by the resolved path of the PDF that they describe."""
    rows: dict[Path, MetadataRow] = {}
    for path in metadata:
        for number, line in _lines(path):
            where = f"Line {number} of {path}"
            try:
                row = MetadataRow.model_validate(json.loads(line))
            except json.JSONDecodeError as error:
                raise UsageError(f"{where} is not JSON ({error.msg}); correct it.") from error
            except ValidationError as error:
                raise UsageError(
                    f"{where} is malformed: {wrong_value(error)}; correct it."
                ) from error
            place = (path.parent / row.file).resolve()
            if not place.is_relative_to(path.parent.resolve()):
                raise UsageError(
                    f"{where} names {row.file}, which lies outside {path.parent}; correct it."
                )
            if place in rows:
                raise UsageError(f"{where} names {row.file} a second time; remove one.")
            rows[place] = row
    return rows


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (UnicodeDecodeError, OSError) as error:
        raise UsageError(f"{path} cannot be read as UTF-8 text; correct or remove it.") from error
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, line


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _shown(path: Path) -> str:
    """A path as text that can be printed and stored, whatever bytes its name is made of."""
    return os.fsencode(path).decode("utf-8", "replace")


def _sentence(path: Path, error: Exception) -> str:
    if isinstance(error, PermissionError):
        return f"{_shown(path)} was left out: it may not be read; check its permissions."
    if isinstance(error, OSError):
        return f"{_shown(path)} was left out: {error.strerror or 'it cannot be read'}."
    return f"{_shown(path)} was left out: {str(error).removesuffix('; it was left out.')}."
