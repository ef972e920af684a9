"""PDFs of papers into the store, each under a name that its version or its bytes decide."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from assets.corpus.reconcile import listed_paper, pdf_inputs
from assets.increment import as_item_error, in_batches
from resources.errors import ServiceDown
from resources.files import Files, sha256_of
from resources.identifiers import safe_name
from resources.lake import Row
from resources.pdf_layout import pdf_info
from resources.source import Source

FOLDER = "pdfs"

#: PDFs a commit: few enough that a killed run repeats little, many enough to keep tables small.
BATCH = 16


def pdf_path(row: Row) -> str:
    """Where a paper's PDF is kept: arXiv's by version, a file's by content."""
    name = safe_name(row["paper_id"])
    if row["source"] == "arxiv":
        return f"{FOLDER}/{name}v{row['version']}.pdf"
    return f"{FOLDER}/{name}-{row['sha256'][:12]}.pdf"


def fetch_pdfs(
    papers: Mapping[str, Row],
    keys: Sequence[str],
    source_of: Callable[[Row], Source],
    files: Files,
) -> Iterator[Mapping[str, Row | Exception]]:
    """Fetch the PDFs of some papers, batch by batch: rows of the `pdfs` table, or errors.

    A file that an interrupted run had finished is taken as it is, never fetched again.
    """
    for batch in in_batches(keys, BATCH):
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
