"""What a statement does besides stating: points, announces, plans, urges, guesses.

Such statements hold nothing that could be checked about the world. Each kind below is a list of
the phrases that give it away.
"""

import re

from assets.factuality.patterns import any_of, first_reason, found, one_of
from assets.factuality.tidying import LABELLED

_LABEL = rf"{LABELLED}\b\.?\s*\(?\[?(?:\d|[a-z]\)|(?-i:[A-Z]\b|[IVX]+\b))[^\s,]*"
_BE = one_of("is are was were be been")
_SHOWN = one_of(
    """
    shown presented reported listed given illustrated displayed plotted depicted summari[sz]ed
    described discussed sketched compared provided detailed outlined collected found explained
    indicated reviewed reproduced tabulated introduced derived addressed defined
    """
)
_SHOWS = one_of(
    """
    shows? presents? lists? gives? illustrates? displays? plots? depicts? summari[sz]es? includes?
    describes? compares? reports? provides? contains? represents? sketch(?:es)? details? reviews?
    discuss(?:es)? indicates? demonstrates?
    """
)
_PAPER = one_of(
    """
    paper article work section chapter report note document contribution study review lecture
    letter appendix manuscript proceedings? overview part
    """
)
_PAPER_DOES = one_of(
    """
    describe discuss present review summari[sz]e introduce outline propose examine investigate
    study explore consider analy[sz]e address focus report\\son provide give aim intend attempt
    start begin conclude\\swith concentrate recall remind mean derive define denote follow restrict
    show encourage touch refer thank neglect suppose remark acknowledge assume
    emphasi[sz]e stress advocate turn deal
    continue proceed first now will then want wish hope plan argue detail illustrate elaborate
    highlight
    """
)
_STUDIED = one_of(
    """
    wound tested measured fabricated manufactured studied investigated performed carried\\sout
    reported presented discussed published evaluated explored developed addressed assembled coated
    treated examined verified validated conducted done shipped built demonstrated determined verify
    test investigate study explore attempt describe discuss focus
    """
)
_URGED = one_of(
    """
    considered pursued encouraged investigated studied addressed explored supported given noted
    mentioned emphasi[sz]ed stressed developed established strengthened forgotten maintained funded
    continued sponsored
    """
)
_FILLER = one_of(r"\w+ly also further then best together below here later now first not")
_ORDINAL = one_of("present current following next last first second third fourth fifth sixth")
_SAYS_THAT = one_of("shows? showed found finds demonstrates? demonstrated concludes? concluded")

_KINDS = (
    (
        "announcement",
        any_of(
            # In this paper we describe …; in the next section … is discussed
            r"^\W*(?:in|throughout|within|with|for) "
            rf"(?:this|the {_ORDINAL}|the (?:remainder|rest) of (?:this|the)|what follows) ?"
            rf"(?:\w+ )?{_PAPER}?\b(?!.*\bthat\b)[^.]{{0,40}}?\b(?:we|i|are|is|will) "
            rf"(?:(?:{_FILLER}|will|shall|have) )*(?:{_PAPER_DOES}|{_SHOWN})\b",
            # This white paper …; the last section …
            rf"^\W*(?:this|the {_ORDINAL}) (?:\w+ ){{0,3}}?{_PAPER}\b(?!.*\b{_SAYS_THAT} that)",
            r"^\W*the (?:paper|article|document|report|(?:remainder|rest|structure) of (?:this|the)"
            rf" {_PAPER})\b"
            rf"(?!.*\b{_SAYS_THAT}\b)",
            # Here we then consider …
            r"^\W*(?:(?:here|first|then|finally|next|also|now|below|later|lastly|in addition"
            r"|moreover|furthermore|therefore|thus|so|hence),? )*(?:we|i|the authors?) "
            rf"(?:(?:{_FILLER}|will|shall|have|can|thus|therefore|only|finally) ){{0,2}}"
            rf"{_PAPER_DOES}\b(?! that)",
        ),
    ),
    (
        "pointer",
        any_of(
            # Fig. 6 shows …; figures 2 and 3 (left) also compare …
            rf"(?:^\W*|, )(?:\w+ ){{0,3}}?{_LABEL}"
            rf"(?:\W*(?:and|to|,|–|-)\W*(?:{_LABEL}|\(?[\da-z]{{1,3}}\)?))*"
            rf"(?:\s\(?\w{{1,6}}\)?,?){{0,2}}\s(?:{_FILLER} )?{_SHOWS}(?! that)(?= \w)",
            # … are shown in Fig. 3, … is described below
            rf"(?<!\bas )(?<!\bwhich )\b{_BE} (?:{_FILLER} ){{0,2}}{_SHOWN} (?:{_FILLER} ){{0,2}}"
            r"(?:(?:in|on|by|at|with|within|from) )?(?:(?:more )?detail in )?(?:the )?"
            r"(?:(?:next|following|previous|left|right|top|bottom|lower|upper) )?(?:\w+ of )?"
            rf"(?:{_LABEL}|(?:section|chapter|appendix|figure|table|below|above)\b)",
            # Plans are presented.
            rf"\b(?:is|are) (?:{_FILLER} )?(?:presented|discussed|described|reviewed|reported"
            r"|outlined|summari[sz]ed)(?: here| in detail)?(?:\.$|, )",
            # The inset shows …
            r"^\W*the (?:\w+ ){0,2}(?:inset|figure|table|plot|photo|photograph|graph|diagram"
            rf"|picture)s? {_SHOWS}(?! that)\b",
            # In Fig. 15, the results are shown
            rf"^\W*(?:in|on) (?:the )?(?:\w+ ){{0,2}}{_LABEL}[^.]{{0,20}}, (?:.* )?{_BE} "
            rf"(?:{_FILLER} )?{_SHOWN}\b(?! (?:to|that)\b)",
            # It is instructive to consider …
            r"\bit is (?:\w+ly )?(?:interesting|instructive|useful|convenient|worthwhile|worth) "
            r"(?:to )?(?:consider|note|mention|compare|look|recall|introduce|define)",
            r"^\W*(?:see|cf|compare|refer|consult|consider|let|suppose|assume|recall|define|denote)\b",
        ),
    ),
    (
        "goal",
        any_of(
            r"\b(?:goals?|aims?|objectives?|purposes?|ambition|intention|intent|mission)\b"
            r"[^,.]{0,60}?\b(?:is|are|was|were|be|being) (?:\w+ly |therefore )?(?:to|in)\b",
            # To determine whether …, without a main clause
            r"^\W*to (?:determine|evaluate|assess|investigate|examine|explore|compare|study|test"
            r"|describe|analy[sz]e|identify|establish|review|measure|estimate|develop)\b(?!.*, )",
            r"^\W*(?:the )?(?:ultimate |main |primary |overall |next |final )*"
            r"(?:goals?|aims?|objectives?)\b",
            rf"\b{_BE} (?:\w+ly )?(?:planned|foreseen|envisaged|envisioned|intended|scheduled"
            r"|proposed) (?:to|for)\b",
            r"\bwe (?:plan|intend|hope|aim|propose|wish|envision|envisage|encourage|urge)\b",
            r"\b(?:future|further|more|additional) (?:\w+ ){0,2}(?:work|stud(?:y|ies)|research"
            r"|tests?|measurements?|investigations?|developments?|efforts?|analysis|simulations?)\b"
            r"[^,.]{0,50}\b(?:will|should|must|needs?|is|are)\b",
            rf"\bwill (?:(?:then|also|soon|next|be) )*(?:\w+ )?{_STUDIED}\b",
            r"\b(?:next steps?|remains? to be|yet to be|hope(?:d|fully)?)\b",
        ),
    ),
    (
        "advocacy",
        any_of(
            rf"\b(?:should|must|ought to) (?:therefore |{_FILLER} ){{0,2}}be (?:\w+ly )?{_URGED}\b",
            r"\bwe (?:should|must)\b",
            r"\b(?:we|i) recommend\b",
            r"\b(?:our|these|following) recommendations?\b",
            r"\blet us\b",
            r"\bwhite paper\b",
        ),
    ),
)
_GUESS = any_of(
    r"\b(?:might|could|perhaps|possibly|maybe|conceivably|hopefully|presumably)\b",
    r"\b(?:we|i) (?:believe|think|feel|suspect|speculate)\b",
    r"\bin our (?:opinion|view)\b",
)
_NUMBER = re.compile(r"(?<![\w.-])[~≈<>≤≥±]?\d")


def why_nothing_stated(statement: str) -> str | None:
    """What a statement does instead of stating something, or None where it states.

    A guess is "might", "could" or a belief without any number.
    """
    reason = first_reason(_KINDS, statement)
    if reason is None and found(_GUESS, statement) and not _NUMBER.search(statement):
        reason = "guess"
    return reason
