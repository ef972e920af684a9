"""A bibliography entry of TEI as one readable line, as printed where GROBID kept that."""

import re
from collections import Counter
from collections.abc import Iterable
from xml.etree.ElementTree import Element

from assets.parsing.tei_hyphens import mended
from assets.parsing.tei_text import clean
from assets.parsing.tei_xml import find, plain_text

_MARK = re.compile(r"[\[(]?(\d{1,4})[\])]?[,;.]?$")


def reference_line(entry: Element) -> str:
    """One entry (`biblStruct` or `bibl`) on one line; empty where it holds nothing.

    The printed string (`<note type="raw_reference">`) is taken where there is one, otherwise
    authors, title, container, volume, pages, publisher, year and arXiv or DOI number, each that
    is there, in the usual order.
    """
    printed = find_note(entry, "raw_reference")
    if printed:
        return mended(clean(printed))
    if entry.tag == "bibl":
        return clean(plain_text(entry))
    analytic, monograph = entry.find("analytic"), entry.find("monogr")
    imprint = find(monograph, "imprint")
    parts = [
        ", ".join(person_names(analytic) or person_names(monograph)),
        plain_text(find(analytic, "title")),
        plain_text(find(monograph, "title")),
        plain_text(find(monograph, "meeting")),
        ", ".join(_scopes(imprint)),
        plain_text(find(imprint, "publisher")),
        *(plain_text(note) for note in entry.findall("note") if note.get("type") is None),
        _date(imprint),
        *_numbers(entry),
        *(pointer.get("target", "") for pointer in entry.iter("ptr")),
    ]
    return clean(". ".join(part.strip(" .") for part in dict.fromkeys(parts) if part.strip(" .")))


def person_names(parent: Element | None) -> list[str]:
    """The authors (or, without any, the editors) below `parent` as "First Middle Last"."""
    if parent is None:
        return []
    people = parent.findall("author") or parent.findall("editor")
    return [name for person in people if (name := _name(person))]


def find_note(entry: Element, kind: str) -> str:
    """The text of the entry's note of one type; empty where there is none."""
    notes = (note for note in entry.iter("note") if note.get("type") == kind)
    return plain_text(next(notes, None))


def printed_numbers(root: Element) -> dict[str, str]:
    """Entry id to the number by which the text cites it, such as {"b11": "12"}.

    Read off the in-text references that point to an entry and consist of a number; the most
    frequent one counts, so that a single wrongly resolved reference changes nothing.
    """
    votes: dict[str, Counter[str]] = {}
    for reference in root.iter("ref"):
        target = reference.get("target", "")
        mark = _MARK.match(plain_text(reference))
        if mark and target.startswith("#b"):
            votes.setdefault(target[1:], Counter())[mark[1]] += 1
    return {entry: counted.most_common(1)[0][0] for entry, counted in votes.items()}


def _name(person: Element) -> str:
    name = find(person, "persName")
    if name is None:
        # Collaborations come as text, or as an organisation's name.
        return clean(plain_text(person.find("orgName")) or " ".join((person.text or "").split()))
    given = [plain_text(part) for part in name.findall("forename")]
    family = [plain_text(part) for part in name.findall("surname")]
    suffix = [plain_text(part) for part in name.findall("genName")]
    return clean(" ".join(part for part in (*given, *family, *suffix) if part) or plain_text(name))


def _scopes(imprint: Element | None) -> Iterable[str]:
    """Volume, issue and pages: as text, or as the attributes `from` and `to`."""
    for scope in imprint.findall("biblScope") if imprint is not None else ():
        first, last = scope.get("from"), scope.get("to")
        text = plain_text(scope) or "-".join(part for part in (first, last) if part)
        if text:
            yield text


def _date(imprint: Element | None) -> str:
    date = find(imprint, "date")
    return "" if date is None else plain_text(date) or date.get("when", "")


def _numbers(entry: Element) -> Iterable[str]:
    for number in entry.iter("idno"):
        kind = number.get("type", "").lower()
        if kind in {"arxiv", "doi", ""}:
            yield plain_text(number)
