"""Which numbers a question asks for: whether it asks for one, and what that has to measure.

Told by its own words: "how thick" asks for a length, "at what temperature" for kelvins or degrees,
"in T/s" for that unit.
"""

import re
from collections.abc import Iterator

from assets.answering.quantities import Dimensions, Quantity, find_quantities, units_named

_ENERGY, _LENGTH, _TEMPERATURE = (("eV", 1),), (("m", 1),), (("K", 1),)
_SHARE: tuple[Dimensions, ...] = ((("%", 1),), (("wt%", 1),), (("at%", 1),))
_MEASURES: tuple[tuple[str, tuple[Dimensions, ...]], ...] = (
    # In order: a phrase that is read here is not read again by a line below.
    (r"current densit\w+|amperes? (?:per|through)", ((("A", 1), ("m", -2)),)),
    (
        r"(?:power|energy) densit\w+|energy deposition",
        ((("W", 1), ("g", -1)), (("W", 1), ("m", -3))),
    ),
    (r"heat loads?|power", ((("W", 1),), (("W", 1), ("m", -1)))),
    (r"ramp rates?", ((("T", 1), ("s", -1)),)),
    (r"temperatures?|how (?:cold|hot|warm)|T_?\^?c|kelvin", (_TEMPERATURE, (("°C", 1),))),
    (r"how long|how quickly|lifetimes?|half-li(?:fe|ves)|duration|pot life|times?",
     ((("s", 1),), (("yr", 1),))),
    (r"how (?:thick|wide|large|big|tall|deep)|thickness|width|lengths?|radius|diameters?"
     r"|apertures?|circumference|gap|sizes?|distance", (_LENGTH,)),
    (
        r"gradients?|E_?(?:pk|acc)",
        ((("V", 1), ("m", -1)), (("eV", 1), ("m", -1)), (("T", 1), ("m", -1))),
    ),
    (r"fields?|how strong", ((("T", 1),),)),
    (r"luminosit\w+", ((("b", -1),), (("m", -2), ("s", -1)))),
    (r"energy|energies", (_ENERGY, (("J", 1),))),
    (r"mass(?:es)?|how heavy", (_ENERGY, (("g", 1),))),
    (r"moment(?:um|a)", ((("c", -1), ("eV", 1)), _ENERGY)),
    (r"cross.?sections?", ((("b", 1),),)),
    (r"how (?:precise|accurate)(?:ly)?|efficienc\w+|fractions?|percent\w*|share|purity|how pure"
     r"|margin|content|uncertaint\w+|precision|branching|loss(?:es)?|reduction|lost", _SHARE),
    (r"stress(?:es)?|pressures?|strength|modulus", ((("Pa", 1),),)),
    (r"doses?", ((("Gy", 1),), (("Sv", 1),), (("Sv", 1), ("yr", -1)))),
    (r"frequenc\w+", ((("Hz", 1),),)),
    (r"voltages?", ((("V", 1),),)),
    (r"currents?", ((("A", 1),),)),
    (r"costs?|price\w*|expensive|money", ((("$", 1),), (("CHF", 1),), (("€", 1),))),
    (r"densit\w+|how dense", ((("g", 1), ("m", -3)),)),
    (r"tons|tonnage|inventory|weighs?", ((("g", 1),),)),
    (r"electricity|consumption", ((("W", 1),),)),
    (r"angles?", ((("rad", 1),), (("°", 1),))),
    (r"DPA|displacements? per atom", ((("DPA", 1),),)),
    (r"emittances?", ((("m", 1), ("rad", 1)), _LENGTH)),
)  # fmt: skip
_READ_MEASURES = [
    (re.compile(rf"\b(?:{words})(?![\w])", re.IGNORECASE), measured)
    for words, measured in _MEASURES
]
_ASKS_A_NUMBER = re.compile(
    r"\bhow (?:much|many|large|big|high|long|thick|wide|far|cold|hot|warm|strong|heavy|dense|fast"
    r"|pure|often|deep|small|low|quickly|efficient|precise(?:ly)?|accurate(?:ly)?)\b"
    r"|\b(?:what|which)\b(?:\s+[\w’'-]+){0,5}?\s+(?:value|values|fraction|temperature|temperatures"
    r"|field|fields|energy|energies|mass|masses|luminosit\w+|cross.?section|rate|dose|doses|limit"
    r"|limits|threshold|efficienc\w+|gradient|gradients|pressure|margin|cost|price|power|range"
    r"|current|density|aperture|length|thickness|number|precision|target|targets|figures|levels?"
    r"|ratio|quality factor|frequency|coverage|inventory|lifetime|uncertainty|reduction|capacity"
    r"|sizes?|width|radius|diameter|height|depth|distance|volume|speed|velocity|momentum"
    r"|emittances?|voltage|angles?|intensity|charge|duration|time|weight|share|percentage"
    r"|circumference|half-li(?:fe|ves)|spacing|resolution|accuracy|probability|tolerances?|strength|stress|load|yield|spread|rates"
    r"|(?-i:[A-Z](?:[a-z]{0,2}|_?\w?)\d?))\b"
    r"|\bup to (?:which|what)\b|\bat (?:what|which)\b|\bto what\b|\bover what\b"
    r"|\bin (?:numbers|figures)\b",
    re.IGNORECASE,
)


def asks_a_number(question: str) -> bool:
    """Whether a question asks for a number, by its own wording."""
    return bool(_ASKS_A_NUMBER.search(question)) or bool(units_named(question))


def asked_dimensions(question: str) -> frozenset[Dimensions]:
    """What the numbers of a fitting answer measure; empty where the question does not tell."""
    named = {unit.dimensions for unit in units_named(question)}
    if named:
        return frozenset(named)
    if not asks_a_number(question):
        return frozenset()
    wanted: set[Dimensions] = set()
    for pattern, measured in _READ_MEASURES:
        question, read = pattern.subn(" ", question)
        if read:
            wanted.update(measured)
    return frozenset(wanted)


_END_OF_PHRASE = (
    r"(?=\s+(?:of|in|at|for|with|on|is|are|was|were|do|does|did|can|could|has|have|had|will|would"
    r"|should|must|may|might|to|from)\b|[,;?]|$)"
)
_WH_PHRASE = re.compile(
    r"\b(?:(?:what|which|how (?:large|big|high|great|small|low))\s+"
    r"(?:(?:is|are|was|were)\s+)?(?:the\s+)?"
    rf"(?P<what>[^,;?]*?){_END_OF_PHRASE}|(?P<how>how\s+\w+))",
    re.IGNORECASE,
)


def measured_by(question: str) -> frozenset[Dimensions]:
    """What the number that a question asks for by its first words measures; empty where none is.

    Unlike in `asked_dimensions`, other quantities that a question speaks of do not count.
    """
    found = _WH_PHRASE.search(question)
    if found is None:
        return frozenset()
    wanted = asked_dimensions(found["how"] or f"what {found['what']}")
    # "How long is the channel" and "how long does it live" begin alike.
    return wanted | {(("m", 1),)} if (found["how"] or "").lower() == "how long" else wanted


def fitting_quantities(text: str, wanted: frozenset[Dimensions]) -> Iterator[Quantity]:
    """Numbers of `text` that measure what is wanted; all numbers where nothing is named."""
    for quantity in find_quantities(text):
        if not wanted or quantity.unit.dimensions in wanted:
            yield quantity
