"""Closed classes of English words, lower-case: the ones a shallow grammar can list."""


def words(text: str) -> frozenset[str]:
    """A set of words written as running text."""
    return frozenset(text.split())


DETERMINERS = words(
    "a an the this that these those each every both all some any no its their our his her such"
)
PRONOUN_DETERMINERS = words("this that these those all each both some")
"""Determiners that can be a subject by themselves."""
PRONOUNS = words("it they this these that those he she")
PREPOSITIONS = words(
    """
    of in on at by for from with without within into onto over under above below between among
    through throughout during after before since until to toward towards against along across
    around about near per via upon despite beyond besides inside outside than as like unlike
    following including using versus
    """
)
RELATIVES = words("which that who whose where when whom")
SUBORDINATORS = words(
    "if when while whereas because since although though unless until as once where whether that"
)
MODALS = words("will would can could may might must shall should cannot")
SINGULAR_AUXILIARIES = words("is was has does")
PLURAL_AUXILIARIES = words("are were have do")
AUXILIARIES = MODALS | SINGULAR_AUXILIARIES | PLURAL_AUXILIARIES | words("had did")
ADVERBS = words(
    """
    also often then thus therefore hence now still already always never typically usually
    currently recently later soon even only just not indeed further instead rather generally
    mostly mainly partly nearly almost well far much more most less least very quite too here
    there again once together subsequently finally additionally
    """
)


def is_plural(noun: str) -> bool:
    """Whether a noun looks plural; "mass", "radius" and "analysis" do not."""
    return noun.endswith("s") and not noun.endswith(("ss", "us", "is"))


def singular(noun: str) -> str:
    """A regular noun without its plural ending, so that "magnets" and "magnet" agree."""
    return noun[:-1] if is_plural(noun) else noun
