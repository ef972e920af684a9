"""A new release is published where anything changed that a reader is shown, and else none."""

from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from assets.reporting import LoggedProgress
from assets.retrieval.assets import release as release_asset
from assets.retrieval.building import Bm25, build_sparse
from assets.retrieval.release import Release, point_to, require_current
from assets.tables import CHUNKS, PAPERS, dense_index
from resources.files import Files
from resources.lake import Lake, col
from tests.support.letter_encoder import LetterEncoder
from tests.support.releases import density, released
from tests.support.rows import chunk, paper

ENCODER = LetterEncoder()
ROWS = [chunk("a0", "a"), chunk("a1", "a", ordinal=1), chunk("b0", "b")]
BOX = {"page": 1, "x0": 1.0, "y0": 1.0, "x1": 9.0, "y1": 2.0, "start": 0, "end": 5}


class Corpus:
    """Two papers, indexed and released."""

    def __init__(self, folder: Path) -> None:
        self.lake, self.files = Lake(str(folder / "lake")), Files(str(folder))
        self._density = density("a0", 1.0, 1.0)
        released(self.lake, self.files, ENCODER, [paper("a"), paper("b")], ROWS, [self._density])

    def publish(self) -> tuple[bool, Release]:
        """Whether there was anything to publish, and the current release."""
        made: Any = release_asset(
            lake=self.lake,
            files=self.files,
            encoder=ENCODER,
            density_variant="robust",
            progress=LoggedProgress(),
        )
        return made.metadata["new"], require_current(self.files)


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    made = Corpus(tmp_path)
    assert made.publish()[0]
    return made


def test_nothing_new_is_no_new_release(corpus: Corpus) -> None:
    current = require_current(corpus.files)
    corpus.lake.merge(PAPERS, [paper("not of the release")])
    corpus.lake.merge(CHUNKS, [chunk("n", "not of the release")])
    corpus.lake.compact([PAPERS, CHUNKS])
    assert corpus.publish() == (False, current)


def test_other_places_on_a_page_are_a_new_release(corpus: Corpus) -> None:
    before = require_current(corpus.files)
    corpus.lake.merge(CHUNKS, [chunk("a0", "a", boxes=[BOX], fingerprint="read anew")])
    fresh, after = corpus.publish()
    assert fresh
    places = [
        corpus.lake.rows(
            CHUNKS, ["boxes"], where=col("chunk_id") == "a0", version=one.versions[CHUNKS.name]
        )[0]["boxes"]
        for one in (before, after)
    ]
    assert places == [[], [BOX]]


def test_other_facts_about_a_paper_are_a_new_release(corpus: Corpus) -> None:
    corpus.lake.merge(PAPERS, [paper("b", doi="10.1/x")])
    fresh, after = corpus.publish()
    assert fresh
    rows = corpus.lake.rows(PAPERS, ["paper_id", "doi"], version=after.versions[PAPERS.name])
    assert {row["paper_id"]: row["doi"] for row in rows} == {"a": "", "b": "10.1/x"}


def test_another_sparse_index_is_a_new_release(corpus: Corpus) -> None:
    folder, _ = build_sparse(
        corpus.files, ROWS, {}, made_from="other", rebuild=False, bm25=Bm25(b=0.75)
    )
    fresh, after = corpus.publish()
    assert (fresh, after.sparse_index) == (True, folder)


def test_going_back_and_refreshing_publishes_again(corpus: Corpus) -> None:
    first = require_current(corpus.files)
    corpus.lake.merge(PAPERS, [paper("b", doi="10.1/x")])
    _, second = corpus.publish()
    point_to(corpus.files, first.release_id)
    fresh, third = corpus.publish()
    assert fresh
    assert third.content == second.content
    assert third.release_id not in {first.release_id, second.release_id}


def test_indexes_of_other_chunks_are_refused(corpus: Corpus) -> None:
    current = require_current(corpus.files)
    build_sparse(corpus.files, ROWS[:2], {}, made_from="fewer", rebuild=False)
    with pytest.raises(dg.Failure, match=r"sparse index has 2 chunks and the dense one 3"):
        corpus.publish()
    assert require_current(corpus.files) == current


def test_chunks_that_papers_no_longer_have_are_not_released(corpus: Corpus) -> None:
    current = require_current(corpus.files)
    corpus.lake.delete(CHUNKS, col("chunk_id") == "b0")
    with pytest.raises(dg.Failure, match=r"hold 1 chunks that papers no longer have"):
        corpus.publish()
    assert require_current(corpus.files) == current


def test_nothing_indexed_is_nothing_to_release(tmp_path: Path) -> None:
    corpus = Corpus(tmp_path)
    before = require_current(corpus.files)
    corpus.lake.delete(dense_index(ENCODER.dimension), col("chunk_id") != "")
    with pytest.raises(dg.Failure, match=r"nothing to release"):
        corpus.publish()
    assert require_current(corpus.files) == before
