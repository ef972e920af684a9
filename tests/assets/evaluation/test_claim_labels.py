"""Hand labels: read, matched with extracted claims, and summed up."""

import json

import pytest

from assets.evaluation.claim_labels import Label, label_report, of_the_sentence, read_labels
from assets.factuality.records import Claim
from resources.errors import UsageError

SENTENCE = "The dipole reaches 16 T, and the bore is 50 mm wide."
LABEL = Label(
    "s1",
    SENTENCE,
    "The ring is long.",
    "It was built in 1988.",
    (("The dipole reaches 16 T.", 1.0), ("The bore of the dipole is 50 mm wide.", 0.8)),
)
NOTHING = Label("s2", "This is promising.", "", "", ())


def claim(text: str, score: float, quote: str = SENTENCE) -> Claim:
    return Claim(text, quote, score)


def test_claims_of_the_neighbours_are_left_out():
    inside, outside = claim("a", 0.5), claim("b", 0.5, "It was built in 1988.")
    assert of_the_sentence(LABEL, [inside, outside]) == [inside]


def test_agreement_by_hand():
    found = [claim("The dipole reaches 16 T.", 0.9), claim("Cooling is expensive.", 0.4)]
    report = label_report([LABEL, NOTHING], [found, [claim("It is promising.", 0.3)]])
    assert report["sentences"] == {
        "n": 2,
        "precision": 0.5,
        "recall": 1.0,
        "f1": pytest.approx(2 / 3),
    }
    assert report["claims"]["precision"] == pytest.approx(1 / 3)
    assert report["claims"]["recall"] == 0.5
    assert report["prob_fact"] == {"n": 1, "spearman": None}


def test_scores_are_compared_by_rank():
    labels = [
        Label(
            str(i), f"The coil {i} has {i} turns.", "", "", ((f"The coil {i} has {i} turns.", s),)
        )
        for i, s in enumerate((0.2, 0.6, 1.0))
    ]
    claims = [[claim(one.sentence, s)] for one, s in zip(labels, (0.3, 0.4, 0.9), strict=True)]
    assert label_report(labels, claims)["prob_fact"]["spearman"] == pytest.approx(1.0)
    assert label_report([], [])["sentences"]["f1"] == 0.0


def test_a_file_of_labels(tmp_path):
    path = tmp_path / "labels.jsonl"
    line = {
        "id": "s1",
        "sentence": "A.",
        "context": {"before": "B.", "after": ""},
        "claims": [{"text": "A is.", "prob_fact": 0.6}],
    }
    path.write_text(json.dumps(line) + "\n\n", encoding="utf-8")
    assert read_labels(path) == [Label("s1", "A.", "B.", "", (("A is.", 0.6),))]
    path.write_text('{"id": "s1"}\n', encoding="utf-8")
    with pytest.raises(UsageError, match="is no file of claim labels"):
        read_labels(path)
    with pytest.raises(UsageError, match="is no file of claim labels"):
        read_labels(tmp_path / "absent.jsonl")
