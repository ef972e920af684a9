"""The planner that needs no model: tags by similarity, type by rules, subqueries from the question.

The stages are those of arXiv:2606.10381; nothing here adds a word that neither the question nor
the profile holds.

Tags. The cosine of the question with each tag's description; a tag is taken at `TAG_COSINE` or
more and within `TAG_MARGIN` of the best, or where the question names it. `general` is taken only
where nothing else is.

Type. The first rule that applies:

1. it asks for the same in other words ("rephrase", "in plain terms")        → paraphrase
2. it asks over several things or papers ("which concepts", "how do … compare", "the difference
   between", "what speaks for each", "what is known so far")                 → broad_synthesis
3. it asks why, how it works, what limits, what follows                      → reasoning
4. anything else: a number, a name, a definition                             → precise_fact

A question for a number with its reason is reasoning, as in the paper.

Subqueries. The clauses of a question that asks several things, each with the words it refers to;
the things of an enumeration one by one; acronyms written out.
"""

import re
from collections.abc import Mapping
from weakref import WeakKeyDictionary

from assets.answering.asked_numbers import asks_a_number
from assets.answering.parts import Encoder, Profile, Vectors
from assets.answering.records import Plan, QuestionType
from assets.answering.terms import content_terms, stems

NAME = "embedded planner 2"
TAG_COSINE = 0.30
TAG_MARGIN = 0.12
MAX_TAGS = 3
GENERAL = "general"

_PARAPHRASE = re.compile(
    r"\b(?:re-?phras\w+|paraphras\w+|restat\w+|in other words|in (?:plain|simple|lay)"
    r" (?:terms|words|language)|put (?:it )?simply|reword\w*)\b",
    re.IGNORECASE,
)
_THINGS = (
    r"(?:approach|concept|technique|strateg|method|option|measure|scheme|idea|opportunit|challenge"
    r"|advantage|disadvantage|problem|alternative|scenario|application|technolog|solution"
    r"|mechanism|effort|route|role)(?:s|es|ies)"
)
_SYNTHESIS = re.compile(
    rf"\b(?:what|which)\b(?:\W+[\w’'/-]+){{0,4}}?\W+{_THINGS}\b"
    r"|\bhow (?:do|does|did|have|has)\b(?! (?:that|this|it|they)\b).{0,120}"
    r"\b(?:compare|evolve|evolved|differ|develop|developed)\b"
    r"|^compare\b|\bdifferences? between\b|\bcomparison (?:of|between)\b"
    r"|\bpros and cons\b|\b(?:what )?speaks? for each\b|\bof each\b"
    r"|\b(?:overview|summari[sz]e|summary|review|survey|state of the art|what is known|so far)\b"
    r"|\b(?:used or proposed|proposed or used)\b|\bfigures are quoted\b|\btogether say\b",
    re.IGNORECASE,
)
_REASONING = re.compile(
    r"\b(?:explain|reason for|trade-?offs?|advantages?|drawbacks?|purpose|role of|opposed to"
    r"|what (?:causes?|caused|limits?|limited|prevents?|drives?|determines?|dictates)"
    r"|what (?:is|was|would be) (?:to be )?(?:gained|lost)|freedom|sacrifices?|imply|implies)\b"
    r"|\bhow (?:can|could|do|does|did|would|should|is|are|was|were|might)\b"
    r"|^(?:do|does|did|is|are|can|could|should|would|was|were|will)\b"
    r"|\bis it\b.{2,80}\bor\b|\bwhat do(?:es)?\b.{2,60}\bdo\b",
    re.IGNORECASE,
)
_NOT_A_NUMBER = re.compile(
    r"\bwhat (?:is|was|would be) (?:to be )?(?:gained|lost)\b|\bwhat (?:limits?|limited)\b"
    r"|\b(?:freedom|opposed to|trade-?offs?)\b|\bis it\b.{2,80}\bor\b"
    r"|\bwhat do(?:es)?\b.{2,60}\bdo\b",
    re.IGNORECASE,
)
_WH = r"(?:what|which|how|why|when|where|who)"
_CLAUSE = re.compile(
    rf"(?:,|;|:|\s[–—-])?\s+(?:and|but)\s+(?=(?:(?:at|with|in|on|for|to|over|up to|by)\s+)?"
    rf"(?:{_WH}|is|are|does|do|did|can)\b)|[;:,]\s+(?={_WH}\b)|;\s+",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:In|At|For|On|Over|Under|After|With|During|Among|If)\b[^,?:]{3,90}),\s+", re.IGNORECASE
)
_NAME_LIKE = r"(?:[A-Z0-9][\w+/().-]*[A-Za-z][\w+/().-]*|[a-z]+-[\w-]+)"
_LIST = re.compile(rf"{_NAME_LIKE}(?:, {_NAME_LIKE})*,? (?:and|or|versus|vs\.?) {_NAME_LIKE}")
_KEPT: WeakKeyDictionary[object, dict[tuple[str, ...], Vectors]] = WeakKeyDictionary()
_LEAST_WORDS = 4  # in a clause that can be asked by itself


def propose(question: str, profile: Profile, encoder: Encoder) -> Plan:
    """A plan for a question; its subqueries are still to be checked by `planning`."""
    return Plan(
        tags=choose_tags(question, profile.tags, encoder),
        type=classify(question),
        subqueries=(question, *subqueries_of(question, profile.acronyms)),
        planner=NAME,
    )


def choose_tags(question: str, tags: Mapping[str, str], encoder: Encoder) -> tuple[str, ...]:
    """Tags of a question, best first, from a closed vocabulary of tag → description."""
    domain = [tag for tag in tags if tag != GENERAL]
    if not domain:
        return (GENERAL,)
    described = _described(encoder, tuple(f"{tag}: {tags[tag]}" for tag in domain))
    cosines = described @ encoder.encode_queries([question])[0]
    score = dict(zip(domain, map(float, cosines), strict=True))
    best = max(score.values())
    words = stems(question)
    named = [tag for tag in domain if stems(tag) <= words]
    near = [tag for tag in domain if score[tag] >= TAG_COSINE and score[tag] >= best - TAG_MARGIN]
    chosen = sorted({*named, *near}, key=lambda tag: (tag not in named, -score[tag]))[:MAX_TAGS]
    return tuple(chosen) or (GENERAL,)


def _described(encoder: Encoder, descriptions: tuple[str, ...]) -> Vectors:
    """Vectors of a profile's descriptions: the same for every question, so kept by the encoder."""
    kept = _KEPT.setdefault(encoder, {})
    if descriptions not in kept:
        kept[descriptions] = encoder.encode(list(descriptions))
    return kept[descriptions]


def classify(question: str) -> QuestionType:
    """The type of a question by the rules above."""
    if _PARAPHRASE.search(question):
        return QuestionType.PARAPHRASE
    if _SYNTHESIS.search(question):
        return QuestionType.BROAD_SYNTHESIS
    if re.search(r"\bwhy\b", question, re.IGNORECASE):
        return QuestionType.REASONING
    if asks_a_number(question) and not _NOT_A_NUMBER.search(question):
        return QuestionType.PRECISE_FACT
    return QuestionType.REASONING if _REASONING.search(question) else QuestionType.PRECISE_FACT


def subqueries_of(question: str, acronyms: Mapping[str, str]) -> tuple[str, ...]:
    """Subqueries made of the question's own words and of what its acronyms stand for."""
    found = [*_clauses(question), *_facets(question)]
    expanded = expand_acronyms(question, acronyms)
    if expanded != question:
        found.insert(0, expanded)
    return tuple(dict.fromkeys(found))


def expand_acronyms(question: str, acronyms: Mapping[str, str]) -> str:
    """The question with what each known acronym stands for in place of it."""
    for short, long in acronyms.items():
        if long.lower() not in question.lower():
            question = re.sub(rf"(?<![\w-]){re.escape(short)}(?![\w-])", long, question)
    return question


def _clauses(question: str) -> list[str]:
    """What is asked, one clause at a time, each made to stand alone."""
    lead = _LEAD.match(question)
    setting = lead.group() if lead else ""
    parts: list[str] = []
    for part in _CLAUSE.split(question[len(setting) :]):
        words = part.strip(" ,?")
        if parts and len(parts[-1].split()) < _LEAST_WORDS:
            parts[-1] = f"{parts[-1]} and {words}"
        elif words:
            parts.append(words)
    if len(parts) < 2:
        return []
    subject = parts[0]
    standing = [f"{setting}{subject}?"]
    for part in parts[1:]:
        # What a later clause leaves out, or names by a pronoun, stands in the first one.
        missing = [term.word for term in content_terms(subject) if term.stem not in stems(part)]
        standing.append(f"{setting}{part}: {' '.join(missing[:8])}?")
    return standing


def _facets(question: str) -> list[str]:
    """One question for each name of an enumeration: "Nb3Sn, Bi-2212 and REBCO coils"."""
    listed = _LIST.search(question)
    if listed is None:
        return []
    items = re.split(r",? (?:and|or|versus|vs\.?) |, ", listed.group())
    before, after = question[: listed.start()], question[listed.end() :]
    return [re.sub(r"\s+", " ", f"{before}{item}{after}") for item in items]
