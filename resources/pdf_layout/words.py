"""Words put together again where a line end had cut them.

A hyphen at a line end is either the typesetter's, and goes, or the word's own, and stays. The
document decides where it uses the word in the middle of a line; then a list of English words does.
"""

import re
from collections import Counter
from functools import lru_cache

from resources.pdf_layout.encodings import HYPHEN

_SOFT = "\u00ad"
_PART = r"[^\W\d_]+(?:['’][^\W\d_]+)?"
_WORD = re.compile(rf"{_PART}(?:-{_PART})*")
_TAIL = re.compile(rf"({_PART}(?:-{_PART})*)[\x02\u00ad-]$")
_HEAD = re.compile(rf"{_PART}(?:-{_PART})*")
_ADDRESS_TAIL = re.compile(r"(?:https?://|www\.|doi\.org|10\.\d{4,})\S*$")
_ADDRESS_HEAD = re.compile(r"[^\s(\[]*(?:[/=&?%_]|\w\.\w)\S*")
_REACH = 60  # characters before a line end in which its last word begins
_ADDRESS_REACH = 300
# Frequencies on the Zipf scale (occurrences in a billion words, base-10 logarithm).
_OWN_WORD = 3.0  # from which a part is a word of its own,
_SHORT_WORD = 6.0  # also one of two letters,
_COMMON_WORD = 4.0  # a common one,
_RARE_WORD = 1.5  # or a word at all
_PREFIXES = frozenset(
    "anti auto bi co counter cryo de di electro ferro hyper infra inter intra iso macro magneto "
    "meso meta micro mono multi nano non over para photo piezo poly post pre pro proto pseudo "
    "quasi radio re semi sub super supra syn tele thermo trans tri ultra un under uni".split()
)
_OPEN_PREFIXES = frozenset({"non", "quasi", "self", "post", "ex"})
_SUFFIXES = (
    "s es ed er ers ing ings tion tions sion sions ment ments ness able ible ally ity ities ive "
    "ous ence ance ent ant ial ical ic ics ism ist ize ized izing ise ised ising ly al ary ation "
    "ations ator ators ure ures age ages ful less ship tor tors ter ters der ders ber bers ger gers"
)
_ENDINGS = frozenset(_SUFFIXES.split())


@lru_cache(maxsize=50_000)
def _zipf(word: str) -> float:
    """Frequency of an English word on the Zipf scale, 0 for an unknown one."""
    from wordfreq import zipf_frequency  # noqa: PLC0415  (loads its list when first asked)

    return zipf_frequency(word, "en") if word else 0.0


def _is_acronym(part: str) -> bool:
    return sum(c.isupper() for c in part) > 1


def _is_symbol(part: str) -> bool:
    """Whether a part may be a chemical symbol such as Nb."""
    return len(part) == 2 and part[0].isupper()


class Vocabulary:
    """The words that one document uses in the middle of its lines."""

    def __init__(self) -> None:
        self._words: Counter[str] = Counter()

    def add(self, line: str) -> None:
        """Counts the whole words of one line; what a hyphen cuts at its end is none."""
        cut = _TAIL.search(line, max(0, len(line) - _REACH))
        self._words.update(w.lower() for w in _WORD.findall(line[: cut.start()] if cut else line))

    def glue(self, left: str, right: str) -> str:
        """What belongs between two parts of a word that a line end divided: "" or "-"."""
        a, b = left.lower(), right.lower()
        hyphened, closed = self._words[f"{a}-{b}"], self._words[a + b]
        if hyphened != closed:
            return "-" if hyphened > closed else ""
        first, second = a.rsplit("-", 1)[-1], b.split("-", 1)[0]
        if a != first or b != second:
            hyphened, closed = self._words[f"{first}-{second}"], self._words[first + second]
            if hyphened != closed:
                return "-" if hyphened > closed else ""
        if right[0].isupper() and not (left.isupper() and right[:2].isupper()):
            return "-"
        stem = left.rsplit("-", 1)[-1]
        if not _zipf(first + second) and (
            (_is_acronym(stem) and len(stem) > 2)
            or (_is_symbol(stem) and _zipf(second) >= _OWN_WORD)
        ):
            return "-"
        return self._by_list(first, second)

    def _by_list(self, first: str, second: str) -> str:
        together = _zipf(first + second)
        if len(first) == 1:
            return "" if together >= 1.0 and first not in "xyzptn" else "-"
        if together > 0 and (together >= min(_zipf(first), _zipf(second)) - 2.5):
            return ""
        if first in _OPEN_PREFIXES and len(second) > 3:
            return "" if together else "-"
        if first in _PREFIXES or second in _ENDINGS:
            return ""
        if min(len(first), len(second)) >= 5 and min(_zipf(first), _zipf(second)) >= _RARE_WORD:
            return "" if together else "-"
        if self._known(first) and self._known(second):
            return "-"
        # A common word before a rare one ("high-luminosity"), where they are no one word.
        common = _zipf(first) >= _COMMON_WORD and len(first) > 2
        return "-" if common and not together and _zipf(second) >= _RARE_WORD else ""

    def _known(self, part: str) -> bool:
        """Whether a part is a word of its own, in the language or in this document."""
        if len(part) < 3:
            return len(part) == 2 and _zipf(part) >= _SHORT_WORD
        return _zipf(part) >= _OWN_WORD or self._words[part] >= 2

    def join(self, before: str, after: str) -> tuple[str, str]:
        """`before` as it should end, and the glue, so that before + glue + after reads on."""
        if not before or not after:
            return before, ""
        if before[-1] in (HYPHEN, "-", _SOFT):
            tail, head = _TAIL.search(before[-_REACH:]), _HEAD.match(after)
            if before[-1] == _SOFT:
                return before[:-1], ""
            if _ADDRESS_TAIL.search(before[-_ADDRESS_REACH:-1]):
                return before[:-1] + "-", ""
            if tail and head:
                return before[:-1], self.glue(tail.group(1), head.group(0))
            if before[-2:-1] == " " or len(before) == 1:
                return before[:-1] + "-", " "
            return before[:-1] + "-", ""
        if before[-1] in "–—" and len(before) > 1 and before[-2] != " ":
            return before, ""
        if _ADDRESS_TAIL.search(before[-_ADDRESS_REACH:]) and _goes_on(before, after):
            return before, ""
        return before, " "


def _goes_on(before: str, after: str) -> bool:
    """Whether an address that fills its line to the end goes on in the next one."""
    head = after.split(maxsplit=1)[0]
    return before[-1] in "/-_=&?%" or bool(_ADDRESS_HEAD.fullmatch(head))
