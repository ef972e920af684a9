"""Vectors are made once, in batches that are kept, and come in the order of the texts."""

import numpy as np
import pytest

from assets.evaluation import vector_cache
from assets.evaluation.vector_cache import cached_vectors
from resources.lake import Lake
from tests.support.letter_encoder import LetterEncoder


def test_only_what_is_new_is_embedded(tmp_path):
    lake, encoder = Lake(str(tmp_path)), LetterEncoder()
    told = []
    first = cached_vectors(lake, encoder, ["abc", "xyz", "abc"], lambda *n: told.append(n))
    assert encoder.encoded == ["abc", "xyz"]
    assert told == [(0, 2), (2, 2)]
    np.testing.assert_array_equal(first, LetterEncoder().encode(["abc", "xyz", "abc"]))
    again = cached_vectors(lake, encoder, ["new", "xyz"], lambda *_: None)
    assert encoder.encoded == ["abc", "xyz", "new"]
    np.testing.assert_array_equal(again, LetterEncoder().encode(["new", "xyz"]))


def test_another_encoder_has_vectors_of_its_own(tmp_path):
    lake = Lake(str(tmp_path))
    cached_vectors(lake, LetterEncoder("one"), ["abc"], lambda *_: None)
    other = LetterEncoder("two")
    cached_vectors(lake, other, ["abc"], lambda *_: None)
    assert other.encoded == ["abc"]


def test_what_was_made_before_a_stop_is_kept(tmp_path, monkeypatch):
    class Stopped(LetterEncoder):
        def encode(self, texts, batch=8):
            if self.encoded:
                raise KeyboardInterrupt
            return super().encode(texts, batch)

    monkeypatch.setattr(vector_cache, "BATCH", 2)
    lake = Lake(str(tmp_path))
    with pytest.raises(KeyboardInterrupt):
        cached_vectors(lake, Stopped(), ["a", "b", "c"], lambda *_: None)
    encoder = LetterEncoder()
    assert cached_vectors(lake, encoder, ["a", "b", "c"], lambda *_: None).shape == (3, 26)
    assert encoder.encoded == ["c"]


def test_queries_are_embedded_as_queries(tmp_path):
    class Prompted(LetterEncoder):
        def encode_queries(self, texts):
            return self.encode([f"zzz {text}" for text in texts])

    lake, encoder = Lake(str(tmp_path)), Prompted()
    passage = cached_vectors(lake, encoder, ["abc"], lambda *_: None)
    query = cached_vectors(lake, encoder, ["abc"], lambda *_: None, queries=True)
    assert encoder.encoded == ["abc", "zzz abc"]
    assert query[0, 25] > passage[0, 25]


def test_no_texts(tmp_path):
    found = cached_vectors(Lake(str(tmp_path)), LetterEncoder(), [], lambda *_: None)
    assert found.shape == (0, 26)
