"""Gemini over google-genai: one structured call and what each refusal means."""

import os
import re
from collections.abc import Mapping
from typing import Any

from google import genai
from google.genai import errors, types
from pydantic import BaseModel

from resources.errors import MuonEvidenceError, ServiceDown
from resources.language_model.gemini_batch import GeminiBatchService
from resources.language_model.http import (
    connection_failure,
    readable,
    retry_after,
    server_name,
    status_failure,
)
from resources.language_model.interface import ModelSettings, Prompt, RawReply

_BLOCKED = {
    "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "MODEL_ARMOR",
}  # fmt: skip
_API_KEY_REFUSED = re.compile(r"API[_ ]KEY[_ ]INVALID|API key (not valid|expired|not found)", re.I)


class GeminiBackend:
    """The Gemini API (`models.generateContent`), or a server that speaks it at `base_url`."""

    def __init__(self, model: str, api_key: str, base_url: str, settings: ModelSettings) -> None:
        self.model = model
        self._secret = api_key
        self._settings = settings
        self.where = f"Gemini at {server_name(base_url)}" if base_url else "Gemini"
        self._thinking = _least_thinking(model)
        self.client = genai.Client(
            api_key=api_key,
            vertexai=False,
            http_options=types.HttpOptions(
                # The stable version, the package's default, lacks the models still in preview.
                api_version=None if os.environ.get("GOOGLE_GENAI_API_VERSION") else "v1beta",
                base_url=base_url or None,
                timeout=int(settings.timeout_seconds * 1000),  # the package counts milliseconds
            ),
        )

    def parameters(self) -> Mapping[str, Any]:
        """The settings, apart from the prompt, that decide an answer."""
        return {"thinking": self._thinking}

    def batch_service(self) -> GeminiBatchService:
        """Google's Batch API."""
        return GeminiBatchService(self)

    def close(self) -> None:
        """Let go of the connections."""
        self.client.close()

    def complete(self, prompt: Prompt, schema: type[BaseModel], max_output_tokens: int) -> RawReply:
        """Ask once."""
        config = self.config(prompt, schema, max_output_tokens)
        try:
            return self.read(
                self.client.models.generate_content(
                    model=self.model, contents=prompt.user, config=config
                )
            )
        except Exception as error:
            raise self.failure(error) from error

    def config(
        self, prompt: Prompt, schema: type[BaseModel], max_output_tokens: int
    ) -> types.GenerateContentConfig:
        """Everything of a request but its model and its contents."""
        return types.GenerateContentConfig(
            system_instruction=prompt.system,
            temperature=self._settings.temperature,
            max_output_tokens=max_output_tokens,
            response_mime_type="application/json",
            response_schema=schema,
            thinking_config=types.ThinkingConfig(**self._thinking) if self._thinking else None,
        )

    @staticmethod
    def read(response: types.GenerateContentResponse) -> RawReply:
        """What a response says: a refused prompt, an answer and how it ended, or nothing."""
        usage = response.usage_metadata
        input_tokens = (usage.prompt_token_count or 0) if usage else 0
        answer_tokens = (usage.candidates_token_count or 0) if usage else 0
        output_tokens = answer_tokens + ((usage.thoughts_token_count or 0) if usage else 0)
        feedback = response.prompt_feedback
        if feedback is not None and feedback.block_reason is not None:
            reason = str(feedback.block_reason.value)
            return RawReply("", "blocked", f"prompt {reason}", input_tokens, output_tokens)
        if not response.candidates:
            return RawReply("", "empty", "no candidate", input_tokens, output_tokens)
        candidate = response.candidates[0]
        parts = (candidate.content.parts if candidate.content else None) or []
        text = "".join(part.text for part in parts if part.text and not part.thought)
        reason = str(candidate.finish_reason.value) if candidate.finish_reason else "none given"
        if reason == "MAX_TOKENS":
            return RawReply(text, "truncated", reason, input_tokens, output_tokens)
        if reason in _BLOCKED:
            return RawReply("", "blocked", reason, input_tokens, output_tokens)
        return RawReply(
            text, "stop" if text.strip() else "empty", reason, input_tokens, output_tokens
        )

    def failure(self, error: Exception) -> MuonEvidenceError:
        """The error that an exception of the client stands for."""
        if not isinstance(error, errors.APIError):
            return connection_failure(error, self.where)
        if _API_KEY_REFUSED.search(str(error.details)):
            return ServiceDown(f"{self.where} does not accept the API key: check GEMINI_API_KEY.")
        headers = getattr(error.response, "headers", {})
        return status_failure(
            error.code,
            readable(error.message, self._secret),
            where=self.where,
            model=f"gemini/{self.model}",
            key_name="GEMINI_API_KEY",
            wait=retry_after(headers) or _retry_delay(error.details),
        )


def _retry_delay(details: object) -> float | None:
    """Seconds of the `RetryInfo` that Google puts into the body of a 429 ("retryDelay": "7s")."""
    found = re.search(r"'retryDelay': '([0-9.]+)s'", str(details))
    return float(found.group(1)) if found else None


def _least_thinking(model: str) -> dict[str, Any]:
    """The least reasoning that a model allows: extraction needs none, and it is billed as output.

    The 2.5 models take a number of tokens (Pro not fewer than 128), the later ones a level.
    """
    if model.startswith("gemini-2.5-pro"):
        return {"thinking_budget": 128}
    if model.startswith("gemini-2.5"):
        return {"thinking_budget": 0}
    if re.match(r"gemini-[3-9]", model):
        return {"thinking_level": "LOW"}
    return {}
