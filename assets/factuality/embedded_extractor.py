"""The claim extractor that needs no model server: rules over sentences and clauses.

A passage is cut into sentences. What is no prose is dropped (`document_parts`), the rest is split
into statements (`clauses`), each is freed of what only guides the reader (`tidying`), its opening
reference is resolved or the statement refused (`anaphora`), statements that point, plan or guess
are dropped (`rhetoric`), and what is left is a claim, scored by `prob_fact`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from assets.factuality.anaphora import Antecedents, antecedents, resolve
from assets.factuality.clauses import split_clauses
from assets.factuality.document_parts import (
    section_bears_claims,
    why_incomplete,
    why_no_sentence,
)
from assets.factuality.prob_fact import prob_fact
from assets.factuality.records import Claim
from assets.factuality.rhetoric import why_nothing_stated
from assets.factuality.tidying import tidy
from assets.parsing.sentences import split_sentences


@dataclass(frozen=True, slots=True)
class Context:
    """Where a passage stands: its section's path of headings, outermost first."""

    section: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one sentence gave: its claims, or the reason why it gave none."""

    claims: tuple[Claim, ...]
    reason: str = ""


class EmbeddedExtractor:
    """Atomic claims by rule, deterministic and pure: the same passage gives the same claims.

    `fingerprint` changes with the rules and with the coefficients of `prob_fact`.
    """

    fingerprint = "embedded-claims 2"

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
    for verdict in judge(text):
        for claim in verdict.claims:
            claims.setdefault(claim.text.casefold(), claim)
    return list(claims.values())


def judge(text: str) -> list[Verdict]:
    """The verdict on each sentence of a passage, as `split_sentences` cuts it."""
    verdicts = []
    known = Antecedents()
    for start, end in split_sentences(text):
        verdict, known = _judge_sentence(text[start:end], known)
        verdicts.append(verdict)
    return verdicts


def _judge_sentence(sentence: str, known: Antecedents) -> tuple[Verdict, Antecedents]:
    """The verdict on one sentence, and what the next one may refer to."""
    reason = why_no_sentence(sentence)
    if reason is not None:
        return Verdict((), reason), Antecedents()
    claims: list[Claim] = []
    reasons: list[str] = []
    nearest = known
    clauses = split_clauses(sentence)
    for clause in clauses:
        statement = resolve(tidy(clause.text(sentence)), nearest)
        if statement is None:
            reasons.append("unresolved")
            continue
        nearest = antecedents(statement, nearest)
        reason = why_incomplete(statement) or why_nothing_stated(statement)
        if reason is None:
            quote = sentence[clause.start : clause.end]
            claims.append(Claim(text=statement, quote=quote, prob_fact=prob_fact(statement)))
        else:
            reasons.append(reason)
    offered = nearest if len(clauses) == 1 else _offered(sentence, known)
    if not claims or "unresolved" in reasons:
        offered = replace(offered, statement="")
    return Verdict(tuple(claims), "" if claims else reasons[0]), offered


def _offered(sentence: str, known: Antecedents) -> Antecedents:
    """The antecedents of a sentence of several clauses: those of the whole of it."""
    whole = tidy(sentence)
    return antecedents(resolve(whole, known) or whole, known)
