"""Claims of whole passages by rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.evaluation.claim_labels import (
    claim_agreement,
    matches,
    read_labels,
    sentence_agreement,
)
from assets.factuality.embedded_extractor import Context, EmbeddedExtractor, judge, passage_claims
from benchmarks.claim_labels import extracted
from benchmarks.fit_prob_fact import fit, matched, rank_correlation
from tests.support.shared import require_shared

PASSAGE = (
    "In this section we describe the tokamak. T-15 produced its first plasma in 1988 [3], and it "
    "was shut down in 1995. It used Nb3Sn coils with a peak field of 9.3 T (see Fig. 4). "
    "Figure 4 shows the layout. This approach is promising. Was it worth it? "
    "Future machines might profit from it."
)


def test_a_passage_gives_its_statements_and_nothing_else():
    claims = passage_claims(PASSAGE)
    assert [claim.text for claim in claims] == [
        "T-15 produced its first plasma in 1988.",
        "T-15 was shut down in 1995.",
        "T-15 used Nb3Sn coils with a peak field of 9.3 T.",
    ]
    assert claims[1].quote == (
        "T-15 produced its first plasma in 1988 [3], and it was shut down in 1995."
    )


def test_every_sentence_has_claims_or_a_reason():
    verdicts = judge(PASSAGE)
    assert [verdict.reason for verdict in verdicts] == [
        "announcement", "", "", "pointer", "unresolved", "question", "guess",
    ]  # fmt: skip
    assert all(bool(verdict.claims) != bool(verdict.reason) for verdict in verdicts)


def test_passages_are_read_one_by_one_and_thanks_and_references_are_skipped():
    extractor = EmbeddedExtractor()
    texts = ["The field is 16 T.", "The bore is 50 mm wide.", "It is 3 m long."]
    contexts = [Context(("2 Dipoles",)), Context(("References",)), Context()]
    assert [len(found) for found in extractor.extract(texts, contexts)] == [1, 0, 0]
    assert [len(found) for found in extractor.extract(texts)] == [1, 1, 0]
    assert extractor.extract([]) == []
    with pytest.raises(ValueError, match="zip"):
        extractor.extract(texts, contexts[:1])


def test_a_statement_said_twice_is_one_claim():
    assert len(passage_claims("The field is 16 T [1]. The field is 16 T [2].")) == 1


PHRASES = st.sampled_from(
    [
        "The coil", "It", "This magnet", "They", ", which is", "is wound", "and was tested", "[12]",
        "(see Fig. 3)", "at 4.2 K", "^12^", "*and*", "; the yoke has", "of 5 T", ".", ". ", ":",
        "However,", "\n\n", "may", "Fig. 3 shows", "while the field", "µ", "10^5^", "the",
    ]
)  # fmt: skip


@given(st.lists(PHRASES, max_size=30).map(" ".join) | st.text(max_size=200))
def test_quotes_stand_verbatim_in_any_text_and_scores_stay_in_range(text):
    claims = passage_claims(text)
    for claim in claims:
        assert claim.quote in text
        assert claim.quote == claim.quote.strip()
        assert 0.2 <= claim.prob_fact <= 1.0
        assert claim.text.endswith(".")
    assert len({claim.text.casefold() for claim in claims}) == len(claims)
    assert claims == passage_claims(text)


@pytest.mark.parametrize(
    "unit", ["a ", "(", "[1],", "^", "*", "A. ", "Fig. 3 and ", "In this paper ", "coil, which is "]
)
def test_no_text_takes_more_than_its_share_of_time(unit):
    assert passage_claims(unit * 5000) is not None


def test_labelled_sentences_come_out_as_their_readers_say():
    labels = read_labels(require_shared("benchmark", "claims.jsonl"))
    for half in (True, False):
        own = [label for label in labels if label.in_development is half]
        others = [label for label in labels if label.in_development is not half]
        claims = [extracted(label) for label in own]
        assert sentence_agreement(own, claims).f1 >= 0.85
        assert claim_agreement(own, claims, 0.5).f1 >= 0.65
        assert rank_correlation(fit(others), matched(own)) >= 0.6


def test_claims_match_one_to_one():
    labels = read_labels(require_shared("benchmark", "claims.jsonl"))
    for label in labels[:30]:
        pairs = matches(label, extracted(label))
        assert len(pairs) <= len(label.claims)
        assert len({pair.claim.text for pair in pairs}) == len(pairs)


def test_quotes_are_verbatim_in_every_passage_of_real_papers():
    folder = require_shared("corpus", "text")
    found = 0
    for path in sorted(folder.glob("*.md"))[:4]:
        for paragraph in path.read_text(encoding="utf-8").split("\n\n"):
            for claim in passage_claims(paragraph):
                found += 1
                assert claim.quote in paragraph
    assert found > 200
