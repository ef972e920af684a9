"""How far a source was listed: the watermark from which the next listing of changes starts.

The watermark moves only past a listing that was complete: what a broken one missed would
otherwise lie behind it for ever.
"""

from dataclasses import asdict, dataclass

from resources.files import Files

FOLDER = "state"


@dataclass(frozen=True, slots=True)
class ListingState:
    """`watermark` is the newest update that was listed (ISO 8601, UTC, or empty); `query` the
    fingerprint of what was asked for."""

    watermark: str = ""
    query: str = ""


def read_state(files: Files, source: str) -> ListingState:
    """The state of a source; empty before its first complete listing."""
    path = f"{FOLDER}/listing-{source}.json"
    return ListingState(**files.read_json(path)) if files.exists(path) else ListingState()


def write_state(files: Files, source: str, state: ListingState) -> None:
    """Remember how far a source was listed."""
    if read_state(files, source) != state:
        files.write_json(f"{FOLDER}/listing-{source}.json", asdict(state))
