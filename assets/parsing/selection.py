"""Which chunks the next release is made from."""

from assets.corpus.selection import live_papers
from assets.increment import fingerprint
from assets.parsing.chunking import CHUNKER_VERSION, ChunkSize
from assets.parsing.parsers import Parser
from assets.tables import CHUNKS, DOCUMENTS
from resources.lake import Lake, Row


def wanted_documents(lake: Lake, parser: Parser) -> dict[str, str]:
    """Fingerprint of the document each live paper should have.

    One that the parser would keep, made from the bytes that the paper has now, is as it should be.
    """
    wanted = {
        key: fingerprint(row["pdf"]["sha256"], parser.fingerprint)
        for key, row in live_papers(lake).items()
    }
    columns = ["paper_id", "pdf_sha256", "parser", "fingerprint"]
    for row in lake.rows(DOCUMENTS, columns):
        kept = fingerprint(row["pdf_sha256"], row["parser"]) == row["fingerprint"]
        same = wanted.get(row["paper_id"]) == fingerprint(row["pdf_sha256"], parser.fingerprint)
        if kept and same and parser.keeps(row["parser"]):
            wanted[row["paper_id"]] = row["fingerprint"]
    return wanted


def wanted_chunks(lake: Lake, tokenizer: str, size: ChunkSize) -> dict[str, str]:
    """Fingerprint of the chunks each live paper with a current document should have.

    A document of bytes that the paper no longer has gives no chunks: its pages are others.
    """
    papers = live_papers(lake)
    columns = ["paper_id", "pdf_sha256", "title", "fingerprint"]
    wanted: dict[str, str] = {}
    for row in lake.rows(DOCUMENTS, columns):
        paper = papers.get(row["paper_id"])
        if paper is None or paper["pdf"]["sha256"] != row["pdf_sha256"]:
            continue
        title = paper["title"] or row["title"]
        wanted[row["paper_id"]] = fingerprint(
            row["fingerprint"], title, CHUNKER_VERSION, tokenizer, size.window, size.overlap
        )
    return wanted


def live_chunks(lake: Lake, columns: list[str]) -> list[Row]:
    """The chunks of the next release, ordered by paper and place.

    They are the chunks of live papers: the chunks stage replaces a paper's rows as a whole, so
    what stands in the table is one consistent set a paper.
    """
    live = live_papers(lake)
    needed = list(dict.fromkeys([*columns, "paper_id", "ordinal"]))
    rows = [row for row in lake.rows(CHUNKS, needed) if row["paper_id"] in live]
    return sorted(rows, key=lambda row: (row["paper_id"], row["ordinal"]))
