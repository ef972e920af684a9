"""Which sentences bear a claim, and why the others do not.

A sentence is refused for what it is (a heading, a reference, an affiliation, a question, garbage)
or for what it does (it points at a figure, announces what the paper does, states a goal or a plan,
thanks someone, defines a symbol, guesses). Everything else that has a finite verb bears a claim.
"""

import re

from assets.factuality.clauses import may_have_verb, tokenize

_SECTIONS_WITHOUT_CLAIMS = re.compile(
    r"""\b(?:acknowledge?ments?|references?|bibliography|author\ contributions?|funding
        |(?:competing|conflicts?\ of)\ interests?|data\ availability|disclaimer|contents
        |affiliations?|nomenclature|glossary|keywords)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_POINTED = r"""(?:figs?|figures?|tables?|tabs?|eqs?|eqns?|equations?|secs?|sect|sections?|refs?
    |references?|appendi(?:x|ces)|chapters?|plots?|panels?|insets?|photos?|photographs?|pictures?)"""
_LABEL = rf"{_POINTED}\b\.?\s*\(?\[?(?:\d|[a-z]\)|[A-Z]\b|[IVX]+\b)[^\s,]*"
_SHOWN = r"""(?:shown|presented|reported|listed|given|illustrated|displayed|plotted|depicted
    |summari[sz]ed|described|discussed|sketched|compared|provided|detailed|outlined|collected
    |found|explained|indicated|reviewed|reproduced|tabulated|introduced|derived|addressed|defined)"""
_SHOWS = r"""(?:shows?|presents?|lists?|gives?|illustrates?|displays?|plots?|depicts?|summari[sz]es?
    |describes?|compares?|reports?|provides?|contains?|represents?|sketch(?:es)?|details?|reviews?
    |discuss(?:es)?|includes?|indicates?|demonstrates?)"""
_PAPER_DOES = r"""(?:describe|discuss|present|review|summari[sz]e|introduce|outline|propose|examine
    |investigate|study|explore|consider|analy[sz]e|address|focus|report\ on|provide|give|aim|intend
    |attempt|start|begin|conclude\ with|concentrate|recall|remind|mean|derive|define|denote|follow|restrict|show
    |encourage|touch|refer|thank|acknowledge|assume|emphasi[sz]e|stress|advocate|turn
    |deal|continue|proceed|first|now|will|then|want|wish|hope|plan
    |argue|detail|illustrate|elaborate|highlight)"""


def _compiled(*kinds: tuple[str, str, int]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((reason, re.compile(text, re.VERBOSE | flags)) for reason, text, flags in kinds)


_SENTENCE_KINDS = _compiled(
    ("heading", r"^\s*\#", 0),
    ("table", r"^\s*\||\|\s*$|(?:\s\|\s.*){3}", 0),
    ("equation", r"^\s*\$\$|\\begin\{|^\s*where\b", 0),
    ("question", r"\?\s*[\"'”’)*_]*$", 0),
    (
        "caption",
        rf"^[\s*_(\[]*(?:fig(?:ure)?|table|tab|photo|scheme)s?\.?[\s*_]*(?:\d+|[IVX]+)[a-z]?"
        r"[\s*_]*(?:[.:]|\()[\s*_]*(?!shows?\b|lists?\b)",
        re.IGNORECASE,
    ),
    (
        "address",
        r"""\b[\w.+-]+\\?@[\w-]+\.\w+ | ^\W*\d?\W*(?:department|institute?|faculty|school|laboratory
            |university|università|cern|fermi\ national\ accelerator\ laboratory)\b[^.]*,[^.]*\d{4,}
            | \bcorresponding\ author\b""",
        re.IGNORECASE,
    ),
    (
        "acknowledgement",
        r"""\b(?:acknowledges?|acknowledged|grateful(?:ly)?|indebted|thanks?\b(?!\ to\b)|thankful)
            | \b(?:work|research|study|project|paper|author|authors|publication)s?\b.{0,60}\b
              (?:is|was|were|are|has\ been|been)\ (?:partially\ |partly\ |also\ |jointly\ )?
              (?:supported|funded|sponsored|financed|authored|performed\ under)
            | \bunder\ contract\ (?:no|number|de-) | \bgrant\ (?:agreement\ )?(?:no|number|de-)
            | \bfunding\ (?:from|by|was) | \bimpartial\b | \bwould\ like\ to\ thank\b
            | \blicen[cs]ed?\ under\b | \ball\ rights\ reserved\b | ©""",
        re.IGNORECASE,
    ),
)
_STATEMENT_KINDS = _compiled(
    (
        "announcement",
        rf"""^\W*(?:in|throughout|within|with|for)\ (?:this|the\ (?:present|following|next|remainder
                |rest)(?:\ of\ (?:this|the))?|what\ follows)\ ?(?:\w+\ )?(?:paper|article|work|section
                |chapter|report|note|document|contribution|study|review|lecture|letter|appendix)?\b
                (?!.*\bthat\b)[^.]{{0,40}}?\b(?:we|i|are|is|will)\ (?:\w+ly\ |also\ |will\ |shall\ |first
                \ |then\ |have\ )*(?:{_PAPER_DOES}|{_SHOWN})\b
            | ^\W*(?:this|the\ (?:present|current|following|next|last|first|second|third|fourth|fifth
                |sixth))\ (?:\w+\ ){{0,3}}?(?:paper|article|section|chapter|document|lecture|appendix
                |proceedings?|contribution|manuscript|letter|part|report|overview|review|note)\b(?!.*\b
                (?:shows?|showed|found|finds|demonstrates?|concludes?)\ that)
            | ^\W*the\ (?:paper|article|document|report|remainder|rest|structure\ of)\b
                (?!.*\b(?:showed|found|demonstrated)\b)
            | ^\W*(?:(?:here|first|then|finally|next|also|now|below|later|lastly|in\ addition|moreover
                |furthermore|therefore|thus|so|hence),?\ )*
              (?:we|i|the\ authors?)\ (?:(?:also|then|will|shall|have|can|now|first|next|thus
                |therefore|further|briefly|mainly|only|here|finally)\ ){{0,2}}{_PAPER_DOES}\b(?!\ that)""",
        re.IGNORECASE,
    ),
    (
        "pointer",
        rf"""(?:^\W*|,\ )(?:\w+\ ){{0,3}}?{_LABEL}(?:\W*(?:and|to|,|–|-)\W*(?:{_LABEL}|\(?[\da-z]{{1,3}}\)?))*
                (?:\s\(?\w{{1,6}}\)?,?){{0,2}}\s(?:\w+ly\ |also\ |then\ )?{_SHOWS}\b(?!\ that)
            | (?<!\bas\ )(?<!\bwhich\ )\b(?:is|are|was|were|be|been)\ (?:\w+ly\ |also\ |further\ |then\ |best\ ){{0,2}}{_SHOWN}[ ]
                (?:\w+ly\ |also\ |together\ |below\ |here\ |later\ ){{0,2}}
                (?:(?:in|on|by|at|with|within|from)\ )?(?:more\ detail\ in\ |detail\ in\ )?(?:the\ )?
                (?:(?:next|following|previous|left|right|top|bottom|lower|upper)\ )?(?:\w+\ of\ )?
                (?:{_LABEL}|section\b|chapter\b|appendix\b|figure\b|table\b|below\b|above\b)
            | ^\W*(?:in|on)\ (?:the\ )?(?:\w+\ ){0, 2}{_LABEL}[^.]{0, 20},\ (?:.*\ )?(?:is|are|was|were)\ (?:\w+ly\ |also\ )?
                {_SHOWN}\b(?!\ (?:to|that)\b)
            | ^\W*(?:see|cf|compare|refer|consult|consider|let|suppose|assume|recall|define|denote)\b""",
        re.IGNORECASE,
    ),
    (
        "goal",
        r"""\b(?:goals?|aims?|objectives?|purposes?|ambition|intention|intent|mission)
                \b[^,.]{0,60}?\b(?:is|are|was|were|will\ be|being)\ (?:\w+ly\ |therefore\ )?(?:to\b|in\b)
            | ^\W*(?:the\ )?(?:ultimate\ |main\ |primary\ |overall\ |next\ |final\ )*
                (?:goals?|aims?|objectives?)\b
            | \b(?:is|are|was|were)\ (?:\w+ly\ )?(?:planned|foreseen|envisaged|envisioned|intended
                |scheduled|proposed)\ (?:to|for)\b
            | \bwe\ (?:plan|intend|hope|aim|propose|wish|envision|envisage|recommend|encourage|urge)\b
            | \b(?:future|further|more|additional)\ (?:\w+\ ){0,2}(?:work|studies|study|research|tests?
                |measurements?|investigations?|developments?|efforts?|analysis|simulations?)\b[^,.]{0,50}
                \b(?:will|should|must|needs?|is|are)\b
            | \bwill\ (?:then\ |also\ |soon\ |next\ |be\ )*(?:\w+\ )?(?:wound|tested|measured|fabricated
                |manufactured|studied|investigated|performed|carried\ out|reported|presented|discussed
                |published|evaluated|explored|developed|addressed|assembled|coated|treated|examined
                |verified|validated|conducted|done|shipped|built|demonstrated|determined|verify|test
                |investigate|study|explore|attempt|describe|discuss|focus)\b
            | \b(?:next\ steps?|remains?\ to\ be|yet\ to\ be|it\ is\ to\ be\ hoped|hope(?:d|fully)?\b)""",
        re.IGNORECASE,
    ),
    (
        "advocacy",
        r"""\b(?:should|must|ought\ to)\ (?:therefore\ |also\ |not\ |\w+ly\ ){0,2}be\ (?:\w+ly\ )?
                (?:considered|pursued|encouraged|investigated|studied|addressed|explored|supported|given
                |noted|mentioned|emphasi[sz]ed|stressed|developed|established|strengthened|forgotten
                |maintained|funded|continued|sponsored)
            | \bwe\ (?:should|must)\b | \b(?:we|i)\ recommend\b | \brecommendations?\b | \blet\ us\b
            | \bwhite\ paper\b""",
        re.IGNORECASE,
    ),
)
_REFERENCE_MARKS = re.compile(
    r"""\b(?:18|19|20)\d\d\)?[a-z]?\b | \b[A-Z]\.(?:\s?[A-Z]\.)*,?\s[A-Z][a-z]+ | \b[A-Z][a-z]+,\s[A-Z]\.
    | \bet\ al\b | \bpp?\.\s?\d | \bvol\.?\s?\d | \*\*\d+\*\* | \bdoi\b | arXiv: | \bed(?:itor)?s?\.
    | \b(?:Phys|Rev|Lett|Nucl|Instrum|Meth|Proc|Conf|Trans|Supercond|Appl|Sci|Technol|J|Int|Univ)\.
    | \b\d{1,4}\s?\(\d{1,2}\) | \b(?:ISBN|Springer|Wiley|Elsevier|Press|JINST|JHEP|PhD\ thesis)\b
    | \b\d{2,4}\s?[–-]{1,2}\s?\d{2,4}\b | ^\W{0,3}\[\d+\]\s""",
    re.VERBOSE,
)
_LEAD_IN = re.compile(
    r"(?::|\bas follows|\bthe following|\b(?:expression|equation|relation|formula|form)s?)[\s.*_]*$"
)
_DANGLING = re.compile(
    r"\b(?:by|of|from|the|a|an|is|are|to|with|in|for|at|and|or|as|that|where|such)\.$"
)
_INSTITUTIONS = re.compile(
    r"\b(?:University|Universit\w+|Institut\w*|Laborator\w+|Department|Cent(?:er|re)|Faculty|School"
    r"|College|Academy|USA|[A-Z]{2}\s\d{5})\b"
)
_AUXILIARY = re.compile(r"\b(?:is|are|was|were|has|have|had|will|can)\b")
_SYMBOL_DEFINITIONS = re.compile(
    r"""\bnotations?\b | ^\W*[a-zα-ω]\ (?:is|are|denotes?|represents?|and)\ (?:the|an?)\b | ^\W*(?:here|where),?\ \S{1,12}\ (?:is|are|denotes?|represents?|and)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_GUESS = re.compile(
    r"""\b(?:might|perhaps|possibly|maybe|conceivably|hopefully|presumably|could)\b
      | \b(?:we|i)\ (?:believe|think|feel|suspect|speculate)\b | \bin\ our\ (?:opinion|view)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.-])[~≈<>≤≥±]?\d[\d.,]*")
_LETTERS = re.compile(r"[A-Za-z]{3,}")
_LONGEST = 110
"""Words; what is longer is a table or a list without full stops."""


def section_bears_claims(section: tuple[str, ...]) -> bool:
    """False below headings such as "Acknowledgements" and "References"."""
    return not any(_SECTIONS_WITHOUT_CLAIMS.search(heading) for heading in section)


def why_no_claim(sentence: str) -> str | None:
    """The reason why a whole sentence bears no claim, or None where it may bear one."""
    for reason, pattern in _SENTENCE_KINDS:
        if pattern.search(sentence):
            return reason
    return _malformed(sentence)


def _malformed(sentence: str) -> str | None:
    words = sentence.split()
    letters = len(_LETTERS.findall(sentence))
    if len(words) < 4 or letters < 3:
        return "fragment"
    if len(words) > _LONGEST or letters < 0.2 * len(words) or "\ufffd" in sentence:
        return "garbage"
    marks = len(_REFERENCE_MARKS.findall(sentence))
    if marks >= 3 and marks * 8 > len(words) and not _AUXILIARY.search(sentence):
        return "reference"
    if sentence[0] in ")],;:.":
        return "fragment"
    if _LEAD_IN.search(sentence):
        return "lead-in"
    first = sentence.lstrip("*_([-−•–\"'“‘ ")
    if first[:1].islower() and first[:1].isascii() and len(words[0]) > 2:
        return "fragment"
    if _SYMBOL_DEFINITIONS.search(sentence):
        return "definition of symbols"
    if len(_INSTITUTIONS.findall(sentence)) >= 2 and not _AUXILIARY.search(sentence):
        return "address"
    if not may_have_verb(tokenize(sentence)):
        return "no verb"
    return None


def why_no_statement(statement: str) -> str | None:
    """The reason why one statement of a sentence is no claim, or None where it is one.

    A guess is "might", "could" or a belief without any number.
    """
    if _SYMBOL_DEFINITIONS.search(statement):
        return "definition of symbols"
    if _DANGLING.search(statement):
        return "fragment"
    for reason, pattern in _STATEMENT_KINDS:
        if pattern.search(statement):
            return reason
    if _GUESS.search(statement) and not _NUMBER.search(statement):
        return "guess"
    return None
