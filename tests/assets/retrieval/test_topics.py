"""Tags of papers are those that their passages are most like."""

import json

import pytest

from assets.retrieval.reader import open_searcher
from assets.retrieval.records import Passage
from assets.retrieval.release import require_current
from assets.retrieval.search import SearchIndex
from assets.retrieval.sparse import SparseIndex
from assets.retrieval.topics import papers_with_tags, tags_of_papers
from resources import sample_corpus
from resources.encoder import Encoder
from resources.errors import UsageError
from resources.files import Files
from resources.lake import Lake
from resources.profile import load_profile
from tests.support.letter_encoder import LetterEncoder
from tests.support.pipeline import Demo

ENCODER = LetterEncoder()
VOCABULARY = {
    "magnets": "dipoles and solenoids of niobium",
    "shielding": "tungsten nozzles against background",
    "cooling": "absorbers of liquid hydrogen",
}
TEXTS = {
    "m": ["niobium dipoles", "solenoids of niobium and dipoles"],
    "s": ["tungsten nozzles", "nozzles of tungsten against background", "background nozzles"],
    "c": ["liquid hydrogen", "absorbers of liquid hydrogen", "hydrogen absorbers"],
}


def index_of(texts: dict[str, list[str]]) -> SearchIndex:
    passages = [
        Passage(
            chunk_id=f"{paper}{place}",
            paper_id=paper,
            ordinal=place,
            title="",
            section=(),
            kind="paragraph",
            page_start=1,
            page_end=1,
            text=text,
        )
        for paper, own in texts.items()
        for place, text in enumerate(own)
    ]
    words = [one.text for one in passages]
    return SearchIndex(
        passages=passages,
        vectors=ENCODER.encode(words),
        sparse=SparseIndex.build([one.chunk_id for one in passages], words),
        encoder_id=ENCODER.id,
    )


def test_a_paper_has_the_tags_that_its_passages_are_like() -> None:
    tags = tags_of_papers(index_of(TEXTS), ENCODER, VOCABULARY)
    assert tags == {"m": {"magnets"}, "s": {"shielding"}, "c": {"cooling"}}


def test_papers_of_any_of_the_tags_are_found() -> None:
    index = index_of(TEXTS)
    assert papers_with_tags(index, ENCODER, VOCABULARY, ["magnets"]) == ("m",)
    assert papers_with_tags(index, ENCODER, VOCABULARY, ["cooling", "magnets"]) == ("m", "c")


def test_a_tag_without_papers_and_one_that_is_none_are_refused() -> None:
    index = index_of({name: TEXTS[name] for name in ("m", "s")})
    with pytest.raises(UsageError, match=r"No paper .* tag cooling; there are: magnets, shieldi"):
        papers_with_tags(index, ENCODER, VOCABULARY, ["cooling"])
    with pytest.raises(UsageError, match=r"no tag 'nozzles' in the profile; there are: magnets, "):
        papers_with_tags(index, ENCODER, VOCABULARY, ["magnets", "nozzles"])


def test_a_release_of_nothing_has_no_tags() -> None:
    assert tags_of_papers(index_of({}), ENCODER, VOCABULARY) == {}


def test_the_only_tag_there_is_fits_every_paper() -> None:
    only = {"magnets": VOCABULARY["magnets"]}
    assert tags_of_papers(index_of(TEXTS), ENCODER, only) == {key: {"magnets"} for key in TEXTS}


def test_the_tags_of_the_sample_papers(demo: Demo, encoder: Encoder) -> None:
    """As the module says: 95% of the tags are right, and 75% of those there are are given."""
    lake, files = Lake(str(demo.data / "lake")), Files(str(demo.data))
    index = open_searcher(lake, files, require_current(files), encoder).index
    found = tags_of_papers(index, encoder, load_profile("muon_collider").tags)
    lines = (sample_corpus.folder() / "papers.jsonl").read_text(encoding="utf-8").splitlines()
    known = {row["paper_id"]: set(row["tags"]) for row in map(json.loads, lines)}
    assert found.keys() == known.keys()
    right = sum(len(found[paper] & known[paper]) for paper in known)
    assert right >= 0.9 * sum(map(len, found.values()))
    assert right >= 0.7 * sum(map(len, known.values()))
