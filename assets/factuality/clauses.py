"""Where a sentence says more than one thing, and what each of them is.

Only joints that can be told without a parser: coordinated clauses and predicates, semicolons and
colons, a leading concession, a relative clause set off by commas, and coordinated measured
objects. Anything else stays one statement.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assets.factuality.grammar import (
    Token,
    finite,
    main_verb,
    object_follows,
    opens_subordinate,
    subject_span,
    tokenize,
)
from assets.factuality.verbs import BASE_VERBS, NOUN_LIKE_VERBS, PAST, SIMPLE_PAST, THIRD_PERSON
from assets.factuality.vocabulary import (
    ADVERBS,
    AUXILIARIES,
    DETERMINERS,
    MODALS,
    PLURAL_AUXILIARIES,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVES,
    SINGULAR_AUXILIARIES,
    SUBORDINATORS,
    is_plural,
    words,
)

Range = tuple[int, int]

_QUANTITY = re.compile(r"(?:^|[\s~≈<>≤≥(])[\d.]*\d\s?(?:%|°|[A-Za-zµμΩ]{1,4}\b)")
_FEWEST_WORDS = 4
"""A clause of fewer words is left joined to its neighbour."""
_LONGEST_SUBJECT = 16
_LONGEST_ANTECEDENT = 8
_ARTICLES = words("a an the")
_CHAINED = words("be been being not")
"""What may stand between an auxiliary and its participle."""
_STRONG_MARKS = words("; :")
_CONJUNCTIONS = words("and but while whereas") | _STRONG_MARKS
_CONCESSIVES = words("while whereas although though")
"""At the head of a sentence, they assert their own clause as firmly as the main one."""
_EVENT_VERBS = words(
    """
    allow allows enable enables make makes made mean means lead leads led result results cause
    causes require requires reduce reduces increase increases would could in limit limits
    simplify simplifies complicate complicates imply implies ensure ensures indicates suggests
    """
)
"""After ", which" these verbs as a rule speak of the whole clause and not of its last noun."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A statement, as the parts of its sentence that make it up, in their order.

    `parts` are character ranges; a predicate that shares its subject with an earlier one is the
    two ranges (subject, predicate).
    """

    parts: tuple[Range, ...]

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


@dataclass(frozen=True, slots=True)
class _Piece:
    """Tokens `first` to `last` that make a statement, behind the tokens of `subject` if any."""

    first: int
    last: int
    subject: Range | None = None


@dataclass(frozen=True, slots=True)
class _Joint:
    """A new statement: it starts at token `first`, with its finite verb at `verb`.

    `subject` is the range to repeat in front of it, None where it has its own.
    """

    first: int
    verb: int
    subject: Range | None = None


def split_clauses(sentence: str) -> list[Clause]:
    """The statements of a sentence, one or more, in order."""
    tokens = tokenize(sentence)
    clauses = [
        clause for piece in _coordinates(tokens) for clause in _finer(sentence, tokens, piece)
    ]
    return clauses or [Clause(((0, len(sentence)),))]


# Coordination


def _coordinates(tokens: Sequence[Token]) -> Iterator[_Piece]:
    """The coordinated clauses and predicates of a sentence, a leading concession first."""
    concession = _concession_end(tokens)
    first = concession + 1 if concession else 0
    verb = main_verb(tokens, first)
    if verb is None:
        return
    if concession:
        yield _Piece(1, concession)
    subject = subject_span(tokens, verb, first)
    shared: Range | None = None
    for i in range(verb + 1, len(tokens) - _FEWEST_WORDS):
        if tokens[i].depth or tokens[i].word not in _CONJUNCTIONS:
            continue
        if i - first < _FEWEST_WORDS or i <= verb + 1:
            continue
        joint = _joint(tokens, verb, i, subject)
        if joint is not None:
            yield _Piece(first, i - 1 if tokens[i - 1].word == "," else i, shared)
            first, verb, shared = joint.first, joint.verb, joint.subject
            if shared is None:
                subject = subject_span(tokens, verb, first) or subject
    yield _Piece(first, len(tokens), shared)


def _concession_end(tokens: Sequence[Token]) -> int:
    """Index of the comma after a leading "While A", or 0 where the sentence has none."""
    if not tokens or tokens[0].word not in _CONCESSIVES:
        return 0
    comma = next((i for i, t in enumerate(tokens) if t.word == "," and not t.depth), 0)
    if comma <= _FEWEST_WORDS or main_verb(tokens, 1, comma) is None:
        return 0
    verb = main_verb(tokens, comma + 1)
    return comma if verb is not None and subject_span(tokens, verb, comma + 1) else 0


def _joint(tokens: Sequence[Token], verb: int, i: int, subject: Range | None) -> _Joint | None:
    """The statement after the conjunction at `i`, where what follows is one."""
    after = _past_adverbs(tokens, i + 1)
    strong = tokens[i].word in _STRONG_MARKS
    set_off = strong or tokens[i - 1].word == ","
    within_subordinate = any(
        opens_subordinate(tokens, k, 0) for k in range(verb + 1, i) if not tokens[k].depth
    )
    if within_subordinate and not set_off:
        return None
    if subject is not None and _same_predicate(tokens, verb, after):
        return _Joint(after, after, subject)
    if subject is not None and not within_subordinate:
        helped = _auxiliaries_end(tokens, verb, i, after)
        if helped is not None:
            return _Joint(after, verb, (subject[0], helped))
    new_verb = main_verb(tokens, after)
    if new_verb is None or not 0 < new_verb - after <= _LONGEST_SUBJECT:
        return None
    word = tokens[after].word
    joint: _Joint | None = None
    if word in PREPOSITIONS | SUBORDINATORS | RELATIVES:
        if strong and word not in RELATIVES and subject_span(tokens, new_verb, after) is not None:
            joint = _Joint(after, new_verb)
    elif not _is_plain_clause(tokens, after, new_verb):
        joint = None
    elif word in ("it", "they"):
        joint = _Joint(new_verb, new_verb, subject) if subject is not None else None
    elif set_off or word in ("the", "this", "these"):
        joint = _Joint(after, new_verb)
    return joint


def _past_adverbs(tokens: Sequence[Token], i: int) -> int:
    if tokens[i - 1].word in _STRONG_MARKS and tokens[i].word in ("and", "but", "however"):
        i += 1
    last = len(tokens) - 1
    while i < last and (tokens[i].word in ADVERBS - {"there"} or tokens[i].word == ","):
        i += 1
    return i


def _is_plain_clause(tokens: Sequence[Token], first: int, verb: int) -> bool:
    """Whether tokens from `first` are a short subject and the certain verb at `verb`."""
    plain = all(
        tokens[k].depth or (tokens[k].word not in (",", "and") and tokens[k].word not in RELATIVES)
        for k in range(first, verb)
    )
    last = len(tokens)
    return plain and (
        finite(tokens, verb, first, last) is True or object_follows(tokens, verb, last)
    )


def _auxiliaries_end(tokens: Sequence[Token], verb: int, i: int, after: int) -> int | None:
    """Where the auxiliaries end that a second participle or infinitive shares, or None.

    "The coil was | wound in 2019 and | tested at 4.2 K"; the first predicate must say more than
    its participle, and hold no other that the second could stand beside.
    """
    end = verb + 1
    while end < i and (tokens[end].word in ADVERBS or tokens[end].word in _CHAINED):
        end += 1
    first, second = tokens[end].word, tokens[after].word
    following = tokens[after + 1].word if after + 1 < len(tokens) else ""
    between = [token.word for token in tokens[end + 1 : i] if not token.depth]
    if len(between) < _FEWEST_WORDS - 1 or any(word in PAST for word in between):
        return None
    passive = first in PAST and second in PAST and second not in SIMPLE_PAST
    if tokens[verb].word in AUXILIARIES and passive and following in PREPOSITIONS:
        return end
    infinitive = first in BASE_VERBS and second in BASE_VERBS and following in DETERMINERS
    return end if tokens[verb].word in MODALS and infinitive else None


def _same_predicate(tokens: Sequence[Token], verb: int, after: int) -> bool:
    """Whether the word at `after` is a finite verb in the manner of the one at `verb`."""
    word, model = tokens[after].word, tokens[verb].word
    following = tokens[after + 1].word if after + 1 < len(tokens) else ""
    if word in AUXILIARIES:
        disagree = (word in SINGULAR_AUXILIARIES and model in PLURAL_AUXILIARIES) or (
            word in PLURAL_AUXILIARIES and model in SINGULAR_AUXILIARIES
        )
        return not disagree
    if word in THIRD_PERSON and (model in THIRD_PERSON or model in ("is", "has")):
        return THIRD_PERSON[word] not in NOUN_LIKE_VERBS or following in DETERMINERS
    return word in PAST and model in PAST and following in DETERMINERS


# Within one coordinate


def _finer(sentence: str, tokens: Sequence[Token], piece: _Piece) -> list[Clause]:
    """The clauses of one piece: a relative set off by commas and measured objects come apart."""
    head = () if piece.subject is None else (_characters(tokens, piece.subject),)
    first, last = piece.first, piece.last
    aside: list[Clause] = []
    relative = _relative(tokens, first, last)
    if relative is not None:
        comma, antecedent, predicate = relative
        aside = [Clause((_characters(tokens, antecedent), _characters(tokens, predicate)))]
        if predicate[1] < last - 1:
            before = _characters(tokens, (first, comma))
            behind = _characters(tokens, (predicate[1] + 1, last))
            return [Clause((*head, before, behind)), *aside]
        last = comma
    objects = _measured_objects(sentence, tokens, first, last)
    if not objects:
        return [Clause((*head, _characters(tokens, (first, last)))), *aside]
    stem = _characters(tokens, (first, objects[0][0]))
    together = _characters(tokens, (first, objects[0][1]))
    others = [Clause((*head, stem, _characters(tokens, one))) for one in objects[1:]]
    return [Clause((*head, together)), *others, *aside]


def _characters(tokens: Sequence[Token], span: Range) -> Range:
    return tokens[span[0]].start, tokens[span[1] - 1].end


def _relative(tokens: Sequence[Token], first: int, last: int) -> tuple[int, Range, Range] | None:
    """The first ", which VERB …": its comma, its antecedent's tokens, its predicate's tokens."""
    for i in range(first + 2, last - _FEWEST_WORDS + 1):
        if tokens[i].word != "which" or tokens[i - 1].word != "," or tokens[i].depth:
            continue
        verb = i + 1
        if tokens[verb].word in _EVENT_VERBS or finite(tokens, verb, i, last) is not True:
            return None
        antecedent = _noun_phrase_before(tokens, first, i - 1, tokens[verb].word)
        end = _relative_end(tokens, verb, last)
        if antecedent is None or end - verb < _FEWEST_WORDS - 1:
            return None
        return i - 1, antecedent, (verb, end)
    return None


def _relative_end(tokens: Sequence[Token], verb: int, last: int) -> int:
    """The comma that closes the relative clause where the main verb follows it, else `last`."""
    for i in range(verb + 1, last - 1):
        if tokens[i].word == "," and not tokens[i].depth:
            return i if finite(tokens, i + 1, i, last) is True else last
    return last


def _noun_phrase_before(tokens: Sequence[Token], first: int, end: int, verb: str) -> Range | None:
    """Tokens of the noun phrase that ends before `end` and agrees with `verb`, or None."""
    noun = tokens[end - 1]
    plural = is_plural(noun.word)
    singular_verb = verb in SINGULAR_AUXILIARIES or verb in THIRD_PERSON
    disagrees = singular_verb if plural else verb in PLURAL_AUXILIARIES
    if noun.depth or not noun.word[:1].isalpha() or disagrees:
        return None
    start = end - 1
    while start > first and end - start < _LONGEST_ANTECEDENT:
        if _bounds_noun_phrase(tokens[start - 1].word):
            break
        start -= 1
        if tokens[start].word in DETERMINERS:
            break
    opening = tokens[start].word
    unnamed = opening in PRONOUNS or opening in ADVERBS or opening[:1].isdigit()
    return None if unnamed else (start, end)


def _bounds_noun_phrase(word: str) -> bool:
    return (
        word in PREPOSITIONS
        or word in AUXILIARIES
        or word in _CONJUNCTIONS
        or word in ",()"
        or word in PAST
        or word in THIRD_PERSON
        or word in ("be", "been", "to")
    )


def _measured_objects(sentence: str, tokens: Sequence[Token], first: int, last: int) -> list[Range]:
    """Coordinated objects that each hold a quantity, "a radius of 2 m and a height of 3 m"."""
    verb = main_verb(tokens, first, last)
    begin = (first if verb is None else verb) + 1
    while begin < last and tokens[begin].word not in _ARTICLES:
        if tokens[begin].word in PREPOSITIONS:
            return []
        begin += 1
    found: list[Range] = []
    start = begin
    for i in range(begin + 2, last - 2):
        if tokens[i].depth or tokens[i].word not in ("and", ","):
            continue
        behind = i + 2 if tokens[i].word == "," and tokens[i + 1].word == "and" else i + 1
        if tokens[behind].word in _ARTICLES and _is_measured(sentence, tokens, (start, i)):
            found.append((start, i))
            start = behind
    if not found or not _is_measured(sentence, tokens, (start, last)):
        return []
    return [*found, (start, last)]


def _is_measured(sentence: str, tokens: Sequence[Token], span: Range) -> bool:
    if span[1] - span[0] < 3:
        return False
    start, end = _characters(tokens, span)
    return _QUANTITY.search(sentence[start:end]) is not None
