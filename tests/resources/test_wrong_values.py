"""A value that cannot be is told in words for whoever wrote it, not in those of a library."""

from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from resources.wrong_values import wrong_value


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


def even(number: int) -> int:
    if number % 2:
        raise ValueError(f"{number!r} is not even")
    return number


class Inner(BaseModel):
    number: Annotated[int, AfterValidator(even)] = 0


class Everything(BaseModel):
    model_config = ConfigDict(extra="forbid")

    needed: str = Field(min_length=2, max_length=4, pattern="^[a-z]*$")
    whole: int = Field(default=1, ge=1, le=64)
    real: float = Field(default=1.0, gt=0, lt=2, allow_inf_nan=False)
    flag: bool = False
    colour: Colour = Colour.RED
    choice: Literal["left", "right"] = "left"
    words: tuple[str, ...] = Field(default=("a",), min_length=1, max_length=2)
    names: list[str] = []
    table: dict[str, str] = {}
    inner: Inner = Inner()


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"needed": None}, "needed: it must be a text"),
        ({"needed": "a"}, "needed cannot be 'a': it must be at least 2 characters long"),
        ({"needed": "abcde"}, "needed cannot be 'abcde': it must be at most 4 characters long"),
        (
            {"needed": "A1"},
            "needed cannot be 'A1': it must be written as the pattern ^[a-z]*$ says",
        ),
        ({"whole": "many"}, "whole cannot be 'many': it must be a whole number"),
        ({"whole": 1.5}, "whole cannot be 1.5: it must be a whole number"),
        ({"whole": 0}, "whole cannot be 0: it must be at least 1"),
        ({"whole": 65}, "whole cannot be 65: it must be at most 64"),
        ({"real": "fast"}, "real cannot be 'fast': it must be a number"),
        ({"real": 0}, "real cannot be 0: it must be more than 0"),
        ({"real": 2}, "real cannot be 2: it must be less than 2"),
        ({"real": float("nan")}, "real cannot be nan: it must be a finite number"),
        ({"flag": "perhaps"}, "flag cannot be 'perhaps': it must be true or false"),
        ({"colour": "green"}, "colour cannot be 'green': it must be 'red' or 'blue'"),
        ({"choice": "up"}, "choice cannot be 'up': it must be 'left' or 'right'"),
        ({"words": ()}, "words: it must list at least 1"),
        ({"words": ("a", "b", "c")}, "words: it must list at most 2"),
        ({"words": "a"}, "words cannot be 'a': it must be a list"),
        ({"names": "a"}, "names cannot be 'a': it must be a list"),
        ({"table": 3}, "table cannot be 3: it must be a table of names and values"),
        ({"inner": 3}, "inner cannot be 3: it must be a table of names and values"),
        ({"inner": {"number": 3}}, "inner.number cannot be 3: it is not even"),
        ({"colours": 3}, "colours: there is nothing of this name"),
    ],
)
def test_what_a_value_should_have_been_is_told(values: dict[str, Any], told: str) -> None:
    with pytest.raises(ValidationError) as raised:
        Everything.model_validate({"needed": "abc"} | values)
    assert wrong_value(raised.value) == told
    assert wrong_value(raised.value, "part") == f"part.{told}"


def test_what_is_missing_is_told() -> None:
    with pytest.raises(ValidationError) as raised:
        Everything.model_validate({})
    assert wrong_value(raised.value) == "needed: it is missing"
    with pytest.raises(ValidationError) as raised:
        Everything.model_validate([])
    assert wrong_value(raised.value) == "the whole: it must be a table of names and values"


def test_of_a_long_value_only_the_beginning_is_shown() -> None:
    with pytest.raises(ValidationError) as raised:
        Everything.model_validate({"needed": "abc", "whole": "9a" * 5000})
    assert len(wrong_value(raised.value)) < 200
