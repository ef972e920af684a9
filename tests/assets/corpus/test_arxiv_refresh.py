"""A corpus kept from arXiv, run after run: what is asked, what changes, and what stays."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from assets.corpus import assets as stage
from assets.corpus.listing_state import read_state
from assets.corpus.selection import live_papers
from assets.tables import CHUNKS, CLAIMS, DOCUMENTS, PAPERS, PDFS
from resources.errors import MuonEvidenceError
from resources.lake import Lake
from tests.support.arxiv_access import profile_with
from tests.support.arxiv_catalogue import Entry
from tests.support.arxiv_corpus import TO_CHUNKS, ArxivCorpus, arxiv_corpus
from tests.support.arxiv_server import Fault
from tests.support.tiny_pdf import tiny_pdf

#: An old-style id of the catalogue's first papers, of one version; and one of two versions.
PAPER, OTHER, TWICE = "hep-ph/0601003", "hep-ph/0601004", "hep-ph/0601005"


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[ArxivCorpus]:
    """Twelve papers, listed and fetched."""
    with arxiv_corpus(tmp_path / "data", 12) as corpus:
        corpus.run()
        yield corpus


def whole(tables: dict[str, bool]) -> bool:
    return all(tables.values())


# Incremental


def test_a_refresh_works_for_what_changed_only(tmp_path: Path) -> None:
    """Papers to release through the job: nothing new, then one paper of each kind of change."""
    with arxiv_corpus(tmp_path / "data", 60) as corpus:
        first = corpus.refresh()
        assert corpus.asked == (3, {entry.paper_id: 1 for entry in corpus.server.catalogue.entries})
        assert first["release"]["papers"] == 60
        pages = {row["paper_id"]: row["text_sha"] for row in corpus.parts().lake.rows(CHUNKS)}
        claims = corpus.parts().lake.count(CLAIMS)

        again = corpus.refresh()
        searches, downloads = corpus.asked
        assert searches <= 2
        assert downloads == {}
        assert (again["papers"]["new"], again["papers"]["unchanged"]) == (0, 50)
        assert not again["release"]["new"]
        made = {name: found.get("rows_made", 0) for name, found in again.items()}
        assert made == dict.fromkeys(again, 0)

        new = corpus.server.catalogue.add_paper().paper_id
        version = corpus.server.catalogue.add_version(PAPER).paper_id
        corpus.server.catalogue.withdraw(OTHER)
        changed = corpus.refresh()
        searches, downloads = corpus.asked
        assert searches <= 2
        assert downloads == {new: 1, version: 1}
        counts = {name: changed["papers"][name] for name in ("new", "new_version", "withdrawn")}
        assert counts == {"new": 1, "new_version": 1, "withdrawn": 1}
        assert changed["papers"]["metadata_only"] == 0
        made = {name: changed[name]["rows_made"] for name in ("pdfs", "documents", "chunks")}
        assert made == {"pdfs": 2, "documents": 2, "chunks": 2}
        # Both pages of the new paper, and the page that the new version changed.
        assert changed["claims"]["rows_made"] == corpus.parts().lake.count(CLAIMS) - claims == 3
        # The page that did not change is linked to in the new version, its vector is looked up.
        assert changed["dense_index"]["rows_made"] == 4
        # All chunks are standardised among each other: the others are fitted anew, not made.
        assert changed["factual_density"]["rows_made"] == 3
        assert changed["release"]["papers"] == 60
        after = {row["paper_id"]: row["text_sha"] for row in corpus.parts().lake.rows(CHUNKS)}
        assert after.keys() ^ pages.keys() == {new, OTHER}
        assert {key for key in after.keys() & pages.keys() if after[key] != pages[key]} == {PAPER}


def test_a_metadata_only_change_touches_no_pdf(corpus: ArxivCorpus) -> None:
    """arXiv adds a journal reference without another date of update: a full listing sees it."""
    corpus.run(TO_CHUNKS)
    corpus.server.catalogue.change(PAPER, journal_ref="Phys. Rev. D 1 (2026) 1", doi="10.1/2")
    assert corpus.run()["papers"]["metadata_only"] == 1, "the last days are always looked at"
    assert corpus.asked[1] == {}
    assert corpus.rows(PAPERS)[PAPER]["journal_ref"] == "Phys. Rev. D 1 (2026) 1"
    later = corpus.run(TO_CHUNKS, full=True)
    assert [later[name]["rows_made"] for name in ("pdfs", "documents", "chunks")] == [0, 0, 0]


def test_a_new_version_replaces_the_old_ones_rows(corpus: ArxivCorpus) -> None:
    corpus.run(TO_CHUNKS)
    others = {key: row for key, row in corpus.rows(DOCUMENTS).items() if key != PAPER}
    corpus.server.catalogue.add_version(PAPER)
    corpus.run(TO_CHUNKS)
    assert corpus.rows(PDFS)[PAPER]["path"] == "pdfs/hep-ph_0601003v2.pdf"
    texts = [row["text"] for row in corpus.parts().lake.rows(CHUNKS) if row["paper_id"] == PAPER]
    assert any("version 2 of" in text for text in texts)
    assert not any("version 1 of" in text for text in texts)
    assert {key: row for key, row in corpus.rows(DOCUMENTS).items() if key != PAPER} == others


def test_until_a_new_versions_pdf_is_there_the_old_one_is_cited(corpus: ArxivCorpus) -> None:
    corpus.server.catalogue.add_version(PAPER)
    corpus.server.plan_pdf(PAPER, *[Fault.CUT] * 3)
    corpus.run()
    live = live_papers(corpus.parts().lake)[PAPER]
    assert (live["version"], live["pdf"]["version"]) == (1, 1)
    assert "arrived cut short" in corpus.messages[PAPER] or "broke off" in corpus.messages[PAPER]
    corpus.run()
    assert live_papers(corpus.parts().lake)[PAPER]["version"] == 2
    assert corpus.messages == {}


# Withdrawn


def test_a_withdrawn_paper_is_kept_as_a_tombstone(corpus: ArxivCorpus) -> None:
    corpus.run(TO_CHUNKS)
    corpus.server.catalogue.withdraw(PAPER)
    made = corpus.run(TO_CHUNKS)
    assert corpus.asked[1] == {}
    assert corpus.holds(PAPER) == {
        "papers": True, "pdfs": False, "documents": False, "chunks": False
    }  # fmt: skip
    assert made["pdfs"]["rows_removed"] == made["documents"]["rows_removed"] == 1
    assert corpus.rows(PAPERS)[PAPER]["status"] == "withdrawn"
    why = corpus.status["papers"]["out_of_release"][PAPER]
    assert why.startswith("arxiv says that it is withdrawn (This paper has been withdrawn by")
    assert corpus.parts().files.exists("pdfs/hep-ph_0601003v1.pdf"), "the file stays"


def test_a_withdrawal_that_is_taken_back_costs_one_download(corpus: ArxivCorpus) -> None:
    corpus.server.catalogue.withdraw(PAPER)
    corpus.run()
    corpus.server.catalogue.add_version(PAPER)
    corpus.server.catalogue.change(PAPER, comment="Replaced.")
    corpus.run()
    assert corpus.asked[1] == {PAPER: 1}
    assert corpus.rows(PAPERS)[PAPER]["status"] == "active"


@pytest.fixture
def without_pdf(tmp_path: Path) -> Iterator[ArxivCorpus]:
    """Four papers, one of which has no PDF."""
    with arxiv_corpus(tmp_path / "data", 4) as corpus:
        corpus.server.plan_pdf(PAPER, *[Fault.NOT_FOUND] * 9)
        corpus.run()
        yield corpus


LEFT_OUT = "it is left out until there is another version."
MISSING = f"The PDF of {PAPER} version 1 cannot be had: arXiv has none (404 Not Found); {LEFT_OUT}"


def test_a_paper_without_pdf_is_a_tombstone_and_not_asked_for_again(
    without_pdf: ArxivCorpus,
) -> None:
    assert without_pdf.rows(PAPERS)[PAPER]["status"] == "no_pdf"
    assert without_pdf.status["papers"]["out_of_release"] == {PAPER: MISSING}
    without_pdf.run(full=True)
    assert without_pdf.asked[1] == {}
    assert without_pdf.messages == {PAPER: MISSING}
    without_pdf.server.catalogue.change(PAPER, doi="10.1/2")
    without_pdf.run(full=True)
    assert without_pdf.asked[1] == {}, "other metadata are no other PDF"
    assert without_pdf.rows(PAPERS)[PAPER]["status"] == "no_pdf"


def test_a_paper_whose_pdf_went_answers_nothing(corpus: ArxivCorpus) -> None:
    corpus.run(TO_CHUNKS)
    corpus.server.catalogue.add_version(PAPER)
    corpus.server.plan_pdf(PAPER, Fault.WITHDRAWN_PAGE)
    corpus.run(TO_CHUNKS)
    assert corpus.holds(PAPER) == {
        "papers": True, "pdfs": False, "documents": False, "chunks": False
    }  # fmt: skip
    said = (
        f"The PDF of {PAPER} version 2 cannot be had: arXiv says that it was withdrawn; {LEFT_OUT}"
    )
    assert corpus.messages == {PAPER: said}


def test_a_missing_pdf_is_asked_for_again_on_demand(without_pdf: ArxivCorpus) -> None:
    without_pdf.server.plan_pdf(PAPER)
    without_pdf.run(retry_failed=True)
    assert without_pdf.asked[1] == {PAPER: 1}
    assert without_pdf.rows(PAPERS)[PAPER]["status"] == "active"
    assert without_pdf.messages == {}
    assert without_pdf.run(full=True)["papers"]["unchanged"] == 4


def test_a_missing_pdf_may_come_with_a_new_version(without_pdf: ArxivCorpus) -> None:
    without_pdf.server.plan_pdf(PAPER)
    without_pdf.server.catalogue.add_version(PAPER)
    without_pdf.run()
    assert without_pdf.asked[1] == {PAPER: 1}
    assert without_pdf.messages == {}
    assert PAPER in live_papers(without_pdf.parts().lake)


def test_no_pdf_at_all_is_a_service_and_withdraws_nothing(tmp_path: Path) -> None:
    with arxiv_corpus(tmp_path / "data", 12) as corpus:
        for entry in corpus.server.catalogue.entries:
            corpus.server.plan_pdf(entry.paper_id, Fault.NOT_FOUND)
        with pytest.raises(MuonEvidenceError, match="Not one of 12 items could be made"):
            corpus.run()
        assert corpus.status["papers"]["by_status"] == {"active": 12}
        corpus.run()
        assert len(live_papers(corpus.parts().lake)) == 12


class Killed(BaseException):
    """Stands for a kill: nothing may catch it."""


def test_a_run_killed_before_it_sets_tombstones_leaves_that_to_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(_: object) -> int:
        raise Killed

    with arxiv_corpus(tmp_path / "data", 4) as corpus:
        corpus.server.plan_pdf(PAPER, Fault.GONE)
        with monkeypatch.context() as patch, pytest.raises(Killed):
            patch.setattr(stage, "settle", killed)
            corpus.run()
        corpus.run()
        assert corpus.asked[1] == {}
        assert corpus.rows(PAPERS)[PAPER]["status"] == "no_pdf"


# Absent, excluded, asked differently


def test_absence_is_not_withdrawal(corpus: ArxivCorpus) -> None:
    corpus.server.catalogue.lose(PAPER)
    listed = corpus.run(full=True)["papers"]
    assert (listed["absent"], listed["unlisted"], listed["withdrawn"]) == (1, 0, 0)
    assert PAPER in live_papers(corpus.parts().lake)


def test_what_the_profile_excludes_leaves_the_release_and_not_the_lake(corpus: ArxivCorpus) -> None:
    corpus.run(TO_CHUNKS)
    before, corpus.profile = corpus.profile, profile_with(exclude_ids=(PAPER,))
    listed = corpus.run(TO_CHUNKS)["papers"]
    assert listed["unlisted"] == 1
    assert corpus.holds(PAPER) == {"papers": True, "pdfs": True, "documents": True, "chunks": False}
    assert PAPER not in live_papers(corpus.parts().lake)
    why = corpus.status["papers"]["out_of_release"]
    assert why == {PAPER: "The profile no longer asks for it."}
    corpus.profile = before
    back = corpus.run(TO_CHUNKS)
    assert back["papers"]["new"] == 1
    assert corpus.asked[1] == {}
    assert back["documents"]["rows_made"] == 0
    assert corpus.holds(PAPER)["chunks"]


def test_another_query_is_listed_in_full(corpus: ArxivCorpus) -> None:
    """The first day of the catalogue falls out of the query, and so out of the release."""
    corpus.profile = profile_with(submitted_from="2006-01-03")
    listed = corpus.run()["papers"]
    assert (listed["listed"], listed["unlisted"]) == (9, 3)
    assert len(live_papers(corpus.parts().lake)) == 9
    assert corpus.run()["papers"]["unlisted"] == 0


def test_other_tiers_hold_for_the_papers_there_are(corpus: ArxivCorpus) -> None:
    rules = tuple(rule for rule in corpus.profile.tier_rules if not rule.doi and not rule.not_doi)
    assert len(rules) < len(corpus.profile.tier_rules)
    before = {key: row["tier"] for key, row in corpus.rows(PAPERS).items()}
    corpus.profile = corpus.profile.model_copy(update={"tier_rules": rules[-1:]})
    corpus.run()
    assert {key: row["tier"] for key, row in corpus.rows(PAPERS).items()} != before
    assert corpus.asked[1] == {}


# Short, shrunk, interrupted


def test_a_shrunk_listing_blocks_and_changes_nothing(corpus: ArxivCorpus) -> None:
    before = corpus.rows(PAPERS)
    gone = [entry.paper_id for entry in corpus.server.catalogue.entries[:2]]
    corpus.server.catalogue.lose(*gone)
    corpus.server.catalogue.add_version(PAPER)
    for full in (False, True):
        with pytest.raises(MuonEvidenceError, match="The arxiv listing shrank") as raised:
            corpus.run(full=full)
        assert str(raised.value) == (
            "The arxiv listing shrank: arxiv reports 10 papers where it reported 12 before; "
            "nothing was changed. If that is right, run again with --accept-shrunk "
            "(accept_shrunk in the launchpad)."
        )
        assert corpus.rows(PAPERS) == before
    corpus.run(accept_shrunk=True)
    assert corpus.run(full=True)["papers"]["absent"] == 2
    assert len(live_papers(corpus.parts().lake)) == 12, "absence is not withdrawal"


def test_a_query_that_lost_most_papers_blocks(corpus: ArxivCorpus) -> None:
    corpus.profile = profile_with(submitted_from="2006-01-04")
    with pytest.raises(MuonEvidenceError, match="lacks 7 of the 12 papers that it should hold"):
        corpus.run()
    assert len(live_papers(corpus.parts().lake)) == 12
    assert corpus.run(accept_shrunk=True)["papers"]["unlisted"] == 7
    assert len(live_papers(corpus.parts().lake)) == 5


def always(fault: Fault, start: str, corpus: ArxivCorpus) -> Callable[[], Iterator[Fault | None]]:
    """The fault of every search that begins at one place."""

    def plan() -> Iterator[Fault | None]:
        while True:
            yield fault if corpus.server.searches[-1]["start"] == start else None

    return plan


def test_an_incomplete_listing_blocks_but_keeps_what_it_got(tmp_path: Path) -> None:
    with arxiv_corpus(tmp_path / "data", 120) as corpus:
        corpus.server._api_faults = always(Fault.EMPTY_PAGE, "50", corpus)()
        with pytest.raises(MuonEvidenceError, match="The arxiv listing was incomplete") as raised:
            corpus.run()
        assert "reports 120 papers but gave 70" in str(raised.value)
        assert len(corpus.rows(PAPERS)) == 70
        assert corpus.status["papers"]["last_complete_listing"] == {"arxiv": ""}
        corpus.server.plan()
        assert corpus.run()["papers"]["new"] == 50


def test_a_total_that_is_always_too_high_can_be_lived_with(tmp_path: Path) -> None:
    with arxiv_corpus(tmp_path / "data", 12) as corpus:
        corpus.server.plan(*[Fault.HIGH_TOTAL] * 99)
        with pytest.raises(MuonEvidenceError, match="if it stays so with --accept-shrunk"):
            corpus.run([stage.papers])
        accepted = corpus.run([stage.papers], accept_shrunk=True)["papers"]
        assert (accepted["listed"], accepted["reported"], accepted["unlisted"]) == (12, 22, 0)
        corpus.server.plan(*[Fault.HIGH_TOTAL] * 99)
        assert corpus.run([stage.papers])["papers"]["listed"] == 12, "changes are listed again"
        corpus.server.plan()
        corpus.run([stage.papers], full=True)


def test_what_a_broken_listing_of_changes_missed_is_found_by_the_next(tmp_path: Path) -> None:
    """The next one must not stop at the first page only because the broken one wrote that."""
    with arxiv_corpus(tmp_path / "data", 200) as corpus:
        corpus.run([stage.papers])
        since = read_state(corpus.parts().files, "arxiv").watermark
        new = {corpus.server.catalogue.add_paper().paper_id for _ in range(120)}
        corpus.server._api_faults = always(Fault.EMPTY_PAGE, "100", corpus)()
        with pytest.raises(MuonEvidenceError, match="may lack papers"):
            corpus.run([stage.papers])
        assert len(new & corpus.rows(PAPERS).keys()) == 100
        assert read_state(corpus.parts().files, "arxiv").watermark == since
        corpus.server.plan()
        assert corpus.run([stage.papers])["papers"]["new"] == 20
        assert new <= corpus.rows(PAPERS).keys()


def test_a_run_killed_while_it_writes_a_listing_loses_none_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with arxiv_corpus(tmp_path / "data", 200) as corpus:
        corpus.run([stage.papers])
        new = {corpus.server.catalogue.add_paper().paper_id for _ in range(120)}
        with monkeypatch.context() as patch, pytest.raises(Killed):
            patch.setattr("assets.corpus.intake.BATCH", 60)
            patch.setattr("resources.lake.Lake.merge", _second_time_killed())
            corpus.run([stage.papers])
        assert len(new & corpus.rows(PAPERS).keys()) == 60
        assert corpus.run([stage.papers])["papers"]["new"] == 60
        assert new <= corpus.rows(PAPERS).keys()


def _second_time_killed() -> Callable[..., int]:
    merge, calls = Lake.merge, []

    def counted(self: Any, table: Any, rows: Any) -> int:
        calls.append(table)
        if len(calls) == 2:
            raise Killed
        return merge(self, table, rows)

    return counted


# Named papers


@pytest.fixture
def narrow(tmp_path: Path) -> Iterator[ArxivCorpus]:
    """A profile that asks for the later four of twelve papers."""
    with arxiv_corpus(tmp_path / "data", 12, {"submitted_from": "2006-01-04"}) as corpus:
        yield corpus


def test_papers_that_were_named_stay_and_are_kept_fresh(narrow: ArxivCorpus) -> None:
    narrow.run(ids=f"{PAPER}, arXiv:{OTHER}v1")
    assert narrow.asked == (1, {PAPER: 1, OTHER: 1})
    listed = narrow.run()["papers"]
    assert (listed["new"], listed["unlisted"]) == (5, 0), "the profile's own papers come besides"
    assert narrow.run(full=True)["papers"]["unlisted"] == 0
    narrow.server.catalogue.add_version(PAPER)
    assert narrow.run()["papers"]["new_version"] == 1
    assert narrow.asked == (2, {PAPER: 1})
    assert len(live_papers(narrow.parts().lake)) == 7


def test_papers_of_a_bib_file(narrow: ArxivCorpus, tmp_path: Path) -> None:
    bib = tmp_path / "refs.bib"
    bib.write_text(
        '@article{A:2006abc, eprint = "hep-ph/0601003", archivePrefix = "arXiv"}\n'
        "@article{B:1990xyz, doi = {10.1103/PhysRevD.1.1}}\n"
    )
    listed = narrow.run(ids=str(bib))["papers"]
    assert (listed["new"], narrow.asked[1]) == (1, {PAPER: 1})
    assert list(narrow.messages.values()) == [f"The entry B:1990xyz of {bib} names no arXiv paper."]


def test_ids_that_name_nothing_stop_the_run(narrow: ArxivCorpus) -> None:
    with pytest.raises(MuonEvidenceError, match="No paper was listed: arXiv knows no paper"):
        narrow.run(ids="0000.0000")


def test_what_was_wrong_with_one_source_is_not_forgotten_by_another(
    narrow: ArxivCorpus, tmp_path: Path
) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "mine.pdf").write_bytes(narrow.server.pdf_of(PAPER, 1))
    (folder / "bad.pdf").write_bytes(b"")
    narrow.run(source="folder", folder=str(folder))
    narrow.run(ids=f"{OTHER} 0000.0000")
    narrow.run()
    (left,) = narrow.messages.values()
    assert left == f"{folder}/bad.pdf was left out: it is an empty file."


# One paper from two places


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    return folder


def unstamped(entry: Entry) -> bytes:
    return tiny_pdf([["A copy without a stamp."]], heading=entry.title)


def test_the_same_arxiv_id_from_a_folder_is_one_paper(corpus: ArxivCorpus, folder: Path) -> None:
    (folder / "a copy.pdf").write_bytes(corpus.server.pdf_of(PAPER, 1))
    listed = corpus.run(source="folder", folder=str(folder))["papers"]
    assert (listed["new"], listed["unchanged"]) == (0, 1)
    assert corpus.rows(PAPERS)[PAPER]["source"] == "arxiv"
    assert len(live_papers(corpus.parts().lake)) == 12


def test_arxiv_takes_over_a_paper_that_a_folder_had(tmp_path: Path, folder: Path) -> None:
    with arxiv_corpus(tmp_path / "data", 4) as corpus:
        (folder / "a copy.pdf").write_bytes(corpus.server.pdf_of(PAPER, 1))
        corpus.run(source="folder", folder=str(folder))
        corpus.run()
        assert corpus.asked[1][PAPER] == 1
        corpus.run(source="folder", folder=str(folder))
        corpus.run(full=True)
        assert corpus.asked[1] == {}
        assert {row["source"] for row in corpus.rows(PAPERS).values()} == {"arxiv"}


def test_the_same_bytes_in_a_folder_are_one_paper(corpus: ArxivCorpus, folder: Path) -> None:
    entry = corpus.server.catalogue.add_paper()
    copy = unstamped(entry)
    corpus.server.pdf_of = lambda paper_id, version: copy  # type: ignore[method-assign]
    (folder / "copy.pdf").write_bytes(copy)
    corpus.run(source="folder", folder=str(folder))
    assert len(live_papers(corpus.parts().lake)) == 13
    corpus.run()
    live = live_papers(corpus.parts().lake)
    assert len(live) == 13
    assert entry.paper_id in live
    assert list(corpus.status["papers"]["same_file_as_another"].values()) == [entry.paper_id]


def test_the_same_bytes_under_two_arxiv_ids_are_one_paper(corpus: ArxivCorpus) -> None:
    first, second = (corpus.server.catalogue.add_paper() for _ in range(2))
    copy = unstamped(first)
    corpus.server.pdf_of = lambda paper_id, version: copy  # type: ignore[method-assign]
    corpus.run()
    same = corpus.status["papers"]["same_file_as_another"]
    assert same == {second.paper_id: first.paper_id}
    assert len(live_papers(corpus.parts().lake)) == 13


# Wrong use


def test_ids_belong_to_arxiv(corpus: ArxivCorpus) -> None:
    with pytest.raises(MuonEvidenceError, match="give them with --source arxiv"):
        corpus.parts().sources.open("folder", ids=PAPER)
