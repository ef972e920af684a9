"""How far a source was listed is remembered for each source alone."""

from pathlib import Path

from assets.corpus.listing_state import ListingState, read_state, write_state
from resources.files import Files


def test_a_state_comes_back_as_it_was_written(tmp_path: Path) -> None:
    files = Files(str(tmp_path))
    assert read_state(files, "arxiv") == ListingState("", "")
    state = ListingState("2024-05-06T07:00:00Z", "query")
    write_state(files, "arxiv", state)
    assert read_state(files, "arxiv") == state
    assert read_state(files, "folder") == ListingState()
