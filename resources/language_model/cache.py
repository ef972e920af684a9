"""Answers already paid for.

The key is a hash of all that decides an answer: model, prompt, schema and parameters. Answers
that came out truncated, blocked or malformed are kept too, so that a run which starts again does
not pay to learn the same thing twice.
"""

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from resources.language_model.interface import RawReply


class ResponseCache(Protocol):
    """Where answers are kept; keys are 64 hexadecimal digits."""

    def get(self, key: str) -> RawReply | None:
        """The answer under `key`, or None."""
        ...

    def put(self, key: str, reply: RawReply) -> None:
        """Keep `reply` under `key`, replacing what was there."""
        ...


def cache_key(
    model: str, system: str, user: str, schema: Mapping[str, Any], parameters: Mapping[str, Any]
) -> str:
    """SHA-256, as 64 hexadecimal digits, of everything that decides an answer."""
    parts = [model, system, user, schema, parameters]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


class FileCache:
    """One JSON file an answer, in two levels of folders (`ab/cd/abcd….json`).

    A file appears whole or not at all; one that cannot be read counts as absent and is written
    anew. Several processes may share the folder.
    """

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder)

    def get(self, key: str) -> RawReply | None:
        """The answer under `key`, or None."""
        try:
            return RawReply(**json.loads(self._path(key).read_text("utf-8")))
        except (FileNotFoundError, ValueError, TypeError):
            return None

    def put(self, key: str, reply: RawReply) -> None:
        """Keep `reply` under `key`, replacing what was there."""
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(asdict(reply), file)
            Path(temporary).replace(path)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                Path(temporary).unlink()
            raise

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / key[2:4] / f"{key}.json"


class Unread:
    """A cache that keeps new answers and gives none back: everything is asked anew."""

    def __init__(self, cache: ResponseCache) -> None:
        self._cache = cache

    def get(self, key: str) -> RawReply | None:
        """None."""
        return None

    def put(self, key: str, reply: RawReply) -> None:
        """Keep `reply` under `key`, replacing what was there."""
        self._cache.put(key, reply)
