"""Random calls of operators that make arrays filled with one number, or with given numbers.

Not float16, but for numbers that it has: real Paddle was built to cut off what it has no bits for.
"""

import numpy as np

from tests.ops.row import Sample

BOOL, INT32, INT64, FP16, FP32, FP64 = 0, 2, 3, 4, 5, 6
NAMES = {BOOL: "bool", INT32: "int32", INT64: "int64", FP32: "float32", FP64: "float64"}


def value(d):
    return d.one(0.0, 1.0, -2.7, 0.1, d.number(-9, 9))


def fill_constant(d):
    """No power of ten for int64: real Paddle stops reading at its letter."""
    s, inputs = list(d.shape(1, 4)), {}
    attrs = {"value": value(d), "dtype": d.one(BOOL, INT32, INT64, FP32, FP64), "shape": s}
    if d.int(0, 2) == 0:
        attrs["str_value"] = d.one("0.1", "-3", "1e-3", "12345678901", "7.9") if attrs["dtype"] != BOOL else "1"
        attrs["str_value"] = "-3" if attrs["dtype"] in (INT32, INT64) else attrs["str_value"]
    how = d.one("attribute", "attribute", "tensor", "list")
    if how == "tensor":
        inputs["ShapeTensor"], attrs["shape"] = np.array(s, d.one("int32", "int64")), [1]
    elif how == "list":
        inputs["ShapeTensorList"] = [np.array([n], d.one("int32", "int64")) for n in s]
        attrs["shape"] = [d.one(-1, n) for n in s]
    if attrs["dtype"] in NAMES and attrs["dtype"] != BOOL and d.int(0, 3) == 0:
        inputs["ValueTensor"] = d.array((1,), NAMES[attrs["dtype"]])
        attrs.pop("str_value", None)
    return Sample(inputs, attrs)


def fill_constant_batch_size_like(d):
    x, s = d.array(d.shape()), list(d.shape())
    taken, place = d.int(0, x.ndim - 1), d.int(0, len(s) - 1)
    s[place] = -1
    attrs = {"shape": s, "value": value(d), "dtype": d.one(BOOL, INT32, INT64, FP32, FP64)}
    attrs.update(input_dim_idx=taken, output_dim_idx=place)
    if d.int(0, 2) == 0:
        attrs["str_value"] = "1" if attrs["dtype"] == BOOL else d.one("0.1", "-3", "7.9")
    lods = d.maybe_lod("Input", len(x))
    return Sample({"Input": x}, attrs, lods=lods)


def fill_zeros_like(d):
    x = d.array(d.shape())
    return Sample({"X": x}, lods=d.maybe_lod("X", len(x)))


def fill_zeros_like2(d):
    x = d.array(d.shape())
    return Sample({"X": x}, {"dtype": d.one(INT32, INT64, FP32, FP64)}, lods=d.maybe_lod("X", len(x)))


def fill_any_like(d):
    x = d.array(d.shape())
    attrs = {"value": value(d), "dtype": d.one(-1, BOOL, INT32, INT64, FP16, FP32, FP64)}
    if attrs["dtype"] == BOOL:
        attrs["value"] = d.one(0.0, 1.0)
    elif attrs["dtype"] == FP16:
        attrs["value"] = float(d.int(-40, 40)) / 4
    return Sample({"X": x}, attrs, lods=d.maybe_lod("X", len(x)))


def assign_value(d):
    s, dtype = d.shape(), d.one(BOOL, INT32, INT64, FP32)
    numbers = d.array(s, "float32" if dtype == FP32 else "int32").ravel()
    slot = {BOOL: "bool_values", INT32: "int32_values", INT64: "int64_values", FP32: "fp32_values"}[dtype]
    numbers = numbers > 0 if dtype == BOOL else numbers
    return Sample({}, {"shape": list(s), "dtype": dtype, slot: [type(n)(n) for n in numbers.tolist()]})


def counted(d):
    dtype = d.one("int32", "int64", "float32", "float64")
    step = d.int(1, 4) * d.one(1, -1) if dtype[0] == "i" else d.number(0.2, 2) * d.one(1, -1)
    start = d.int(-9, 9)
    end = start + step * d.int(1, 9) + d.one(0, np.sign(step) * 0.1 if dtype[0] == "f" else 0)
    return Sample({k: np.array([v], dtype) for k, v in (("Start", start), ("End", end), ("Step", step))})


def linspace(d):
    dtype = d.one("float32", "float64")
    ends = {slot: np.array([d.number(-9, 9)], dtype) for slot in ("Start", "Stop")}
    return Sample({**ends, "Num": np.array([d.int(1, 9)], "int32")}, grads=())


def eye(d):
    return Sample({}, {"num_rows": d.int(1, 6), "num_columns": d.one(-1, d.int(1, 6)), "dtype": d.one(2, 3, 5, 6)})


CALLS = {
    f.__name__: f
    for f in (
        fill_constant,
        fill_constant_batch_size_like,
        fill_zeros_like,
        fill_zeros_like2,
        fill_any_like,
        assign_value,
        linspace,
        eye,
    )
}
CALLS["range"] = counted
