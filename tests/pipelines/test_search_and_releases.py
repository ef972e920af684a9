"""Searching a part of a release, and comparing releases, on the command line."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assets.retrieval.release import load_release, publish, require_current
from assets.tables import CHUNKS, FACTUAL_DENSITY, PAPERS, dense_index
from resources.files import Files
from resources.lake import Lake, col
from tests.support.pipeline import Demo, Finished, Muon


def hits(ended: Finished) -> list[dict[str, Any]]:
    assert ended.status == 0, ended.err
    found: list[dict[str, Any]] = ended.json["hits"]
    return found


def test_each_filter_holds_for_every_hit(muon: Muon, demo: Demo) -> None:
    everything = hits(muon("search", "muon beam", "--k", "1000", "--json", data=demo.data))
    first = everything[0]
    kinds = {hit["kind"] for hit in everything}
    assert len(kinds) > 1
    for kind in kinds:
        found = hits(muon("search", "muon beam", "--kind", kind, "--json", data=demo.data))
        assert found
        assert {hit["kind"] for hit in found} == {kind}
    found = hits(muon("search", "muon", "--paper", first["paper_id"], "--json", data=demo.data))
    assert {hit["paper_id"] for hit in found} == {first["paper_id"]}
    heading = next(hit["section"][-1] for hit in everything if hit["section"])
    found = hits(muon("search", "muon", "--section", heading.upper(), "--json", data=demo.data))
    assert found
    assert all(heading.lower() in " > ".join(hit["section"]).lower() for hit in found)


def test_a_tag_keeps_to_papers_that_it_fits(muon: Muon, demo: Demo) -> None:
    def papers(*options: str) -> set[str]:
        found = hits(muon("search", "muon beam", *options, "--k", "99", "--json", data=demo.data))
        return {hit["paper_id"] for hit in found}

    higgs = papers("--tag", "higgs")
    assert {"sample-higgs", "sample-higgs-factory"} <= higgs
    assert "sample-magnets" not in higgs
    assert higgs < papers("--tag", "higgs", "--tag", "machine")
    assert papers("--tag", "higgs", "--paper", "sample-higgs") == {"sample-higgs"}
    assert papers("--tag", "higgs", "--paper", "sample-magnets") == set()


def test_the_agent_keeps_to_the_filters(muon: Muon, demo: Demo) -> None:
    papers = sorted(
        {
            hit["paper_id"]
            for hit in hits(muon("search", "muon", "--k", "50", "--json", data=demo.data))
        }
    )[:2]
    asked = [word for paper in papers for word in ("--paper", paper)]
    question = "How is beam-induced background kept out of the tracker?"
    found = hits(muon("search", question, "--mode", "agentic", *asked, "--json", data=demo.data))
    assert found
    assert {hit["paper_id"] for hit in found} <= set(papers)


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--paper", "9999.99999", r"has --paper '9999.99999'; there are: sample-"),
        ("--kind", "figur", r"has --kind 'figur'; there are: .*paragraph"),
        ("--tier", "rumour", r"has --tier 'rumour'; there are: "),
        ("--category", "x' OR '1'='1", r"has --category .*; there are: "),
        ("--tag", "accelerator", r"no tag 'accelerator' in the profile; there are: higgs, "),
        ("--section", "no such heading", r"No section of this release is named like"),
    ],
)
def test_what_the_release_does_not_have_is_named(
    muon: Muon, demo: Demo, option: str, value: str, said: str
) -> None:
    ended = muon("search", "muon", option, value, data=demo.data)
    assert (ended.status, ended.out) == (2, "")
    assert re.search(said, ended.err), ended.err


def test_years_in_the_wrong_order_are_refused(muon: Muon, demo: Demo) -> None:
    ended = muon("search", "muon", "--year-from", "2024", "--year-to", "2020", data=demo.data)
    assert (ended.status, ended.out) == (2, "")
    assert "no year from 2024 to 2020" in ended.err


def test_two_releases_are_compared(
    muon: Muon, demo: Demo, copy_of_demo: Callable[[], Path]
) -> None:
    data = copy_of_demo()
    lake, files = Lake(f"{data}/lake"), Files(str(data))
    before = require_current(files)
    table = dense_index(before.dimension)
    gone = lake.rows(table, ["paper_id"])[0]["paper_id"]
    lake.delete(table, col("paper_id") == gone)
    later = {"release_id": "20990101-later", "created": "2099-01-01T00:00:00+00:00", "versions": {}}
    fields = {name: getattr(before, name) for name in before.__slots__}
    after = publish(
        lake, files, type(before)(**{**fields, **later}), [PAPERS, CHUNKS, FACTUAL_DENSITY, table]
    )
    assert load_release(files, after.release_id) == after
    ended = muon("releases", "--compare", before.release_id, after.release_id, "--json", data=data)
    found = json.loads(ended.out)
    assert found["papers"] == {"added": [], "removed": [gone], "changed": []}
    assert found["chunks"]["removed"]
    assert found["chunks"]["added"] == found["scores"] == []
    shown = muon("releases", "--compare", before.release_id, after.release_id, data=data)
    assert f"- {gone}" in shown.out
    assert "run `muon-evidence evaluate`" in shown.out
    unknown = muon("releases", "--compare", before.release_id, "x", data=data)
    assert (unknown.status, unknown.out) == (2, "")
    assert "There is no release 'x'" in unknown.err
