"""Finds the shared material (real papers, questions) that a clone may lack."""

import os
from pathlib import Path


def shared_folder() -> Path | None:
    """The folder that MUON_SHARED names, else `shared` beside the checkout; None without it."""
    beside = Path(__file__).resolve().parents[2] / "shared"
    folder = Path(os.environ.get("MUON_SHARED") or beside)
    return folder if (folder / "corpus").is_dir() else None
