"""The views of a question that are embedded: the whole, and its clauses.

A long question names its machine in one clause and asks in another; as one vector it lies between
the two and near neither. The mean of the cosines of all views ranks better than the whole alone.
"""

import re

_BREAKS = re.compile(
    r"[,;:?]|\bthan\b|\band\s+(?=(?:what|how|why|which|by|at|with|in|is|are|does|do)\b)",
    re.IGNORECASE,
)
_LEAST_WORDS = 4  # fewer say too little to be searched for
_MOST_CLAUSES = 6


def clauses(question: str) -> list[str]:
    """The clauses of a question that can stand alone, or none where it is of one piece."""
    parts = [" ".join(part.split()) for part in _BREAKS.split(question)]
    long = [part for part in parts if len(part.split()) >= _LEAST_WORDS][:_MOST_CLAUSES]
    whole = " ".join(question.split()).rstrip("?.! ")
    return [] if long == [whole] else long
