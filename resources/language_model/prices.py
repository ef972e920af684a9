"""What a token costs.

US dollars per million tokens, standard paid tier, text, prompts up to 200,000 tokens; output
includes reasoning tokens. Taken in November 2026 from the providers' price pages
(ai.google.dev/gemini-api/docs/pricing and developers.openai.com/api/docs/pricing). Where a page
announces a discount that ends (Gemini 3.6 to 3.8 Flash are half price to 31 December 2026), the
table holds the full price: a budget may stop early, never late.

A model that is not listed has no known price; its cost is None, never a guess. A model on the
user's own machine costs nothing.
"""

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens."""

    input: float
    output: float

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        """Cost in US dollars of one call."""
        return (input_tokens * self.input + output_tokens * self.output) / 1_000_000


FREE = Price(0.0, 0.0)

PRICES = {
    "gemini/gemini-3.8-flash": Price(1.50, 7.50),
    "gemini/gemini-3.7-flash": Price(1.50, 7.50),
    "gemini/gemini-3.6-flash": Price(1.50, 7.50),
    "gemini/gemini-3.5-flash": Price(1.50, 9.00),
    "gemini/gemini-3.5-flash-lite": Price(0.30, 2.50),
    "gemini/gemini-3.1-pro-preview": Price(2.00, 12.00),
    "gemini/gemini-3-flash-preview": Price(0.50, 3.00),
    "gemini/gemini-2.5-pro": Price(1.25, 10.00),
    "gemini/gemini-2.5-flash": Price(0.30, 2.50),
    "gemini/gemini-2.5-flash-lite": Price(0.10, 0.40),
    "openai/gpt-5.5": Price(5.00, 30.00),
    "openai/gpt-5.4": Price(2.50, 15.00),
    "openai/gpt-5.4-mini": Price(0.75, 4.50),
    "openai/gpt-5.4-nano": Price(0.20, 1.25),
}


def price_of(model: str, base_url: str = "") -> Price | None:
    """Price of `model` ("gemini/…" or "openai/…"), or None where it is not known.

    `base_url` is the server an OpenAI-compatible model is asked at, empty for the provider's
    own; any model on this machine or on a private network is `FREE`.
    """
    if model.startswith("openai/") and base_url and is_local(base_url):
        return FREE
    return PRICES.get(model)


def is_local(base_url: str) -> bool:
    """True for a server on this machine or a private network (localhost, 10.0.0.7, gpu-box)."""
    host = urlsplit(base_url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith((".local", ".localhost", ".internal"))
