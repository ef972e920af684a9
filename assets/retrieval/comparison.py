"""What changed from one release to another: papers, passages, and how they are searched."""

from collections.abc import Mapping
from dataclasses import dataclass

from assets.increment import fingerprint
from assets.retrieval.release import Release
from assets.tables import CHUNKS, PAPERS, dense_index
from resources.lake import Lake, Row, Table

#: What a release says of how it is searched.
_SEARCHED_BY = ("encoder", "density_variant", "tokenizer", "sparse_index")

_Rows = dict[str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Ids that only the later release has (`added`), only the earlier (`removed`), or both with
    different content (`changed`). A paper is changed where what is known of it or any of its
    passages is another, a passage where what a hit shows of it is, or its place on the page.
    `settings` maps what else differs to both values."""

    papers_added: list[str]
    papers_removed: list[str]
    papers_changed: list[str]
    chunks_added: list[str]
    chunks_removed: list[str]
    chunks_changed: list[str]
    chunks_kept: int
    settings: Mapping[str, tuple[str, str]]


def compare(lake: Lake, before: Release, after: Release) -> Comparison:
    """Compare two releases by what each pinned, whatever was written since."""
    old, new = _rows(lake, before), _rows(lake, after)
    both = old.keys() & new.keys()
    changed = {key for key in both if old[key] != new[key]}
    papers_old, papers_new = _papers(lake, before, old), _papers(lake, after, new)
    return Comparison(
        papers_added=sorted(papers_new.keys() - papers_old.keys()),
        papers_removed=sorted(papers_old.keys() - papers_new.keys()),
        papers_changed=sorted(
            key
            for key in papers_old.keys() & papers_new.keys()
            if papers_old[key] != papers_new[key]
        ),
        chunks_added=sorted(new.keys() - old.keys()),
        chunks_removed=sorted(old.keys() - new.keys()),
        chunks_changed=sorted(changed),
        chunks_kept=len(both) - len(changed),
        settings={
            name: (getattr(before, name), getattr(after, name))
            for name in _SEARCHED_BY
            if getattr(before, name) != getattr(after, name)
        },
    )


def _rows(lake: Lake, release: Release) -> _Rows:
    """Of every chunk its paper and what its row was made from, its place on the page included."""
    places = {
        row["chunk_id"]: row["boxes"]
        for row in _pinned(lake, CHUNKS, release, ["chunk_id", "boxes"])
    }
    return {
        row["chunk_id"]: (
            row["paper_id"],
            fingerprint(row["fingerprint"], places.get(row["chunk_id"])),
        )
        for row in _pinned(
            lake,
            dense_index(release.dimension),
            release,
            ["chunk_id", "paper_id", "fingerprint"],
        )
    }


def _papers(lake: Lake, release: Release, rows: _Rows) -> dict[str, set[tuple[str, str]]]:
    """Of every paper its chunks and what they and its own row were made from."""
    papers: dict[str, set[tuple[str, str]]] = {}
    for key, (paper, made_from) in rows.items():
        papers.setdefault(paper, set()).add((key, made_from))
    for row in _pinned(lake, PAPERS, release, ["paper_id", "fingerprint"]):
        if row["paper_id"] in papers:
            papers[row["paper_id"]].add(("", row["fingerprint"]))
    return papers


def _pinned(lake: Lake, table: Table, release: Release, columns: list[str]) -> list[Row]:
    version = release.versions[table.name]
    return lake.rows(table, columns, version=version) if version else []
