"""What a listing changes: absence is not withdrawal, and one paper is one row."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.corpus.reconcile import (
    ACTIVE,
    NO_PDF,
    UNLISTED,
    WITHDRAWN,
    Changes,
    Lost,
    listed_paper,
    lost_papers,
    paper_row,
    pdf_inputs,
    reconcile,
    shrank,
    with_pdf,
    with_status,
    without_pdf,
)
from assets.corpus.selection import in_release
from resources.lake import Row
from resources.source import ListedPaper
from tests.support.rows import in_folder, listed


@dataclass
class Compared:
    """What a listing came to: rows to write, what they are, and what is lost."""

    rows: list[Row]
    counts: dict[str, int]
    lost: Lost


def compare(
    now: Iterable[ListedPaper],
    known: Mapping[str, Row],
    covers: Callable[[Row], bool] = lambda row: False,
    source: str = "arxiv",
) -> Compared:
    now, changes = list(now), Changes()
    rows = list(reconcile(now, known, tier_of, changes))
    counts = {name: count for name, count in asdict(changes).items() if count}
    return Compared(rows, counts, lost_papers({p.paper_id for p in now}, known, source, covers))


def rows_of(papers: Iterable[ListedPaper]) -> dict[str, Row]:
    return {paper.paper_id: paper_row(paper, tier_of(paper)) for paper in papers}


def compared(
    now: Iterable[ListedPaper],
    before: Iterable[ListedPaper] = (),
    covers: Callable[[Row], bool] = lambda row: False,
    source: str = "arxiv",
) -> Compared:
    return compare(now, rows_of(before), covers, source)


def tier_of(paper: ListedPaper) -> str:
    return "sample" if paper.source == "sample" else "preprint"


def everything(row: Row) -> bool:
    del row
    return True


OLD = listed("2303.08533")


def test_a_new_paper() -> None:
    changes = compared([OLD, listed("hep-ph/9909255")], before=[OLD])
    assert changes.counts == {"new": 1, "unchanged": 1}
    assert [row["paper_id"] for row in changes.rows] == ["hep-ph/9909255"]
    assert changes.rows[0]["status"] == ACTIVE


def test_a_new_version_has_another_pdf() -> None:
    changes = compared([listed("2303.08533", version=2)], before=[OLD])
    assert changes.counts == {"new_version": 1}
    assert pdf_inputs(changes.rows[0]) != pdf_inputs(paper_row(OLD, "preprint"))


@pytest.mark.parametrize(
    "field", ["title", "doi", "journal_ref", "comment", "licence", "updated", "abstract"]
)
def test_a_metadata_only_change_leaves_the_pdf_alone(field: str) -> None:
    changes = compared([listed("2303.08533", **{field: "changed"})], before=[OLD])
    assert changes.counts == {"metadata_only": 1}
    assert pdf_inputs(changes.rows[0]) == pdf_inputs(paper_row(OLD, "preprint"))
    assert changes.rows[0][field] == "changed"


def test_another_tier_is_a_change_of_metadata() -> None:
    known = {"2303.08533": paper_row(OLD, "journal article")}
    assert compare([OLD], known).counts == {"metadata_only": 1}


def test_a_file_with_other_bytes_is_a_new_version() -> None:
    changes = compared(
        [in_folder("local:1", sha256="b" * 64)], before=[in_folder("local:1", sha256="a" * 64)]
    )
    assert changes.counts == {"new_version": 1}


def test_a_withdrawn_paper_is_a_tombstone() -> None:
    changes = compared([listed("2303.08533", version=2, withdrawn=True)], before=[OLD])
    assert changes.counts == {"withdrawn": 1}
    assert changes.rows[0]["status"] == WITHDRAWN
    again = compare(
        [listed("2303.08533", version=2, withdrawn=True)], {"2303.08533": changes.rows[0]}
    )
    assert again.counts == {"unchanged": 1}


def test_a_withdrawal_taken_back_by_a_new_version_is_active() -> None:
    gone = rows_of([listed("2303.08533", version=2, withdrawn=True)])
    changes = compare([listed("2303.08533", version=3)], gone)
    assert changes.counts == {"new_version": 1}
    assert changes.rows[0]["status"] == ACTIVE


def test_a_paper_without_pdf_stays_a_tombstone_until_there_is_another_version() -> None:
    tombstone = {"2303.08533": without_pdf(paper_row(OLD, "preprint"))}
    assert compare([OLD], tombstone).rows == []
    corrected = compare([listed("2303.08533", title="changed")], tombstone)
    assert [(row["status"], row["title"]) for row in corrected.rows] == [(NO_PDF, "changed")]
    again = compare([listed("2303.08533", version=2)], tombstone)
    assert [row["status"] for row in again.rows] == [ACTIVE]
    assert compare([OLD], {"2303.08533": with_pdf(tombstone["2303.08533"])}).rows == []


def test_absence_is_not_withdrawal() -> None:
    changes = compared([listed("2401.00001")], before=[OLD])
    assert changes.counts == {"new": 1}
    assert (changes.lost.unlisted, changes.lost.absent) == ([], 1)


def test_a_listing_that_covers_a_paper_may_drop_it() -> None:
    other = in_folder("local:2", "/papers/b.pdf")
    before = [in_folder("local:1"), other, in_folder("local:3", "/elsewhere/c.pdf")]
    changes = compared(
        [other], before, covers=lambda row: row["url"].startswith("/papers/"), source="folder"
    )
    assert changes.counts == {"unchanged": 1}
    assert changes.lost == Lost(unlisted=["local:1"], covered=2, absent=1)
    assert not changes.lost.too_many


def test_a_listing_says_nothing_of_other_sources() -> None:
    changes = compared([OLD], [OLD, in_folder("local:1")], covers=everything)
    assert changes.lost == Lost(covered=1)


def test_a_paper_that_comes_back_is_active_again() -> None:
    one = in_folder("local:1")
    known = {"local:1": with_status(paper_row(one, "preprint"), UNLISTED)}
    changes = compare([one], known, everything, "folder")
    assert [row["status"] for row in changes.rows] == [ACTIVE]
    assert changes.counts == {"new": 1}
    assert changes.lost == Lost()


@pytest.mark.parametrize(("kept", "believed"), [(0, False), (4, False), (5, True), (10, True)])
def test_a_listing_that_lost_more_than_half_is_not_believed(kept: int, believed: bool) -> None:
    papers = [in_folder(f"local:{n}") for n in range(10)]
    lost = compared(papers[:kept], papers, everything, "folder").lost
    assert lost.too_many is not believed
    assert len(lost.unlisted) == 10 - kept


def test_the_first_listing_shrinks_nothing() -> None:
    assert not compared([OLD], covers=everything).lost.too_many
    assert not compared([], covers=everything).lost.too_many


@pytest.mark.parametrize(
    ("total", "before", "believed"),
    [(0, 0, True), (5, 0, True), (90, 100, True), (89, 100, False), (0, 1, False)],
)
def test_a_total_that_fell_by_more_than_a_tenth_is_not_believed(
    total: int, before: int, believed: bool
) -> None:
    assert shrank(total, before) is not believed


def test_an_index_that_lags_behind_brings_no_older_version_back() -> None:
    changes = compared([OLD], before=[listed("2303.08533", version=2)])
    assert changes.counts == {"unchanged": 1}


def test_one_paper_of_two_sources_is_one_row_of_the_better_known() -> None:
    filed = in_folder("2303.08533")
    assert compared([filed], before=[OLD]).counts == {"unchanged": 1}
    taken_over = compared([OLD], before=[filed])
    assert taken_over.counts == {"new_version": 1}
    assert [row["source"] for row in taken_over.rows] == ["arxiv"]
    sample = listed("2303.08533", source="sample")
    assert [row["source"] for row in compared([filed], before=[sample]).rows] == ["folder"]
    assert compared([sample], before=[filed]).rows == []


def test_a_copy_in_a_folder_does_not_bring_back_what_arxiv_withdrew() -> None:
    withdrawn = listed("2303.08533", withdrawn=True)
    assert compared([in_folder("2303.08533")], before=[withdrawn]).rows == []


def test_what_arxiv_is_no_longer_asked_for_may_come_from_a_folder() -> None:
    known = {"2303.08533": with_status(paper_row(OLD, "preprint"), UNLISTED)}
    changes = compare([in_folder("2303.08533")], known)
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
    known = rows_of(before)
    first = compare(now, known, lambda row: covered)
    lost = {key: with_status(known[key], UNLISTED) for key in first.lost.unlisted}
    after = known | {row["paper_id"]: row for row in first.rows} | lost
    assert set(after) == set(known) | {paper.paper_id for paper in now}
    again = compare(now, after, lambda row: covered)
    assert again.rows == []
    assert again.counts.get("unchanged", 0) == len(now)
    assert again.lost.unlisted == []
