"""Clauses of a sentence: its subject, its finite verb, and where it says more than one thing.

A shallow grammar over closed word classes (`vocabulary`) finds the finite verb of the main clause
and the few joints at which physics prose packs several facts into a sentence. A statistical parser
would find more of them; it would also read some tens of passages a second where this reads
thousands of sentences, and would need a model that no package index carries.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from assets.factuality.vocabulary import (
    ADVERBS,
    AUXILIARIES,
    BASE_VERBS,
    DETERMINERS,
    INTRANSITIVE_VERBS,
    MODALS,
    NOUN_LIKE_VERBS,
    PAST,
    PLURAL_AUXILIARIES,
    PREPOSITIONS,
    PRONOUN_SUBJECTS,
    RELATIVES,
    SINGULAR_AUXILIARIES,
    SUBORDINATORS,
    THIRD_PERSON,
)

_TOKEN = re.compile(r"\d[\d,.]*\d|[^\s,;:()\[\]]+|[,;:()\[\]]")
_QUANTITY = re.compile(r"(?:^|[\s~≈<>≤≥(])[\d.]*\d\s?(?:%|°|[A-Za-zµμΩ]{1,4}\b)")
_FEWEST_WORDS = 4
"""A clause of fewer words is left joined to its neighbour."""
_LONGEST_SUBJECT = 16
"""Words; a longer subject is not repeated in front of a second predicate."""
_PRONOUN_DETERMINERS = frozenset({"this", "that", "these", "those", "all", "each", "both", "some"})
"""Determiners that can be a subject by themselves."""
_EVENT_VERBS = frozenset(
    """
    allow allows enable enables make makes made mean means lead leads led result results cause
    causes require requires reduce reduces increase increases would could in limit limits
    simplify simplifies complicate complicates imply implies ensure ensures indicates suggests
    """.split()  # noqa: SIM905 - a list of words reads best as a line of words
)
"""After ", which" these verbs as a rule speak of the whole clause and not of its last noun."""
_CONJUNCTIONS = frozenset({"and", "but", "while", "whereas", ";", ":"})
_CONCESSIVES = frozenset({"while", "whereas", "although", "though"})
"""At the head of a sentence, they assert their own clause as firmly as the main one."""


class Token(NamedTuple):
    """A word or a mark: characters `start` to `end` of the sentence, and its bare lower case."""

    start: int
    end: int
    word: str
    depth: int


@dataclass(frozen=True, slots=True)
class Clause:
    """A statement, as the parts of its sentence that make it up, in their order.

    `parts` are character ranges; a predicate that shares its subject with an earlier one is the
    two ranges (subject, predicate).
    """

    parts: tuple[tuple[int, int], ...]

    @property
    def start(self) -> int:
        """First character of the first part."""
        return self.parts[0][0]

    @property
    def end(self) -> int:
        """Past the last character of the last part."""
        return self.parts[-1][1]

    def text(self, sentence: str) -> str:
        """The parts joined, as they stand in `sentence`."""
        return " ".join(sentence[start:end].strip(" ,;") for start, end in self.parts)


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
    leading = first < last and _opens_subordinate(tokens, first, first)
    for i in range(first, last):
        token = tokens[i]
        if token.depth:
            continue
        if _opens_subordinate(tokens, i, first):
            if uncertain is not None and waiting == 0:
                return uncertain
            waiting += 1
            verb_seen = False
        elif token.word == ",":
            if leading or verb_seen:
                waiting, leading = 0, False
        elif (certain := _finite(tokens, i, first, last)) is not None:
            verb_seen = True
            certain = certain or _object_follows(tokens, i, last)
            if waiting:
                waiting -= certain
            elif certain:
                return i
            elif uncertain is None:
                uncertain = i
    return uncertain


def may_have_verb(tokens: Sequence[Token]) -> bool:
    """Whether any word outside brackets can be a finite verb, the main clause found or not."""
    return any(
        not token.depth
        and _finite(tokens, i, 0, len(tokens)) is not None
        or (i > 2 and token.word in BASE_VERBS and token.word not in NOUN_LIKE_VERBS)
        for i, token in enumerate(tokens)
    )


def _opens_subordinate(tokens: Sequence[Token], i: int, first: int) -> bool:
    word = tokens[i].word
    if word == "that":
        following = tokens[i + 1].word if i + 1 < len(tokens) else ""
        return i > first and following != "of" and tokens[i - 1].word not in ("than", "to", "with")
    if word in RELATIVES:
        return True
    if word == "because" and i + 1 < len(tokens) and tokens[i + 1].word == "of":
        return False
    return word in SUBORDINATORS and word not in ("as", "since", "once", "until")


def _finite(tokens: Sequence[Token], i: int, first: int, last: int) -> bool | None:
    """True: certainly a finite verb; False: it may be one; None: it is none."""
    word = tokens[i].word
    before = tokens[i - 1].word if i > first else ""
    after = tokens[i + 1].word if i + 1 < last else ""
    if word in AUXILIARIES:
        chained = before == "to" or before in MODALS
        return None if chained or (before in ADVERBS and _modal_before(tokens, i, first)) else True
    if not before or before == "to" or before in PREPOSITIONS:
        return None
    if before in DETERMINERS and before not in _PRONOUN_DETERMINERS:
        return None
    if word in THIRD_PERSON:
        return _present(THIRD_PERSON[word], before, after)
    if word in PAST:
        if _participle(tokens, i, first):
            return None
        return PAST[word] in INTRANSITIVE_VERBS and before not in ("and", "or", ",")
    if word in BASE_VERBS and not _modal_before(tokens, i, first):
        return _present(word, before, after) if _plural(before) else _transitive(before, after)
    return None


def _transitive(before: str, after: str) -> bool | None:
    """A base form far from its plural subject: "the details of the design play a role"."""
    noun_before = before not in AUXILIARIES and before not in ("and", "or", ",", "not", "be")
    return False if noun_before and after in DETERMINERS else None


def _modal_before(tokens: Sequence[Token], i: int, first: int) -> bool:
    return i - 2 >= first and tokens[i - 2].word in MODALS


def _present(base: str, before: str, after: str) -> bool | None:
    if base not in NOUN_LIKE_VERBS:
        return True
    if before in ADVERBS or before in RELATIVES or before in ("it", "we", "they"):
        return True
    if before in ("and", "or", ","):
        return True if before == "," and after in DETERMINERS | {"to"} else None
    measured = after[:1].isdigit() or after[:1] in tuple("~≈<>")
    if after in DETERMINERS or after in ("that", "to", "in") or measured or after.endswith("ly"):
        return True
    return None if after == "of" else False


def _participle(tokens: Sequence[Token], i: int, first: int) -> bool:
    """Whether a form of be, have or an adverb after one stands before the past form at `i`."""
    for back in (1, 2, 3):
        if i - back < first:
            return False
        word = tokens[i - back].word
        if word in AUXILIARIES or word in ("be", "been", "being", "having", "get", "gets"):
            return True
        if word not in ADVERBS and not word.endswith("ly"):
            return False
    return False


def _plural(word: str) -> bool:
    return (
        word in ("data", "we", "they", "these", "those", "latter", "which", "that", "who", "both")
        or word in ADVERBS
        or word.endswith("ly")
        or (word.endswith("s") and not word.endswith(("ss", "us", "is")))
    )


def _object_follows(tokens: Sequence[Token], i: int, last: int) -> bool:
    if i + 1 >= last:
        return False
    after = tokens[i + 1].word
    return after in DETERMINERS or after in ("that", "how", "when") or after[:1].isdigit()


def subject_span(tokens: Sequence[Token], verb: int, first: int = 0) -> tuple[int, int] | None:
    """Token range of the subject of the finite verb at `verb`, leading adjuncts left out.

    None where it is empty or longer than can be repeated.
    """
    start = first
    lead = tokens[first].word if first < verb else ""
    adjunct = (
        lead in PREPOSITIONS
        or lead in SUBORDINATORS
        or lead in ADVERBS
        or lead.endswith(("ing", "ly", "ever"))
        or lead in ("to", "due", "based", "compared", "given", "and", "but", "moreover")
    )
    if adjunct:
        commas = [i for i in range(first, verb) if tokens[i].word == "," and not tokens[i].depth]
        if not commas:
            return None
        start = commas[-1] + 1
    end = verb
    while end > start and (tokens[end - 1].word in ADVERBS or tokens[end - 1].word == ","):
        end -= 1
    if not 0 < end - start <= _LONGEST_SUBJECT or tokens[start].word in PREPOSITIONS:
        return None
    return start, end


def split_clauses(sentence: str) -> list[Clause]:
    """The statements of a sentence, one or more, in order.

    Splits at: coordinated clauses ("…, and the coil was …"), coordinated predicates ("… and was
    …", the subject repeated), semicolons, non-restrictive relatives ("the yoke, which is …, …"),
    and coordinated measured objects ("had a radius of 2 m and a height of 3 m").
    """
    tokens = tokenize(sentence)
    clauses: list[Clause] = []
    for lo, hi, subject in [*_concession(tokens), *_coordinates(tokens)]:
        clauses.extend(_finer(sentence, tokens, lo, hi, subject))
    return clauses or [Clause(((0, len(sentence)),))]


_Piece = tuple[int, int, tuple[int, int] | None]
"""Token range of a predicate or clause, and of the subject to be repeated before it."""


def _concession(tokens: Sequence[Token]) -> list[_Piece]:
    """The leading clause of "While A, B" as a piece of its own."""
    end = _concession_end(tokens)
    return [(1, end, None)] if end else []


def _concession_end(tokens: Sequence[Token]) -> int:
    """Index of the comma after a leading concession with a subject and a verb, or 0."""
    if not tokens or tokens[0].word not in _CONCESSIVES:
        return 0
    comma = next((i for i, t in enumerate(tokens) if t.word == "," and not t.depth), 0)
    if comma <= _FEWEST_WORDS or main_verb(tokens, 1, comma) is None:
        return 0
    verb = main_verb(tokens, comma + 1)
    return comma if verb is not None and subject_span(tokens, verb, comma + 1) else 0


def _coordinates(tokens: Sequence[Token]) -> list[_Piece]:
    """The coordinated clauses and predicates of the main clause."""
    pieces: list[_Piece] = []
    end = _concession_end(tokens)
    lo = end + 1 if end else 0
    shared: tuple[int, int] | None = None
    verb = main_verb(tokens, lo)
    if verb is None:
        return []
    subject = subject_span(tokens, verb, lo)
    for i in range(verb + 1, len(tokens) - _FEWEST_WORDS):
        if tokens[i].depth or tokens[i].word not in _CONJUNCTIONS:
            continue
        if i - lo < _FEWEST_WORDS or i <= verb + 1:
            continue
        after = i + 1
        if tokens[i].word in (";", ":") and tokens[after].word in ("and", "but", "however"):
            after += 1
        while after < len(tokens) - 1 and (
            tokens[after].word in ADVERBS or tokens[after].word == ","
        ):
            after += 1
        joint = _joint(tokens, verb, i, after, subject)
        if joint is None:
            continue
        end = i - 1 if tokens[i - 1].word == "," else i
        pieces.append((lo, end, shared))
        lo, shared, verb = joint
        if shared is None:
            subject = subject_span(tokens, verb, lo) or subject
    pieces.append((lo, len(tokens), shared))
    return pieces


def _joint(
    tokens: Sequence[Token], verb: int, i: int, after: int, subject: tuple[int, int] | None
) -> tuple[int, tuple[int, int] | None, int] | None:
    """Where a new statement starts after the conjunction at `i`: (token, shared subject, verb)."""
    word = tokens[after].word
    comma = tokens[i - 1].word == "," or tokens[i].word in (";", ":")
    inside = any(
        _opens_subordinate(tokens, k, 0) for k in range(verb + 1, i) if not tokens[k].depth
    )
    if subject is not None and not (inside and not comma) and _same_predicate(tokens, verb, after):
        return after, subject, after
    pronoun = word in ("it", "they")
    opens_subject = word not in PREPOSITIONS and word not in SUBORDINATORS | RELATIVES
    strong = tokens[i].word in (";", ":")
    if not (comma or pronoun or word in ("the", "this", "these")):
        return None
    if not (opens_subject or (strong and word not in RELATIVES)):
        return None
    if inside and not comma:
        return None
    new_verb = main_verb(tokens, after)
    if new_verb is None or new_verb == after or new_verb - after > _LONGEST_SUBJECT:
        return None
    if strong and not opens_subject:
        return (after, None, new_verb) if subject_span(tokens, new_verb, after) else None
    if any(
        tokens[k].word in (",", "and") or tokens[k].word in RELATIVES
        for k in range(after, new_verb)
        if not tokens[k].depth
    ):
        return None
    if _finite(tokens, new_verb, after, len(tokens)) is not True and not _object_follows(
        tokens, new_verb, len(tokens)
    ):
        return None
    if pronoun:
        return (new_verb, subject, new_verb) if subject is not None else None
    return after, None, new_verb


def _same_predicate(tokens: Sequence[Token], verb: int, after: int) -> bool:
    """Whether the word at `after` is a finite verb in the manner of the one at `verb`."""
    word, model = tokens[after].word, tokens[verb].word
    following = tokens[after + 1].word if after + 1 < len(tokens) else ""
    if word in AUXILIARIES:
        return not (word in SINGULAR_AUXILIARIES and model in PLURAL_AUXILIARIES) and not (
            word in PLURAL_AUXILIARIES and model in SINGULAR_AUXILIARIES
        )
    if word in THIRD_PERSON and (model in THIRD_PERSON or model in ("is", "has")):
        return THIRD_PERSON[word] not in NOUN_LIKE_VERBS or following in DETERMINERS
    return word in PAST and model in PAST and following in DETERMINERS


def _finer(
    sentence: str, tokens: Sequence[Token], lo: int, hi: int, subject: tuple[int, int] | None
) -> list[Clause]:
    """Clauses of one coordinate: a trailing relative and measured objects come apart."""
    head = () if subject is None else (_chars(tokens, *subject),)
    relative = _relative(tokens, lo, hi)
    found: list[Clause] = []
    if relative is not None:
        comma, antecedent, predicate, end = relative
        if end >= hi - 1:
            hi = comma
            found.append(Clause((_chars(tokens, *antecedent), _chars(tokens, predicate, end))))
        else:
            found.append(Clause((_chars(tokens, *antecedent), _chars(tokens, predicate, end))))
            main = Clause((*head, _chars(tokens, lo, comma), _chars(tokens, end + 1, hi)))
            return [main, *found]
    objects = _measured_objects(sentence, tokens, lo, hi)
    if objects is not None:
        prefix, ranges = objects
        first, *others = ranges
        clauses = [Clause((*head, _chars(tokens, lo, first[1])))]
        clauses += [
            Clause((*head, _chars(tokens, lo, prefix), _chars(tokens, *other))) for other in others
        ]
        return clauses + found
    return [Clause((*head, _chars(tokens, lo, hi))), *found]


def _chars(tokens: Sequence[Token], first: int, last: int) -> tuple[int, int]:
    return tokens[first].start, tokens[last - 1].end


def _relative(
    tokens: Sequence[Token], lo: int, hi: int
) -> tuple[int, tuple[int, int], int, int] | None:
    """The first ", which VERB …": (its comma, antecedent tokens, verb, end of the clause)."""
    for i in range(lo + 2, hi - _FEWEST_WORDS + 1):
        if tokens[i].word != "which" or tokens[i - 1].word != "," or tokens[i].depth:
            continue
        verb = i + 1
        word = tokens[verb].word
        if word in _EVENT_VERBS or _finite(tokens, verb, i, hi) is not True:
            return None
        antecedent = _noun_phrase_before(tokens, lo, i - 1, word)
        if antecedent is None:
            return None
        end = next(
            (k for k in range(verb + 1, hi) if tokens[k].word == "," and not tokens[k].depth), hi
        )
        if end < hi and _finite(tokens, end + 1, end, hi) is not True:
            end = hi
        if end - verb < _FEWEST_WORDS - 1:
            return None
        return i - 1, antecedent, verb, end
    return None


def _noun_phrase_before(
    tokens: Sequence[Token], lo: int, end: int, verb: str
) -> tuple[int, int] | None:
    """Tokens of the noun phrase that ends before `end` and agrees with `verb`, or None."""
    noun = tokens[end - 1].word
    if tokens[end - 1].depth or not noun[:1].isalpha():
        return None
    plural = noun.endswith("s") and not noun.endswith(("ss", "us", "is"))
    singular_verb = verb in SINGULAR_AUXILIARIES or verb in THIRD_PERSON
    plural_verb = verb in PLURAL_AUXILIARIES
    if (plural and singular_verb) or (not plural and plural_verb):
        return None
    start = end - 1
    while start > lo and end - start < 8:
        word = tokens[start - 1].word
        if word in PREPOSITIONS or word in AUXILIARIES or word in _CONJUNCTIONS or word in ",:()":
            break
        if word in PAST or word in THIRD_PERSON or word in ("be", "been", "to"):
            break
        start -= 1
        if word in DETERMINERS:
            break
    first = tokens[start].word
    return None if first in PRONOUN_SUBJECTS | ADVERBS or first[:1].isdigit() else (start, end)


def _measured_objects(
    sentence: str, tokens: Sequence[Token], lo: int, hi: int
) -> tuple[int, list[tuple[int, int]]] | None:
    """Coordinated objects that each hold a quantity: (where they begin, their token ranges)."""
    verb = main_verb(tokens, lo, hi)
    if verb is None:
        verb = lo
    begin = next(
        (
            i
            for i in range(verb + 1, hi)
            if tokens[i].word in ("a", "an", "the") or tokens[i].word in PREPOSITIONS
        ),
        None,
    )
    if begin is None or tokens[begin].word not in ("a", "an", "the"):
        return None
    ranges: list[tuple[int, int]] = []
    start = begin
    for i in range(begin + 2, hi - 2):
        if tokens[i].depth or tokens[i].word not in ("and", ","):
            continue
        nxt = i + 2 if tokens[i].word == "," and tokens[i + 1].word == "and" else i + 1
        if tokens[nxt].word in ("a", "an", "the") and _measured(sentence, tokens, start, i):
            ranges.append((start, i))
            start = nxt
    if not ranges or not _measured(sentence, tokens, start, hi):
        return None
    return begin, [*ranges, (start, hi)]


def _measured(sentence: str, tokens: Sequence[Token], first: int, last: int) -> bool:
    if last - first < 3:
        return False
    begin, end = _chars(tokens, first, last)
    return _QUANTITY.search(sentence[begin:end]) is not None
