"""What the claim benchmarks share: the embedded extractor's claims of a labelled sentence."""

import os
from pathlib import Path

from assets.evaluation.claim_labels import Label, of_the_sentence
from assets.factuality.embedded_extractor import passage_claims
from assets.factuality.records import Claim

_CHECKOUT = Path(__file__).resolve().parents[1]


def shared_folder() -> Path:
    """The folder of shared material: MUON_SHARED, or `shared` beside the checkout."""
    return Path(os.environ.get("MUON_SHARED") or _CHECKOUT.parent / "shared")


def extracted(label: Label) -> list[Claim]:
    """The claims extracted from the passage whose quotes lie mostly within its sentence."""
    return of_the_sentence(label, passage_claims(label.passage))
