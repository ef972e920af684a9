"""Hand-labelled sentences: how they are read, halved, and compared with extracted claims.

A sentence's label lists its atomic claims, or none. The halves are drawn by a hash of the id:
rules and features were written looking at the development half alone.
"""

import hashlib
import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import Stemmer
from scipy.optimize import linear_sum_assignment

from assets.factuality.embedded_extractor import passage_claims
from assets.factuality.records import Claim

SAME_CLAIM = 0.5
"""Smallest F1 of content words at which two claims count as the same.

The labels rename what a claim is about ("the cavity" → "the conduction-cooled 650 MHz Nb3Sn
cavity"), so a faithful claim shares rarely more than three quarters of its words with its label;
two claims of one sentence that say different things share fewer than half.
"""
_CHECKOUT = Path(__file__).resolve().parents[1]
_STEM = Stemmer.Stemmer("english").stemWords
_WORD = re.compile(r"\d[\d.,]*\d|\w+")
_FUNCTION_WORDS = frozenset(
    "a an the of in on at by for from with to and or is are was were be been has have had that"
    " this these it its as which than can will would their".split()
)


@dataclass(frozen=True, slots=True)
class Label:
    """A sentence, its neighbours, and the claims a reader found in it: (text, prob_fact)."""

    id: str
    sentence: str
    before: str
    after: str
    claims: tuple[tuple[str, float], ...]

    @property
    def in_development(self) -> bool:
        """Whether the rules were written looking at it."""
        return hashlib.sha256(self.id.encode()).digest()[0] % 2 == 0

    @property
    def passage(self) -> str:
        """The sentence between its neighbours; what is no sentence before it is a heading."""
        gap = " " if self.before.rstrip().endswith((".", ":", "?", "!")) else "\n\n"
        return f"{self.before}{gap}{self.sentence} {self.after}"


@dataclass(frozen=True, slots=True)
class Match:
    """An extracted claim and the prob_fact of the label it matches."""

    claim: Claim
    prob_fact: float


def shared_folder() -> Path:
    """The folder of shared material: MUON_SHARED, or `shared` beside the checkout."""
    return Path(os.environ.get("MUON_SHARED") or _CHECKOUT.parent / "shared")


def read_labels(path: Path) -> list[Label]:
    """The labels of a JSON-lines file with `sentence`, `context` and `claims`."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    return [
        Label(
            id=row["id"],
            sentence=row["sentence"],
            before=row["context"]["before"],
            after=row["context"]["after"],
            claims=tuple((claim["text"], claim["prob_fact"]) for claim in row["claims"]),
        )
        for row in rows
    ]


def extracted(label: Label) -> list[Claim]:
    """The claims extracted from the passage whose quotes lie mostly within its sentence."""
    passage = label.passage
    start = passage.index(label.sentence, len(label.before))
    end = start + len(label.sentence)
    return [
        claim for claim in passage_claims(passage) if _lies_within(passage, claim.quote, start, end)
    ]


def _lies_within(passage: str, quote: str, start: int, end: int) -> bool:
    at = passage.find(quote)
    while at >= 0:
        overlap = min(end, at + len(quote)) - max(start, at)
        if 2 * overlap > len(quote):
            return True
        at = passage.find(quote, at + 1)
    return False


def matches(label: Label, claims: Sequence[Claim], least: float = SAME_CLAIM) -> list[Match]:
    """The one-to-one matching of extracted and labelled claims with the greatest total F1.

    Pairs whose content words agree with an F1 below `least` are no match.
    """
    if not claims or not label.claims:
        return []
    agreement = np.array(
        [[_agreement(claim.text, text) for text, _ in label.claims] for claim in claims]
    )
    agreement[agreement < least] = 0.0
    pairs = zip(*linear_sum_assignment(agreement, maximize=True), strict=True)
    return [Match(claims[i], label.claims[j][1]) for i, j in pairs if agreement[i, j] > 0]


def _agreement(one: str, other: str) -> float:
    """F1 of the stems of the content words of two texts."""
    a, b = _content(one), _content(other)
    return 2 * len(a & b) / (len(a) + len(b)) if a and b else 0.0


def _content(text: str) -> frozenset[str]:
    found = _WORD.findall(re.sub(r"[\^*_\\]", "", text.lower()))
    return frozenset(_STEM([word for word in found if word not in _FUNCTION_WORDS]))
