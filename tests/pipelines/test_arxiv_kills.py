"""A refresh from arXiv that is killed again and again ends where an undisturbed one does."""

import random
from pathlib import Path

from assets.retrieval.release import current_release
from assets.tables import (
    CHUNKS,
    CLAIMS,
    DOCUMENTS,
    FACTUAL_DENSITY,
    FAILURES,
    PAPERS,
    PDFS,
    dense_index,
    vectors,
)
from resources.files import Files
from tests.support.arxiv_catalogue import Catalogue
from tests.support.arxiv_server import ArxivServer, Fault
from tests.support.forked_refresh import Point, refresh
from tests.support.letter_encoder import LetterEncoder
from tests.support.pipeline import contents

#: The stages in the order of a run, and how often each tells of its progress at least.
STAGES = {
    "papers": 2,
    "pdfs": 3,
    "documents": 4,
    "chunks": 3,
    "claims": 2,
    "dense_index": 2,
    "sparse_index": 1,
    "factual_density": 1,
    "release": 1,
}
KILLS = 10
DIMENSION = LetterEncoder().dimension
TABLES = [
    PAPERS, PDFS, DOCUMENTS, CHUNKS, CLAIMS, FACTUAL_DENSITY, vectors(DIMENSION),
    dense_index(DIMENSION),
]  # fmt: skip


def random_points(seed: int) -> list[Point]:
    """Points of a run in the order in which it comes by them, each a little after a report."""
    chance = random.Random(seed)
    names = sorted(chance.choices(list(STAGES), k=KILLS), key=list(STAGES).index)
    return [Point(name, chance.randint(1, STAGES[name]), chance.uniform(0, 0.1)) for name in names]


def test_ten_kills_change_nothing_and_fetch_nothing_twice(tmp_path: Path) -> None:
    with ArxivServer(Catalogue(40)) as server:
        ids = [entry.paper_id for entry in server.catalogue.entries]

        def misbehave() -> None:
            server.plan_pdf(ids[3], *[Fault.NOT_FOUND] * 99)
            server.plan_pdf(ids[5], *[Fault.FORBIDDEN] * 99)

        misbehave()
        assert not refresh(tmp_path / "undisturbed", server.url).killed
        misbehave()

        killed, data = 0, tmp_path / "killed"
        for point in random_points(seed=20261130):
            server.forget()
            stored = set(Files(str(data)).list("pdfs"))
            killed += refresh(data, server.url, point).killed
            again = {f"{paper.replace('/', '_')}v" for paper in server.downloads}
            assert not [name for name in stored if name.startswith(tuple(again))]
        assert killed == KILLS
        assert not refresh(data, server.url).killed

        server.forget()
        assert not refresh(data, server.url).killed
        assert sum(server.downloads.values()) == 0

    assert contents(data, TABLES) == contents(tmp_path / "undisturbed", TABLES)
    counted = ["attempts", "last_tried"]
    assert contents(data, [FAILURES], counted) == contents(
        tmp_path / "undisturbed", [FAILURES], counted
    )
    released, undisturbed = (
        current_release(Files(str(place))) for place in (data, tmp_path / "undisturbed")
    )
    assert released is not None
    assert undisturbed is not None
    assert (released.content, released.counts) == (undisturbed.content, undisturbed.counts)
    assert released.counts["papers"] == 38
