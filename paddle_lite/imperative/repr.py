"""The text forms of a Variable: in the interpreter, in a notebook, and as Paddle 1.8 prints it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.host import to_host
from ..core.selected_rows import SelectedRows

LARGE = 200  # arrays with more elements are abbreviated
TABLE = 12  # largest number of rows and columns that a notebook shows as a table
NAMES_1_8 = {
    "bool": "bool", "uint8": "uint8_t", "int8": "int8_t", "int16": "int16_t", "int32": "int", "int64": "int64_t",
    "float16": "::paddle::platform::float16", "float32": "float", "float64": "double",
}  # fmt: skip


def _facts(x: Any) -> str:
    facts = [f"shape={x.shape}", f"dtype={x.array.dtype}"]
    if x.levels:
        facts.append(f"lod={x.lod()}")
    if not isinstance(getattr(x.array, "values", x.array), np.ndarray):
        facts.append("device=gpu")
    facts.append(f"stop_gradient={x.stop_gradient}")
    name = getattr(x, "_name", "generated_var_")
    if not name.startswith("generated_var_"):
        facts.append(f"name={name!r}")
    return ", ".join(facts)


def _values(x: Any, prefix: str = "") -> str:
    if isinstance(x.array, SelectedRows):
        return f"rows={_numbers(x.array.rows, prefix)}, values=\n{prefix}{_numbers(x.array.values, prefix)}"
    return _numbers(x.array, prefix)


def _numbers(array: Any, prefix: str) -> str:
    return np.array2string(
        to_host(array), precision=6, threshold=LARGE, edgeitems=3, max_line_width=100, prefix=prefix, separator=", "
    )


class Representation:
    """Mixin with the text forms of a Variable."""

    __slots__ = ()

    array: Any
    shape: Any
    dtype: Any
    name: Any
    lod: Callable[[], list[list[int]]]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({_facts(self)},\n  {_values(self, '  ')})"

    def _repr_html_(self) -> str:
        """Return HTML: a heading with shape and dtype, then a table for a small matrix or text for other values."""
        from html import escape  # its table of entities is of no use to other programs

        from ..core.views.page import NUMBER

        array = to_host(self.array)
        sparse = isinstance(array, SelectedRows)
        heading = escape(f"{type(self).__name__}: {_facts(self)}")
        if not sparse and array.ndim in (1, 2) and array.size and max(array.shape) <= TABLE:
            rows = array.reshape(1, -1) if array.ndim == 1 else array
            cell = "{:.6g}" if array.dtype.kind == "f" else "{}"
            body = "".join(
                "<tr>" + "".join(f"<td style='{NUMBER}'>{cell.format(v)}</td>" for v in row) + "</tr>"
                for row in rows.tolist()
            )
            return f"<div><code>{heading}</code><table>{body}</table></div>"
        return f"<div><code>{heading}</code><pre>{escape(_values(self))}</pre></div>"

    def to_string(self, throw_on_error: bool = True, with_details: bool = False) -> str:
        """Return the text that Paddle 1.8 prints for a Variable, with all of its values.

        Arguments:
            throw_on_error, with_details: kept for Fluid code; have no effect.
        """
        array = to_host(self.array)
        number = "%d" if array.dtype.kind in "biu" else "%.6g"
        values = " ".join(number % v for v in array.reshape(-1).tolist())
        levels = "".join("{" + ", ".join(map(str, level)) + "}" for level in self.lod())
        dims = ", ".join(map(str, self.shape))
        return (
            f"name {self.name}, dtype: {self.dtype} shape: {self.shape} \tlod: {{{levels}}}\n\tdim: {dims}\n\tlayout: NCHW\n"
            f"\tdtype: {NAMES_1_8[array.dtype.name]}\n\tdata: [{values}]\n"
        )
