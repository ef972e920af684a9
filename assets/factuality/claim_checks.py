"""What code can check of a claim that a model gave, without believing the model.

Each claim is held against its own chunk: the quote stands there verbatim (`locate_quote`), every
number of the claim stands there and at least half its words do (`is_supported`). Sentences that
speak to a model (`assets.parsing.injection`) are taken out first: they are neither shown to it nor
accepted as a quote or as support. What holds whatever a passage says is the rest: a claim can only
say again, with the numbers of its own chunk, what words of that chunk carry.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from assets.factuality.records import Claim
from assets.parsing.injection import BLACK, addresses_a_model, redacted

LOWEST_SCORE, HIGHEST_SCORE = 0.2, 1.0
_MINIMUM_QUOTE_WORDS = 3
_MINIMUM_WORD_SUPPORT = 0.5
_PREFIX = 5  # letters that "cooled", "cooler" and "cooling" share, near enough to a stem

_INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
_FOLD = str.maketrans(
    "\u2010\u2011\u2012\u2013\u2014\u2212\u2018\u2019\u201a\u201c\u201d\u201e\u00b5\u03f5",
    "------'''\"\"\"\u03bc\u03b5",
)


_THOUSANDS = re.compile(r"(?<=\d)[,\u2009\u202f\u00a0 ](?=\d{3}(?!\d))")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_WORD = re.compile(r"[^\W\d_]{4,}")
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", "01234567890123456789")
_COUNT_WORDS = {
    "one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0,
    "seven": 7.0, "eight": 8.0, "nine": 9.0, "ten": 10.0, "eleven": 11.0, "twelve": 12.0,
}  # fmt: skip
_COUNT = re.compile(rf"\b(?:{'|'.join(_COUNT_WORDS)})\b")


def checked_claim(claim: str, quote: str, prob_fact: float, text: str) -> Claim | None:
    """The claim with its quote as it stands in `text`, or None where any check fails."""
    claim = " ".join(claim.split())
    sayings = redacted(text)
    span = locate_quote(quote, sayings)
    if not claim or span is None or not LOWEST_SCORE <= prob_fact <= HIGHEST_SCORE:
        return None
    if (
        BLACK in sayings[slice(*span)]
        or addresses_a_model(claim)
        or not is_supported(claim, sayings)
    ):
        return None
    return Claim(claim, text[slice(*span)], prob_fact)


def locate_quote(quote: str, text: str) -> tuple[int, int] | None:
    """Where in `text` the words of `quote` stand (start, end), or None.

    White space, the shapes of dashes and quotation marks, invisible characters and case may
    differ; digits, superscripts and words may not. A match must not begin or end inside a word or
    a number ("of 10" is no quote of "of 10³" or "of 10.5"), and holds three words or more.
    """
    folded, places = _fold(text)
    wanted = _fold(quote)[0].strip()
    for candidate in (wanted, wanted.strip("\"' "), wanted.strip("\"'. ")):
        if len(candidate.split()) < _MINIMUM_QUOTE_WORDS:
            continue
        for start in _occurrences(candidate, folded):
            end = start + len(candidate)
            if not _cuts(folded, start) and not _cuts(folded, end):
                return places[start], places[end - 1] + 1
    return None


def is_supported(claim: str, text: str) -> bool:
    """True where all numbers of `claim`, and at least half its words, stand in `text`.

    Numbers are compared by value, digit groups with or without separators, small counts in words
    or digits. Words are those of four letters or more, compared by their first five letters.
    """
    numbers = _numbers(text)
    if not (_plain_numbers(claim) <= numbers or _plain_numbers(_joined(claim)) <= numbers):
        return False
    words = {word[:_PREFIX] for word in _WORD.findall(claim.lower())}
    known = {word[:_PREFIX] for word in _WORD.findall(text.lower())}
    return not words or len(words & known) >= _MINIMUM_WORD_SUPPORT * len(words)


@lru_cache(maxsize=128)
def _fold(text: str) -> tuple[str, tuple[int, ...]]:
    """`text` with its look evened out, and for each character its place in `text`."""
    folded: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        if character in _INVISIBLE:
            continue
        shown = character.translate(_FOLD)
        if shown.isspace():
            if folded and folded[-1] == " ":
                continue
            shown = " "
        elif len(shown.lower()) == 1:
            shown = shown.lower()
        folded.append(shown)
        places.append(place)
    return "".join(folded), tuple(places)


def _occurrences(needle: str, haystack: str) -> Iterator[int]:
    start = haystack.find(needle)
    while start >= 0:
        yield start
        start = haystack.find(needle, start + 1)


def _cuts(text: str, place: int) -> bool:
    """True where `place` stands inside a word or a number of `text`."""
    before, after = text[place - 1 : place], text[place : place + 1]
    if before.isalnum() and after.isalnum():
        return True
    number_goes_on = before.isdigit() and after in set(".,^") and text[place + 1 :][:1].isdigit()
    number_began = after.isdigit() and before in set(".,^") and text[: place - 1][-1:].isdigit()
    return number_goes_on or number_began


def _numbers(text: str) -> set[float]:
    counts = {_COUNT_WORDS[word] for word in _COUNT.findall(text.lower())}
    return _plain_numbers(text) | _plain_numbers(_joined(text)) | counts


def _plain_numbers(text: str) -> set[float]:
    spaced = re.sub(r"(?<=[0-9])(?=[⁰¹²³⁴⁵⁶⁷⁸⁹₀-₉])", " ", text).translate(_RAISED)
    return {float(number) for number in _NUMBER.findall(spaced)}


def _joined(text: str) -> str:
    return _THOUSANDS.sub("", text)
