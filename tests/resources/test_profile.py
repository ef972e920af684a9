"""The shipped profile, and what a profile may not be."""

import re
from pathlib import Path

import pytest

from resources.errors import UsageError
from resources.profile import TAGS, load_profile
from resources.source import ListedPaper

SHIPPED = Path(__file__).parents[2] / "resources" / "profiles" / "muon_collider.toml"


def paper(**fields: str) -> ListedPaper:
    fields = {"paper_id": "2303.08533", "title": "A study", "source": "arxiv"} | fields
    return ListedPaper(**fields)


def changed(folder: Path, old: str, new: str) -> Path:
    text = SHIPPED.read_text()
    assert old in text
    path = folder / "mine.toml"
    path.write_text(text.replace(old, new, 1))
    return path


def test_the_shipped_profile_describes_the_closed_vocabulary() -> None:
    profile = load_profile("muon_collider")
    assert tuple(profile.tags) == TAGS
    for description in profile.tags.values():
        assert 80 < len(description) < 500
    assert len(set(profile.tags.values())) == len(TAGS)


def test_the_shipped_acronyms_stand_for_words_that_hold_their_letters() -> None:
    acronyms = load_profile("muon_collider").acronyms
    for short in ("BIB", "MDI", "VBS", "aQGC", "HTS", "RCS", "RLA", "MICE", "MAP", "IMCC"):
        assert short in acronyms
    assert len(acronyms) >= 60
    for short, long in acronyms.items():
        first = re.sub(r"[^a-z0-9]", "", short.lower())[0]
        assert first in long.lower() or first.isdigit(), short
        assert len(long) > len(short)


def test_the_profile_can_be_given_as_a_file(tmp_path: Path) -> None:
    path = changed(tmp_path, 'name = "muon_collider"', 'name = "mine"')
    assert load_profile(path).name == "mine"
    assert load_profile(str(path)) == load_profile(path)


@pytest.mark.parametrize(
    ("fields", "tier"),
    [
        ({"journal_ref": "Phys. Rev. D 103 (2021) 095001"}, "journal article"),
        ({"journal_ref": "Eur.Phys.J.C 83 (2023) 864"}, "journal article"),
        ({"journal_ref": "Proc. Roy. Soc. A 123 (1929) 714"}, "journal article"),
        ({"doi": "10.1103/PhysRevAccelBeams.27.081001"}, "journal article"),
        ({"journal_ref": "JINST 19 P01021", "comment": "PhD thesis"}, "journal article"),
        ({"journal_ref": "JACoW IPAC2023 (2023) MOPL001"}, "proceedings"),
        ({"journal_ref": "IPAC2014-TUPME012"}, "proceedings"),
        ({"journal_ref": "PoS ICHEP2022 (2022) 063"}, "proceedings"),
        ({"journal_ref": "J. Phys.: Conf. Ser. 2687 022009"}, "proceedings"),
        ({"journal_ref": "EPJ Web Conf. 315, 01017"}, "proceedings"),
        ({"doi": "10.18429/JACoW-IPAC2023-MOPL001"}, "proceedings"),
        ({"comment": "Presented at the 14th Particle Accelerator Conference"}, "proceedings"),
        ({"comment": "Contribution to Snowmass 2021"}, "design report or white paper"),
        ({"title": "A muon collider facility: white paper"}, "design report or white paper"),
        ({"title": "Interim Report of the collaboration"}, "design report or white paper"),
        ({"comment": "PhD thesis, 210 pages"}, "thesis or talk"),
        ({"comment": "118 pages, 103 figures"}, "preprint"),
        ({"doi": "10.48550/arXiv.2303.08533"}, "preprint"),
        ({"source": "folder"}, "preprint"),
        ({"source": "folder", "paper_id": "hep-ph/9909255"}, "preprint"),
        ({"source": "folder", "paper_id": "local:0123456789ab"}, "local file"),
        ({"source": "sample", "paper_id": "sample-mdi"}, "sample"),
    ],
)
def test_a_paper_falls_into_its_tier(fields: dict[str, str], tier: str) -> None:
    profile = load_profile("muon_collider")
    found = profile.tier(paper(**fields))
    assert found.name == tier
    assert found == profile.tier_named(tier)


def test_authority_falls_with_refereeing() -> None:
    profile = load_profile("muon_collider")
    order = ["journal article", "design report or white paper", "preprint", "proceedings"]
    authorities = [profile.tier_named(name).authority for name in order]
    assert authorities == sorted(authorities, reverse=True)
    assert authorities[0] == 1.0
    for name in profile.tiers:
        assert 0 < profile.tier_named(name).authority <= 1
        assert profile.tier_named(name).reason.endswith(".")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('higgs = "', 'higgsino = "', "tags must be exactly"),
        ('tier = "preprint"', 'tier = "gossip"', "'gossip', which is not among the tiers"),
        ('tier = "local file"\n', 'tier = "local file"\ndoi = "x"\n', "must hold for every paper"),
        ("authority = 1.0", "authority = 1.5", "tiers.journal article.authority"),
        ("journal_ref = '\\w'", "journal_ref = '('", "is not a regular expression"),
        (
            "include_ids = []",
            'include_ids = ["abc"]',
            "include_ids.0 cannot be 'abc': it is not an arXiv id",
        ),
        ('submitted_from = ""', 'submitted_from = "last year"', "it is not a day written as"),
        ("max_papers = 0", "max_papers = -1", "max_papers cannot be -1: it must be at least 0"),
        ("max_papers = 0", "max_paper = 10", "arxiv.max_paper: there is nothing of this name"),
        ('"muon collider",', '"muon \\" collider",', "arxiv.phrases.0"),
        ('name = "muon_collider"', 'name = "a/b"', "name"),
    ],
)
def test_a_malformed_profile_is_one_sentence_that_names_the_place(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    path = changed(tmp_path, old, new)
    with pytest.raises(UsageError) as raised:
        load_profile(path)
    message = str(raised.value)
    assert message.startswith(f"The profile {path} is malformed: ")
    assert words in message
    assert "\n" not in message


def test_a_profile_that_is_no_toml_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("name = \n")
    with pytest.raises(UsageError, match=r"is not TOML: .*line 1"):
        load_profile(path)


def test_a_profile_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="cannot be read as UTF-8"):
        load_profile(path)


def test_a_profile_that_is_missing_is_told_with_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"no profile tau_collider.*muon_collider"):
        load_profile("tau_collider")
