"""A shallow grammar: the words of a sentence, its finite verb and its subject.

Closed word classes (`vocabulary`) and verb forms (`verbs`) are enough to find the finite verb of a
main clause in most of the sentences that papers are made of. A statistical parser finds it in
more; it also reads some tens of passages a second where this reads hundreds, and needs a model
that no package index carries.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from assets.factuality.verbs import (
    BASE_VERBS,
    INTRANSITIVE_VERBS,
    NOUN_LIKE_VERBS,
    PAST,
    SIMPLE_PAST,
    THIRD_PERSON,
)
from assets.factuality.vocabulary import (
    ADVERBS,
    AUXILIARIES,
    DETERMINERS,
    MODALS,
    PLURAL_AUXILIARIES,
    PREPOSITIONS,
    PRONOUN_DETERMINERS,
    RELATIVES,
    SINGULAR_AUXILIARIES,
    SUBORDINATORS,
    is_plural,
    words,
)

_TOKEN = re.compile(r"\d[\d,.]*\d|[^\s,;:()\[\]]+|[,;:()\[\]]")
_LONGEST_SUBJECT = 16
"""Words; what stands before the verb is no repeatable subject if it is longer."""
_PASSIVE_HELPERS = words("be been being having get gets")
_ADJUNCT_LEADS = words("to due based compared given and but moreover")
_PLURAL_BEFORE_VERB = words("data we they these those latter which that who both")
_ONLY_PREPOSITIONS = words("as since once until")
"""Subordinators that far more often are prepositions here ("since 1995")."""


class Token(NamedTuple):
    """A word or a mark: characters `start` to `end` of the sentence, and its bare lower case."""

    start: int
    end: int
    word: str
    depth: int


@lru_cache(maxsize=512)
def tokenize(sentence: str) -> tuple[Token, ...]:
    """Words and marks of a sentence; `depth` counts the brackets around each."""
    tokens = []
    depth = 0
    for match in _TOKEN.finditer(sentence):
        raw = match[0]
        if raw in "([":
            depth += 1
        word = raw if raw.isalnum() else raw.strip(".!?*_'\"’“”")
        tokens.append(Token(match.start(), match.end(), word.lower(), depth))
        if raw in ")]":
            depth = max(0, depth - 1)
    return tuple(tokens)


def main_verb(tokens: Sequence[Token], first: int = 0, last: int | None = None) -> int | None:
    """Index of the finite verb of the main clause in tokens[first:last], or None.

    Finite verbs of relative and subordinate clauses before it are passed over. A past form may
    be a participle ("the coil wound in 2019 was tested"): it counts only if no certain finite
    verb follows, or if what follows it can only be its object.
    """
    last = len(tokens) if last is None else last
    uncertain: int | None = None
    waiting = 0  # subordinate clauses that have not had their verb
    verb_seen = False
    leading = first < last and opens_subordinate(tokens, first, first)
    for i in range(first, last):
        if tokens[i].depth:
            continue
        if opens_subordinate(tokens, i, first):
            if uncertain is not None and waiting == 0:
                return uncertain
            waiting += 1
            verb_seen = False
        elif tokens[i].word == ",":
            if leading or verb_seen:
                waiting, leading = 0, False
        elif (certain := finite(tokens, i, first, last)) is not None:
            verb_seen = True
            certain = certain or object_follows(tokens, i, last)
            if waiting:
                waiting -= certain
            elif certain:
                return i
            elif uncertain is None:
                uncertain = i
    return uncertain


def has_finite_verb(tokens: Sequence[Token], *, certainly: bool) -> bool:
    """Whether any word outside brackets is a finite verb, of the main clause or not.

    `certainly` leaves out the forms that may be participles or nouns: "orders sustained over
    years", "test results".
    """
    last = len(tokens)
    for i, token in enumerate(tokens):
        verdict = None if token.depth else finite(tokens, i, 0, last)
        if verdict or (verdict is False and (not certainly or object_follows(tokens, i, last))):
            return True
    return False


def opens_subordinate(tokens: Sequence[Token], i: int, first: int) -> bool:
    """Whether the word at `i` opens a relative or subordinate clause."""
    word = tokens[i].word
    after = tokens[i + 1].word if i + 1 < len(tokens) else ""
    if word == "that":
        return i > first and after != "of" and tokens[i - 1].word not in ("than", "to", "with")
    if word == "because":
        return after != "of"
    return word in RELATIVES or (word in SUBORDINATORS and word not in _ONLY_PREPOSITIONS)


def finite(tokens: Sequence[Token], i: int, first: int, last: int) -> bool | None:
    """True: certainly a finite verb; False: it may be one; None: it is none."""
    word = tokens[i].word
    before = tokens[i - 1].word if i > first else ""
    after = tokens[i + 1].word if i + 1 < last else ""
    after_modal = before in MODALS or (i - 2 >= first and tokens[i - 2].word in MODALS)
    if word in AUXILIARIES:
        chained = before == "to" or before in MODALS or (before in ADVERBS and after_modal)
        return None if chained else True
    names_something = before in DETERMINERS and before not in PRONOUN_DETERMINERS
    if not before or before == "to" or before in PREPOSITIONS or names_something:
        return None
    if word in THIRD_PERSON:
        return _present(THIRD_PERSON[word], before, after)
    if word in PAST:
        never_passive = word in SIMPLE_PAST or PAST[word] in INTRANSITIVE_VERBS
        active = never_passive and before not in ("and", "or", ",")
        return None if _is_participle(tokens, i, first) else active
    if word in BASE_VERBS and not after_modal:
        return _present(word, before, after) if _is_plural(before) else _distant(before, after)
    return None


def _present(base: str, before: str, after: str) -> bool | None:
    """Whether a present form after `before` is a verb; "results", "measures" may be nouns."""
    if base not in NOUN_LIKE_VERBS:
        return True
    if before in ADVERBS or before in RELATIVES or before in ("it", "we", "they"):
        return True
    if before in ("and", "or", ","):
        return True if before == "," and (after in DETERMINERS or after == "to") else None
    measured = after[:1].isdigit() or after[:1] in tuple("~≈<>")
    if after in DETERMINERS or after in ("that", "to", "in") or measured or after.endswith("ly"):
        return True
    return None if after == "of" else False


def _distant(before: str, after: str) -> bool | None:
    """A base form away from its plural subject: "the details of the design play a role"."""
    after_noun = before not in AUXILIARIES and before not in ("and", "or", ",", "not", "be")
    return False if after_noun and after in DETERMINERS else None


def _is_participle(tokens: Sequence[Token], i: int, first: int) -> bool:
    """Whether an auxiliary, adverbs aside, stands before the past form at `i`."""
    for back in range(i - 1, max(first, i - 3) - 1, -1):
        word = tokens[back].word
        if word in AUXILIARIES or word in _PASSIVE_HELPERS:
            return True
        if word not in ADVERBS and not word.endswith("ly"):
            return False
    return False


def _is_plural(word: str) -> bool:
    return word in _PLURAL_BEFORE_VERB or word in ADVERBS or word.endswith("ly") or is_plural(word)


def object_follows(tokens: Sequence[Token], i: int, last: int) -> bool:
    """Whether what follows the verb form at `i` can only be its object."""
    after = tokens[i + 1].word if i + 1 < last else ""
    return after in DETERMINERS or after in ("that", "how", "when") or after[:1].isdigit()


def subject_span(tokens: Sequence[Token], verb: int, first: int = 0) -> tuple[int, int] | None:
    """Token range of the subject of the finite verb at `verb`, leading adjuncts left out.

    None where there is none, or none short enough to be repeated.
    """
    start, end = first, verb
    lead = tokens[first].word if first < verb else ""
    if (
        lead in PREPOSITIONS
        or lead in SUBORDINATORS
        or lead in ADVERBS
        or lead in _ADJUNCT_LEADS
        or lead.endswith(("ing", "ly", "ever"))
    ):
        commas = [i for i in range(first, verb) if tokens[i].word == "," and not tokens[i].depth]
        if not commas:
            return None
        start = commas[-1] + 1
    while end > start and (tokens[end - 1].word in ADVERBS or tokens[end - 1].word == ","):
        end -= 1
    if not 0 < end - start <= _LONGEST_SUBJECT or tokens[start].word in PREPOSITIONS:
        return None
    return start, end


def subject_is_plural(tokens: Sequence[Token], subject: tuple[int, int], verb: int) -> bool:
    """Number of a subject, from its verb where that tells, else from its head noun."""
    word = tokens[verb].word
    if word in SINGULAR_AUXILIARIES or word in THIRD_PERSON:
        return False
    if word in PLURAL_AUXILIARIES:
        return True
    first, last = subject
    head = next(
        (tokens[i - 1].word for i in range(first + 1, last) if tokens[i].word in PREPOSITIONS),
        tokens[last - 1].word,
    )
    return is_plural(head)
