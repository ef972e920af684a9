"""A reader meets no error while all that writes goes on beside it; `make stress` takes longer."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from assets.retrieval.records import Passage
from tests.support.releases import manifest
from tests.support.stress import EVERY_PAPER, KILL, PARTS, stress, whole

STEPS = ["refresh", KILL, "rebuild_indices", "rollback", "maintenance"]


def test_a_reader_beside_every_writer_sees_only_whole_releases(tmp_path: Path) -> None:
    outcome = stress(tmp_path, STEPS, seed=3)
    assert outcome.seen.errors == []
    assert outcome.failed == []
    assert sum(outcome.steps.values()) == 1 + len(STEPS)
    assert outcome.seen.searches > 0
    pointer = json.loads((tmp_path / "data" / "releases" / "current.json").read_text())
    assert len(list((tmp_path / "data" / "releases").glob("20*.json"))) > 1
    assert pointer["release_id"]


def passages() -> list[Passage]:
    """Every paper whole, in its first edition, a passage a part."""
    return [
        Passage(
            chunk_id=f"{paper} {part}",
            paper_id=paper,
            ordinal=part,
            title="",
            section=(),
            kind="paragraph",
            page_start=1,
            page_end=1,
            text=f"in {paper.removeprefix('stress-')}ed1part{part}.",
        )
        for paper in EVERY_PAPER
        for part in range(PARTS)
    ]


def test_the_reader_would_see_what_is_missing_or_mixed() -> None:
    complete = passages()
    release = manifest("r", counts={"chunks": len(complete)})
    whole(release, complete)
    with pytest.raises(AssertionError, match="holds"):
        whole(release, complete[1:])
    other = replace(complete[0], text=complete[0].text.replace("ed1", "ed2"))
    with pytest.raises(AssertionError, match="editions"):
        whole(release, [other, *complete[1:]])
    without = replace(complete[0], text="nothing")
    with pytest.raises(AssertionError, match=r"lacks the parts \[0\]"):
        whole(release, [without, *complete[1:]])
    strange = replace(complete[0], paper_id=EVERY_PAPER[1])
    with pytest.raises(AssertionError, match="text"):
        whole(release, [strange, *complete[1:]])
