"""The layout of a data location has a number; another number is refused, never guessed at."""

from pathlib import Path
from typing import Any

from resources.errors import UsageError
from resources.files import Files

FORMAT = 1
FORMAT_FILE = "format.json"


def check_format(files: Files) -> None:
    """Refuse a data location that another layout wrote, or that is no folder."""
    if files.is_local and Path(files.uri).is_file():
        raise UsageError(
            f"The data location {files.uri} is a file: choose a folder with --data or MUON_DATA."
        )
    if not files.exists(FORMAT_FILE):
        return
    found = _format_of(files)
    if found != FORMAT:
        raise UsageError(
            f"The data location {files.uri} has format {found}, this program reads format "
            f"{FORMAT}: use another location, or the version that wrote this one."
        )


def mark_format(files: Files) -> None:
    """Write the layout's number into a new data location; refuse another number."""
    check_format(files)
    if not files.exists(FORMAT_FILE):
        files.write_json(FORMAT_FILE, {"format": FORMAT})


def _format_of(files: Files) -> Any:
    """The number that is written there; "unknown" for what is no such file of ours."""
    try:
        content = files.read_json(FORMAT_FILE)
    except ValueError:
        content = None
    return content.get("format", "unknown") if isinstance(content, dict) else "unknown"
