"""Files that a person names: a folder in the place of one is told apart from nothing at all."""

from pathlib import Path

from resources.errors import UsageError


def require_file(path: Path, give: str) -> None:
    """Raise UsageError unless `path` is a file; `give` says what to name instead."""
    refuse_folder(path, give)
    if not path.is_file():
        raise UsageError(f"There is no file {path}: {give}.")


def refuse_folder(path: Path, give: str) -> None:
    """Raise UsageError where `path` is a folder; `give` says what to name instead."""
    if path.is_dir():
        raise UsageError(f"{path} is a folder: {give}.")
