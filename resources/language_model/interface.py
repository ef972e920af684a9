"""The records and protocols that the parts of this package share."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeVar

from pydantic import BaseModel

from resources.language_model.retry import RetryPolicy

T = TypeVar("T", bound=BaseModel)

Finish = Literal["stop", "truncated", "blocked", "empty"]


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
    finish: Finish
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

    def batch_service(self) -> "BatchService | None":
        """The provider's batch service, or None where it has none."""
        ...

    def close(self) -> None:
        """Let go of the connections."""
        ...


@dataclass(frozen=True, slots=True)
class BatchAnswer:
    """One answer of a batch job, and the key that came back with it, if one did."""

    key: str | None
    reply: RawReply


class BatchService(Protocol):
    """A provider's batch service. Each method is one request and fails as a `Backend` does."""

    def submit(
        self, name: str, prompts: Mapping[str, Prompt], schema: type[BaseModel], limit: int
    ) -> str:
        """Start a job called `name` for {key: prompt}, `limit` tokens an answer; its id."""
        ...

    def find(self, name: str) -> str | None:
        """The id of a job called `name` that runs or has succeeded, or None."""
        ...

    def answers(self, job: str) -> list[BatchAnswer] | None:
        """What the job answered, or None while it runs; ServiceDown where it failed."""
        ...

    def forget(self, job: str) -> None:
        """Delete a finished job."""
        ...
