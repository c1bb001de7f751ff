"""GPU kernels of embeddings. Gradients are sums over sorted ids: no atomic additions, so the same numbers in each run."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ....core.errors import IndexRangeError, message
from ...registry import array_module, kernel
from ..device.kernel import launch
from ..support.index_checks import index_checks
from ..support.indexed import add_at
from ..support.shape import MOST_THREADS, blocks_for
from .table import gathered_rows

NO_PADDING = -1


def _wrong_id(type: str, index: int, height: int) -> IndexRangeError:
    return IndexRangeError(message(type, "Input(Ids)", index, f"0 to {height - 1}"))


def _look_up(type: str, W: Any, Ids: Any, *, is_sparse: bool, padding_idx: int, reference: Callable) -> Any:
    shape = Ids.shape[:-1] if type == "lookup_table" else Ids.shape
    if W.ndim != 2 or Ids.dtype != "int64" or (type == "lookup_table" and Ids.shape[-1:] != (1,)):
        return reference(W, Ids, is_sparse=is_sparse, padding_idx=padding_idx)
    xp, (height, width) = array_module("gpu"), W.shape
    table, ids = xp.ascontiguousarray(W), xp.ascontiguousarray(Ids)
    out = xp.empty((*shape, width), W.dtype)
    wrong = index_checks.row(type, partial(_wrong_id, type))
    given = height, width, out.size, -1 if padding_idx == NO_PADDING else padding_idx
    launch(gathered_rows, blocks_for(out.size), MOST_THREADS, table, ids, out, *given, *wrong)
    return out


def _look_up_grad(W: Any, Ids: Any, dOut: Any, *, is_sparse: bool, padding_idx: int, reference: Callable) -> Any:
    if is_sparse or not Ids.size or len(W.shape) != 2:
        return reference(W, Ids, dOut, is_sparse=is_sparse, padding_idx=padding_idx)
    xp, ids, values = array_module("gpu"), Ids.reshape(-1), dOut.reshape(Ids.size, W.shape[1])
    if padding_idx != NO_PADDING:
        values = xp.where((ids != padding_idx)[:, None], values, 0)
    dense = xp.zeros(W.shape, dOut.dtype)
    add_at(dense, ids, values)
    return dense


for _type in ("lookup_table", "lookup_table_v2"):
    kernel(_type, device="gpu")(partial(_look_up, _type))
    kernel(f"{_type}_grad", device="gpu")(_look_up_grad)
