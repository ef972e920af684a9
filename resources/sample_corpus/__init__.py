"""The embedded default source: short papers of our own as PDFs, with `papers.jsonl`.

The papers are samples: original text on muon-collider physics, each figure attributed to its
published source. `sources/` holds what they are typeset from and `typeset.py` typesets them;
`questions.jsonl` asks about them in the benchmark's format.
"""

from pathlib import Path


def folder() -> Path:
    """The folder that holds the sample papers' PDFs, `papers.jsonl` and `questions.jsonl`."""
    return Path(__file__).resolve().parent
