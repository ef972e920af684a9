"""Which texts an extractor has not read yet."""

from assets.factuality.extractors import Passage
from assets.parsing.selection import live_chunks
from assets.tables import CLAIMS
from resources.lake import Lake, col


def live_passages(lake: Lake) -> dict[str, Passage]:
    """Every text of the next release by its hash."""
    return {
        row["text_sha"]: Passage(row["text"], tuple(row["section"]))
        for row in live_chunks(lake, ["text_sha", "text", "section"])
    }


def read_texts(lake: Lake, extractor: str) -> set[str]:
    """Hashes of the texts that the extractor of this name has read."""
    rows = lake.read(CLAIMS, ["text_sha"], where=col("extractor") == extractor)
    return set(rows["text_sha"].to_pylist())


def unread_texts(lake: Lake, extractor: str) -> set[str]:
    """Hashes of the texts of the next release that the extractor has not read."""
    wanted = {row["text_sha"] for row in live_chunks(lake, ["text_sha"])}
    return wanted - read_texts(lake, extractor)
