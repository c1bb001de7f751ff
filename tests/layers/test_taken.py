"""Calls that 1.8.5 refuses in Programs by the dtypes of their arguments, and imperative mode does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, ShapeError
from paddle_lite.core.mode import switched
from paddle_lite.static.mode.static_mode import static_mode

L = fluid.layers


def data(dtype: str, *shape: int, lod_level: int = 0) -> Any:
    return fluid.data(f"x{len(fluid.default_main_program().global_block().vars)}", shape or (2, 3), dtype, lod_level)


def ragged(dtype: str) -> Any:
    return data(dtype, -1, 3, lod_level=1)


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "scores": (lambda: L.accuracy(data("int32"), data("int64", 2, 1)), "accuracy: input got dtype int32, needs float16, float32 or float64. Convert it with cast"),
    "sum of an uncommon dtype": (lambda: L.sum([data("float32"), data("int8")]), r"sum: x\[1\] got dtype int8, needs int32, .* Feed it as int32"),
    "sum of one": (lambda: L.sum(data("int8")), "sum: x got dtype int8"),
    "cast of int16": (lambda: L.cast(data("int16"), "int32"), "cast: x got dtype int16, needs bool, .* Feed it as bool"),
    "cast to int16": (lambda: L.cast(data("int32"), "int16"), "cast: dtype got dtype int16, needs bool, .* Imperative calls take it"),
    "comparison": (lambda: L.equal(data("int32"), data("int16")), "equal: y got dtype int16"),
    "comparison of truths": (lambda: L.less_than(data("bool"), data("bool")), "less_than: x got dtype bool, needs int32"),
    "finite": (lambda: L.isfinite(data("float16")), "isfinite: x got dtype float16"),
    "labels of pairs": (lambda: L.npair_loss(data("float32"), data("float32"), data("int32", 2)), "npair_loss: labels got dtype int32, needs int64"),
    "filling": (lambda: L.fill_constant([1], "uint8", 5), "fill_constant: dtype got dtype uint8"),
    "filling like another": (lambda: L.full_like(data("float32"), 2, dtype="int16"), "full_like: dtype got dtype int16"),
    "a range": (lambda: L.range(0, 4, 1, "float16"), "range: dtype got dtype float16"),
    "expansion": (lambda: L.expand(data("uint8"), [2, 2]), "expand: x got dtype uint8"),
    "squeezing": (lambda: L.squeeze(data("bool", 1, 3), [0]), "squeeze: input got dtype bool"),
    "a sum's place": (lambda: L.sums([data("float32"), data("float32")], out=data("int8")), "sums: out got dtype int8"),
    "different numbers": (lambda: L.unique(data("float16", 4)), "unique: x got dtype float16"),
    "a LoD": (lambda: L.lod_reset(data("bool"), target_lod=[0, 2]), "lod_reset: x got dtype bool"),
    "sequences": (lambda: L.sequence_reverse(ragged("float16")), "sequence_reverse: x got dtype float16"),
    "joined sequences": (lambda: L.sequence_concat([ragged("int32"), ragged("int32")]), r"sequence_concat: input\[0\] got dtype int32"),
    "padded sequences": (lambda: L.sequence_pad(ragged("bool"), data("bool", 1)), "sequence_pad: x got dtype bool"),
    "a product of vectors": (lambda: L.dot(data("float32"), data("uint8")), "dot: y got dtype uint8"),
    "an exponent": (lambda: L.pow(data("int32"), data("float64", 1)), "pow: factor got dtype float64, needs float32"),
    "a part of images": (lambda: L.random_crop(data("float16"), [2]), "random_crop: x got dtype float16"),
    "the highest": (lambda: L.argmax(data("bool")), "argmax: x got dtype bool, needs uint8, int16"),
    "the lowest": (lambda: L.argmin(data("int8")), "argmin: x got dtype int8"),
    "an order": (lambda: L.argsort(data("float16")), "argsort: input got dtype float16"),
    "a norm": (lambda: L.clip_by_norm(data("float64"), 1.0), "clip_by_norm: x got dtype float64, needs float32"),
    "a matrix of a diagonal": (lambda: L.diag(data("bool", 3)), "diag: diagonal got dtype bool"),
    "a matrix of rows": (lambda: L.flatten(data("uint8")), "flatten: x got dtype uint8, needs int8, int32"),
    "one more": (lambda: L.increment(data("uint8", 1)), "increment: x got dtype uint8"),
    "an empty Variable": (lambda: L.is_empty(data("bool")), "is_empty: x got dtype bool"),
    "a place for a truth": (lambda: L.is_empty(data("int32"), data("int32", 1)), "is_empty: cond got dtype int32, needs bool"),
    "a logarithm": (lambda: L.logsumexp(data("float16")), "logsumexp: x got dtype float16"),
    "samples of noise": (lambda: L.nce(data("float16"), data("int64", 2, 1), 5), "nce: input got dtype float16"),
    "chosen rows": (lambda: L.multiplex([data("int16")] * 2, data("int32", 2, 1)), r"multiplex: inputs\[0\] got dtype int16"),
    "ones": (lambda: L.ones_like(data("float16")), "ones_like: x got dtype float16, needs bool"),
    "zeros": (lambda: L.zeros_like(data("int8")), "zeros_like: x got dtype int8"),
    "padding": (lambda: L.pad(data("bool"), [0, 1, 0, 1]), "pad: x got dtype bool"),
    "padded images": (lambda: L.pad2d(data("uint8", 1, 1, 2, 2), [1, 1, 1, 1]), "pad2d: input got dtype uint8"),
    "another order": (lambda: L.reverse(data("int8"), 0), "reverse: x got dtype int8"),
    "a shape": (lambda: L.shape(data("bool")), "shape: input got dtype bool"),
    "every other row": (lambda: L.strided_slice(data("float16"), [0], [0], [2], [2]), "strided_slice: input got dtype float16"),
    "a triangle": (lambda: L.tril(data("int8")), "tril: input got dtype int8"),
    "another triangle": (lambda: L.triu(data("float16")), "triu: input got dtype float16"),
}  # fmt: skip

OTHERS: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "no list of sequences": (lambda: L.sequence_concat(ragged("float32")), ArgumentTypeError, "needs a list of Python"),
    "another factor": (lambda: L.addcmul(*[data("float32")] * 3, value=1), ArgumentTypeError, "value got int 1, needs a float of Python"),
    "a factor with a fraction": (lambda: L.addcmul(*[data("int32")] * 3, value=1.0), ArgumentTypeError, "needs an int of Python"),
    "a flag": (lambda: L.less_than(data("int32"), data("int32"), force_cpu=1), ArgumentTypeError, "force_cpu got int 1, needs a bool of Python"),  # type: ignore[arg-type]
    "one axis": (lambda: L.squeeze(data("int32", 1, 3), 0), ArgumentTypeError, "axes got int 0, needs a list"),
    "a diagonal": (lambda: L.tril(data("float32"), np.int64(1)), ArgumentTypeError, "diagonal got int64 .*, needs an int of Python"),
    "a whole scale": (lambda: L.prroi_pool(data("float32", 1, 2, 4, 4), data("float32", 2, 4), 1, 2, 2), ArgumentTypeError, "spatial_scale got int 1, needs a float"),
    "a length of vectors": (lambda: L.one_hot(data("int64", 2, 1), np.array([4])), ArgumentTypeError, "depth got ndarray .*, needs an int of Python"),
    "a result": (lambda: L.is_empty(data("int32"), 1), ArgumentTypeError, "is_empty: cond got int 1"),
    "a size of -2": (lambda: L.crop_tensor(data("float32", 3, 3), [data("int32", 1), -2]), ArgumentValueError, "shape got .*, needs sizes above 0, or -1"),
    "an offset of -1": (lambda: L.crop_tensor(data("float32", 3, 3), [2, 2], [data("int32", 1), -1]), ArgumentValueError, "offsets got .*, needs offsets of 0 or more"),
    "truths": (lambda: L.expand(data("bool"), [2, 2]), ArgumentValueError, "dtype bool with stop_gradient"),
    "no sizes": (lambda: L.fill_constant([], "float32", 1), ShapeError, "needs at least one size"),
    "a result of another dtype": (lambda: L.fill_constant([2, 3], "float64", 5, out=data("int32")), DtypeError, "out got dtype int32, needs that of dtype, float64"),
}  # fmt: skip


@pytest.mark.parametrize("case", [*REFUSED, *OTHERS])
def test_refused(case: str) -> None:
    call, *kind, text = REFUSED.get(case) or OTHERS[case]
    with (
        switched(static_mode, fluid.CPUPlace(), None),
        fluid.program_guard(fluid.Program(), fluid.Program()),
        pytest.raises((*kind, DtypeError)[0], match=text),
    ):
        call()


def test_imperative_calls_take_more() -> None:
    x = fluid.dygraph.to_variable(np.array([[1, 2]], "int16"))
    assert L.cast(x, "int8").numpy().tolist() == [[1, 2]]
    assert L.equal(x, x).numpy().all()
    assert L.squeeze(x, 0).shape == [2]
    assert L.expand(L.fill_constant([1], "uint8", 5), [2]).numpy().tolist() == [5, 5]
