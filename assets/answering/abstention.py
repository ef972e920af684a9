"""When not to answer, and what to say instead.

Three things keep an answer back.

* The papers deny what the question takes for granted (`premises`): the denial is cited.
* Something asked for is plainly missing: the unit that the question names, a number of the kind
  it asks for, half of what it names or more than half of its words stand in no passage that was
  read. For a fact, also where half of the acronyms and names with digits stand nowhere together,
  in a sentence with its neighbours; where the sentences with a fitting number give it for others
  (most of the names asked for stand neither there nor in their headings, and other names do, or the
  paper never has them, and likewise the energy of one machine); and where no fitting number stands
  with the quantity that is asked for by name.
* The evidence is too far off: the confidence, a logistic regression on the nearest passage's
  cosine, on whether a fitting number is there, on the share of the question's words that the
  passages hold and on how near the best sentence comes, lies below a threshold. It was fitted and
  cross-validated by `python -m benchmarks.fit_answers` on questions with and without an answer.

What this cannot tell: that a passage close in every word gives the figure of another machine, or
that the papers contradict a question by inference only. Both need a model that reads.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from assets.answering.asked_numbers import asked_dimensions, asks_a_number
from assets.answering.grounding import cite
from assets.answering.particles import asked_particles
from assets.answering.parts import BoxesOf
from assets.answering.quantities import Quantity, find_quantities, stands_in, units_named
from assets.answering.reading import Found, Reading, ReadSentence, dangles, head_of
from assets.answering.records import Evidence, NearMiss, Plan, QuestionType
from assets.answering.supposed import meant
from assets.answering.terms import (
    Term,
    content_terms,
    coverage,
    is_present,
    names,
    names_in,
    stem_of,
    stems,
)

MOST_NEAR_MISSES = 3
_IN_NUMBERS = re.compile(r"\bin (?:numbers|figures)\b", re.IGNORECASE)
_RARE = 0.6  # weight from which a term's absence is worth telling

_MOST_ABSENT = 0.55  # weighted share of the question's words
_ABSENT_NAMES = 0.5  # share of the question's names

_CLAIMING, _MOST_CLAIMING = 0.3, 5  # of the best fitting sentence's relevance; sentences at most
_MOST_LISTED = 4  # words or names in a reason
_MOST_TOLD = 3  # names of a question that is about one thing
_QUANTITY_SHARE = 0.4  # of the words of the quantity asked for, beside a fitting number
_QUANTITY = re.compile(
    r"\b(?:what|which)\s+(?P<quantity>[^,;?]*?)\s+(?:is|are|was|were|do|does|did|can|could|has|have"
    r"|had|will|would|should|must|may|might)\b",
    re.IGNORECASE,
)
_TOGETHER = 0.5  # share of a fact's acronyms that must stand together
_PLAIN_NAME = re.compile(r"[A-Z][a-zà-ÿ]+")  # of a person, a place or a laboratory
_NAME_OF_WORDS = re.compile(r"(?<=[a-z,;:] )[A-Z][a-zà-ÿ]+(?: [A-Z][a-zà-ÿ]+)+")
_LABEL = (("eV", 1),)  # energies tell one machine from another

SIGNALS = ("nearest_passage", "fits", "covered", "nearest_sentence")
WEIGHTS = np.array([3.92, 1.21, 1.93, 0.86])
BIAS = -4.34
_NEAR = 0.2  # relevance from which a sentence is near enough: more of it says no more


def signals(
    reading: Reading, evidence: Sequence[Evidence], nearest_passage: float
) -> dict[str, float]:
    """What speaks for an answer being there, each between 0 and 1.

    `nearest_passage` is the greatest cosine of the question with a passage of the release. The
    `SIGNALS` decide the confidence; the others are shown.
    """
    question = reading.question
    terms, asked = content_terms(question), names(question)
    passages = [_passage(item) for item in evidence]
    pool = frozenset().union(*(stems(passage) for passage in passages))
    best = reading.sentences[:3]
    found = [name for name in asked if any(names_in(text, name) for text in passages)]
    fits = max((sentence.measures.fits for sentence in best), default=0.0)
    return {
        "nearest_passage": max(0.0, nearest_passage),
        "fits": fits if asks_a_number(question) else 0.5,
        "relevance": reading.best,
        "covered": coverage(terms, pool) if passages else 0.0,
        "nearest_sentence": min(1.0, reading.best / _NEAR),
        "named": len(found) / len(asked) if asked else 1.0,
    }


def confidence(measured: Mapping[str, float]) -> float:
    """Probability that the question can be answered from the evidence."""
    vector = np.array([measured[name] for name in SIGNALS])
    return round(float(1 / (1 + np.exp(-(WEIGHTS @ vector + BIAS)))), 4)


def plainly_missing(plan: Plan, reading: Reading, evidence: Sequence[Evidence]) -> str:
    """What the question asks for and no passage gives, in a sentence; "" where nothing is."""
    question = reading.question
    given = {
        quantity.unit.dimensions
        for sentence in reading.sentences
        for quantity in find_quantities(sentence.text)
    }
    for unit in units_named(question):
        if not any(set(unit.dimensions) <= set(dimensions) for dimensions in given):
            return f"No passage that was read gives a value in {unit.symbol}."
    passages = [_passage(item) for item in evidence]
    terms = _worth_telling(question)
    pool = frozenset().union(*(stems(passage) for passage in passages))
    unheard = [term for term in terms if not is_present(term, pool)]
    if unheard and len(unheard) == len(terms):
        return _not_mentioned([term.word for term in unheard])
    asked = sorted(names(question))
    fact = plan.type is QuestionType.PRECISE_FACT
    absent = [name for name in asked if not any(_has(text, name) for text in passages)]
    if asked and len(absent) >= _ABSENT_NAMES * len(asked):
        return _not_mentioned(absent)
    if unnamed := _unnamed(question, passages):
        return _not_mentioned(unnamed)
    if fact and (lacking := _lacking_fact(asked, reading)):
        return lacking
    wants_a_number = (fact or _IN_NUMBERS.search(question)) and asked_dimensions(question)
    if wants_a_number and not any(sentence.measures.fits for sentence in reading.sentences):
        return (
            "No passage that was read gives the figure that is asked for; the closest ones "
            "give other quantities."
        )
    if unheard and 1 - coverage(content_terms(question), pool) >= _MOST_ABSENT:
        return _not_mentioned([term.word for term in unheard])
    return ""


def _unnamed(question: str, passages: Sequence[str]) -> list[str]:
    """The names of several words ("Main Injector") of a question, where no passage has one.

    Two of the words side by side are enough: a laboratory often stands before the name.
    """
    asked = [found.group() for found in _NAME_OF_WORDS.finditer(question)]
    for name in asked:
        pairs = [" ".join(pair) for pair in pairwise(name.split())]
        if any(names_in(text, pair) for text in passages for pair in pairs):
            return []
    return asked


def _lacking_fact(asked: Sequence[str], reading: Reading) -> str:
    """What keeps the fitting sentences from being the fact that is asked for, in a sentence."""
    told = [
        name
        for name in asked
        if not _PLAIN_NAME.fullmatch(name)
        # The first half of a name with a hyphen is no name of its own.
        and not re.search(rf"\b{re.escape(name)}-(?=[A-Z])", reading.question)
    ]
    if _never_together(told, reading):
        return f"No passage that was read speaks of {_listed(told[:_MOST_LISTED], 'and')} together."
    fitting = [one for one in reading.sentences if one.measures.fits]
    if not fitting:
        return ""
    least = _CLAIMING * fitting[0].relevance
    best = [one for one in fitting if one.relevance >= least][:_MOST_CLAIMING]
    labels = [one for one in find_quantities(reading.question) if one.unit.dimensions == _LABEL]
    one_machine = len(labels) == 1 and _LABEL not in asked_dimensions(reading.question)
    if one_machine and not any(_may_be_of(one, labels[0], reading) for one in best):
        return (
            f"No passage that was read gives this at {labels[0].text}; the closest ones give it "
            "for others."
        )
    others = [name for name in told if not any(_may_tell_of(one, name, reading) for one in best)]
    if 2 * len(others) > len(told) and len(told) <= _MOST_TOLD:
        return (
            f"No passage that was read gives this for {_listed(others)}; the closest ones "
            "give it for others."
        )
    found = _QUANTITY.search(reading.question)
    quantity = found["quantity"] if found and asked_dimensions(f"what {found['quantity']}") else ""
    terms = content_terms(quantity)
    if terms and all(
        coverage(terms, meant(f"{' '.join(one.evidence.section)} {one.around}", reading.question))
        < _QUANTITY_SHARE
        for one in fitting
    ):
        return f"No passage that was read gives a figure for the {quantity}."
    return ""


def _may_tell_of(one: ReadSentence, name: str, reading: Reading) -> bool:
    """Whether a sentence, its heading or, where it names nothing else, its paper has a name."""
    if _has(f"{head_of(one.evidence)} {one.text}", name):
        return True
    rivals = (other for other in names(one.text) if not _PLAIN_NAME.fullmatch(other))
    if any(not names_in(reading.question, other) for other in rivals):
        return False
    paper = one.evidence.paper_id
    return any(
        _has(other.evidence.text, name)
        for other in reading.sentences
        if other.evidence.paper_id == paper
    )


def _may_be_of(one: ReadSentence, label: Quantity, reading: Reading) -> bool:
    """Whether a sentence or its heading has an energy that the question names, or its paper has
    it and the sentence no other."""
    if stands_in(label, (f"{head_of(one.evidence)} {one.text}",)):
        return True
    if any(other.unit.dimensions == _LABEL for other in find_quantities(one.text)):
        return False
    paper = one.evidence.paper_id
    return any(
        stands_in(label, (other.evidence.text,))
        for other in reading.sentences
        if other.evidence.paper_id == paper
    )


def _never_together(told: Sequence[str], reading: Reading) -> bool:
    """Whether no sentence, with its neighbours and headings, has more than half of the names."""
    if len(told) < 2:
        return False
    places = (f"{head_of(one.evidence)} {one.around}" for one in reading.sentences)
    counts = (sum(_speaks_of(place, name, reading) for name in told) for place in places)
    return max(counts, default=0) <= _TOGETHER * len(told)


def _speaks_of(text: str, name: str, reading: Reading) -> bool:
    return _has(text, name) or stem_of(name.lower()) in meant(text, reading.question)


def _has(text: str, name: str) -> bool:
    """Whether a text has a name, or an acronym's words, each with a capital."""
    if names_in(text, name):
        return True
    if not re.fullmatch(r"[A-Z]{3,6}", name):
        return False
    return bool(re.search(r"\W+".join(rf"\b{letter}\w+" for letter in name), text))


def reason_for(reading: Reading, evidence: Sequence[Evidence]) -> str:
    """Why the evidence is too far off, naming what it lacks."""
    question = reading.question
    if not evidence and (particles := sorted(asked_particles(question))):
        return f"No passage that was found for this speaks of the {_listed(particles)}."
    if not evidence:
        return "The corpus holds no passage on this question."
    pool = frozenset().union(*(stems(_passage(item)) for item in evidence))
    absent = [term for term in _worth_telling(question) if not is_present(term, pool)]
    if absent:
        return _not_mentioned([term.word for term in absent])
    what = "the figure that is asked for" if asks_a_number(question) else "what is asked"
    return f"No passage that was read gives {what}."


def opposite(denial: Found) -> str:
    """What to say where the papers deny what a question takes for granted."""
    return f"The papers say the opposite of what the question takes for granted: {denial.text}"


def near_misses(
    reading: Reading, boxes_of: BoxesOf | None, least: float, denial: Found | None = None
) -> tuple[NearMiss, ...]:
    """What the corpus says nearby, cited: a denial, its best sentences of different passages."""
    found: list[NearMiss] = []
    seen: set[str] = set()
    if denial is not None:
        seen.add(denial.evidence.chunk_id)
        citation = cite(denial.evidence, denial.start, denial.end, boxes_of)[0]
        found.append(NearMiss(denial.text, citation))
    for sentence in reading.sentences:
        if sentence.measures.cosine < least or len(found) == MOST_NEAR_MISSES:
            continue
        if sentence.evidence.chunk_id in seen or dangles(sentence.text):
            continue
        seen.add(sentence.evidence.chunk_id)
        citation = cite(sentence.evidence, sentence.start, sentence.end, boxes_of)[0]
        found.append(NearMiss(sentence.text, citation))
    return tuple(found)


def _worth_telling(question: str) -> list[Term]:
    terms = [term for term in content_terms(question) if term.weight >= _RARE]
    return sorted(terms, key=lambda term: -term.weight)


def _not_mentioned(words: Sequence[str]) -> str:
    return f"No passage that was read mentions {_listed(words[:_MOST_LISTED])}."


def _listed(words: Sequence[str], joint: str = "or") -> str:
    words = [re.sub(r"^\W+|\W+$", "", word) for word in words]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {joint} {words[-1]}"


def _passage(item: Evidence) -> str:
    return f"{head_of(item)} {item.text}"
