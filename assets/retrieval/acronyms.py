"""Acronyms that a corpus defines itself: "beam-induced background (BIB)".

After A. S. Schwartz and M. A. Hearst, "A simple algorithm for identifying abbreviation
definitions in biomedical text", PSB 2003: the long form stands before the bracket, and the short
form's characters are found in it from right to left, the first one at the start of a word.
"""

import re
from collections import Counter
from collections.abc import Iterable

_BRACKET = re.compile(r"\(\s*([A-Za-z][A-Za-z0-9&/+-]{1,9}?)(s?)\s*[);,]")
_MARKS = re.compile(r"[()|^~=<>]")
_PUNCTUATION = " ,.;:-–—'\"“”‘’"


def acronyms_in(texts: Iterable[str]) -> dict[str, str]:
    """Short form → long form for the definitions in `texts`; the commonest long form wins."""
    found: dict[str, Counter[str]] = {}
    for text in texts:
        for short, long in definitions(text):
            found.setdefault(short, Counter())[" ".join(long.lower().split())] += 1
    return {
        short: min(counts, key=lambda long: (-counts[long], long))
        for short, counts in sorted(found.items())
    }


def definitions(text: str) -> list[tuple[str, str]]:
    """(short form, long form) of every definition in a text, in order."""
    pairs = []
    for match in _BRACKET.finditer(text):
        short = match[1]
        if sum(character.isupper() for character in short) < 2:
            continue
        most = min(len(short) + 5, 2 * len(short))
        before = text[max(0, match.start() - 200) : match.start()]
        candidate = " ".join(re.split(r"[.;:()\[\]\n]\s", before)[-1].split()[-most:])
        long = _long_form(short, candidate)
        if long:
            pairs.append((short, long))
    return pairs


def _long_form(short: str, candidate: str) -> str:
    """The shortest end of `candidate` that spells `short`, or "" where none does."""
    place = len(candidate)
    for index in range(len(short) - 1, -1, -1):
        letter = short[index].lower()
        if not letter.isalnum():
            continue
        place -= 1
        while place >= 0 and (
            candidate[place].lower() != letter
            or (index == 0 and place > 0 and candidate[place - 1].isalnum())
        ):
            place -= 1
        if place < 0:
            return ""
    long = candidate[place:].strip(_PUNCTUATION)
    words = re.split(r"[\s-]+", long)
    fits = (
        2 <= len(words) <= len(short) + 5
        and short.lower() not in long.lower().split()
        and not _MARKS.search(long)
    )
    return long if fits else ""
