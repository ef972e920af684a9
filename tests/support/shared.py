"""Finds the shared material (real papers, questions, recorded answers) that a clone may lack.

One setting: the environment variable MUON_SHARED, a folder; without it the folder `shared` beside
the checkout is used where it exists.
"""

import os
from pathlib import Path

import pytest

_CHECKOUT = Path(__file__).resolve().parents[2]


def shared_folder() -> Path | None:
    """The folder of shared material, or None where this machine has none."""
    folder = Path(os.environ.get("MUON_SHARED") or _CHECKOUT.parent / "shared")
    return folder if (folder / "corpus").is_dir() else None


def require_shared(*parts: str) -> Path:
    """Path of one shared file or folder; skips the calling test where it is absent."""
    folder = shared_folder()
    if folder is None:
        pytest.skip("no shared material here: set MUON_SHARED to its folder to run this test")
    path = folder.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"the shared material here has no {'/'.join(parts)}")
    return path
