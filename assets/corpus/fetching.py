"""PDFs of papers into the store, each under a name that its version or its bytes decide."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from assets.corpus.reconcile import (
    ACTIVE,
    KNOWN_COLUMNS,
    NO_PDF,
    WITHDRAWN,
    listed_paper,
    pdf_inputs,
    with_pdf,
    without_pdf,
)
from assets.corpus.selection import in_release
from assets.increment import KIND_MISSING, as_item_error, in_batches, items_a_commit
from assets.tables import FAILURES, PAPERS, PDFS
from resources.errors import ServiceDown
from resources.files import Files, sha256_of
from resources.identifiers import safe_name
from resources.lake import Lake, Row, col
from resources.pdf_layout import pdf_info
from resources.source import Source

FOLDER = "pdfs"

#: PDFs a commit, at least: few, so that a killed run repeats little, and many, so that tables stay
#: small.
BATCH = 16

#: Values that one filter compares with.
MOST_IN_A_FILTER = 1_000


def pdf_path(row: Row) -> str:
    """Where a paper's PDF is kept: arXiv's by version, a file's by content."""
    name = safe_name(row["paper_id"])
    if row["source"] == "arxiv":
        return f"{FOLDER}/{name}v{row['version']}.pdf"
    return f"{FOLDER}/{name}-{row['sha256'][:12]}.pdf"


def pdf_candidates(lake: Lake) -> dict[str, Row]:
    """The papers whose PDF is wanted: those of the next release, and those whose PDF was missing,
    so that the reason stands in the list of failures until there is a new version."""
    rows = lake.rows(PAPERS)
    missing = [row for row in rows if row["status"] == NO_PDF]
    return {row["paper_id"]: row for row in [*in_release(rows), *missing]}


def fetch_pdfs(
    papers: Mapping[str, Row],
    keys: Sequence[str],
    source_of: Callable[[Row], Source],
    files: Files,
) -> Iterator[Mapping[str, Row | Exception]]:
    """Fetch the PDFs of some papers, batch by batch: rows of the `pdfs` table, or errors.

    A file that an interrupted run had finished is taken as it is, never fetched again.
    """
    for batch in in_batches(keys, items_a_commit(BATCH, len(keys))):
        results: dict[str, Row | Exception] = {}
        for key in batch:
            try:
                results[key] = _fetch(papers[key], source_of, files)
            except ServiceDown:
                # What was fetched before the service went is kept.
                if results:
                    yield results
                raise
            except Exception as error:
                results[key] = as_item_error(error, f"The PDF of {key}")
        yield results


def settle(lake: Lake) -> int:
    """Bring papers and PDFs together after fetching; returns how many PDFs left the table.

    A paper of which the source says that it has no PDF is a tombstone, until it has one after all.
    The PDFs of tombstones answer nothing; their files stay.
    """
    fetched = lake.column_map(PDFS, "paper_id", "fingerprint")
    missing = {
        row["key"]: row["fingerprint"]
        for row in lake.rows(
            FAILURES, where=(col("stage") == "pdfs") & (col("kind") == KIND_MISSING)
        )
    }
    back, out, gone = [], [], []
    for row in lake.rows(PAPERS, KNOWN_COLUMNS):
        key, inputs = row["paper_id"], pdf_inputs(row)
        if row["status"] == NO_PDF and fetched.get(key) == inputs:
            back.append(key)
            continue
        if row["status"] == ACTIVE and missing.get(key) == inputs:
            out.append(key)
        elif row["status"] not in {WITHDRAWN, NO_PDF}:
            continue
        if key in fetched:
            gone.append(key)
    for keys, changed in ((back, with_pdf), (out, without_pdf)):
        for some in in_batches(keys, MOST_IN_A_FILTER):
            rows = lake.rows(PAPERS, where=col("paper_id").isin(some))
            lake.merge(PAPERS, [changed(row) for row in rows])
    return sum(
        lake.delete(PDFS, col("paper_id").isin(some)) for some in in_batches(gone, MOST_IN_A_FILTER)
    )


def _fetch(paper: Row, source_of: Callable[[Row], Source], files: Files) -> Row:
    path = pdf_path(paper)
    if not files.exists(path):
        with files.scratch() as folder:
            target = folder / "fetched.pdf"
            source_of(paper).fetch_pdf(listed_paper(paper), target)
            pdf_info(target)
            files.put_file(target, path)
    with files.local(path) as local:
        return {
            "paper_id": paper["paper_id"],
            "version": paper["version"],
            "sha256": sha256_of(local),
            "path": path,
            "bytes": local.stat().st_size,
            "pages": pdf_info(local).pages,
            "fingerprint": pdf_inputs(paper),
        }
