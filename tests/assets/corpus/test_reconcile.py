"""What a listing changes: absence is not withdrawal, and one paper is one row."""

from collections.abc import Callable, Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.corpus.reconcile import (
    ACTIVE,
    UNLISTED,
    WITHDRAWN,
    Changes,
    in_release,
    listed_paper,
    paper_row,
    pdf_inputs,
    reconcile,
    with_status,
)
from resources.lake import Row
from resources.source import ListedPaper
from tests.support.rows import in_folder, listed


def tier_of(paper: ListedPaper) -> str:
    return "sample" if paper.source == "sample" else "preprint"


def compared(
    now: Iterable[ListedPaper],
    before: Iterable[ListedPaper] = (),
    covers: Callable[[Row], bool] = lambda row: False,
) -> Changes:
    known = {paper.paper_id: paper_row(paper, tier_of(paper)) for paper in before}
    return reconcile(now, known, tier_of, covers)


def everything(row: Row) -> bool:
    del row
    return True


def counts(changes: Changes) -> dict[str, int]:
    names = ("new", "new_version", "metadata_only", "withdrawn", "unlisted", "unchanged")
    return {name: getattr(changes, name) for name in names if getattr(changes, name)}


OLD = listed("2303.08533")


def test_a_new_paper() -> None:
    changes = compared([OLD, listed("hep-ph/9909255")], before=[OLD])
    assert counts(changes) == {"new": 1, "unchanged": 1}
    assert [row["paper_id"] for row in changes.rows] == ["hep-ph/9909255"]
    assert changes.rows[0]["status"] == ACTIVE


def test_a_new_version_has_another_pdf() -> None:
    changes = compared([listed("2303.08533", version=2)], before=[OLD])
    assert counts(changes) == {"new_version": 1}
    assert pdf_inputs(changes.rows[0]) != pdf_inputs(paper_row(OLD, "preprint"))


@pytest.mark.parametrize(
    "field", ["title", "doi", "journal_ref", "comment", "licence", "updated", "abstract"]
)
def test_a_metadata_only_change_leaves_the_pdf_alone(field: str) -> None:
    changes = compared([listed("2303.08533", **{field: "changed"})], before=[OLD])
    assert counts(changes) == {"metadata_only": 1}
    assert pdf_inputs(changes.rows[0]) == pdf_inputs(paper_row(OLD, "preprint"))
    assert changes.rows[0][field] == "changed"


def test_another_tier_is_a_change_of_metadata() -> None:
    known = {"2303.08533": paper_row(OLD, "journal article")}
    assert counts(reconcile([OLD], known, tier_of, lambda row: False)) == {"metadata_only": 1}


def test_a_file_with_other_bytes_is_a_new_version() -> None:
    changes = compared(
        [in_folder("local:1", sha256="b" * 64)], before=[in_folder("local:1", sha256="a" * 64)]
    )
    assert counts(changes) == {"new_version": 1}


def test_a_withdrawn_paper_is_a_tombstone() -> None:
    changes = compared([listed("2303.08533", version=2, withdrawn=True)], before=[OLD])
    assert counts(changes) == {"withdrawn": 1}
    assert changes.rows[0]["status"] == WITHDRAWN
    again = reconcile(
        [listed("2303.08533", version=2, withdrawn=True)],
        {"2303.08533": changes.rows[0]},
        tier_of,
        everything,
    )
    assert counts(again) == {"unchanged": 1}


def test_absence_is_not_withdrawal() -> None:
    changes = compared([listed("2401.00001")], before=[OLD])
    assert counts(changes) == {"new": 1}
    assert compared([], before=[OLD]).rows == []


def test_a_listing_that_covers_a_paper_may_drop_it() -> None:
    other = in_folder("local:2", "/papers/b.pdf")
    before = [in_folder("local:1"), other, in_folder("local:3", "/elsewhere/c.pdf")]
    changes = compared([other], before, covers=lambda row: row["url"].startswith("/papers/"))
    assert counts(changes) == {"unlisted": 1, "unchanged": 1}
    assert [(row["paper_id"], row["status"]) for row in changes.rows] == [("local:1", UNLISTED)]
    assert (changes.lost, changes.lost_of, changes.shrank) == (1, 2, False)


def test_a_paper_that_comes_back_is_active_again() -> None:
    one = in_folder("local:1")
    known = {"local:1": with_status(paper_row(one, "preprint"), UNLISTED)}
    changes = reconcile([one], known, tier_of, everything)
    assert [row["status"] for row in changes.rows] == [ACTIVE]
    assert changes.lost_of == 0


@pytest.mark.parametrize(("kept", "believed"), [(0, False), (4, False), (5, True), (10, True)])
def test_a_listing_that_lost_more_than_half_is_not_believed(kept: int, believed: bool) -> None:
    papers = [in_folder(f"local:{n}") for n in range(10)]
    changes = compared(papers[:kept], before=papers, covers=everything)
    assert changes.shrank is not believed
    assert changes.lost == 10 - kept


def test_the_first_listing_shrinks_nothing() -> None:
    assert not compared([OLD], covers=everything).shrank
    assert not compared([], covers=everything).shrank


def test_one_paper_of_two_sources_is_one_row_of_the_better_known() -> None:
    filed = in_folder("2303.08533")
    assert counts(compared([filed], before=[OLD])) == {"unchanged": 1}
    taken_over = compared([OLD], before=[filed])
    assert counts(taken_over) == {"new_version": 1}
    assert [row["source"] for row in taken_over.rows] == ["arxiv"]
    sample = listed("2303.08533", source="sample")
    assert [row["source"] for row in compared([filed], before=[sample]).rows] == ["folder"]
    assert compared([sample], before=[filed]).rows == []


def test_a_withdrawn_paper_gives_way_to_a_file_of_it() -> None:
    withdrawn = listed("2303.08533", withdrawn=True)
    changes = compared([in_folder("2303.08533")], before=[withdrawn])
    assert [(row["source"], row["status"]) for row in changes.rows] == [("folder", ACTIVE)]


def test_samples_step_aside_for_real_papers() -> None:
    samples = [paper_row(listed(f"sample-{n}", source="sample"), "sample") for n in range(2)]
    real = paper_row(OLD, "preprint")
    assert in_release(samples) == samples
    assert in_release([*samples, real]) == [real]
    assert in_release([*samples, with_status(real, WITHDRAWN)]) == samples
    assert in_release([with_status(real, UNLISTED)]) == []


PAPERS_LISTED = st.builds(
    listed,
    st.sampled_from(["2303.08533", "2401.00001", "hep-ph/9909255", "local:1"]),
    version=st.integers(1, 3),
    title=st.text(max_size=5),
    authors=st.lists(st.text(max_size=5), max_size=2).map(tuple),
    withdrawn=st.booleans(),
    sha256=st.sampled_from(["", "a" * 64]),
    source=st.sampled_from(["arxiv", "folder", "sample"]),
)


@given(paper=PAPERS_LISTED)
def test_a_row_gives_back_what_was_listed(paper: ListedPaper) -> None:
    assert listed_paper(paper_row(paper, "preprint")) == paper


@given(
    before=st.lists(PAPERS_LISTED, unique_by=lambda paper: paper.paper_id),
    now=st.lists(PAPERS_LISTED, unique_by=lambda paper: paper.paper_id),
    covered=st.booleans(),
)
def test_the_same_listing_twice_changes_nothing_more(
    before: list[ListedPaper], now: list[ListedPaper], covered: bool
) -> None:
    known = {paper.paper_id: paper_row(paper, tier_of(paper)) for paper in before}
    first = reconcile(now, known, tier_of, lambda row: covered)
    after = known | {row["paper_id"]: row for row in first.rows}
    assert set(after) == set(known) | {paper.paper_id for paper in now}
    again = reconcile(now, after, tier_of, lambda row: covered)
    assert again.rows == []
    assert again.unchanged == len(now)
