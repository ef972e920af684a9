"""The particles that a question is about: a paper that names none of them cannot answer it.

Words alone mislead here: the radiation dose of an irradiation plant stands near the question of a
neutrino's dose, the price of a proton ring near that of a muon collider. Protons, neutrons,
electrons, ions and photons are left out: papers on their machines and on irradiation often name
the machine or the dose alone.
"""

import re
from collections import defaultdict
from collections.abc import Sequence

from assets.answering.records import Evidence

_LEPTONS = {"muon", "neutrino", "tau"}
_WORDS = {
    "axion": r"axions?|axion-like|ALPs?",
    "Higgs boson": r"Higgs",
    "kaon": r"kaons?",
    "lepton": r"(?:anti)?leptons?|electrons?|positrons?",
    "leptoquark": r"leptoquarks?|LQs?",
    "muon": r"(?:anti)?muons?|[μµ](?![a-zA-Z])|MICE|nuSTORM|MC",
    "neutrino": r"(?:anti)?neutrinos?|[νn]u?STORM",
    "pion": r"pions?",
    "tau": r"taus?",
}
_PATTERNS = {
    name: re.compile(rf"(?<![A-Za-z])(?:{words})(?![A-Za-z])", re.IGNORECASE)
    for name, words in _WORDS.items()
}


def particles(text: str) -> frozenset[str]:
    """The particles that a text names, or whose machines it names; a lepton's name is that of
    leptons too."""
    found = asked_particles(text)
    return found | {"lepton"} if found & _LEPTONS else found


def asked_particles(question: str) -> frozenset[str]:
    """The particles that a question is about, each by its own name."""
    return frozenset(name for name, pattern in _PATTERNS.items() if pattern.search(question))


def of_its_particles(question: str, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The evidence without the papers whose titles, headings and passages name none of the
    particles that the question names; all of it where the question names none."""
    asked = asked_particles(question)
    if not asked:
        return tuple(evidence)
    named: dict[str, frozenset[str]] = defaultdict(frozenset)
    for item in evidence:
        text = " ".join([item.title, *item.section, item.text])
        named[item.paper_id] |= particles(text)
    return tuple(item for item in evidence if named[item.paper_id] & asked)
