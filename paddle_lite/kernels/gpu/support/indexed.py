"""Sums and writes at indices on a GPU, the same in each run: by sorted indices, without atomic additions."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from ....core.errors import EnforceNotMet
from ...registry import array_module, too_large
from ..device.kernel import launch
from .index_checks import index_checks
from .indexed_rows import added_rows, checked_indices, last_rows
from .shape import MOST_THREADS, blocks_for
from .sorting import sorted_rows


def add_at(out: Any, index: Any, values: Any) -> None:
    """Add values to the elements of `out` at an index; several for one element are added in their order."""
    _run(added_rows, out, index, values)


def write_at(out: Any, index: Any, values: Any) -> None:
    """Write values to the elements of `out` at an index; of several for one element the last one stays."""
    _run(last_rows, out, index, values)


def check_later(where: str, index: Any, end: int, error: Callable[[int, int], EnforceNotMet]) -> None:
    """Check on the device that indices are from 0 to end - 1; a wrong one is raised at the next copy to the host.

    Arguments:
        where: the operator and its argument. error: makes the error from the wrong index and the end.
    """
    xp, table = array_module("gpu"), index_checks.row(where, error)
    launch(checked_indices, blocks_for(index.size), MOST_THREADS, xp.ascontiguousarray(index), index.size, end, *table)


def _run(kernel: Any, out: Any, index: Any, values: Any) -> None:
    xp = array_module("gpu")
    rows, depth = _rows(xp, out, index if isinstance(index, tuple) else (index,))
    given = xp.broadcast_to(xp.asarray(values, out.dtype), (*rows.shape, *out.shape[depth:]))
    flat, width = rows.reshape(-1), prod(out.shape[depth:])
    target = xp.ascontiguousarray(out)
    if too_large([given]):  # without a GPU, for arrays that would take too long thread by thread
        order = xp.argsort(flat, kind="stable")
        found = xp.ascontiguousarray(flat[order]), order
    else:
        found = sorted_rows(xp.ascontiguousarray(flat))
    arrays = *found, xp.ascontiguousarray(given), target
    launch(kernel, blocks_for(flat.size * width), MOST_THREADS, *arrays, flat.size, width)
    if target is not out:
        out[...] = target


def _rows(xp: Any, out: Any, index: tuple) -> tuple[Any, int]:
    """Return the numbers of the rows that an index selects, and how many dimensions of `out` they number."""
    if not all(hasattr(each, "dtype") and each.dtype.kind in "iu" for each in index):  # it has slices
        return xp.arange(out.size).reshape(out.shape)[index], out.ndim
    if len(index) == 1:
        return index[0].astype("int64") % len(out), 1  # as CuPy takes rows; a wrong one is an error of `check_later`
    lead = out.shape[: len(index)]
    return xp.arange(prod(lead)).reshape(lead)[index], len(lead)
