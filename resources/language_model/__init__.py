"""Language models: Gemini, or any OpenAI-compatible server, behind one interface.

`open_language_model` is the way in. Everything that is asked goes through
`LanguageModel.generate`, which caches, retries, budgets and validates.
"""

import os

from resources.errors import UsageError
from resources.language_model.batch import BATCH_PRICE_FACTOR, answer_ahead
from resources.language_model.budget import Budget, BudgetExhausted, Usage
from resources.language_model.cache import FileCache, ResponseCache, Unread
from resources.language_model.concurrency import map_bounded
from resources.language_model.failures import Blocked, Malformed, TooLong, Truncated
from resources.language_model.interface import Backend, ModelSettings, Prompt, RawReply, Reply
from resources.language_model.model import LanguageModel
from resources.language_model.prices import FREE, PRICES, Price, price_of
from resources.language_model.retry import RetryPolicy
from resources.language_model.tokens import estimate_tokens

__all__ = [
    "BATCH_PRICE_FACTOR",
    "FREE",
    "PRICES",
    "Backend",
    "Blocked",
    "Budget",
    "BudgetExhausted",
    "FileCache",
    "LanguageModel",
    "Malformed",
    "ModelSettings",
    "Price",
    "Prompt",
    "RawReply",
    "Reply",
    "ResponseCache",
    "RetryPolicy",
    "TooLong",
    "Truncated",
    "Unread",
    "Usage",
    "answer_ahead",
    "estimate_tokens",
    "map_bounded",
    "open_language_model",
    "price_of",
]


def open_language_model(
    model: str,
    *,
    cache: ResponseCache | None = None,
    budget: Budget | None = None,
    settings: ModelSettings | None = None,
    setting: str = "MUON_MODEL",
) -> LanguageModel | None:
    """The model named "gemini/<name>" or "openai/<name>", or None for "" (no model).

    Keys and servers come from the environment as the providers' own clients define them:
    GEMINI_API_KEY (or GOOGLE_API_KEY) and GOOGLE_GEMINI_BASE_URL; OPENAI_API_KEY, which a server
    of one's own named by OPENAI_BASE_URL does without. `setting` is the variable that named the
    model, for the errors. Nothing is called yet.

    Raises UsageError for a name of another form or a missing key.
    """
    if not model:
        return None
    provider, _, name = model.partition("/")
    if provider not in {"gemini", "openai"} or not name.strip():
        msg = (
            f"{setting} is {model!r}, which names no model: write gemini/<name> or "
            "openai/<name>, or leave it empty to do without."
        )
        raise UsageError(msg)
    settings = settings or ModelSettings()
    open_backend = _gemini if provider == "gemini" else _openai
    backend, base_url = open_backend(name, settings, setting)
    return LanguageModel(
        model,
        backend,
        price=price_of(model, base_url),
        settings=settings,
        cache=cache,
        budget=budget,
    )


def _gemini(name: str, settings: ModelSettings, setting: str) -> tuple[Backend, str]:
    from resources.language_model.gemini import GeminiBackend  # noqa: PLC0415 - slow to import

    key = os.environ.get("GEMINI_API_KEY") or os.environ.get("GOOGLE_API_KEY") or ""
    if not key:
        msg = f"gemini/{name} needs a key: set GEMINI_API_KEY, or empty {setting} to do without."
        raise UsageError(msg)
    base_url = os.environ.get("GOOGLE_GEMINI_BASE_URL", "")
    return GeminiBackend(name, key, base_url, settings), base_url


def _openai(name: str, settings: ModelSettings, setting: str) -> tuple[Backend, str]:
    from resources.language_model.openai_compatible import OpenAIBackend  # noqa: PLC0415 - slow to import

    key = os.environ.get("OPENAI_API_KEY", "")
    base_url = os.environ.get("OPENAI_BASE_URL", "")
    if not key and not base_url:
        msg = (
            f"openai/{name} needs OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own: "
            f"set one, or empty {setting} to do without."
        )
        raise UsageError(msg)
    return OpenAIBackend(name, key, base_url, settings), base_url
