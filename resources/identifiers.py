"""arXiv identifiers, and the one way in which any paper id becomes a file name.

The scheme is arXiv's own ("Understanding the arXiv identifier"): `archive/YYMMNNN` until March
2007 and `YYMM.NNNN`, five digits from 2015, since; `vN` names a version.
"""

import hashlib
import re
from dataclasses import dataclass

_ARCHIVES = (
    "acc-phys|adap-org|alg-geom|ao-sci|astro-ph|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg|comp-gas|"
    "cond-mat|cs|dg-ga|funct-an|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math|math-ph|mtrl-th|nlin|"
    "nucl-ex|nucl-th|patt-sol|physics|plasm-ph|q-alg|q-bio|quant-ph|solv-int|supr-con"
)
_NEW = r"(?P<new>\d{4}\.\d{4,5})"
_OLD = rf"(?P<archive>{_ARCHIVES})(?:\.[a-z-]{{2,}})?/(?P<number>\d{{7}})"
_ID = re.compile(rf"(?:{_NEW}|{_OLD})(?:v(?P<version>[1-9]\d{{0,2}}))?", re.IGNORECASE)
_LEADS = re.compile(
    r"^(?:https?://)?(?:(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html|format|src)/"
    r"|(?:dx\.)?(?:doi\.org/)?10\.48550/arxiv\."
    r"|arxiv:\s*(?:abs/)?)",
    re.IGNORECASE,
)
_STAMP = re.compile(
    rf"arXiv:\s?(?:{_NEW}|{_OLD})(?:v(?P<version>[1-9]\d{{0,2}}))?"
    r"(?P<date>\s*(?:\[[A-Za-z.-]+\]\s*)?\d{1,2}\s+[A-Z][a-z]{2}\s+\d{4})?(?P<rest>.*)",
    re.IGNORECASE,
)
_FILE_ID = re.compile(
    rf"(?:arxiv[-_:. ]?)?(?:{_NEW}|(?P<archive>{_ARCHIVES})[_-]?(?P<number>\d{{7}}))"
    r"(?:v(?P<version>[1-9]\d{0,2}))?(?:\.pdf)?",
    re.IGNORECASE,
)
_HEAD_LINES = 4
_PLAIN_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")
_DIGESTED = re.compile(r"-[0-9a-f]{16}$")
_LONGEST_NAME = 100
# Names that Windows reserves for devices, whatever their ending.
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")


@dataclass(frozen=True, slots=True)
class ArxivId:
    """An arXiv id: `paper_id` without version, and the version where one was named."""

    paper_id: str
    version: int | None = None

    def __str__(self) -> str:
        return self.paper_id if self.version is None else f"{self.paper_id}v{self.version}"

    @property
    def dated(self) -> bool:
        """Whether the year and month inside the id are ones in which arXiv gave such ids."""
        old = "/" in self.paper_id
        digits = self.paper_id.split("/")[1] if old else self.paper_id
        year, month = int(digits[:2]), int(digits[2:4])
        if not 1 <= month <= 12:
            return False
        if old:
            return year >= 91 or (year, month) <= (7, 3)
        width = 5 if year >= 15 else 4
        return (year, month) >= (7, 4) and len(digits) == width + 5


def parse_arxiv_id(text: str) -> ArxivId | None:
    """The arXiv id that a text is, or None.

    Reads plain ids, `arXiv:` prefixes, arXiv's DOIs, and links to abstract and PDF pages. A
    subject class (`math.GT/0309136`) is dropped, as arXiv drops it. Only the form is checked:
    whether such a paper exists is for arXiv to say.
    """
    bare = _LEADS.sub("", text.strip()).split("#")[0].split("?")[0]
    return _from_match(_ID.fullmatch(bare.removesuffix(".pdf").rstrip("/")))


def stamped_arxiv_id(text: str) -> ArxivId | None:
    """The id in the stamp that arXiv prints on a first page, given that page's text, or None.

    A stamp is a line like `arXiv:2303.08533v2 [physics.acc-ph] 14 Mar 2023`. Reference lists hold
    lines much alike, but without a date: an id that stands alone counts only where a stamp or a
    running head would be, among the page's first lines or at its end.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for place, line in enumerate(lines):
        match = _STAMP.match(line)
        if match is None:
            continue
        at_edge = place < _HEAD_LINES or place == len(lines) - 1
        if match["date"] or (at_edge and not match["rest"].strip()):
            found = _from_match(match)
            if found is not None and found.dated:
                return found
    return None


def arxiv_id_of_file(name: str) -> ArxivId | None:
    """The arXiv id that a file is named after (`2303.08533v1.pdf`, `hep-ph_9909255.pdf`)."""
    found = _from_match(_FILE_ID.fullmatch(name))
    return found if found is not None and found.dated else None


def safe_name(paper_id: str) -> str:
    """A paper id as one part of a path: distinct for distinct ids, and safe everywhere.

    The plain characters stay readable (`hep-ph/9909255` becomes `hep-ph_9909255`). Where another
    id could come to the same name, also on a file system that ignores case, a digest of the id is
    added.
    """
    name = re.sub(r"[^a-z0-9.-]+", "_", paper_id.lower()).strip("._-")[:_LONGEST_NAME]
    reserved = not name or _DEVICE.fullmatch(name) is not None
    if _read_back(name) == paper_id and not reserved:
        return name
    digest = hashlib.sha256(paper_id.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{'paper' if reserved else name}-{digest}"


def _read_back(name: str) -> str | None:
    """The one paper id that owns a name without digest, or None where no id does."""
    arxiv = arxiv_id_of_file(name)
    if arxiv is not None and "/" in arxiv.paper_id:
        return arxiv.paper_id if name == arxiv.paper_id.replace("/", "_") else None
    local = re.fullmatch(r"local_([0-9a-f]{12})", name)
    if local is not None:
        return f"local:{local[1]}"
    return name if _PLAIN_NAME.fullmatch(name) and not _DIGESTED.search(name) else None


def _from_match(match: re.Match[str] | None) -> ArxivId | None:
    if match is None:
        return None
    version = int(match["version"]) if match["version"] else None
    if match["new"]:
        return ArxivId(match["new"], version)
    return ArxivId(f"{match['archive'].lower()}/{match['number']}", version)
