"""Operators that write Variables to files in the format of PaddlePaddle, and read them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ...core.errors import ArgumentValueError, message
from ...core.lod import LoD
from ...core.selected_rows import SelectedRows
from ...ops.framework.spec import Long, Longs, Required
from ..proto import streams
from .structural import structural


def _path(where: str, file_path: str, overwrite: bool) -> str:
    """Return the path of a file to write; raise if it must not be replaced."""
    if not overwrite and os.path.exists(file_path):
        fix = "Take another path, or set the attribute 'overwrite'."
        raise ArgumentValueError(
            message(where, "attribute 'file_path'", f"{file_path}, which exists", "a new file", fix)
        )
    return file_path


def _narrowed(array: Any, half: bool) -> Any:
    return array.astype("float16") if half and array.dtype.kind == "f" else array


def _save(xp: Any, X: Any, *, lod: LoD | None, overwrite: bool, save_as_fp16: bool, file_path: str) -> None:
    path = _path("save", file_path, overwrite)
    if isinstance(X, SelectedRows):
        streams.save_selected_rows(path, X)
    else:
        streams.save_tensor(path, _narrowed(X, save_as_fp16), lod)


def _save_combine(
    xp: Any, X: Sequence[Any], *, lod: Sequence[LoD | None], overwrite: bool, save_as_fp16: bool, file_path: str,
    save_to_memory: bool,
) -> None:  # fmt: skip
    if save_to_memory:
        fix = "Call fluid.io.save_vars with dirname=None, which returns the bytes."
        raise ArgumentValueError(message("save_combine", "attribute 'save_to_memory'", True, "False", fix))
    path = _path("save_combine", file_path, overwrite)
    tensors = [(_narrowed(array, save_as_fp16), levels) for array, levels in zip(X, lod, strict=True)]
    streams.save_combined(path, tensors)


def _load(xp: Any, *, load_as_fp16: bool, file_path: str, seek: int) -> tuple[Any, LoD | None]:
    if seek >= 0:
        raise ArgumentValueError(message("load", "attribute 'seek'", seek, "-1, for a whole tensor"))
    stored = streams.load_tensor(file_path)
    return _narrowed(xp.asarray(stored.array), load_as_fp16), stored.lod


def _load_combine(
    xp: Any, *, need: tuple, load_as_fp16: bool, file_path: str, model_from_memory: bool
) -> tuple[tuple[Any, ...], tuple[list[LoD | None]]]:  # fmt: skip
    if model_from_memory:
        fix = "Call fluid.io.load_vars with the bytes as its filename."
        raise ArgumentValueError(message("load_combine", "attribute 'model_from_memory'", True, "False", fix))
    found = list(streams.load_combined(file_path, [str(i) for i in range(len(need[0]))]).values())
    arrays = tuple(_narrowed(xp.asarray(stored.array), load_as_fp16) for stored in found)
    return arrays, ([stored.lod for stored in found],)


def _any_shape(**_: Any) -> None:
    """Leave the Variables as they are declared: only the file knows shapes."""


def _nothing(*_: Any, **__: Any) -> list:
    return []


AS_HALF: dict[str, Any] = {"overwrite": True, "save_as_fp16": False, "file_path": Required("STRING")}

save = structural(
    "save", "X", "kLookupTablePath?", AS_HALF, reference=_save, infer=_nothing, needs_lod="X",
    doc="Writes X, a tensor with its LoD or SelectedRows, to a file.", flops=0
)  # fmt: skip
save_combine = structural(
    "save_combine", "X*", "Y?", {**AS_HALF, "save_to_memory": False}, reference=_save_combine, infer=_nothing, needs_lod="X",
    doc="Writes the tensors of X to one file, in their order.", flops=0
)  # fmt: skip
load = structural(
    "load", "", "Out", {"load_as_fp16": False, "file_path": Required("STRING"), "seek": Long(-1), "shape": Longs([])},
    reference=_load, infer=_any_shape, lod="made", doc="Out = the tensor in a file, with its LoD.", flops=0
)  # fmt: skip
load_combine = structural(
    "load_combine", "", "Out*", {"load_as_fp16": False, "file_path": Required("STRING"), "model_from_memory": False},
    reference=_load_combine, infer=_any_shape, lod="made", doc="Out = the tensors in one file, in their order.", flops=0
)  # fmt: skip
for _each in (save, save_combine, load, load_combine):
    _each.effects = "io"
