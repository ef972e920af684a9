"""Factual density FD*: how many checkable facts a passage holds for its length (arXiv:2605.31506).

FD_raw = Σ prob_fact / tokens. Both variants standardise it within bins of passages of like length:

- `published`, the formula as printed: (FD_raw − μ_bin) / σ_bin · a_source. Its weakness is kept:
  where z < 0 a smaller authority gives a better score.
- `robust`, ours: (FD_raw − median_bin) / (1.4826 · MAD_bin), clipped to ±3, plus the authority,
  which therefore never lowers a score.

Every function is vectorised over passages and pure; bins and their statistics are those of the
arrays given, so a refresh that changes the corpus recomputes all rows in one call.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

MAD_TO_SIGMA = 1.4826
"""σ of a normal distribution over its median absolute deviation."""
MEAN_DEVIATION_TO_SIGMA = 1.2533
"""σ of a normal distribution over its mean absolute deviation, √(π/2)."""
CLIP = 3.0
"""Largest robust z, in σ: beyond it a passage is an outlier, not a better source."""


@dataclass(frozen=True, slots=True)
class LengthBins:
    """Bins of passage length: bin i holds edges[i-1] < tokens ≤ edges[i], the last is open."""

    edges: tuple[float, ...]

    def index(self, tokens: ArrayLike) -> NDArray[np.intp]:
        """The bin of each passage, 0 for the shortest."""
        return np.searchsorted(np.asarray(self.edges), np.asarray(tokens), side="left")

    @property
    def labels(self) -> tuple[str, ...]:
        """What a reader sees for each bin: "≤288", "289–500", ">500" (tokens)."""
        if not self.edges:
            return ("all",)
        whole = [int(np.floor(edge)) for edge in self.edges]
        between = [f"{low + 1}–{high}" for low, high in pairwise(whole)]
        return (f"≤{whole[0]}", *between, f">{whole[-1]}")


PUBLISHED_BINS = LengthBins((288.0, 500.0))
"""Short, medium and long passages as hard-coded in the paper."""


def fit_bins(tokens: ArrayLike, count: int = 3) -> LengthBins:
    """Bins of about equally many passages: edges at the quantiles 1/count, 2/count, … of `tokens`.

    Edges that would leave a bin empty (many passages of one length) are dropped, so there may be
    fewer bins; an empty corpus has one.
    """
    if count < 1:
        raise ValueError(f"length bins must number 1 or more, not {count}")
    lengths = np.asarray(tokens, dtype=np.float64)
    if lengths.size == 0 or count == 1:
        return LengthBins(())
    quantiles = np.floor(np.quantile(lengths, np.arange(1, count) / count))
    edges = np.unique(quantiles[quantiles < lengths.max()])
    occupied = np.unique(LengthBins(tuple(edges)).index(lengths))
    return LengthBins(tuple(edges[occupied[:-1]].tolist()))


def fd_raw(prob_fact_sums: ArrayLike, tokens: ArrayLike) -> Floats:
    """Σ prob_fact / tokens of each passage; 0 for one without claims or without tokens."""
    sums, lengths = _columns(prob_fact_sums, tokens)
    if (lengths < 0).any():
        raise ValueError("a passage cannot have fewer than 0 tokens")
    return np.divide(sums, lengths, out=np.zeros_like(sums), where=lengths > 0)


def published(
    raw: ArrayLike,
    tokens: ArrayLike,
    authority: ArrayLike,
    bins: LengthBins = PUBLISHED_BINS,
) -> Floats:
    """FD* as printed in arXiv:2605.31506: the z-score within a length bin times the authority.

    `raw` is FD_raw, `authority` a_source, one a passage. The paper does not say which σ: here it
    is the population's (divisor n). Where σ = 0, as in a bin of one passage, z = 0. Other bins
    than the paper's may be given, such as those of `fit_bins`.
    """
    values, lengths, weights = _columns(raw, tokens, authority)
    return _standardise(values, bins.index(lengths), _z_score) * weights


def robust(
    raw: ArrayLike,
    tokens: ArrayLike,
    authority: ArrayLike,
    bins: LengthBins | None = None,
    authority_weight: float = 1.0,
) -> Floats:
    """FD* with median and MAD within quantile bins, clipped to ±3, the authority added.

    `bins` are fitted on `tokens` unless given; `authority_weight`, 0 or more, is what one unit of
    authority is worth in σ. Where more than half a bin shares one value, MAD = 0 and the mean
    absolute deviation from the median takes its place (Iglewicz & Hoaglin 1993); where that is
    0 too, z = 0.
    """
    if authority_weight < 0:
        raise ValueError(f"the weight of authority must be 0 or more, not {authority_weight}")
    values, lengths, added = _columns(raw, tokens, authority)
    bins = fit_bins(lengths) if bins is None else bins
    z = np.clip(_standardise(values, bins.index(lengths), _robust_z), -CLIP, CLIP)
    return z + authority_weight * added


def rescale01(scores: ArrayLike) -> Floats:
    """Scores moved linearly so that the lowest is 0 and the highest 1; all 0.5 if they are equal.

    The paper rescales FD* to [0, 1] before mixing it with cosine and does not say how.
    """
    values = np.asarray(scores, dtype=np.float64)
    if values.size == 0:
        return values.copy()
    low, high = values.min(), values.max()
    return np.full_like(values, 0.5) if high == low else (values - low) / (high - low)


def _columns(*arrays: ArrayLike) -> tuple[Floats, ...]:
    columns = tuple(np.asarray(array, dtype=np.float64) for array in arrays)
    if any(column.ndim != 1 or column.shape != columns[0].shape for column in columns):
        raise ValueError("density needs columns of one value a passage, all of the same length")
    if not all(np.isfinite(column).all() for column in columns):
        raise ValueError("density needs finite numbers")
    return columns


def _standardise(
    values: Floats, bin_index: NDArray[np.intp], z: Callable[[Floats], Floats]
) -> Floats:
    result = np.zeros_like(values)
    for i in np.unique(bin_index):
        members = bin_index == i
        result[members] = z(values[members])
    return result


def _z_score(values: Floats) -> Floats:
    if values.min() == values.max():  # the computed σ of equal values is not exactly 0
        return np.zeros_like(values)
    z: Floats = (values - values.mean()) / values.std()
    return z


def _robust_z(values: Floats) -> Floats:
    centred = values - np.median(values)
    distance = np.abs(centred)
    sigma = float(MAD_TO_SIGMA * np.median(distance))
    sigma = sigma or float(MEAN_DEVIATION_TO_SIGMA * distance.mean())
    return centred / sigma if sigma else np.zeros_like(values)
