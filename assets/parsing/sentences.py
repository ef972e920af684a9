"""Sentences of running scientific text, as character ranges.

The rules are our own: general splitters break physics prose at "Fig.", "et al.", initials and
units ("5 T."), change the text, or are too slow for a stage that reads every chunk several times.
"""

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ABBREVIATIONS = _words(
    """
    fig figs figure eq eqs eqn eqns ref refs sec secs sect sects tab tabs ch chap app vol vols
    no nos pp p cf e.g eg i.e ie vs viz approx ca resp dr prof mr mrs ms st ed eds dept univ lab
    co corp inc ltd
    min max avg std temp esp incl max tech assoc natl intl int conf proc symp
    phys rev lett nucl instrum meth methods math comput commun ann astrophys astron mod prog rept
    rep bull acad inst res suppl ser mater chem eur appl supercond trans accel beams sci technol
    am amer soc nat mech eng cryog electron opt spectrosc radiat prot jr sr
    jan feb mar apr jun jul aug sep sept oct nov dec
    """
)
"""Lower-case abbreviations after which a capital is, as a rule, not a new sentence."""

_ALWAYS_CONTINUED = _words(
    "fig figs eq eqs eqn eqns ref refs sec secs sect cf e.g eg i.e ie vs viz approx ca"
)
"""Abbreviations that point at what follows and never end a sentence."""

_OPENERS = _words(
    """
    a an the this that these those such it its they their there here we our i one two three both
    each all some many most several few no in on at by for from with without within under over
    during after before since as if when where while although though because however therefore
    thus hence moreover furthermore also then finally first second third to other another what how
    why which another given using based due instead additionally similarly consequently note
    recent recently not only once until between among through despite unlike like
    """
)
"""Words that, with a capital, open a sentence and hardly ever a name or a journal's title."""

_CANDIDATE = re.compile(
    r"""
    (?P<stop> \.{1,3} | [!?…]+ )
    (?P<closers> (?: ["'”’»)\]*_]
                   | \^\[?\d[\d,\s–-]*\]?\^          # a superscript reference, ^12^
                   | \s?\[\d[\d,;\s–-]*\](?=\s|$)    # a reference after the full stop: . [12]
                 )* )
    (?: (?P<gap>\s+) (?P<opening> [\[("'“‘«*_\\]* ) (?P<next> [^\s\W_]* )
      | (?P<end> \s*\Z )
      | (?P<glued> (?<=[a-z]{3}\.) (?=(?:The|This|These|In|We|It|For|However)\s) )
    )
    """,
    re.VERBOSE,
)
_LINE_BOUNDARY = re.compile(
    r"""
      \n[ \t]*\n\s*                                   # a blank line
    | \n(?=[ \t]*(?:[-•▪◦*–]\s | \[\d+\]\s | \#{1,6}\s | \|))   # an item, a row
      # a numbered item, unless the line before points at the number: "in Fig.\n3. The"
    | (?<![Ff]ig\.)(?<![Ff]igs\.)(?<!Figure)(?<!Table)(?<!Tab\.)(?<![Rr]ef\.)(?<![Ee]q\.)
      (?<![Ss]ec\.)(?<![Ss]ect\.)(?<!Section)\n(?=[ \t]*\(?\d{1,2}[.)]\s)
    | (?<=\|)[ \t]*\n                                 # after a table's row
    """,
    re.VERBOSE,
)
_HEADING_LINE = re.compile(r"^[ \t]*[A-Z][^\n.!?;,:]{0,38}(\n)(?=[ \t]*[A-Z])", re.MULTILINE)
"""A short line without punctuation before one that starts with a capital."""
_WORD_BEFORE = re.compile(r"[^\s(\[{\"'“‘*_/–—]+\Z")
_LABEL = re.compile(
    r"""[\s*_\#(\[-]*                                       # a sentence so far that is only
        (?: \d{1,3}(?:\.\d{1,3})* | [A-Za-z] | [ivxIVX]{1,4}   # an item's or a section's number
          # or a caption's label
          | (?:Fig|FIG|Figure|FIGURE|Table|TABLE|Tab)\.?\s?(?:\d{1,3}[a-z]?|[IVX]{1,4})[*_]*
        )\Z""",
    re.VERBOSE,
)
_LOOK_BACK = 40
"""Characters before a full stop that decide what it is."""
_GOES_ON = re.compile(
    r"\s*(?:[±∓×=<>≲≳≈~+−/%,;]|\\pm\b|\+/-|[kMGTPcmµμnpf]?(?:eV|Hz|Pa|Gy|[bsmKTVWJg])\b)"
)
"""What follows an abbreviation in brackets within a quantity: "0.21 (stat.) ± 0.11 GeV"."""
_QUANTITY_TAIL = re.compile(r"[\d%)°µμ]\s?[A-Za-zµμΩ°/]{0,6}\Z")


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Half-open character ranges of the sentences of `text`, in order.

    The ranges never overlap, never begin or end in white space, and together hold every
    character that is not white space: `text[start:end]` is the sentence as it stands. A blank
    line, a list item, a heading (marked or a short line by itself) and a table row begin a new
    one; any other single line break does not. Abbreviations ("Fig.", "et al.", "e.g."),
    initials, decimals, units, section numbers and references that follow the full stop do not
    end a sentence.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for first, last in _line_boundaries(text):
        _split_block(text, start, first, spans)
        start = last
    _split_block(text, start, len(text), spans)
    return spans


def _line_boundaries(text: str) -> list[tuple[int, int]]:
    """Ranges of white space between lines that are not one paragraph."""
    if "\n" not in text:
        return []
    boundaries = [match.span() for match in _LINE_BOUNDARY.finditer(text)]
    return sorted(boundaries + [match.span(1) for match in _HEADING_LINE.finditer(text)])


def _split_block(text: str, start: int, end: int, spans: list[tuple[int, int]]) -> None:
    """Append the sentences of text[start:end], which holds no line boundary."""
    block = text[start:end]
    first = 0
    for match in _CANDIDATE.finditer(block):
        if _ends_sentence(block, first, match):
            last = match.end("closers")
            _append_stripped(block, first, last, start, spans)
            first = last
    _append_stripped(block, first, len(block), start, spans)


def _append_stripped(
    block: str, first: int, last: int, offset: int, spans: list[tuple[int, int]]
) -> None:
    piece = block[first:last]
    stripped = piece.strip()
    if stripped:
        begin = first + len(piece) - len(piece.lstrip())
        spans.append((offset + begin, offset + begin + len(stripped)))


def _ends_sentence(block: str, first: int, match: re.Match[str]) -> bool:
    """Whether the full stop of `match`, in a sentence that began at `first`, ends it."""
    if match["end"] is not None or match["glued"] is not None:
        return True
    following = match["next"]
    if following and following[0].islower() and following[0] < "\u0370":
        return False
    if match["stop"] != ".":
        return True
    if match["closers"] and _GOES_ON.match(block, match.end("closers")):
        return False
    before = block[max(first, match.start() - _LOOK_BACK) : match.start()]
    if _LABEL.fullmatch(before):
        return False
    found = _WORD_BEFORE.search(before)
    if not found or match["closers"]:
        return bool(match["closers"] or before.strip())
    return _word_ends_sentence(found[0], before, match)


def _word_ends_sentence(word: str, before: str, match: re.Match[str]) -> bool:
    """Whether `word` and its full stop end the sentence `before`, given what follows."""
    lowered = word.lower()
    following = match["next"]
    if lowered in _ALWAYS_CONTINUED:
        return False
    initial = len(following) == 1 and match.string[match.end() : match.end() + 1] == "."
    opens = following.lower() in _OPENERS and following[:1].isupper() and not initial
    starts_with_digit = following[:1].isdigit()
    if word[-1].isdigit() and starts_with_digit and not match["opening"]:
        return False
    if lowered == "al" or lowered in _ABBREVIATIONS:
        return opens and not starts_with_digit
    dotted_or_initial = len(word) == 1 or "." in word[:-1]
    if dotted_or_initial and word[0].isalpha():
        quantity = _QUANTITY_TAIL.search(before) is not None
        return opens or (quantity and len(word) == 1)
    return True
