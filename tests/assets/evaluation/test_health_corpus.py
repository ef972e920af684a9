"""The medical data sets as they are published, and what is wrong with a folder of others."""

import json

import pytest

from assets.evaluation.health_corpus import (
    AUTHORITY,
    REVIEW,
    STUDY,
    SUMMARY,
    HealthDocument,
    health_chunks,
    read_health,
)
from resources.errors import UsageError
from tests.support.health_folder import health_folder
from tests.support.shared import require_shared


def count_words(text: str) -> int:
    return 2 + len(text.split())


def test_the_three_kinds_of_source(tmp_path):
    data = read_health(health_folder(tmp_path, studies=5, reviews=2))
    tiers = [document.tier for document in data.documents]
    assert tiers == [REVIEW] * 2 + [SUMMARY] * 2 + [STUDY] * 5
    assert set(tiers) == set(AUTHORITY)
    assert sorted(AUTHORITY.values()) == [0.90, 0.95, 1.0]
    review, summary = data.documents[0], data.documents[2]
    assert review.pair == summary.pair == "CD000000.PUB2"
    assert review.paragraphs[0] == "Main results"
    assert "Medicines for" not in review.text


def test_a_title_that_is_not_set_apart_takes_no_text_with_it(tmp_path):
    folder = health_folder(tmp_path, studies=1, reviews=1) / "cochrane_abstracts/data/results"
    path = folder / "reference" / "CD000000.PUB2.json"
    text = "What helps? Key messages • Little does.\u2028• Rest may."
    path.write_text(json.dumps({"text": text}), encoding="utf-8")
    summary = read_health(tmp_path).documents[1]
    assert summary.paragraphs == ("What helps? Key messages • Little does.", "• Rest may.")


def test_a_question_is_not_part_of_its_abstract_and_its_conclusion_is(tmp_path):
    data = read_health(health_folder(tmp_path, studies=3))
    texts = {document.document_id: document.text for document in data.documents}
    for question in data.questions:
        assert question.text not in texts[question.document_id]
        assert texts[question.document_id].endswith(question.conclusion)


def test_claims_keep_their_verdict_and_the_byte_order_mark_is_no_text(tmp_path):
    claims = read_health(health_folder(tmp_path, studies=1)).claims
    assert [claim.verdict for claim in claims] == ["supported", "refuted"]
    assert claims[1].text == "Can, of all things, crystals cure fear?"


def test_passages_hold_the_whole_text_and_fit_the_window():
    paragraphs = tuple(f"Sentence {i} of the trial says {i * 7} of it." for i in range(60))
    document = HealthDocument("d", STUDY, paragraphs)
    chunks = health_chunks(document, count_words, window=64)
    assert len(chunks) > 5
    assert all(chunk.tokens <= 64 for chunk in chunks)
    assert all(any(part in chunk.text for chunk in chunks) for part in paragraphs)
    assert {chunk.paper_id for chunk in chunks} == {"d"}


@pytest.mark.parametrize("missing", ["cochrane_abstracts", "pubmedqa", "healthfc"])
def test_a_missing_data_set_is_named(tmp_path, missing):
    (health_folder(tmp_path) / missing).rename(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match=rf"{missing}.*cannot be read.*name the folder that holds"):
        read_health(tmp_path)


def test_a_file_of_another_form_is_named(tmp_path):
    path = health_folder(tmp_path) / "pubmedqa" / "data" / "ori_pqal.json"
    path.write_text(json.dumps({"1": {"question": "?"}}), encoding="utf-8")
    with pytest.raises(UsageError, match="have another form than the published one"):
        read_health(tmp_path)
    path.write_text("{", encoding="utf-8")
    with pytest.raises(UsageError, match="have another form than the published one"):
        read_health(tmp_path)


def test_the_published_data_sets():
    data = read_health(require_shared("fixtures", "health"))
    tiers = [document.tier for document in data.documents]
    assert {tier: tiers.count(tier) for tier in AUTHORITY} == {
        REVIEW: 100, STUDY: 1000, SUMMARY: 100
    }  # fmt: skip
    assert (len(data.questions), len(data.claims)) == (1000, 750)
    verdicts = [claim.verdict for claim in data.claims]
    assert [verdicts.count(one) for one in ("supported", "not enough information", "refuted")] == [
        202, 423, 125
    ]  # fmt: skip
    assert all(document.text for document in data.documents)
    assert len({document.document_id for document in data.documents}) == 1200
