"""Files beside the tables: PDFs, TEI, index folders, release manifests.

Everything goes through fsspec, so that a folder and an object store (`s3://…`, `gs://…`) are the
same to the stages. A file is either there whole or not there.
"""

import hashlib
import json
import os
import shutil
import time
import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from filelock import FileLock

from resources.errors import UsageError

#: Nothing is needed in the scratch folder for longer than a day.
SCRATCH_SECONDS = 86_400


class Files:
    """Files under one location; every path is relative to it and uses forward slashes."""

    def __init__(self, uri: str) -> None:
        self.uri = uri.rstrip("/")

    def exists(self, path: str) -> bool:
        """Whether there is a file or folder."""
        return bool(self._filesystem.exists(self._full(path)))

    def read_bytes(self, path: str) -> bytes:
        """The whole file."""
        data: bytes = self._filesystem.cat_file(self._full(path))
        return data

    def write_bytes(self, path: str, data: bytes) -> None:
        """Write a file so that readers see the old content or the new one, never a part."""
        target = self._full(path)
        self._make_parent(target)
        if not self.is_local:
            self._filesystem.pipe_file(target, data)
            return
        temporary = Path(f"{target}.{uuid.uuid4().hex}.part")
        try:
            with temporary.open("wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)

    def read_json(self, path: str) -> Any:
        """A JSON file's value."""
        return json.loads(self.read_bytes(path))

    def write_json(self, path: str, value: Any) -> None:
        """Write a value as JSON, indented so that a person can read it."""
        text = json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True)
        self.write_bytes(path, text.encode())

    def put_file(self, source: Path, path: str) -> None:
        """Move a finished local file in."""
        target = self._full(path)
        self._make_parent(target)
        if self.is_local:
            shutil.move(source, target)
        else:
            self._filesystem.put_file(str(source), target)
            source.unlink()

    def put_folder(self, source: Path, path: str) -> None:
        """Move a finished local folder in; an existing one of the same name is kept."""
        target = self._full(path)
        if self._filesystem.exists(target):
            shutil.rmtree(source)
            return
        self._make_parent(target)
        if self.is_local:
            shutil.move(source, target)
        else:
            self._filesystem.put(str(source), target, recursive=True)
            shutil.rmtree(source)

    def remove(self, path: str) -> None:
        """Remove a file or folder; one that is not there is ignored."""
        if self.exists(path):
            self._filesystem.rm(self._full(path), recursive=True)

    def list(self, path: str) -> list[str]:
        """Names directly under a folder, sorted; none where there is no such folder."""
        full = self._full(path)
        if not self._filesystem.exists(full):
            return []
        return sorted(Path(name).name for name in self._filesystem.ls(full, detail=False))

    @contextmanager
    def local(self, path: str) -> Iterator[Path]:
        """A local path to a file or folder for the time of the block."""
        if self.is_local:
            yield Path(self._full(path))
            return
        with TemporaryDirectory() as folder:
            copy = Path(folder) / Path(path).name
            self._filesystem.get(self._full(path), str(copy), recursive=True)
            yield copy

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """A temporary folder, on the same disk where the location is a folder."""
        parent = None
        if self.is_local:
            parent = Path(self._full("scratch"))
            self._make_folder(parent)
            _sweep(parent)
        with TemporaryDirectory(dir=parent, ignore_cleanup_errors=True) as folder:
            yield Path(folder)

    def lock(self, name: str, seconds: float = -1) -> AbstractContextManager[Any]:
        """Whoever else asks for the lock of this name waits until the block is left.

        Raises filelock.Timeout where `seconds` of waiting are given, and did not do. A process
        that is killed holds it no longer. Object stores have no locks; there the single
        writer is the deployment's duty.
        """
        if not self.is_local:
            return nullcontext()
        self._make_folder(Path(self.uri))
        return FileLock(self._full(f"{name}.lock"), timeout=seconds)

    @property
    def is_local(self) -> bool:
        """Whether the location is a folder of this machine."""
        return "://" not in self.uri

    @cached_property
    def _filesystem(self) -> Any:
        import fsspec  # noqa: PLC0415 - imported when the first file is touched

        try:
            return fsspec.url_to_fs(self.uri)[0]
        except ImportError as error:
            raise UsageError(
                f"The data location {self.uri} needs one more package: {error}."
            ) from error

    def _full(self, path: str) -> str:
        return f"{self.uri}/{path}"

    def _make_parent(self, target: str) -> None:
        if self.is_local:
            self._make_folder(Path(target).parent)

    def _make_folder(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"The data location {self.uri} cannot be written ({error.strerror}): "
                "choose another with --data or MUON_DATA."
            ) from error


def _sweep(scratch: Path) -> None:
    """Remove what killed processes left in the scratch folder."""
    for left in scratch.iterdir():
        # Another process may have swept it a moment ago.
        with suppress(FileNotFoundError):
            if time.time() - left.stat().st_mtime > SCRATCH_SECONDS:
                shutil.rmtree(left, ignore_errors=True)


def sha256_of(path: Path) -> str:
    """SHA-256 of a file's bytes, as 64 hexadecimal digits."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
