"""prob_fact: how verifiable and specific a claim is, from features a reader can name.

A linear model over `features.FEATURES`: the intercept is a plain general statement ("Nb3Sn is
brittle"); quantities, numbers, names, conditions, references and definite events raise it; hedges,
vague amounts and judgements lower it. The sum is clipped to [0.2, 1.0], the scale of
arXiv:2605.31506. It says nothing about truth.

The coefficients are a ridge regression on labels 0.2, 0.4, … 1.0 that one reader gave to the
claims of real sentences about accelerators and colliders; `python -m benchmarks.fit_prob_fact`
refits and prints them, with the rank correlation on claims that were left out of the fit.
"""

from assets.factuality.features import measure

LOWEST, HIGHEST = 0.2, 1.0

INTERCEPT = 0.684
COEFFICIENTS = {
    "quantity": 0.060,
    "number": 0.075,
    "name": 0.020,
    "condition": 0.024,
    "reference": 0.088,
    "event": 0.049,
    "hedge": -0.169,
    "vagueness": -0.084,
    "judgement": -0.199,
}
"""Change of prob_fact for one more step of each feature (features count 0, 1 or 2)."""


def prob_fact(statement: str) -> float:
    """Verifiability and specificity of one statement, in [0.2, 1.0], to two decimals."""
    values = measure(statement)
    score = INTERCEPT + sum(weight * values[name] for name, weight in COEFFICIENTS.items())
    return round(min(HIGHEST, max(LOWEST, score)), 2)
