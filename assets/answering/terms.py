"""The words of a text that carry its meaning: stems, acronyms and names.

Stems are Snowball's English stems of normalised words, so that "dipoles" and "dipole", "10–12 T"
in any dash, and Nb₃Sn or Nb3Sn meet. A stem's weight is how rare its word is in English at large
(wordfreq's Zipf scale), which needs no corpus: "the" weighs nothing, "collider" nearly 1.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from assets.answering.quantities import find_quantities, plain_form

_WORD = re.compile(r"[A-Za-zÀ-ÖØ-öø-ÿΑ-Ωα-ωµ√±/ℓ_]*[A-Za-zÀ-ÖØ-öø-ÿΑ-Ωα-ωµ][\w'’+*-]*")
_NAME_WITH_DIGIT = re.compile(
    r"\b(?=\w*\d)(?=\w*[A-Za-z])[A-Za-z][\w]*(?:-\d+\w*)?\b|\b[A-Z][A-Za-z]*-\d+\w*\b"
)
_ACRONYM = re.compile(
    r"\b(?:[A-Za-z]*[A-Z]{2,}[A-Za-z]*|[A-Z]?[a-z]+[A-Z]\w*|[A-Z][a-z]?[A-Z]\w*)\b"
)
_CAPITALISED = re.compile(r"(?<=[a-z0-9,;:)%] )[A-Z][a-zà-ÿ]{2,}\b")
# Words of a question, of comparison and of reporting: they say what is asked, not about what.
_ASKING_WORDS = """
    what which who whom whose when where why how much many far long large big high does do did is
    are was were be been being can could should would will may might must has have had the a an of
    in on at by for to from with without and or but if then than that this these those it its they
    their there here as so such not no nor only very also into over under between per each any
    some other another same more most less least up out about roughly approximately around say
    says said give given gives value values number numbers figure figures quote quoted mean
    compare compared versus vs among within against using use used via reach reached require
    required need needed needs expected meant main still while during after before rather instead
    one two we our us you your i he she his her them go goes come comes get gets make makes made
    put way ways kind kinds sort did doing done let because since due thus therefore hence
    whether like just even both either neither all every few several own too again once now imply
    implies implied stay stays become becomes became
    """
_ASKING = frozenset(_ASKING_WORDS.split())
_OPENING = frozenset(
    "What Which Who Whose Whom How Why When Where Is Are Was Were Do Does Did Can Could Should "
    "Would Will May Might Must Has Have Had The This That These Those".split()
)
_COMMON_ZIPF, _RARE_ZIPF = 6.2, 3.2
_ALIASES = {
    "niobium-tin": "nb3sn", "niobium-titanium": "nbti", "nb-ti": "nbti", "aluminium": "aluminum",
}  # fmt: skip
# British endings and the American ones, taken where the word that they make is one.
_SPELLINGS = (
    (re.compile(r"(?<=\w{3})([iy])s(e|ed|es|er|ers|ing|able|ations?)$"), r"\1z\2"),
    (re.compile(r"(?<=\w{3})our(s|ed|ing|al|able|less|ful|ally)?$"), r"or\1"),
    (re.compile(r"(?<=\w{2}[bt])re(s|d)?$"), r"er\1"),
    (re.compile(r"(?<=\w{3})ll(ed|ing|ers?)$"), r"l\1"),
    (re.compile(r"^sulph"), "sulf"),
)


@dataclass(frozen=True, slots=True)
class Term:
    """A word as it stands in the text, its stem, and its weight from 0 to 1."""

    word: str
    stem: str
    weight: float


@lru_cache(maxsize=8192)
def content_terms(text: str) -> tuple[Term, ...]:
    """The distinct meaningful words of a text, in order, without question words and numbers."""
    terms: dict[str, Term] = {}
    for word in _words(text):
        key = word.lower().strip("'’-_*/")
        if key in _ASKING or not key:
            continue
        stem = stem_of(key)
        weight = weight_of(key)
        if weight > 0 and stem not in terms:
            terms[stem] = Term(word, stem, weight)
    return tuple(terms.values())


@lru_cache(maxsize=8192)
def stems(text: str) -> frozenset[str]:
    """All stems of a text, with the parts of its hyphenated words."""
    found = set()
    for word in _words(text):
        key = word.lower().strip("'’-_*/")
        found.add(stem_of(key))
        found.update(stem_of(part) for part in re.split(r"[-/]", key) if len(part) > 1)
    return frozenset(found)


def coverage(terms: tuple[Term, ...], present: frozenset[str]) -> float:
    """Weighted share (0 to 1) of the terms that are present; 1 for no terms."""
    total = sum(term.weight for term in terms)
    if not total:
        return 1.0
    return sum(term.weight for term in terms if is_present(term, present)) / total


def is_present(term: Term, present: frozenset[str]) -> bool:
    """Whether a term, or every part of a hyphenated one, is among the stems."""
    if term.stem in present:
        return True
    parts = [part for part in re.split(r"[-/]", term.word.lower()) if len(part) > 1]
    return len(parts) > 1 and all(stem_of(part) in present for part in parts)


@lru_cache(maxsize=4096)
def names(text: str) -> frozenset[str]:
    """Acronyms, names with digits and capitalised names inside a sentence, as written.

    A plural s is taken off; the capital of a first word names nothing.
    """
    plain = _without_quantities(text)
    found = {_singular(match.group()) for match in _ACRONYM.finditer(plain)}
    found |= {match.group() for match in _NAME_WITH_DIGIT.finditer(plain)}
    found |= {match.group() for match in _CAPITALISED.finditer(plain)}
    # A question may begin after a colon or a comma: "Ring: What is its field?"
    return frozenset(
        name for name in found if not re.fullmatch(r"[IVX]+|\d.*", name) and name not in _OPENING
    )


def names_in(text: str, name: str) -> bool:
    """Whether a name stands in a text as a word, whatever its case, hyphens or index marks."""
    return bool(_name_pattern(name).search(_plain(text)))


@lru_cache(maxsize=65536)
def stem_of(word: str) -> str:
    """The stem of one lower-case word; spellings of English and element names are unified first."""
    key = re.sub(r"[’']s$", "", word)
    key = _ALIASES.get(key, key)
    return str(_stemmer().stemWord(_american(key).replace("^", "").replace("_", "")))


def _american(word: str) -> str:
    """A word as it is spelt in American English, where it differs by its ending."""
    for pattern, ending in _SPELLINGS:
        spelt = pattern.sub(ending, word)
        if spelt != word and _zipf(spelt) > 0:
            return spelt
    return word


@lru_cache(maxsize=65536)
def weight_of(word: str) -> float:
    """Rarity of a word in English, from 0 (as common as "other") to 1 (as rare as "dipole")."""
    zipf = _zipf(word) if word.isascii() else 0.0
    return min(1.0, max(0.0, (_COMMON_ZIPF - zipf) / (_COMMON_ZIPF - _RARE_ZIPF)))


def _zipf(word: str) -> float:
    from wordfreq import zipf_frequency  # noqa: PLC0415 - reads its table on first use

    return float(zipf_frequency(word, "en"))


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    import Stemmer  # noqa: PLC0415 - a compiled module that only text work needs

    return Stemmer.Stemmer("english")


def _words(text: str) -> list[str]:
    # Indices and powers are part of a name (T^c, Nb_3Sn); their marks are not.
    # An accent that the text layer sets beside its letter is no more than one above it.
    plain = re.sub(r"\s?[\u0300-\u036f]+", "", _without_quantities(text))
    plain = re.sub(r"[\^_]\{?(?=\w)", "", plain).replace("}", "")
    return _WORD.findall(plain)


def _without_quantities(text: str) -> str:
    """The plain form with a blank in place of every number and its unit."""
    plain = plain_form(text)
    pieces, last = [], 0
    for quantity in find_quantities(text):
        pieces.append(plain[last : quantity.start])
        last = quantity.end
    return " ".join([*pieces, plain[last:]])


def _singular(name: str) -> str:
    return name[:-1] if len(name) > 3 and name.endswith("s") and name[-2].isupper() else name


@lru_cache(maxsize=2048)
def _name_pattern(name: str) -> re.Pattern[str]:
    """A name with hyphens and index marks between any of its letters, blanks beside its digits."""
    kept = [part for part in re.split(r"([\s^_{}*\\$-]+)", plain_form(name)) if part]
    pieces: list[str] = []
    for part in kept:
        if re.fullmatch(r"[\s^_{}*\\$-]+", part):
            pieces.append(r"[\s^_{}*\\$-]{0,4}")
            continue
        for place, character in enumerate(part):
            if place:
                turn = character.isdigit() != part[place - 1].isdigit()
                pieces.append(r"[\s^_{}*\\$-]{0,4}" if turn else r"[\^_{}*\\$-]{0,3}")
            pieces.append(re.escape(character))
    end = r"(?!\d)" if name[-1:].isdigit() else r"(?:s\b|(?![^\W\d_]))"
    return re.compile(rf"(?<![^\W\d_]){''.join(pieces)}{end}", re.IGNORECASE)


@lru_cache(maxsize=16384)
def _plain(text: str) -> str:
    return plain_form(text)
