"""The Gemini API on the loopback interface (see `model_server`): generateContent and batches.

Bodies follow the REST reference of `models.generateContent`: candidates with content parts and a
finishReason, promptFeedback for a refused prompt, usageMetadata, and google.rpc.Status errors.
A batch job runs for `polls` requests, then holds its answers in another order than it was asked.
"""

import re
from typing import Any

from tests.support.model_server import (
    Answer,
    Fault,
    ModelRequest,
    ModelServer,
    Respond,
    text_and_ending,
)

_STATUS_NAMES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}


class GeminiServer(ModelServer):
    """`with GeminiServer(respond) as server:` then GOOGLE_GEMINI_BASE_URL = server.base_url."""

    def __init__(self, respond: Answer | Respond) -> None:
        super().__init__(respond)
        self.jobs: dict[str, dict[str, Any]] = {}
        self.polls = 2
        self.keep_keys = True
        self.job_ends_as = "BATCH_STATE_SUCCEEDED"

    def other(self, method: str, path: str, body: Any) -> tuple[int, Any] | None:
        path = path.partition("?")[0]
        if path.endswith(":batchGenerateContent"):
            return 200, self._create_job(path, body["batch"])
        found = re.fullmatch(r"/v1\w*/(batches(?:/.+)?)", path)
        if not found:
            return None
        name = found.group(1)
        if name == "batches":
            return 200, {"operations": list(self.jobs.values())}
        if name not in self.jobs:
            return 404, self.error(Fault("status", status=404, message=f"no {name}"))
        if method == "DELETE":
            del self.jobs[name]
            return 200, {}
        return 200, self._polled_job(self.jobs[name])

    def _create_job(self, path: str, batch: dict[str, Any]) -> dict[str, Any]:
        name = f"batches/job-{len(self.jobs)}"
        self.jobs[name] = {
            "name": name,
            "metadata": {"displayName": batch["displayName"], "state": "BATCH_STATE_PENDING"},
            "asked": batch["inputConfig"]["requests"]["requests"],
            "path": path.replace("batchGenerateContent", "generateContent"),
            "polled": 0,
        }
        return self.jobs[name]

    def _polled_job(self, job: dict[str, Any]) -> dict[str, Any]:
        job["polled"] += 1
        state = job["metadata"]["state"]
        if job["polled"] > self.polls and state in {"BATCH_STATE_PENDING", "BATCH_STATE_RUNNING"}:
            job["metadata"]["state"] = self.job_ends_as
            if self.job_ends_as == "BATCH_STATE_SUCCEEDED":
                answers = [self._batch_answer(job["path"], asked) for asked in job["asked"]]
                job["metadata"]["output"] = {
                    "inlinedResponses": {"inlinedResponses": answers[::-1]}
                }
        elif state == "BATCH_STATE_PENDING":
            job["metadata"]["state"] = "BATCH_STATE_RUNNING"
        return job

    def _batch_answer(self, path: str, asked: dict[str, Any]) -> dict[str, Any]:
        request = self.request(path, {}, asked["request"])
        spoken = text_and_ending(self.answer_to(request))
        metadata = {"metadata": asked["metadata"]} if self.keep_keys else {}
        if spoken is None:
            return metadata | {"error": {"code": 13, "message": "internal"}}
        return metadata | {"response": self.counted_reply(request, *spoken)}

    def parse(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        found = re.fullmatch(r"/v1\w*/models/([^:]+):generateContent", path)
        assert found, f"not a call of the Gemini API: {path}"
        config = body.get("generationConfig", {})
        return {
            "model": found.group(1),
            "system": _text(body.get("systemInstruction", {})),
            "user": "\n".join(_text(content) for content in body["contents"]),
            "schema": config.get("responseSchema") or config.get("responseJsonSchema"),
            "max_output_tokens": config.get("maxOutputTokens"),
        }

    def reply(self, request: ModelRequest, text: str, ending: str, usage: tuple[int, int]) -> Any:
        body: dict[str, Any] = {
            "usageMetadata": {
                "promptTokenCount": usage[0],
                "candidatesTokenCount": usage[1],
                "totalTokenCount": sum(usage),
            },
            "modelVersion": request.model,
            "responseId": f"response-{request.number}",
        }
        kind, _, reason = ending.partition(":")
        if kind == "block_prompt":
            return body | {"promptFeedback": {"blockReason": reason}}
        if kind == "no_candidate":
            return body
        candidate: dict[str, Any] = {"index": 0, "finishReason": "STOP"}
        if kind == "block_answer":
            candidate["finishReason"] = reason
        elif kind == "empty":
            candidate["content"] = {"role": "model"}
        else:
            candidate["content"] = {"role": "model", "parts": [{"text": text}]}
            candidate["finishReason"] = "MAX_TOKENS" if kind == "truncate" else "STOP"
        return body | {"candidates": [candidate]}

    def error(self, fault: Fault) -> Any:
        name = _STATUS_NAMES.get(fault.status, "UNKNOWN")
        return {"error": {"code": fault.status, "message": fault.message, "status": name}}


def _text(content: dict[str, Any]) -> str:
    return "".join(part.get("text", "") for part in content.get("parts", []))
