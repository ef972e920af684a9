"""An honest stand-in for a model that extracts claims, by simple rules, for loopback servers.

It reads the passages out of the prompt and makes a claim of every sentence with a digit in it.
"""

import re
from typing import Any

from tests.support.model_server import ModelRequest

_PASSAGE = re.compile(r"<<<PASSAGE (\S+) (\w+)>>>\n(.*?)\n<<<END \1 \2>>>", re.DOTALL)


def passages(request: ModelRequest) -> dict[str, str]:
    """The passages of a claims prompt as {id: text}."""
    return {label: text for label, _, text in _PASSAGE.findall(request.user)}


def claims_of(label: str, text: str) -> list[dict[str, Any]]:
    """One claim a sentence that holds a digit; more digits score higher."""
    sentences = [s for s in re.split(r"(?<=[.!?█])\s+", text) if re.search(r"\d", s)]
    return [
        {
            "chunk_id": label,
            "quote": sentence,
            "text": " ".join(sentence.split()),
            "prob_fact": 1.0 if len(re.findall(r"\d", sentence)) > 3 else 0.8,
        }
        for sentence in sentences
        if len(sentence.split()) >= 3
    ]


def honest_claims(request: ModelRequest) -> dict[str, Any]:
    """A whole honest answer."""
    found = passages(request)
    return {
        "chunks_read": list(found),
        "claims": [claim for label, text in found.items() for claim in claims_of(label, text)],
    }
