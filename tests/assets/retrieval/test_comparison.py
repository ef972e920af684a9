"""What changed between two releases, however much was written since."""

from pathlib import Path

from assets.retrieval.comparison import compare
from assets.retrieval.release import Release
from assets.tables import dense_index
from resources.files import Files
from resources.lake import Lake, col
from tests.support.letter_encoder import LetterEncoder
from tests.support.releases import released
from tests.support.rows import chunk, paper


def test_papers_and_chunks_added_removed_and_changed(tmp_path: Path) -> None:
    lake, files, encoder = Lake(str(tmp_path / "lake")), Files(str(tmp_path)), LetterEncoder()
    table = dense_index(encoder.dimension)

    def release(name: str, papers: dict[str, str], chunks: list[tuple[str, str]]) -> Release:
        lake.delete(table, col("chunk_id") != "")
        return released(
            lake,
            files,
            encoder,
            [paper(key, tier=tier) for key, tier in papers.items()],
            [chunk(key, of, text=f"Words of {key}.") for key, of in chunks],
            release_id=name,
        )

    before = release(
        "one",
        {"kept": "preprint", "gone": "preprint", "cut": "preprint", "published": "preprint"},
        [("k", "kept"), ("g", "gone"), ("c1", "cut"), ("c2", "cut"), ("p", "published")],
    )
    after = release(
        "two",
        {"kept": "preprint", "new": "preprint", "cut": "preprint", "published": "journal article"},
        [("k", "kept"), ("n", "new"), ("c1", "cut"), ("c3", "cut"), ("p", "published")],
    )
    lake.delete(table, col("chunk_id") != "")
    found = compare(lake, before, after)
    assert (found.papers_added, found.papers_removed) == (["new"], ["gone"])
    assert found.papers_changed == ["cut", "published"]
    assert (found.chunks_added, found.chunks_removed) == (["c3", "n"], ["c2", "g"])
    assert (found.chunks_changed, found.chunks_kept) == (["p"], 2)
    assert found.settings == {"sparse_index": (before.sparse_index, after.sparse_index)}
    backwards = compare(lake, after, before)
    assert (backwards.papers_added, backwards.papers_removed) == (["gone"], ["new"])
    nothing = compare(lake, after, after)
    assert (nothing.chunks_added, nothing.chunks_changed, nothing.settings) == ([], [], {})
    assert nothing.chunks_kept == 5


def test_what_an_answer_shows_besides_is_compared_too(tmp_path: Path) -> None:
    lake, files, encoder = Lake(str(tmp_path / "lake")), Files(str(tmp_path)), LetterEncoder()
    box = {"page": 1, "x0": 10.0, "y0": 10.0, "x1": 90.0, "y1": 20.0, "start": 0, "end": 5}

    def release(name: str, doi: str, y1: float) -> Release:
        papers = [paper("cited", doi=doi), paper("placed")]
        chunks = [chunk("c", "cited"), chunk("p", "placed", boxes=[{**box, "y1": y1}])]
        return released(lake, files, encoder, papers, chunks, release_id=name)

    before = release("one", doi="", y1=20.0)
    found = compare(lake, before, release("two", doi="10.1/x", y1=20.0))
    assert (found.papers_changed, found.chunks_changed) == (["cited"], [])
    found = compare(lake, before, release("three", doi="", y1=25.0))
    assert (found.papers_changed, found.chunks_changed) == (["placed"], ["p"])
