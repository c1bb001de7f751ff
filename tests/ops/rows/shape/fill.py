"""Operators that make arrays filled with one number, or with given numbers."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

BOOL, INT32, INT64, FP16, FP32, FP64 = 0, 2, 3, 4, 5, 6
X = draw(3, 2)
LOD = [[0, 1, 3]]
DEEP = [[0, 1, 3], [0, 2, 2, 3]]


def one(value, dtype):
    return np.array([value], dtype)


def of_dtype(dtype):
    """An array of an odd shape in this dtype."""
    return draw(2, 1, 2, low=-9, high=9, dtype=dtype)


PARSE = "real Paddle reads no number in it and fills with 0"
CONSTANT = [
    Sample({}, {"shape": [2, 3], "value": 1.5}),
    Sample({}, {"shape": [1], "value": 0.1, "dtype": FP64}),
    Sample({}, {"shape": [1], "value": 0.5, "str_value": "0.1", "dtype": FP64}, note="str_value says it exactly"),
    Sample({}, {"shape": [2], "str_value": "9007199254740993", "dtype": INT64}),
    Sample({}, {"shape": [2], "str_value": "-2.7", "dtype": INT32}, note="cut off"),
    Sample({}, {"shape": [2], "value": 2.7, "dtype": INT64}, note="cut off"),
    Sample({}, {"shape": [2, 1], "value": 2.0, "dtype": BOOL}),
    Sample({}, {"shape": [2], "value": 0.1, "dtype": FP16}),
    Sample({}, {"shape": [2], "str_value": "1e-3"}),
    Sample({}, {"shape": [2], "str_value": "inf"}, excluded=PARSE),
    Sample({}, {"shape": [2], "value": 1e6, "dtype": FP16}, note="infinity"),
    Sample({}, {"shape": [2], "str_value": "-1e39"}, note="infinity"),
    Sample({}, {"shape": [0, 2], "value": 1.0}),
    Sample({"ShapeTensor": np.array([2, 3], "int32")}, {"shape": [1, 1], "value": 1.0}, note="ShapeTensor", dynamic=True),
    Sample({"ShapeTensorList": [one(2, "int32"), one(1, "int64")]}, {"shape": [-1, 1], "value": 1.0},
           note="ShapeTensorList", dynamic=True),
    Sample({"ValueTensor": one(3.5, "float32")}, {"shape": [2], "value": 1.0}, note="ValueTensor"),
    Sample({"ValueTensor": one(3, "int64")}, {"shape": [2], "dtype": INT64}, note="ValueTensor"),
]  # fmt: skip
CONSTANT_ERRORS = [
    Bad({}, {"shape": [-1, 2]}, "ShapeError", "at least 0"),
    Bad({}, {"shape": [2], "str_value": "many"}, "ArgumentValueError", "'many'"),
    Bad({}, {"shape": [2], "str_value": "inf", "dtype": INT32}, "ArgumentValueError", "for dtype int32"),
    Bad({}, {"shape": [2], "str_value": "2147483648", "dtype": INT32}, "ArgumentValueError", "within its limits"),
    Bad({}, {"shape": [2], "value": -1e19, "dtype": INT64}, "ArgumentValueError", "within its limits"),
    Bad({}, {"shape": [2], "dtype": 7}, "DtypeError", "one of"),
    Bad({}, {"shape": 2.5}, "ArgumentTypeError", "shape"),
]

LIKE = [
    Sample({"Input": X}, {"shape": [-1, 5], "value": 3.0, "dtype": INT64}),
    Sample({"Input": draw(2, 3, 4)}, {"shape": [7, -1], "value": 0.1, "input_dim_idx": 2, "output_dim_idx": 1}),
    Sample({"Input": X}, {"shape": [4], "str_value": "0.1", "dtype": FP64}),
    Sample({"Input": X}, {"shape": [4, 1], "value": 1.0, "dtype": BOOL}),
    Sample({"Input": X}, {"shape": [1, -1], "value": 1.0, "output_dim_idx": 1, "dtype": INT32}),
    Sample({"Input": X}, {"shape": [-1, 2], "value": 1.0}, lods={"Input": LOD}, note="counts sequences", dynamic=True),
    Sample(
        {"Input": X}, {"shape": [-1, 2], "value": 1.0}, lods={"Input": DEEP}, note="of the last level", dynamic=True
    ),
    Sample({"Input": X}, {"shape": [-1, 2], "value": 1.0, "input_dim_idx": 1}, lods={"Input": LOD}, note="not rows"),
    *[Sample({"Input": of_dtype(t)}, {"shape": [-1, 2]}) for t in ("int32", "int64", "bool")],
]
LIKE_ERRORS = [
    Bad({"Input": X}, {"shape": [7, -1], "input_dim_idx": 2}, "ShapeError", "input_dim_idx"),
    Bad({"Input": X}, {"shape": [7, -1], "output_dim_idx": 2}, "ShapeError", "output_dim_idx"),
    Bad({"Input": X}, {"shape": [7, -1]}, "ShapeError", "position 0"),
    Bad({"Input": X}, {}, "ArgumentTypeError", "shape"),
]

DTYPES = ("int32", "int64", "bool", "float64")
ZEROS = [Sample({"X": X}), Sample({"X": X}, lods={"X": LOD}), *[Sample({"X": of_dtype(t)}) for t in DTYPES]]
ZEROS2 = [
    Sample({"X": X}, {"dtype": FP32}),
    Sample({"X": X}, {"dtype": INT64}, lods={"X": LOD}),
    *[Sample({"X": of_dtype(t)}, {"dtype": FP64}) for t in DTYPES],
]
ANY = [
    Sample({"X": X}, {"value": 1.5}),
    Sample({"X": X}, {"value": 2.7, "dtype": INT32}),
    Sample({"X": X}, {"value": 0.1, "dtype": FP64}),
    Sample({"X": X}, {"value": 1.0, "dtype": BOOL}),
    Sample({"X": X}, {"value": 0.1, "dtype": FP16}),
    Sample({"X": X}, {"value": 1.0}, lods={"X": LOD}),
    *[Sample({"X": of_dtype(t)}, {"value": 2.0}) for t in ("int32", "int64", "float16", "float64")],
    Sample({"X": of_dtype("bool")}, {"value": 1.0}),
]
ANY_ERRORS = [Bad({"X": X}, {"value": float("nan"), "dtype": INT64}, "ArgumentValueError", "for dtype int64")]

VALUES = [
    Sample({}, {"shape": [2, 2], "dtype": FP32, "fp32_values": [1.5, 2.0, -3.0, 0.1]}),
    Sample({}, {"shape": [2], "dtype": INT32, "int32_values": [1, -2]}),
    Sample({}, {"shape": [1], "dtype": INT64, "int64_values": [2**40]}),
    Sample({}, {"shape": [3], "dtype": BOOL, "bool_values": [1, 0, 1]}),
    Sample({}, {"shape": [2], "dtype": BOOL, "bool_values": [True, False]}),
]
VALUES_ERRORS = [
    Bad({}, {"shape": [3], "dtype": INT32, "int32_values": [1, 0]}, "ShapeError", "2 values"),
    Bad({}, {"shape": [2], "dtype": FP64, "fp32_values": [1.0, 0.0]}, "DtypeError", "float64"),
    Bad({}, {"dtype": INT32}, "ArgumentTypeError", "shape"),
]


def counting(start, end, step, dtype):
    return {"Start": one(start, dtype), "End": one(end, dtype), "Step": one(step, dtype)}


RANGE = [
    Sample(counting(0, 5, 2, "int64"), dynamic=True),
    Sample(counting(5, 0, -2, "int32"), dynamic=True),
    Sample(counting(0, 1, 0.3, "float32"), dynamic=True),
    Sample(counting(0, 10, 0.1, "float32"), dynamic=True, note="added up step by step"),
    Sample(counting(1, -1, -0.25, "float64"), dynamic=True),
    Sample(counting(-9, -14.503398, -0.61148864, "float32"), dynamic=True, note="9 in float32, more in float64"),
    Sample(counting(3, 3, 2, "int64"), dynamic=True, note="nothing"),
    Sample(counting(0.5, 0.5, -1, "float32"), dynamic=True, note="nothing"),
]
RANGE_ERRORS = [
    Bad(counting(5, 0, 2, "int64"), {}, "ArgumentValueError", "towards End 0"),
    Bad(counting(0, 5, 0, "int64"), {}, "ArgumentValueError", "got 0"),
    Bad({**counting(0, 5, 1, "int64"), "Step": one(1, "int32")}, {}, "DtypeError", "Input(Step)"),
    Bad({**counting(0, 5, 1, "int64"), "Step": np.ones(2, "int64")}, {}, "ShapeError", "one element"),
]


def spaced(start, stop, num, dtype="float32"):
    return {"Start": one(start, dtype), "Stop": one(stop, dtype), "Num": one(num, "int32")}


LINSPACE = [
    Sample(spaced(0, 1, 5), grads=(), dynamic=True),
    Sample(spaced(3, -1, 7), grads=(), dynamic=True),
    Sample(spaced(3, 1, 1), grads=(), dynamic=True),
    Sample(spaced(0, 0.7, 8, "float64"), grads=(), dynamic=True),
]
LINSPACE_ERRORS = [
    Bad(spaced(0, 1, 0), {}, "ArgumentValueError", "at least 1"),
    Bad({**spaced(0, 1, 3), "Stop": one(1, "float64")}, {}, "DtypeError", "Input(Stop)"),
]

EYE = [
    Sample({}, {"num_rows": 3}),
    Sample({}, {"num_rows": 2, "num_columns": 4, "dtype": INT32}),
    Sample({}, {"num_rows": 3, "num_columns": 1, "dtype": FP64}),
    Sample({}, {"num_rows": 2, "dtype": INT64}),
    Sample({}, {"num_rows": 2, "dtype": FP16}),
]
EYE_ERRORS = [Bad({}, {"num_rows": -1}, "ShapeError", "at least 0"), Bad({}, {}, "ArgumentTypeError", "num_rows")]

ROWS = [
    Row("fill_constant", CONSTANT, CONSTANT_ERRORS),
    Row("fill_constant_batch_size_like", LIKE, LIKE_ERRORS),
    Row("fill_zeros_like", ZEROS),
    Row("fill_zeros_like2", ZEROS2),
    Row("fill_any_like", ANY, ANY_ERRORS),
    Row("assign_value", VALUES, VALUES_ERRORS),
    Row("range", RANGE, RANGE_ERRORS),
    Row("linspace", LINSPACE, LINSPACE_ERRORS),
    Row("eye", EYE, EYE_ERRORS),
]
