"""Damage to a file, as crashes, bad disks and bad people do it, the same each time it is asked."""

from collections.abc import Sequence
from copy import deepcopy
from random import Random
from xml.etree import ElementTree

from hypothesis import strategies as st

Change = tuple[str, float, float, bytes]
"""What happens, where it begins, how far it reaches (shares of the file), and with which bytes."""

KINDS = ("overwrite", "insert", "delete", "repeat", "swap", "cut", "flip")
PIECES = tuple(
    b" |<|>|</|&|&#0;|&amp;|]]>|<!--|<![CDATA[|\x00|\xff|\xed\xa0\x80|<p>|</p>|<div>|</TEI>"
    b'|coords="1,2,3,4,5"|<!DOCTYPE x>|-1|1e309|nan|99999999999999999999|endobj|stream\n'
    b"|/Length 99999999|/Kids [3 0 R]|/Type /Page".split(b"|")
)

VALUES = (
    "",
    "1",
    "IV",
    "99999999999",
    "superscript",
    "1,2,3,4,5",
    "1,1,1,1,1;2,,;-1,0,0,0,0",
    "1e9,1,1,1,1",
)
TEXTS = (
    "", " ", "^", "_{", "10 34", "\u202e", "\ufb01", "\u0301", "\U0001d6fd", "²³⁻¹", "A. B", "[1]",
    "word " * 3000,
)  # fmt: skip


def mutated(data: bytes, changes: Sequence[Change]) -> bytes:
    """The data after all changes, one after the other."""
    for kind, place, reach, piece in changes:
        data = _changed(data, kind, place, reach, piece)
    return data


def mutations() -> st.SearchStrategy[list[Change]]:
    """One to four changes."""
    share = st.floats(0, 1, allow_nan=False)
    change = st.tuples(st.sampled_from(KINDS), share, share, st.sampled_from(PIECES))
    return st.lists(change, min_size=1, max_size=4)


def random_changes(random: Random) -> list[Change]:
    """The same without hypothesis, for runs of a given time."""
    return [
        (random.choice(KINDS), random.random(), random.random(), random.choice(PIECES))
        for _ in range(random.randint(1, 6))
    ]


def rearranged(xml: bytes, random: Random) -> bytes:
    """A well-formed document with its elements renamed, moved, doubled, emptied or mislabelled."""
    root = ElementTree.fromstring(xml)
    parents = [element for element in root.iter() if len(element)]
    for _ in range(random.randint(1, 12)):
        parent, other = random.choice(parents), random.choice(parents)
        if not len(parent):
            continue
        child = random.choice(list(parent))
        match random.randrange(7):
            case 0:
                child.tag = random.choice(list(root.iter())).tag
            case 1:
                parent.remove(child)
            case 2:
                other.insert(random.randint(0, len(other)), deepcopy(child))
            case 3:
                child.attrib.clear()
            case 4:
                child.set(random.choice(("coords", "n", "rend", "type")), random.choice(VALUES))
            case 5:
                child.text, child.tail = child.tail, child.text
            case _:
                child.text = random.choice(TEXTS)
    return ElementTree.tostring(root, encoding="utf-8")


def _changed(data: bytes, kind: str, place: float, reach: float, piece: bytes) -> bytes:
    start = int(place * len(data))
    end = min(len(data), start + 1 + int(reach**4 * len(data)))  # mostly short
    part = data[start:end]
    match kind:
        case "overwrite":
            return data[:start] + piece + data[start + len(piece) :]
        case "insert":
            return data[:start] + piece + data[start:]
        case "delete":
            return data[:start] + data[end:]
        case "repeat":
            return data[:end] + part * 2 + data[end:]
        case "swap":
            other = len(data) - end
            return data[:start] + data[other : other + len(part)] + data[end:]
        case "cut":
            return data[:start]
        case _:
            flipped = bytes(byte ^ (1 << index % 8) for index, byte in enumerate(part[:64]))
            return data[:start] + flipped + data[start + len(flipped) :]
