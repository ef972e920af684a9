"""Fits the coefficients of prob_fact to hand labels and prints them as they stand in the code.

    python -m benchmarks.fit_prob_fact [--labels FILE]

Ridge regression of the labelled prob_fact on the features of two texts a label: the labelled claim
itself, and the extracted claim that matches it. Printed with it: Spearman's rank correlation
between model and label on claims that were left out of the fit, once by halves and once by
tenfold cross-validation (sentences, not claims, are dealt into folds).
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from assets.evaluation.claim_labels import Label, Match, matches, read_labels
from assets.factuality.features import FEATURES, measure
from assets.factuality.prob_fact import HIGHEST, LOWEST
from benchmarks.claim_labels import extracted, shared_folder

RIDGE = 6.0
"""Penalty on the squared coefficients, the intercept's aside; results hardly depend on it."""
_FOLDS = 10

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Model:
    """An intercept and one coefficient a feature, in the order of `FEATURES`."""

    intercept: float
    coefficients: Floats

    def predict(self, texts: Sequence[str]) -> Floats:
        """prob_fact of each text, not rounded."""
        return np.clip(self.intercept + _design(texts) @ self.coefficients, LOWEST, HIGHEST)


def _design(texts: Sequence[str]) -> Floats:
    rows = [list(measure(text).values()) for text in texts]
    return np.array(rows, dtype=np.float64).reshape(len(texts), len(FEATURES))


def matched(labels: Sequence[Label]) -> list[Match]:
    """The matching extracted claims of some labels."""
    return [match for label in labels for match in matches(label, extracted(label))]


def fit(labels: Sequence[Label]) -> Model:
    """The ridge regression on the claims of some labels."""
    pairs = [claim for label in labels for claim in label.claims]
    pairs += [(match.claim.text, match.prob_fact) for match in matched(labels)]
    texts, scores = zip(*pairs, strict=True)
    features = np.column_stack([np.ones(len(texts)), _design(texts)])
    penalty = RIDGE * np.eye(features.shape[1])
    penalty[0, 0] = 0.0
    solution = np.linalg.solve(features.T @ features + penalty, features.T @ np.array(scores))
    return Model(float(solution[0]), solution[1:])


def rank_correlation(model: Model, pairs: Sequence[Match]) -> float:
    """Spearman's ρ between the model and the labels of matched claims."""
    predicted = model.predict([match.claim.text for match in pairs])
    return float(spearmanr(predicted, [match.prob_fact for match in pairs]).statistic)


def cross_validated(labels: Sequence[Label]) -> float:
    """Spearman's ρ when every sentence is scored by a fit on the other nine tenths."""
    predicted: list[float] = []
    actual: list[float] = []
    for fold in range(_FOLDS):
        model = fit([label for i, label in enumerate(labels) if i % _FOLDS != fold])
        pairs = matched([label for i, label in enumerate(labels) if i % _FOLDS == fold])
        predicted += model.predict([match.claim.text for match in pairs]).tolist()
        actual += [match.prob_fact for match in pairs]
    return float(spearmanr(predicted, actual).statistic)


def run(path: Path) -> int:
    """Fit on all labels, print the coefficients and what left-out claims say of them."""
    labels = read_labels(path)
    halves = (
        [label for label in labels if label.in_development],
        [label for label in labels if not label.in_development],
    )
    for name, one, other in (("development", *halves), ("held-out", *halves[::-1])):
        pairs = matched(other)
        print(
            f"fitted on the {name} half, the other half's {len(pairs)} matched claims: "
            f"ρ = {rank_correlation(fit(one), pairs):.3f}"
        )
    print(f"{_FOLDS}-fold cross-validation: ρ = {cross_validated(labels):.3f}\n")
    model = fit(labels)
    print(f"INTERCEPT = {model.intercept:.3f}\nCOEFFICIENTS = {{")
    for name, value in zip(FEATURES, model.coefficients, strict=True):
        print(f'    "{name}": {value:.3f},')
    print("}")
    return 0


def main() -> int:
    """The command line."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = shared_folder() / "benchmark" / "claims.jsonl"
    options.add_argument("--labels", type=Path, default=default, help="a JSON-lines file of labels")
    return run(options.parse_args().labels)


if __name__ == "__main__":
    sys.exit(main())
