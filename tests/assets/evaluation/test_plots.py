"""Plots are PNG images, small whatever they show."""

import base64
import struct

import numpy as np
import pytest

from assets.evaluation.plots import (
    MOST_BYTES,
    data_uri,
    length_plot,
    prob_fact_plot,
    risk_plot,
    saturation_plot,
    sweep_plot,
)

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def size(png: bytes) -> tuple[int, int]:
    assert png.startswith(SIGNATURE)
    width, height = struct.unpack(">II", png[16:24])
    return width, height


@pytest.mark.parametrize("scores", [{}, {"a": []}, {f"tier {i}": [0.2, 0.9] for i in range(12)}])
def test_claim_scores(scores):
    assert size(prob_fact_plot(scores))[0] > 100


def test_a_large_corpus_makes_no_larger_plot():
    rng = np.random.default_rng(0)
    tokens = rng.integers(1, 256, 200_000).tolist()
    values = {name: rng.normal(size=200_000).tolist() for name in ("raw", "published", "robust")}
    one = {"r": -0.1, "low": -0.2, "high": 0.0}
    png = length_plot(tokens, values, {"raw": one, "published": None})
    assert len(png) <= MOST_BYTES
    assert size(png)[0] > size(png)[1]


def test_sweep_and_saturation():
    sweep = {"weights": [0.0, 1.0], "C": [0.3, 0.1], "C-robust": [0.3, 0.2], "C-length": [0.3, 0.0]}
    assert size(sweep_plot(sweep, 0.4))
    one = {"a": {"share": 0.4, "corpus": 0.5}, "b": {"share": 0.6, "corpus": 0.5}}
    assert size(saturation_plot({"A": one, "C": one}))


@pytest.mark.parametrize("coverage", [[], [0.5, 1.0]])
def test_risk_against_coverage(coverage):
    curve = {"threshold": coverage, "coverage": coverage, "risk": coverage}
    assert size(risk_plot({"agentic": curve, "dense": curve}))[0] > 100


def test_a_plot_is_an_address_of_itself():
    head, _, data = data_uri(b"image").partition(",")
    assert head == "data:image/png;base64"
    assert base64.b64decode(data) == b"image"
