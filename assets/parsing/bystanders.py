"""Blocks of a paper that are about its authors and not about its subject.

Addresses at the foot of the first page and the lists of a collaboration's members stand among the
paragraphs of whatever section they fall into; no question about physics is answered by them. Each
is told by its own words, so that the rules hold for every parser.
"""

import re
from collections.abc import Iterator, Sequence

from resources.blocks import Block, BlockKind

_MOST_OF_A_NOTE = 45  # words
_SHORT = 4  # words
_FEWEST_OF_A_LIST = 8
_GRAMMAR_OF_A_LIST = 0.08  # most of the words that a list of names and places may have
_CAPITALS_OF_A_LIST = 0.6  # fewest

#: Words that sentences are built with, and that lists of names and places lack.
_GRAMMAR = frozenset(
    "an the is are was were be been we it its to that this these which by with have can "
    "from as our their on not than then will may each between where when such".split()
)
_EMAIL = re.compile(r"[\w.+-]+\s?@[\w-]+\.\w[\w.-]*")
_OF_AN_AUTHOR = re.compile(
    r"\be-?mails?(?: address(?:es)?)?\s?:|\belectronic address|\bcorresponding author|"
    r"\bcorrespondence\s?:|"
    r"\b(?:is|are) with\b|\bmanuscript has been auth",
    re.I,
)
_MARK = r"[\s^{}\d∗*†‡§¶#♯]*"
_SUPPORT = re.compile(rf"{_MARK}(?:this )?work (?:(?:is|was) )?supported\b", re.I)
_FUNDS = re.compile(
    r"contract|grant|award|fund|found|departm|\bdept|alliance|council|agency|ministry", re.I
)
_MOVED = re.compile(
    rf"{_MARK}(?:[Aa]lso at|[Nn]ow at|[Cc]urrently at|(?:[Cc]urrent|[Pp]resent|[Pp]ermanent) "
    r"address)[:\s]+(?:the )?[A-Z]"
)
_IS_WITH = re.compile(r"\b(?:is|are) with (?:the )?[A-Z]")
_SENTENCE = re.compile(r"\b(?:is|are|was|were|be|been|has|have|can|will|we|which)\b")
_ALSO_AT = re.compile(r"\b(?:Also|Now) at\b")
_PLACE = re.compile(
    r"\b(?:universi|institut|istituto|laborator|departm|departament|dipartiment|fakult|facult|"
    r"college|school|academy|centre|center|cern\b|infn\b|collaboration)",
    re.I,
)
_INITIAL = re.compile(r"\b[A-Z]\.(?:\s?-?[A-Z]\.)*\s?[A-Z][\w’'-]+")
_PERSON = re.compile(rf"{_INITIAL.pattern}|^{_MARK}(?:[Tt]he )?[Aa]uthors?\b")
_WORD = re.compile(r"[^\W\d_][\w’'-]*")
_MEMBERS = re.compile(
    r"(?:[A-Z\d]{1,2}\.?\s+|appendix\s+)?(?:the\s+)?[\w-]+\s+collaborations?(?:\s+author list)?$|"
    r"(?:list of )?(?:authors|members)(?: list)?$|author list$",
    re.I,
)
_SECTION = re.compile(
    r"(?:\d{1,2}|[A-Z]|[IVX]+)[.:]?\s|(?i:appendi|supplement|references|bibliography|acknowledg)"
)
_NO_MEMBERS = re.compile(r"international|industr|future|global", re.I)


def without_bystanders(blocks: Sequence[Block]) -> list[Block]:
    """The blocks but those that only name authors, their places and addresses."""
    return [block for block, lists in _in_lists(blocks) if not _is_bystander(block, lists)]


def _in_lists(blocks: Sequence[Block]) -> Iterator[tuple[Block, bool]]:
    """Each block, and whether it stands below a heading that begins a list of members.

    Institutes may be set as headings there: only a numbered one or a known name ends the list.
    """
    lists = False
    for block in blocks:
        if block.kind == BlockKind.HEADING:
            lists = _names_members(block.text) or (lists and not _SECTION.match(block.text))
        yield block, lists


def _names_members(heading: str) -> bool:
    return bool(_MEMBERS.match(heading.strip())) and not _NO_MEMBERS.search(heading)


def _is_bystander(block: Block, in_a_list: bool) -> bool:
    if block.kind != BlockKind.PARAGRAPH:
        return False
    acknowledges = any("acknowledg" in heading.lower() for heading in block.section)
    return is_list_of_people(block.text, in_a_list) or (
        not acknowledges and is_authors_note(block.text)
    )


def is_authors_note(text: str) -> bool:
    """Whether a text is a note on an author: an address, where from, or whose money."""
    words = text.split()
    if len(words) > _MOST_OF_A_NOTE:
        return False
    if _MOVED.match(text) and not _SENTENCE.search(text):
        return True
    if _SUPPORT.match(text) and _FUNDS.search(text):
        return True
    if _IS_WITH.search(text) and _PLACE.search(text) and _PERSON.search(text):
        return True
    if _EMAIL.search(text):
        return bool(_OF_AN_AUTHOR.search(text)) or _grammar(text) <= _GRAMMAR_OF_A_LIST
    return len(words) <= _SHORT and "corresponding author" in text.lower()


def is_list_of_people(text: str, in_a_list: bool = False) -> bool:
    """Whether a text only lists names or places; below a heading that announces such a list also
    where it is short."""
    words = _WORD.findall(text)
    if _grammar(text) > _GRAMMAR_OF_A_LIST and not _ALSO_AT.search(text):
        return False
    long = [word for word in words if len(word) > 1]
    if sum(word[0].isupper() for word in long) < _CAPITALS_OF_A_LIST * len(long):
        return False
    if in_a_list:
        return True
    if _SENTENCE.search(text):
        return False
    named = len(_PLACE.findall(text)) + len(_INITIAL.findall(text))
    return len(words) >= _FEWEST_OF_A_LIST and named >= max(2, 0.06 * len(words))


def _grammar(text: str) -> float:
    words = _WORD.findall(text)
    return sum(word in _GRAMMAR for word in words) / max(1, len(words))
