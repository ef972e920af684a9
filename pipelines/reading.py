"""One file, outside the corpus: to blocks, and to claims with their density."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from assets.factuality.claims_file import read_passages
from assets.factuality.density_table import density_rows
from assets.factuality.extractors import Passage
from assets.parsing.chunking import ChunkSize, chunk_document
from assets.parsing.records import Block, Chunk, PageEntry, ParsedDocument
from assets.parsing.rows import block_row
from assets.parsing.tei import read_tei
from pipelines.parts import Parts
from resources.blocks import BlockKind, pages_of
from resources.errors import MuonEvidenceError, Permanent, UsageError
from resources.named_files import refuse_folder, require_file
from resources.pdf_layout import draw_overlay

TEI_ENDINGS = {".xml", ".tei"}
TEXT_ENDINGS = {".txt", ".md", ".text"}

#: Plain text larger than this is no document that somebody wrote.
MOST_TEXT_BYTES = 50_000_000


@dataclass(frozen=True)
class FileClaims:
    """The claims of one file and the density of its chunks, as `claims --json` prints them, and
    the pages that hold no text, each with the reason."""

    claims: list[dict[str, Any]]
    density: list[dict[str, Any]]
    empty_pages: dict[int, str]


def read_document(path: Path, parts: Parts) -> ParsedDocument:
    """A PDF or a TEI file as a document.

    Raises UsageError where there is no such file, Permanent where it cannot be read.
    """
    refuse_folder(
        path,
        "name one PDF or TEI file in it, or read all of its PDFs with "
        f"`muon-evidence refresh --source folder --folder {path}`",
    )
    require_file(path, "name a PDF or a TEI file")
    if path.suffix.lower() in TEI_ENDINGS:
        try:
            return read_tei(path.read_bytes(), None)
        except Permanent as error:
            raise Permanent(f"{path.name}: {error}") from error
    result = next(iter(parts.parser.parse({path.name: path}, batch=1)))[path.name]
    if isinstance(result, Exception):
        raise result
    return result


def document_json(document: ParsedDocument) -> dict[str, Any]:
    """A document as `parse --json` prints it."""
    return {
        "parser": document.parser,
        "title": document.title,
        "authors": list(document.authors),
        "blocks": [block_row(block) for block in document.blocks],
        "pages": [asdict(page) for page in document.pages],
    }


def file_claims(path: Path, parts: Parts) -> FileClaims:
    """Claims of a PDF, a TEI file or a plain text (a passage a paragraph), and the density of
    each of its chunks, standardised within this one document."""
    if path.suffix.lower() in TEXT_ENDINGS:
        document = text_document(path)
    else:
        document = read_document(path, parts)
    counter = parts.counter
    chunks = chunk_document(
        path.name, document.title, document, counter.count, ChunkSize(window=counter.window)
    )
    passages = {chunk.text_sha: Passage(chunk.text, chunk.section) for chunk in chunks}
    found: dict[str, list[dict[str, Any]]] = {}
    for batch in parts.extractor.extract_batches(passages):
        for key, claims in batch.items():
            if isinstance(claims, Exception):
                raise claims
            found[key] = [asdict(claim) for claim in claims]
    return FileClaims(
        claims=_claims_with_pages(chunks, found),
        density=_density(chunks, found),
        empty_pages={page.page: page.note for page in document.pages if not page.characters},
    )


def text_document(path: Path) -> ParsedDocument:
    """A plain text as a document of one page: a block a paragraph, as blank lines part them."""
    if path.is_file() and path.stat().st_size > MOST_TEXT_BYTES:
        raise MuonEvidenceError(
            f"{path} is larger than {MOST_TEXT_BYTES:,} bytes: split it into documents."
        )
    paragraphs = [" ".join(part.split()) for part in read_passages(path)]
    blocks = tuple(
        Block(kind=BlockKind.PARAGRAPH, text=part, page=1, section=(f"Passage {number}",))
        for number, part in enumerate(paragraphs, 1)
    )
    page = PageEntry(
        page=1, width=0, height=0, characters=sum(map(len, paragraphs)), blocks=len(blocks)
    )
    return ParsedDocument(parser="plain text", title="", blocks=blocks, pages=(page,))


def _claims_with_pages(
    chunks: list[Chunk], found: dict[str, list[dict[str, Any]]]
) -> list[dict[str, Any]]:
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for chunk in chunks:
        for claim in found[chunk.text_sha]:
            start = chunk.text.index(claim["quote"])
            end = start + len(claim["quote"])
            first, _ = pages_of(chunk.boxes, start, end, chunk.page_start)
            # Chunks overlap: a sentence that stands in two of them makes one claim.
            rows.setdefault(
                (claim["text"], claim["quote"]), {**claim, "page": first, "chunk": chunk.chunk_id}
            )
    return list(rows.values())


def _density(chunks: list[Chunk], found: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    rows = density_rows([asdict(chunk) for chunk in chunks], found, tier_of={}, authority_of={})
    places = {chunk.chunk_id: chunk for chunk in chunks}
    shown = ["chunk_id", "tokens", "claims", "fd_raw", "bin", "fd_star_published", "fd_star"]
    return [
        {
            **{name: row[name] for name in shown},
            "section": list(places[row["chunk_id"]].section),
            "page_start": places[row["chunk_id"]].page_start,
            "page_end": places[row["chunk_id"]].page_end,
        }
        for row in rows
    ]


def draw(path: Path, document: ParsedDocument, out: Path) -> None:
    """Draw a document's blocks over the pages of its PDF; the PDF itself is never written over."""
    if path.suffix.lower() in TEI_ENDINGS:
        raise UsageError(f"{path} is no PDF: blocks can only be drawn over a PDF's pages.")
    if out.exists() and out.samefile(path):
        raise UsageError(f"{out} is the paper itself: give the overlay another name.")
    if out.is_dir():
        raise UsageError(f"{out} is a folder: give the overlay a name that ends in .pdf or .png.")
    if not out.absolute().parent.is_dir():
        raise UsageError(f"There is no folder {out.absolute().parent}: make it, or name another.")
    draw_overlay(path, document, out)
