"""The two ways from a PDF to a document, behind one interface."""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

from assets.increment import as_item_error
from assets.parsing.records import ParsedDocument
from assets.parsing.tei import read_tei
from resources.errors import MuonEvidenceError, Permanent, ServiceDown, Transient
from resources.grobid import Grobid
from resources.pdf_layout import Limits, ParserPool
from resources.pdf_layout.document import PARSER

Parsed = Mapping[str, ParsedDocument | Exception]


class Parser(Protocol):
    """Makes documents from PDFs."""

    @property
    def fingerprint(self) -> str:
        """Name and version: rows made by another parser are made anew."""

    def parse(self, pdfs: Mapping[str, Path], batch: int) -> Iterator[Parsed]:
        """Documents of some PDFs by key, or the error that stands for each, batch by batch."""


class EmbeddedParser:
    """The layout parser in killable worker processes; needs no server."""

    def __init__(self, workers: int, limits: Limits = Limits()) -> None:
        self._workers = workers
        self._limits = limits

    @property
    def fingerprint(self) -> str:
        """Name and version of the layout parser."""
        return PARSER

    def parse(self, pdfs: Mapping[str, Path], batch: int) -> Iterator[Parsed]:
        """Documents of some PDFs, in the order in which they are finished."""
        key_of = {path: key for key, path in pdfs.items()}
        done: dict[str, ParsedDocument | Exception] = {}
        workers = min(self._workers, len(pdfs))
        with ParserPool(workers=workers, limits=self._limits) as pool:
            for path, result in pool.parse_many(list(pdfs.values())):
                key = key_of[path]
                done[key] = _named(result, key, path)
                if len(done) >= batch:
                    yield done
                    done = {}
        if done:
            yield done


class GrobidParser:
    """A GROBID server, read through its TEI."""

    def __init__(self, grobid: Grobid, workers: int) -> None:
        self._grobid = grobid
        self._workers = workers

    @property
    def fingerprint(self) -> str:
        """GROBID's own version; asks the server once."""
        return f"grobid {self._grobid.version()}"

    def parse(self, pdfs: Mapping[str, Path], batch: int) -> Iterator[Parsed]:
        """Documents of some PDFs; a dead server stops with ServiceDown."""
        keys = list(pdfs)
        with ThreadPoolExecutor(self._workers) as pool:
            for start in range(0, len(keys), batch):
                part = keys[start : start + batch]
                results = list(pool.map(self._one, part, [pdfs[key] for key in part]))
                done = {
                    key: result
                    for key, result in zip(part, results, strict=True)
                    if not isinstance(result, ServiceDown)
                }
                if done:
                    yield done
                for result in results:
                    if isinstance(result, ServiceDown):
                        raise result

    def _one(self, key: str, pdf: Path) -> ParsedDocument | Exception:
        try:
            return read_tei(self._grobid.tei(pdf), pdf)
        except ServiceDown as error:
            return error
        except Exception as error:
            return _named(as_item_error(error, key), key, pdf)


def _named(result: ParsedDocument | Exception, key: str, path: Path) -> ParsedDocument | Exception:
    """Put the paper's id where an error names the stored file, which a user never saw."""
    if isinstance(result, MuonEvidenceError):
        message = str(result).replace(str(path), key).replace(path.name, key)
        kind = Transient if isinstance(result, Transient) else Permanent
        return kind(message if key in message else f"{key}: {message}")
    return result
