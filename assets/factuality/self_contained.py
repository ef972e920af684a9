"""Statements that stand alone: reading marks taken off, and openings resolved or refused.

A claim is read far from its passage. "It was shut down in 1995" says nothing there; "T-15 was shut
down in 1995" does. What an opening word stands for is taken from the passage where one reading
fits, and the statement is refused where none or several do.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from assets.factuality.clauses import Token, main_verb, subject_span, tokenize
from assets.factuality.vocabulary import (
    ADVERBS,
    DETERMINERS,
    PLURAL_AUXILIARIES,
    PREPOSITIONS,
    SINGULAR_AUXILIARIES,
    THIRD_PERSON,
)

_CITATION = r"\[\s?\d[\d\s,;–\-\[\]]*\]"
_NOISE = re.compile(
    rf"""
      \s*(?:(?:as\s)?(?:\b(?:in|by|from|see|of|and|to|following|based\son)\s)?(?:the\s)?Refs?\.?\s)?
        \(?{_CITATION}\)?(?:\s?[,–-]\s?{_CITATION})*            # [3], [12-15], [1],[2]
    | \s*\\?\((?:see|e\.g\.|cf\.|also|and|[\s,]|\\)*
        (?:Figs?|Figures?|Tables?|Tabs?|Eqs?|Equations?|Secs?|Sect|Sections?|Refs?|Appendix|
           Chapters?)\b[^()]*(?:\([^()]*\)[^()]*)*\\?\)           # (see Fig. 3, left)
    | \s*\((?:see|cf\.)\s[^()]*\)
    | (?<=[a-z]{4}|.[.,;])\^\[?\d[\d,\s–-]*\]?\^(?=\s|$|[.,;])  # a superscript note
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SUPERSCRIPT = re.compile(r"\^([^\s^]{1,12})\^")
_SUBSCRIPT_MARK = re.compile(r"(?<!\\)[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}|\\(?=[()*_\[\]])|`")
_LIST_MARK = re.compile(r"^(?:[-−•▪◦–]\s+|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s+)+")
_SPACES = re.compile(r"\s+")
_SPACE_BEFORE_MARK = re.compile(r"\s+([,.;:)])")

_CONNECTIVE = re.compile(
    r"""^(?:
      however | furthermore | moreover | therefore | thus | hence | in\ addition | additionally
    | consequently | accordingly | nevertheless | nonetheless | also | besides | similarly
    | likewise | instead | in\ fact | indeed | in\ particular | for\ example | for\ instance
    | in\ general | generally | in\ contrast | by\ contrast | on\ the\ other\ hand
    | on\ the\ contrary | as\ a\ result | as\ a\ consequence | in\ turn | finally | lastly
    | first(?:ly)? | second(?:ly)? | third(?:ly)? | fourth(?:ly)? | fifth(?:ly)? | last | then | next | subsequently | meanwhile
    | in\ this\ (?:case|context|way|regard|respect) | to\ this\ (?:end|aim) | for\ this\ reason
    | in\ summary | in\ conclusion | to\ summarize | interestingly | remarkably | notably
    | importantly | specifically | overall | clearly | obviously | of\ course | in\ short
    | as\ expected | as\ mentioned(?:\ (?:above|before|earlier))? | more(?:\ )?over | and | but | so
    | yet | or | on\ paper | that\ is | i\.e\. | e\.g\.
    | as\ (?:(?:it\ )?can\ be\ seen|shown|depicted|displayed|plotted|explained|seen|illustrated|described|discussed|indicated|reported
           |summari[sz]ed|presented|noted)[^,]{0,60}
    )(?:\s*,\s*|\s+(?=(?:the|a|an|it|this|these|they|in|for)\b))""",
    re.VERBOSE | re.IGNORECASE,
)
_FRAME = re.compile(
    r"""^(?:
      (?:we|the\ authors|one)\ (?:(?:have|can|also|thus|therefore|then|had)\ ){0,2}
        (?:find|found|observe|observed|note|noted|see|seen|show|shown|showed|conclude|concluded
          |demonstrate|demonstrated|estimate|estimated|determined?|establish|established|expect
          |believe|assume|verified|confirm|confirmed)\ that
    | it\ (?:is|was|has\ (?:also\ |\w+ly\ )?been|can\ be|should\ be|must\ be|may\ be)\ (?:also\ |now\ |well\ |clearly\ )?
        (?:shown|found|seen|known|well[\ -]known|noted|observed|demonstrated|established|concluded|clear|evident
          |apparent|obvious|noticed|estimated|confirmed|worth\ noting|interesting\ to\ note
          |important\ to\ note|stressed|emphasi[sz]ed|mentioned)
        (?:\ (?:in|by|from)(?:\ [^,]{1,40})?)?\ that
    | (?:this|that|these\ \w+|this\ \w+)\ (?:also\ |thus\ |clearly\ |in\ turn\ )?
        (?:shows?|showed|implies|imply|means?|meant|suggests?|indicates?|confirms?|demonstrates?)\ that
    | (?:please\ )?note(?:,?\ (?:also|however),?)?\ that | notice\ that | recall\ that
    | (?:the\ |these\ |our\ |all\ |both\ )?(?:\w+\ ){0,2}
        (?:fig(?:ure)?s?|tables?|refs?|eqs?)\.?\s?\(?\[?[\dIVX]+[a-z]?\]?\)?(?:\ \(?[a-z]\)?)?
        \ (?:\w+ly\ |also\ |thus\ )?(?:shows?|showed|indicates?|demonstrates?|illustrates?|suggests?
          |reveals?|confirms?)\ that
    | (?:the\ |these\ |our\ )?(?:results?|measurements?|studies|study|calculations?|simulations?|data
        |experiments?|analysis|tests?)\ (?:of\ [^,]{1,30}\ )?(?:also\ |clearly\ )?
        (?:shows?|showed|indicated?s?|demonstrated?s?|revealed|reveals?|confirm(?:s|ed)?)\ that
    )\ """,
    re.VERBOSE | re.IGNORECASE,
)
_TRAILING_POINTER = re.compile(
    r"""(?:[,\s]+(?:as|which)\ (?:also\ )?(?:(?:can|may)\ be\ |(?:is|are|was|were)\ )?|,\s*)(?:also\ )?
        (?:shown|seen|illustrated|depicted|listed|reported|given|summari[sz]ed|displayed|presented
          |described|discussed|indicated|see|plotted)
        \ (?:schematically\ |also\ )?(?:in|on|by|from)?\ ?(?:the\ )?
        (?:Figs?|Figures?|Tables?|Tabs?|Eqs?|Secs?|Sect|Sections?|Refs?|Appendix)\b\.?[^,]*$""",
    re.VERBOSE | re.IGNORECASE,
)
_OPENING = re.compile(
    r"^(it|they|this|these|those|that|such|its|their|he|she|both|the (?:latter|former))\b\s*",
    re.IGNORECASE,
)
_EXPLETIVE = re.compile(
    r"""^it\ (?:is|was|(?:has|had)\ (?:not\ |also\ |\w+ly\ )*been|will\ be|would\ be|can\ be|becomes?|became|seems|remains|turns\ out)[ ]
        (?:\w+ly\ |also\ |thus\ |therefore\ |not\ |very\ |more\ |still\ |now\ |then\ ){0,2}
        (?:[\w,]+\ ){0,3}(?:that|to|if|whether|for\ \w+\ to)\b
      | ^it\ (?:(?:would|may|might|can|could|should|does|did)\ )?(?:not\ |therefore\ |thus\ |also\ |then\ )*
        (?:seems?|appears?|follows?|turns?\ out|happens?|takes?|took|suffices?|makes?\ sense)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_ASIDE = re.compile(r"\s*\([^)]*\)|\s[–—-]\s.*|,\s.*")
"""What a subject says of itself in brackets, dashes or commas."""
_LONGEST_ANTECEDENT = 12
"""Words; a longer noun phrase is no clear antecedent."""
_LONGEST_JOINED = 26
"""Words; "this" is not resolved to a longer statement."""
_LONGEST_DEMONSTRATIVE = 5
"""Words between "this" and the end of its noun phrase."""
_SHELL_NOUNS = frozenset(
    """
    ability advantage aim analysis approach approximation argument aspect assumption attempt behavior
    behaviour benefit calculation case challenge change choice circumstance claim comparison
    compromise concept conclusion condition configuration consequence consideration constraint
    contribution correction criterion definition demand dependence development difference difficulty
    direction disadvantage discrepancy disturbance effect effort end estimate evidence evolution
    example exercise expectation experience expression extent fact factor feature figure finding
    formula goal guideline hypothesis idea implication improvement increase information instance
    interpretation issue kind lack latter level limit limitation list manner matter means measure
    measurement mechanism method methodology modification need notion number objective observation
    operation optimization option outcome paper parameter paragraph phase phenomenon picture
    point possibility practice problem procedure process program project property proposal purpose
    question range ratio reason reduction regard region relation report requirement respect result
    rule section sense set setup shift similarity situation solution sort step strategy structure
    study subject suggestion system table task technique technology tendency term test theory thing
    time topic trend type understanding use uncertainty value variation version view way work
    """.split()  # noqa: SIM905 - a list of words reads best as lines of words
)
"""Nouns that only stand for what was said: "the approach" tells a reader no more than "this"."""
_KINDS = frozenset({"type", "kind", "sort", "set", "class", "level", "number", "form"})
"""Nouns whose "of …" describes them and still leaves open which: "this type of coil"."""
_PHRASE_BOUNDARIES = (
    PREPOSITIONS
    | DETERMINERS
    | SINGULAR_AUXILIARIES
    | PLURAL_AUXILIARIES
    | {"and", "or", "to", "which", "that", "be", "been", "where", "when"}
)
_WEAK_HEADS = frozenset(
    "it they this these that those we i you one which results result case fact".split()  # noqa: SIM905
)


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


def tidy(text: str) -> str:
    """A statement without citations, pointers, markup and connectives, as one plain sentence."""
    text = _SPACES.sub(" ", text).strip()
    text = _FRAME.sub("", _CONNECTIVE.sub("", _LIST_MARK.sub("", text)))
    text = _NOISE.sub("", text)
    text = _SUBSCRIPT_MARK.sub("", _SUPERSCRIPT.sub(_raised, text))
    text = _SPACE_BEFORE_MARK.sub(r"\1", _SPACES.sub(" ", text)).strip(" ,;:.!")
    for _ in range(3):
        shorter = _FRAME.sub("", _CONNECTIVE.sub("", text))
        if shorter == text:
            break
        text = shorter
    text = _TRAILING_POINTER.sub("", text)
    text = re.sub(r"[\s,;:]*(?:i\.e|e\.g)?[\s.,;:]*$", "", text)
    return text[:1].upper() + text[1:] + "." if text else ""


def _raised(match: re.Match[str]) -> str:
    """Powers keep their caret; letters and bare digits after a letter are subscripts here."""
    inner = match[1]
    before = match.string[match.start() - 1 : match.start()]
    is_power = inner[0] in "-−+–" or before.isdigit() or before in ")mscV"
    return f"^{inner}" if is_power and inner.strip("-−+–").isdigit() else inner


def antecedents(sentence: str, earlier: Antecedents) -> Antecedents:
    """What the tidy statement `sentence` offers to the next one.

    A sentence whose own subject is a pronoun hands on what that pronoun stood for.
    """
    tokens = tokenize(sentence)
    verb = main_verb(tokens)
    offered = Antecedents(phrases=_noun_phrases(sentence, tokens), statement=sentence)
    span = subject_span(tokens, verb) if verb is not None else None
    if span is None or verb is None:
        return offered
    first, last = span
    if tokens[first].word in _WEAK_HEADS:
        same = last - first == 1
        return replace(offered, subject=earlier.subject, plural=earlier.plural) if same else offered
    subject = _ASIDE.sub("", sentence[tokens[first].start : tokens[last - 1].end]).strip(" ,")
    if len(subject.split()) > _LONGEST_ANTECEDENT:
        return offered
    plural = _is_plural(tokens, first, last, verb)
    return replace(offered, subject=_lower_first(subject), plural=plural)


def _is_plural(tokens: Sequence[Token], first: int, last: int, verb: int) -> bool:
    word = tokens[verb].word
    if word in SINGULAR_AUXILIARIES or word in THIRD_PERSON:
        return False
    if word in PLURAL_AUXILIARIES:
        return True
    head = next(
        (tokens[i - 1].word for i in range(first + 1, last) if tokens[i].word in PREPOSITIONS),
        tokens[last - 1].word,
    )
    return head.endswith("s") and not head.endswith(("ss", "us", "is"))


def _noun_phrases(sentence: str, tokens: Sequence[Token]) -> tuple[str, ...]:
    """Runs of words between closed-class words, the candidates for "this coil"."""
    phrases = []
    start: int | None = None
    for i, token in enumerate([*tokens, Token(0, 0, ",", 0)]):
        boundary = token.word in _PHRASE_BOUNDARIES or not token.word[:1].isalnum()
        if boundary and start is not None:
            if 2 <= i - start <= 6:
                phrases.append(sentence[tokens[start].start : tokens[i - 1].end])
            start = None
        elif not boundary and start is None:
            start = i
    return tuple(phrases)


def resolve(statement: str, known: Antecedents) -> str | None:
    """`statement` with its opening reference replaced, itself where it has none, or None.

    "It" and "They" become the last subject where number agrees; "This magnet" becomes the noun
    phrase of the last sentence with the same head noun. "This requires", "The latter" and a
    reference with no such phrase are refused.
    """
    match = _OPENING.match(statement)
    if match is None:
        return _resolve_inner(statement, known)
    if _EXPLETIVE.match(statement):
        return statement
    opening, rest = match[1].lower(), statement[match.end() :]
    if opening in ("it", "they", "its", "their"):
        return _replace_pronoun(opening, rest, known)
    if opening in ("this", "these", "such", "those", "that"):
        return _replace_demonstrative(opening, statement, rest, known)
    if opening == "both":
        return statement if rest.split(" ", 1)[0] not in PLURAL_AUXILIARIES else None
    if opening == "the latter":
        return _replace_latter(rest, known)
    return None


def _resolve_inner(statement: str, known: Antecedents) -> str | None:
    """The subject behind a leading adjunct: "In 1995 it was shut down"."""
    tokens = tokenize(statement)
    verb = main_verb(tokens)
    if verb is None or verb == 0 or tokens[verb - 1].word not in ("it", "they", "this"):
        return statement
    pronoun = tokens[verb - 1]
    if _EXPLETIVE.match(statement[pronoun.start :]):
        return statement
    if pronoun.word == "this" or not known.subject or known.plural != (pronoun.word == "they"):
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
    if not known.phrases:
        return None
    phrase = known.phrases[-1]
    singular = rest.split(" ", 1)[0] in SINGULAR_AUXILIARIES | set(THIRD_PERSON)
    if (_stem(phrase) != phrase) == singular:
        return None
    return _upper_first(f"{phrase} {rest}")


def _replace_demonstrative(
    opening: str, statement: str, rest: str, known: Antecedents
) -> str | None:
    verb = main_verb(tokenize(statement))
    if verb is None:
        return None
    tokens = tokenize(rest)
    adverbial = tokens[0].word in ADVERBS or tokens[0].word.endswith("ly")
    if verb == 1 or (verb == 2 and adverbial):
        return _join(rest, known) if opening in ("this", "that") else None
    end = next((i for i, t in enumerate(tokens) if t.word in PREPOSITIONS or i + 1 >= verb), 0)
    if not 0 < end <= _LONGEST_DEMONSTRATIVE:
        return None
    head = _stem(tokens[end - 1].word)
    tail = rest[tokens[end - 1].end :]
    for phrase in [known.subject, *known.phrases]:
        words = phrase.split()
        if len(words) > end and _stem(words[-1].strip(".,").lower()) == head:
            the = "" if words[0].lower() in DETERMINERS else "the "
            return _upper_first(f"{the}{phrase}{tail}")
    described = end < len(tokens) and tokens[end].word in ("of", "for") and head not in _KINDS
    if (head in _SHELL_NOUNS and not described) or opening == "such":
        return None
    return f"The {rest}"


def _join(rest: str, known: Antecedents) -> str | None:
    """ "A is B. This requires C." → "A is B, which requires C.", where A is B is short."""
    before = known.statement.rstrip(".")
    if not before or len(before.split()) > _LONGEST_JOINED:
        return None
    return f"{before}, which {rest}"


def _stem(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _upper_first(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lower_first(text: str) -> str:
    first = text.split(maxsplit=1)[0] if text else ""
    return text[:1].lower() + text[1:] if first.lower() in DETERMINERS | PREPOSITIONS else text
