"""Words put together again where a line end had cut them."""

import re
from collections import Counter
from functools import lru_cache

from resources.pdf_layout.encodings import HYPHEN

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_TAIL = re.compile(r"([^\W\d_]+(?:-[^\W\d_]+)*)[\x02-]$")
_HEAD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_COMMON = 2.5  # Zipf frequency of a word that stands on its own


@lru_cache(maxsize=20_000)
def _zipf(word: str) -> float:
    from wordfreq import zipf_frequency  # noqa: PLC0415  (loads its list when first asked)

    return zipf_frequency(word, "en") if word else 0.0


class Vocabulary:
    """The words that one document uses in the middle of its lines."""

    def __init__(self) -> None:
        self.words: Counter[str] = Counter()

    def add(self, line: str) -> None:
        """Counts the whole words of one line."""
        self.words.update(w.lower() for w in _WORD.findall(line.rstrip()[:-1] if line else ""))

    def joined(self, left: str, right: str) -> str:
        """What stands between two parts of a word that a line end divided: nothing or a hyphen."""
        a, b = left.lower(), right.lower()
        together, hyphened = a.rsplit("-", 1)[-1] + b.split("-", 1)[0], f"{a}-{b}"
        if self.words[hyphened] > self.words[a + b]:
            return "-"
        if self.words[a + b]:
            return ""
        first, second = a.rsplit("-", 1)[-1], b.split("-", 1)[0]
        if right[0].isupper() and not left.isupper():
            return "-"
        if _zipf(together) > 0:
            return ""
        if len(first) > 1 and len(second) > 1 and min(_zipf(first), _zipf(second)) >= _COMMON:
            return "-"
        return ""

    def join(self, before: str, after: str) -> tuple[str, str]:
        """`before` as it should end, and the glue, so that before + glue + after reads on."""
        if not before or not after:
            return before, ""
        if before[-1] in (HYPHEN, "-"):
            tail, head = _TAIL.search(before), _HEAD.match(after)
            if tail and head:
                return before[:-1], self.joined(tail.group(1), head.group(0))
            return before[:-1] + "-", ""
        if before[-1] in "–—" and len(before) > 1 and before[-2] != " ":
            return before, ""
        return before, " "
