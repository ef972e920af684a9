"""Any server that speaks OpenAI's chat completions: OpenAI's own, vLLM, Ollama, llama.cpp.

They differ in what they accept. The schema is asked for in `response_format`, and also stands in
the prompt, because many servers ignore the field without saying so; a server that rejects one of
the optional fields is asked again without it, and the client remembers.
"""

import json
import re
from collections.abc import Mapping
from threading import Lock
from typing import Any

import openai
from openai.types.chat import ChatCompletion
from pydantic import BaseModel

from resources.errors import MuonEvidenceError, ServiceDown
from resources.language_model.failures import TooLong
from resources.language_model.http import (
    connection_failure,
    readable,
    retry_after,
    server_name,
    status_failure,
)
from resources.language_model.interface import ModelSettings, Prompt, RawReply

_SCHEMA_REQUEST = "Answer with one JSON object that fits this JSON schema, and nothing else:\n"
_NO_KEY_NEEDED = "none"
#: Statuses of a request that a server refuses; llama.cpp's Python server uses 500 for that.
_LIMITS = frozenset({"max_tokens", "max_completion_tokens"})
_CONTEXT = re.compile(
    r"\bcontext (?:length|size|window)|exceeds? (?:the )?(?:model'?s? )?context|n_ctx"
)
_REFUSALS = frozenset({400, 422, 500, 501})


class OpenAIBackend:
    """A chat-completions server at `base_url` (empty: OpenAI's own)."""

    def __init__(self, model: str, api_key: str, base_url: str, settings: ModelSettings) -> None:
        self._model = model
        self._secret = api_key
        self._settings = settings
        self._where = f"The model server at {server_name(base_url)}" if base_url else "OpenAI"
        self._rejected: frozenset[str] = frozenset()
        self._lock = Lock()
        self._client = openai.OpenAI(
            api_key=api_key or _NO_KEY_NEEDED,
            base_url=base_url or None,
            timeout=settings.timeout_seconds,
            max_retries=0,  # ours are counted, budgeted and as patient as the server asks
        )

    def parameters(self) -> Mapping[str, Any]:
        """The settings, apart from the prompt, that decide an answer."""
        return {}

    def batch_service(self) -> None:
        """None: servers that speak chat completions differ in what they offer beside them."""

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()

    def complete(self, prompt: Prompt, schema: type[BaseModel], max_output_tokens: int) -> RawReply:
        """Ask once (and once more for each optional field that the server rejects)."""
        without_limit: frozenset[str] = frozenset()
        while True:
            rejected = self._rejected | without_limit
            request = self._request(prompt, schema, max_output_tokens, rejected)
            try:
                return _raw_reply(self._client.chat.completions.create(**request))
            except openai.APIStatusError as error:
                if _is_too_long(error):
                    # The limit of the answer counts towards the context; perhaps only that is over.
                    if without_limit:
                        raise self._too_long() from error
                    without_limit = _LIMITS
                    continue
                field = _rejected_field(error, request)
                if field is None:
                    raise self._refusal(error) from error
                with self._lock:
                    self._rejected |= {field}
            except Exception as error:
                raise connection_failure(error, self._where) from error

    def _request(
        self,
        prompt: Prompt,
        schema: type[BaseModel],
        max_output_tokens: int,
        rejected: frozenset[str],
    ) -> dict[str, Any]:
        strict = openai.pydantic_function_tool(schema)["function"]["parameters"]
        system = f"{prompt.system}\n\n{_SCHEMA_REQUEST}{json.dumps(strict)}"
        optional: dict[str, Any] = {
            "json_schema": {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": schema.__name__, "schema": strict, "strict": True},
                }
            },
            "json_object": {"response_format": {"type": "json_object"}},
            "max_tokens": {"max_tokens": max_output_tokens},
            "max_completion_tokens": {"max_completion_tokens": max_output_tokens},
            "temperature": {"temperature": self._settings.temperature},
        }
        fields = [
            next((f for f in ("json_schema", "json_object") if f not in rejected), None),
            next((f for f in ("max_tokens", "max_completion_tokens") if f not in rejected), None),
            "temperature" if "temperature" not in rejected else None,
        ]
        request: dict[str, Any] = {
            "model": self._model,
            "messages": [
                {"role": "system", "content": system},
                {"role": "user", "content": prompt.user},
            ],
        }
        for field in fields:
            request |= optional[field] if field else {}
        return request

    def _too_long(self) -> TooLong:
        return TooLong(
            f"{self._where} says that the request is longer than the context of "
            f"openai/{self._model}: serve it with a larger one, or ask with fewer passages (--m)."
        )

    def _refusal(self, error: openai.APIStatusError) -> MuonEvidenceError:
        if error.code == "insufficient_quota":
            return ServiceDown(f"{self._where} says that the account has no credit left.")
        return status_failure(
            error.status_code,
            readable(_message(error), self._secret),
            where=self._where,
            model=f"openai/{self._model}",
            key_name="OPENAI_API_KEY",
            wait=retry_after(error.response.headers),
        )


def _message(error: openai.APIStatusError) -> str:
    """The server's own words, without what the client puts before them."""
    body = error.body
    return str(body.get("message", error.message)) if isinstance(body, dict) else error.message


def _is_too_long(error: openai.APIStatusError) -> bool:
    """Whether a refusal says that prompt and answer do not fit into the model's context."""
    if error.code == "context_length_exceeded":
        return True
    return error.status_code in _REFUSALS and bool(_CONTEXT.search(_message(error)))


def _rejected_field(error: openai.APIStatusError, request: Mapping[str, Any]) -> str | None:
    """The optional field of `request` that a refusal complains about, if it names one."""
    if error.status_code not in _REFUSALS:
        return None
    complaint = f"{error.param} {_message(error)}"
    for field in ("max_completion_tokens", "max_tokens", "temperature"):
        if field in request and field in complaint:
            return field
    if "response_format" in request and any(
        word in complaint for word in ("response_format", "json_schema", "json_object", "schema")
    ):
        return str(request["response_format"]["type"])
    return None


def _raw_reply(response: object) -> RawReply:
    if not isinstance(response, ChatCompletion):
        msg = "not a chat completion"
        raise TypeError(msg)
    usage = response.usage
    input_tokens = int(getattr(usage, "prompt_tokens", None) or 0)
    output_tokens = int(getattr(usage, "completion_tokens", None) or 0)
    if not response.choices:
        return RawReply("", "empty", "no choice", input_tokens, output_tokens)
    choice = response.choices[0]
    text = choice.message.content or ""
    reason = str(choice.finish_reason)
    if reason == "length":
        return RawReply(text, "truncated", reason, input_tokens, output_tokens)
    if reason == "content_filter" or choice.message.refusal:
        return RawReply("", "blocked", reason, input_tokens, output_tokens)
    return RawReply(text, "stop" if text.strip() else "empty", reason, input_tokens, output_tokens)
