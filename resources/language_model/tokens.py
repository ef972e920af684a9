"""How many tokens a text will be, without asking the model."""

import math

CHARACTERS_PER_TOKEN = 4.0


def estimate_tokens(text: str) -> int:
    """Estimated number of tokens of `text`: one per four UTF-8 bytes, rounded up.

    Four characters a token is the rule of thumb that Google and OpenAI both give for English.
    Bytes instead of characters, because Greek letters and mathematical signs cost more tokens
    than Latin letters do; for ASCII the two are the same.
    """
    return math.ceil(len(text.encode("utf-8", "replace")) / CHARACTERS_PER_TOKEN)
