"""The ways in which a model's answer can be useless although the call itself went through.

All are permanent: the same prompt with the same settings would fare no better.
"""

from resources.errors import Permanent


class Truncated(Permanent):
    """The answer reached the limit of output tokens and stops in the middle."""


class Blocked(Permanent):
    """The provider's filter refused the prompt or withheld the answer."""


class Malformed(Permanent):
    """The answer is not JSON, or does not fit the schema it was asked for."""


class TooLong(Permanent):
    """A request that is longer than the model's context; a shorter one may pass."""
