"""The two ways from a PDF to a document, behind one interface."""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
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

    def keeps(self, made_by: str) -> bool:
        """Whether a document that another parser made stays as it is."""

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

    def keeps(self, made_by: str) -> bool:
        """Its own documents only."""
        return made_by == self.fingerprint

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


class StandIn:
    """The embedded parser in the place of a GROBID server that is down.

    What GROBID parsed before is kept; what is parsed now says who did it, so that GROBID parses
    it again when it is back.
    """

    def __init__(self, embedded: EmbeddedParser) -> None:
        self._embedded = embedded

    @property
    def fingerprint(self) -> str:
        """The embedded parser's, and why it was used."""
        return f"{self._embedded.fingerprint}, GROBID being down"

    def keeps(self, made_by: str) -> bool:
        """Documents of GROBID's, of whatever version, and its own."""
        return made_by.startswith("grobid ") or made_by == self.fingerprint

    def parse(self, pdfs: Mapping[str, Path], batch: int) -> Iterator[Parsed]:
        """As the embedded parser's, signed differently."""
        for done in self._embedded.parse(pdfs, batch):
            yield {
                key: replace(result, parser=self.fingerprint)
                if isinstance(result, ParsedDocument)
                else result
                for key, result in done.items()
            }


def grobid_or_stand_in(grobid: Grobid, workers: int, stand_in: bool) -> Parser:
    """A GROBID server, or where it is down and the settings allow it, the embedded parser."""
    if stand_in and not grobid.alive():
        return StandIn(EmbeddedParser(workers))
    return GrobidParser(grobid, workers)


class GrobidParser:
    """A GROBID server, read through its TEI."""

    def __init__(self, grobid: Grobid, workers: int) -> None:
        self._grobid = grobid
        self._workers = workers

    @property
    def fingerprint(self) -> str:
        """GROBID's own version; asks the server once."""
        return f"grobid {self._grobid.version()}"

    def keeps(self, made_by: str) -> bool:
        """Documents of this version of GROBID only."""
        return made_by == self.fingerprint

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
