"""Measures the embedded claim extractor on hand-labelled sentences, and its speed on real text.

    python -m benchmarks.bench_claims [--labels FILE] [--errors]

For each half of the labels and for all of them:
- sentences: precision, recall and F1 of "bears a claim";
- claims: precision, recall and F1 against the labelled claims, matched one to one with the
  greatest total agreement, where agreement is the F1 of content-word stems and pairs below .5 do
  not match; beside it F1 at .7, where only near-paraphrases match;
- ρ: Spearman's correlation of prob_fact with the labels of matched claims, by the coefficients in
  the code and, for each half, by coefficients fitted on the other half alone.

The extractor gets each sentence between its neighbours, as it would in a passage. Speed is over
the shared corpus's texts in passages of some 140 words, in one process; processor time is the
figure to compare where other work runs beside it. `--errors` lists what went wrong in the
development half.
"""

import argparse
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from scipy.stats import spearmanr

from assets.evaluation.claim_labels import (
    Label,
    claim_agreement,
    matches,
    read_labels,
    sentence_agreement,
)
from assets.factuality.embedded_extractor import EmbeddedExtractor
from benchmarks.claim_labels import extracted, shared_folder
from benchmarks.fit_prob_fact import fit, matched, rank_correlation

_TARGETS = "targets: sentences F1 .85, claims F1 .65, ρ .60, 150 passages/s on 2 cores"
_STRICT = 0.7
_PASSAGE_WORDS = 140


def _print_row(name: str, labels: Sequence[Label], others: Sequence[Label]) -> None:
    claims = [extracted(label) for label in labels]
    pairs = matched(labels)
    rho = spearmanr([pair.claim.prob_fact for pair in pairs], [pair.prob_fact for pair in pairs])
    crossed = f"{rank_correlation(fit(others), pairs):8.3f}" if others else "       –"
    sentences = sentence_agreement(labels, claims)
    from_labels = claim_agreement(labels, claims)
    print(
        f"{name:12}{len(labels):5} {sentences.precision:8.3f}{sentences.recall:6.3f}"
        f"{sentences.f1:6.3f} {from_labels.precision:8.3f}{from_labels.recall:6.3f}"
        f"{from_labels.f1:6.3f}{claim_agreement(labels, claims, _STRICT).f1:8.3f}"
        f" {rho.statistic:8.3f}{crossed}{len(pairs):5}"
    )


def _print_errors(labels: Sequence[Label]) -> None:
    for label in labels:
        claims = extracted(label)
        pairs = matches(label, claims)
        if len(pairs) == len(claims) == len(label.claims):
            continue
        print(f"\n{label.id}  {label.sentence}")
        print(
            "".join(f"   found     {claim.prob_fact:.2f} {claim.text}\n" for claim in claims),
            end="",
        )
        print("".join(f"   labelled  {score:.2f} {text}\n" for text, score in label.claims), end="")


def passages_of(folder: Path) -> list[str]:
    """The texts of a folder up to their references, in passages of about 140 words."""
    passages = []
    for path in sorted(folder.glob("*.md")):
        text = re.split(r"\n#+ *\**references", path.read_text("utf-8"), flags=re.IGNORECASE)[0]
        words: list[str] = []
        for paragraph in text.split("\n\n"):
            words += paragraph.split()
            while len(words) >= _PASSAGE_WORDS:
                passages.append(" ".join(words[:_PASSAGE_WORDS]))
                words = words[_PASSAGE_WORDS:]
    return passages


def _print_speed(folder: Path) -> None:
    passages = passages_of(folder)
    if not passages:
        print(f"speed: no texts in {folder}")
        return
    extractor = EmbeddedExtractor()
    extractor.extract(passages[:20])
    wall, processor = time.perf_counter(), time.process_time()
    claims = extractor.extract(passages)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    print(
        f"speed: {len(passages)} passages, {sum(map(len, claims)) / len(passages):.1f} claims each,"
        f" {len(passages) / processor:.0f} a second of processor time in one process "
        f"({len(passages) / wall:.0f} by the clock)"
    )


def run(path: Path, errors: bool) -> int:
    """Print the table, the speed, and on request the errors."""
    labels = read_labels(path)
    development = [label for label in labels if label.in_development]
    held_out = [label for label in labels if not label.in_development]
    print(_TARGETS)
    print(f"{'':17}{'sentences':>21}{'claims':>21}{'':8}{'prob_fact':>18}")
    print(
        f"{'half':12}{'n':>5}{'P':>9}{'R':>6}{'F1':>6}{'P':>9}{'R':>6}{'F1':>6}{'F1@.7':>8}"
        f"{'ρ':>9}{'ρ cross':>8}{'n':>5}"
    )
    _print_row("development", development, held_out)
    _print_row("held out", held_out, development)
    _print_row("all", labels, [])
    _print_speed(shared_folder() / "corpus" / "text")
    if errors:
        _print_errors(development)
    return 0


def main() -> int:
    """The command line."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = shared_folder() / "benchmark" / "claims.jsonl"
    options.add_argument("--labels", type=Path, default=default, help="a JSON-lines file of labels")
    options.add_argument("--errors", action="store_true", help="list the development half's errors")
    chosen = options.parse_args()
    return run(chosen.labels, chosen.errors)


if __name__ == "__main__":
    sys.exit(main())
