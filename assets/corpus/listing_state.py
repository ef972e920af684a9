"""How far a source was listed: the watermark from which the next listing of changes starts.

The watermark moves only past a listing that was complete and whose papers were all written: what
a broken one missed would otherwise lie behind it for ever. Until then the state is not `settled`,
and the next listing may not stop early at papers that are known, since they may be what the
broken one wrote.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace

from resources.files import Files

FOLDER = "state"


@dataclass(frozen=True, slots=True)
class ListingState:
    """`watermark` is the newest update that was listed, `completed` the time of the last complete
    listing (ISO 8601, UTC, or empty), `query` the fingerprint of what was asked for, `total` how
    many papers the source has by its last whole listing, `named` the ids that people asked for
    besides."""

    watermark: str = ""
    query: str = ""
    total: int = 0
    completed: str = ""
    named: tuple[str, ...] = ()
    settled: bool = True

    def after(self, newest: str, query: str, total: int, completed: str) -> "ListingState":
        """The state after a complete listing whose newest update is `newest`, or empty."""
        before = self.watermark if query == self.query else ""
        return ListingState(
            watermark=max(newest, before),
            query=query,
            total=total,
            completed=completed,
            named=self.named,
        )

    def naming(self, ids: Iterable[str]) -> "ListingState":
        """The state with some more ids that are listed from now on."""
        return replace(self, named=tuple(sorted({*self.named, *ids})))


def read_state(files: Files, source: str) -> ListingState:
    """The state of a source; empty before its first complete listing."""
    path = f"{FOLDER}/listing-{source}.json"
    if not files.exists(path):
        return ListingState()
    fields = files.read_json(path)
    return ListingState(**{**fields, "named": tuple(fields.get("named", ()))})


def write_state(files: Files, source: str, state: ListingState) -> None:
    """Remember how far a source was listed."""
    if read_state(files, source) != state:
        files.write_json(f"{FOLDER}/listing-{source}.json", asdict(state))


def listed_sources(files: Files) -> list[str]:
    """The sources that were ever listed."""
    names = [name for name in files.list(FOLDER) if name.startswith("listing-")]
    return [name.removeprefix("listing-").removesuffix(".json") for name in names]
