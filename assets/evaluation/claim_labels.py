"""Hand-labelled sentences, and how well extracted claims agree with them.

A sentence's label lists its atomic claims, or none. A JSON-lines file holds one sentence a line:
`id`, `sentence`, `context` {`before`, `after`} and `claims`, a list of {`text`, `prob_fact`}.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import Stemmer

from assets.factuality.records import Claim
from resources.errors import UsageError
from resources.named_files import refuse_folder

SAME_CLAIM = 0.5
"""Smallest F1 of content words at which two claims count as the same.

The labels rename what a claim is about ("the cavity" → "the conduction-cooled 650 MHz Nb3Sn
cavity"), so a faithful claim shares rarely more than three quarters of its words with its label;
two claims of one sentence that say different things share fewer than half.
"""
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
        """Which of two halves, drawn by a hash of the id: the one that rules are written on."""
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


@dataclass(frozen=True, slots=True)
class Agreement:
    """Precision and recall of some decisions."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """Their harmonic mean."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def read_labels(path: Path) -> list[Label]:
    """The labels of a JSON-lines file; a UsageError where it cannot be read as one."""
    try:
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
    except (OSError, ValueError, KeyError, TypeError) as problem:
        refuse_folder(path, "name a JSONL file of hand-labelled sentences")
        raise UsageError(
            f"{path} is no file of claim labels ({type(problem).__name__}: {problem}): give JSON "
            "lines with id, sentence, context and claims."
        ) from problem


def of_the_sentence(label: Label, claims: Sequence[Claim]) -> list[Claim]:
    """Those claims of the label's passage whose quotes lie mostly within its sentence."""
    passage = label.passage
    start = passage.index(label.sentence, len(label.before))
    end = start + len(label.sentence)
    return [claim for claim in claims if _lies_within(passage, claim.quote, start, end)]


def matches(label: Label, claims: Sequence[Claim], least: float = SAME_CLAIM) -> list[Match]:
    """The one-to-one matching of extracted and labelled claims with the greatest total F1.

    Pairs whose content words agree with an F1 below `least` are no match.
    """
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - a second to import

    if not claims or not label.claims:
        return []
    agreement = np.array(
        [[_word_f1(claim.text, text) for text, _ in label.claims] for claim in claims]
    )
    agreement[agreement < least] = 0.0
    pairs = zip(*linear_sum_assignment(agreement, maximize=True), strict=True)
    return [Match(claims[i], label.claims[j][1]) for i, j in pairs if agreement[i, j] > 0]


def sentence_agreement(labels: Sequence[Label], claims: Sequence[list[Claim]]) -> Agreement:
    """Which sentences bear a claim."""
    both = sum(bool(one.claims) and bool(got) for one, got in zip(labels, claims, strict=True))
    return _agreement(both, sum(map(bool, claims)), sum(bool(one.claims) for one in labels))


def claim_agreement(
    labels: Sequence[Label], claims: Sequence[list[Claim]], least: float = SAME_CLAIM
) -> Agreement:
    """Which claims were found, at a given agreement of words."""
    both = sum(len(matches(one, got, least)) for one, got in zip(labels, claims, strict=True))
    return _agreement(both, sum(map(len, claims)), sum(len(one.claims) for one in labels))


def label_report(labels: Sequence[Label], claims: Sequence[list[Claim]]) -> dict[str, Any]:
    """Both agreements and Spearman's correlation of prob_fact, as plain values."""
    from scipy.stats import spearmanr  # noqa: PLC0415 - a second to import

    pairs = [match for one, got in zip(labels, claims, strict=True) for match in matches(one, got)]
    scores = [pair.claim.prob_fact for pair in pairs], [pair.prob_fact for pair in pairs]
    varied = all(len(set(values)) > 1 for values in scores)
    sentences, found = sentence_agreement(labels, claims), claim_agreement(labels, claims)
    return {
        "sentences": {"n": len(labels), **asdict(sentences), "f1": sentences.f1},
        "claims": {"n": sum(len(one.claims) for one in labels), **asdict(found), "f1": found.f1},
        "prob_fact": {
            "n": len(pairs),
            "spearman": float(spearmanr(*scores).statistic) if varied else None,
        },
    }


def _agreement(both: int, found: int, wanted: int) -> Agreement:
    return Agreement(both / found if found else 0.0, both / wanted if wanted else 0.0)


def _lies_within(passage: str, quote: str, start: int, end: int) -> bool:
    at = passage.find(quote)
    while at >= 0:
        overlap = min(end, at + len(quote)) - max(start, at)
        if 2 * overlap > len(quote):
            return True
        at = passage.find(quote, at + 1)
    return False


def _word_f1(one: str, other: str) -> float:
    """F1 of the stems of the content words of two texts."""
    a, b = _content(one), _content(other)
    return 2 * len(a & b) / (len(a) + len(b)) if a and b else 0.0


def _content(text: str) -> frozenset[str]:
    found = _WORD.findall(re.sub(r"[\^*_\\]", "", text.lower()))
    return frozenset(_STEM([word for word in found if word not in _FUNCTION_WORDS]))
