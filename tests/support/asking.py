"""A model on a loopback server: a small schema, quick settings, and the fixtures that open it."""

from collections.abc import Callable, Iterator
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

QUICK = ModelSettings(
    timeout_seconds=0.25,
    retry=RetryPolicy(attempts=3, backoff_seconds=0.001, longest_wait_seconds=5),
)


@pytest.fixture(params=["gemini", "openai"])
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def asking(provider: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ask]:
    """`asking(respond, cache=…, budget=…)` opens the provider's model on a server of its own."""
    opened: list[Asked] = []

    def open_on_server(respond: Answer | Respond, **options: Any) -> Asked:
        server: ModelServer
        if provider == "gemini":
            server = GeminiServer(respond).__enter__()
            monkeypatch.setenv("GEMINI_API_KEY", "key-of-the-tests")
            monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.base_url)
            name = "gemini/gemini-2.5-flash"
        else:
            server = OpenAIServer(respond).__enter__()
            monkeypatch.setenv("OPENAI_API_KEY", "key-of-the-tests")
            monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
            name = "openai/gpt-oss-120b"
        model = open_language_model(name, **{"settings": QUICK, **options})
        assert model is not None
        opened.append(Asked(model, server))
        return opened[-1]

    yield open_on_server
    for asked in opened:
        asked.model.close()
        asked.server.__exit__()
