"""A statement as one plain sentence: what only guides the reader of the page is taken off."""

import re

from assets.factuality.patterns import any_of, one_of

LABELLED = one_of(
    """
    figs? figures? tables? tabs? eqs? eqns? equations? secs? sect sections? refs? references?
    appendi(?:x|ces) chapters? plots? panels? insets? photos? photographs? pictures?
    """
)
"""What a paper numbers and points at."""

_CITATION = r"\[\s?\d[\d\s,;–\-\[\]]*\]"
_SOURCE = r"(?:as )?(?:\b(?:in|by|from|see|of|and|to|following|based on) )?(?:the )?refs?\.? "
_NOISE = any_of(
    # [3], [12-15], [1],[2], in Ref. [4]
    rf"\s*(?:{_SOURCE})?{_CITATION}(?:\s?[,–-]\s?{_CITATION})*",
    rf"\s*\({_CITATION}\)",
    # (see Fig. 3, left), (Table 2), with Markdown's backslash too
    rf"\s*\\?\((?:see|e\.g\.|cf\.|also|and|[\s,])*{LABELLED}\b[^()]*(?:\([^()]*\)[^()]*)*\\?\)",
    r"\s*\((?:see|cf\.)\s[^()]*\)",
)
_NOTE = re.compile(r"(?:(?<=[a-z]{4})|(?<=.[.,;]))\^\[?\d[\d,\s–-]*\]?\^(?=\s|$|[.,;])")
"""A note's number in superscript after a word or a mark, research^4^, but not HoCu^2^."""
_SIGNS = "[-−+–*∗†′']*"
_SUPERSCRIPT = re.compile(rf"\^(?=[^\s^])({_SIGNS}\w*{_SIGNS})\^")
_MARKUP = re.compile(
    r"(?<!\\)\*{1,3}(?=\S)|(?<=\S)\*{1,3}"  # *emphasis*
    r"|(?<![\w\\])_{1,2}(?=\w)|(?<=[\w.])_{1,2}(?![\w{])"  # _emphasis_, but not m_H or m_{H}
    r"|\\(?=[()*_\[\]])|`"
)
_LIST_MARK = re.compile(r"^(?:[-−•▪◦–]\s+|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s+)+")
_SPACES = re.compile(r"\s+")
_SPACE_BEFORE_MARK = re.compile(r"\s+([,.;:)])")
_END = re.compile(r"[\s,;:]*(?:i\.e|e\.g)?[\s.,;:]*$")

_REPORTED = one_of(
    """
    shown seen depicted displayed plotted explained illustrated described discussed indicated
    reported summari[sz]ed presented noted mentioned listed given
    """
)
_CONNECTIVE_WORDS = "|".join(
    (
        r"however|furthermore|moreover|more over|therefore|thus|hence|additionally|consequently",
        r"accordingly|nevertheless|nonetheless|also|besides|similarly|likewise|instead|indeed",
        r"generally|finally|lastly|then|next|last|subsequently|meanwhile|interestingly|remarkably",
        r"notably|importantly|specifically|overall|clearly|obviously|and|but|so|yet|or",
        r"(?:first|second|third|fourth|fifth)(?:ly)?",
        r"in (?:addition|fact|particular|general|contrast|turn|summary|conclusion|short)",
        r"by contrast|for example|for instance|on the other hand|on the contrary|of course",
        r"as a result|as a consequence|as expected|to summari[sz]e|on paper|that is|i\.e\.|e\.g\.",
        r"in this (?:case|context|way|regard|respect)|to this (?:end|aim)|for this reason",
        rf"as (?:it )?(?:can be )?{_REPORTED}[^,]{{0,60}}",
    )
)
_CONNECTIVE = any_of(
    rf"^(?:{_CONNECTIVE_WORDS})(?:\s*,\s*|\s+(?=(?:the|an?|it|this|these|they|in|for)\b))"
)

_SAYS = one_of(
    """
    shows? showed shown find found finds observed? notes? noted sees? seen concludes? concluded
    demonstrates? demonstrated estimated? determined? established? expect believe assume verified
    confirms? confirmed indicates? indicated suggests? suggested reveals? revealed illustrates?
    implies imply means? meant
    """
)
_KNOWN = one_of(
    """
    shown found seen known well[\\s-]known noted observed demonstrated established concluded clear
    evident apparent obvious noticed estimated confirmed stressed emphasi[sz]ed mentioned
    """
)
_FRAME = any_of(
    # We have found that …
    rf"^(?:we|the authors|one) (?:(?:have|can|also|thus|therefore|then|had) ){{0,2}}{_SAYS} that ",
    # It has been shown in Ref. [3] that …; it is worth noting that …
    r"^it (?:is|was|has (?:also |\w+ly )?been|(?:can|should|must|may) be) "
    rf"(?:also |now |well |clearly )?(?:{_KNOWN}|worth noting|(?:interesting|important) to note)"
    r"(?: (?:in|by|from|during|at|for)(?: [^,]{1,40})?)? that ",
    # This implies that …
    rf"^(?:this|that|these \w+|this \w+) (?:also |thus |clearly |in turn )?{_SAYS} that ",
    r"^(?:please )?note(?:,? (?:also|however),?)? that ",
    r"^(?:notice|recall) that ",
    # The plots in Fig. 3 (a) show that …; Ref. [10] shows that …
    rf"^(?:the |these |our |all |both )?(?:\w+ ){{0,2}}{LABELLED}\.?\s?\(?\[?[\dIVX]+[a-z]?\]?\)?"
    rf"(?:\s?\(?[a-z]\)?)? (?:\w+ly |also |thus )?{_SAYS} that ",
    # Measurements of the field showed that …
    r"^(?:the |these |our )?(?:results?|measurements?|stud(?:y|ies)|calculations?|simulations?"
    rf"|data|experiments?|analysis|tests?) (?:of [^,]{{1,30}} )?(?:also |clearly )?{_SAYS} that ",
)
_TRAILING_POINTER = any_of(
    # , as is shown in Fig. 3
    r"(?:[,\s]+(?:as|which) (?:also )?(?:(?:can|may) be |(?:is|are|was|were) )?|,\s*)(?:also )?"
    rf"{_REPORTED} (?:schematically |also )?(?:in |on |by |from )?(?:the )?{LABELLED}\b\.?[^,]*$",
    # , as Figure 1 shows
    rf", as (?:the )?{LABELLED}\b[^,]*$",
)


def tidy(text: str) -> str:
    """A statement without citations, pointers, markup and connectives, as one plain sentence.

    Powers keep a caret ("10^5"); nothing is added but the capital and the full stop.
    """
    text = _SPACES.sub(" ", text).strip()
    text = _without_frames(_LIST_MARK.sub("", text))
    text = _MARKUP.sub("", _SUPERSCRIPT.sub(_raised, _NOTE.sub("", _NOISE.sub("", text))))
    text = _SPACE_BEFORE_MARK.sub(r"\1", _SPACES.sub(" ", text)).strip(" ,;:.!")
    text = _END.sub("", _TRAILING_POINTER.sub("", _without_frames(text)))
    return text[:1].upper() + text[1:] + "." if text else ""


def _without_frames(text: str) -> str:
    """The text behind connectives and frames ("However, it has been shown that …")."""
    while (shorter := _FRAME.sub("", _CONNECTIVE.sub("", text))) != text:
        text = shorter
    return text


def _raised(match: re.Match[str]) -> str:
    """Powers keep their caret; letters, and bare digits after a letter, are subscripts here."""
    inner = match[1]
    before = match.string[match.start() - 1 : match.start()]
    is_power = inner[0] in "-−+–" or before.isdigit() or before in ")mscV"
    return f"^{inner}" if is_power and inner.strip("-−+–").isdigit() else inner
