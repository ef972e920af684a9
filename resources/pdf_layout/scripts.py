"""A line's runs written as text: spaces at gaps, super- and subscripts as ^{…} and _{…}.

A script is smaller than the text before it and off its baseline. One character is written bare
(`Nb_3Sn`, `μ^+`), several in braces (`10^{34}`), where a minus becomes a hyphen so that numbers
read as numbers.
"""

import unicodedata

from resources.pdf_layout.glyphs import Run
from resources.pdf_layout.lines import Line, spaced

_SUP = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+−=()ni", strict=True))
_SUB = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎", "0123456789+−=()", strict=True))
_KEPT = frozenset("ºª…´¨¯¸˜ˆ˚˝˘˙")
_PLAIN_HYPHENS = {"\u2010": "-", "\u2011": "-", "\u2043": "-", "\u00ad": "\u00ad"}

_SCRIPT_SIZE = 0.88
_SCRIPT_SHIFT = 0.05
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


def line_fragments(line: Line) -> list[str]:
    """The text of every run of a line, spaces and marks included; joined, they are its text.

    Scripts are judged against the line's baseline and size.
    """
    return _fragments(line.runs, [_mark(r, line.y, line.size) for r in line.runs])


def formula_fragments(runs: list[Run]) -> list[str]:
    """The same for a displayed formula, whose runs come in the order of the content stream.

    Each script is judged against the full-sized text before it, so that those in numerators and
    denominators are seen.
    """
    if not runs:
        return []
    size = _main_size(runs)
    base = next((r.y for r in runs if r.size > _SCRIPT_SIZE * size), runs[0].y)
    marks = []
    for run in runs:
        mark = _mark(run, base, size)
        if not mark and not run.font.extension:
            base = run.y
        marks.append(mark)
    return _fragments(runs, marks)


def _main_size(runs: list[Run]) -> float:
    """The size of the full-sized text; a lone large sign (a sum, an integral) does not set it."""
    weights: dict[float, float] = {}
    for run in runs:
        if not run.font.extension:
            key = round(run.size, 1)
            weights[key] = weights.get(key, 0.0) + len(run.text) * run.size**3
    return max(weights, key=lambda k: (weights[k], k)) if weights else runs[0].size


def _fragments(runs: list[Run], marks: list[str]) -> list[str]:
    out: list[str] = []
    n = 0
    while n < len(runs):
        end = n + 1
        while marks[n] and end < len(runs) and marks[end] == marks[n] and not _parted(runs, end):
            end += 1
        space = _space(runs, n, marks[n])
        out.extend(
            _script(marks[n], runs[n:end], space)
            if marks[n]
            else [space + normalised(runs[n].text)]
        )
        n = end
    return out


def _parted(runs: list[Run], n: int) -> bool:
    """Whether a script ends before run n because the next one stands too far off."""
    return spaced(runs[n - 1], runs[n]) and _gap(runs, n) > 0.6


def _gap(runs: list[Run], n: int) -> float:
    return (runs[n].x0 - runs[n - 1].x1) / max(runs[n - 1].size, runs[n].size)


def _space(runs: list[Run], n: int, mark: str) -> str:
    if n == 0 or not spaced(runs[n - 1], runs[n]):
        return ""
    thin = _gap(runs, n) < _THIN_SPACE and not runs[n].spaced
    return "" if mark and thin else " "


def _script(mark: str, runs: list[Run], space: str) -> list[str]:
    """A script's runs, the mark and opening brace with the first, the closing one with the last."""
    texts = [normalised(r.text).replace("^", "").replace("_", "") for r in runs]
    texts = [
        (" " if i and spaced(runs[i - 1], runs[i]) else "") + text for i, text in enumerate(texts)
    ]
    whole = "".join(texts)
    if not whole:
        return texts
    if len(whole) == 1:
        return [space + mark + texts[0], *texts[1:]]
    texts = [text.replace("−", "-") for text in texts]
    texts[0] = f"{space}{mark}{{{texts[0]}"
    texts[-1] += "}"
    return texts


def _mark(run: Run, base: float, size: float) -> str:
    if run.font.extension or run.size > _SCRIPT_SIZE * size:
        return ""
    shift = base - run.y
    if abs(shift) <= _SCRIPT_SHIFT * size:
        return ""
    return "^" if shift > 0 else "_"
