"""A language model that answers in a given shape, once per question and within a budget.

Around the one call that a backend makes stand, from the outside in: the cache, the retries, the
budget, the accounting, and the reading of the answer. Each is the same for every provider.
"""

import math
from collections.abc import Callable
from types import TracebackType
from typing import Self, TypeVar

from pydantic import BaseModel, ValidationError

from resources.errors import Transient
from resources.language_model.budget import Budget, Ledger, Usage
from resources.language_model.cache import ResponseCache, cache_key
from resources.language_model.failures import Blocked, Malformed, Truncated
from resources.language_model.interface import Backend, ModelSettings, Prompt, RawReply, Reply
from resources.language_model.prices import Price
from resources.language_model.tokens import estimate_tokens

T = TypeVar("T", bound=BaseModel)
Result = TypeVar("Result")

# Formulae run to twice the tokens that are estimated for prose.
_DENSEST = 2


class LanguageModel:
    """A model behind a backend. Safe to use from several threads at once."""

    def __init__(  # noqa: PLR0913 - what it is, and what stands around it
        self,
        name: str,
        backend: Backend,
        *,
        price: Price | None,
        settings: ModelSettings,
        cache: ResponseCache | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.name = name
        self.price = price
        self.settings = settings
        self.budget = budget if budget is not None else Budget(math.inf)
        self.backend = backend
        self.cache = cache
        self._ledger = Ledger()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def usage(self) -> Usage:
        """What this model has used since it was opened."""
        return self._ledger.usage

    @property
    def note(self) -> str:
        """A sentence for people where something about the cost is not known, else empty."""
        if self.price is not None:
            return ""
        return (
            f"The price of {self.name} is not known: its tokens are counted, its cost is not, "
            "and the budget does not bound it."
        )

    def generate(self, prompt: Prompt, schema: type[T], *, fresh: bool = False) -> Reply[T]:
        """Answer `prompt` in the shape of `schema`; `fresh` asks anew where an answer is cached.

        Raises Truncated, Blocked or Malformed for an answer that cannot be used, Transient where
        it went wrong as often as the settings allow, ServiceDown where the service cannot be
        used at all, and BudgetExhausted before a call that might cost more than is left.
        """
        key = self.key(prompt, schema)
        kept = None if fresh or self.cache is None else self.cache.get(key)
        if kept is not None:
            self._ledger.cached()
            return self._read(kept, schema, cached=True)
        reply = self.retrying(lambda: self._attempt(prompt, schema))
        if self.cache is not None:
            self.cache.put(key, reply)
        return self._read(reply, schema, cached=False)

    def is_cached(self, prompt: Prompt, schema: type[BaseModel]) -> bool:
        """True where `generate` would answer without a call."""
        return self.cache is not None and self.cache.get(self.key(prompt, schema)) is not None

    def input_tokens(self, prompt: Prompt, schema: type[BaseModel]) -> int:
        """Estimated tokens of a prompt with its schema, without a call."""
        return estimate_tokens(prompt.system + prompt.user + str(schema.model_json_schema()))

    def cost(self, input_tokens: int, output_tokens: int) -> float | None:
        """Cost in US dollars, or None where no price is known."""
        return self.price.cost(input_tokens, output_tokens) if self.price else None

    def key(self, prompt: Prompt, schema: type[BaseModel]) -> str:
        """What the cache knows the answer by: a hash of all that decides it."""
        parameters = {
            **self.backend.parameters(),
            "max_output_tokens": self.settings.max_output_tokens,
            "temperature": self.settings.temperature,
        }
        return cache_key(
            self.name, prompt.system, prompt.user, schema.model_json_schema(), parameters
        )

    def worst_cost(self, prompt: Prompt, schema: type[BaseModel]) -> float:
        """The most that one answer may cost in US dollars; 0 where no price is known."""
        tokens = _DENSEST * self.input_tokens(prompt, schema)
        return self.cost(tokens, self.settings.max_output_tokens) or 0.0

    def account(self, raw: RawReply, price_factor: float = 1.0) -> float | None:
        """Count an answer of the server; its cost in US dollars, None where no price is known."""
        full = self.cost(raw.input_tokens, raw.output_tokens)
        cost = None if full is None else price_factor * full
        self._ledger.paid(raw.input_tokens, raw.output_tokens, cost)
        return cost

    def retrying(self, call: Callable[[], Result]) -> Result:
        """The result of one request, made again as the settings allow; retries are counted."""
        return self.settings.retry.run(call, on_retry=self._ledger.retried)

    def close(self) -> None:
        """Let go of the connections."""
        self.backend.close()

    def _attempt(self, prompt: Prompt, schema: type[BaseModel]) -> RawReply:
        with self.budget.reserve(self.worst_cost(prompt, schema)) as held:
            raw = self.backend.complete(prompt, schema, self.settings.max_output_tokens)
            held.cost_usd = self.account(raw) or 0.0
        if raw.finish == "empty":
            msg = f"{self.name} sent an empty answer (finish reason {raw.finish_reason})."
            raise Transient(msg)
        return raw

    def _read(self, reply: RawReply, schema: type[T], *, cached: bool) -> Reply[T]:
        if reply.finish == "truncated":
            msg = (
                f"The answer of {self.name} was cut off after {reply.output_tokens} tokens "
                f"(limit {self.settings.max_output_tokens}); ask for less at a time."
            )
            raise Truncated(msg)
        if reply.finish == "blocked":
            msg = f"{self.name} refused to answer ({reply.finish_reason}); leave this text out."
            raise Blocked(msg)
        return Reply(
            value=validated(self.name, reply.text, schema),
            text=reply.text,
            input_tokens=reply.input_tokens,
            output_tokens=reply.output_tokens,
            cost_usd=0.0 if cached else self.cost(reply.input_tokens, reply.output_tokens),
            cached=cached,
            finish_reason=reply.finish_reason,
        )


def validated(name: str, text: str, schema: type[T]) -> T:
    """The answer of model `name` in the shape of `schema`; Malformed where it does not fit."""
    try:
        return schema.model_validate_json(_outermost_object(text))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the whole answer"
        msg = f"The answer of {name} does not fit {schema.__name__}: {where}: {first['msg']}."
        raise Malformed(msg) from error


def _outermost_object(text: str) -> str:
    """The JSON object in an answer that may reason aloud before it or wrap it in a code fence."""
    answer = text.rpartition("</think>")[2]
    start, end = answer.find("{"), answer.rfind("}")
    return answer[start : end + 1] if 0 <= start < end else answer
