"""Claims by a language model: several chunks a call, and nothing in the answer believed.

What goes wrong with a call narrows to the chunk that causes it: an answer that is cut off, blocked
or malformed is asked for again in halves, down to one chunk, which is then set aside with its
reason; a chunk the model does not say it has read is asked alone once more. What would go wrong
with every call (no service, no money) stops the extraction after what is finished has been handed
over.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from assets.factuality.claim_checks import checked_claim
from assets.factuality.prompt import VERSION, Extraction, claims_prompt, labels
from assets.factuality.records import Claim
from assets.parsing.injection import holds_orders, redacted
from resources.errors import Permanent, ServiceDown, Transient
from resources.language_model import (
    BATCH_PRICE_FACTOR,
    Blocked,
    BudgetExhausted,
    LanguageModel,
    Truncated,
    answer_ahead,
    estimate_tokens,
    map_bounded,
)

Outcome = list[Claim] | Permanent | Transient
"""A chunk's claims (an empty list: it holds none), or why it has no answer."""

# A call holds at most this many characters of chunks unless one chunk alone is longer.
_CALL_CHARACTERS = 16_000
# Quote, claim and JSON around them come to about twice the tokens of the passage; an upper guess.
_OUTPUT_PER_INPUT = 2.0
_OUTPUT_PER_CHUNK = 20
# As many chunks in a row without one success say that the fault is not in the chunks.
_HOPELESS = 24


@dataclass(frozen=True, slots=True)
class Estimate:
    """What an extraction would take, without a call. Tokens are estimated, not counted.

    `calls` leaves out those whose answers are cached; `cost_usd` is None where no price is known.
    """

    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class _Part:
    """Chunks, as {key: text}, to be asked about together.

    `again` marks the second and last attempt, `fresh` one that must not come from the cache.
    """

    chunks: Mapping[str, str]
    again: bool = False
    fresh: bool = False

    def labelled(self) -> dict[str, str]:
        """What the model sees: the redacted texts under short ids, in order."""
        texts = [redacted(text) for text in self.chunks.values()]
        return dict(zip(labels(texts), texts, strict=True))

    def alone(self, key: str) -> "_Part":
        """One chunk by itself, for the last time; this very question is not read from the cache."""
        return _Part({key: self.chunks[key]}, again=True, fresh=len(self.chunks) == 1)

    def halves(self) -> list["_Part"]:
        """The first and the second half, to be asked one after the other."""
        keys = list(self.chunks)
        middle = (len(keys) + 1) // 2
        return [
            _Part({key: self.chunks[key] for key in half})
            for half in (keys[:middle], keys[middle:])
        ]


class ModelExtractor:
    """Extracts claims with `model`, `batch_size` chunks a call, `workers` calls at a time.

    With `ahead`, calls are first given to the provider's batch service (`answer_ahead`: half the
    price, within a day), and made one by one only where it left something out.
    """

    def __init__(
        self, model: LanguageModel, *, batch_size: int = 8, workers: int = 4, ahead: bool = False
    ) -> None:
        self._model = model
        self._batch_size = batch_size
        self._workers = workers
        self._ahead = ahead

    @property
    def fingerprint(self) -> str:
        """Changes whenever the same text might give other claims: model, prompt, answer's shape."""
        return extractor_name(self._model.name)

    def cost(self) -> dict[str, Any]:
        """What the model has used so far, by name, for a report."""
        usage = asdict(self._model.usage)
        return {f"model_{name}": value for name, value in usage.items()} | (
            {"model_note": self._model.note} if self._model.note else {}
        )

    def extract(self, texts: Sequence[str]) -> list[Outcome]:
        """The outcome of each text, in their order; equal texts are asked once.

        Raises ServiceDown or BudgetExhausted where extraction had to stop; answers that came
        before are cached and cost nothing the next time.
        """
        found: dict[str, Outcome] = {}
        for batch in self.extract_batches({text: text for text in texts}):
            found |= batch
        return [found[text] for text in texts]

    def extract_batches(self, texts: Mapping[str, str]) -> Iterator[dict[str, Outcome]]:
        """Outcomes of `texts` (key → text) as calls finish, so that each can be committed.

        Every key appears once. Raises ServiceDown or BudgetExhausted after the last finished
        batch where extraction had to stop; keys that were not yielded are the backlog, and asking
        for them alone makes the same calls again, answered from the cache where they were made.
        """
        if self._ahead:
            self._answer_ahead(texts)
        blank: dict[str, Outcome] = {key: [] for key, text in texts.items() if not text.strip()}
        if blank:
            yield blank
        left = len(texts) - len(blank)
        barren = 0
        stop: BudgetExhausted | ServiceDown | None = None

        def parts() -> Iterator[_Part]:
            for part in self._parts(texts):
                if stop is not None:
                    return
                yield part

        for found, failure in map_bounded(self._solve, parts(), self._workers):
            if found:
                yield found
            left -= len(found)
            barren = _barren(barren, found.values())
            stop = stop or failure
            if stop is None and barren >= _HOPELESS:
                stop = ServiceDown(_hopeless(self._model.name, barren, found))
        if stop is not None:
            msg = f"{stop} {left} of {len(texts)} chunks are left for the next run."
            raise type(stop)(msg) from stop

    def estimate(self, texts: Sequence[str]) -> Estimate:
        """What `extract(texts)` would take if every answer came out right; makes no call."""
        calls = input_tokens = output_tokens = 0
        for part in self._parts({text: text for text in texts}):
            prompt = claims_prompt(part.labelled())
            if self._model.is_cached(prompt, Extraction):
                continue
            calls += 1
            input_tokens += self._model.input_tokens(prompt, Extraction)
            output_tokens += sum(
                _OUTPUT_PER_CHUNK + round(_OUTPUT_PER_INPUT * estimate_tokens(text))
                for text in part.chunks.values()
            )
        cost = self._model.cost(input_tokens, output_tokens)
        if cost is not None and self._ahead:
            cost *= BATCH_PRICE_FACTOR
        return Estimate(calls, input_tokens, output_tokens, cost)

    def _answer_ahead(self, texts: Mapping[str, str]) -> None:
        parts = [part.labelled() for part in self._parts(texts)]
        ids_of = {claims_prompt(part): part.keys() for part in parts}
        # Where a job's worst case is over the budget, single calls may still fit into it.
        with suppress(BudgetExhausted):
            answer_ahead(
                self._model,
                ids_of,
                Extraction,
                lambda answer, prompt: set(answer.chunks_read) == ids_of[prompt],
            )

    def _parts(self, texts: Mapping[str, str]) -> Iterator[_Part]:
        """Cut into calls; a chunk that speaks to models shares its call with no other.

        In order, and full before the next begins, so that what is left of a stopped extraction is
        cut as it was before (unless chunks are so long that the characters decide).
        """
        part: dict[str, str] = {}
        for key, text in texts.items():
            if not text.strip():
                continue
            if holds_orders(text):
                yield _Part({key: text})
                continue
            full = sum(map(len, part.values())) + len(text) > _CALL_CHARACTERS
            if part and (full or len(part) == self._batch_size):
                yield _Part(part)
                part = {}
            part[key] = text
        if part:
            yield _Part(part)

    def _solve(
        self, part: _Part
    ) -> tuple[dict[str, Outcome], BudgetExhausted | ServiceDown | None]:
        """Outcomes of one part, however many calls they take, and why it stopped early, if so."""
        found: dict[str, Outcome] = {}
        waiting = deque([part])
        while waiting:
            part = waiting.popleft()
            try:
                answer = self._model.generate(
                    claims_prompt(part.labelled()), Extraction, fresh=part.fresh
                ).value
            except (BudgetExhausted, ServiceDown) as error:
                return found, error
            except Transient as error:
                found |= dict.fromkeys(part.chunks, error)
            except Permanent as error:
                if len(part.chunks) == 1:
                    found |= dict.fromkeys(part.chunks, error)
                else:
                    waiting.extend(part.halves())
            else:
                read = _checked_claims(answer, part)
                found |= read
                missed = [key for key in part.chunks if key not in read]
                if part.again:
                    found |= dict.fromkeys(missed, self._unread())
                else:
                    waiting.extend(part.alone(key) for key in missed)
        return found, None

    def _unread(self) -> Permanent:
        return Permanent(
            f"{self._model.name} did not read this chunk even when it was asked about it alone."
        )


def extractor_name(model: str) -> str:
    """The fingerprint of extraction with the model of this name."""
    return f"{model} {VERSION}"


def _checked_claims(answer: Extraction, part: _Part) -> dict[str, Outcome]:
    """Claims that pass every check, for the chunks that the answer says it has read."""
    key_of = dict(zip(part.labelled(), part.chunks, strict=True))
    named = [*answer.chunks_read, *(given.chunk_id for given in answer.claims)]
    claims: dict[str, dict[str, Claim]] = {key_of[label]: {} for label in named if label in key_of}
    for given in answer.claims:
        key = key_of.get(given.chunk_id)
        if key is None:
            continue
        claim = checked_claim(given.text, given.quote, given.prob_fact, part.chunks[key])
        if claim is not None:
            same = claim.text.casefold().rstrip(".")
            before = claims[key].get(same, claim)
            # A claim that is made twice is no more verifiable for it: the lower score stands.
            claims[key][same] = min(before, claim, key=lambda either: either.prob_fact)
    return {key: list(unique.values()) for key, unique in claims.items()}


def _barren(so_far: int, outcomes: Iterable[Outcome]) -> int:
    """Chunks in a row without a success; what lies in a chunk itself does not count."""
    for outcome in outcomes:
        if isinstance(outcome, list):
            so_far = 0
        elif not isinstance(outcome, (Blocked, Truncated)):
            so_far += 1
    return so_far


def _hopeless(name: str, barren: int, found: Mapping[str, Outcome]) -> str:
    cause = next(outcome for outcome in found.values() if not isinstance(outcome, list))
    return f"{name} failed for {barren} chunks in a row: {cause}"
