"""Numbers with their units, as papers write them, brought to one form.

10^34, 10^{34}, 1e34, 10³⁴, "10 to the 34" are one number, "10 TeV" and "10TeV" one quantity, and
"cm^{-2} s^{-1}", "cm⁻²s⁻¹" one unit. Two quantities are equal when their units measure the same
thing and their values agree after SI prefixes are taken out; nothing else is converted.
"""

import math
import re
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache

Dimensions = tuple[tuple[str, int], ...]
"""What a unit measures: base symbols with their exponents, sorted; () for a bare number."""

_PREFIXES = {
    "a": -18, "f": -15, "p": -12, "n": -9, "µ": -6, "u": -6, "m": -3, "c": -2,
    "k": 3, "M": 6, "G": 9, "T": 12, "P": 15,
}  # fmt: skip
# Symbol: (base symbol, factor to it, prefixes that are in use with it).
_ATOMS: dict[str, tuple[str, float, str]] = {
    "eV": ("eV", 1, "mkMGTP"), "J": ("J", 1, "mkMGT"), "W": ("W", 1, "nµumkMG"),
    "T": ("T", 1, "nµum"), "G": ("T", 1e-4, "mk"), "Gauss": ("T", 1e-4, ""),
    "m": ("m", 1, "fpnµumck"), "inch": ("m", 0.0254, ""), "ft": ("m", 0.3048, ""),
    "s": ("s", 1, "fpnµum"), "min": ("s", 60, ""), "h": ("s", 3600, ""), "day": ("s", 86400, ""),
    "yr": ("yr", 1, ""), "A": ("A", 1, "nµumkM"), "V": ("V", 1, "nµumkMG"),
    "Hz": ("Hz", 1, "mkMGT"), "K": ("K", 1, "nµum"), "°C": ("°C", 1, ""), "°": ("°", 1, ""),
    "Pa": ("Pa", 1, "mkMG"), "bar": ("Pa", 1e5, "nµum"), "Torr": ("Pa", 133.322368, "nµum"),
    "psi": ("Pa", 6894.757, ""), "atm": ("Pa", 101325, ""),
    "Gy": ("Gy", 1, "nµumckM"), "Sv": ("Sv", 1, "nµum"), "rad": ("rad", 1, "nµum"),
    "g": ("g", 1, "nµumk"), "ton": ("g", 1e6, "k"), "N": ("N", 1, "mkMG"), "Ω": ("Ω", 1, "nµumkM"),
    "F": ("F", 1, "pnµu"), "H": ("H", 1, "nµum"), "C": ("°C", 1, ""), "Bq": ("Bq", 1, "kMGT"),
    "b": ("b", 1, "afpnµum"), "dB": ("dB", 1, ""), "dBm": ("dBm", 1, ""), "%": ("%", 1, ""),
    "ppm": ("ppm", 1, ""), "DPA": ("DPA", 1, ""), "σ": ("σ", 1, ""), "l": ("l", 1, "m"),
    "$": ("$", 1, "kM"), "€": ("€", 1, "kM"), "CHF": ("CHF", 1, "kM"),
    "nC": ("nC", 1, ""), "pC": ("nC", 1e-3, ""), "mol": ("mol", 1, "m"), "Wb": ("Wb", 1, "m"),
    "c": ("c", 1, ""),
    "Oe": ("Oe", 1, "k"), "Å": ("m", 1e-10, ""), "wt%": ("wt%", 1, ""), "at%": ("at%", 1, ""),
}  # fmt: skip
_WORDS = {
    "percent": "%", "per cent": "%", "tesla": "T", "teslas": "T", "gauss": "G",
    "kelvin": "K", "kelvins": "K", "degrees celsius": "°C", "degree celsius": "°C",
    "degrees c": "°C", "deg c": "°C", "degrees": "°", "degree": "°", "deg": "°",
    "meter": "m", "meters": "m", "metre": "m", "metres": "m", "kilometer": "km",
    "kilometers": "km", "kilometre": "km", "kilometres": "km", "centimetres": "cm",
    "centimeters": "cm", "millimetre": "mm", "millimetres": "mm", "millimeters": "mm",
    "micron": "µm", "microns": "µm", "micrometre": "µm", "micrometres": "µm",
    "inches": "inch", "feet": "ft", "second": "s", "seconds": "s", "sec": "s",
    "milliseconds": "ms", "microseconds": "µs", "nanoseconds": "ns", "picoseconds": "ps",
    "minute": "min", "minutes": "min", "hour": "h", "hours": "h", "hr": "h", "hrs": "h",
    "days": "day", "year": "yr", "years": "yr", "watt": "W", "watts": "W",
    "kilowatts": "kW", "megawatts": "MW", "volt": "V", "volts": "V", "ampere": "A",
    "amperes": "A", "amps": "A", "joules": "J", "joule": "J", "ohm": "Ω", "ohms": "Ω",
    "tons": "ton", "tonne": "ton", "tonnes": "ton", "kilograms": "kg", "grams": "g",
    "gray": "Gy", "sievert": "Sv", "sieverts": "Sv", "dpa": "DPA", "sigma": "σ",
    "dollars": "$", "euros": "€", "atmospheres": "atm", "mbar": "mbar", "litres": "l",
    "liters": "l", "litre": "l", "francs": "CHF", "megahertz": "MHz",
    "gigahertz": "GHz", "hertz": "Hz", "megapascals": "MPa", "pascals": "Pa",
    "electronvolts": "eV", "electron-volts": "eV", "wt.%": "wt%", "at.%": "at%",
}  # fmt: skip
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼", "0123456789+-=")
_SUPERSCRIPT_RUN = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+")
_MARKED_POWER = re.compile(
    r"<sup>\s*([^<]{1,12}?)\s*</sup>|\^\{\s*([^{}]{1,12}?)\s*\}|\^([-+\w−–]{1,6})\^"
)
_INDEX = re.compile(r"_\{\s*([^{}]{1,12}?)\s*\}|<sub>\s*([^<]{1,12}?)\s*</sub>")
_POWER_IN_WORDS = re.compile(
    r"\b10\s+to\s+the\s+(?:power\s+(?:of\s+)?)?(minus\s+)?(\d{1,3})(?:st|nd|rd|th)?\b(?!\s*%)"
)
_DASHES = re.compile("[‐‑‒–—―−﹣－]")
_TIE = re.compile(r"(?<=\d)~(?=[A-Za-zµ°])")
_SPACES = re.compile(r"\s+")
_THIN_GROUPS = re.compile("(?<=\\d)[\u00a0\u2009\u202f](?=\\d{3}(?!\\d))")
_REFERENCE_MARK = re.compile(r"\s?\[\s*\d{1,3}(?:\s*[,;-]\s*\d{1,3})*\s*\](?:\s?[,-]\s?(?=\[))?")

_NUMBER = re.compile(
    r"""
    (?<![\w.^])                                    # not inside a name such as Nb3Sn or 1.2.3
    (?<![A-Za-z]-)                                 # nor after its hyphen, Bi-2212
    (?P<sign>(?:(?<=[\s(=~<>≈:,])|^)[-+]\s?)?
    (?: (?P<mantissa>\d+(?:\.\d+)?)\s*(?:×|·|⋅|\*|x|\\times|\\cdot)\s*10
        (?:\s*\^\s*(?P<exponent>[-+]?\d+) | (?P<flat>-\d{1,2})(?!\d))   # 2×10-4: its caret was lost
      | 10\s*\^\s*(?P<bare>[-+]?\d+)
      | (?P<plain>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)
        (?:[eE](?P<e>[-+]?\d{1,3})(?![\w]))?
    )
    (?!\.\d)
    """,
    re.VERBOSE,
)  # fmt: skip
_JOIN = re.compile(r"\s*\)?\s*(?:±|\+/-|\+-|-|/|to|and|or|,|,\s*and|,\s*or|~)\s*\(?\s*~?\s*\Z")


_COMMON_POWER = re.compile(r"\([^()]{1,40}\)\s*(?:×|·|⋅|\*|x|\\times|\\cdot)\s*\Z")
_BRACKETED_E = re.compile(r"(?<=\d\))\s?[eE]\+?(-?\d{1,3})(?!\w)")


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: what it measures and its size in base symbols (eV, m, s, T, Pa, …)."""

    symbol: str
    dimensions: Dimensions
    factor: float


NO_UNIT = Unit("", (), 1.0)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a text. `start` and `end` count in `plain_form` of that text."""

    value: float
    unit: Unit
    text: str
    start: int
    end: int

    @property
    def size(self) -> float:
        """The value in base symbols."""
        return self.value * self.unit.factor


def plain_form(text: str) -> str:
    """The text on one line with powers as ^n, one kind of dash and of micro sign, no references."""
    text = _SUPERSCRIPT_RUN.sub(lambda m: "^" + m.group().translate(_SUPERSCRIPTS), text)
    text = _MARKED_POWER.sub(lambda m: "^" + (m.group(1) or m.group(2) or m.group(3)), text)
    text = _INDEX.sub(lambda m: "_" + (m.group(1) or m.group(2)), text)
    text = _THIN_GROUPS.sub(",", text)
    text = unicodedata.normalize("NFKC", text).replace("μ", "µ").replace("\\%", "%")
    text = text.replace("\\$", "$").replace("Ω", "Ω").replace("º", "°").replace("˚", "°")
    text = _SPACES.sub(" ", _TIE.sub(" ", _DASHES.sub("-", text)))
    text = _POWER_IN_WORDS.sub(lambda m: "10^" + ("-" if m.group(1) else "") + m.group(2), text)
    text = _BRACKETED_E.sub(r"×10^\1", text)
    return _REFERENCE_MARK.sub("", text)


@lru_cache(maxsize=4096)
def find_quantities(text: str) -> tuple[Quantity, ...]:
    """All numbers of a text with their units; in "60-80 K" or "3 and 6 TeV" both have the unit.

    Digits inside names (Nb3Sn, Bi-2212, Q1B) are no numbers.
    """
    plain = plain_form(text)
    found: list[Quantity] = []
    for match in _NUMBER.finditer(plain):
        if found and match.start() < found[-1].end:
            continue  # the exponent of a unit
        quantity = _read(plain, match)
        power = _COMMON_POWER.search(plain[: match.start()])
        if power and match["bare"] is not None:
            # "(5.3 ± 0.3)×10^5": the power belongs to every number in the brackets.
            for i, inner in enumerate(found):
                if inner.start > power.start():
                    found[i] = replace(
                        inner, value=inner.value * quantity.value, unit=quantity.unit
                    )
            continue
        found.append(quantity)
    for i in range(len(found) - 2, -1, -1):
        between = plain[found[i].end : found[i + 1].start]
        if not found[i].unit.dimensions and found[i + 1].unit.dimensions and _JOIN.match(between):
            found[i] = replace(found[i], unit=found[i + 1].unit)
    return tuple(found)


def same_quantity(one: Quantity, other: Quantity) -> bool:
    """Whether two quantities measure the same thing and agree in value."""
    return one.unit.dimensions == other.unit.dimensions and math.isclose(
        one.size, other.size, rel_tol=1e-9, abs_tol=0.0
    )


def stands_in(quantity: Quantity, texts: tuple[str, ...]) -> bool:
    """Whether a quantity is found in one of the texts.

    A bare number also matches the same number with a unit; a number with a unit needs both.
    """
    for text in texts:
        for other in find_quantities(text):
            if same_quantity(quantity, other):
                return True
            if not quantity.unit.dimensions and math.isclose(quantity.value, other.value):
                return True
    return False


def units_named(text: str) -> list[Unit]:
    """Units that a text asks for by name: "in T/s", "(in ab−1)", "per year" alone does not."""
    plain = plain_form(text)
    units = []
    for match in re.finditer(r"\bin\s+(?=[A-Za-zµΩ$%€°])", plain):
        unit, end = _unit_at(plain, match.end())
        token = plain[match.end() : end]
        # "in a", "in A" and other single letters say too little to be read as a unit.
        if unit.dimensions and (len(token.strip()) > 1) and token.strip().lower() not in _WORDS:
            units.append(unit)
    return units


def _read(plain: str, match: re.Match[str]) -> Quantity:
    if match["mantissa"] is not None:
        value = float(f"{match['mantissa']}e{int(match['exponent'] or match['flat'])}")
    elif match["bare"] is not None:
        value = float(f"1e{int(match['bare'])}")
    else:
        value = float(match["plain"].replace(",", "") + ("e" + match["e"] if match["e"] else ""))
    if match["sign"] and match["sign"].strip() == "-":
        value = -value
    end = match.end()
    before = plain[: match.start()].rstrip()
    unit = NO_UNIT
    scale = re.compile(r"\s*(thousand|million|billion|trillion)\b").match(plain, end)
    if scale:
        value *= _SCALES[scale.group(1)]
        end = scale.end()
    close = re.compile(r"\s*\)").match(plain, end)
    if before.endswith(("$", "€")):
        unit = Unit(before[-1], ((before[-1], 1),), 1.0)
    else:
        unit, after = _unit_at(plain, end)
        if not unit.dimensions and close:
            unit, _ = _unit_at(plain, close.end())
        else:
            end = after
    return Quantity(value, unit, plain[match.start() : end].strip(), match.start(), end)


_WORD_UNIT = re.compile(
    "|".join(sorted((re.escape(word) for word in _WORDS), key=len, reverse=True))
    + r"(?![\w])"
)  # fmt: skip


def _unit_pattern() -> re.Pattern[str]:
    symbols = []
    for symbol, (_, _, prefixes) in _ATOMS.items():
        symbols += [symbol, *(prefix + symbol for prefix in prefixes)]
    joined = "|".join(sorted(map(re.escape, symbols), key=len, reverse=True))
    words = "|".join(sorted(map(re.escape, _WORDS), key=len, reverse=True))
    return re.compile(rf"(?P<word>(?i:{words}))(?![\w])|(?P<symbol>{joined})(?![A-Za-zµ])")


# "10^34/cm^2/s": what a bare number is divided by.
_LEAD = re.compile(
    r"\s{0,2}-?(?=[A-Za-zµΩ°%$€σÅ])|\s{0,2}(?=[%°$€])|(?P<per>\s?/\s?)(?=(?:cm|m)\s?\^\s?2\s?/\s?s\b)"
)
_NEVER_ALONE = frozenset("bcly")
_UNIT = _unit_pattern()
# "cm-^2": the sign stood before the raised digit.
_EXPONENT = re.compile(
    r"\s?\^\s?(?P<caret>[-+]?\d)|\s?(?P<signed>-\^\d)|(?P<glued>-\s?[12](?!\d)|[23](?!\d|\.\d))"
)
_APART = re.compile(r"\s(?P<glued>-[12])(?!\d)")  # "cm-2 s -1": within a unit only
_NEXT_FACTOR = re.compile(
    r"\s?(?P<per>/|\bper\s)\s?|\s?[·⋅*]\s?|\s?(?=[A-Za-zµ]+\s?\^\s?-|[A-Za-zµ]+\s?-[12]\b)"
)


def _unit_at(plain: str, start: int) -> tuple[Unit, int]:
    """The unit that begins at `start` (after optional space or hyphen), and where it ends."""
    lead = _LEAD.match(plain, start)
    if lead is None:
        return NO_UNIT, start
    position, sign, end = lead.end(), -1 if lead["per"] else 1, start
    totals: dict[str, int] = {}
    factor = 1.0
    for step in range(5):
        match = _UNIT.match(plain, position)
        if match is None or (step == 0 and _is_a_word(plain, match)):
            break
        symbol = _WORDS[match["word"].lower()] if match["word"] else match["symbol"]
        power = _EXPONENT.match(plain, match.end())
        if power is None and step and min(totals.values()) < 0:
            power = _APART.match(plain, match.end())
        exponent = int(_exponent_of(power)) if power else 1
        base, size = _resolve(symbol)
        totals[base] = totals.get(base, 0) + sign * exponent
        factor *= size ** (sign * exponent)
        end = power.end() if power else match.end()
        following = _NEXT_FACTOR.match(plain, end)
        if following is None:
            break
        sign = -1 if following["per"] else 1
        position = following.end()
    dimensions = tuple(sorted((base, power) for base, power in totals.items() if power))
    if not dimensions:
        return NO_UNIT, start
    return Unit(plain[lead.end() : end], dimensions, factor), end


def _exponent_of(power: re.Match[str]) -> str:
    groups = power.groupdict()
    written = str(groups.get("caret") or groups.get("signed") or groups["glued"])
    return written.replace(" ", "").replace("^", "")


def _is_a_word(plain: str, match: re.Match[str]) -> bool:
    """A letter that goes on with a hyphen ("2 s-channel"), or that is hardly ever a unit alone."""
    after = plain[match.end() : match.end() + 2]
    letter = match.group()
    return letter in _NEVER_ALONE or (len(letter) == 1 and bool(re.match(r"-[A-Za-z]", after)))


@lru_cache(maxsize=512)
def _resolve(symbol: str) -> tuple[str, float]:
    if symbol in _ATOMS:
        base, factor, _ = _ATOMS[symbol]
        return base, factor
    base, factor, _ = _ATOMS[symbol[1:]]
    return base, factor * 10.0 ** _PREFIXES[symbol[0]]
