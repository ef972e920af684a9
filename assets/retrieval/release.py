"""Releases: the one consistent state of the corpus that readers see.

A release pins a version of every table that is read, an index folder, and the names of the
models that made them. It is one JSON manifest; `current` is a pointer that is replaced in one
step. A refresh that fails half-way has moved no pointer and so changes no answer, and going back
is moving the pointer.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field

from resources.errors import UsageError
from resources.files import Files
from resources.lake import Lake, Table

FOLDER = "releases"
CURRENT = f"{FOLDER}/current.json"


@dataclass(frozen=True, slots=True)
class Release:
    """A manifest. `versions` maps table names to pinned versions; `content` is the hash of what
    the release holds, so that a refresh that changed nothing makes no new one."""

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

    @property
    def tag(self) -> str:
        """The tag under which the lake keeps the versions."""
        return f"release-{self.release_id}"


def release_name(created: str, content: str) -> str:
    """`20260301-1a2b3c4d`: readable, sortable, and told apart by content."""
    return f"{created[:10].replace('-', '')}-{content[:8]}"


def publish(lake: Lake, files: Files, release: Release, tables: list[Table]) -> Release:
    """Pin the tables, write the manifest, move the pointer; returns the manifest as written."""
    versions = {table.name: lake.pin(table, release.tag) for table in tables}
    manifest = Release(**{**asdict(release), "versions": versions})
    files.write_json(f"{FOLDER}/{manifest.release_id}.json", asdict(manifest))
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
        release_id = files.read_json(CURRENT)["release_id"]
    return load_release(files, release_id)


def load_release(files: Files, release_id: str) -> Release:
    """A release by name; an unknown one is a UsageError that lists those there are."""
    path = f"{FOLDER}/{release_id}.json"
    if release_id not in release_ids(files):
        known = ", ".join(release_ids(files)) or "none"
        raise UsageError(f"There is no release {release_id!r}; there are: {known}.")
    with _of_this_version(files, path):
        return Release(**files.read_json(path))


def release_ids(files: Files) -> list[str]:
    """All releases' names, oldest first."""
    names = [name for name in files.list(FOLDER) if name.endswith(".json")]
    return [name.removesuffix(".json") for name in names if name != "current.json"]


def previous_release(files: Files, release: Release) -> Release:
    """The release before one, by time of creation."""
    older = [
        other
        for name in release_ids(files)
        if (other := load_release(files, name)).created < release.created
    ]
    if not older:
        raise UsageError(f"Release {release.release_id} is the oldest; there is none before it.")
    return max(older, key=lambda other: other.created)


def require_current(files: Files) -> Release:
    """The current release, or a UsageError that says how to make one."""
    release = current_release(files)
    if release is None:
        raise UsageError(
            f"The data location {files.uri} has no release yet: "
            "run `muon-evidence refresh` (or `muon-evidence demo`) first."
        )
    return release


@contextmanager
def _of_this_version(files: Files, path: str) -> Iterator[None]:
    try:
        yield
    except (ValueError, TypeError, KeyError) as error:
        raise UsageError(
            f"{path} in the data location {files.uri} was not written by this version of the "
            "program: use another location, or the version that wrote this one."
        ) from error
