"""Searching one release in every mode, on a handful of passages and a toy encoder."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from assets.retrieval.filters import Filters
from assets.retrieval.records import Mode, Passage
from assets.retrieval.search import (
    MOST_QUERY_BYTES,
    Searcher,
    SearchIndex,
    SearchSettings,
    rescaled,
)
from assets.retrieval.sparse import SparseIndex
from resources.encoder import Vectors
from resources.errors import UsageError

WORDS = ["cooling", "nozzle", "dipole", "higgs"]


class WordEncoder:
    """Counts four words: a vector a test can work out by hand."""

    id = "words@1"
    dimension = 4
    window = 256
    runtime = "test"

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def encode(self, texts: Sequence[str], batch: int = 8) -> Vectors:
        counts = np.array([[text.lower().count(w) + 0.01 for w in WORDS] for text in texts])
        return (counts / np.linalg.norm(counts, axis=1, keepdims=True)).astype(np.float32)

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        return self.encode(texts)


ENCODER = WordEncoder()
TEXTS = {
    "c1": ("p1", "cooling shrinks the beam in liquid hydrogen absorbers of the channel"),
    "c2": ("p1", "the nozzle is made of tungsten and stops electrons from the beam"),
    "c3": ("p1", "cooling and more cooling with strong solenoids around absorbers"),
    "c4": ("p2", "a dipole of Nb3Sn reaches 16 T in the ring at 4.5 K"),
    "c5": ("p2", "the higgs width follows from a scan over the resonance"),
}


def passages() -> list[Passage]:
    return [
        Passage(
            chunk_id=key,
            paper_id=paper,
            ordinal=place,
            title="Muon colliders",
            section=("Results",),
            kind="paragraph",
            page_start=place + 1,
            page_end=place + 1,
            text=text,
            link=f"{paper}#page={place + 1}",
            year=2020 if paper == "p1" else 2024,
        )
        for place, (key, (paper, text)) in enumerate(TEXTS.items())
    ]


def index(density: Sequence[float] | None = (0, 1, 2, 3, 4)) -> SearchIndex:
    rows = passages()
    texts = [row.text for row in rows]
    # The sparse index may hold the passages in any order.
    backwards = rows[::-1]
    return SearchIndex(
        passages=rows,
        vectors=ENCODER.encode(texts),
        sparse=SparseIndex.build(
            [row.chunk_id for row in backwards], [row.text for row in backwards]
        ),
        encoder_id=ENCODER.id,
        density=None if density is None else np.array(density, dtype=np.float32),
    )


@pytest.fixture(scope="module")
def searcher() -> Searcher:
    return Searcher(index(), ENCODER)


def ids(searcher: Searcher, query: str, mode: Mode | str, k: int = 5) -> list[str]:
    return [hit.chunk_id for hit in searcher.search(query, mode, k)]


@pytest.mark.parametrize("mode", [mode for mode in Mode if mode is not Mode.AGENTIC])
def test_every_mode_finds_the_passage_that_answers(searcher: Searcher, mode: Mode) -> None:
    hits = searcher.search("Which dipole reaches 16 T?", mode, 3)
    if mode is not Mode.DENSITY:
        assert hits[0].chunk_id == "c4"
    assert "c4" in [hit.chunk_id for hit in hits]
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)


def test_a_hit_shows_its_passage_and_what_each_ranker_gave(searcher: Searcher) -> None:
    hit = searcher.search("Which dipole reaches 16 T?", "hybrid", 1)[0]
    assert (hit.paper_id, hit.page_start, hit.link) == ("p2", 4, "p2#page=4")
    assert hit.section == ("Results",)
    assert {"dense", "sparse"} <= set(hit.scores)


def test_sparse_hits_share_a_term_with_the_question(searcher: Searcher) -> None:
    assert ids(searcher, "tungsten", "sparse") == ["c2"]
    assert ids(searcher, "unheard-of", "sparse") == []


def test_dense_ranks_by_cosine(searcher: Searcher) -> None:
    hits = searcher.search("cooling", "dense", 2)
    assert [hit.chunk_id for hit in hits] == ["c1", "c3"] or [hit.chunk_id for hit in hits] == [
        "c3",
        "c1",
    ]
    expected = ENCODER.encode(["cooling"])[0] @ ENCODER.encode([TEXTS["c3"][1]])[0]
    assert {hit.chunk_id: hit.score for hit in hits}["c3"] == pytest.approx(float(expected))


def test_the_paper_mode_is_the_published_fusion(searcher: Searcher) -> None:
    query = "nozzle beam"
    dense, sparse = ids(searcher, query, "dense"), ids(searcher, query, "sparse")
    for hit in searcher.search(query, "paper", 5):
        expected = 0.9 / (60 + dense.index(hit.chunk_id) + 1)
        if hit.chunk_id in sparse:
            expected += 0.1 / (60 + sparse.index(hit.chunk_id) + 1)
        assert hit.score == pytest.approx(expected, rel=1e-5)


def test_density_reranks_the_nearest_by_both_halves() -> None:
    settings = SearchSettings(density_depth=3)
    dense = Searcher(index(), ENCODER, settings).search("cooling nozzle", "dense", 3)
    hits = Searcher(index(), ENCODER, settings).search("cooling nozzle", "density", 5)
    density = {"c1": 0.0, "c2": 1.0, "c3": 2.0, "c4": 3.0, "c5": 4.0}
    among = [density[hit.chunk_id] for hit in dense]
    for hit in hits:
        scaled = (density[hit.chunk_id] - min(among)) / (max(among) - min(among))
        cosine = next(one.score for one in dense if one.chunk_id == hit.chunk_id)
        assert hit.score == pytest.approx(0.5 * cosine + 0.5 * scaled, rel=1e-5)
    assert {hit.chunk_id for hit in hits} == {hit.chunk_id for hit in dense}


def test_rescaling_survives_missing_and_equal_densities() -> None:
    assert rescaled(np.array([1, np.nan, 3], dtype=np.float32)).tolist() == [0, 0, 1]
    assert rescaled(np.array([2, 2], dtype=np.float32)).tolist() == [0.5, 0.5]
    assert rescaled(np.array([np.nan], dtype=np.float32)).tolist() == [0.5]


def test_a_release_without_density_refuses_that_mode() -> None:
    with pytest.raises(UsageError, match="no factual density"):
        Searcher(index(density=None), ENCODER).search("cooling", "density", 3)


@pytest.mark.parametrize("mode", ["hybrid", "dense", "sparse", "density", "paper"])
def test_filters_hold_in_every_mode(searcher: Searcher, mode: str) -> None:
    hits = searcher.search("cooling of a dipole beam", mode, 5, Filters(year_from=2023))
    assert hits
    assert {hit.paper_id for hit in hits} == {"p2"}


def test_filters_that_nothing_meets_give_no_hits(searcher: Searcher) -> None:
    for mode in ("hybrid", "dense", "sparse", "paper", "density"):
        assert searcher.search("cooling", mode, 5, Filters(papers=("p9",))) == []


def test_fewer_passages_than_asked_for_are_all(searcher: Searcher) -> None:
    assert len(searcher.search("cooling", "dense", 50)) == 5


def test_an_empty_release_finds_nothing() -> None:
    empty = SearchIndex([], np.empty((0, 4), np.float32), SparseIndex.build([], []), "words@1")
    for mode in ("hybrid", "dense", "sparse", "paper", "density"):
        assert Searcher(empty, ENCODER).search("cooling", mode, 5) == []


@pytest.mark.parametrize(
    ("query", "mode", "k", "said"),
    [
        ("  ", "hybrid", 5, "holds no words"),
        ("?!", "hybrid", 5, "holds no words"),
        ("x" * (MOST_QUERY_BYTES + 1), "hybrid", 5, "20,001 bytes"),
        ("cooling", "magic", 5, "no search mode 'magic'; there are: .*hybrid"),
        ("cooling", "agentic", 5, "no search mode"),
        ("cooling", "hybrid", 0, "must be 1 or more, not 0"),
        ("cooling", "hybrid", -3, "not -3"),
    ],
)
def test_what_cannot_be_searched_for_is_refused(
    searcher: Searcher, query: str, mode: str, k: int, said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        searcher.search(query, mode, k)


def test_a_caption_gives_way_to_prose_by_its_weight() -> None:
    rows = passages()
    twin = replace(rows[3], chunk_id="c0", kind="caption", text=f"{rows[3].text} ")
    both = [*rows, twin]
    found = SearchIndex(
        passages=both,
        vectors=ENCODER.encode([row.text for row in both]),
        sparse=SparseIndex.build([row.chunk_id for row in both], [row.text for row in both]),
        encoder_id=ENCODER.id,
    )
    apart = SearchSettings(collapse=False, section_weight=0, paper_weight=0)
    hits = Searcher(found, ENCODER, apart).search("dipole", "hybrid", 2)
    assert [hit.chunk_id for hit in hits] == ["c4", "c0"]
    assert hits[0].score - hits[1].score == pytest.approx(apart.caption_weight, abs=1e-5)
    same = replace(apart, caption_weight=0.0)
    assert ids(Searcher(found, ENCODER, same), "dipole", "hybrid", 2) == ["c0", "c4"]


def test_neighbours_are_those_of_the_same_paper_in_reading_order(searcher: Searcher) -> None:
    assert [one.chunk_id for one in searcher.neighbours("c2")] == ["c1", "c2", "c3"]
    assert [one.chunk_id for one in searcher.neighbours("c3", before=2)] == ["c1", "c2", "c3"]
    assert [one.chunk_id for one in searcher.neighbours("c4", after=0)] == ["c4"]
    with pytest.raises(UsageError, match="no passage 'c9'"):
        searcher.neighbours("c9")


def test_refuses_the_vectors_of_another_encoder() -> None:
    class Other(WordEncoder):
        id = "other@2"

    with pytest.raises(UsageError, match=r"embedded with words@1, .* other@2"):
        Searcher(index(), Other())


def test_refuses_indexes_that_do_not_belong_together() -> None:
    rows = passages()
    vectors = ENCODER.encode([row.text for row in rows])
    sparse = SparseIndex.build([row.chunk_id for row in rows], [row.text for row in rows])
    with pytest.raises(UsageError, match="rebuild the dense index"):
        SearchIndex(rows, vectors[:3], sparse, "words@1")
    with pytest.raises(UsageError, match="rebuild the sparse index"):
        SearchIndex(rows[:3], vectors[:3], sparse, "words@1")
