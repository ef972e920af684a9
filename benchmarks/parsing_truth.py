"""What a paper's Markdown source says should be found in its PDF, and what a parser found of it.

Only the source text and the parser's plain output are compared; nothing of the parser under test
is used here.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)

_DISPLAY = re.compile(r"\$\$(.*?)\$\$", re.S)
_INLINE = re.compile(r"(?<!\\)\$([^$\n]{1,200}?)(?<!\\)\$")
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_TAG = re.compile(r"</?[A-Za-z][^<>\s]{0,40}>")
_RULE = re.compile(r"^\s*\|?[\s:|-]*-{3,}[\s:|-]*$", re.M)
_ESCAPE = re.compile(r"\\([^\w\s])")
_HYPHEN = re.compile(r"(?<=\w)[-\u2010\u2011][ \t]*\n?[ \t]*(?=\w)")
_DASH = re.compile(r"(?<=\w)[\u2012-\u2015\u2212](?=\w)")
_MARKUP = re.compile(r"[\^_~{}$*\\`]")
_OTHER = re.compile(r"[^\w]+")
_SCRIPT_MARK = re.compile(r"(.?)\^([^^\s][^^]{0,12}?)\^")
_LATEX_SCRIPT = re.compile(r"([\w)\]}|])([\^_])(\{[^{}]*\}|\\?\w)")
_PARSED_SCRIPT = re.compile(r"(.)([\^_])(?:\{([^{}]*)\}|(.))", re.S)
_SECTION_NUMBER = re.compile(
    r"^\s*(?:(?:\d+|[ivx]+|[a-z])(?:\.\d+)*[.)]?\s+)+(?=\S)|^\s*appendix\s+[a-z]\b[.:]?\s*", re.I
)

_GREEK_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau "
    "upsilon phi chi psi omega"
).split()
_GREEK_LETTERS = dict(zip(_GREEK_NAMES, "αβγδεζηθικλμνξπρστυφχψω", strict=True))
_GREEK_LETTERS |= {k.capitalize(): v.upper() for k, v in _GREEK_LETTERS.items()}
_GREEK_LETTERS |= {f"var{k}": v for k, v in list(_GREEK_LETTERS.items())}
_GREEK_COMMAND = re.compile(r"\\(" + "|".join(_GREEK_LETTERS) + r")(?![A-Za-z])")
_SAME_GREEK = str.maketrans("ϵεϕφϑθϖπϱρςσ∆ΔµμΩΩ", "εεφφθθππρρσσΔΔμμΩΩ")
_GREEK = re.compile(r"[Α-Ωα-ω]")
_FONT_COMMAND = re.compile(r"\\(?:mathrm|mathbf|mathit|text|textrm|mathcal|bm|rm|boldsymbol)\b\s*")


@dataclass(frozen=True, slots=True)
class Truth:
    """What one source holds: words in order, headings, marks (scripts), Greek letters."""

    words: tuple[str, ...]
    headings: tuple[str, ...]
    scripts: Counter[tuple[str, str]]
    equation_scripts: Counter[tuple[str, str]]
    greek: Counter[str]


def words(text: str) -> list[str]:
    """Lower-case words; mark-up dropped, compatibility forms unfolded, inner hyphens dropped."""
    text = _TAG.sub("", text).replace("\u00ad", "")
    text = _MARKUP.sub("", unicodedata.normalize("NFKC", text).lower())
    text = _DASH.sub("", _HYPHEN.sub("", text))
    return _OTHER.sub(" ", text).split()


def heading_key(text: str) -> str:
    """A heading without number, case and punctuation."""
    return "".join(words(_SECTION_NUMBER.sub("", text.strip())))


def read_truth(markdown: str) -> Truth:
    """The truth in a Markdown source; displayed formulas count for their marks only."""
    formulas = _DISPLAY.findall(markdown)
    prose = _DISPLAY.sub(" ", markdown)
    prose = _IMAGE.sub(" ", prose)
    prose = _RULE.sub(" ", prose)
    formulas += _INLINE.findall(prose)
    prose = _INLINE.sub(" ", prose)
    prose = _ESCAPE.sub(r"\1", prose)
    headings = tuple(
        heading_key(line.lstrip("#")) for line in prose.splitlines() if line.startswith("#")
    )
    joined_marks = prose.replace("^^", "").replace("*", "")
    scripts = Counter(
        (_plain(base), _plain(mark)) for base, mark in _SCRIPT_MARK.findall(joined_marks)
    )
    equation_scripts: Counter[tuple[str, str]] = Counter()
    greek = _greek(prose)
    for formula in formulas:
        text = _FONT_COMMAND.sub("", formula)
        text = _GREEK_COMMAND.sub(lambda m: _GREEK_LETTERS[m[1]], text)
        greek += _greek(text)
        for base, _, mark in _LATEX_SCRIPT.findall(text):
            plain = _plain(mark.strip("{}"))
            if plain and "\\" not in plain and "^" not in plain and "_" not in plain:
                equation_scripts[(_plain(base), plain)] += 1
    return Truth(tuple(words(prose)), headings, scripts, equation_scripts, greek)


def found_scripts(text: str) -> Counter[tuple[str, str]]:
    """Super- and subscripts of a parser's text, written ^x, ^{…}, _x or _{…}."""
    return Counter(
        (_plain(base), _plain(several or one))
        for base, _, several, one in _PARSED_SCRIPT.findall(text)
    )


def found_greek(text: str) -> Counter[str]:
    """Greek letters of a parser's text."""
    return _greek(text)


def _greek(text: str) -> Counter[str]:
    return Counter(_GREEK.findall(unicodedata.normalize("NFKC", text).translate(_SAME_GREEK)))


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).translate(_SAME_GREEK).lower()
    return re.sub(r"[\s{}*$]", "", text.replace("−", "-").replace("–", "-").replace("∗", "*"))


def share(wanted: Counter[Item], found: Counter[Item]) -> float:
    """Share of the wanted multiset that is found; 1 where nothing is wanted."""
    total = sum(wanted.values())
    return sum(min(n, found[k]) for k, n in wanted.items()) / total if total else 1.0


def sequences(tokens: Iterable[str], n: int = 5) -> Counter[tuple[str, ...]]:
    """All runs of n consecutive words."""
    items = list(tokens)
    return Counter(tuple(items[i : i + n]) for i in range(len(items) - n + 1))
