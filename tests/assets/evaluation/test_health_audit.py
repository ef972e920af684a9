"""The whole medical audit, on made-up studies and on some of the published ones."""

import json

import pytest

from assets.evaluation.audit_text import health_text, plots_text
from assets.evaluation.health_audit import health_audit
from assets.evaluation.health_corpus import AUTHORITY, REVIEW, STUDY, HealthData, read_health
from assets.evaluation.within_topic import conclusions_report, document_rows, documents_report
from assets.factuality.extractors import EmbeddedClaims
from assets.parsing.records import Chunk
from resources.errors import MuonEvidenceError, Permanent
from resources.lake import Lake
from tests.support.audit_corpus import corpus_of
from tests.support.health_folder import CountedWordEncoder, health_folder
from tests.support.shared import require_shared


def silent(*_: object) -> None:
    pass


@pytest.fixture(scope="module")
def audit(tmp_path_factory):
    folder = tmp_path_factory.mktemp("health")
    data = read_health(health_folder(folder / "sets"))
    lake = Lake(str(folder / "cache"))
    return health_audit(data, CountedWordEncoder(), EmbeddedClaims(), lake, silent)


def test_the_report_is_plain_json_and_has_its_plots(audit):
    assert json.loads(json.dumps(audit.report)) == audit.report
    assert len(audit.plots) == 5


def test_every_document_is_counted(audit):
    assert audit.report["documents"] == {REVIEW: 6, "plain-language summary": 6, STUDY: 54}
    assert audit.report["whole_documents"]["documents"] == 66
    assert audit.report["density"]["passages"] == sum(audit.report["passages"].values())


def test_a_questions_own_abstract_is_what_counts(audit):
    test = audit.report["pubmedqa"]["test_of_all"]
    assert test["n"] == 54
    # Only its own abstract names both its drug and its complaint.
    assert test["conditions"]["B"]["MRR"] == 1.0
    assert test["best_possible_P@5"] == 0.2


def test_the_filtered_questions_are_tested_apart(audit):
    pubmed = audit.report["pubmedqa"]
    assert 0 < pubmed["test"]["n"] == pubmed["coverage"]["covered"] <= 54
    assert pubmed["tiers"]["n"] == pubmed["test"]["n"]
    assert audit.report["healthfc"]["tiers"]["n"] == 2


def test_each_review_stands_against_its_own_summary(audit):
    pairs = audit.report["whole_documents"]["review_against_summary"]
    assert {one["n"] for one in pairs.values()} == {6}
    # 14 trials with 2,310 participants are denser than "may help some people".
    assert pairs["raw"]["mean"] > 0
    assert "A review's abstract has a higher FD*" in audit.report["verdict"]


def test_all_ways_to_give_the_authorities_are_tried(audit):
    orders = audit.report["authority_orders"]
    assert len({tuple(order["authority"].values()) for order in orders}) == 6
    assert orders[0]["authority"] == AUTHORITY
    found = audit.report["pubmedqa"]["test"]["conditions"]
    assert orders[0]["P@5"] == {name: found[name]["P@5"] for name in ("C", "C-robust")}


def test_the_text_tells_the_figures(audit):
    text = health_text(audit.report)
    assert audit.report["verdict"] in text
    assert "decide nothing" in text
    for name in ("C-robust", "C-length", "systematic review", "HealthFC"):
        assert name in text
    images = plots_text(audit.plots).split("\n\n")
    assert [one.startswith("![") for one in images] == [True] * 5


def test_a_second_audit_embeds_nothing(tmp_path):
    data = read_health(health_folder(tmp_path / "sets", studies=3, reviews=1))
    lake = Lake(str(tmp_path / "cache"))
    first = health_audit(data, CountedWordEncoder(), EmbeddedClaims(), lake, silent)
    told = []
    again = health_audit(
        data, CountedWordEncoder(), EmbeddedClaims(), lake, lambda *one: told.append(one)
    )
    assert again.report == first.report
    assert {("dense_index", 0, 0), ("queries", 0, 0)} <= set(told)


def test_a_passage_that_cannot_be_read_stops_it(tmp_path):
    class Refusing(EmbeddedClaims):
        def extract_batches(self, passages):
            yield dict.fromkeys(passages, Permanent("the model refused"))

    data = read_health(health_folder(tmp_path / "sets", studies=1, reviews=1))
    with pytest.raises(MuonEvidenceError, match="claims cannot be had: the model refused"):
        health_audit(data, CountedWordEncoder(), Refusing(), Lake(str(tmp_path)), silent)


def test_a_claim_where_passages_overlap_counts_once(tmp_path):
    documents = read_health(health_folder(tmp_path, studies=1, reviews=1)).documents
    document = documents[-1]

    def chunk(key: str) -> Chunk:
        return Chunk(key, document.document_id, 0, "paragraph", (), "", 1, 1, (), 9, key)

    claim = {"text": "The field is 8 T.", "quote": "field is 8 T", "prob_fact": 0.8}
    rows = document_rows([document], [chunk("a"), chunk("b")], {"a": [claim], "b": [claim]}, len)
    assert rows[0]["claims"] == 1
    assert rows[0]["fd_raw"] == pytest.approx(0.8 / len(document.text))
    assert documents_report([document], rows)["review_against_summary"] == {}


def test_conclusions_are_told_from_the_rest_of_their_abstract(tmp_path):
    data = read_health(health_folder(tmp_path, studies=2, reviews=1))
    first, second = data.questions
    corpus = corpus_of([0.1] * 4, [0.0] * 4)
    corpus.document_ids[:] = [first.document_id, first.document_id, second.document_id, "other"]
    corpus.texts[:] = ["background alone", f"So: {first.conclusion}", second.conclusion, ""]
    rows = [
        {"fd_raw": raw, "fd_star_published": 0.0, "fd_star": 0.0} for raw in (0.1, 0.4, 0.9, 0.9)
    ]
    found = conclusions_report(data.questions, corpus, rows)
    # The second abstract is one passage: there is no rest.
    assert (found["raw"]["n"], found["raw"]["mean"]) == (1, pytest.approx(0.3))
    assert conclusions_report([], corpus, rows) == {}


def test_some_of_the_published_data(tmp_path):
    whole = read_health(require_shared("fixtures", "health"))
    reviews = [document for document in whole.documents if document.pair][:10]
    pairs = {document.pair for document in reviews}
    some = HealthData(
        documents=(
            *(document for document in whole.documents if document.pair in pairs),
            *[document for document in whole.documents if document.tier == STUDY][:60],
        ),
        questions=whole.questions[:60],
        claims=whole.claims[:60],
    )
    report = health_audit(
        some, CountedWordEncoder(), EmbeddedClaims(), Lake(str(tmp_path)), silent
    ).report
    assert report["documents"] == {REVIEW: 10, "plain-language summary": 10, STUDY: 60}
    assert report["density"]["prob_fact"]["sufficient"]
    assert report["density"]["length_confound"]["robust"]["small"]
    assert report["pubmedqa"]["test_of_all"]["n"] == 60
    assert report["pubmedqa"]["test_of_all"]["conditions"]["B"]["Hit@5"] > 0.9
    assert report["healthfc"]["tiers"]["n"] == 60
