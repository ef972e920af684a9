"""A folder of medical data sets in the published form, written for a test."""

import csv
import json
import re
from collections.abc import Sequence
from pathlib import Path

from resources.encoder import Vectors
from tests.support.answering import WordEncoder

#: Drugs and complaints that the made-up studies are about, one pair a study.
DRUGS = "alphacin betadol gammazine deltapril epsilan zetamab".split()
COMPLAINTS = "migraine asthma eczema insomnia vertigo gout arthritis colic anaemia".split()


class CountedWordEncoder(WordEncoder):
    """The word encoder with all that an audit asks of one; short words mean nothing to it."""

    id = "words@1"
    window = 256
    runtime = "test"

    def count_tokens(self, text: str) -> int:
        """Words, and two special ones."""
        return 2 + len(text.split())

    def encode(self, texts: Sequence[str], batch: int = 8) -> Vectors:
        """Vectors of unit length."""
        del batch
        long = [
            " ".join(word for word in re.findall(r"\w+", one) if len(word) > 5) for one in texts
        ]
        return super().encode(long)

    encode_queries = encode


def health_folder(folder: Path, studies: int = 54, reviews: int = 6) -> Path:
    """Write the three data sets: as many studies, and reviews each with its summary."""
    _write_reviews(folder / "cochrane_abstracts" / "data" / "results", reviews)
    topics = [(drug, complaint) for drug in DRUGS for complaint in COMPLAINTS][:studies]
    questions = {str(1000 + i): _study(*topic) for i, topic in enumerate(topics)}
    (folder / "pubmedqa" / "data").mkdir(parents=True)
    path = folder / "pubmedqa" / "data" / "ori_pqal.json"
    path.write_text(json.dumps(questions), encoding="utf-8")
    (folder / "healthfc").mkdir()
    path = folder / "healthfc" / "Datensatz.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as lines:
        table = csv.DictWriter(lines, ["en_claim", "label"])
        table.writeheader()
        table.writerow({"en_claim": "Does alphacin help against migraine?", "label": "0"})
        table.writerow({"en_claim": "Can, of all things, crystals cure fear?", "label": "2"})
    return folder


def _study(drug: str, complaint: str) -> dict[str, object]:
    return {
        "QUESTION": f"Is {drug} better than placebo against {complaint}?",
        "CONTEXTS": [
            f"We wanted to know whether {drug} relieves {complaint}. Little is known of it.",
            f"A total of 120 adults with {complaint} took 20 mg of {drug} or placebo for 8 weeks. "
            f"The score of {complaint} fell by 35% with {drug} and by 12% with placebo.",
        ],
        "LABELS": ["BACKGROUND", "RESULTS"],
        "LONG_ANSWER": f"In adults {drug} is better than placebo against {complaint}.",
    }


def _write_reviews(folder: Path, reviews: int) -> None:
    for kind, sentence in (
        ("original", "We included 14 trials with 2,310 participants treated for {complaint}."),
        ("reference", "We found that medicines may help some people who have {complaint}."),
    ):
        (folder / kind).mkdir(parents=True)
        for i in range(reviews):
            said = sentence.format(complaint=COMPLAINTS[i])
            text = f"Medicines for {COMPLAINTS[i]}\n\nMain results\n{said}\nWe stopped in 2024."
            path = folder / kind / f"CD{i:06}.PUB2.json"
            path.write_text(json.dumps({"text": text}), encoding="utf-8")
