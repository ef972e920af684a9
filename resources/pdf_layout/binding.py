"""Bindings to PDFium that take addresses as plain integers, several times faster than byref()."""

import ctypes
from typing import Any

import pypdfium2.raw as pdfium_c


def fast(name: str, result: Any, *arguments: Any) -> Any:
    """The library's function of that name with the given ctypes for its result and arguments.

    Fit for calls that return at once: the interpreter lock is kept.
    """
    address = ctypes.cast(getattr(pdfium_c, name), ctypes.c_void_p).value or 0
    return ctypes.PYFUNCTYPE(result, *arguments)(address)
