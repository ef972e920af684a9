"""Text to index terms, for papers of this field; index and query share it.

General tokenizers split or drop what a physicist searches for: √s, μ+μ−, W′, Nb3Sn, aQGC,
10^34 cm^-2 s^-1. Here every spelling of such a term (Unicode, LaTeX, ASCII, HTML) becomes one
term, words are stemmed lightly, and a quantity gives a term of its own besides its number and
its unit.
"""

import hashlib
import html
import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache

import Stemmer
from bm25s.stopwords import STOPWORDS_EN_PLUS

#: Changing what terms a text gives changes this, and with it every index's fingerprint.
TOKENIZER_VERSION = "field terms 2"

_LATEX = {
    "rightarrow": "→",
    "to": "→",
    "longrightarrow": "→",
    "times": "×",
    "cdot": "×",
    "pm": "±",
    "sim": "~",
    "simeq": "~",
    "approx": "~",
    "prime": "′",
    "ell": "ℓ",
    "infty": "∞",
    "circ": "°",
    **{
        unicodedata.name(chr(code)).rsplit(" ", 1)[-1].lower(): chr(code)
        for code in range(0x3B1, 0x3CA)
        if code != 0x3C2
    },
}
_LATEX["lambda"] = "λ"  # Unicode's own name is spelt without the b
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_SUPERSCRIPT_RUN = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+")
_HTML_SUPERSCRIPT = re.compile(r"<sup>\s*([^<]{1,12}?)\s*</sup>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,80}>")
_LATEX_ROOT = re.compile(r"\\sqrt\s*\{?\s*([A-Za-z]+)\s*\}?")
_LATEX_STYLE = re.compile(r"\\(?:mathrm|text|textrm|mathit|mathbf|rm|it|bf|bar|overline|mathcal)\b")
_LATEX_COMMAND = re.compile(r"\\([A-Za-z]+)\s?")
_LATEX_SPACE = re.compile(r"\\[,;:! ]")
_TIE = re.compile(r"(?<=\w)~(?=\w)")
_MARKS = re.compile(r"[$\\{}_*`]|[\u0304\u0305\u00ad]")  # markup, overlines, soft hyphens
_DASHES = re.compile(r"[\u2010-\u2015\u2212\ufe63\uff0d]")
_PRIMES = re.compile(r"(?<![^\W\d_])([A-Za-z])['′’ʹ]{1,2}(?![A-Za-z])")
_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b")
_FORMULA = re.compile(
    r"\b(Nb|V|Mg|Al|Si|Ti|Zr|Y|Ba|Bi|Sr|Ca|Pb|Fe|Li)\s?(\d)\s?"
    r"(Sn|Al|Si|Ga|Ge|Ti|O|N|B|Cu)(?![a-z])"
)

_PLAIN_UNITS = (
    "t",
    "k",
    "m",
    "s",
    "v",
    "a",
    "w",
    "j",
    "g",
    "h",
    "l",
    "hz",
    "ev",
    "bar",
    "tev",
    "thz",
)
_PREFIXES = ("k", "m", "g", "c", "n", "p", "μ")
_PREFIXED = ("m", "s", "t", "a", "v", "w", "j", "g", "k", "hz", "ev", "pa", "gy", "n", "l")
_UNITS = {
    **{unit: unit for unit in _PLAIN_UNITS},
    **{prefix + unit: prefix + unit for prefix in _PREFIXES for unit in _PREFIXED},
    **{f"{unit}-1": f"{unit}-1" for unit in ("ab", "fb", "pb", "nb")},
    "um": "μm",
    "micron": "μm",
    "microns": "μm",
    "tesla": "t",
    "kelvin": "k",
    "percent": "%",
    "%": "%",
    "meter": "m",
    "meters": "m",
    "metres": "m",
    "ohm": "ω",
    "mev/c": "mev",
    "gev/c": "gev",
}
_SYMBOL = r"[a-zα-ωℓ]{1,2}"
_POWER = re.compile(r"(\d+(?:\.\d+)?)\s?[x×·]\s?10\s?\^?\(?([+-]?\d{1,3})\)?(?![\d.])")
_POWER_OF_TEN = re.compile(r"(?<![\d.])10\s?\^\s?\(?([+-]?\d{1,3})\)?(?![\d.])")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_PAIR = re.compile(rf"(?<![\w+-])({_SYMBOL})\s?\^?([+-])\s?({_SYMBOL})\s?\^?([+-])(?!\w)")
_CHARGED = re.compile(rf"(?<![\w+-])({_SYMBOL})\s?\^([+-])")
_RAISED = re.compile(r"\^\(?(?=[+-]?\d)")

_TERM = re.compile(
    rf"""
      (?P<charged> (?<![\w+-]) (?: {_SYMBOL}[+-]{_SYMBOL}[+-] | {_SYMBOL}[+-] ) (?![\w+-]) )
    | √ \s? \(? (?P<radicand> [a-zα-ω]+ )
    | (?P<number> \d+(?:\.\d+)?(?:e[+-]?\d{{1,3}})? | (?<![\w.])\.\d+ ) (?![a-z]*\d)
      (?: [ -]? (?P<unit> [a-zμω]{{1,7}}(?:-1|/c)? | % ) (?![\w'-]) )?
    | (?P<inverse> (?<![a-z]) (?:ab|fb|pb|nb|cm|mm|m|s)-\d (?!\d) )
    | (?P<word> [^\W_]+ '? )
    """,
    re.VERBOSE,
)
_COMPOUND = re.compile(r"(?!(?:ab|fb|pb|nb|cm|mm|m|s)-\d)[^\W\d_][^\W_]*(?:[-→][^\W_]+)+")
_CONCEPT = "≡"  # begins the terms of acronyms, and no other
_STOPPED = frozenset(word for word in STOPWORDS_EN_PLUS if len(word) > 1) | {"a"}


def plain(text: str) -> str:
    """One spelling for one symbol: Unicode, LaTeX and HTML forms unfolded, case kept."""
    text = (
        _HTML_SUPERSCRIPT.sub(r"^\1", html.unescape(text)) if "&" in text or "<" in text else text
    )
    text = _TAG.sub("", text)
    if "\\" in text:
        text = _LATEX_ROOT.sub(r"√\1", text)
        text = _LATEX_STYLE.sub("", text)
        text = _LATEX_SPACE.sub(" ", text)
        text = _LATEX_COMMAND.sub(lambda match: _LATEX.get(match[1], match[1] + " "), text)
    text = _TIE.sub(" ", text)
    text = _SUPERSCRIPT_RUN.sub(lambda match: "^" + match[0].translate(_SUPERSCRIPTS), text)
    text = unicodedata.normalize("NFKC", text)
    text = unicodedata.normalize("NFD", text) if "\u0304" in text or "\u0305" in text else text
    text = _POSSESSIVE.sub("", text.replace("->", "→").replace("^′", "′"))
    text = _MARKS.sub("", text)
    text = _DASHES.sub("-", text)
    text = _FORMULA.sub(r"\1\2\3", text)
    return _PRIMES.sub(r"\1'", text)


def unified(text: str) -> str:
    """Lower case, with one spelling for powers of ten, large numbers and charges.

    `2 x 10^34` and `2e34` become `2e34`; `5,813` becomes `5813`; `e^+ e^-` becomes `e+e-`;
    `cm^-2` becomes `cm-2`.
    """
    text = plain(text).lower()
    text = _POWER.sub(lambda match: f"{match[1]}e{int(match[2])}", text)
    text = _POWER_OF_TEN.sub(lambda match: f"1e{int(match[1])}", text)
    text = _THOUSANDS.sub("", text)
    text = _PAIR.sub(r"\1\2\3\4", text)
    text = _CHARGED.sub(r"\1\2", text)
    return _RAISED.sub("", text)


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Stem of a lower-case word (Snowball English); words with digits or symbols stay."""
    return str(_stemmer().stemWord(word)) if word.isascii() and word.isalpha() else word


def words(text: str) -> list[str]:
    """Stems of the plain words of a text in order, stop words kept; for matching phrases."""
    return [stem(match) for match in re.findall(r"[^\W_]+", unified(text))]


class FieldTokenizer:
    """Text to terms; `acronyms` maps short forms to long forms ("BIB": "beam-induced background").

    A text that holds either form of an acronym gives one more term for the pair, so that each
    form finds the other. `fingerprint` changes with anything that changes the terms.
    """

    def __init__(self, acronyms: Mapping[str, str] | None = None) -> None:
        self.acronyms = dict(sorted((acronyms or {}).items()))
        described = [TOKENIZER_VERSION, *(f"{k}={v}" for k, v in self.acronyms.items())]
        self.fingerprint = hashlib.sha256("\n".join(described).encode()).hexdigest()[:16]
        self._short = {
            short: _CONCEPT + stem(short.lower()) for short in self.acronyms if len(short) > 1
        }
        self._long: dict[str, list[tuple[list[str], str]]] = {}
        for short, long in self.acronyms.items():
            phrase = words(long)
            if len(phrase) > 1 and short in self._short:
                self._long.setdefault(phrase[0], []).append((phrase, self._short[short]))

    def terms(self, text: str) -> list[str]:
        """Terms of a text, in order, with repetitions."""
        return [*_terms(unified(text)), *self._concepts(text)]

    def query_terms(self, question: str) -> list[str]:
        """Terms that a question is searched by, each once.

        Where it names an acronym, the pair's term stands alone: with the short form's own term
        beside it, one word of the question would count twice. Small letters ("bib") still find
        the short form by that term.
        """
        terms = dict.fromkeys(self.terms(question))
        named = {term.removeprefix(_CONCEPT) for term in terms if term.startswith(_CONCEPT)}
        return [term for term in terms if term not in named]

    def _concepts(self, text: str) -> Iterator[str]:
        """A term for every acronym that occurs in its short or its long form."""
        if not self._short:
            return
        for word in re.findall(r"[A-Za-z][\w-]*", text):
            term = self._short.get(word) or self._short.get(word.removesuffix("s"))
            if term:
                yield term
        sequence = words(text)
        for at, word in enumerate(sequence):
            for phrase, term in self._long.get(word, ()):
                if sequence[at : at + len(phrase)] == phrase:
                    yield term


def _terms(text: str) -> Iterator[str]:
    for match in _TERM.finditer(text):
        if match["word"]:
            word = match["word"]
            if word not in _STOPPED:
                yield stem(word)
        elif match["number"]:
            yield from _quantity(match["number"], match["unit"])
        elif match["radicand"]:
            yield "√" + match["radicand"]
        else:
            yield match["charged"] or match["inverse"]
    for match in _COMPOUND.finditer(text):
        yield match[0].replace("-", "")


def _quantity(number: str, unit: str | None) -> Iterator[str]:
    """Terms of a number and of what follows it: `10`, `tev` and `10tev` for "10 TeV"."""
    value = _number(number)
    yield value
    if "e" in value:
        yield value[value.index("e") :]
    if unit is None:
        return
    known = _UNITS.get(unit)
    if known:
        yield known
        yield value + known
    elif unit not in _STOPPED:
        yield stem(unit)


def _number(text: str) -> str:
    """One spelling for one number: no trailing zeros, a leading one where it was left out."""
    mantissa, _, power = text.partition("e")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    if mantissa.startswith(".") or not mantissa:
        mantissa = "0" + mantissa
    return f"{mantissa}e{int(power)}" if power else mantissa


@lru_cache(maxsize=1)
def _stemmer() -> Stemmer.Stemmer:
    return Stemmer.Stemmer("english")
