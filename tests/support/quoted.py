"""The questions' own rule of what holds a quote, and the plain text of a PDF's pages."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pypdfium2 as pdfium

from tests.support.shared import require_shared


def gold_rule() -> ModuleType:
    """The module that the shared questions bring along; skips the test where it is absent."""
    spec = importlib.util.spec_from_file_location("gold", require_shared("benchmark", "gold.py"))
    if spec is None or spec.loader is None:
        raise ImportError("the shared benchmark's gold.py is no module")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def text_layer(path: Path) -> dict[int, str]:
    """The text of each page, counted from 1, as the PDF library reads it."""
    document = pdfium.PdfDocument(path)
    layers = {n + 1: document[n].get_textpage().get_text_range() for n in range(len(document))}
    document.close()
    return layers
