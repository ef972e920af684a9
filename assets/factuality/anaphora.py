"""Anaphora: what "it", "this coil" and "the latter" stand for, or that nothing tells.

A claim is read far from its passage. "It was shut down in 1995" says nothing there; "T-15 was shut
down in 1995" does. What an opening word stands for is taken from the sentence before where one
reading fits, and the statement is refused where none or several do.
"""

import re
from dataclasses import dataclass, replace

from assets.factuality.grammar import (
    main_verb,
    subject_is_plural,
    subject_span,
    tokenize,
)
from assets.factuality.patterns import any_of, found, one_of
from assets.factuality.verbs import THIRD_PERSON
from assets.factuality.vocabulary import (
    ADVERBS,
    DETERMINERS,
    PLURAL_AUXILIARIES,
    PREPOSITIONS,
    SINGULAR_AUXILIARIES,
    is_plural,
    singular,
    words,
)

_OPENING = re.compile(
    r"^(it|they|this|these|those|that|such|its|their|he|she|both|the (?:latter|former))\b\s*",
    re.IGNORECASE,
)
_FILLERS = one_of(r"\w+ly also thus therefore not very more still yet now then")
_EXPLETIVE = any_of(
    # It is not yet known whether …
    rf"^it (?:is|was|(?:has|had) (?:{_FILLERS} )*been|(?:will|would|can) be|becomes?|became|seems"
    rf"|remains|turns out) (?:{_FILLERS} ){{0,2}}(?:[\w,]+ ){{0,6}}"
    r"(?:that|to|if|whether|for \w+ to)\b",
    # It would therefore seem that …
    rf"^it (?:(?:would|may|might|can|could|should|does|did) )?(?:{_FILLERS} )*"
    r"(?:seems?|appears?|follows?|turns? out|happens?|takes?|took|suffices?|makes? sense)\b",
)
_ASIDE = re.compile(r"\s*\([^)]*\)|\s[–—-]\s.*|,\s.*")
"""What a subject says of itself in brackets, dashes or commas."""
_LONGEST_SUBJECT = 12
"""Words; a longer noun phrase is no clear antecedent."""
_LONGEST_JOINED = 26
"""Words; "this" is not resolved to a longer statement."""
_LONGEST_DEMONSTRATIVE = 5
"""Words between "this" and the end of its noun phrase."""
_SHELL_NOUNS = words(
    """
    ability advantage aim analysis approach approximation argument aspect assumption attempt
    behavior behaviour benefit calculation case century challenge change choice circumstance
    claim comparison compromise concept conclusion condition configuration consequence
    consideration constraint contribution correction criterion day decade definition demand
    dependence development difference difficulty direction disadvantage discrepancy disturbance
    effect effort end era estimate evidence evolution example exercise expectation experience
    expression extent fact factor feature figure finding formula goal guideline hypothesis idea
    implication improvement increase information instance interpretation issue kind lack latter
    level limit limitation list manner matter means measure measurement mechanism method
    methodology modification moment month need notion number objective observation operation
    optimization option outcome paper paragraph parameter period phase phenomenon picture place
    point possibility practice problem procedure process program project property proposal
    purpose question range ratio reason reduction regard region relation report requirement
    respect result rule section sense set setup shift similarity situation solution sort step
    strategy structure study subject suggestion system table task technique technology tendency
    term test theory thing time topic trend type uncertainty understanding use value variation
    version view way week work year
    """
)
"""Nouns that only stand for what was said: "the approach" tells a reader no more than "this"."""
_KIND_NOUNS = words("type kind sort set class level number form")
"""Nouns whose "of …" describes them and still leaves open which: "this type of coil"."""
_PHRASE_BOUNDARIES = (
    PREPOSITIONS
    | DETERMINERS
    | SINGULAR_AUXILIARIES
    | PLURAL_AUXILIARIES
    | words("and or to which that be been where when")
)
_UNNAMED = words("it they this these that those we i you one which results result case fact")


@dataclass(frozen=True, slots=True)
class Antecedents:
    """What the next sentence may refer to: the subject, the noun phrases, the whole statement.

    `subject` is empty where the sentence had none that can be repeated, `statement` where it
    bears no claim.
    """

    subject: str = ""
    plural: bool = False
    phrases: tuple[str, ...] = ()
    statement: str = ""


def antecedents(statement: str, earlier: Antecedents) -> Antecedents:
    """What the tidy `statement` offers to the next one.

    A statement whose own subject is a pronoun hands on what that pronoun stood for.
    """
    tokens = tokenize(statement)
    verb = main_verb(tokens)
    offered = Antecedents(phrases=_noun_phrases(statement), statement=statement)
    span = None if verb is None else subject_span(tokens, verb)
    if verb is None or span is None:
        return offered
    first, last = span
    if tokens[first].word in _UNNAMED:
        alone = last - first == 1
        return (
            replace(offered, subject=earlier.subject, plural=earlier.plural) if alone else offered
        )
    subject = _ASIDE.sub("", statement[tokens[first].start : tokens[last - 1].end]).strip(" ,")
    if len(subject.split()) > _LONGEST_SUBJECT:
        return offered
    plural = subject_is_plural(tokens, span, verb)
    return replace(offered, subject=_lower_first(subject), plural=plural)


def _noun_phrases(statement: str) -> tuple[str, ...]:
    """Runs of two to six words between closed-class words, the candidates for "this coil"."""
    phrases: list[str] = []
    run: list[tuple[int, int]] = []
    for token in tokenize(statement):
        if token.word not in _PHRASE_BOUNDARIES and token.word[:1].isalnum():
            run.append((token.start, token.end))
            continue
        if 2 <= len(run) <= 6:
            phrases.append(statement[run[0][0] : run[-1][1]])
        run = []
    if 2 <= len(run) <= 6:
        phrases.append(statement[run[0][0] : run[-1][1]].rstrip("."))
    return tuple(phrases)


def resolve(statement: str, known: Antecedents) -> str | None:
    """`statement` with its reference replaced, itself where it has none, None where unresolved.

    "It" and "they" become the last subject where number agrees; "this magnet" the noun phrase
    before it with the same head, or else "the magnet"; "this requires …" is joined to a short
    sentence before it: "…, which requires …".
    """
    match = _OPENING.match(statement)
    if match is None:
        return _resolve_inner_pronoun(statement, known)
    if found(_EXPLETIVE, statement):
        return statement
    opening, rest = match[1].lower(), statement[match.end() :]
    resolved: str | None = None
    if opening in ("it", "they", "its", "their"):
        resolved = _replace_pronoun(opening, rest, known)
    elif opening in ("this", "these", "such", "those", "that"):
        resolved = _replace_demonstrative(opening, statement, rest, known)
    elif opening == "both" and rest.split(" ", 1)[0] not in PLURAL_AUXILIARIES:
        resolved = statement
    elif opening == "the latter":
        resolved = _replace_latter(rest, known)
    return resolved


def _resolve_inner_pronoun(statement: str, known: Antecedents) -> str | None:
    """The subject behind a leading adjunct: "In 1995 it was shut down"."""
    tokens = tokenize(statement)
    verb = main_verb(tokens)
    pronoun = tokens[verb - 1] if verb else None
    if pronoun is None or pronoun.word not in ("it", "they", "this", "he", "she"):
        return statement
    if found(_EXPLETIVE, statement[pronoun.start :]):
        return statement
    if (
        pronoun.word not in ("it", "they")
        or not known.subject
        or known.plural != (pronoun.word == "they")
    ):
        return None
    return statement[: pronoun.start] + known.subject + statement[pronoun.end :]


def _replace_pronoun(opening: str, rest: str, known: Antecedents) -> str | None:
    if not known.subject or known.plural != (opening in ("they", "their")):
        return None
    owner = known.subject
    if opening in ("its", "their"):
        owner += "'" if owner.endswith("s") else "'s"
    return _upper_first(f"{owner} {rest}")


def _replace_latter(rest: str, known: Antecedents) -> str | None:
    verb = rest.split(" ", 1)[0]
    if not known.phrases:
        return None
    phrase = known.phrases[-1]
    if is_plural(phrase) == (verb in SINGULAR_AUXILIARIES or verb in THIRD_PERSON):
        return None
    return _upper_first(f"{phrase} {rest}")


def _replace_demonstrative(
    opening: str, statement: str, rest: str, known: Antecedents
) -> str | None:
    tokens = tokenize(rest)
    verb = main_verb(tokenize(statement))
    if verb is None or not tokens:
        return None
    adverbial = tokens[0].word in ADVERBS or tokens[0].word.endswith("ly")
    if verb == 1 or (verb == 2 and adverbial):
        return _join(rest, known) if opening in ("this", "that") else None
    end = next((i for i, t in enumerate(tokens) if t.word in PREPOSITIONS or i + 1 >= verb), 0)
    if not 0 < end <= _LONGEST_DEMONSTRATIVE:
        return None
    head = singular(tokens[end - 1].word)
    named = _phrase_with_head(head, end, known)
    if named is not None:
        return _upper_first(named + rest[tokens[end - 1].end :])
    described = end < len(tokens) and tokens[end].word in ("of", "for") and head not in _KIND_NOUNS
    vague = head in _SHELL_NOUNS and not described
    return None if vague or opening == "such" else f"The {rest}"


def _phrase_with_head(head: str, longer_than: int, known: Antecedents) -> str | None:
    """The first longer noun phrase before with this head noun, with its article."""
    for phrase in (known.subject, *known.phrases):
        parts = phrase.split()
        if len(parts) > longer_than and singular(parts[-1].strip(".,").lower()) == head:
            return phrase if parts[0].lower() in DETERMINERS else f"the {phrase}"
    return None


def _join(rest: str, known: Antecedents) -> str | None:
    before = known.statement.rstrip(".")
    if not before or len(before.split()) > _LONGEST_JOINED:
        return None
    return f"{before}, which {rest}"


def _upper_first(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lower_first(text: str) -> str:
    opening = text.split(maxsplit=1)[0].lower() if text else ""
    return text[:1].lower() + text[1:] if opening in DETERMINERS | PREPOSITIONS else text
