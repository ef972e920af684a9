"""Typesets the sample papers: `python -m resources.sample_corpus.typeset`.

Every `sources/<name>.typ` becomes `<name>.pdf` and one line of `papers.jsonl`. The output is the
same bytes on every run of one Typst version: a fixed creation date, no system fonts (Typst's own
are embedded in its wheel), no packages from elsewhere. Needs the development dependency `typst`.
"""

import json
import sys
from pathlib import Path
from typing import Any, cast

from resources.errors import UsageError
from resources.sample_corpus import folder

CREATED = 1768435200  # 2026-01-15 00:00 UTC, the date every sample paper carries
LICENCE = "Apache-2.0"
SOURCE = "muon-evidence sample corpus"
LARGEST = 150_000  # bytes of one PDF: a clone should stay small


def sources() -> list[Path]:
    """The papers' Typst sources, without the shared template, by name."""
    found = sorted((folder() / "sources").glob("*.typ"))
    return [path for path in found if path.name != "template.typ"]


def typeset(source: Path) -> tuple[bytes, dict[str, Any]]:
    """The PDF of one source and its line of `papers.jsonl`.

    Raises `UsageError` when Typst is not installed, the source does not compile, or the PDF is
    larger than `LARGEST`.
    """
    try:
        import typst  # noqa: PLC0415 - a development dependency that only this function needs
    except ImportError as error:
        raise UsageError(
            "Typesetting the sample papers needs Typst: install the development dependencies."
        ) from error
    compiler = typst.Compiler(str(source), root=str(source.parent), ignore_system_fonts=True)
    try:
        made, warnings = compiler.compile_with_warnings(format="pdf", timestamp=CREATED)
    except typst.TypstError as error:
        raise UsageError(f"{source.name} does not compile: {error}") from error
    if warnings:
        raise UsageError(f"{source.name} compiles with a warning: {warnings[0]}")
    pdf = cast(bytes, made)  # a PDF is one file; only images come as a list
    if len(pdf) > LARGEST:
        raise UsageError(f"{source.name} gives {len(pdf)} bytes; a sample may have {LARGEST}.")
    found = json.loads(compiler.query("<paper>", field="value", one=True))
    return pdf, {
        "paper_id": found["paper_id"],
        "file": f"{source.stem}.pdf",
        "title": found["title"],
        "authors": found["authors"],
        "abstract": found["abstract"],
        "year": found["year"],
        "categories": found["categories"],
        "doi": None,
        "licence": LICENCE,
        "tags": found["tags"],
        "style": found["style"],
        "source": SOURCE,
    }


def main() -> int:
    """Typesets all papers into this folder and rewrites `papers.jsonl`; returns the exit status."""
    lines = []
    try:
        for source in sources():
            pdf, line = typeset(source)
            (folder() / line["file"]).write_bytes(pdf)
            lines.append(json.dumps(line, ensure_ascii=False))
            print(f"{line['file']}: {len(pdf)} bytes")
    except UsageError as error:
        print(error, file=sys.stderr)
        return 1
    (folder() / "papers.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
