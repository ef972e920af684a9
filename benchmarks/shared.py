"""What benchmarks share: where real papers and questions lie, and that figures stand alone."""

import logging
import os
from pathlib import Path


def shared_folder() -> Path | None:
    """The folder that MUON_SHARED names, else `shared` beside the checkout; None without it."""
    beside = Path(__file__).resolve().parents[2] / "shared"
    folder = Path(os.environ.get("MUON_SHARED") or beside)
    return folder if (folder / "corpus").is_dir() else None


def only_figures() -> None:
    """Keep off the screen what libraries log to the root; a benchmark prints figures."""
    logging.basicConfig(handlers=[logging.NullHandler()], force=True)
