"""A line's runs written as text: spaces at gaps, super- and subscripts as ^{…} and _{…}."""

import re
import unicodedata

from resources.pdf_layout.glyphs import SPACE_EM, Run
from resources.pdf_layout.lines import Line

_SUP = {c: p for c, p in zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+−=()ni", strict=True)}
_SUB = {c: p for c, p in zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎", "0123456789+−=()", strict=True)}
_KEEP = frozenset("ºª…´¨¯¸˜ˆ˚˝˘˙")
_NORMAL_CHUNK = re.compile("[^\x00-\x7f]+")


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
        elif char in _KEEP:
            out.append(char)
        elif unicodedata.category(char) == "Cf":
            continue
        else:
            out.append(unicodedata.normalize("NFKC", char))
    return unicodedata.normalize("NFC", "".join(out))


def marked_up(line: Line) -> str:
    """The text of a line."""
    out: list[str] = []
    script: list[str] = []
    level = 0
    previous: Run | None = None

    def close() -> None:
        nonlocal level
        if script:
            out.append(_script("^" if level > 0 else "_", "".join(script)))
            script.clear()
        level = 0

    for run in line.runs:
        shift = line.y - run.y
        new = 0
        if run.size < 0.88 * line.size and abs(shift) > 0.08 * line.size:
            new = 1 if shift > 0 else -1
        space = previous is not None and (
            run.spaced or run.x0 - previous.x1 > SPACE_EM * max(run.size, previous.size)
        )
        if new != level:
            close()
            level = new
            if space and not (
                new and out and run.x0 - (previous.x1 if previous else 0) < 0.3 * line.size
            ):
                out.append(" ")
        elif space:
            (script if level else out).append(" ")
        (script if level else out).append(normalised(run.text))
        previous = run
    close()
    return "".join(out)


def _script(mark: str, text: str) -> str:
    text = text.strip()
    if len(text) == 1:
        return mark + text
    return f"{mark}{{{text.replace('−', '-')}}}"
