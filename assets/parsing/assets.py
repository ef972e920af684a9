"""Dagster's view of the parsing stage: documents of blocks, and chunks of them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import Any

import dagster as dg

from assets.corpus.assets import pdfs
from assets.corpus.selection import live_papers
from assets.increment import FailureLedger, in_batches, items_a_commit, make_missing
from assets.parsing.chunking import CHUNKER_VERSION, ChunkSize, chunk_document
from assets.parsing.parsers import Parser
from assets.parsing.records import Chunk, passage_text, text_sha
from assets.parsing.rows import chunk_row, document_of, document_row
from assets.parsing.selection import wanted_chunks, wanted_documents
from assets.reporting import (
    OWNERS,
    Progress,
    StageConfig,
    now,
    plain_failures,
    preview,
    reporter,
)
from assets.tables import CHUNKS, DOCUMENTS, PDFS
from resources.encoder import WordpieceCounter
from resources.errors import Permanent
from resources.files import Files
from resources.lake import Lake, Row, col

#: Papers a commit, at least.
DOCUMENT_BATCH = 8
CHUNK_BATCH = 16

#: PDFs of an object store that are copied to this machine at a time.
COPIES = 256


class ChunksConfig(StageConfig):
    """How chunks are cut; a zero overlap repeats nothing."""

    overlap: int = ChunkSize().overlap


@dg.asset(
    group_name="parsing",
    kinds={"pdf", "grobid", "lancedb"},
    owners=OWNERS,
    code_version="1",
    deps=[pdfs, "grobid"],
    description=(
        "Each PDF as typed blocks in reading order (heading, paragraph, caption, table, equation, "
        "abstract, reference), each with its section, its page and where on it it stands, and a "
        "ledger that accounts for every page. GROBID where a server is configured, else the "
        "embedded layout parser; the row names which."
    ),
)
def documents(
    config: StageConfig,
    lake: dg.ResourceParam[Lake],
    files: dg.ResourceParam[Files],
    parser: dg.ResourceParam[Parser],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[None]:
    """Parse the PDFs that have no current document."""
    with plain_failures():
        stored: dict[str, Row] = {row["paper_id"]: row for row in lake.rows(PDFS)}
        wanted = wanted_documents(lake, parser)

        def batches(keys: list[str]) -> Iterator[Mapping[str, Any]]:
            size = items_a_commit(DOCUMENT_BATCH, len(keys))
            for some in in_batches(keys, len(keys) if files.is_local else COPIES):
                with ExitStack() as local:
                    paths = {
                        key: local.enter_context(files.local(stored[key]["path"])) for key in some
                    }
                    yield from parser.parse(paths, size)

        outcome = make_missing(
            wanted=wanted,
            have=lake.column_map(DOCUMENTS, "paper_id", "fingerprint"),
            ledger=FailureLedger(lake, "documents", now(), config.retry_failed),
            batches=batches,
            commit=lambda made: lake.merge(
                DOCUMENTS,
                [
                    document_row(key, stored[key]["sha256"], document, wanted[key])
                    for key, document in made.items()
                ],
            ),
            report=reporter(progress, "documents"),
        )
        outcome.removed = _drop_without_pdf(lake, stored)
        rows = lake.rows(DOCUMENTS, ["paper_id", "parser", "title", "pages"])
        pages = [page for row in rows for page in row["pages"]]
        return dg.MaterializeResult(
            metadata={
                **outcome.metadata(),
                "dagster/row_count": len(rows),
                "parsers": dict(Counter(row["parser"] for row in rows)),
                "pages": len(pages),
                "pages_without_text": sum(page["characters"] == 0 for page in pages),
                "preview": preview(rows, ["paper_id", "parser", "title"]),
            }
        )


@dg.asset(
    group_name="parsing",
    kinds={"python", "lancedb"},
    owners=OWNERS,
    code_version=CHUNKER_VERSION,
    deps=[documents],
    description=(
        "Passages that fit the encoder's window of wordpieces, title and section line included, "
        "cut at sentence ends and never across sections. Ids stay the same while nothing changes."
    ),
)
def chunks(
    config: ChunksConfig,
    lake: dg.ResourceParam[Lake],
    counter: dg.ResourceParam[WordpieceCounter],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[None]:
    """Cut the documents whose chunks are missing or out of date."""
    with plain_failures():
        size = ChunkSize(window=counter.window, overlap=config.overlap)
        wanted = wanted_chunks(lake, counter.id, size)
        papers = live_papers(lake)
        titles: dict[str, str] = {}

        def batches(keys: list[str]) -> Iterator[Mapping[str, Any]]:
            for batch in in_batches(keys, items_a_commit(CHUNK_BATCH, len(keys))):
                results: dict[str, list[Chunk] | Exception] = {}
                for row in lake.rows(DOCUMENTS, where=col("paper_id").isin(batch)):
                    key = row["paper_id"]
                    titles[key] = papers[key]["title"] or row["title"]
                    made = chunk_document(key, titles[key], document_of(row), counter.count, size)
                    results[key] = made or Permanent(
                        f"{key} has no text that could be read: its pages hold only images, or "
                        "nothing; run text recognition over the PDF and add it again."
                    )
                yield results

        def commit(made: dict[str, list[Chunk]]) -> None:
            rows = [
                chunk_row(
                    chunk,
                    titles[key],
                    text_sha(passage_text(titles[key], chunk.section, chunk.text)),
                    wanted[key],
                )
                for key, cut in made.items()
                for chunk in cut
            ]
            lake.replace(CHUNKS, rows, within=col("paper_id").isin(list(made)))

        outcome = make_missing(
            wanted=wanted,
            have=lake.column_map(CHUNKS, "paper_id", "fingerprint"),
            ledger=FailureLedger(lake, "chunks", now(), config.retry_failed),
            batches=batches,
            commit=commit,
            report=reporter(progress, "chunks"),
            # Ten scanned papers added at once are ten bad papers.
            service=False,
        )
        outcome.removed = _drop_stale(lake, wanted)
        rows = lake.rows(CHUNKS, ["chunk_id", "paper_id", "kind", "tokens", "page_start", "text"])
        lengths = sorted(row["tokens"] for row in rows)
        return dg.MaterializeResult(
            metadata={
                **outcome.metadata(),
                "dagster/row_count": len(rows),
                "kinds": dict(Counter(row["kind"] for row in rows)),
                "median_tokens": lengths[len(lengths) // 2] if lengths else 0,
                "longest_tokens": lengths[-1] if lengths else 0,
                "window": size.window,
                "preview": preview(rows, ["chunk_id", "paper_id", "page_start", "kind", "text"]),
            }
        )


def _drop_without_pdf(lake: Lake, stored: Mapping[str, Row]) -> int:
    """Remove the documents of papers that were withdrawn, and so have no PDF any more."""
    parsed = lake.read(DOCUMENTS, ["paper_id"])["paper_id"].to_pylist()
    gone = [key for key in parsed if key not in stored]
    return lake.delete(DOCUMENTS, col("paper_id").isin(gone)) if gone else 0


def _drop_stale(lake: Lake, wanted: Mapping[str, str]) -> int:
    """Remove the chunks of papers that left the corpus or whose pages changed under them."""
    have: dict[str, str] = lake.column_map(CHUNKS, "paper_id", "fingerprint")
    stale = [key for key, made_from in have.items() if wanted.get(key) != made_from]
    return lake.delete(CHUNKS, col("paper_id").isin(stale)) if stale else 0
