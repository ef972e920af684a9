"""What lines say about themselves: numbering, captions, references, known headings."""

import re

_ROMAN = r"(?:X{0,3}(?:IX|IV|V?I{1,3}|V)|X{1,3})"
NUMBER = re.compile(
    rf"^(?P<number>(?:\d{{1,2}}(?:\.\d{{1,2}}){{0,4}}|{_ROMAN}|[A-Z](?:\.\d{{1,2}})*)"
    r"(?:[.:)]|(?=\s))|(?:Appendix|APPENDIX)(?:\s+[A-Z\d]{1,2})?(?:[.:]|(?=\s)|$))\s*(?P<title>.*)$"
)
CAPTION = re.compile(
    r"^(?P<label>(?:Supplementary\s+)?(?:Figures?|Figs?\.|Fig|FIGURES?|FIGS?\.?|F\s?IG\.|Tables?|TABLES?|Tab\.|"
    r"Scheme|Listing|Algorithm|Plate)\s*(?:\d{1,3}|[IVXL]{1,6}|[A-Z]\.?\d{0,3}|\d\.\d{1,2}))"
    r"(?P<rest>\s*(?P<stop>[.:|–—]|\s-\s)?.*)$"
)
TABLE_CAPTION = re.compile(r"^(?:Supplementary\s+)?(?:Tables?|TABLES?|Tab\.)\s*(?:\d|[IVXL]|[A-Z])")
REFERENCE_MARK = re.compile(
    r"^(?:\[\s?(?P<square>\d{1,3}|[A-Za-z+]{2,6}\d{2}[a-z]?)\]|\(?(?P<plain>\d{1,3})[.)])(?:\s|(?=[A-Z]))"
)
REFERENCES_TITLE = re.compile(
    rf"^(?:(?:\d{{1,2}}|{_ROMAN})\.?\s+)?(?:references?|bibliography|literature(?: cited)?|"
    r"references and notes|works cited)\s*[:.]?$",
    re.I,
)
ABSTRACT_TITLE = re.compile(
    r"^(?:abstract|summary|a\s?b\s?s\s?t\s?r\s?a\s?c\s?t)\s*[:.—–-]?\s*$", re.I
)
ABSTRACT_START = re.compile(r"^(?P<title>abstract)\s*(?:[:.—–-]+\s*|\s+(?=[A-Z]))(?=\S)", re.I)
CONTENTS_TITLE = re.compile(r"^(?:table of )?contents\s*$", re.I)
KEYWORDS = re.compile(r"^(?:key\s?words?|index terms|pacs(?: numbers?)?)\b", re.I)
KNOWN_HEADING = re.compile(
    r"^(?:abstract|introduction|conclusions?|summary|discussion|results|methods?|"
    r"acknowledge?ments?|references|bibliography|appendix|appendices|outlook|"
    r"conclusions? and outlook|summary and (?:outlook|conclusions?)|note added|"
    r"data availability(?: statement)?|author contributions?|funding|contents)\s*[:.]?$",
    re.I,
)
BULLET = re.compile(r"^(?:[•▪◦‣∙●○■□–—∗*·-]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])\s")
EQUATION_NUMBER = re.compile(r"^\(\s?(?:[A-Z]\.?|[IVX]+\.)?\d{1,3}(?:\.\d{1,3})?[a-z]?\s?\)[.,]?$")
# The number of a reference may follow; what follows a digit and its point are decimals.
_SENTENCE_END = re.compile(r"(?:[!?;]|(?<!\d)[.:]|[.:](?!\d))[\"'”’)\]]*(?:\s*\^?\{?[\d,]*\}?)?$")
# Words that sentences are built with and that names and addresses lack.
_GRAMMAR = frozenset(
    "the is are was were be been we it its to that this these which by with have has can from as "
    "in our their at on for not".split()
)


def depth(number: str) -> int:
    """Nesting depth of a section number, 1 for the outermost: 2.1 is 2, IV is 1, B is 2."""
    number = number.rstrip(".:)")
    if number.lower().startswith("appendix"):
        return 1
    if number[:1].isdigit() or "." in number:
        return number.count(".") + 1
    if re.fullmatch(_ROMAN, number):
        return 1
    return 2


def is_caption(text: str, distinct: bool) -> bool:
    """Whether a line begins a caption and is no sentence that begins with "Figure 4 shows".

    `distinct` says that the line is set apart from the text (another size or face, or a drawing
    or table beside it).
    """
    found = CAPTION.match(text)
    if not found:
        return False
    rest = found["rest"].strip()
    if not rest or found["stop"]:
        return not re.match(r"^[.:|]?\s*(?:and|to)\b", rest)
    return distinct and bool(re.match(r"[A-Z(\"“‘]", rest))


def ends_sentence(text: str) -> bool:
    """Whether a line ends as a sentence does."""
    return bool(_SENTENCE_END.search(text[-16:]))


def known_words(text: str) -> int:
    """Number of words of three letters and more."""
    return len(re.findall(r"[^\W\d_]{3,}", text))


def reads_as_prose(text: str) -> bool:
    """Whether sentences are in a text, unlike in lists of names and places."""
    words = text.lower().split()
    return sum(1 for word in words if word in _GRAMMAR) >= max(2, 0.08 * len(words))
