"""A language model that answers in a given shape, once per question and within a budget.

Around the one call that a backend makes stand, from the outside in: the cache, the retries, the
budget, the accounting, and the reading of the answer. Each is the same for every provider.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Generic, Protocol, Self, TypeVar

from pydantic import BaseModel, ValidationError

from resources.errors import Transient
from resources.language_model.budget import Budget, Ledger, Usage
from resources.language_model.cache import CachedReply, Finish, ResponseCache, cache_key
from resources.language_model.failures import Blocked, Malformed, Truncated
from resources.language_model.prices import Price
from resources.language_model.retry import RetryPolicy
from resources.language_model.tokens import estimate_tokens

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is asked: standing instructions, the request, and the version of their wording."""

    system: str
    user: str
    version: str


@dataclass(frozen=True, slots=True)
class Reply(Generic[T]):
    """An answer that fits its schema.

    `value` is the validated answer and `text` what the model wrote. Tokens and cost are those of
    this answer alone (`LanguageModel.usage` also counts attempts that came to nothing); a cached
    answer costs 0. `cost_usd` is None where no price is known.
    """

    value: T
    text: str
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    cached: bool
    finish_reason: str


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How a model is asked.

    `max_output_tokens` bounds an answer, reasoning included, and with it the worst case that the
    budget reserves. `timeout_seconds` bounds each wait for the server.
    """

    max_output_tokens: int = 8192
    temperature: float = 0.0
    timeout_seconds: float = 120.0
    retry: RetryPolicy = field(default_factory=RetryPolicy)


@dataclass(frozen=True, slots=True)
class RawReply:
    """What a server answered, before anything is believed.

    `finish` is how the answer ended ("empty": nothing came); `finish_reason` is the provider's
    own word for it. Tokens include reasoning.
    """

    text: str
    finish: Finish | None
    finish_reason: str
    input_tokens: int
    output_tokens: int


class Backend(Protocol):
    """One provider's protocol: a single call, without cache, retries or accounting.

    Raises Transient for what may pass, ServiceDown for what no other call would survive, and
    Permanent for a request that the server will never accept.
    """

    def complete(self, prompt: Prompt, schema: type[BaseModel], max_output_tokens: int) -> RawReply:
        """Ask once."""
        ...

    def parameters(self) -> Mapping[str, Any]:
        """The settings, apart from the prompt, that decide an answer."""
        ...

    def close(self) -> None:
        """Let go of the connections."""
        ...


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
        self.budget = budget
        self._backend = backend
        self._cache = cache
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
        key = self._key(prompt, schema)
        kept = None if fresh or self._cache is None else self._cache.get(key)
        if kept is not None:
            self._ledger.cached()
            return self._read(kept, schema, cached=True)
        reply = self.settings.retry.run(
            lambda: self._attempt(prompt, schema), on_retry=self._ledger.retried
        )
        if self._cache is not None:
            self._cache.put(key, reply)
        return self._read(reply, schema, cached=False)

    def is_cached(self, prompt: Prompt, schema: type[BaseModel]) -> bool:
        """True where `generate` would answer without a call."""
        return self._cache is not None and self._cache.get(self._key(prompt, schema)) is not None

    def input_tokens(self, prompt: Prompt, schema: type[BaseModel]) -> int:
        """Estimated tokens of a prompt with its schema, without a call."""
        return estimate_tokens(prompt.system + prompt.user + str(schema.model_json_schema()))

    def cost(self, input_tokens: int, output_tokens: int) -> float | None:
        """Cost in US dollars, or None where no price is known."""
        return self.price.cost(input_tokens, output_tokens) if self.price else None

    def close(self) -> None:
        """Let go of the connections."""
        self._backend.close()

    def _key(self, prompt: Prompt, schema: type[BaseModel]) -> str:
        parameters = {
            **self._backend.parameters(),
            "max_output_tokens": self.settings.max_output_tokens,
            "temperature": self.settings.temperature,
        }
        return cache_key(
            self.name, prompt.system, prompt.user, schema.model_json_schema(), parameters
        )

    def _attempt(self, prompt: Prompt, schema: type[BaseModel]) -> CachedReply:
        if self.budget is None:
            raw, _ = self._call(prompt, schema)
        else:
            tokens = self.input_tokens(prompt, schema)
            worst = self.cost(tokens, self.settings.max_output_tokens) or 0.0
            with self.budget.reserve(worst) as reservation:
                raw, cost = self._call(prompt, schema)
                reservation.cost_usd = cost or 0.0
        if raw.finish is None:
            msg = f"{self.name} sent an empty answer (finish reason {raw.finish_reason})."
            raise Transient(msg)
        return CachedReply(
            raw.text, raw.finish, raw.finish_reason, raw.input_tokens, raw.output_tokens
        )

    def _call(self, prompt: Prompt, schema: type[BaseModel]) -> tuple[RawReply, float | None]:
        raw = self._backend.complete(prompt, schema, self.settings.max_output_tokens)
        cost = self.cost(raw.input_tokens, raw.output_tokens)
        self._ledger.paid(raw.input_tokens, raw.output_tokens, cost)
        return raw, cost

    def _read(self, reply: CachedReply, schema: type[T], *, cached: bool) -> Reply[T]:
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
            value=_validated(self.name, reply.text, schema),
            text=reply.text,
            input_tokens=reply.input_tokens,
            output_tokens=reply.output_tokens,
            cost_usd=0.0 if cached else self.cost(reply.input_tokens, reply.output_tokens),
            cached=cached,
            finish_reason=reply.finish_reason,
        )


def _validated(name: str, text: str, schema: type[T]) -> T:
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
