"""What a value that pydantic refuses should have been, in words for whoever wrote it.

Pydantic's own messages are for programmers: "Input should be a valid integer, unable to parse
string as an integer".
"""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

#: By the type of pydantic's error; the braces name what its context holds.
_WORDS: Mapping[str, str] = {
    "bool_parsing": "it must be true or false",
    "bool_type": "it must be true or false",
    "dict_type": "it must be a table of names and values",
    "enum": "it must be {expected}",
    "extra_forbidden": "there is nothing of this name",
    "finite_number": "it must be a finite number",
    "float_parsing": "it must be a number",
    "float_type": "it must be a number",
    "greater_than": "it must be more than {gt:g}",
    "greater_than_equal": "it must be at least {ge:g}",
    "int_from_float": "it must be a whole number",
    "int_parsing": "it must be a whole number",
    "int_type": "it must be a whole number",
    "less_than": "it must be less than {lt:g}",
    "less_than_equal": "it must be at most {le:g}",
    "list_type": "it must be a list",
    "literal_error": "it must be {expected}",
    "mapping_type": "it must be a table of names and values",
    "missing": "it is missing",
    "model_type": "it must be a table of names and values",
    "string_pattern_mismatch": "it must be written as the pattern {pattern} says",
    "string_too_long": "it must be at most {max_length} characters long",
    "string_too_short": "it must be at least {min_length} characters long",
    "string_type": "it must be a text",
    "too_long": "it must list at most {max_length}",
    "too_short": "it must list at least {min_length}",
    "tuple_type": "it must be a list",
}

#: Errors of a name, whatever its value.
_OF_THE_NAME = {"missing", "extra_forbidden"}

_LONGEST = 60  # characters shown of a value


def wrong_value(error: ValidationError, where: str = "") -> str:
    """The first value that was refused, as `NAME cannot be VALUE: it must be …`, no full stop.

    `where` names the whole that was read; its parts are named by pydantic's path to them.
    """
    first = error.errors()[0]
    name = ".".join([*filter(None, [where]), *map(str, first["loc"])])
    value = first["input"]
    what = _what(first, value)
    if first["type"] in _OF_THE_NAME or not isinstance(value, str | int | float):
        return f"{name or 'the whole'}: {what}"
    text = repr(value)
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    return f"{name or 'the whole'} cannot be {shown}: {what}"


def _what(first: Any, value: object) -> str:
    context = first.get("ctx", {})
    if first["type"] in {"value_error", "assertion_error"}:
        own = str(context["error"])
        repeated = f"{value!r} "
        return f"it {own.removeprefix(repeated)}" if own.startswith(repeated) else own
    if first["type"] in _WORDS:
        return _WORDS[first["type"]].format_map(context)
    message = str(first["msg"])
    return message[:1].lower() + message[1:]
