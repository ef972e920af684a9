"""The checks that every sentence passes before it is in an answer, whoever wrote it.

Each check is code and names what is wrong:

* citations: every key is one of the evidence's, and there is at least one;
* quotes: each quote stands, word for word, in the passage it is taken from;
* numbers: each number stands with its unit in a cited sentence (forms unified by `quantities`);
* names: each acronym, name with digits and capitalised name stands in a cited passage;
* polarity: the sentence denies exactly what its quotes deny;
* support: enough of its words stand in the cited sentences, and it means what they mean, by the
  cosine of their vectors; the mean of both is the score that is shown;
* entailment, where a model of natural language inference is configured: the cited sentences, all
  together, entail it with a probability of at least `MIN_ENTAILMENT`, which is shown too;
* wording: it changes nothing of the cited sentences that would make it wrong (`faithfulness`);
* order: it does not speak to a language model.

No model can refuse what is quoted: a sentence that repeats whole cited sentences (but for what
`presentable` takes out) is scored for entailment like any other, and passes at any score.

A heading is kept where all it says stands in what is cited.

A quote that runs over a page break is cited once for each page, with the words on that page.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assets.answering.faithfulness import grounded_words, unfaithful
from assets.answering.parts import BoxesOf, Encoder
from assets.answering.quantities import Quantity, find_quantities, plain_form, stands_in
from assets.answering.reading import presentable
from assets.answering.records import (
    OVERLAP_AND_ALIGNMENT,
    Citation,
    Draft,
    Dropped,
    Evidence,
    Sentence,
    Verdict,
    page_link,
)
from assets.answering.terms import content_terms, coverage, names, names_in, stems
from assets.parsing.injection import addresses_a_model
from assets.parsing.sentences import split_sentences
from resources.blocks import Box, pages_of
from resources.entailment import Entailment

MIN_OVERLAP = 0.6  # of a sentence's weighted terms in the cited sentences
MIN_ALIGNMENT = 0.6  # cosine of the sentence with the cited sentences
MIN_SUPPORT = 0.68  # mean of both
MIN_ENTAILMENT = 0.5  # probability: the cited sentences rather entail it than not
_FEWEST_QUOTED_WORDS = 3
_MOST_DRAFTS = 60
_LONGEST_HEADING = 200

_NEGATION = re.compile(
    r"\b(?:not|no|never|neither|nor|none|cannot|without|fail(?:s|ed)? to|unable|impossible"
    r"|lack(?:s|ed|ing)?|absen(?:t|ce)|insensitive|independent|hardly|n[’']t)\b|n[’']t\b",
    re.IGNORECASE,
)

# Sentences that address a model stand as blanks in the evidence.
_WITHHELD = re.compile(r" {12,}")

_NEXT_WORD = re.compile(r"[\s-]*([A-Za-zµΩ°][\w/^µΩ°]*)")


@dataclass(frozen=True, slots=True)
class _Cited:
    """A quote that was found: where it stands, and the whole sentences that it touches, as one
    text and one by one."""

    evidence: Evidence
    start: int
    end: int
    sentences: str
    each: tuple[str, ...] = ()


def ground(
    drafts: Sequence[Draft],
    evidence: Sequence[Evidence],
    encoder: Encoder,
    boxes_of: BoxesOf | None = None,
    entailment: Entailment | None = None,
) -> tuple[list[Sentence], list[tuple[Draft, Dropped]]]:
    """Sentences that stand on their citations, and the drafts that do not, with the reasons.

    A draft that says what an earlier one says in the same words is left out; so is what comes
    after the most sentences that any answer may have.
    """
    by_key = {item.key: item for item in evidence}
    drafts = list({draft.text: draft for draft in reversed(drafts)}.values())[::-1][:_MOST_DRAFTS]
    located = [_located(draft, by_key) for draft in drafts]
    alignments = _alignments(drafts, located, encoder)
    entailments = _entailments(drafts, located, entailment)
    kept: list[Sentence] = []
    failed: list[tuple[Draft, Dropped]] = []
    for draft, (cited, faults), alignment, entailed in zip(
        drafts, located, alignments, entailments, strict=True
    ):
        verdict = _verdict(draft.text, cited, faults, alignment, entailed)
        if verdict.grounded:
            citations = [c for one in cited for c in _citations(one, boxes_of)]
            heading = _heading(draft.heading, cited)
            kept.append(Sentence(draft.text, tuple(citations), verdict, heading))
        else:
            wrong = [f"{name}: {what}" for name, what in verdict.checks.items() if what != "ok"]
            failed.append((draft, Dropped(draft.text, "; ".join(wrong))))
    return kept, failed


def checker(entailment: Entailment | None) -> str:
    """What judges whether citations carry a sentence, in words."""
    if entailment is None:
        return OVERLAP_AND_ALIGNMENT
    return f"{OVERLAP_AND_ALIGNMENT}, and {entailment.id}"


def _heading(heading: str, cited: Sequence[_Cited]) -> str:
    """A heading of which every word stands in what is cited, its titles and sections; else none."""
    sources = [
        text
        for one in cited
        for text in (one.evidence.title, *one.evidence.section, one.evidence.text)
    ]
    plain = not addresses_a_model(heading) and len(heading) <= _LONGEST_HEADING
    return heading if plain and grounded_words(heading, sources) else ""


def locate(quote: str, text: str) -> tuple[int, int] | None:
    """Where a quote stands in a text, whatever the white space, case, dashes and ligatures.

    Returns a half-open range of the text, or None. Digits, signs and letters must all agree.
    """
    squeezed, places = _squeeze(text)
    wanted, _ = _squeeze(quote)
    at = squeezed.find(wanted) if wanted else -1
    return None if at < 0 else (places[at], places[at + len(wanted) - 1] + 1)


def cite(item: Evidence, start: int, end: int, boxes_of: BoxesOf | None) -> list[Citation]:
    """Citations of one range of a passage: one for each page it stands on."""
    return _citations(_Cited(item, start, end, ""), boxes_of)


def _located(draft: Draft, by_key: Mapping[str, Evidence]) -> tuple[list[_Cited], dict[str, str]]:
    faults = {"citations": "ok", "quotes": "ok"}
    if not draft.quotes:
        faults["citations"] = "none given"
    cited = []
    for key, quote in draft.quotes:
        item = by_key.get(key)
        if item is None:
            faults["citations"] = f"{key} is no passage of the evidence"
            continue
        place = locate(quote, item.text)
        if place is None:
            faults["quotes"] = f"{quote[:60]!r} does not stand in {key}"
        elif _WITHHELD.search(item.text, *place):
            faults["quotes"] = f"{quote[:60]!r} runs over text that was withheld from {key}"
        elif len(quote.split()) < _FEWEST_QUOTED_WORDS:
            faults["quotes"] = f"{quote[:60]!r} is too short to stand for anything"
        else:
            cited.append(_Cited(item, *place, *_whole_sentences(item.text, *place)))
    return cited, faults


def _verdict(
    text: str,
    cited: Sequence[_Cited],
    faults: Mapping[str, str],
    alignment: float,
    entailed: float | None,
) -> Verdict:
    quoted = tuple(one.sentences for one in cited)
    passages = [
        f"{one.evidence.title} {' '.join(one.evidence.section)} {one.evidence.text}"
        for one in cited
    ]
    checks = dict(faults)
    checks["numbers"] = _numbers(text, quoted, tuple(one.evidence.text for one in cited))
    checks["names"] = _names(text, passages)
    checks["polarity"] = _polarity(text, quoted)
    overlap = coverage(content_terms(text), stems(" ".join(quoted))) if quoted else 0.0
    score = (overlap + alignment) / 2
    weak = overlap < MIN_OVERLAP or alignment < MIN_ALIGNMENT or score < MIN_SUPPORT
    checks["support"] = (
        f"only {overlap:.2f} of its words and {alignment:.2f} of its meaning are cited"
        if weak
        else "ok"
    )
    if entailed is not None:
        weak = entailed < MIN_ENTAILMENT and not _repeats(text, cited)
        checks["entailment"] = (
            f"the cited words entail it with {entailed:.2f} only" if weak else "ok"
        )
    checks["wording"] = unfaithful(text, quoted) or "ok"
    checks["order"] = "it speaks to a language model" if addresses_a_model(text) else "ok"
    grounded = all(result == "ok" for result in checks.values())
    shown = None if entailed is None else round(entailed, 3)
    return Verdict(grounded, round(score, 3), checks, shown)


def _numbers(text: str, quoted: tuple[str, ...], passages: tuple[str, ...]) -> str:
    plain = plain_form(text)
    for quantity in find_quantities(text):
        if not stands_in(quantity, quoted):
            return (
                f"{quantity.text} does not stand in the cited words{_other_unit(quantity, quoted)}"
            )
        # A quote that is cut inside a unit changes it: "13 fb" of "13 fb-1".
        if not stands_in(quantity, passages):
            return f"{quantity.text} stands otherwise in the passage as a whole"
        following = _NEXT_WORD.match(plain, quantity.end)
        # What a bare number counts, or a unit that is not known, must stand there too.
        if not quantity.unit.dimensions and following and not _stands(following.group(1), quoted):
            return f"{quantity.text} {following.group(1)} does not stand in the cited words"
    return "ok"


def _stands(word: str, quoted: tuple[str, ...]) -> bool:
    return not content_terms(word) or any(names_in(text, word) for text in quoted)


def _other_unit(quantity: Quantity, quoted: tuple[str, ...]) -> str:
    for text in quoted:
        for other in find_quantities(text):
            if other.value == quantity.value:
                return f" (they have {other.text})"
    return ""


def _names(text: str, passages: Sequence[str]) -> str:
    for name in sorted(names(text)):
        if not any(names_in(passage, name) for passage in passages):
            return f"{name} does not stand in the cited passages"
    return "ok"


def _polarity(text: str, quoted: Sequence[str]) -> str:
    denies = bool(_NEGATION.search(text))
    denied = [bool(_NEGATION.search(quote)) for quote in quoted]
    if denies and denied and not any(denied):
        return "it denies what the cited words do not deny"
    if not denies and denied and all(denied):
        return "it leaves out the denial of the cited words"
    return "ok"


def _alignments(
    drafts: Sequence[Draft],
    located: Sequence[tuple[list[_Cited], dict[str, str]]],
    encoder: Encoder,
) -> list[float]:
    """Cosine of each draft with its cited sentences, together and one by one; the best counts."""
    texts: list[str] = []
    groups: list[list[int]] = []
    for draft, (cited, _) in zip(drafts, located, strict=True):
        group = []
        quoted = [one.sentences for one in cited]
        for text in [draft.text, *quoted, *([" ".join(quoted)] if len(quoted) > 1 else [])]:
            group.append(len(texts))
            texts.append(text)
        groups.append(group)
    if not texts:
        return []
    different = list(dict.fromkeys(texts))
    vectors = encoder.encode(different)
    rows = {text: vectors[i] for i, text in enumerate(different)}
    best = []
    for group in groups:
        own = rows[texts[group[0]]]
        cosines = [float(own @ rows[texts[i]]) for i in group[1:]]
        best.append(max(cosines, default=0.0))
    return best


def _entailments(
    drafts: Sequence[Draft],
    located: Sequence[tuple[list[_Cited], dict[str, str]]],
    entailment: Entailment | None,
) -> list[float | None]:
    """Probability that each draft's cited sentences, all as one premise, entail it.

    None where nothing that it cites was found, and without a model.
    """
    found: list[float | None] = [None] * len(drafts)
    asked = [row for row, (cited, _) in enumerate(located) if cited]
    if entailment is None or not asked:
        return found
    premises = [
        " ".join(" ".join(dict.fromkeys(one.sentences for one in located[row][0])).split())
        for row in asked
    ]
    probabilities = entailment.entailed(premises, [drafts[row].text for row in asked])
    for row, probability in zip(asked, probabilities, strict=True):
        found[row] = float(probability)
    return found


def _repeats(text: str, cited: Sequence[_Cited]) -> bool:
    """Whether a text is nothing but whole cited sentences of one passage, side by side.

    White space, case and the last full stop may differ, and what `presentable` takes out may lack.
    """
    wanted = _evened(text)
    for one in cited:
        presented = [presentable(sentence) for sentence in one.each]
        for first in range(len(one.each)):
            for last in range(first + 1, len(one.each) + 1):
                if wanted in (
                    _evened(" ".join(one.each[first:last])),
                    _evened(" ".join(presented[first:last])),
                ):
                    return True
    return False


def _evened(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).removesuffix(".")


def _whole_sentences(text: str, start: int, end: int) -> tuple[str, tuple[str, ...]]:
    """The sentences that a range touches: as they stand together, and one by one."""
    spans = [span for span in split_sentences(text) if span[0] < end and span[1] > start]
    if not spans:
        return text[start:end], ()
    whole = text[min(start, spans[0][0]) : max(end, spans[-1][1])]
    return whole, tuple(text[first:last] for first, last in spans)


def _citations(one: _Cited, boxes_of: BoxesOf | None) -> list[Citation]:
    item = one.evidence
    boxes = boxes_of(item.chunk_id) if boxes_of else ()
    first, last = pages_of(boxes, one.start, one.end, item.page_start)
    if first == last:
        parts = [(first, one.start, one.end)]
    else:
        parts = _by_page(item.text, boxes, one.start, one.end)
    return [
        Citation(
            key=item.key,
            chunk_id=item.chunk_id,
            paper_id=item.paper_id,
            title=item.title,
            page=page,
            link=page_link(item.link, page),
            quote=" ".join(item.text[start:end].split()),
        )
        for page, start, end in parts
    ]


def _by_page(text: str, boxes: Sequence[Box], start: int, end: int) -> list[tuple[int, int, int]]:
    """The part of a range on each page; parts of under three words are left to the others."""
    spans: dict[int, tuple[int, int]] = {}
    for box in boxes:
        low, high = max(start, box.start), min(end, box.end)
        if low < high:
            known = spans.get(box.page, (low, high))
            spans[box.page] = (min(known[0], low), max(known[1], high))
    parts = [
        (page, low, high)
        for page, (low, high) in sorted(spans.items())
        if len(text[low:high].split()) >= _FEWEST_QUOTED_WORDS
    ]
    return parts or [(min(spans), start, end)]


def _squeeze(text: str) -> tuple[str, list[int]]:
    """Letters, digits and the signs between digits, with the place of each in the text."""
    kept: list[str] = []
    places: list[int] = []
    for index, character in enumerate(text):
        for part in unicodedata.normalize("NFKC", character).lower():
            inside = part == "." and 0 < index < len(text) - 1 and text[index + 1].isdigit()
            if part.isalnum() or inside or part in "%$±√<>":
                kept.append(part)
                places.append(index)
    return "".join(kept), places
