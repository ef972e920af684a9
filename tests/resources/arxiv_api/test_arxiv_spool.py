"""A listing on disk behaves like the dictionary that it stands in for."""

from hypothesis import given
from hypothesis import strategies as st

from resources.arxiv_api.spool import PaperSpool
from resources.source import ListedPaper

papers = st.builds(
    ListedPaper,
    paper_id=st.sampled_from(["2303.08533", "hep-ph/9909255", "1901.06150", "2407.12450"]),
    title=st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    version=st.integers(1, 12),
    authors=st.lists(st.sampled_from(["A. Muon", "Ü. Müon"]), max_size=2).map(tuple),
    categories=st.just(("hep-ph",)),
    withdrawn=st.booleans(),
)


@given(st.lists(papers, max_size=30), st.integers(1, 5))
def test_each_paper_once_in_its_highest_version(listed: list[ListedPaper], size: int) -> None:
    spool = PaperSpool()
    for start in range(0, len(listed), size):
        spool.add(listed[start : start + size])
    expected: dict[str, ListedPaper] = {}
    for paper in listed:
        if paper.paper_id not in expected or expected[paper.paper_id].version < paper.version:
            expected[paper.paper_id] = paper
    assert list(spool) == list(expected.values())
    assert list(spool) == list(spool)
    assert len(spool) == len(expected)
    assert all((paper in spool) == (paper in expected.values()) for paper in listed)
    assert "2303.08533" not in spool
