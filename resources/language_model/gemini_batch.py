"""Google's Batch API: jobs of many requests sent inline, each with its key as metadata."""

from collections.abc import Mapping
from typing import Protocol

from google.genai import Client, types
from pydantic import BaseModel

from resources.errors import MuonEvidenceError, ServiceDown
from resources.language_model.interface import BatchAnswer, Prompt, RawReply

_SUCCEEDED = {types.JobState.JOB_STATE_SUCCEEDED, types.JobState.JOB_STATE_PARTIALLY_SUCCEEDED}
_LOST = {
    types.JobState.JOB_STATE_FAILED,
    types.JobState.JOB_STATE_CANCELLING,
    types.JobState.JOB_STATE_CANCELLED,
    types.JobState.JOB_STATE_EXPIRED,
}


class Backend(Protocol):
    """What a batch service needs of the backend whose requests it sends together."""

    client: Client
    model: str
    where: str

    def config(
        self, prompt: Prompt, schema: type[BaseModel], max_output_tokens: int
    ) -> types.GenerateContentConfig:
        """Everything of a request but its model and its contents."""

    def read(self, response: types.GenerateContentResponse) -> RawReply:
        """What a response says."""

    def failure(self, error: Exception) -> MuonEvidenceError:
        """The error that an exception of the client stands for."""


class GeminiBatchService:
    """The batch jobs of one backend's key and model."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._batches = backend.client.batches

    def submit(
        self, name: str, prompts: Mapping[str, Prompt], schema: type[BaseModel], limit: int
    ) -> str:
        """Start a job called `name` for {key: prompt}, `limit` tokens an answer; its id."""
        requests = [
            types.InlinedRequest(
                contents=prompt.user,
                metadata={"key": key},
                config=self._backend.config(prompt, schema, limit),
            )
            for key, prompt in prompts.items()
        ]
        try:
            job = self._batches.create(
                model=self._backend.model,
                src=types.BatchJobSource(inlined_requests=requests),
                config=types.CreateBatchJobConfig(display_name=name),
            )
        except Exception as error:
            raise self._backend.failure(error) from error
        return str(job.name)

    def find(self, name: str) -> str | None:
        """The id of a job called `name` that runs or has succeeded, or None."""
        try:
            jobs = [
                job
                for job in self._batches.list()
                if job.display_name == name and job.state not in _LOST
            ]
        except Exception as error:
            raise self._backend.failure(error) from error
        return str(jobs[0].name) if jobs else None

    def answers(self, job: str) -> list[BatchAnswer] | None:
        """What the job answered, or None while it runs; ServiceDown where it failed."""
        try:
            found = self._batches.get(name=job)
        except Exception as error:
            raise self._backend.failure(error) from error
        if found.state in _LOST:
            msg = (
                f"{self._backend.where} gave up the batch job {job} ({found.state}): run again, "
                "or without the batch service."
            )
            raise ServiceDown(msg)
        if found.state not in _SUCCEEDED:
            return None
        responses = (found.dest.inlined_responses if found.dest else None) or []
        return [
            BatchAnswer((response.metadata or {}).get("key"), self._reply(response))
            for response in responses
        ]

    def forget(self, job: str) -> None:
        """Delete a finished job."""
        try:
            self._batches.delete(name=job)
        except Exception as error:
            raise self._backend.failure(error) from error

    def _reply(self, response: types.InlinedResponse) -> RawReply:
        if response.response is None:
            code = response.error.code if response.error else "unknown"
            return RawReply("", "empty", f"error {code}", 0, 0)
        return self._backend.read(response.response)
