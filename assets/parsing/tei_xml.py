"""TEI bytes to a tree of elements, within bounds: no DTD, no entities, no network, no depth."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from resources.errors import Permanent
from resources.pdf_layout.limits import Limits


@dataclass(frozen=True, slots=True)
class TeiLimits:
    """What a TEI document may measure at most, and (`pdf`) the PDF beside it.

    GROBID's own output is about 15 elements deep, and has some 30 elements a page.
    """

    max_bytes: int = 50_000_000
    max_depth: int = 64
    max_elements: int = 1_000_000
    pdf: Limits = field(default_factory=Limits)


def tei_root(data: bytes, limits: TeiLimits) -> Element:
    """The root element of a TEI document; names and attribute names carry no namespace.

    Raises:
        Permanent: the bytes are not well-formed XML, declare a DTD or entities, are over a
            limit, or are not a TEI document.
    """
    if len(data) > limits.max_bytes:
        raise Permanent(
            f"The TEI measures {len(data) / 1e6:.0f} MB, over the limit of "
            f"{limits.max_bytes / 1e6:.0f} MB, and was not read."
        )
    parser = DefusedXMLParser(target=_BoundedBuilder(limits), forbid_dtd=True)
    try:
        parser.feed(data)
        root = parser.close()
    except DefusedXmlException as error:
        raise Permanent(
            "The TEI declares a document type or entities, which GROBID never does; it was "
            "refused unread."
        ) from error
    except (ParseError, ValueError, LookupError) as error:
        # Besides its own errors, expat raises these two for encodings that it does not know.
        raise Permanent(f"The TEI is not well-formed XML ({error}).") from error
    if not isinstance(root, Element) or root.tag != "TEI":
        name = root.tag if isinstance(root, Element) else "nothing"
        raise Permanent(
            f"The file is no full-text TEI: its outermost element is {name[:40]}, not TEI."
        )
    return root


def find(element: Element | None, *path: str) -> Element | None:
    """The first descendant reached by going down `path`, each step to the first such child."""
    for name in path:
        if element is None:
            return None
        element = element.find(name)
    return element


def plain_text(element: Element | None) -> str:
    """All text of an element on one line, blanks collapsed; empty for None."""
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


def inline(element: Element) -> Iterator[str | Element]:
    """The direct content of an element in order: its texts and its children."""
    if element.text:
        yield element.text
    for child in element:
        yield child
        if child.tail:
            yield child.tail


class _BoundedBuilder(TreeBuilder):
    """Builds the tree while counting, so that a hostile document stops at its limit."""

    def __init__(self, limits: TeiLimits) -> None:
        super().__init__()
        self._limits = limits
        self._depth = 0
        self._elements = 0

    def start(self, tag: str, attrs: dict[str, str], /) -> Element:
        self._depth += 1
        self._elements += 1
        if self._depth > self._limits.max_depth:
            raise Permanent(
                f"The TEI nests elements more than {self._limits.max_depth} deep, which no paper "
                "does; it was refused."
            )
        if self._elements > self._limits.max_elements:
            raise Permanent(
                f"The TEI has more than {self._limits.max_elements} elements and was not read "
                "to its end."
            )
        return super().start(_local(tag), {_local(name): value for name, value in attrs.items()})

    def end(self, tag: str, /) -> Element:
        self._depth -= 1
        return super().end(_local(tag))


def _local(name: str) -> str:
    return name.rpartition("}")[2]
