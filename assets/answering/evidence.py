"""The evidence pool: passages of all subqueries in one list, without repetition, cut to M.

As published (arXiv:2606.10381): the union of the subqueries' lists, one entry a chunk with its
best score, cut to the M best. Added to it: the question's own list before the others', a limit on
one paper's share where a synthesis is asked for, the passages around the best ones, and a bounded
second round for what the first left out.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from assets.answering.parts import Searcher
from assets.answering.records import AnswerSettings, Drift, Evidence, Plan, QuestionType, Sentence
from assets.answering.terms import Term, content_terms, is_present, stems
from assets.parsing.injection import addresses_a_model, without_orders
from assets.retrieval.fusion import pool
from assets.retrieval.records import Hit, Mode, Passage

_RARE = 0.75  # weight of a term that is worth a search of its own
_BEHIND = 3.0  # standard deviations that a subquery's score counts less than the question's
_OF_EACH = 2  # best passages of each subquery that a synthesis reads, whatever their score
_FOR_MISSING = 2  # passages that a second round may bring among those that are read
_MOST_WIDER = 24  # further passages that are looked through for a denial
_PAPER_SHARE = 1 / 3  # most of a synthesis' pool that one paper may take while others have more


@dataclass(frozen=True, slots=True)
class Pool:
    """Evidence in order of its score, the subqueries asked, and what is worth telling.

    `nearest` is the greatest cosine of the question with a passage, whatever ranked the pool.
    `wider` are further passages that the searches found: nothing is written from them, but they
    may deny what the question takes for granted.
    """

    evidence: tuple[Evidence, ...]
    subqueries: tuple[str, ...]
    notes: tuple[str, ...]
    nearest: float = 1.0
    wider: tuple[Evidence, ...] = ()


def gather(plan: Plan, mode: Mode, searcher: Searcher, settings: AnswerSettings) -> Pool:
    """The evidence of a plan: at most M passages, and the neighbours of the best."""
    search_mode = Mode.HYBRID if mode is Mode.AGENTIC else mode
    subqueries = list(plan.subqueries)
    lists = [searcher.search(subquery, search_mode, settings.k) for subquery in subqueries]
    notes: list[str] = []
    merged = _merged(plan, lists, settings)
    if mode is Mode.AGENTIC and settings.second_round:
        missing = uncovered(subqueries[0], merged[: settings.m])
        if missing:
            subquery = second_subquery(subqueries[0], missing)
            subqueries.append(subquery)
            lists.append(searcher.search(subquery, search_mode, settings.k))
            merged = with_missing(_merged(plan, lists, settings), lists[0], missing, settings.m)
            words = ", ".join(term.word for term in missing)
            notes.append(f"A second round looked for what no passage held yet: {words}.")
    chosen = merged[: settings.m]
    around = _neighbours(chosen, settings.neighbours_of, searcher)
    found_by = finders(lists)
    evidence, withheld = [], 0
    for number, hit in enumerate([*chosen, *around], start=1):
        text, orders = without_orders(hit.text)
        withheld += orders
        evidence.append(_evidence(f"E{number}", hit, text, found_by.get(hit.chunk_id, ())))
    if withheld:
        notes.append(
            f"{withheld} sentence{'s' if withheld > 1 else ''} that address a language model "
            "were withheld from the evidence."
        )
    nearest = searcher.search(plan.subqueries[0], Mode.DENSE, 1)
    cosine = nearest[0].scores.get("dense", nearest[0].score) if nearest else 0.0
    read = {item.chunk_id for item in evidence}
    others = [hit for hit in merged if hit.chunk_id not in read][:_MOST_WIDER]
    wider = [
        _evidence(f"E{number}", hit, without_orders(hit.text)[0], ())
        for number, hit in enumerate(others, start=len(evidence) + 1)
    ]
    return Pool(tuple(evidence), tuple(subqueries), tuple(notes), float(cosine), tuple(wider))


def pooled(lists: Sequence[Sequence[Hit]], k: int) -> list[Hit]:
    """The `k` best of the lists, the question's own first; each passage once, by its best score.

    What only a subquery finds stands behind what the question itself finds as well: a subquery
    that has lost the question's context ranks its own best passage as high as any.
    """
    behind = [[replace(hit, score=hit.score - _BEHIND) for hit in hits] for hits in lists[1:]]
    return pool([*lists[:1], *behind], k)


def _merged(plan: Plan, lists: Sequence[Sequence[Hit]], settings: AnswerSettings) -> list[Hit]:
    merged = pooled(lists, sum(map(len, lists)))
    if plan.type is not QuestionType.BROAD_SYNTHESIS:
        return merged
    diverse = diversified(merged, settings.m)
    best = [hit.chunk_id for hits in lists[1:] for hit in hits[:_OF_EACH]]
    return _raised(diverse, frozenset(best), settings.m)


def _raised(hits: Sequence[Hit], ids: frozenset[str], m: int) -> list[Hit]:
    """Hits in order, but those of `ids` past the first `m` in the last of the `m` places."""
    raised = [hit for hit in hits[m:] if hit.chunk_id in ids][:m]
    kept = m - len(raised)
    return [*hits[:kept], *raised, *(hit for hit in hits[kept:] if hit not in raised)]


def with_missing(
    hits: Sequence[Hit], own: Sequence[Hit], missing: Sequence[Term], m: int
) -> list[Hit]:
    """Hits in order, but some past `m` that hold missing terms in the last of the `m` places.

    At most two move up, of those that the question itself found (`own`): most missing terms first.
    What only the second round found has to stand by its score.
    """
    found = {hit.chunk_id for hit in own}
    held = [
        (sum(is_present(term, stems(_whole(hit))) for term in missing), -place, hit)
        for place, hit in enumerate(hits[m:])
        if hit.chunk_id in found
    ]
    best = sorted((one for one in held if one[0]), key=lambda one: one[:2], reverse=True)
    return _raised(hits, frozenset(hit.chunk_id for _, _, hit in best[:_FOR_MISSING]), m)


def given(hits: Sequence[Hit], question: str) -> Pool:
    """A pool of passages that are handed over, as by a benchmark that knows the right ones."""
    evidence = tuple(
        _evidence(f"E{number}", hit, without_orders(hit.text)[0], (0,))
        for number, hit in enumerate(hits, start=1)
    )
    return Pool(evidence, (question,), ())


def finders(lists: Sequence[Sequence[Hit]]) -> dict[str, tuple[int, ...]]:
    """Which lists held each chunk."""
    found_by: dict[str, list[int]] = {}
    for index, hits in enumerate(lists):
        for hit in hits:
            found_by.setdefault(hit.chunk_id, []).append(index)
    return {chunk_id: tuple(indices) for chunk_id, indices in found_by.items()}


def diversified(hits: Sequence[Hit], m: int) -> list[Hit]:
    """Hits in order, those beyond a paper's share of `m` moved behind the others."""
    share = max(2, math.ceil(m * _PAPER_SHARE))
    taken: Counter[str] = Counter()
    first: list[Hit] = []
    later: list[Hit] = []
    for hit in hits:
        taken[hit.paper_id] += 1
        (first if taken[hit.paper_id] <= share else later).append(hit)
    return [*first, *later]


def uncovered(question: str, hits: Sequence[Hit]) -> tuple[Term, ...]:
    """The question's rare terms that no passage, title or section of the hits holds."""
    present = frozenset().union(*(stems(_whole(hit)) for hit in hits))
    return tuple(
        term
        for term in content_terms(question)
        if term.weight >= _RARE and not is_present(term, present)
    )


def _whole(hit: Hit) -> str:
    return f"{hit.title} {' '.join(hit.section)} {hit.text}"


def second_subquery(question: str, missing: Sequence[Term]) -> str:
    """What is missing, with the question's heaviest terms to keep it on the subject."""
    wanted = {term.stem for term in missing}
    others = sorted(
        (term for term in content_terms(question) if term.stem not in wanted),
        key=lambda term: -term.weight,
    )
    return " ".join(term.word for term in [*missing, *others[:3]])


def drift(pool: Pool, sentences: Sequence[Sentence]) -> tuple[Drift, ...]:
    """What each subquery found, what it alone or first added, and how much of it was cited."""
    cited = {citation.key for sentence in sentences for citation in sentence.citations}
    rows = []
    for index, subquery in enumerate(pool.subqueries):
        found = [item for item in pool.evidence if index in item.found_by]
        added = [item for item in found if item.found_by[0] == index]
        rows.append(
            Drift(subquery, len(found), len(added), sum(item.key in cited for item in added))
        )
    return tuple(rows)


def _neighbours(chosen: Sequence[Hit], of_best: int, searcher: Searcher) -> list[Hit]:
    """The passages before and after the best hits, below those in score, each once."""
    seen = {hit.chunk_id for hit in chosen}
    around = []
    for hit in chosen[:of_best]:
        for near in searcher.neighbours(hit.chunk_id, 1, 1):
            if near.chunk_id not in seen:
                seen.add(near.chunk_id)
                around.append(_as_hit(near, len(seen), hit.score / 2))
    return around


def _as_hit(passage: Passage, rank: int, score: float) -> Hit:
    return Hit(
        rank=rank,
        score=score,
        chunk_id=passage.chunk_id,
        paper_id=passage.paper_id,
        title=passage.title,
        section=passage.section,
        kind=passage.kind,
        page_start=passage.page_start,
        page_end=passage.page_end,
        text=passage.text,
        link=passage.link,
    )


def _evidence(key: str, hit: Hit, text: str, found_by: tuple[int, ...]) -> Evidence:
    title = hit.paper_id if addresses_a_model(hit.title) else hit.title
    return Evidence(
        key=key,
        chunk_id=hit.chunk_id,
        paper_id=hit.paper_id,
        title=title,
        section=tuple(line for line in hit.section if not addresses_a_model(line)),
        kind=hit.kind,
        page_start=hit.page_start,
        page_end=hit.page_end,
        score=float(hit.score),
        link=hit.link,
        text=text,
        cosine=float(hit.scores.get("dense", 0.0)),
        found_by=found_by,
    )
