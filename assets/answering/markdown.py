"""An answer as Markdown: sentences with numbered citations, each linked to its page."""

import re
from collections.abc import Sequence

from assets.answering.records import OVERLAP_AND_ALIGNMENT, Answer, Citation, Sentence, Verdict

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~])")


def to_markdown(answer: Answer) -> str:
    """The answer, or the abstention with what the corpus does say, and the list of sources.

    In parentheses after each sentence stands how far its citations support it, in [0, 1] (not how
    well it answers), and the probability that they entail it where a model was asked.
    Text from papers is escaped: nothing in it is read as markup, an image or a link.
    """
    sources = _Sources()
    lines = [f"**{escaped(answer.question)}**", ""]
    if answer.abstained:
        lines += [f"*Not answered.* {escaped(answer.reason)}", ""]
        if answer.near_misses:
            lines += ["What the corpus does say:", ""]
            lines += [
                f"- {escaped(miss.text)} {sources.mark(miss.citation)}"
                for miss in answer.near_misses
            ]
            lines.append("")
    else:
        lines += _paragraphs(answer.sentences, sources)
    for disagreement in answer.disagreements:
        sides = " against ".join(
            f"{escaped(value)} {sources.mark(citation)}" for value, citation in disagreement.sides
        )
        lines += [f"> The papers differ ({escaped(disagreement.subject)}): {sides}.", ""]
    lines += sources.listed()
    lines += [f"> {escaped(note)}\n" for note in (*answer.plan.notes, *answer.notes)]
    lines += [_footer(answer), ""]
    return "\n".join(lines)


def escaped(text: str) -> str:
    """Text on one line in which Markdown sees nothing but words."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split())).replace("![", "!\\[")


def _paragraphs(sentences: Sequence[Sentence], sources: "_Sources") -> list[str]:
    lines: list[str] = []
    heading = None
    paragraph: list[str] = []
    for sentence in sentences:
        if sentence.heading != heading:
            lines += _closed(paragraph)
            paragraph = []
            heading = sentence.heading
            if heading:
                lines += [f"### {escaped(heading)}", ""]
        marks = " ".join(dict.fromkeys(sources.mark(c) for c in sentence.citations))
        paragraph.append(f"{escaped(sentence.text)} {marks} ({_scores(sentence.verdict)})")
    return lines + _closed(paragraph)


def _scores(verdict: Verdict) -> str:
    entailed = "" if verdict.entailment is None else f", entailed {verdict.entailment:.2f}"
    return f"support {verdict.score:.2f}{entailed}"


def _closed(paragraph: list[str]) -> list[str]:
    return [" ".join(paragraph), ""] if paragraph else []


def _footer(answer: Answer) -> str:
    cost = f", {answer.usage.cost_usd:.4f} US$" if answer.usage.calls else ""
    release = f", release {answer.release}" if answer.release else ""
    plain = answer.grounding == OVERLAP_AND_ALIGNMENT
    checked = "" if plain else f", checked by {escaped(answer.grounding)}"
    return f"<sub>{answer.mode}, {escaped(answer.model)}{checked}{release}{cost}</sub>"


class _Sources:
    """Numbers a page of a paper when it is first cited."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, int], int] = {}
        self._cited: list[Citation] = []

    def mark(self, citation: Citation) -> str:
        place = (citation.paper_id, citation.page)
        if place not in self._numbers:
            self._numbers[place] = len(self._numbers) + 1
            self._cited.append(citation)
        number = self._numbers[place]
        link = safe_link(citation.link)
        return f"[[{number}]]({link})" if link else f"\\[{number}\\]"

    def listed(self) -> list[str]:
        if not self._cited:
            return []
        lines = ["Sources", ""]
        for number, citation in enumerate(self._cited, start=1):
            link = safe_link(citation.link)
            where = f"[page {citation.page}]({link})" if link else f"page {citation.page}"
            title = escaped(citation.title or citation.paper_id)
            lines.append(f"{number}. {title} ({escaped(citation.paper_id)}), {where}")
        return [*lines, ""]


def safe_link(link: str) -> str:
    """A link to a page that Markdown can hold, or "" for one of another scheme."""
    if not re.match(r"(?:https?://|file://|[./\w])", link) or re.match(
        r"(?:javascript|data|vbscript):", link, re.IGNORECASE
    ):
        return ""
    return link.replace(" ", "%20").replace("(", "%28").replace(")", "%29").replace(">", "%3E")
