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
from collections.abc import Callable, Sequence

from assets.answering.comparisons import COMPARED, other_way_round, swapped
from assets.answering.quantities import Quantity, find_quantities, plain_form, same_quantity
from assets.answering.reading import Found, reweighted
from assets.answering.supposed import (
    AROUND_SHARE,
    NEAR,
    OBJECT_SHARE,
    Supposed,
    at_least,
    clause_of,
    meant,
    resolved,
)
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
VALUE_SHARE = 0.50
_ABOUT = 0.7  # ratio of two values from which they are about the same
_MOST_DENYING_WORDS = 60  # more of them are a table that was taken for a sentence
_LEAST_TERMS = 3  # of the question, in the denying sentence itself
_LEAST_RESOLVED = 4  # with the sentence before it, where it points back
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
_BOUNDED = re.compile(
    r"\b(?:above|below|over|under|beyond|up to|at least|at most|(?:more|less) than)\s+(?:about )?$",
    re.IGNORECASE,
)
_IN_PART = re.compile(
    r"\bnot (?:always|fully|completely|entirely|all|every|generally)\b"
    r"|\b(?:up to|below|unless|if|when|as long as)\b",
    re.IGNORECASE,
)
_Rule = Callable[[Supposed, Found], float]


def denial(question: str, sentences: Sequence[Found]) -> Found | None:
    """The sentence that most plainly denies what the question takes for granted, or None."""
    if not sentences or _ASKS_WHETHER.search(question) or _COMPARES.search(question):
        return None
    held = [meant(sentence.text, question) for sentence in sentences]
    terms = reweighted(content_terms(question), held)
    if len(terms) < _LEAST_TERMS:
        return None
    supposed = Supposed(question, terms, bool(_NEGATIVE.search(question)))
    found = [
        (strength, -place, sentence)
        for place, sentence in enumerate(sentences)
        if len(sentence.text.split()) <= _MOST_DENYING_WORDS
        if _speaks_of_it(terms, held[place], meant(resolved(sentence), question))
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


def _absence(supposed: Supposed, one: Found) -> float:
    if supposed.negative or not _EXPLAINS.search(supposed.question):
        return 0.0
    asked = {term.stem for term in supposed.terms if term.weight}
    absent = any(asked & stems(found["what"]) for found in _NONE_OF.finditer(one.text))
    if not absent and not _NOT_THERE.search(one.text):
        return 0.0
    if names(supposed.question) and _names_another(supposed.question, one):
        return 0.0
    return at_least(ABSENT_SHARE, supposed.share(one.text))


def _names_another(question: str, one: Found) -> bool:
    """Whether the clause of a sentence that denies names things, and none of the question's."""
    denying = [part for part in re.split(r"[,;:]\s", one.text) if _NEGATIVE.search(part)]
    told = frozenset().union(*(names(f"so {part}") for part in denying))
    return bool(told) and not any(names_in(question, name) for name in told)


def _impossibility(supposed: Supposed, one: Found) -> float:
    found = _IMPOSSIBLE.search(one.text)
    if supposed.negative or not found or COMPARED.search(supposed.question):
        return 0.0
    if not supposed.share(clause_of(one.text[found.start() :])):
        return 0.0
    if not _EXPLAINS.search(supposed.question) and not _PROCESS.search(supposed.question):
        return 0.0
    return at_least(IMPOSSIBLE_SHARE, supposed.share(resolved(one)))


def _denied(supposed: Supposed, one: Found) -> float:
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
    return at_least(DENIED_SHARE, supposed.share(resolved(one)))


def _subject(before: str) -> str:
    """The clause that a denial ends, up to it."""
    return re.split(r"[,;:]\s|\bthat\b", before)[-1]


def _independence(supposed: Supposed, one: Found) -> float:
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
    return at_least(OBJECT_SHARE, coverage(tuple(causes), said))


def _no_need(supposed: Supposed, one: Found) -> float:
    asked = _SUPPOSES_NEED.search(supposed.question)
    found = _NO_NEED.search(one.text)
    if not asked or not found:
        return 0.0
    share = _object_share(supposed.question[asked.end() :], one.text[found.start() :], supposed)
    return at_least(OBJECT_SHARE, share)


def _needed(supposed: Supposed, one: Found) -> float:
    asked = _SUPPOSES_NO_NEED.search(supposed.question)
    found = _NEEDED.search(one.text)
    if not asked or not found or _NEGATIVE.search(one.text):
        return 0.0
    if supposed.share(resolved(one)) < AROUND_SHARE:
        return 0.0
    before = " ".join(supposed.question[: asked.start()].split()[-3:])
    after = supposed.question[asked.end() :]
    wanted = after if asked.group().endswith(("for", "with")) else before
    share = _object_share(wanted, one.text[: found.end()], supposed)
    return at_least(OBJECT_SHARE, share)


def _other_value(supposed: Supposed, one: Found) -> float:
    """Another value for what a "why" question gives a number for, beside the same word."""
    question = plain_form(supposed.question)
    if not re.match(r"why\b", question, re.IGNORECASE) or COMPARED.search(question):
        return 0.0
    share = supposed.share(one.text)
    if share < VALUE_SHARE:
        return 0.0
    said = plain_form(one.text)
    given = find_quantities(one.text)
    for asked in find_quantities(supposed.question):
        kind = asked.unit.dimensions
        before = content_terms(" ".join(question[: asked.start].split()[-NEAR:]))
        rivals = [number for number in given if number.unit.dimensions == kind]
        if not kind or dict(kind).keys() & _LABELS or not before or not rivals:
            continue
        if any(_about_the_same(asked, number) for number in rivals):
            continue
        if _BOUNDED.search(question[: asked.start]):
            continue
        near = (stems(" ".join(said[: number.start].split()[-NEAR:])) for number in rivals)
        if any(before[-1].stem in words for words in near):
            return share
    return 0.0


def _about_the_same(one: Quantity, other: Quantity) -> bool:
    """Whether two numbers are too near each other for one to deny the other."""
    if same_quantity(one, other):
        return True
    low, high = sorted((abs(one.size), abs(other.size)))
    return high > 0 and low / high >= _ABOUT


def _other_choice(supposed: Supposed, sentences: Sequence[Found]) -> Found | None:
    """A sentence that names the subject with what the question says was not chosen."""
    question = supposed.question
    asked = _INSTEAD.search(question) or _CHOSEN_INSTEAD.search(question)
    if not asked:
        return None
    subjects = names(supposed.question)
    about = [
        one
        for one in sentences
        if supposed.share(resolved(one)) >= AROUND_SHARE
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
    other_way_round,
    _other_value,
    swapped,
)


def _object_share(wanted: str, said: str, supposed: Supposed) -> float:
    """Share of the words of a clause, as far as its next comma, that a text holds."""
    terms = content_terms(" ".join(clause_of(wanted).split()[:_MOST_OBJECT_WORDS]))
    if not terms:
        return 0.0
    return coverage(terms, meant(said, supposed.question))


def _says(text: str, phrase: str) -> bool:
    """Whether a text holds the words of a phrase side by side, in any inflection."""
    said = [term.stem for term in content_terms(phrase)]
    words = [stem_of(word.lower()) for word in re.findall(r"[^\W_]+", text)]
    return any(words[i : i + len(said)] == said for i in range(len(words) - len(said) + 1))
