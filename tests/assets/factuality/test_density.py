"""Factual density: formulas against hand-worked tables and scipy, and what must always hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from assets.factuality.density import (
    CLIP,
    PUBLISHED_BINS,
    LengthBins,
    fd_raw,
    fit_bins,
    published,
    rescale01,
    robust,
)

ONE_BIN = LengthBins(())
DENSITIES = hnp.arrays(
    np.float64, st.integers(1, 40), elements=st.integers(0, 200).map(lambda x: x / 1000)
)


def ones(values):
    return np.ones(len(values))


# Hand-worked: two bins by length, the third passage alone in its own.

SUMS = [2.0, 4.0, 3.0, 0.0, 8.0]
TOKENS = [100, 200, 400, 250, 800]
AUTHORITY = [0.9, 1.0, 0.95, 0.9, 1.0]
RAW = [0.02, 0.02, 0.0075, 0.0, 0.01]


def test_raw_density_is_the_sum_over_the_tokens():
    np.testing.assert_allclose(fd_raw(SUMS, TOKENS), RAW, rtol=0, atol=1e-15)


def test_published_as_worked_by_hand():
    # short bin: 0.02, 0.02, 0 → mean 0.04/3, population σ 0.02·√2/3, z = 1/√2, 1/√2, −√2
    half = np.sqrt(0.5)
    expected = [0.9 * half, half, 0.0, 0.9 * -np.sqrt(2), 0.0]
    np.testing.assert_allclose(published(RAW, TOKENS, AUTHORITY), expected, rtol=0, atol=1e-12)


def test_robust_as_worked_by_hand():
    # one bin: median 0.01, distances .01 .01 .0025 .01 0 → MAD 0.01
    z = np.array([0.01, 0.01, -0.0025, -0.01, 0.0]) / (1.4826 * 0.01)
    expected = z + 0.5 * np.array(AUTHORITY)
    found = robust(RAW, TOKENS, AUTHORITY, ONE_BIN, authority_weight=0.5)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@given(DENSITIES)
def test_published_agrees_with_scipy(raw):
    found = published(raw, ones(raw), ones(raw), ONE_BIN)
    if np.ptp(raw) == 0:
        assert (found == 0).all()
    else:
        np.testing.assert_allclose(found, stats.zscore(raw), rtol=1e-12, atol=1e-12)


@given(DENSITIES)
def test_robust_agrees_with_scipy(raw):
    found = robust(raw, ones(raw), np.zeros(len(raw)), ONE_BIN)
    sigma = 1.4826 * stats.median_abs_deviation(raw)
    if sigma > 0:
        expected = np.clip((raw - np.median(raw)) / sigma, -CLIP, CLIP)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_where_most_passages_agree_the_mean_deviation_takes_over():
    raw = np.array([0.0, 0.0, 0.0, 0.0, 0.02])
    found = robust(raw, ones(raw), np.zeros(5), ONE_BIN)
    assert found[4] == CLIP  # 0.02 / (1.2533 · 0.004) = 3.99, clipped
    assert (found[:4] == 0).all()


@pytest.mark.parametrize("variant", [published, robust])
class TestBothVariants:
    def test_equal_passages_score_alike(self, variant):
        raw = np.full(7, 0.1)  # the computed σ of seven 0.1 is not exactly 0
        scores = variant(raw, ones(raw), np.full(7, 0.9), ONE_BIN)
        assert np.ptp(scores) == 0

    def test_a_passage_alone_in_its_bin_has_z_0(self, variant):
        scores = variant([0.01, 0.5], [100, 900], [0.0, 0.0], PUBLISHED_BINS)
        assert scores.tolist() == [0.0, 0.0]

    def test_an_empty_corpus_has_no_scores(self, variant):
        assert variant([], [], []).shape == (0,)

    def test_columns_of_unequal_length_are_refused(self, variant):
        with pytest.raises(ValueError, match="same length"):
            variant([0.1, 0.2], [10], [1.0, 1.0])

    def test_what_is_no_number_is_refused(self, variant):
        with pytest.raises(ValueError, match="finite"):
            variant([np.nan], [10], [1.0])

    @given(raw=DENSITIES)
    def test_order_within_a_bin_is_kept(self, variant, raw):
        scores = variant(raw, ones(raw), ones(raw), ONE_BIN)
        order = np.argsort(raw, kind="stable")
        assert (np.diff(scores[order]) >= -1e-12).all()

    @given(raw=DENSITIES)
    def test_equal_densities_tie(self, variant, raw):
        scores = variant(raw, ones(raw), ones(raw), ONE_BIN)
        for value in np.unique(raw):
            assert np.ptp(scores[raw == value]) == 0

    @given(raw=DENSITIES, scale=st.sampled_from([2.0, 0.5, 1024.0]))
    def test_the_scale_of_density_does_not_matter(self, variant, raw, scale):
        authority = np.full(len(raw), 0.9)
        np.testing.assert_allclose(
            variant(raw * scale, ones(raw), authority, ONE_BIN),
            variant(raw, ones(raw), authority, ONE_BIN),
            rtol=1e-9,
            atol=1e-9,
        )


@given(DENSITIES, st.data())
def test_more_authority_never_lowers_a_robust_score(raw, data):
    some = data.draw(hnp.arrays(np.float64, len(raw), elements=st.floats(0, 1)))
    more = some + data.draw(hnp.arrays(np.float64, len(raw), elements=st.floats(0, 1)))
    lower = robust(raw, ones(raw), some, ONE_BIN)
    assert (robust(raw, ones(raw), more, ONE_BIN) >= lower).all()
    assert (lower >= robust(raw, ones(raw), some * 0, ONE_BIN)).all()


def test_the_published_formula_rewards_low_authority_below_the_mean():
    low, high = published([0.0, 0.0, 0.1], [9, 9, 9], [0.9, 1.0, 1.0])[:2]
    assert low > high


def test_a_weight_below_0_is_refused():
    with pytest.raises(ValueError, match="0 or more"):
        robust([0.1], [10], [1.0], authority_weight=-1)


def test_no_claims_and_no_tokens_are_no_density():
    assert fd_raw([0.0, 3.0, 0.0], [120, 0, 0]).tolist() == [0.0, 0.0, 0.0]
    with pytest.raises(ValueError, match="fewer than 0"):
        fd_raw([1.0], [-1])


# Bins


def test_published_bins_are_the_papers():
    assert PUBLISHED_BINS.index([1, 288, 289, 500, 501]).tolist() == [0, 0, 1, 1, 2]
    assert PUBLISHED_BINS.labels == ("≤288", "289–500", ">500")


def test_fitted_bins_hold_equal_shares():
    tokens = np.arange(1, 301)
    bins = fit_bins(tokens)
    assert np.bincount(bins.index(tokens)).tolist() == [100, 100, 100]


@given(st.lists(st.integers(0, 600), max_size=60), st.integers(1, 6))
def test_fitted_bins_hold_every_passage_and_none_is_empty(tokens, count):
    bins = fit_bins(tokens, count)
    index = bins.index(tokens)
    assert len(bins.labels) == len(bins.edges) + 1 <= count
    assert len(set(bins.labels)) == len(bins.labels)
    if tokens:
        assert set(index.tolist()) == set(range(len(bins.labels)))


def test_bins_of_one_length_or_none_are_one():
    assert fit_bins([150] * 9) == fit_bins([]) == LengthBins(())
    assert LengthBins(()).labels == ("all",)
    with pytest.raises(ValueError, match="1 or more"):
        fit_bins([1, 2], 0)


# Rescaling


@given(DENSITIES)
def test_rescaled_scores_span_0_to_1_in_the_same_order(scores):
    found = rescale01(scores)
    if np.ptp(scores) == 0:
        assert (found == 0.5).all()
    else:
        assert found.min() == 0.0
        assert found.max() == 1.0
        assert (np.argsort(found, kind="stable") == np.argsort(scores, kind="stable")).all()


def test_nothing_rescales_to_nothing():
    assert rescale01([]).shape == (0,)
