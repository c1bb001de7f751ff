"""Operators that make arrays filled with one number, or with given numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, prod
from typing import Any

import numpy as np

from ...core.dtype import to_numpy, to_vartype
from ...core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, ShapeError, describe, message
from ...kernels.codegen.expression import Node
from ...kernels.codegen.expression import number as constant
from ..framework.elements import Element, computes
from ..framework.spec import Declaration, Floats, Ints, Long, Longs, Required, op
from ..framework.traits import Fill
from ..support.meta import Meta
from ..support.scalar_inputs import require_one_element
from ..support.shape_rules import UNKNOWN, requested, requested_if_known


def number(where, value, str_value, dtype):
    """Return the fill value: the exact `str_value` or the float32 `value`, truncated towards zero for integers."""
    whole = dtype.kind in "iu"
    try:
        with np.errstate(over="ignore"):
            if not str_value:
                exact = float(np.float32(value))
            elif whole and str_value.lstrip("+-").isdigit():
                exact = int(str_value)
            else:
                exact = float(str_value)
            if whole and not np.iinfo(dtype).min <= int(exact) <= np.iinfo(dtype).max:
                raise OverflowError
            return dtype.type(int(exact) if whole else exact)
    except (ValueError, OverflowError):
        kind = "a finite number within its limits" if whole else "a number"
        raise ArgumentValueError(
            message(where, "value", repr(str_value or value), f"{kind} for dtype {dtype}")
        ) from None


def _filled(attrs: Mapping[str, Any], dtypes: Sequence[np.dtype]) -> Node | None:
    """Return the expression of an element."""
    dtype = to_numpy(attrs["dtype"], "fill_constant")
    if dtypes or not computes(dtype, "fiub"):
        return None
    return constant(number("fill_constant", attrs["value"], attrs["str_value"], dtype).item())


def _value(attrs: Mapping[str, Any]) -> float | None:
    """Return the number in an attribute; None if it is given as text."""
    return None if attrs["str_value"] else attrs["value"]


@op(
    "fill_constant",
    inputs="ValueTensor? ShapeTensor? ShapeTensorList*?",
    outputs="Out",
    attrs={"dtype": 5, "shape": Longs([]), "value": 0.0, "str_value": "", "force_cpu": False},
    lod=None,
    flops=0,
    algebra=Fill(_value),
    element=Element(_filled),
    speculatable=True,
    captured=True,
    stopped="Out",
)
class fill_constant(Declaration):
    """An array of this shape and dtype, each element the same number."""

    def infer(ValueTensor, ShapeTensor, ShapeTensorList, *, dtype, shape, value, str_value):
        where = "fill_constant"
        known = requested_if_known(where, shape, ShapeTensor=ShapeTensor, ShapeTensorList=ShapeTensorList)
        said = [UNKNOWN if n is None else n for n in known]
        if ShapeTensor is None and not ShapeTensorList and min(said, default=0) < 0:
            raise ShapeError(message(where, "attribute 'shape'", list(shape), "sizes of at least 0"))
        if ValueTensor is not None:
            require_one_element(where, "ValueTensor", ValueTensor)
        dtype = to_numpy(dtype, where)
        number(where, value, str_value, dtype)
        return Meta(tuple(said), dtype)

    def reference(xp, ValueTensor, ShapeTensor, ShapeTensorList, *, dtype, shape, value, str_value):
        dtype = to_numpy(dtype, "fill_constant")
        shape = requested(shape, ShapeTensor, ShapeTensorList)
        if ValueTensor is None:
            return xp.full(shape, number("fill_constant", value, str_value, dtype), dtype)
        return xp.full(shape, ValueTensor.item(), dtype)

    def settled(ValueTensor, ShapeTensor, ShapeTensorList, *, dtype, shape, value, str_value):
        if not (ValueTensor is ShapeTensor is ShapeTensorList is None):
            return None
        dtype, shape = to_numpy(dtype, "fill_constant"), tuple(shape)
        element = number("fill_constant", value, str_value, dtype)

        def run():
            out = np.empty(shape, dtype)
            out.fill(element)
            return out

        return run


def rows_of(where, Input, lod, shape, input_dim_idx, output_dim_idx):
    """Return `shape` with one dimension taken from Input: its size, or the number of sequences of an Input with LoD."""
    if not 0 <= input_dim_idx < len(Input.shape):
        limit = f"0 to {len(Input.shape) - 1}, an axis of Input of shape {list(Input.shape)}"
        raise ShapeError(message(where, "attribute 'input_dim_idx'", input_dim_idx, limit))
    if not 0 <= output_dim_idx < len(shape):
        limit = f"0 to {len(shape) - 1}, a position in shape {list(shape)}"
        raise ShapeError(message(where, "attribute 'output_dim_idx'", output_dim_idx, limit))
    out = list(shape)
    counts_sequences = lod is not None and input_dim_idx == 0
    out[output_dim_idx] = len(lod[-1]) - 1 if counts_sequences else Input.shape[input_dim_idx]
    if min((n for i, n in enumerate(out) if i != output_dim_idx), default=0) < 0:
        needs = f"sizes of at least 0, except at position {output_dim_idx}, which is taken from Input"
        raise ShapeError(message(where, "attribute 'shape'", list(shape), needs))
    return tuple(out)


@op(
    "fill_constant_batch_size_like",
    inputs="Input",
    outputs="Out",
    attrs={
        "shape": Ints(),
        "input_dim_idx": 0,
        "output_dim_idx": 0,
        "dtype": 5,
        "value": 0.0,
        "str_value": "",
        "force_cpu": False,
    },
    lod=None,
    needs_lod="Input",
    flops=0,
    captured=True,
    stopped="Out",
)
class fill_constant_batch_size_like(Declaration):
    """An array filled with one number, which has one dimension of the same size as one of Input's."""

    def infer(Input, *, shape, input_dim_idx, output_dim_idx, dtype, value, str_value):
        where = "fill_constant_batch_size_like"
        number(where, value, str_value, to_numpy(dtype))
        dims = list(rows_of(where, Input, None, shape, input_dim_idx, output_dim_idx))
        if Input.lod_level and input_dim_idx == 0:
            dims[output_dim_idx] = UNKNOWN
        return Meta(tuple(dims), to_numpy(dtype))

    def reference(xp, Input, *, lod, shape, input_dim_idx, output_dim_idx, dtype, value, str_value):
        where = "fill_constant_batch_size_like"
        dims = rows_of(where, Input, lod, shape, input_dim_idx, output_dim_idx)
        return xp.full(dims, number(where, value, str_value, to_numpy(dtype)), to_numpy(dtype))


@op(
    "fill_zeros_like",
    inputs="X",
    outputs="Out",
    flops=0,
    algebra=Fill(lambda attrs: 0.0, "X"),
    captured=True,
    stopped="Out",
)
class fill_zeros_like(Declaration):
    """Zeros of the shape and dtype of X."""

    def infer(X):
        return X

    def reference(xp, X):
        return xp.zeros(X.shape, X.dtype)


@op("fill_zeros_like2", inputs="X", outputs="Out", attrs={"dtype": 5})
class fill_zeros_like2(Declaration):
    """Zeros of the shape of X."""

    def infer(X, *, dtype):
        return X._replace(dtype=to_numpy(dtype))

    def reference(xp, X, *, dtype):
        return xp.zeros(X.shape, to_numpy(dtype))


def dtype_like(X, dtype):
    """Return the dtype that the attribute names; X's where it is -1."""
    return X.dtype if dtype == -1 else to_numpy(dtype)


@op(
    "fill_any_like",
    inputs="X",
    outputs="Out",
    attrs={"value": 0.0, "dtype": -1},
    flops=0,
    algebra=Fill(lambda attrs: attrs["value"], "X"),
    captured=True,
)
class fill_any_like(Declaration):
    """An array of the shape of X (and of its dtype, unless another is named), each element the same number."""

    def infer(X, *, value, dtype):
        number("fill_any_like", value, "", dtype_like(X, dtype))
        return X._replace(dtype=dtype_like(X, dtype))

    def reference(xp, X, *, value, dtype):
        return xp.full(X.shape, number("fill_any_like", value, "", dtype_like(X, dtype)), dtype_like(X, dtype))


# --- given values ----------------------------------------------------------------------------------------------------

VALUES = {"bool": "bool_values", "float32": "fp32_values", "int32": "int32_values", "int64": "int64_values"}


@op(
    "assign_value",
    inputs="",
    outputs="Out",
    attrs={
        "shape": Ints(),
        "dtype": Required("INT"),
        "bool_values": Ints([]),
        "fp32_values": Floats([]),
        "int32_values": Ints([]),
        "int64_values": Longs([]),
    },
    lod=None,
    flops=0,
)
class assign_value(Declaration):
    """An array of this shape and dtype holding the values of the attribute for that dtype."""

    def infer(*, shape, dtype, **values):
        given_values(shape, dtype, values)
        return Meta(tuple(shape), to_numpy(dtype))

    def reference(xp, *, shape, dtype, bool_values, fp32_values, int32_values, int64_values):
        values = given_values(
            shape,
            dtype,
            {
                "bool_values": bool_values,
                "fp32_values": fp32_values,
                "int32_values": int32_values,
                "int64_values": int64_values,
            },
        )
        return xp.asarray(values, to_numpy(dtype)).reshape(shape)


def assign_array(array, where):
    """Call assign_value with the values of an ndarray; float64 becomes float32, as in Paddle.

    Raises:
        ArgumentTypeError: the dtype is none of bool, int32, int64 and float32.
    """
    kinds = {"bool": "bool_values", "int32": "int32_values", "int64": "int64_values", "float32": "fp32_values"}
    values = array.astype("float32") if array.dtype == np.float64 else array
    if values.dtype.name not in kinds:
        raise ArgumentTypeError(message(where, "input", describe(array), f"dtype {', '.join(kinds)}"))
    flat = values.reshape(-1)
    given = {kinds[values.dtype.name]: flat.astype("int32") if values.dtype == bool else flat}
    return assign_value.call(shape=list(values.shape), dtype=int(to_vartype(values.dtype)), **given)


def given_values(shape, dtype, values):
    """Return the values for a dtype; raise unless their number is the number of elements of the shape."""
    name = to_numpy(dtype).name
    if name not in VALUES:
        raise DtypeError(message("assign_value", "attribute 'dtype'", name, f"one of {', '.join(VALUES)}"))
    found = values[VALUES[name]]
    if min(shape, default=0) < 0 or len(found) != prod(shape):
        needs = f"{prod(shape)} values for shape {list(shape)}"
        raise ShapeError(message("assign_value", f"attribute '{VALUES[name]}'", f"{len(found)} values", needs))
    return found


# --- sequences of numbers --------------------------------------------------------------------------------------------


def require_one(where, **metas):
    """Raise unless each input has one element."""
    for slot, meta in metas.items():
        require_one_element(where, slot, meta)


@op("range", inputs="Start End Step", outputs="Out", lod=None, flops=0, stopped="Out")
class range_(Declaration):
    """Start, Start + Step, ... up to End, which is excluded; nothing where Start is End."""

    def infer(Start, End, Step):
        for slot, meta in (("End", End), ("Step", Step)):
            if meta.dtype != Start.dtype:
                fix = "Convert it with cast()."
                raise DtypeError(
                    message("range", f"Input({slot})", f"dtype {meta.dtype}", f"{Start.dtype}, as Start", fix)
                )
        require_one("range", Start=Start, End=End, Step=Step)
        return Meta((UNKNOWN,), Start.dtype)

    def reference(xp, Start, End, Step):
        start, end, step = Start.item(), End.item(), Step.item()
        if step == 0 or (start != end and (step > 0) != (end > start)):
            needs = f"a number that leads from Start {start} towards End {end}"
            raise ArgumentValueError(message("range", "Input(Step)", step, needs))
        kind = Start.dtype.type if Start.dtype.kind == "f" else int
        first, last, by = (kind(n) for n in (start, end, step))
        out = xp.full(ceil((last - first) / by), step, Start.dtype)  # the quotient is rounded to the dtype
        out[:1] = start
        return xp.cumsum(out, dtype=out.dtype)


@op("linspace", inputs="Start Stop Num", outputs="Out", lod=None)
class linspace(Declaration):
    """Num numbers at equal distances from Start to Stop."""

    def infer(Start, Stop, Num):
        if Stop.dtype != Start.dtype:
            fix = "Convert it with cast()."
            raise DtypeError(message("linspace", "Input(Stop)", f"dtype {Stop.dtype}", f"{Start.dtype}, as Start", fix))
        if Start.dtype == bool:
            raise DtypeError(message("linspace", "Input(Start)", "dtype bool", "numbers", "Convert it with cast()."))
        require_one("linspace", Num=Num, Start=Start, Stop=Stop)
        return Meta((UNKNOWN,), Start.dtype)

    def reference(xp, Start, Stop, Num):
        count, kind = Num.item(), Start.dtype.type
        first, last = kind(Start.item()), kind(Stop.item())
        if count < 1:
            raise ArgumentValueError(message("linspace", "Input(Num)", count, "at least 1"))
        step = (last - first) / kind(count - 1) if count > 1 else kind(0)
        return first + step * xp.arange(count).astype(Start.dtype)


@op(
    "eye",
    inputs="",
    outputs="Out",
    attrs={"dtype": 5, "num_rows": Required("LONG"), "num_columns": Long(-1)},
    lod=None,
    flops=0,
    stopped="Out",
)
class eye(Declaration):
    """A matrix with ones on its diagonal; square unless `num_columns` is given."""

    def infer(*, dtype, num_rows, num_columns):
        if num_rows < 0 or num_columns < -1:
            raise ShapeError(message("eye", "num_rows, num_columns", (num_rows, num_columns), "sizes of at least 0"))
        return Meta((num_rows, num_rows if num_columns == -1 else num_columns), to_numpy(dtype))

    def reference(xp, *, dtype, num_rows, num_columns):
        return xp.eye(num_rows, num_rows if num_columns == -1 else num_columns, dtype=to_numpy(dtype))
