"""What the default is measured against: windows, rankings, folds; and SciFact by terms alone."""

import math

import numpy as np
import pytest

from assets.evaluation.metrics import ndcg
from assets.retrieval.ranking import id_order, top_rows
from assets.retrieval.sparse import SparseIndex
from benchmarks.bench_scifact import read_scifact
from benchmarks.cross_validation import FOLDS, fold_of
from benchmarks.textbook import PlainBm25, Textbook, windows
from tests.support.shared import require_shared


def test_windows_hold_180_words_and_share_30() -> None:
    words = [f"w{place}" for place in range(400)]
    cut = windows({"p1": " ".join(words), "p2": "one short text"})
    texts = [text.split() for paper, text in cut.values() if paper == "p1"]
    assert [len(text) for text in texts] == [180, 180, 100]
    assert texts[1][:30] == texts[0][-30:]
    assert [text for paper, text in cut.values() if paper == "p2"] == ["one short text"]
    assert all(key.startswith(paper) for key, (paper, _) in cut.items())


def test_plain_bm25_is_the_formula_over_plain_words() -> None:
    texts = ["The nozzle, the MASK", "a mask of tungsten", "muons"]
    df, mean = 2, 9 / 3
    idf = math.log(1 + (3 - df + 0.5) / (df + 0.5))
    expected = [idf / (1 + 1.5 * (0.25 + 0.75 * length / mean)) for length in (4, 4)]
    assert PlainBm25(texts).scores("Mask?") == pytest.approx([*expected, 0.0], rel=1e-5)


def test_textbook_rankings_by_hand() -> None:
    texts = ["mask of tungsten", "tungsten", "muons"]
    vectors = np.array([[1, 0], [0.6, 0.8], [0, 1]], dtype=np.float32)
    textbook = Textbook(["a", "b", "c"], texts, vectors)
    found = textbook.rankings("tungsten", np.array([0, 1], dtype=np.float32), depth=3)
    assert found["textbook BM25"] == ["b", "a"]
    assert found["textbook dense"] == ["c", "b", "a"]
    # .9/.1: c .9/61 = .01475, b .9/62 + .1/61 = .01616, a .9/63 + .1/62 = .01590
    assert found["textbook RRF .9/.1"] == ["b", "a", "c"]
    # .5/.5: c .5/61 = .00820, b .5/62 + .5/61 = .01626, a .5/63 + .5/62 = .01600
    assert found["textbook RRF .5/.5"] == ["b", "a", "c"]


def test_a_paper_is_in_one_fold_and_folds_are_of_about_one_size() -> None:
    papers = [f"p{place % 13}" for place in range(60)]
    folds = fold_of(papers)
    assert {len({int(fold) for fold, of in zip(folds, papers, strict=True) if of == paper})
            for paper in papers} == {1}  # fmt: skip
    sizes = np.bincount(folds, minlength=FOLDS)
    assert sizes.sum() == 60
    assert sizes.max() - sizes.min() <= 5


def test_scifact_by_bm25_is_above_what_is_published() -> None:
    data = read_scifact(require_shared("fixtures", "scifact"))
    ids = [one.chunk_id for one in data.passages]
    order, index = id_order(ids), SparseIndex.build(ids, data.texts)
    found = []
    for key, claim in data.claims.items():
        rows = top_rows(index.scores(claim), 10, order, above=0.0)
        found.append(ndcg([ids[row] for row in rows], data.relevant[key], 10))
    assert len(found) == 300
    assert np.mean(found) > 0.665
