"""What a reader can point at in a statement and name: the features behind `prob_fact`."""

import re
from dataclasses import dataclass

from assets.factuality.patterns import any_of, one_of

_SI_UNIT = one_of("eV m s g A V W T Hz K Pa J N C F Gy Sv b Oe L l bar rad Ω")
_UNIT = "|".join(
    (
        "%|°|‰|Å|Ω|dB|wt|at|mg|ml|USD",
        rf"[yzafpnµμumcdkMGTPE]?{_SI_UNIT}(?:/c)?(?:[\s·./^−-]?[\dA-Za-z]{{0,4}})?",
        one_of(
            """
            hours? h days? weeks? months? years? yrs? minutes? min seconds? sec Hertz degrees?
            kelvin tesla met(?:er|re)s? tons? tonnes? times turns layers events? percent million
            billion patients participants people women men trials studies orders\\sof\\smagnitude
            """
        ),
    )
)
_RANGE = r"(?:\s?(?:±|[-–−]|to)\s?\d[\d.,]*)?"
_NUMBER = rf"[~≈∼<>≤≥±]?\s?\d[\d.,]*(?:\s\d{{3}})*(?:\s?[×x]\s?10\^?[-−–]?\d+)?{_RANGE}"


@dataclass(frozen=True, slots=True)
class Feature:
    """Something that a statement holds or not, counted up to `most` times."""

    pattern: re.Pattern[str]
    most: int = 1

    def count(self, statement: str) -> int:
        """How often the statement holds it, at most `most`."""
        if self.most == 1:
            return int(self.pattern.search(statement) is not None)
        return min(self.most, len(self.pattern.findall(statement)))


QUANTITY = Feature(
    any_of(
        rf"(?<![\w.-]){_NUMBER}[\s-]?(?:{_UNIT})(?![a-z])",
        r"=\s?\d",
        r"10\^[-−]?\d",
        case=True,
    ),
    most=2,
)
"""Numbers with a unit, percentages, powers of ten."""

NUMBER = Feature(
    any_of(
        r"(?<![\w.^-])\d[\d.,]*(?![\w-])",
        r"\b(?:two|three|four|five|six|seven|eight|nine|ten|twice|half|double|doubled)\b",
        r"\b(?:first|second|third|factor of)\b",
        r"\b(?:no|none|never|all|every|always|both)\b",
    )
)
"""A year, a count, a factor, an "all" or "none": exact, and no part of a name."""

NAME = Feature(
    any_of(
        r"\b(?:[A-Z][a-z]*){2,}[-\d]*\w*\b",  # HoCu, McIntyre, LHC2
        r"\b[A-Z]{2,}\b",
        r"\b[A-Za-z]+[-−]?\d+\w*\b",  # T-15, Nb3Sn, MARS15
        r"(?<=[a-z,] )[A-Z][a-z]{2,}",  # a capital within the sentence
        case=True,
    ),
    most=2,
)
"""Acronyms, materials, machines, people."""

CONDITION = Feature(
    any_of(
        r"\b(?:at|under|for|with|in|below|above|between|from|up to|of) (?:an? |the )?(?:\w+ ){0,2}"
        + _NUMBER,
        r"\b(?:when|if|after|before|during|while|once|unless|provided|assuming|under|prior to)\b",
        r"\bin the (?:case|limit|presence|absence)\b",
        r"\bat (?:low|high|room)\b",
    )
)
"""The circumstances in which it holds."""

REFERENCE = Feature(
    any_of(
        r"\b(?:than|compared (?:to|with)|in comparison|relative to|with respect to)\b",
        r"\b(?:rather than|instead of|unlike|contrary to)\b",
        r"\b(?:times|factor of|twice|proportional|equal|same|identical)\b",
    )
)
"""What it is compared with."""

EVENT = Feature(
    any_of(
        r"\b(?:was|were|has been|have been|had)\b",
        r"\b(?:measured|observed|tested|obtained|simulated|calculated|reached|achieved|showed)\b",
        r"\b(?:built|fabricated|produced|demonstrated|started)\b",
    )
)
"""Something done, made, measured or observed, as against what is generally so."""

HEDGE = Feature(
    any_of(
        r"\b(?:may|might|could|would|should|likely|unlikely|possibly|perhaps|probably)\b",
        r"\b(?:potential(?:ly)?|possible|possibility|feasible|viable|presumably|in principle)\b",
        r"\b(?:expected|believed|thought|considered|seen as|suggests?|appears?|seems?)\b",
        r"\b(?:promising|promise|hope|planned|proposed|if successful)\b",
        r"\bunder (?:development|investigation|study)\b",
    )
)
"""A guess or an expectation."""

VAGUENESS = Feature(
    any_of(
        r"\b(?:some|several|many|much|few|various|numerous)\b",
        r"\b(?:often|sometimes|generally|typically|usually|frequently|rarely|commonly|common)\b",
        r"\b(?:mostly|mainly|largely|nearly|almost|steadily|slightly|slight|somewhat)\b",
        r"\b(?:significant|substantial|considerable|strong|great|wide|slow|rapid|broad)(?:ly)?\b",
        r"\b(?:substantially|considerably|dramatic|dramatically|extensive|extensively|quickly)\b",
        r"\b(?:intense|enormous|tremendous|modest|moderate|reasonable|reasonably|minimal)\b",
        r"\b(?:relatively|fairly|rather|quite|very|extremely|most|similar)\b",
        r"\b(?:large|small|huge|larger|smaller|higher|lower|better|improved)\b",
        r"\b(?:more|less)\b(?! than [\d~])",
        r"\bhigh\b(?!-| (?:field|energy|temperature|luminosity|voltage|power|vacuum|pressure))",
        r"\blow\b(?!-)",
    ),
    most=2,
)
"""Amounts and frequencies without a number."""

JUDGEMENT = Feature(
    any_of(
        r"\b(?:important|key|essential|crucial|vital|central|fundamental|backbone|role|focus)\b",
        r"\bcritical (?:role|for)\b",
        r"\b(?:excellent|good|well|superior|ideal|optimal|outstanding|impressive)\b",
        r"\b(?:attractive|exciting|interesting|interest|unique|powerful|remarkabl\w*|popular)\b",
        r"\b(?:suitable|adequate|adequately|acceptable|acceptably|reliable|reliably|robust)\b",
        r"\b(?:effective|efficient|success|advantage|benefit|challeng|difficult|concern|necess)\w*\b",
        r"\b(?:advances?|advanced|advancing|progress|opportunit\w+|modern|novel)\b",
        r"\b(?:serious|issues?|problems?|poor|poorly|needs?|needed|simple|complicated|practical)\b",
        r"\b(?:easy|easily|clear|clearly|straightforward|inexpensive|cost-effective)\b",
        r"\bof (?:great|particular)\b",
    )
)
"""A judgement of worth, need or difficulty."""

FEATURES = {
    "quantity": QUANTITY,
    "number": NUMBER,
    "name": NAME,
    "condition": CONDITION,
    "reference": REFERENCE,
    "event": EVENT,
    "hedge": HEDGE,
    "vagueness": VAGUENESS,
    "judgement": JUDGEMENT,
}


def measure(statement: str) -> dict[str, int]:
    """The features of one statement, each 0, 1 or 2."""
    return {name: feature.count(statement) for name, feature in FEATURES.items()}
