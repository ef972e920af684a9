"""Words that a line end had cut: put together where GROBID left them apart, and the other way.

GROBID drops the hyphen at a line's end even where it belongs to the word ("topic-based" becomes
"topicbased"), and keeps it in bibliography entries ("Clin- ical"). An English word list decides.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from assets.parsing.tei_find import Match
from resources.pdf_text_layer import PageText

_PARTED = re.compile(r"([^\W\d_]{2,})- ([^\W\d_]{2,})")
_WORD_END = re.compile(r"[^\W\d_]+$")
_WORD_START = re.compile(r"[^\W\d_]+")
_HYPHENS = frozenset("\x02-\u2010\u00ad")
_LONGEST_WORD = 40


def mended(line: str) -> str:
    """A printed line with the words put together that a line end had parted."""
    return _PARTED.sub(lambda cut: f"{cut[1]}{_glue(cut[1].lower(), cut[2].lower())}{cut[2]}", line)


def with_hyphens(
    text: str, matches: Sequence[Match], pages: Sequence[PageText]
) -> tuple[str, list[int]]:
    """The text with the hyphens that belong to its words, where the page cuts them at one.

    Returns it with the new offset of each old one, the end included.
    """
    cuts = [
        right.offset
        for left, right in pairwise(matches)
        if right.offset == left.offset + 1
        and right.page == left.page
        and right.place - left.place > 1
        and _is_cut(pages[left.page].text[left.place + 1 : right.place])
        and _belongs(text, right.offset)
    ]
    pieces = [text[start:end] for start, end in pairwise([0, *cuts, len(text)])]
    moved: list[int] = []
    for added, piece in enumerate(pieces):
        moved += range(len(moved) + added, len(moved) + added + len(piece))
    return "-".join(pieces), [*moved, len(text) + len(cuts)]


def _is_cut(between: str) -> bool:
    return between[0] in _HYPHENS and not between[1:].strip()


def _belongs(text: str, cut: int) -> bool:
    """Whether the hyphen at which a word of the text was cut is the word's own."""
    left = _WORD_END.search(text[max(cut - _LONGEST_WORD, 0) : cut])
    right = _WORD_START.match(text, cut, cut + _LONGEST_WORD)
    return bool(left and right and _glue(left.group().lower(), right.group().lower()))


@lru_cache(maxsize=4096)
def _glue(left: str, right: str) -> str:
    """What stands between two parts of a word: a hyphen where only the parts are English words."""
    from wordfreq import zipf_frequency  # noqa: PLC0415 - loads its list when first asked

    if zipf_frequency(left + right, "en") > 0:
        return ""
    return "-" if min(zipf_frequency(part, "en") for part in (left, right)) > 0 else ""
