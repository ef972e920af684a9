"""What is no prose, or no sentence: headings, captions, references, addresses, thanks, debris."""

import re

from assets.factuality.grammar import has_finite_verb, main_verb, tokenize
from assets.factuality.patterns import any_of, first_reason, found, one_of
from assets.factuality.vocabulary import SUBORDINATORS

_SECTIONS_WITHOUT_CLAIMS = any_of(
    r"\backnowledge?ments?\b",
    r"\b(?:references?|bibliography|contents|keywords|nomenclature|glossary|affiliations?)\b",
    r"\b(?:author contributions?|funding|disclaimer|data availability)\b",
    r"\b(?:competing|conflicts? of) interests?\b",
)

_COLOUR = one_of("red green blue black gr[ae]y orange purple yellow colou?red")
_STROKE = one_of("solid dashed dotted open closed filled hollow thick thin")
_MARK = one_of(
    "line curve dot circle square symbol marker bar point triangle rectangle area arrow band"
)
_INSTITUTION = one_of(
    "department institute? faculty school laboratory university universit\\w+ cern"
)
_WORK = one_of("work research study project paper author publication manuscript")

_PARTS = (
    ("heading", any_of(r"^\s*#")),
    ("table", any_of(r"^\s*\|", r"\|\s*$", r"(?:\s\|\s.*){3}")),
    ("equation", any_of(r"^\s*\$\$", r"\\begin\{", r"^\s*where\b")),
    ("question", any_of(r"\?\s*[\"'”’)*_]*$")),
    (
        "caption",
        any_of(
            # Figure 3: …, **Table IV.** …, FIG. 2 (left)
            r"^[\s*_(\[]*(?:fig(?:ure)?|table|tab|photo|scheme)s?\.?[\s*_]*(?:\d+|[IVX]+)[a-z]?"
            r"[\s*_]*[.:(][\s*_]*(?!shows?\b|lists?\b)",
            # Table 1 Some physical properties …
            r"^(?:fig(?:ure)?|table)\.? \d+ (?-i:[A-Z][a-z]+ )",
            # The solid lines …, red dots …
            rf"\b(?:{_COLOUR}|{_STROKE})(?: (?:{_COLOUR}|{_STROKE}))* {_MARK}s?\b",
        ),
    ),
    (
        "address",
        any_of(
            r"\b[\w.+-]+\\?@[\w-]+\.\w+",
            rf"^\W*\d?\W*{_INSTITUTION}\b[^.]*,[^.]*\d{{4,}}",
            r"\bcorresponding author\b",
        ),
    ),
    (
        "acknowledgement",
        any_of(
            r"\backnowledge[sd]?\b",
            r"\b(?:grateful(?:ly)?|indebted|thankful)\b",
            r"\bthanks?\b(?! to\b)",
            r"^\W*thanks to\b(?!.*,)",
            rf"\b{_WORK}s?\b.{{0,60}}\b(?:is|was|were|are|been) (?:\w+ly |also )?"
            r"(?:supported|funded|sponsored|financed|authored|performed under)\b",
            r"\bunder [\w.\s]{0,24}\bcontracts? (?:no|number|de-)",
            r"\bgrant (?:agreement )?(?:no|number|de-)",
            r"\bfunding (?:from|by|was)\b",
            r"\bimpartial\b",
            r"\blicen[cs]ed? under\b",
            r"\ball rights reserved\b",
            r"©",
        ),
    ),
)

_REFERENCE_MARKS = any_of(
    r"\b(?:18|19|20)\d\d\)?[a-z]?\b",  # a year
    r"\b[A-Z]\.(?:\s?[A-Z]\.)*,?\s[A-Z][a-z]+",  # A. B. Name
    r"\b[A-Z][a-z]+,\s[A-Z]\.",  # Name, A.
    r"\bet al\b|\bpp?\.\s?\d|\bvol\.?\s?\d|\*\*\d+\*\*|\bdoi\b|arXiv:|\bed(?:itor)?s?\.",
    r"\b(?:Phys|Rev|Lett|Nucl|Instrum|Meth|Proc|Conf|Trans|Supercond|Appl|Sci|Technol|J|Int)\.",
    r"\b(?:ISBN|Springer|Wiley|Elsevier|Press|JINST|JHEP|PhD thesis)\b",
    r"\b\d{1,4}\s?\(\d{1,2}\)",  # volume (issue)
    r"\b\d{2,4}\s?[–-]{1,2}\s?\d{2,4}\b",  # pages
    r"^\W{0,3}\[\d+\]\s",
    case=True,
)
_INSTITUTION_MARKS = any_of(
    r"\b(?:University|Universit\w+|Institut\w*|Laborator\w+|Department|Cent(?:er|re)|Faculty)\b",
    r"\b(?:School|College|Academy|USA)\b",
    r"\b[A-Z]{2}\s\d{5}\b",
    case=True,
)
_AUXILIARY = any_of(r"\b(?:is|are|was|were|has|have|had|will|can)\b")
_SYMBOL_DEFINITION = any_of(
    r"\bnotations?\b",
    r"^\W*[a-zα-ω] (?:is|are|denotes?|represents?|and) (?:the|an?)\b",
    r"^\W*(?:here|where),? \S{1,12} (?:is|are|denotes?|represents?|and)\b",
)
_LEAD_IN = any_of(
    r":[\s*_]*$",
    r"\b(?:as follows|the following|(?:expression|relation|formula|equation)s?)[\s.*_]*$",
)
_DANGLING = any_of(
    r"\b(?:by|of|from|the|an?|is|are|to|with|in|for|at|and|or|as|that|where|such|[Rr]ef(?:erence)?s?)\.$",
    case=True,
)
_LETTERS = re.compile(r"[A-Za-z]{3,}")
_FEWEST_WORDS = 3
_LONGEST = 110
"""Words; what is longer is a table or a list without full stops."""
_LEAST_LETTERED = 0.2
"""Share of words with three letters in a row, below which a sentence is debris of formulas."""


def section_bears_claims(section: tuple[str, ...]) -> bool:
    """False below headings such as "Acknowledgements" and "References"."""
    return not any(found(_SECTIONS_WITHOUT_CLAIMS, heading) for heading in section)


def why_no_sentence(sentence: str) -> str | None:
    """What a piece of text is where it is no sentence of prose, or None where it is one."""
    words = sentence.split()
    lettered = len(_LETTERS.findall(sentence))
    if len(words) < _FEWEST_WORDS or not lettered or _starts_inside(sentence):
        return "fragment"
    if len(words) > _LONGEST or "\ufffd" in sentence:
        return "garbage"
    reason = first_reason(_PARTS, sentence) or _why_no_prose(sentence, len(words))
    return "garbage" if reason is None and lettered < _LEAST_LETTERED * len(words) else reason


def _starts_inside(sentence: str) -> bool:
    """Whether it starts within a sentence; a short lower-case word may be a symbol ("pp")."""
    opening = sentence.lstrip("*_([-−•–\"'“‘ ")
    lower = opening[:1].islower() and opening[:1].isascii()
    return sentence[0] in ")],;:." or (lower and len(sentence.split(maxsplit=1)[0]) > 2)


def _why_no_prose(sentence: str, length: int) -> str | None:
    has_auxiliary = found(_AUXILIARY, sentence)
    marks = len(_REFERENCE_MARKS.findall(sentence))
    institutions = len(_INSTITUTION_MARKS.findall(sentence))
    reason = None
    if marks >= 3 and marks * 8 > length and not has_auxiliary:
        reason = "reference"
    elif found(_LEAD_IN, sentence):
        reason = "lead-in"
    elif found(_SYMBOL_DEFINITION, sentence):
        reason = "definition of symbols"
    elif not has_auxiliary and institutions >= 3 and institutions * 10 > length:
        reason = "address"
    elif not has_finite_verb(tokenize(sentence), certainly=_is_suspect(sentence)):
        reason = "no verb"
    return reason


def _is_suspect(sentence: str) -> bool:
    """Whether it looks like a list item or an address, which often hold a mere participle."""
    return sentence[0] in "-•*–" or len(_INSTITUTION_MARKS.findall(sentence)) >= 2


def why_incomplete(statement: str) -> str | None:
    """What one statement of a sentence lacks, or None where it can stand alone."""
    tokens = tokenize(statement)
    if found(_SYMBOL_DEFINITION, statement):
        return "definition of symbols"
    if found(_DANGLING, statement) or len(statement.split()) < _FEWEST_WORDS:
        return "fragment"
    if tokens[0].word in SUBORDINATORS and "," not in statement:
        return "fragment"
    return "no verb" if main_verb(tokens) is None else None
