"""Rows of several images in one array; a LoD of one level assigns the rows to images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.errors import LoDError, message
from ...core.lod import from_lengths, from_offsets


def starts_of(where: str, slot: str, lod: Any, rows: int, images: int | None = None) -> Sequence[int]:
    """Return the offset of each image's first row and the end offset; raise unless the LoD fits the rows and images."""
    if lod is None:
        fix = "Give the rows of each image with set_lod or create_lod_tensor."
        raise LoDError(message(where, f"Input({slot})", "no LoD", "a LoD that tells the images apart", fix))
    if len(lod) != 1:
        raise LoDError(message(where, f"Input({slot})", f"{len(lod)} LoD levels", "one, with the rows of each image"))
    starts = lod[0]
    if starts[-1] != rows or images not in (None, len(starts) - 1):
        needs = f"{rows} rows" if images is None else f"{images} images with together {rows} rows"
        raise LoDError(message(where, f"Input({slot})", f"LoD {list(starts)}", needs))
    return starts


def image_of_rows(starts: Sequence[int]) -> list[int]:
    """Return the index of the image of each row."""
    return [image for image in range(len(starts) - 1) for _ in range(starts[image + 1] - starts[image])]


def image_of_regions(where: str, ROIs: Any, RoisLod: Any, lod: Any, images: int) -> list[int]:
    """Return the image of each region, from RoisLod or from the LoD of ROIs."""
    if RoisLod is not None:
        lod = from_offsets([RoisLod.reshape(-1).tolist()], len(ROIs), f"{where}: Input(RoisLod)")
    return image_of_rows(starts_of(where, "ROIs" if RoisLod is None else "RoisLod", lod, len(ROIs), images))


def image_by_counts(where: str, ROIs: Any, BatchRoINums: Any, lod: Any, images: int) -> list[int]:
    """Return the image of each region, from the number of regions in each image or from the LoD of ROIs."""
    if BatchRoINums is None:
        return image_of_rows(starts_of(where, "ROIs", lod, len(ROIs), images))
    lod = from_lengths([BatchRoINums.reshape(-1).tolist()], len(ROIs), f"{where}: Input(BatchRoINums)")
    return image_of_rows(starts_of(where, "BatchRoINums", lod, len(ROIs), images))
