"""A model on a loopback server: a small schema, quick settings, and the fixtures that open it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from pydantic import BaseModel

from resources.language_model import (
    LanguageModel,
    ModelSettings,
    Prompt,
    RetryPolicy,
    open_language_model,
)
from tests.support.gemini_server import GeminiServer
from tests.support.model_server import Answer, ModelServer, Respond
from tests.support.openai_server import OpenAIServer


class Field(BaseModel):
    """What the tests ask for: the field of a magnet."""

    magnet: str
    tesla: float


class Asked:
    """A model, the server behind it, and a way to ask."""

    def __init__(self, model: LanguageModel, server: ModelServer) -> None:
        self.model = model
        self.server = server

    def ask(self, user: str = "Which field?", **options: Any) -> Any:
        return self.model.generate(Prompt("You read papers.", user, "1"), Field, **options)


Ask = Callable[..., Asked]

_RETRY = RetryPolicy(attempts=3, backoff_seconds=0.001, longest_wait_seconds=5)
QUICK = ModelSettings(timeout_seconds=20, retry=_RETRY)
IMPATIENT = ModelSettings(timeout_seconds=0.3, retry=_RETRY)
"""For servers that stall; on a busy machine an honest answer may take longer than this."""

PROVIDERS = ["gemini", "openai"]


@contextmanager
def opened(
    provider: str,
    respond: Answer | Respond,
    environment: pytest.MonkeyPatch,
    **options: Any,
) -> Iterator[Asked]:
    """The provider's model on a server that answers by `respond`, for as long as the block."""
    kind = {"gemini": GeminiServer, "openai": OpenAIServer}[provider]
    with kind(respond) as server:
        base_url = "GOOGLE_GEMINI_BASE_URL" if provider == "gemini" else "OPENAI_BASE_URL"
        environment.setenv(f"{provider.upper()}_API_KEY", "key-of-the-tests")
        environment.setenv(base_url, server.base_url)
        name = "gemini/gemini-2.5-flash" if provider == "gemini" else "openai/gpt-oss-120b"
        model = open_language_model(name, **{"settings": QUICK, **options})
        assert model is not None
        with model:
            yield Asked(model, server)


@pytest.fixture(params=PROVIDERS)
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def asking(provider: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ask]:
    """`asking(respond, cache=…, budget=…)` opens the provider's model on a server of its own."""
    with ExitStack() as stack:
        yield lambda respond, **options: stack.enter_context(
            opened(provider, respond, monkeypatch, **options)
        )
