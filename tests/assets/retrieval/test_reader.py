"""A release is opened as it was published, whatever was written since."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from assets.retrieval.reader import open_searcher
from assets.retrieval.records import Mode
from assets.tables import FACTUAL_DENSITY, dense_index
from resources.errors import UsageError
from resources.files import Files
from resources.lake import Lake, Row, col
from tests.support.letter_encoder import LetterEncoder
from tests.support.releases import density, released
from tests.support.rows import chunk, paper

PAPERS = [paper("a"), paper("b", published="", categories=("hep-ph", "hep-ex"))]
CHUNKS = [
    chunk("b0", "b", ordinal=0, text="Solenoids of forty tesla.", section=["Magnets", "Final"]),
    chunk("a1", "a", ordinal=1, text="Nozzles of tungsten.", page_start=2, page_end=3),
    chunk("a0", "a", ordinal=0, text="Beam-induced background (BIB) is beam-induced."),
]
DENSITIES = [density("a0", 1.0, 10.0), density("b0", 2.0, 20.0)]


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(str(tmp_path / "lake"))


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(str(tmp_path))


def test_passages_come_in_reading_order_with_all_they_show(lake: Lake, files: Files) -> None:
    encoder = LetterEncoder()
    release = released(lake, files, encoder, PAPERS, CHUNKS, DENSITIES)
    index = open_searcher(lake, files, release, encoder).index
    assert [passage.chunk_id for passage in index.passages] == ["a0", "a1", "b0"]
    last = index.passages[2]
    assert (last.section, last.categories) == (("Magnets", "Final"), ("hep-ph", "hep-ex"))
    assert (index.passages[0].year, last.year) == (2023, None)
    assert index.passages[1].link.endswith("#page=2")
    texts = [passage.text for passage in index.passages]
    assert texts == [CHUNKS[place]["text"] for place in (2, 1, 0)]


def test_every_row_has_its_own_vector_and_density(lake: Lake, files: Files) -> None:
    encoder = LetterEncoder()
    release = released(lake, files, encoder, PAPERS, CHUNKS, DENSITIES)
    index = open_searcher(lake, files, release, encoder).index
    stored = {row["chunk_id"]: row["vector"] for row in lake.rows(dense_index(encoder.dimension))}
    assert index.vectors.dtype == np.float32
    for passage, vector in zip(index.passages, index.vectors, strict=True):
        assert vector.tolist() == stored[passage.chunk_id]
    assert index.density is not None
    np.testing.assert_array_equal(index.density, [1.0, np.nan, 2.0])


def test_the_releases_variant_decides_the_density(lake: Lake, files: Files) -> None:
    encoder = LetterEncoder()
    release = released(lake, files, encoder, PAPERS, CHUNKS, DENSITIES, variant="published")
    index = open_searcher(lake, files, release, encoder).index
    assert index.density is not None
    np.testing.assert_array_equal(index.density, [10.0, np.nan, 20.0])


def test_what_was_written_since_is_not_seen(lake: Lake, files: Files) -> None:
    encoder = LetterEncoder()
    release = released(lake, files, encoder, PAPERS, CHUNKS, DENSITIES)
    table = dense_index(encoder.dimension)
    rows: list[Row] = lake.rows(table, where=col("chunk_id") == "a0")
    lake.merge(table, [{**rows[0], "text": "Overwritten."}])
    lake.delete(table, col("chunk_id") == "b0")
    lake.merge(FACTUAL_DENSITY, [density("a0", -3.0, -3.0)])
    lake.compact([table, FACTUAL_DENSITY])
    searcher = open_searcher(lake, files, release, encoder)
    assert [passage.chunk_id for passage in searcher.index.passages] == ["a0", "a1", "b0"]
    (hit,) = searcher.search("forty tesla solenoids", Mode.SPARSE, 1)
    assert (hit.chunk_id, hit.text) == ("b0", CHUNKS[0]["text"])
    (hit,) = searcher.search("beam-induced background", Mode.HYBRID, 1)
    assert hit.text == CHUNKS[2]["text"]


class Likes:
    """A cross-encoder that likes one word."""

    id = "likes@1"

    def __init__(self, word: str) -> None:
        self._word = word

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """100 for a text with the word, else 0."""
        del query
        return np.array([100 * (self._word in text) for text in texts], dtype=np.float32)


def test_a_cross_encoder_has_its_say(lake: Lake, files: Files) -> None:
    encoder = LetterEncoder()
    release = released(lake, files, encoder, PAPERS, CHUNKS)
    plain = open_searcher(lake, files, release, encoder).search("nozzles", Mode.HYBRID, 3)
    last = plain[-1]
    reranked = open_searcher(lake, files, release, encoder, Likes(last.text))
    found = [hit.chunk_id for hit in reranked.search("nozzles", Mode.HYBRID, 3)]
    assert found.index(last.chunk_id) < 2


def test_another_encoder_is_refused_with_what_to_do(lake: Lake, files: Files) -> None:
    release = released(lake, files, LetterEncoder(), PAPERS, CHUNKS)
    with pytest.raises(UsageError, match=r"embedded with letters@1, but the encoder is letters@2"):
        open_searcher(lake, files, release, LetterEncoder("letters@2"))


def test_an_index_folder_that_went_is_named(lake: Lake, files: Files) -> None:
    encoder = LetterEncoder()
    release = released(lake, files, encoder, PAPERS, CHUNKS)
    shutil.rmtree(Path(files.uri) / release.sparse_index)
    with pytest.raises(UsageError, match=r"no readable sparse index"):
        open_searcher(lake, files, release, encoder)
