"""The claim extractor that needs no model server: rules over sentences and clauses."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from assets.factuality.bearing import section_bears_claims, why_no_claim, why_no_statement
from assets.factuality.clauses import split_clauses
from assets.factuality.prob_fact import prob_fact
from assets.factuality.records import Claim
from assets.factuality.self_contained import Antecedents, antecedents, resolve, tidy
from assets.factuality.sentences import split_sentences

_FEWEST_WORDS = 4
"""A shorter statement says nothing that can be checked."""


@dataclass(frozen=True, slots=True)
class Context:
    """Where a passage stands: its section's path of headings, outermost first."""

    section: tuple[str, ...] = ()


class EmbeddedExtractor:
    """Atomic claims by rule: which sentences bear one, where they split, what they refer to.

    Deterministic and pure: the same passage always gives the same claims. `fingerprint` changes
    with the rules and with the coefficients of `prob_fact`.
    """

    fingerprint = "embedded-claims 1"

    def extract(
        self, texts: Sequence[str], contexts: Sequence[Context] | None = None
    ) -> list[list[Claim]]:
        """The claims of each passage, in reading order.

        Every quote stands verbatim in its passage; a passage below a heading such as
        "Acknowledgements" or "References" has none. `contexts`, where given, are as many as the
        passages.
        """
        if contexts is None:
            return [passage_claims(text) for text in texts]
        return [
            passage_claims(text) if section_bears_claims(context.section) else []
            for text, context in zip(texts, contexts, strict=True)
        ]


def passage_claims(text: str) -> list[Claim]:
    """The claims of one passage, in reading order, none twice."""
    claims: dict[str, Claim] = {}
    known = Antecedents()
    for start, end in split_sentences(text):
        _, found, known = judge_sentence(text[start:end], known)
        for claim in found:
            claims.setdefault(claim.text.casefold(), claim)
    return list(claims.values())


def judge_sentence(sentence: str, known: Antecedents) -> tuple[str, list[Claim], Antecedents]:
    """The claims of one sentence after others that left the antecedents `known`.

    Returns the reason why there is none (empty where there is one), the claims, and what the
    next sentence may refer to.
    """
    reason = why_no_claim(sentence)
    if reason is not None:
        return reason, [], Antecedents()
    claims: list[Claim] = []
    nearest = known
    for clause in split_clauses(sentence):
        statement = resolve(tidy(clause.text(sentence)), nearest)
        if statement is None:
            reason = reason or "unresolved"
            continue
        nearest = antecedents(statement, nearest)
        refused = why_no_statement(statement)
        if refused is None and len(statement.split()) < _FEWEST_WORDS:
            refused = "fragment"
        if refused is None:
            quote = sentence[clause.start : clause.end]
            claims.append(Claim(text=statement, quote=quote, prob_fact=prob_fact(statement)))
        reason = reason or refused
    whole = tidy(sentence)
    resolved = resolve(whole, known)
    offered = antecedents(resolved or whole, known)
    if resolved is None or not claims:
        offered = replace(offered, statement="")
    return ("" if claims else reason or "fragment"), claims, offered
