"""A searcher over an approximate index answers as one that looks at everything."""

import numpy as np
import pytest

from assets.retrieval.dense import NearestRanker
from assets.retrieval.filters import Filters
from assets.retrieval.passages import StoredPassages
from assets.retrieval.ranking import Rows
from assets.retrieval.records import Passage
from assets.retrieval.search import Searcher, SearchIndex, SearchSettings
from assets.retrieval.sparse import SparseIndex
from resources.encoder import Vectors
from tests.support.letter_encoder import LetterEncoder

ENCODER = LetterEncoder()
WORDS = "muon cooling nozzle dipole solenoid higgs tungsten lattice neutrino decay".split()
SETTINGS = SearchSettings(context_depth=30, depth=10)
QUESTIONS = [
    "dipole solenoid",
    "why do muon decays heat the lattice, and how is a tungsten nozzle cooled?",
    "higgs",
]


def index(approximate: bool) -> SearchIndex:
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(WORDS, rng.integers(3, 9))) for _ in range(200)]
    passages = [
        Passage(
            chunk_id=f"c{row}",
            paper_id=f"p{row // 10}",
            ordinal=row % 10,
            title="",
            section=(str(row // 5),),
            kind="paragraph",
            page_start=1,
            page_end=1,
            text=text,
            year=2000 + row % 4,
        )
        for row, text in enumerate(texts)
    ]
    vectors = ENCODER.encode(texts)

    def near(query: Vectors, most: int) -> Rows:
        rows: Rows = np.argsort(-(vectors @ query), kind="stable")[:most]
        return rows

    return SearchIndex(
        passages=StoredPassages.of(passages) if approximate else passages,
        vectors=vectors,
        sparse=SparseIndex.build([one.chunk_id for one in passages], texts),
        encoder_id=ENCODER.id,
        density=rng.random(200).astype(np.float32),
        ranker=NearestRanker(vectors, near, fetched=60) if approximate else None,
    )


@pytest.fixture(scope="module")
def searchers() -> tuple[Searcher, Searcher]:
    return (
        Searcher(index(approximate=False), ENCODER, SETTINGS),
        Searcher(index(approximate=True), ENCODER, SETTINGS),
    )


@pytest.mark.parametrize("filters", [None, Filters(year_from=2002), Filters(papers=("p3",))])
@pytest.mark.parametrize("mode", ["sparse", "dense", "paper", "density", "hybrid"])
def test_every_mode_finds_the_same(
    searchers: tuple[Searcher, Searcher], mode: str, filters: Filters | None
) -> None:
    exact, approximate = searchers
    for question in QUESTIONS:
        wanted = exact.search(question, mode, 10, filters)
        found = approximate.search(question, mode, 10, filters)
        assert [hit.chunk_id for hit in found] == [hit.chunk_id for hit in wanted]
        for one, other in zip(found, wanted, strict=True):
            assert one.score == pytest.approx(other.score, abs=1e-4)
            assert one.scores == pytest.approx(other.scores, abs=1e-5)
            assert (one.text, one.section) == (other.text, other.section)
