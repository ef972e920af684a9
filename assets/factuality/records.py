"""Record types of the factuality stage."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Claim:
    """An atomic claim: unique, self-contained and verifiable (arXiv:2605.31506, Ghost Audit).

    `quote` stands verbatim in the chunk the claim was taken from; `prob_fact`, in [0.2, 1.0],
    says how verifiable and specific the claim is, not whether it is true.
    """

    text: str
    quote: str
    prob_fact: float
