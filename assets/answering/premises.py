"""What a question takes for granted, and sentences of the papers that deny it.

"Why is A stronger in X than in Y?" supposes that it is. Eight kinds of denial are known, each a
rule over words and numbers, none of which needs a model:

* absence: "A was not observed in X";
* impossibility: "the process cannot be used on X";
* plain denial: "A is not a limit", where the question says so;
* independence: "A is insensitive to B", where the question supposes that B changes A;
* no need: "B need not be known", where the question supposes that it must; and the reverse, "B is
  needed even then", where the question supposes that it is not;
* the other way round: "A is lower in X than in Y", in words or by the numbers of both;
* another value: a number of the same kind beside the same word, where a "why" gives one;
* the other choice: papers that speak of Y with the subject, and never of X, where the question
  supposes that X was chosen instead of Y.

A denial must hold a good part of what the question is about (weighted by rarity among the
sentences read), the part that the rule is about must stand where it denies, and a question that is
itself negative, or that asks whether ("is A seen?"), supposes nothing that a denial could touch.
What is not found here: a premise that the papers contradict only by inference.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from assets.answering.quantities import (
    Dimensions,
    Quantity,
    asked_dimensions,
    find_quantities,
    plain_form,
    same_quantity,
)
from assets.answering.reading import Found, reweighted
from assets.answering.terms import (
    Term,
    content_terms,
    coverage,
    is_present,
    names,
    names_in,
    stem_of,
    stems,
)

# Shares of the question's weighted terms that a denial must hold; set on the questions of
# `python -m benchmarks.fit_answers` so that no question with an answer is touched.
ABSENT_SHARE = 0.40
IMPOSSIBLE_SHARE = 0.50
DENIED_SHARE = 0.70
OBJECT_SHARE = 0.60  # of what the question says is needed, or is not
_AROUND_SHARE = 0.25
_COMPARED_SHARE = 0.20
VALUE_SHARE = 0.50
_ABOUT = 0.7  # ratio of two values from which they are about the same
_MOST_DENYING_WORDS = 60  # more of them are a table that was taken for a sentence
_LEAST_TERMS = 3  # of the question, in the denying sentence itself
_LEAST_RESOLVED = 4  # with the sentence before it, where it points back
_NEAR = 4  # words before a number that say what it is of
_LABELS = frozenset(("eV",))  # units that name a machine rather than give a value
_MOST_OBJECT_WORDS = 9
_TELLING = 0.4  # weight of a word that may name a thing

_NEGATIVE = re.compile(
    r"\b(?:not|no|never|neither|nor|none|cannot|without|unable|impossible|impractical"
    r"|insensitive|independent|absen(?:t|ce)|avoid\w*|fail\w*|unknown)\b|n[’']t\b|\bnon-",
    re.IGNORECASE,
)
_ASKS_WHETHER = re.compile(
    r"(?:^|[,;:–]\s*(?:and|or|but)?\s*|\band\s+)"
    r"(?:is|are|was|were|do|does|did|can|could|has|have|will|would|should)\s",
    re.IGNORECASE,
)
_NOT_THERE = re.compile(
    r"\b(?:not|never)\s+(?:(?:been|yet|be)\s+)*(?:observed|seen|found|detected|present|occur\w*"
    r"|exist\w*|appear\w*)\b",
    re.IGNORECASE,
)
_NONE_OF = re.compile(r"\b(?:neither|no|absence of|free of)\s+(?P<what>\w[\w-]*)", re.IGNORECASE)
_IMPOSSIBLE = re.compile(
    r"\b(?:cannot|can not|could not|impossible|unable|unsuitable|ruled out|incompatible"
    r"|not (?:be )?(?:possible|feasible|suitable|applicable|allowed|used|applied|practical))\b",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"(?<!and )(?<!but )\b(?:not|never)(?! (?:only|just|necessarily|yet))\s+"
    r"(?P<what>(?:[\w-]+\s+){0,2}[\w-]+)",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"\b(?:when|if|as|with|by|after|under|depends? on|sensitive to)\s+(?P<cause>[^,;?]+)",
    re.IGNORECASE,
)
_INDEPENDENT = re.compile(
    r"\b(?:(?:independent|irrespective|regardless) of|insensitive to|unaffected by|unchanged"
    r"|(?:do|does|did|is|are|was|were) not (?:depend|affect\w*|influenc\w*|sensitive|chang\w*)"
    r"|(?:no|negligible|minimal|little|marginal) (?:effect|influence|impact|dependence|change))\b",
    re.IGNORECASE,
)
_NO_NEED = re.compile(
    r"\b(?:(?:not|no longer|without)\s+(?:need\w*|requir\w*|rely\w*|necessary|presuppos\w*"
    r"|depend\w*|know\w*)|no need|need not|without (?:the need|prior|any prior))\b",
    re.IGNORECASE,
)
_NEEDED = re.compile(
    r"\b(?:needed|required|necessary|indispensable|essential|unavoidable)\b", re.IGNORECASE
)
# "How many" and "how long" suppose less than "how does it".
_EXPLAINS = re.compile(
    r"\b(?:why|since|because|given that|how (?:do|does|did|can|could))\b", re.IGNORECASE
)
# What is said to be done can be said to be impossible; what is said to be had cannot.
_PROCESS = re.compile(
    r"\b(?:is|are|was|were|be|been)\s+(?:[\w-]+\s+){0,4}?\w+(?:ed|wn|lt|nt)\b", re.I
)
_COMPARES = re.compile(r"\b(?:compare|comparison|differences?)\b", re.IGNORECASE)
_SUPPOSES_CHANGE = re.compile(
    r"\b(?:weaker|stronger|higher|lower|larger|smaller|greater|slower|faster|longer|shorter"
    r"|worse|better|depend\w*|chang\w*|affect\w*|increas\w*|decreas\w*|rais\w*|rises?|falls?"
    r"|grow\w*|shrink\w*|scales?|var(?:y|ies)|improv\w*|degrad\w*|influenc\w*|reduc\w*|lose"
    r"|loses?|gains?)\b",
    re.IGNORECASE,
)
_SUPPOSES_NEED = re.compile(
    r"\bonly (?:once|if|when|after|with)\b|\b(?:needs?|requires?|required|necessary|depends? on"
    r"|rel(?:y|ies) on|presupposes?|must|ha(?:s|ve) to)\b",
    re.IGNORECASE,
)
_SUPPOSES_NO_NEED = re.compile(
    r"\b(?:unnecessary|superfluous|needless|obsolete|redundant|dispensable"
    r"|(?:eliminat|avoid|remov|obviat)\w* the need for|dispens\w* with|do(?:es)? away with)\b",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"\b(?:choose|chose|chosen|use|uses|used|using|adopt\w*|prefer\w*|select\w*|employ\w*|rely on"
    r"|opt(?:ed)? for|go(?:es)? for|built? (?:on|with))\s+(?P<this>[^,;?]{3,60}?)\s+(?:instead of"
    r"|rather than|in place of|in preference to)\s+(?P<other>[^,;?]{3,60}?)"
    r"(?=\s+(?:for|to|in|at|on|as|when|with|by)\b|[,;?]|$)",
    re.IGNORECASE,
)
_CHOSEN_INSTEAD = re.compile(
    r"\b(?:is|are|was|were)\s+(?P<this>[^,;?]{3,50}?)\s+(?:used|chosen|preferred|selected|employed"
    r"|adopted)\s+(?:\w+ ){0,3}?(?:instead of|rather than|in place of|in preference to)\s+"
    r"(?P<other>[^,;?]{3,60}?)(?=\s+(?:for|to|in|at|on|as|when|with|by)\b|[,;?]|$)",
    re.IGNORECASE,
)
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
_COMPARED = re.compile(
    rf"\b(?P<way>{_UP}|{_DOWN})\b(?P<what>[^,;?]{{0,60}}?)"
    r"(?P<this>\b(?:in|for|at|with|of|on|under|during)\s[^,;?]{1,40}?)?\s+"
    r"(?:than|with respect to|compared (?:to|with))\s+(?P<other>[^,;?]{2,60})",
    re.IGNORECASE,
)
_RISES = re.compile(rf"\b(?:{_UP}|increas\w*|rises?|rose|grows?|climbs?)\b", re.IGNORECASE)
_SINKS = re.compile(rf"\b(?:{_DOWN}|decreas\w*|drops?|dropped|falls?|fell)\b", re.IGNORECASE)
_BOUNDED = re.compile(
    r"\b(?:above|below|over|under|beyond|up to|at least|at most|(?:more|less) than)\s+(?:about )?$",
    re.IGNORECASE,
)
_IN_PART = re.compile(
    r"\bnot (?:always|fully|completely|entirely|all|every|generally)\b"
    r"|\b(?:up to|below|unless|if|when|as long as)\b",
    re.IGNORECASE,
)
_CONTRAST = re.compile(r",?\s*\b(?:while|whereas|but)\b\s*", re.IGNORECASE)
_HALVES = re.compile(r",?\s*\b(?:while|whereas|but|and|versus|against)\b\s*|;\s*", re.IGNORECASE)
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
class _Supposed:
    """A question and the terms it is about, weighted by rarity among the sentences."""

    question: str
    terms: tuple[Term, ...]
    negative: bool

    def share(self, text: str) -> float:
        """Weighted share of the question's terms that a text holds."""
        return coverage(self.terms, meant(text, self.question))


_Rule = Callable[[_Supposed, Found], float]


def denial(question: str, sentences: Sequence[Found]) -> Found | None:
    """The sentence that most plainly denies what the question takes for granted, or None."""
    if not sentences or _ASKS_WHETHER.search(question) or _COMPARES.search(question):
        return None
    held = [meant(sentence.text, question) for sentence in sentences]
    terms = reweighted(content_terms(question), held)
    if len(terms) < _LEAST_TERMS:
        return None
    supposed = _Supposed(question, terms, bool(_NEGATIVE.search(question)))
    found = [
        (strength, -place, sentence)
        for place, sentence in enumerate(sentences)
        if len(sentence.text.split()) <= _MOST_DENYING_WORDS
        if _speaks_of_it(terms, held[place], meant(_resolved(sentence), question))
        for rule in _RULES
        if (strength := rule(supposed, sentence)) > 0
    ]
    chosen = max(found, default=None, key=lambda one: one[:2])
    return chosen[2] if chosen else _other_choice(supposed, sentences)


def _speaks_of_it(terms: tuple[Term, ...], own: frozenset[str], resolved: frozenset[str]) -> bool:
    """Whether a sentence holds enough of a question's words to deny it rather than another."""
    needed = min(_LEAST_TERMS, len(terms) - 1)
    return (
        sum(is_present(term, own) for term in terms) >= needed
        or sum(is_present(term, resolved) for term in terms) >= _LEAST_RESOLVED
    )


def _absence(supposed: _Supposed, one: Found) -> float:
    if supposed.negative or not _EXPLAINS.search(supposed.question):
        return 0.0
    asked = {term.stem for term in supposed.terms if term.weight}
    absent = any(asked & stems(found["what"]) for found in _NONE_OF.finditer(one.text))
    if not absent and not _NOT_THERE.search(one.text):
        return 0.0
    if names(supposed.question) and _names_another(supposed.question, one):
        return 0.0
    return _at_least(ABSENT_SHARE, supposed.share(one.text))


def _names_another(question: str, one: Found) -> bool:
    """Whether the clause of a sentence that denies names things, and none of the question's."""
    denying = [part for part in re.split(r"[,;:]\s", one.text) if _NEGATIVE.search(part)]
    told = frozenset().union(*(names(f"so {part}") for part in denying))
    return bool(told) and not any(names_in(question, name) for name in told)


def _impossibility(supposed: _Supposed, one: Found) -> float:
    found = _IMPOSSIBLE.search(one.text)
    if supposed.negative or not found or _COMPARED.search(supposed.question):
        return 0.0
    if not supposed.share(_clause(one.text[found.start() :])):
        return 0.0
    if not _EXPLAINS.search(supposed.question) and not _PROCESS.search(supposed.question):
        return 0.0
    return _at_least(IMPOSSIBLE_SHARE, supposed.share(_resolved(one)))


def _denied(supposed: _Supposed, one: Found) -> float:
    """ "X is not a fundamental limit": what follows "not" is what the question says of X."""
    if supposed.negative or not _EXPLAINS.search(supposed.question):
        return 0.0
    asked = {term.stem for term in supposed.terms if term.weight}
    if not any(
        asked & stems(found["what"]) and asked & stems(_subject(one.text[: found.start()]))
        for found in _DENIES.finditer(one.text)
    ):
        return 0.0
    if _IN_PART.search(one.text):
        return 0.0
    return _at_least(DENIED_SHARE, supposed.share(_resolved(one)))


def _subject(before: str) -> str:
    """The clause that a denial ends, up to it."""
    return re.split(r"[,;:]\s|\bthat\b", before)[-1]


def _independence(supposed: _Supposed, one: Found) -> float:
    question = supposed.question
    asked = _CAUSE.search(question)
    if not asked or not _SUPPOSES_CHANGE.search(question):
        return 0.0
    causes = [
        term for term in content_terms(asked["cause"]) if not _SUPPOSES_CHANGE.fullmatch(term.word)
    ]
    changed = [term for term in content_terms(question[: asked.start()]) if term.weight >= _TELLING]
    if not causes or not _INDEPENDENT.search(one.text):
        return 0.0
    said = meant(one.text, question)
    if not any(is_present(term, said) for term in changed):
        return 0.0
    return _at_least(OBJECT_SHARE, coverage(tuple(causes), said))


def _no_need(supposed: _Supposed, one: Found) -> float:
    asked = _SUPPOSES_NEED.search(supposed.question)
    found = _NO_NEED.search(one.text)
    if not asked or not found:
        return 0.0
    share = _object_share(supposed.question[asked.end() :], one.text[found.start() :], supposed)
    return _at_least(OBJECT_SHARE, share)


def _needed(supposed: _Supposed, one: Found) -> float:
    asked = _SUPPOSES_NO_NEED.search(supposed.question)
    found = _NEEDED.search(one.text)
    if not asked or not found or _NEGATIVE.search(one.text):
        return 0.0
    if supposed.share(_resolved(one)) < _AROUND_SHARE:
        return 0.0
    before = " ".join(supposed.question[: asked.start()].split()[-3:])
    after = supposed.question[asked.end() :]
    wanted = after if asked.group().endswith(("for", "with")) else before
    share = _object_share(wanted, one.text[: found.end()], supposed)
    return _at_least(OBJECT_SHARE, share)


def _other_way_round(supposed: _Supposed, one: Found) -> float:
    """A comparison that the sentence turns round, in words or by numbers in the same order."""
    asked = _COMPARED.search(supposed.question)
    if not asked:
        return 0.0
    upward = bool(re.fullmatch(_UP, asked["way"], re.IGNORECASE))
    subject = asked["this"] or supposed.question[: asked.start()]
    this, other = _apart(subject, asked["other"])
    if not asked["this"]:
        # Of a subject with its verb, the names alone must stand in the sentence.
        this = {stem_of(name.lower()) for name in names(subject)} & this or this
    share = supposed.share(_resolved(one))
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
    if asked_dimensions("how strong is the field") & wanted:
        wanted |= asked_dimensions("how large is the gradient")
    return wanted


def _outdone(text: str, this: set[str], other: set[str], question: str) -> bool:
    """Whether a text has "this is not competitive with the other"."""
    said = _OUTDONE.search(text)
    if not said:
        return False
    left, right = meant(text[: said.start()], question), meant(said["other"], question)
    return bool(this & left) and other <= right and not other <= left


def _same_scale(way: str, text: str) -> bool:
    """Whether a text compares by the same adjective or its opposite."""
    said = _COMPARED.search(text)
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
    said = _COMPARED.search(text)
    if not said or not _same_way(asked["way"], said["way"]):
        return False
    attribute = {term.stem for term in content_terms(asked["what"])}
    near = " ".join([*text[: said.start()].split()[-_NEAR:], said["what"]])
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


def _other_value(supposed: _Supposed, one: Found) -> float:
    """Another value for what a "why" question gives a number for, beside the same word."""
    question = plain_form(supposed.question)
    if not re.match(r"why\b", question, re.IGNORECASE) or _COMPARED.search(question):
        return 0.0
    share = supposed.share(one.text)
    if share < VALUE_SHARE:
        return 0.0
    said = plain_form(one.text)
    given = find_quantities(one.text)
    for asked in find_quantities(supposed.question):
        kind = asked.unit.dimensions
        before = content_terms(" ".join(question[: asked.start].split()[-_NEAR:]))
        rivals = [number for number in given if number.unit.dimensions == kind]
        if not kind or dict(kind).keys() & _LABELS or not before or not rivals:
            continue
        if any(_about_the_same(asked, number) for number in rivals):
            continue
        if _BOUNDED.search(question[: asked.start]):
            continue
        near = (stems(" ".join(said[: number.start].split()[-_NEAR:])) for number in rivals)
        if any(before[-1].stem in words for words in near):
            return share
    return 0.0


def _about_the_same(one: Quantity, other: Quantity) -> bool:
    """Whether two numbers are too near each other for one to deny the other."""
    if same_quantity(one, other):
        return True
    low, high = sorted((abs(one.size), abs(other.size)))
    return high > 0 and low / high >= _ABOUT


def _swapped(supposed: _Supposed, one: Found) -> float:
    """A number that the question gives to one of two things, and the sentence to the other."""
    halves = _CONTRAST.split(supposed.question)
    said = [half for half in _HALVES.split(one.text) if half.strip()]
    if len(halves) != 2:
        return 0.0
    both = ((halves[0], halves[1]), (halves[1], halves[0]))
    swapped = any(
        _gives_to_other(own, rival, said) or _attributed_to_other(own, rival, one.text)
        for own, rival in both
    )
    return _at_least(_AROUND_SHARE, supposed.share(_resolved(one))) if swapped else 0.0


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


def _other_choice(supposed: _Supposed, sentences: Sequence[Found]) -> Found | None:
    """A sentence that names the subject with what the question says was not chosen."""
    question = supposed.question
    asked = _INSTEAD.search(question) or _CHOSEN_INSTEAD.search(question)
    if not asked:
        return None
    subjects = names(supposed.question)
    about = [
        one
        for one in sentences
        if supposed.share(_resolved(one)) >= _AROUND_SHARE
        and all(names_in(one.text, name) for name in subjects)
    ]
    if any(_says(one.text, asked["this"]) for one in about):
        return None
    return next((one for one in about if _says(one.text, asked["other"])), None)


_RULES: tuple[_Rule, ...] = (
    _absence,
    _impossibility,
    _denied,
    _independence,
    _no_need,
    _needed,
    _other_way_round,
    _other_value,
    _swapped,
)


def _at_least(least: float, share: float) -> float:
    return share if share >= least else 0.0


def _resolved(one: Found) -> str:
    """The sentence with the one before it where it points back, under its heading."""
    before = one.before if _POINTS_BACK.match(one.text) else ""
    return f"{' '.join(one.evidence.section)} {before} {one.text}"


def _object_share(wanted: str, said: str, supposed: _Supposed) -> float:
    """Share of the words of a clause, as far as its next comma, that a text holds."""
    terms = content_terms(" ".join(_clause(wanted).split()[:_MOST_OBJECT_WORDS]))
    if not terms:
        return 0.0
    return coverage(terms, meant(said, supposed.question))


def _clause(text: str) -> str:
    """A text as far as its first clause goes."""
    end = _CLAUSE_END.search(text)
    return text[: end.start()] if end else text


def _apart(this: str, other: str) -> tuple[set[str], set[str]]:
    """Stems of each of two phrases that the other does not hold."""
    own = {term.stem for term in content_terms(this)}
    others = {term.stem for term in content_terms(other)}
    return own - others, others - own


def _place_of(text: str, wanted: set[str]) -> int:
    """Where the first word of `wanted` stands in a text, -1 where none does."""
    places = (m.start() for m in re.finditer(r"[\w’'-]+", text) if stems(m.group()) & wanted)
    return next(places, -1)


def _says(text: str, phrase: str) -> bool:
    """Whether a text holds the words of a phrase side by side, in any inflection."""
    said = [term.stem for term in content_terms(phrase)]
    words = [stem_of(word.lower()) for word in re.findall(r"[^\W_]+", text)]
    return any(words[i : i + len(said)] == said for i in range(len(words) - len(said) + 1))


def _holds(text: str, number: Quantity) -> bool:
    return any(same_quantity(number, other) for other in find_quantities(text))


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
