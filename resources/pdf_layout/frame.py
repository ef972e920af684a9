"""Coordinates: the PDF's own user space against points from the top left of the shown page."""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

Number = TypeVar("Number", float, npt.NDArray[np.float64], npt.NDArray[np.float32])


@dataclass(frozen=True, slots=True)
class Frame:
    """The page's box in user space and its rotation in degrees clockwise (0, 90, 180, 270)."""

    left: float
    bottom: float
    right: float
    top: float
    rotation: int

    @classmethod
    def of(cls, page: pdfium.PdfPage) -> "Frame":
        """The frame of a page, from its crop box (media box where there is none)."""
        box = pdfium_c.FS_RECTF()
        pdfium_c.FPDF_GetPageBoundingBox(page.raw, box)
        return cls(box.left, box.bottom, box.right, box.top, page.get_rotation())

    def shown(self, x: Number, y: Number) -> tuple[Number, Number]:
        """User space to points from the top left of the page as it is shown."""
        if self.rotation == 90:
            return y - self.bottom, x - self.left
        if self.rotation == 180:
            return self.right - x, y - self.bottom
        if self.rotation == 270:
            return self.top - y, self.right - x
        return x - self.left, self.top - y

    def user(self, x: float, y: float) -> tuple[float, float]:
        """The inverse of `shown`."""
        if self.rotation == 90:
            return y + self.left, x + self.bottom
        if self.rotation == 180:
            return self.right - x, y + self.bottom
        if self.rotation == 270:
            return self.right - y, self.top - x
        return x + self.left, self.top - y
