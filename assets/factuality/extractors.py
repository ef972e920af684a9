"""The two ways from a passage to its claims, behind one interface."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from assets.factuality.embedded_extractor import Context, EmbeddedExtractor
from assets.factuality.model_extractor import Estimate, ModelExtractor
from assets.factuality.records import Claim
from assets.increment import in_batches

#: Passages between two commits of the embedded extractor.
BATCH = 1000

Extracted = Mapping[str, list[Claim] | Exception]


@dataclass(frozen=True, slots=True)
class Passage:
    """A text to read, and the headings above it."""

    text: str
    section: tuple[str, ...] = ()


class Extractor(Protocol):
    """Takes atomic claims out of passages."""

    @property
    def fingerprint(self) -> str:
        """Name, model and version: claims of another extractor are other claims."""

    def extract_batches(self, passages: Mapping[str, Passage]) -> Iterator[Extracted]:
        """Claims of some passages by key, or the error that stands for each, batch by batch."""

    def cost(self) -> Mapping[str, Any]:
        """What was spent so far: calls, tokens, money; empty where nothing is paid."""

    def estimate(self, passages: Mapping[str, Passage]) -> Estimate:
        """What reading some passages would take; makes no call."""


class EmbeddedClaims:
    """The rules; free, and the same every time."""

    def __init__(self) -> None:
        self._extractor = EmbeddedExtractor()

    @property
    def fingerprint(self) -> str:
        """Name and version of the rules."""
        return self._extractor.fingerprint

    def extract_batches(self, passages: Mapping[str, Passage]) -> Iterator[Extracted]:
        """Claims of some passages by key."""
        for keys in in_batches(list(passages), BATCH):
            texts = [passages[key].text for key in keys]
            contexts = [Context(passages[key].section) for key in keys]
            yield dict(zip(keys, self._extractor.extract(texts, contexts), strict=True))

    def cost(self) -> Mapping[str, Any]:
        """Nothing."""
        return {}

    def estimate(self, passages: Mapping[str, Passage]) -> Estimate:
        """Nothing, whatever the passages."""
        del passages
        return Estimate(calls=0, input_tokens=0, output_tokens=0, cost_usd=0.0)


class ModelClaims:
    """A language model, asked for several passages a call."""

    def __init__(self, extractor: ModelExtractor) -> None:
        self._extractor = extractor

    @property
    def fingerprint(self) -> str:
        """Model, prompt version and schema version."""
        return self._extractor.fingerprint

    def extract_batches(self, passages: Mapping[str, Passage]) -> Iterator[Extracted]:
        """Claims of some passages by key, committed by the caller as they come."""
        texts = {key: passage.text for key, passage in passages.items()}
        yield from self._extractor.extract_batches(texts)

    def cost(self) -> Mapping[str, Any]:
        """Calls, tokens and money."""
        return self._extractor.cost()

    def estimate(self, passages: Mapping[str, Passage]) -> Estimate:
        """Calls, tokens and money, if every answer comes out right."""
        return self._extractor.estimate([passage.text for passage in passages.values()])
