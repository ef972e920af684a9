"""A line's runs written as text: spaces at gaps, super- and subscripts as ^{…} and _{…}.

A script is smaller than the text before it and off its baseline. One character is written bare
(`Nb_3Sn`, `μ^+`), several in braces (`10^{34}`), where a minus becomes a hyphen so that numbers
read as numbers.
"""

import re
import unicodedata

from resources.pdf_layout.fractions import Bars, Fraction
from resources.pdf_layout.glyphs import Run
from resources.pdf_layout.lines import Line, spaced

_SUP = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+−=()ni", strict=True))
_SUB = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎", "0123456789+−=()", strict=True))
_KEPT = frozenset("ºª…´¨¯¸˜ˆ˚˝˘˙")
_PLAIN_HYPHENS = {"\u2010": "-", "\u2011": "-", "\u2043": "-", "\u00ad": "\u00ad"}

_SCRIPT_SIZE = 0.88
_SCRIPT_SHIFT = 0.05
_SCRIPT_GAP = 0.6  # ems between two scripts that are not one
_EXPONENT_BAR = 0.5  # ems over the baseline, from which a fraction bar is part of an exponent
_TERMS = re.compile(r"[\s+−=·×/*-]")
_THIN_SPACE = 0.21  # ems, up to which a gap before a script is a thin space in a formula


def normalised(text: str) -> str:
    """NFKC without flattening: superscript characters become mark-up, ordinals stay."""
    if text.isascii():
        return text
    out: list[str] = []
    for char in text:
        if char in _SUP:
            out.append(f"^{_SUP[char]}")
        elif char in _SUB:
            out.append(f"_{_SUB[char]}")
        elif char in _PLAIN_HYPHENS:
            out.append(_PLAIN_HYPHENS[char])
        elif char in _KEPT:
            out.append(char)
        elif unicodedata.category(char) != "Cf":
            out.append(unicodedata.normalize("NFKC", char))
    return _scripts_joined("".join(out))


def _scripts_joined(text: str) -> str:
    """^1^0 as ^{10}: neighbouring superscript characters are one script."""
    out: list[str] = []
    i = 0
    while i < len(text):
        mark = text[i]
        if mark in "^_" and i + 3 < len(text) and text[i + 2] == mark:
            end = i
            script = ""
            while end + 1 < len(text) and text[end] == mark:
                script += text[end + 1]
                end += 2
            out.append(f"{mark}{{{script.replace('−', '-')}}}")
            i = end
        else:
            out.append(mark)
            i += 1
    return "".join(out)


def line_fragments(line: Line, bars: Bars) -> list[str]:
    """The text of every run of a line, spaces and marks included; joined, they are its text.

    Scripts are judged against the line's baseline and size; `bars` are its page's.
    """
    bases = [line.y] * len(line.runs)
    return _Text(line.runs, bases, line.size, bars.fractions(line.runs)).fragments()


def formula_fragments(runs: list[Run], bars: Bars) -> list[str]:
    """The same for a displayed formula, whose runs come in the order of the content stream.

    Each script is judged against the full-sized text before it, so that those in numerators and
    denominators are seen.
    """
    if not runs:
        return []
    size = _main_size(runs)
    return _Text(runs, _bases(runs, size), size, bars.fractions(runs)).fragments()


def _bases(runs: list[Run], size: float) -> list[float]:
    """For every run the baseline of the full-sized text before it."""
    base = next((r.y for r in runs if r.size > _SCRIPT_SIZE * size), runs[0].y)
    bases = []
    for run in runs:
        if not _mark(run, base, size) and not run.font.extension:
            base = run.y
        bases.append(base)
    return bases


def _main_size(runs: list[Run]) -> float:
    """The size of the full-sized letters; large signs (sums, integrals, brackets) do not set it."""
    letters = [r.size for r in runs if any(c.isalnum() for c in r.text) and not r.font.extension]
    return max(letters or [r.size for r in runs])


class _Text:
    """Runs on their way to text: the mark of each, where scripts are cut, what is put before."""

    def __init__(
        self, runs: list[Run], bases: list[float], size: float, fractions: list[Fraction]
    ) -> None:
        self.runs = runs
        self.marks = [_mark(r, y, size) for r, y in zip(runs, bases, strict=True)]
        self.fractions = fractions
        self.slashes = {f.bar for f in fractions}
        self.cuts: set[int] = set()
        for fraction in reversed(fractions):
            self._set_fraction(fraction, bases[fraction.start], size)

    def _set_fraction(self, fraction: Fraction, base: float, size: float) -> None:
        """A fraction as high as an exponent is one script; in the line, each part is text."""
        start, bar, end = fraction.start, fraction.bar, fraction.end
        if base - fraction.y > _EXPONENT_BAR * size:
            self.marks[start:end] = ["^"] * (end - start)
            return
        self.cuts |= {start, bar, end}
        for a, b in ((start, bar), (bar, end)):
            part = self.runs[a:b]
            own = _main_size(part)
            bases = _bases(part, own)
            self.marks[a:b] = [_mark(r, y, own) for r, y in zip(part, bases, strict=True)]

    def fragments(self) -> list[str]:
        """The text of every run."""
        out: list[str] = []
        n = 0
        while n < len(self.runs):
            end = n + 1
            while self.marks[n] and end < len(self.runs) and not self._parts(end):
                end += 1
            out.extend(self._script(n, end) if self.marks[n] else [self._space(n) + self._plain(n)])
            n = end
        for fraction in self.fractions:
            if fraction.bar in self.cuts:
                _bracket(out, fraction)
        return out

    def _parts(self, n: int) -> bool:
        """Whether a script ends before run n."""
        far = spaced(self.runs[n - 1], self.runs[n]) and self._gap(n) > _SCRIPT_GAP
        return self.marks[n] != self.marks[n - 1] or n in self.cuts or far

    def _gap(self, n: int) -> float:
        before, run = self.runs[n - 1], self.runs[n]
        return (run.x0 - before.x1) / max(before.size, run.size)

    def _space(self, n: int) -> str:
        if n == 0 or n in self.slashes or not spaced(self.runs[n - 1], self.runs[n]):
            return ""
        thin = self._gap(n) < _THIN_SPACE and not self.runs[n].spaced
        return "" if self.marks[n] and thin else " "

    def _plain(self, n: int) -> str:
        return ("/" if n in self.slashes else "") + normalised(self.runs[n].text)

    def _script(self, start: int, end: int) -> list[str]:
        """A script's runs, the mark and brace with the first, the closing brace with the last."""
        mark = self.marks[start]
        texts = [self._plain(n).replace("^", "").replace("_", "") for n in range(start, end)]
        for n in range(start + 1, end):
            if n not in self.slashes and spaced(self.runs[n - 1], self.runs[n]):
                texts[n - start] = " " + texts[n - start]
        whole = "".join(texts)
        if not whole:
            return texts
        if len(whole) == 1:
            return [self._space(start) + mark + texts[0], *texts[1:]]
        texts = [text.replace("−", "-") for text in texts]
        texts[0] = f"{self._space(start)}{mark}{{{texts[0]}"
        texts[-1] += "}"
        return texts


def _bracket(fragments: list[str], fraction: Fraction) -> None:
    """Brackets around a numerator or denominator of several terms, and room around the whole."""
    start, bar, end = fraction.start, fraction.bar, fraction.end
    for a, b, lead in ((start, bar, ""), (bar, end, "/")):
        inner = "".join(fragments[a:b]).strip().removeprefix(lead)
        if _TERMS.search(inner):
            head = fragments[a].lstrip()
            space = fragments[a][: len(fragments[a]) - len(head)]
            fragments[a] = f"{space}{lead}({head.removeprefix(lead)}"
            fragments[b - 1] += ")"
    if end < len(fragments) and fragments[end][:1].isalnum():
        fragments[end] = " " + fragments[end]
    opens = fragments[start][:1]
    if start and (opens.isalnum() or opens == "(") and fragments[start - 1][-1:].isalnum():
        fragments[start] = " " + fragments[start]


def _mark(run: Run, base: float, size: float) -> str:
    if run.font.extension or run.size > _SCRIPT_SIZE * size:
        return ""
    shift = base - run.y
    if abs(shift) <= _SCRIPT_SHIFT * size:
        return ""
    return "^" if shift > 0 else "_"
