"""Counts in sentences: `1 paper`, `2 papers`."""


def counted(number: int, one: str, many: str = "") -> str:
    """A number with what it counts; `many` is the plural where an s does not make it."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
