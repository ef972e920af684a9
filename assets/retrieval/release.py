"""Releases: the one consistent state of the corpus that readers see.

A release pins a version of every table that is read, an index folder, and the names of the
models that made them. It is one JSON manifest; `current` is a pointer that is replaced in one
step. A refresh that fails half-way has moved no pointer and so changes no answer, and going back
is moving the pointer.

Whoever moves the pointer or takes a release away holds one lock; readers need none. A release that
was taken away is only retired at first: a reader that has just looked at the pointer, or holds the
release open, finds everything where it was for a while.
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, field, replace
from itertools import count
from typing import Any

from resources.errors import MuonEvidenceError, UsageError
from resources.files import Files
from resources.lake import Lake, Table

FOLDER = "releases"
CURRENT = f"{FOLDER}/current.json"
RETIRED = f"{FOLDER}/retired"

TAG_PREFIX = "release-"


@dataclass(frozen=True, slots=True)
class Release:
    """A manifest. `versions` maps table names to pinned versions; `content` is the hash of what
    the release holds, so that a refresh that changed nothing makes no new one. `nearest` says how
    the dense index is searched approximately (`nearest.Approximation`); empty: exactly."""

    release_id: str
    created: str
    content: str
    versions: Mapping[str, int]
    sparse_index: str
    encoder: str
    dimension: int
    tokenizer: str
    density_variant: str
    counts: Mapping[str, int] = field(default_factory=dict)
    nearest: Mapping[str, Any] = field(default_factory=dict)

    @property
    def tag(self) -> str:
        """The tag under which the lake keeps the versions."""
        return f"{TAG_PREFIX}{self.release_id}"


def release_name(created: str, content: str) -> str:
    """`20260301-1a2b3c4d`: readable, sortable, and told apart by content."""
    return f"{created[:10].replace('-', '')}-{content[:8]}"


def releasing(files: Files) -> AbstractContextManager[Any]:
    """The lock of whoever moves the pointer, or takes away what a release may point to."""
    return files.lock(FOLDER)


def publish(lake: Lake, files: Files, release: Release, tables: list[Table]) -> Release:
    """Pin the tables, write the manifest, move the pointer; returns the manifest as written.

    Pinned are the versions that `release` names, and the newest of tables that it does not. A
    name that was used before is numbered. Raises MuonEvidenceError, having moved nothing, where
    the index folder has gone.
    """
    with releasing(files):
        if not files.exists(release.sparse_index):
            raise MuonEvidenceError(
                f"The sparse index {release.sparse_index} was cleared away before it could be "
                "released: run the refresh again."
            )
        named = replace(release, release_id=_unused_name(files, release.release_id))
        versions = {
            table.name: lake.pin(table, named.tag, named.versions.get(table.name, 0))
            for table in tables
        }
        manifest = replace(named, versions=versions)
        files.write_json(_manifest_path(manifest.release_id), asdict(manifest))
        point_to(files, manifest.release_id)
    return manifest


def point_to(files: Files, release_id: str) -> None:
    """Make a release the current one."""
    files.write_json(CURRENT, {"release_id": release_id})


def current_release(files: Files) -> Release | None:
    """The release that readers use, or None before the first."""
    if not files.exists(CURRENT):
        return None
    with _of_this_version(files, CURRENT):
        release_id = str(files.read_json(CURRENT)["release_id"])
    # Since the pointer was read, the release may have been retired.
    found = _manifest(files, release_id) or retired_releases(files).get(release_id)
    return found or load_release(files, release_id)


def load_release(files: Files, release_id: str) -> Release:
    """A release by name; an unknown one is a UsageError that lists those there are."""
    found = _manifest(files, release_id) if release_id in release_ids(files) else None
    if found is None:
        known = ", ".join(release_ids(files)) or "none"
        raise UsageError(f"There is no release {release_id!r}; there are: {known}.")
    return found


def release_ids(files: Files) -> list[str]:
    """All releases' names, oldest first."""
    names = [name for name in files.list(FOLDER) if name.endswith(".json")]
    return [name.removesuffix(".json") for name in names if name != "current.json"]


def all_releases(files: Files) -> list[Release]:
    """All releases, the oldest first; one that is retired meanwhile is left out."""
    found = [_manifest(files, name) for name in release_ids(files)]
    return sorted((one for one in found if one is not None), key=_created)


def previous_release(files: Files, release: Release) -> Release:
    """The release before one, by time of creation."""
    older = [other for other in all_releases(files) if other.created < release.created]
    if not older:
        raise UsageError(f"Release {release.release_id} is the oldest; there is none before it.")
    return older[-1]


def require_current(files: Files) -> Release:
    """The current release, or a UsageError that says how to make one."""
    release = current_release(files)
    if release is None:
        raise UsageError(
            f"The data location {files.uri} has no release yet: "
            "run `muon-evidence refresh` (or `muon-evidence demo`) first."
        )
    return release


def retire(files: Files, release: Release, now: str) -> None:
    """Take a release from those that can be gone back to; what it names stays until `forget`."""
    retired = {"retired": now, "manifest": asdict(release)}
    files.write_json(f"{RETIRED}/{release.release_id}.json", retired)
    files.remove(_manifest_path(release.release_id))


def retired_releases(files: Files) -> dict[str, Release]:
    """Releases that were taken away and that a reader may still hold, by name."""
    return {release.release_id: release for release, _ in retirements(files)}


def retirements(files: Files) -> list[tuple[Release, str]]:
    """Retired releases, each with the time when it was retired."""
    found = []
    for name in files.list(RETIRED):
        content = _read(files, f"{RETIRED}/{name}")
        if content is not None:
            with _of_this_version(files, f"{RETIRED}/{name}"):
                found.append((Release(**content["manifest"]), str(content["retired"])))
    return found


def forget(files: Files, release_id: str) -> None:
    """Remove the last trace of a retired release."""
    files.remove(f"{RETIRED}/{release_id}.json")


def _created(release: Release) -> str:
    return release.created


def _unused_name(files: Files, name: str) -> str:
    """The name, numbered where a release of that day and content was there before.

    Its versions may be others, and a reader may hold it.
    """
    used = {*release_ids(files), *retired_releases(files)}
    if name not in used:
        return name
    return next(other for n in count(2) if (other := f"{name}-{n}") not in used)


def _manifest_path(release_id: str) -> str:
    return f"{FOLDER}/{release_id}.json"


def _manifest(files: Files, release_id: str) -> Release | None:
    path = _manifest_path(release_id)
    content = _read(files, path)
    if content is None:
        return None
    with _of_this_version(files, path):
        return Release(**content)


def _read(files: Files, path: str) -> Any:
    """A JSON file's value, or None where it is not there, or no longer."""
    with _of_this_version(files, path):
        try:
            return files.read_json(path)
        except FileNotFoundError:
            return None


@contextmanager
def _of_this_version(files: Files, path: str) -> Iterator[None]:
    try:
        yield
    except (ValueError, TypeError, KeyError) as error:
        raise UsageError(
            f"{path} in the data location {files.uri} was not written by this version of the "
            "program: use another location, or the version that wrote this one."
        ) from error
