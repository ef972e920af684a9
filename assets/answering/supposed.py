"""What a question supposes, and what a text means in the question's own words.

The parts that the rules of `premises` and `comparisons` share.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from assets.answering.quantities import plain_form
from assets.answering.reading import Found
from assets.answering.terms import Term, content_terms, coverage, stems

OBJECT_SHARE = 0.60  # of what the question says is needed, or is not
AROUND_SHARE = 0.25
NEAR = 4  # words before a number that say what it is of
_POINTS_BACK = re.compile(
    r"^(?:\w+, )?(?:it|this|these|those|they|such|the (?:process|method|technique|latter))\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(
    r"[,;:?]|\b(?:how|what|why|which|who|while|whereas|because|since)\b", re.IGNORECASE
)
_ACRONYM = re.compile(r"\b[A-Z]{2,5}\b")
_ELEMENTS = {"Cu": "copper", "Al": "aluminium", "Nb": "niobium", "Sn": "tin", "Ti": "titanium"}
_SAME_WORD = {"knowledg": "known", "know": "known"}


@dataclass(frozen=True, slots=True)
class Supposed:
    """A question and the terms it is about, weighted by rarity among the sentences."""

    question: str
    terms: tuple[Term, ...]
    negative: bool

    def share(self, text: str) -> float:
        """Weighted share of the question's terms that a text holds."""
        return coverage(self.terms, meant(text, self.question))


def at_least(least: float, share: float) -> float:
    """A share that reaches a threshold, else 0."""
    return share if share >= least else 0.0


def resolved(one: Found) -> str:
    """The sentence with the one before it where it points back, under its heading."""
    before = one.before if _POINTS_BACK.match(one.text) else ""
    return f"{' '.join(one.evidence.section)} {before} {one.text}"


def clause_of(text: str) -> str:
    """A text as far as its first clause goes."""
    end = _CLAUSE_END.search(text)
    return text[: end.start()] if end else text


def meant(text: str, question: str) -> frozenset[str]:
    """Stems of a text, with the words of the question that its acronyms and symbols stand for."""
    found = set(stems(text))
    found |= {_SAME_WORD[stem] for stem in found if stem in _SAME_WORD}
    plain = plain_form(text)
    short = set(_ACRONYM.findall(plain))
    if short:
        for acronym, words in _initials(question).items():
            if acronym in short:
                found |= words
    for symbol, word in _ELEMENTS.items():
        if re.search(rf"\b{symbol}\b", plain):
            found |= stems(word)
    return frozenset(found)


@lru_cache(maxsize=256)
def _initials(question: str) -> Mapping[str, frozenset[str]]:
    """What two to four neighbouring words of a question may be abbreviated to, with their stems."""
    words = [word for word in re.split(r"[\s-]+", re.sub(r"[^\w\s-]", " ", question)) if word]
    found: dict[str, frozenset[str]] = {}
    for size in (2, 3, 4):
        for start in range(len(words) - size + 1):
            run = words[start : start + size]
            phrase = " ".join(run)
            if len(content_terms(phrase)) == size:
                hyphened = "-".join(run)
                key = "".join(word[0] for word in run).upper()
                found[key] = stems(phrase) | stems(hyphened)
    return found
