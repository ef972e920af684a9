"""arXiv ids in all their forms, and paper ids as file names."""

import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from resources.identifiers import (
    ArxivId,
    arxiv_id_of_file,
    parse_arxiv_id,
    safe_name,
    stamped_arxiv_id,
)


@pytest.mark.parametrize(
    ("text", "paper_id", "version"),
    [
        ("2303.08533", "2303.08533", None),
        ("2303.08533v2", "2303.08533", 2),
        ("0704.0001v12", "0704.0001", 12),
        ("hep-ph/9909255", "hep-ph/9909255", None),
        ("hep-ph/9909255v1", "hep-ph/9909255", 1),
        ("HEP-PH/9909255", "hep-ph/9909255", None),
        ("math.GT/0309136v1", "math/0309136", 1),
        ("physics.acc-ph/0309136", "physics/0309136", None),
        ("  arXiv:2303.08533  ", "2303.08533", None),
        ("arxiv: hep-ph/9909255v3", "hep-ph/9909255", 3),
        ("https://arxiv.org/abs/2303.08533v2", "2303.08533", 2),
        ("http://arxiv.org/abs/hep-ph/9909255v1", "hep-ph/9909255", 1),
        ("https://export.arxiv.org/pdf/2303.08533v2.pdf", "2303.08533", 2),
        ("arxiv.org/pdf/2303.08533#page=4", "2303.08533", None),
        ("https://www.arxiv.org/abs/2303.08533?context=hep-ex", "2303.08533", None),
        ("10.48550/arXiv.2303.08533", "2303.08533", None),
        ("https://doi.org/10.48550/arXiv.hep-ph/9909255", "hep-ph/9909255", None),
        ("0000.0000", "0000.0000", None),
    ],
)
def test_an_id_is_read_in_every_form(text: str, paper_id: str, version: int | None) -> None:
    assert parse_arxiv_id(text) == ArxivId(paper_id, version)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "abc",
        "2303.085",
        "2303.085333",
        "2303.08533v0",
        "2303.08533v",
        "hep-xx/9909255",
        "hep-ph/990925",
        "hep-ph9909255",
        "../2303.08533",
        "2303.08533/../x",
        "10.1103/PhysRevD.61.1234",
        "https://example.org/abs/2303.08533",
    ],
)
def test_what_is_no_id_is_none(text: str) -> None:
    assert parse_arxiv_id(text) is None


archives = st.sampled_from(["hep-ph", "hep-ex", "physics", "math", "q-bio", "cond-mat"])
new_ids = st.builds("{:04d}.{:05d}".format, st.integers(0, 9999), st.integers(0, 99999))
old_ids = st.builds("{}/{:07d}".format, archives, st.integers(0, 9_999_999))


@given(new_ids | old_ids, st.none() | st.integers(1, 999))
def test_what_is_written_is_read_back(paper_id: str, version: int | None) -> None:
    one = ArxivId(paper_id, version)
    assert parse_arxiv_id(str(one)) == one


@pytest.mark.parametrize(
    ("text", "dated"),
    [
        ("0704.0001", True),
        ("1412.9999", True),
        ("1501.00001", True),
        ("2303.08533", True),
        ("hep-ph/9108001", True),
        ("hep-ph/0703123", True),
        ("0703.0001", False),
        ("2313.00001", False),
        ("0000.0000", False),
        ("1501.0001", False),
        ("0808.05394", False),
        ("hep-ph/0704001", False),
        ("hep-ph/9013001", False),
    ],
)
def test_an_id_is_dated_where_arxiv_gave_such_ids(text: str, dated: bool) -> None:
    found = parse_arxiv_id(text)
    assert found is not None
    assert found.dated is dated


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("arXiv:2303.08533v2 [physics.acc-ph] 14 Mar 2023\nTitle", ArxivId("2303.08533", 2)),
        ("Title\nAuthors\nText\nmore\narXiv:2303.08533v2  [hep-ex]  4 Mar 2023\nx\ny", 2),
        ("A\nB\nC\nD\nE\narXiv:hep-ph/9909255v1 6 Sep 1999\nF", ArxivId("hep-ph/9909255", 1)),
        ("arXiv:0912.2611\nA title", ArxivId("0912.2611")),
        ("A title\ntext\ntext\ntext\ntext\narXiv:0912.2611", ArxivId("0912.2611")),
        ("A\nB\nC\nD\nE\n[12] A. Author, arXiv:2303.08533v2 [hep-ex] 4 Mar 2023\nF", None),
        ("A\nB\nC\nD\nE\narXiv:2303.08533 [hep-ph].\nF\nG", None),
        ("arXiv:2313.00001\nA title", None),
        ("arXiv:2303.08533 shows that\nA title", None),
        ("", None),
    ],
)
def test_a_stamp_is_told_from_a_reference(page: str, expected: ArxivId | int | None) -> None:
    wanted = ArxivId("2303.08533", expected) if isinstance(expected, int) else expected
    assert stamped_arxiv_id(page) == wanted


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("2303.08533v1.pdf", "2303.08533v1"),
        ("2303.08533.PDF", "2303.08533"),
        ("0912.2611.pdf", "0912.2611"),
        ("hep-ph_9909255.pdf", "hep-ph/9909255"),
        ("hep-ph9909255v2.pdf", "hep-ph/9909255v2"),
        ("arXiv-2303.08533v2.pdf", "2303.08533v2"),
        ("wepml008.pdf", None),
        ("2023.1234.pdf", None),
        ("report_1234567.pdf", None),
        ("notes on 2303.08533.pdf", None),
    ],
)
def test_a_file_may_be_named_after_its_paper(name: str, expected: str | None) -> None:
    found = arxiv_id_of_file(name)
    assert (None if found is None else str(found)) == expected


# File names

paper_ids = st.one_of(
    new_ids,
    old_ids,
    st.builds("local:{:012x}".format, st.integers(0, 16**12 - 1)),
    st.text(max_size=150),
    st.text(alphabet="aA/_.-v1:", max_size=12),
)


@pytest.mark.parametrize(
    ("paper_id", "name"),
    [
        ("2303.08533", "2303.08533"),
        ("hep-ph/9909255", "hep-ph_9909255"),
        ("local:0123456789ab", "local_0123456789ab"),
        ("wepml008", "wepml008"),
    ],
)
def test_usual_ids_stay_readable(paper_id: str, name: str) -> None:
    assert safe_name(paper_id) == name


@given(paper_ids)
@example("")
@example("..")
@example("../../etc/passwd")
@example("con")
@example("nul.txt")
@example("\ud800")
def test_a_name_is_one_harmless_part_of_a_path(paper_id: str) -> None:
    name = safe_name(paper_id)
    assert set(name) <= set(string.ascii_lowercase + string.digits + "._-")
    assert name[0] not in ".-_"
    assert len(name) <= 120
    assert name.split(".")[0] not in {"con", "prn", "aux", "nul", "com1", "lpt1"}


@given(st.lists(paper_ids, unique=True, min_size=2, max_size=8))
@example(["hep-ph/9909255", "hep-ph_9909255", "HEP-PH/9909255", "hep-ph9909255"])
@example(["local:0123456789ab", "local_0123456789ab"])
@example(["WEPML008", "wepml008", "wepml008.", "wepml008/"])
@example(["x", "x-" + "0" * 16])
def test_distinct_ids_have_distinct_names(ids: list[str]) -> None:
    assert len({safe_name(paper_id) for paper_id in ids}) == len(ids)


def test_a_name_is_the_name_of_its_own_digest_only() -> None:
    digested = safe_name("WEPML008")
    assert safe_name(digested) != digested
