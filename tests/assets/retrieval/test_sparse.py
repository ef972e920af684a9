"""The sparse index: scores against the formula, and what a folder gives back."""

import math
from pathlib import Path

import numpy as np
import pytest

from assets.retrieval.sparse import SparseIndex
from assets.retrieval.tokenizer import FieldTokenizer
from resources.errors import UsageError

TEXTS = [
    "The tungsten nozzle shields the detector from beam-induced background (BIB)",
    "Muons are cooled in liquid hydrogen absorbers at √s = 10 TeV",
    "The detector sees background; the background is large",
    "Nb3Sn dipoles reach 16 T",
]
IDS = ["c0", "c1", "c2", "c3"]


def by_the_formula(query: str, k1: float, b: float) -> list[float]:
    """BM25 with Lucene's idf, written out (Robertson and Zaragoza 2009; Kamphuis et al. 2020)."""
    tokenizer = FieldTokenizer({"BIB": "beam-induced background"})
    documents = [tokenizer.terms(text) for text in TEXTS]
    mean = sum(map(len, documents)) / len(documents)
    scores = []
    for document in documents:
        score = 0.0
        for term in tokenizer.query_terms(query):
            df = sum(term in other for other in documents)
            idf = math.log(1 + (len(documents) - df + 0.5) / (df + 0.5))
            tf = document.count(term)
            score += idf * tf / (tf + k1 * (1 - b + b * len(document) / mean))
        scores.append(score)
    return scores


@pytest.mark.parametrize(("k1", "b"), [(0.9, 0.4), (1.2, 0.75), (2.0, 0.0)])
@pytest.mark.parametrize("query", ["detector background", "10TeV", "BIB in the detector", "Nb_3Sn"])
def test_scores_are_those_of_the_formula(query: str, k1: float, b: float) -> None:
    index = SparseIndex.build(IDS, TEXTS, k1=k1, b=b)
    assert index.scores(query) == pytest.approx(by_the_formula(query, k1, b), rel=1e-5)


def test_what_shares_no_term_scores_nothing() -> None:
    scores = SparseIndex.build(IDS, TEXTS).scores("hydrogen")
    assert scores[1] > 0
    assert scores[[0, 2, 3]].tolist() == [0, 0, 0]


@pytest.mark.parametrize("query", ["the of and", "zebra", "?!", ""])
def test_a_query_without_a_known_term_scores_nothing(query: str) -> None:
    assert not SparseIndex.build(IDS, TEXTS).scores(query).any()


def test_acronyms_are_learned_from_the_texts_and_the_given_ones_win() -> None:
    index = SparseIndex.build(
        IDS, TEXTS, acronyms={"BIB": "bit in byte", "MDI": "machine detector"}
    )
    assert index.tokenizer.acronyms == {"BIB": "bit in byte", "MDI": "machine detector"}
    learned = SparseIndex.build(IDS, TEXTS)
    assert learned.tokenizer.acronyms == {"BIB": "beam-induced background"}


def test_repeating_a_word_in_the_question_changes_nothing() -> None:
    index = SparseIndex.build(IDS, TEXTS)
    assert np.array_equal(index.scores("detector"), index.scores("detector detectors"))


@pytest.mark.parametrize("texts", [[], ["", "the of"]])
def test_an_index_of_nothing_finds_nothing(texts: list[str], tmp_path: Path) -> None:
    ids = [f"c{number}" for number in range(len(texts))]
    index = SparseIndex.build(ids, texts)
    assert index.scores("detector").tolist() == [0.0] * len(texts)
    index.save(tmp_path / "index")
    assert SparseIndex.load(tmp_path / "index").scores("detector").tolist() == [0.0] * len(texts)


def test_a_folder_gives_the_same_index_back(tmp_path: Path) -> None:
    index = SparseIndex.build(IDS, TEXTS)
    index.save(tmp_path / "index")
    loaded = SparseIndex.load(tmp_path / "index")
    assert loaded.chunk_ids == IDS
    assert loaded.fingerprint == index.fingerprint
    for query in ("BIB", "beam induced background", "16 tesla"):
        assert np.array_equal(loaded.scores(query), index.scores(query))


def test_refuses_a_folder_without_an_index(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no readable sparse index"):
        SparseIndex.load(tmp_path)


def test_refuses_an_index_of_another_tokenizer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    SparseIndex.build(IDS, TEXTS).save(tmp_path / "index")
    monkeypatch.setattr("assets.retrieval.tokenizer.TOKENIZER_VERSION", "another")
    with pytest.raises(UsageError, match="another version of the tokenizer"):
        SparseIndex.load(tmp_path / "index")
