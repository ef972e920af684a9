"""Words that a line end cut, joined as the document and the language have them."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resources.pdf_layout import parse_pdf
from resources.pdf_layout.words import Vocabulary
from tests.support.pdf_samples import typeset

CUT = "\x02"  # how the PDF library reports a hyphen at a line end


def joined(before: str, after: str, seen: str = "") -> str:
    vocabulary = Vocabulary()
    vocabulary.add(seen)
    kept, glue = vocabulary.join(before, after)
    return kept + glue + after


@pytest.mark.parametrize(
    ("before", "after", "whole"),
    [
        (f"the super{CUT}", "conducting magnet", "the superconducting magnet"),
        (f"of quadru{CUT}", "poles in", "of quadrupoles in"),
        (f"micro{CUT}", "phonics", "microphonics"),
        (f"the beam{CUT}", "induced background", "the beam-induced background"),
        (f"a Nb{CUT}", "Ti cable", "a Nb-Ti cable"),
        (f"the Bethe{CUT}", "Bloch equation", "the Bethe-Bloch equation"),
        (f"NUMERICAL SIMU{CUT}", "LATIONS", "NUMERICAL SIMULATIONS"),
        (f"Bi{CUT}", "2212 wire", "Bi-2212 wire"),
        (f"a t{CUT}", "channel pole", "a t-channel pole"),
        (f"high{CUT}", "temperature superconductors", "high-temperature superconductors"),
        ("soft\u00ad", "ware", "software"),
        ("the Biot–", "Savart law", "the Biot–Savart law"),
        ("a dash –", "then text", "a dash – then text"),
        ("no hyphen", "here", "no hyphen here"),
        (f"pre- and post{CUT}", "processing", "pre- and postprocessing"),
        ("see https://arxiv.org/ab", "s/1108.1619 for", "see https://arxiv.org/abs/1108.1619 for"),
        (f"at https://a.org/5{CUT}", "8.pdf", "at https://a.org/5-8.pdf"),
        ("at www.cern.ch", "[12] the", "at www.cern.ch [12] the"),
        ("", "start", "start"),
    ],
)
def test_a_word_list_decides(before: str, after: str, whole: str) -> None:
    assert joined(before, after) == whole


def test_the_document_decides_before_the_list() -> None:
    assert joined(f"non{CUT}", "linear field") == "nonlinear field"
    assert joined(f"non{CUT}", "linear field", "the non-linear field") == "non-linear field"
    assert joined(f"cryo{CUT}", "module", "one cryomodule of") == "cryomodule"
    assert joined(f"beam{CUT}", "line magnets", "the beamline and its") == "beamline magnets"


def test_a_word_cut_at_a_line_end_does_not_vote() -> None:
    vocabulary = Vocabulary()
    vocabulary.add(f"the non{CUT}")
    vocabulary.add("linear field")
    assert vocabulary.join(f"non{CUT}", "linear")[1] == ""


@given(st.text(max_size=30), st.text(max_size=30))
def test_joining_loses_no_letter(before: str, after: str) -> None:
    vocabulary = Vocabulary()
    kept, glue = vocabulary.join(before, after)
    assert before.startswith(kept.rstrip("-")) or kept == before
    letters = re.sub(r"[\W_]", "", before + after)
    assert re.sub(r"[\W_]", "", kept + glue + after) == letters


@pytest.mark.parametrize("width", [100, 123, 150, 190])
def test_hyphenation_of_a_narrow_column_is_undone(tmp_path: Path, width: int) -> None:
    text = (
        "Beam-induced background in the interaction region limits the performance of detectors. "
        "Superconducting quadrupoles with Nb-Ti or Nb-Sn conductors focus the counter-rotating "
        "beams. Non-linear chromaticity correction of high-luminosity colliders requires "
        "sextupole magnets, state-of-the-art simulation and low-temperature instrumentation. "
        "Beam-induced heating is small; chromaticity and luminosity are well understood."
    )
    setup = (
        f"#set page(width: {width + 40}pt, height: 800pt, margin: 20pt)\n"
        '#set text(size: 10pt, lang: "en", hyphenate: true)\n#set par(justify: true)\n'
    )
    path = typeset(tmp_path, text, setup=setup)
    document = parse_pdf(path)
    assert " ".join(b.text for b in document.blocks) == text
