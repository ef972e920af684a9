"""Comparisons that a question takes for granted, and sentences that turn them round.

"Why is A stronger in X than in Y?" supposes that it is. A sentence denies it that compares the
same two things by the same attribute the other way, in words or by the numbers of both; and "A does
this, while B does that" is denied by a sentence that gives the number, or the attributes, of one to
the other.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from assets.answering.asked_numbers import asked_dimensions
from assets.answering.quantities import Dimensions, Quantity, find_quantities, same_quantity
from assets.answering.reading import Found
from assets.answering.supposed import (
    AROUND_SHARE,
    NEAR,
    OBJECT_SHARE,
    Supposed,
    at_least,
    meant,
    resolved,
)
from assets.answering.terms import content_terms, names, stem_of, stems

_COMPARED_SHARE = 0.20
_OUTDONE = re.compile(
    r"\b(?:not competitive with|inferior to|outperformed by|outweighed by)\s+"
    r"(?P<other>[^,;?]{2,80})",
    re.IGNORECASE,
)
_UP = r"higher|larger|greater|bigger|stronger|more|faster|longer|thicker|better|hotter|heavier"
_DOWN = r"lower|smaller|weaker|less|fewer|slower|shorter|thinner|worse|colder|lighter|cheaper"
_OPPOSITE = {
    "higher": "lower", "larger": "smaller", "greater": "smaller", "bigger": "smaller",
    "stronger": "weaker", "more": "less", "faster": "slower", "longer": "shorter",
    "thicker": "thinner", "better": "worse", "hotter": "colder", "heavier": "lighter",
}  # fmt: skip
_OF_ANY_SCALE = frozenset(
    ("more", "less", "fewer", "higher", "lower", "greater", "larger", "smaller")
)
_PRICE = frozenset(("cost", "price", "expens", "cheaper", "cheap"))
COMPARED = re.compile(
    rf"\b(?P<way>{_UP}|{_DOWN})\b(?P<what>[^,;?]{{0,60}}?)"
    r"(?P<this>\b(?:in|for|at|with|of|on|under|during)\s[^,;?]{1,40}?)?\s+"
    r"(?:than|with respect to|compared (?:to|with))\s+(?P<other>[^,;?]{2,60})",
    re.IGNORECASE,
)
_MAGNETIC: Dimensions = (("T", 1),)
_ELECTRIC: frozenset[Dimensions] = frozenset({(("V", 1), ("m", -1)), (("eV", 1), ("m", -1))})
_CONTRAST = re.compile(r",?\s*\b(?:while|whereas|but)\b\s*", re.IGNORECASE)
_HALVES = re.compile(r",?\s*\b(?:while|whereas|but|and|versus|against)\b\s*|;\s*", re.IGNORECASE)


def other_way_round(supposed: Supposed, one: Found) -> float:
    """A comparison that the sentence turns round, in words or by numbers in the same order."""
    asked = COMPARED.search(supposed.question)
    if not asked:
        return 0.0
    upward = bool(re.fullmatch(_UP, asked["way"], re.IGNORECASE))
    subject = asked["this"] or supposed.question[: asked.start()]
    this, other = _apart(subject, asked["other"])
    if not asked["this"]:
        # Of a subject with its verb, the names alone must stand in the sentence.
        this = {stem_of(name.lower()) for name in names(subject)} & this or this
    share = supposed.share(resolved(one))
    if not this or not other or share < _COMPARED_SHARE:
        return 0.0
    what = {term.stem for term in content_terms(f"{asked['way']} {asked['what']}")}
    if what <= {"less", "more"}:
        what |= {term.stem for term in content_terms(supposed.question[: asked.start()])}
    what |= _PRICE if what & _PRICE else set()
    told = stems(one.text)
    rest = {term.stem for term in supposed.terms} - this - other - what
    attribute = {term.stem for term in content_terms(asked["what"])} - this - other
    if attribute & told:
        compared = 2 * len(attribute & told) >= len(attribute)
    else:
        compared = bool(rest & told)
    turned = compared and _turned_in_numbers(
        one.text, this, other, upward, _measured(f"{asked['way']} {asked['what']} {subject}")
    )
    if what & told or _same_scale(asked["way"], one.text):
        turned = turned or _turned_in_words(one.text, this, other, asked)
    turned = turned or (upward and _outdone(one.text, this, other, supposed.question))
    return share if turned else 0.0


def _measured(attribute: str) -> frozenset[Dimensions]:
    """What numbers of an attribute measure; a field may be an electric one as well."""
    wanted = asked_dimensions(f"how large is the {attribute}")
    return wanted | _ELECTRIC if _MAGNETIC in wanted else wanted


def _outdone(text: str, this: set[str], other: set[str], question: str) -> bool:
    """Whether a text has "this is not competitive with the other"."""
    said = _OUTDONE.search(text)
    if not said:
        return False
    left, right = meant(text[: said.start()], question), meant(said["other"], question)
    return bool(this & left) and other <= right and not other <= left


def _same_scale(way: str, text: str) -> bool:
    """Whether a text compares by the same adjective or its opposite."""
    said = COMPARED.search(text)
    return said is not None and _same_way(way, said["way"])


def _same_way(one: str, other: str) -> bool:
    """Whether two adjectives compare the same, the same way or the other way round."""
    one, other = one.lower(), other.lower()
    if {one, other} <= _OF_ANY_SCALE:
        return True
    return one == other or _OPPOSITE.get(one) == other or _OPPOSITE.get(other) == one


def _turned_in_numbers(
    text: str, this: set[str], other: set[str], upward: bool, wanted: frozenset[Dimensions]
) -> bool:
    """Numbers of two things the wrong way round: in their order, or each beside its own.

    They must measure what is compared, where the question tells.
    """
    first, second = _place_of(text, this), _place_of(text, other)
    if first < 0 or second < 0:
        return False
    if re.search(r"\brespectively\b", text):
        pairs = [
            (one, two) if first < second else (two, one)
            for one, two in pairwise(find_quantities(text))
        ]
    else:
        halves = _HALVES.split(text)
        own, others = _apart_in(halves, this, other)
        pairs = [
            (one, two)
            for half, rival in zip(own[:1], others[:1], strict=False)
            for one, two in zip(find_quantities(half), find_quantities(rival), strict=False)
        ]
    for one, two in pairs:
        if wanted and one.unit.dimensions not in wanted:
            continue
        if one.unit.dimensions and one.unit.dimensions == two.unit.dimensions:
            return one.size != two.size and (one.size > two.size) != upward
    return False


def _apart_in(
    halves: Sequence[str], this: set[str], other: set[str]
) -> tuple[list[str], list[str]]:
    """The parts of a sentence that speak of `this`, and those that speak of `other`.

    A word of `other` that stands beside `this` as well ("can operate in CW mode, and in pulsed
    operation") tells them not apart.
    """
    own = [half for half in halves if this & stems(half) and not other <= stems(half)]
    left = other - frozenset().union(*map(stems, own))
    return own, [half for half in halves if left & stems(half) and not this & stems(half)]


def _turned_in_words(text: str, this: set[str], other: set[str], asked: re.Match[str]) -> bool:
    """The same comparison of two things the other way, in words."""
    said = COMPARED.search(text)
    if not said or not _same_way(asked["way"], said["way"]):
        return False
    attribute = {term.stem for term in content_terms(asked["what"])}
    near = " ".join([*text[: said.start()].split()[-NEAR:], said["what"]])
    if attribute and not attribute & stems(near):
        return False
    upward = bool(re.fullmatch(_UP, asked["way"], re.IGNORECASE))
    up = bool(re.fullmatch(_UP, said["way"], re.IGNORECASE))
    right = stems(said["other"])
    # What is compared stands in the same brackets, or the same part of the sentence.
    begins = max(text.rfind(mark, 0, said.start()) for mark in "(;:") + 1
    left = stems(text[begins : said.start("other")]) - right
    if this <= left and other <= right:
        return up != upward
    return other <= left and this <= right and up == upward


def swapped(supposed: Supposed, one: Found) -> float:
    """A number that the question gives to one of two things, and the sentence to the other."""
    halves = _CONTRAST.split(supposed.question)
    said = [half for half in _HALVES.split(one.text) if half.strip()]
    if len(halves) != 2:
        return 0.0
    both = ((halves[0], halves[1]), (halves[1], halves[0]))
    if not any(
        _gives_to_other(own, rival, said) or _attributed_to_other(own, rival, one.text)
        for own, rival in both
    ):
        return 0.0
    return at_least(AROUND_SHARE, supposed.share(resolved(one)))


def _attributed_to_other(own: str, rival: str, text: str) -> bool:
    """Whether a sentence says of what only `rival` names most of what `own` says, and not of it."""
    mine, others = _apart(own, rival)
    my_names = {stem_of(name.lower()) for name in names(own)} & mine
    other_names = {stem_of(name.lower()) for name in names(f"so {rival}")} & others
    said, attributes = stems(text), mine - my_names
    return bool(
        my_names
        and other_names
        and len(attributes) >= 2
        and len(attributes & said) >= max(2, OBJECT_SHARE * len(attributes))
        and other_names & said
        and not my_names & said
    )


def _gives_to_other(own: str, rival: str, said: Sequence[str]) -> bool:
    """Whether a number of `own` stands with what only `rival` names, apart from what `own` does."""
    mine, others = _apart(own, rival)
    for number in find_quantities(own):
        for half in said:
            rest = frozenset().union(*(stems(other) for other in said if other is not half))
            if _holds(half, number) and others & stems(half) and mine & (rest - stems(half)):
                return True
    return False


def _apart(this: str, other: str) -> tuple[set[str], set[str]]:
    """Stems of each of two phrases that the other does not hold."""
    own = {term.stem for term in content_terms(this)}
    others = {term.stem for term in content_terms(other)}
    return own - others, others - own


def _place_of(text: str, wanted: set[str]) -> int:
    """Where the first word of `wanted` stands in a text, -1 where none does."""
    places = (m.start() for m in re.finditer(r"[\w’'-]+", text) if stems(m.group()) & wanted)
    return next(places, -1)


def _holds(text: str, number: Quantity) -> bool:
    return any(same_quantity(number, other) for other in find_quantities(text))
