"""The audits' plots: PNG images, small enough to be shown inside a page's metadata."""

import base64
import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_BYTES = 50_000
"""Of one plot; one that is larger is drawn coarser."""

# Points of a scatter plot: more say nothing more, and only make the image larger.
_MOST_POINTS = 1000
_RESOLUTIONS = (90, 60, 40)
_COLOURS = ("#1b6ca8", "#d1495b", "#66a182", "#8d6a9f", "#edae49", "#5f6b6d", "#2e4057", "#b56576")


def prob_fact_plot(prob_facts: Mapping[str, Sequence[float]]) -> bytes:
    """How the claims' scores are distributed, a line a tier."""
    figure, (axes,) = _figure(1)
    for colour, (tier, scores) in zip(
        _cycled(len(prob_facts)), sorted(prob_facts.items()), strict=True
    ):
        shares, edges = np.histogram(scores, bins=np.arange(0.2, 1.051, 0.05))
        axes.step(edges[:-1], shares / max(1, len(scores)), where="post", color=colour, label=tier)
    axes.set(xlabel="prob_fact", ylabel="share of the tier's claims", title="Claim scores by tier")
    _legend(figure)
    return _png(figure)


def length_plot(
    tokens: Sequence[int], densities: Mapping[str, Sequence[float]], found: Mapping[str, Any]
) -> bytes:
    """Each density against length, with R and its interval; `found` are the correlations."""
    figure, panels = _figure(max(1, len(densities)))
    step = max(1, len(tokens) // _MOST_POINTS)
    for axes, (name, values) in zip(panels, densities.items(), strict=True):
        axes.scatter(tokens[::step], values[::step], s=3, alpha=0.3, color=_COLOURS[0])
        one = found.get(name)
        said = f"R = {one['r']:+.2f} [{one['low']:+.2f}, {one['high']:+.2f}]" if one else "no R"
        axes.set(xlabel="tokens", title=f"{name}: {said}")
    return _png(figure)


def sweep_plot(sweep: Mapping[str, Any], best: float) -> bytes:
    """P@5 against the density's weight; the dotted line is the best that is possible."""
    figure, (axes,) = _figure(1)
    for colour, name, label in (
        (_COLOURS[0], "C", "published"),
        (_COLOURS[1], "C-robust", "robust"),
        (_COLOURS[5], "C-length", "length instead"),
    ):
        axes.plot(sweep["weights"], sweep[name], marker="o", color=colour, label=label)
    axes.axhline(best, linestyle=":", color="black")
    axes.set(xlabel="weight of FD*", ylabel="P@5", title="Cosine (0) to density alone (1)")
    axes.set_ylim(bottom=0)
    _legend(figure)
    return _png(figure)


def saturation_plot(found: Mapping[str, Mapping[str, Mapping[str, float]]]) -> bytes:
    """Shares of the tiers among the first five places, a bar a condition, and in the corpus."""
    figure, (axes,) = _figure(1)
    conditions = [*found, "corpus"]
    bottom = np.zeros(len(conditions))
    tiers = list(next(iter(found.values()), {}))
    for colour, tier in zip(_cycled(len(tiers)), tiers, strict=True):
        shares = [found[name][tier]["share"] for name in found]
        heights = np.array([*shares, next(iter(found.values()))[tier]["corpus"]])
        axes.bar(conditions, heights, bottom=bottom, color=colour, label=tier)
        bottom += heights
    axes.set(ylabel="share of the first five", title="Who fills the first five places")
    _legend(figure)
    return _png(figure)


def weights_plot(sweep: Mapping[str, Any], published: float) -> bytes:
    """Scores against the weight of the dense ranking, a panel a fusion; the dotted line is the
    published weight. `sweep` is `weight_sweep.weight_sweep`'s."""
    figure, panels = _figure(max(1, len(sweep["modes"])))
    for axes, (mode, scores) in zip(panels, sweep["modes"].items(), strict=True):
        for colour, (name, values) in zip(_cycled(len(scores)), scores.items(), strict=True):
            label = name if axes is panels[0] else None
            axes.plot(sweep["weights"], values, marker="o", ms=3, color=colour, label=label)
        axes.axvline(published, linestyle=":", color=_COLOURS[5])
        axes.set(xlabel="weight of the dense ranking", title=f"{mode}, {sweep['n']} questions")
        axes.set_ylim(bottom=0)
    _legend(figure)
    return _png(figure)


def risk_plot(curves: Mapping[str, Mapping[str, Sequence[float]]]) -> bytes:
    """Risk against coverage, a line a mode; `curves` are `answers.risk_coverage`'s."""
    figure, (axes,) = _figure(1)
    for colour, (mode, curve) in zip(_cycled(len(curves)), curves.items(), strict=True):
        axes.plot(curve["coverage"], curve["risk"], marker="o", ms=2, color=colour, label=mode)
    axes.set(
        xlabel="coverage: share of questions answered",
        ylabel="risk: share without an answer",
        title="Answering as the threshold falls",
    )
    axes.set_ylim(bottom=0)
    _legend(figure)
    return _png(figure)


def data_uri(png: bytes) -> str:
    """A PNG as the address of itself, for Markdown."""
    return "data:image/png;base64," + base64.b64encode(png).decode("ascii")


def _figure(panels: int) -> "tuple[Figure, list[Axes]]":
    from matplotlib.figure import Figure  # noqa: PLC0415 - slow to import, and few runs draw

    # Without pyplot: nothing is kept between figures, and no display is looked for.
    figure = Figure(figsize=(4.2 * max(1.3, panels), 3.2), layout="constrained")
    axes = figure.subplots(1, panels, squeeze=False)
    return figure, list(axes[0])


def _png(figure: "Figure") -> bytes:
    image = b""
    for resolution in _RESOLUTIONS:
        out = io.BytesIO()
        figure.savefig(out, format="png", dpi=resolution)
        image = out.getvalue()
        if len(image) <= MOST_BYTES:
            break
    return image


def _legend(figure: "Figure") -> None:
    """Below the axes, where it hides nothing."""
    if figure.axes[0].get_legend_handles_labels()[0]:
        figure.legend(loc="outside lower center", ncols=2, fontsize=8)


def _cycled(count: int) -> list[str]:
    return [_COLOURS[i % len(_COLOURS)] for i in range(count)]
