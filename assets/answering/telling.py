"""What happens while an answer is made, in words, for those who follow it."""

from collections.abc import Mapping
from typing import Any

from resources.counts import counted


def in_words(step: str, told: Mapping[str, Any]) -> list[str]:
    """The lines that tell of a step that ended; `told` is what `answer_question` says of it."""
    if step == "plan":
        tags = ", ".join(told["tags"]) or "none"
        first = f"plan: {told['type'].replace('_', ' ')}; tags: {tags}"
        return [first, *(f"  search {query}" for query in told["subqueries"])]
    if step == "evidence":
        return [
            f"evidence: {counted(told['passages'], 'passage')}",
            *(f"  {note}" for note in told["notes"]),
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
