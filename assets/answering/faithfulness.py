"""What a rewording may not change: a sentence against the sentences it cites, word by word.

A writer who means well rewords little, and one who does not can turn a true quote into a wrong
sentence by a single word. So, against the sentences around its quotes,

* a sentence adds no word that carries meaning (`added_word`), no bound, no quantifier, no number in
  letters (`added_strength`) and no markup (`added_markup`);
* it keeps every "may" and "if", and each bound of a number (`dropped_condition`);
* each of its clauses denies what the nearest cited clause denies (`turned_denial`), and gives its
  numbers to the same things (`swapped_number`);
* it tells things in their order, unless it turns active into passive (`turned_order`).

Each check returns what is wrong in words, "" where nothing is. A sentence that repeats its quote
passes them all. They are strict by intent: what is refused can be said again in the words cited.
"""

import re
import unicodedata
from collections.abc import Sequence

from assets.answering.quantities import find_quantities, plain_form, same_quantity
from assets.answering.terms import Term, content_terms, coverage, is_present, names_in, stems

_CARRIES_MEANING = 0.12  # weight from which a word must be one of the cited
_MARGIN = 0.15  # of coverage, by which another number's clause must fit better
_IN_ORDER = 0.6  # share of the words in the order of the quote
_FEWEST_IN_ORDER = 3
_LONGEST = 1200  # characters of a sentence

#: Words with which a sentence reports, and that say nothing about what is reported.
_REPORTING = stems(
    "achieve achieved attain obtain obtained provide provided describe describes report reported "
    "reports authors author paper study studies find finds found state states stated note notes "
    "amount amounts equal equals correspond corresponds total respectively namely example passage "
    "according estimated estimate per order consist consists include includes called show shows "
    "shown known result results case work part based"
)

_STRONG = re.compile(
    r"\b(?:all|every|always|never|only|exclusively|entirely|fully|completely|solely|none|any|most"
    r"|more|less|least|fewer|greater|larger|higher|lower|smaller|bigger|longer|shorter|before|after"
    r"|above|below|beyond|over|under|within|without|both|neither|nor|half|double[ds]?|twice|triple[ds]?"
    r"|once|few|several|many|must|cannot|first|last|up\ to|at\ least|at\ most)\b"
    r"|[<>≤≥≪≫]",
    re.IGNORECASE | re.VERBOSE,
)
_NUMBER_WORDS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
} | {
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
    "hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "dozen": 12,
}  # fmt: skip
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(_NUMBER_WORDS)})\b", re.IGNORECASE)
_CONDITION = re.compile(
    r"\b(?:may|might|could|would|should|possibly|perhaps|potentially|presumably|if|unless|provided"
    r"\ that)\b",
    re.IGNORECASE | re.VERBOSE,
)
_BOUND = re.compile(
    r"(?:\b(?:up\ to|at\ least|at\ most|(?:more|less|fewer|greater|larger|smaller|higher|lower)"
    r"\ than|above|below|over|under|beyond|exceed\w*|not\ exceed\w*)|[<>≤≥≪≫])\s*"
    r"(?:(?:about|roughly|approximately|~|a|an|the|of)\s*)*\Z",
    re.IGNORECASE | re.VERBOSE,
)
_DENIAL = re.compile(
    r"\b(?:not|no|never|neither|nor|none|cannot|without|fail(?:s|ed)?|unable|impossible|lacks?"
    r"|lacked|lacking|absen(?:t|ce)|insensitive|independent|hardly|barely|excludes?|excluded"
    r"|rather\ than|instead\ of|unlike)\b|n[’']t\b",
    re.IGNORECASE | re.VERBOSE,
)
_CLAUSES = re.compile(
    r"[;:]|,(?!\d)|[()]|\s[–—]\s|\b(?:and|but|while|whereas|although|though|because|since|so\ that"
    r"|which|where|when|if|unless|than|however|yet)\b",
    re.IGNORECASE | re.VERBOSE,
)
_MARKUP = re.compile(
    r"https?:|www\.|\]\s?\(|!\[|\[\[|</?[a-z!]|&[a-z]+;|&\#|```|\$\$|\\(?:href|url|input|write)|"
    r"javascript:|data:",
    re.IGNORECASE | re.VERBOSE,
)


def unfaithful(text: str, quoted: Sequence[str]) -> str:
    """The first thing that a sentence changes of the sentences it cites, in words; "" for none."""
    if not quoted:
        return ""
    checks = (
        added_markup, added_word, added_strength, dropped_condition, turned_denial, swapped_number,
        turned_order,
    )  # fmt: skip
    return next((fault for check in checks if (fault := check(text, quoted))), "")


def added_markup(text: str, quoted: Sequence[str]) -> str:
    """Markup, links, control characters, or digits of another script."""
    if len(text) > max(_LONGEST, *map(len, quoted)):
        return "it is longer than a sentence"
    together = " ".join(quoted)
    for character in set(text) - set(together):
        if unicodedata.category(character) in {"Cc", "Cf", "Co", "Cs"}:
            return f"it holds the control character U+{ord(character):04X}"
        folded = unicodedata.normalize("NFKC", character)
        if character.isnumeric() and not folded.isascii():
            return f"it holds the sign {character}, which the cited words do not"
    for match in _MARKUP.finditer(text):
        if match.group() not in together:
            return f"it holds the markup {match.group()!r}"
    return ""


def added_word(text: str, quoted: Sequence[str]) -> str:
    """A word that carries meaning and that no cited sentence holds."""
    present = frozenset().union(*map(stems, quoted))
    for term in content_terms(text):
        if term.weight < _CARRIES_MEANING or term.stem in _REPORTING or is_present(term, present):
            continue
        if _NUMBER_WORD.fullmatch(term.word):
            continue
        if not any(names_in(sentence, term.word) for sentence in quoted):
            return f"{term.word!r} does not stand in the cited words"
    return ""


def added_strength(text: str, quoted: Sequence[str]) -> str:
    """A quantifier, a bound, a comparison or a number in letters that no cited sentence has."""
    together = " ".join(quoted).lower()
    for match in _STRONG.finditer(text):
        word = match.group().lower()
        if not re.search(rf"\b{word}\b" if word[0].isalpha() else word, together):
            return f"{word!r} does not stand in the cited words"
    bare = {quantity.value for sentence in quoted for quantity in find_quantities(sentence)}
    for match in _NUMBER_WORD.finditer(text):
        word = match.group().lower()
        if word not in re.findall(r"\w+", together) and _NUMBER_WORDS[word] not in bare:
            return f"the number {word!r} does not stand in the cited words"
    return ""


def dropped_condition(text: str, quoted: Sequence[str]) -> str:
    """A "may" or "if" of all the cited sentences, or the bound of a number, that is left out."""
    if not _CONDITION.search(text) and all(_CONDITION.search(one) for one in quoted):
        first = _CONDITION.search(quoted[0])
        return f"it leaves out {first.group() if first else 'may'!r} of the cited words"
    plain = plain_form(text)
    for quantity in find_quantities(text):
        if _BOUND.search(plain[: quantity.start]):
            continue
        stands = [
            bool(_BOUND.search(plain_form(sentence)[: other.start]))
            for sentence in quoted
            for other in find_quantities(sentence)
            if same_quantity(quantity, other)
        ]
        if stands and all(stands):
            return f"it leaves out that {quantity.text} is a bound"
    return ""


def turned_denial(text: str, quoted: Sequence[str]) -> str:
    """A clause that denies what the nearest cited clause does not, or the other way round."""
    theirs = [clause for sentence in quoted for clause in _clauses(sentence)]
    for clause, terms in _clauses(text):
        nearest = _best(terms, theirs)
        if nearest and not any(_denials(clause) == _denials(other) for other in nearest):
            return f"{clause.strip()!r} and the cited words deny different things"
    return ""


def swapped_number(text: str, quoted: Sequence[str]) -> str:
    """A number in a clause whose words stand, in the cited sentences, beside another number."""
    theirs = [clause for sentence in quoted for clause in _clauses(sentence)]
    for clause, terms in _clauses(text):
        for quantity in find_quantities(clause):
            own, rival = 0.0, 0.0
            for other, _ in theirs:
                fit = coverage(terms, stems(other)) if terms else 0.0
                numbers = find_quantities(other)
                if any(same_quantity(quantity, number) for number in numbers):
                    own = max(own, fit)
                elif any(quantity.unit.dimensions == n.unit.dimensions for n in numbers):
                    rival = max(rival, fit)
            if rival > own + _MARGIN:
                return f"{quantity.text} belongs to something else in the cited words"
    return ""


def turned_order(text: str, quoted: Sequence[str]) -> str:
    """The things of one cited sentence in another order, as where cause and effect are swapped."""
    own = [term.stem for term in content_terms(text)]
    if len(quoted) > 1 or len(own) < _FEWEST_IN_ORDER:
        return ""
    theirs = [term.stem for term in content_terms(quoted[0])]
    shared = [stem for stem in own if stem in theirs]
    if len(shared) < _FEWEST_IN_ORDER:
        return ""
    in_order = _longest_common(shared, theirs) / len(shared)
    turned = bool(re.search(r"\bby\b", text)) != bool(re.search(r"\bby\b", quoted[0]))
    if turned and in_order == 1.0 and re.search(r"\b(?:is|are|was|were|be|been)\b", text):
        same_verb = re.search(r"\b(?:is|are|was|were|be|been)\b", quoted[0])
        return "" if same_verb else "it turns who acts on whom round"
    if not turned and in_order < _IN_ORDER:
        return "it tells the cited words in another order"
    return ""


def grounded_words(text: str, sources: Sequence[str]) -> bool:
    """Whether all that a short remark says stands in some texts: words, names and numbers."""
    if not text or added_markup(text, sources) or added_word(text, sources):
        return False
    known = [number for source in sources for number in find_quantities(source)]
    if not all(any(same_quantity(one, other) for other in known) for one in find_quantities(text)):
        return False
    return not _NUMBER_WORD.search(text) or not added_strength(text, sources)


def _clauses(sentence: str) -> list[tuple[str, tuple[Term, ...]]]:
    """The clauses of a sentence that say something, each with its terms."""
    parts = [(part, content_terms(part)) for part in _CLAUSES.split(sentence)]
    return [(part, terms) for part, terms in parts if terms]


def _best(terms: tuple[Term, ...], clauses: Sequence[tuple[str, tuple[Term, ...]]]) -> list[str]:
    """The clauses that hold most of the terms, where one holds at least half of them."""
    fits = [(coverage(terms, stems(clause)), clause) for clause, _ in clauses]
    most = max((fit for fit, _ in fits), default=0.0)
    return [clause for fit, clause in fits if fit == most] if most >= 0.5 else []


def _denials(clause: str) -> int:
    return len(_DENIAL.findall(clause)) % 2


def _longest_common(one: Sequence[str], other: Sequence[str]) -> int:
    """Length of the longest common subsequence."""
    row = [0] * (len(other) + 1)
    for item in one:
        before = 0
        for place, rival in enumerate(other, start=1):
            kept = row[place]
            row[place] = before + 1 if item == rival else max(row[place], row[place - 1])
            before = kept
    return row[-1]
