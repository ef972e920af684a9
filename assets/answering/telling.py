"""What happens while an answer is made, in words, for those who follow it."""

from collections.abc import Mapping
from typing import Any

from resources.counts import counted

#: Characters shown of a question, a search or a note, which may be thousands of words long.
MOST_SHOWN = 300


def clipped(text: str, most: int = MOST_SHOWN) -> str:
    """The first words of a text, with an ellipsis where more follow."""
    flat = " ".join(text.split())
    if len(flat) <= most:
        return flat
    beginning = flat[:most]
    return f"{beginning.rpartition(' ')[0] or beginning}…"


def in_words(step: str, told: Mapping[str, Any]) -> list[str]:
    """The lines that tell of a step that ended; `told` is what `answer_question` says of it."""
    if step == "plan":
        tags = ", ".join(told["tags"]) or "none"
        first = f"plan: {told['type'].replace('_', ' ')}; tags: {tags}"
        return [first, *(f"  search {clipped(query)}" for query in told["subqueries"])]
    if step == "evidence":
        return [
            f"evidence: {counted(told['passages'], 'passage')}",
            *(f"  {clipped(note, 2 * MOST_SHOWN)}" for note in told["notes"]),
        ]
    if step == "reading":
        return [f"reading: {counted(told['sentences'], 'sentence')} to choose from"]
    if step == "writing":
        kept, dropped = told["sentences"], told["dropped"]
        return [
            f"writing: {counted(kept, 'sentence')} passed the checks, {dropped} did not "
            f"({told['writer']})"
        ]
    return [step]
