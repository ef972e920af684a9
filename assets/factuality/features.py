"""What a reader can point at in a statement and name: the features behind `prob_fact`."""

import re
from collections.abc import Callable

_UNIT = r"""(?:%|°|‰|Å|Ω|[µμ]\w{1,3}|[yzafpnumkMGTPE]?(?:eV|m|s|g|A|V|W|T|Hz|K|Pa|J|N|C|F|Gy|Sv|b|Oe|L|l|bar|rad|wt
    |at|Ω)(?:/c)?(?:[\s·./^−\-]?[\dA-Za-z]{0,4})?|cm\S*|mm\S*|fb\S*|ab\S*|pb\S*|nb\S*|hours?|h|days?|weeks?|months?
    |years?|yrs?|minutes?|min|seconds?|sec|ms|ns|ps|fs|tesla|meters?|metres?|kilometers?|tons?|tonnes?|kg
    |mg|ml|dB|Hertz|degrees?|kelvin|times|turns|layers|events?|percent|per\ cent|orders\ of\ magnitude|USD
    |million|billion|patients|participants|people|women|men|trials|studies)"""
_NUMBER = r"[~≈∼<>≤≥±]?\s?\d[\d.,]*(?:\s\d{3})*(?:\s?[×x]\s?10\^?[-−–]?\d+)?(?:\s?(?:±|[-–−]|to)\s?\d[\d.,]*)?"


def _finder(pattern: str, flags: int = re.IGNORECASE) -> Callable[[str], float]:
    search = re.compile(pattern, re.VERBOSE | flags).search
    return lambda statement: float(search(statement) is not None)


def _counter(pattern: str, most: int, flags: int = re.IGNORECASE) -> Callable[[str], float]:
    findall = re.compile(pattern, re.VERBOSE | flags).findall
    return lambda statement: float(min(most, len(findall(statement))))


FEATURES: dict[str, Callable[[str], float]] = {
    # Numbers with a unit, percentages, powers of ten: none, one, several.
    "quantity": _counter(
        rf"(?<![\w.-]){_NUMBER}[\s-]?{_UNIT}(?![a-z]) | =\s?\d | 10\^[-−]?\d", 2, 0
    ),
    # A year, a count, a factor: a number that is no part of a name.
    "number": _finder(
        r"""(?<![\w.^-])\d[\d.,]*(?![\w-]) | \b(?:two|three|four|five|six|seven|eight|nine|ten|twice|half
        |first|second|third|double|doubled|factor\ of|no|none|never|all|every|always|both)\b"""
    ),
    # Acronyms, materials, machines, people: none, one, several.
    "name": _counter(
        r"\b(?:[A-Z][a-z]*){2,}[-\d]*\w*\b | \b[A-Z]{2,}\b | \b[A-Za-z]+[-−]?\d+\w*\b"
        r" | (?<=[a-z,]\ )[A-Z][a-z]{2,}",
        2,
        0,
    ),
    # The circumstances in which it holds.
    "condition": _finder(
        rf"""\b(?:at|under|for|with|in|below|above|between|from|up\ to|of)\ (?:an?\ |the\ )?(?:\w+\ ){{0,2}}
          {_NUMBER}
        | \b(?:when|if|after|before|during|while|once|unless|provided|assuming|under|prior\ to
        |in\ the\ (?:case|limit|presence|absence)|at\ (?:low|high|room))\b"""
    ),
    # What it is compared with.
    "reference": _finder(
        r"""\b(?:than|compared\ (?:to|with)|in\ comparison|relative\ to|with\ respect\ to|rather\ than
        |instead\ of|unlike|contrary\ to|times|factor\ of|twice|proportional|equal|same|identical)\b"""
    ),
    # Something done, made, measured or observed, as against what is generally so.
    "event": _finder(
        r"""\b(?:was|were|has\ been|have\ been|had)\b | \b(?:measured|observed|tested|obtained|simulated
        |calculated|reached|achieved|showed|built|fabricated|produced|demonstrated|started)\b"""
    ),
    # A guess or an expectation.
    "hedge": _finder(
        r"""\b(?:may|might|could|would|should|likely|unlikely|possibly|perhaps|probably|potential(?:ly)?
        |expected|believed|thought|considered|seen\ as|suggests?|appears?|seems?|promising|promise|hope
        |possible|possibility|feasible|viable|presumably|in\ principle|planned|proposed|if\ successful
        |under\ (?:development|investigation|study))\b"""
    ),
    # Amounts and frequencies without a number: none, one, several.
    "vagueness": _counter(
        r"""\b(?:some|several|many|much|few|various|often|sometimes|generally|typically|usually|frequently
        |rarely|mostly|mainly|largely|significant(?:ly)?|substantial(?:ly)?|considerabl[ey]|strong(?:ly)?
        |large|small|huge|great(?:ly)?|wide(?:ly)?|slow(?:ly)?|relatively|fairly|rather|quite|very
        |somewhat|nearly|almost|steadily|extensive(?:ly)?|intense|enormous|tremendous|rapid(?:ly)?|quickly
        |modest|moderate|reasonabl[ey]|broad(?:ly)?|numerous|common(?:ly)?|dramatic(?:ally)?|slight(?:ly)?|minimal|extremely|similar
        |most|more(?!\ than\ [\d~])|less(?!\ than\ [\d~])|higher|lower|better|larger|smaller|improved
        |high(?!-|\ (?:field|energy|temperature|luminosity|voltage|power|vacuum|pressure))|low(?!-))\b""",
        2,
    ),
    # A judgement of worth, need or difficulty.
    "judgement": _finder(
        r"""\b(?:important|key|essential|crucial|critical\ (?:role|for)|excellent|good|well|attractive
        |exciting|interesting|serious|challeng\w*|success\w*|suitable|ideal|backbone|unique|powerful
        |advantage\w*|benefit\w*|advance[sd]?|advancing|progress|difficult\w*|easy|easily|clear(?:ly)?
        |focus|role|necess\w+|need(?:s|ed)?|issues?|problems?|opportunit\w*|effective\w*|efficient\w*
        |remarkabl\w*|superior|fundamental|vital|central|outstanding|impressive|popular|adequate(?:ly)?|acceptabl[ey]
        |reliabl[ey]|robust|practical|straightforward|simple|complicated|cost-effective|optimal|concern\w*
        |modern|novel|of\ (?:great|particular)|interest|poor(?:ly)?|inexpensive)\b"""
    ),
}
"""Name of each feature → how it is measured on a statement; every value is 0, 1 or 2."""


def measure(statement: str) -> dict[str, float]:
    """The features of one statement."""
    return {name: of(statement) for name, of in FEATURES.items()}
