"""arXiv ids that a person names: on the command line, in a text file, or in a BibTeX file.

Of BibTeX only what names eprints is understood: INSPIRE's `eprint`, `archivePrefix` and
`primaryClass`, arXiv's DOIs, and links to arXiv.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from resources.errors import UsageError
from resources.identifiers import ArxivId, parse_arxiv_id
from resources.named_files import refuse_folder, require_file

_ENTRY = re.compile(r"@\s*(\w+)\s*([{(])")
_NO_ENTRIES = frozenset({"comment", "string", "preamble"})
_KEY = re.compile(r"\s*([^\s,=#{}()\"]+)")
_FIELD = re.compile(r"[\s,]*([\w-]+)\s*=\s*")
_BARE = re.compile(r"[^\s,#{}\"()]+")
_NEXT = re.compile(r"^@\w+\s*[{(]", re.MULTILINE)
_JOIN = re.compile(r"\s*#\s*")
_LINK = re.compile(r"arxiv\.org/(?:abs|pdf)/[^\s}\"',]+", re.IGNORECASE)
_COMMENT = re.compile(r"(?:^|\s)#.*")
_LIKE = "An id looks like 2303.08533 or hep-ph/9909255."
_GIVE = "name a file of arXiv ids, or ids"
_MOST_TOLD = 50
_FILE_ENDINGS = (".bib", ".txt", ".lst", ".csv")


@dataclass(frozen=True, slots=True)
class NamedPapers:
    """arXiv ids as they were named, each once, and a sentence for each entry without one."""

    ids: tuple[str, ...]
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BibEntry:
    """A BibTeX entry; field names are in lower case, values without their outer delimiters."""

    kind: str
    key: str
    fields: dict[str, str]


def named_papers(text: str) -> NamedPapers:
    """The papers of an `--ids` value: ids between commas or blanks, or the name of a file.

    A file that ends in `.bib` is BibTeX; any other holds ids in the same way, with comments from
    `#` to the end of the line. Raises UsageError where the file is missing or cannot be read, or
    names no paper.
    """
    path = Path(text.strip()).expanduser()
    if not _is(path.is_file):
        if path.suffix.lower() in _FILE_ENDINGS:
            require_file(path, _GIVE)
        if parse_arxiv_id(text.strip()) is None and _is(path.is_dir):
            refuse_folder(path, _GIVE)
        return _listed(text, "No arXiv ids were given.")
    try:
        content = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read as UTF-8 text.") from error
    if path.suffix.lower() == ".bib":
        return _cited(content, path)
    lines = (_COMMENT.sub("", line) for line in content.splitlines())
    return _listed("\n".join(lines), f"{path} names no arXiv ids.", f" (in {path})")


def read_bibtex(text: str) -> Iterator[BibEntry]:
    """The entries of a BibTeX file; one that is malformed does not spoil the next."""
    place = 0
    while match := _ENTRY.search(text, place):
        kind, place = match[1].lower(), match.end()
        if kind in _NO_ENTRIES:
            place = _closing(text, match.start(2)) if match[2] == "{" else place
        elif key := _KEY.match(text, place):
            fields, place = _fields(text, key.end())
            yield BibEntry(kind, key[1], fields)


def eprint_of(entry: BibEntry) -> ArxivId | None:
    """The arXiv paper that an entry names, or None."""
    fields = entry.fields
    archive = fields.get("archiveprefix") or fields.get("eprinttype") or "arxiv"
    eprint = fields.get("eprint", "")
    candidates = []
    if archive.lower() == "arxiv":
        candidates.append(eprint)
        # Old INSPIRE records name the archive apart from the number.
        candidates.append(f"{fields.get('primaryclass') or fields.get('eprintclass', '')}/{eprint}")
    elif "/" not in eprint:
        # And older ones name it in place of the prefix.
        candidates.append(f"{archive}/{eprint}")
    candidates.append(fields.get("doi", ""))
    for name in ("url", "note", "howpublished", "journal"):
        candidates += _LINK.findall(fields.get(name, ""))
    return next(filter(None, map(parse_arxiv_id, candidates)), None)


def _is(kind: Callable[[], bool]) -> bool:
    try:
        return kind()
    except OSError:  # a list of ids may be too long for a file's name
        return False


def _listed(text: str, nothing: str, where: str = "") -> NamedPapers:
    ids = tuple(dict.fromkeys(part for part in re.split(r"[\s,;]+", text) if part))
    if not ids:
        raise UsageError(f"{nothing} {_LIKE}")
    wrong = [repr(one) for one in ids if parse_arxiv_id(one) is None]
    if wrong:
        told = ", ".join(wrong[:_MOST_TOLD])
        more = f" and {len(wrong) - _MOST_TOLD:,} more" if len(wrong) > _MOST_TOLD else ""
        verb = "is no arXiv id" if len(wrong) == 1 else "are no arXiv ids"
        raise UsageError(f"{told}{more} {verb}{where}: nothing was fetched. {_LIKE}")
    return NamedPapers(ids)


def _cited(text: str, path: Path) -> NamedPapers:
    ids: list[str] = []
    problems: list[str] = []
    for entry in read_bibtex(text):
        found = eprint_of(entry)
        if found is None:
            problems.append(f"The entry {entry.key} of {path} names no arXiv paper.")
        else:
            ids.append(str(found))
    if not ids:
        raise UsageError(f"{path} holds no BibTeX entry that names an arXiv paper.")
    return NamedPapers(tuple(dict.fromkeys(ids)), tuple(problems))


def _fields(text: str, place: int) -> tuple[dict[str, str], int]:
    """The fields of one entry from a place on, and the place behind them."""
    fields: dict[str, str] = {}
    while match := _FIELD.match(text, place):
        parts, place = _value(text, match.end())
        fields.setdefault(match[1].lower(), "".join(parts).strip())
    return fields, place


def _value(text: str, place: int) -> tuple[list[str], int]:
    """A value, whose parts may be joined by `#`: braced, quoted, or bare."""
    parts: list[str] = []
    while True:
        if text[place : place + 1] in ("{", '"'):
            end = _closing(text, place)
            parts.append(text[place + 1 : end])
            place = end if text[end : end + 1] == "@" else end + 1
        elif bare := _BARE.match(text, place):
            parts.append(bare[0])
            place = bare.end()
        join = _JOIN.match(text, place)
        if join is None:
            return parts, place
        place = join.end()


def _closing(text: str, place: int) -> int:
    """Where the brace or quotation mark at a place closes.

    If it does not, the next entry's beginning is taken for its end.
    """
    quoted = text[place] == '"'
    depth = 0
    for end in range(place, len(text)):
        letter = text[end]
        if letter in "{}" and text[end - 1 : end] != "\\":
            depth += 1 if letter == "{" else -1
            if depth == 0 and not quoted:
                return end
        elif quoted and letter == '"' and depth == 0 and end > place:
            return end
    following = _NEXT.search(text, place)
    return following.start() if following else len(text)
