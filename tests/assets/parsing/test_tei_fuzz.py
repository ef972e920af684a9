"""Whatever the bytes, reading TEI ends in a document or in one sentence, and in nothing else."""

from functools import cache
from pathlib import Path
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assets.parsing.tei import read_tei
from assets.parsing.tei_xml import TeiLimits
from resources.errors import Permanent
from tests.support.grobid_tei import tei_of_pdf
from tests.support.mutation import mutated, mutations, rearranged
from tests.support.tei_builder import check_whole, tei

SAMPLES = Path(__file__).parents[3] / "resources" / "sample_corpus"
LIMITS = TeiLimits(max_bytes=2_000_000)


@cache
def real() -> bytes:
    made = tei_of_pdf(min(SAMPLES.glob("*.pdf")).read_bytes())
    assert made is not None
    return made


def check(data: bytes) -> None:
    try:
        document = read_tei(data, limits=LIMITS)
    except Permanent as refusal:
        assert str(refusal).endswith(".")
        assert "\n" not in str(refusal)
    else:
        check_whole(document)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(changes=mutations())
def test_damaged_tei(changes: list[tuple[str, float, float, bytes]]) -> None:
    check(mutated(real(), changes))


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_rearranged_tei(seed: int) -> None:
    check(rearranged(real(), Random(seed)))


TAGS = st.sampled_from(
    "div p s head figure figDesc table row cell formula label note list item listBibl biblStruct "
    "analytic monogr title author persName surname imprint date ref hi trash abstract lb".split()
)
ATTRIBUTES = st.dictionaries(
    st.sampled_from(["n", "coords", "type", "target", "rend", "place", "when", "from", "to"]),
    st.sampled_from(
        ["", "1", "2.1", "IV", "#b0", "bibr", "foot", "superscript", "1,2,3,4,5", "1,1,1,1,1;2,,"]
    ),
    max_size=3,
)
TEXTS = st.text(
    st.characters(
        codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="<&\ufffe\uffff"
    ),
    max_size=20,
)


@st.composite
def elements(draw: st.DrawFn, depth: int = 3) -> str:
    tag = draw(TAGS)
    names = "".join(f' {name}="{value}"' for name, value in draw(ATTRIBUTES).items())
    children = draw(st.lists(elements(depth - 1) if depth else TEXTS, max_size=2))
    return f"<{tag}{names}>{draw(TEXTS)}{''.join(children)}</{tag}>{draw(TEXTS)}"


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(body=elements(), header=elements(1), back=elements(2))
def test_any_elements_in_any_order(body: str, header: str, back: str) -> None:
    check(tei(body, header=header, back=back))


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes(data: bytes) -> None:
    check(data)
