"""Operators on the numbers of one array, or of several of one shape."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, away, draw

FLOATS = ("float32", "float64")
WHOLE = ("int32", "int64")
CODES = {
    "bool": 0,
    "int16": 1,
    "int32": 2,
    "int64": 3,
    "float16": 4,
    "float32": 5,
    "float64": 6,
    "uint8": 20,
    "int8": 21,
}
BOOL = Bad({"X": draw(2, dtype="bool")}, {}, "DtypeError", "bool")
LOD = {"X": [[0, 1, 3]]}


def number(value, dtype="float32"):
    return np.array([value], dtype)


def scale():
    both = {"scale": -2.5, "bias": 1.5}
    samples = [
        Sample({"X": draw(2, 3, 4)}),
        Sample({"X": draw(2, 3)}, {"scale": 0.1}),
        Sample({"X": draw(2, 3)}, both),
        Sample({"X": draw(2, 3)}, {**both, "bias_after_scale": False}),
        Sample({"X": draw(2, 3, dtype="float64")}, {"scale": 0.1, "bias": 0.3}, note="the attributes are float32"),
        Sample({"X": draw(3, 2)}, both, lods=LOD),
        Sample({"X": draw(0, 3)}, both),
        Sample({"X": draw(2, 3), "ScaleTensor": number(3.0)}, {"scale": 2.0, "bias": 1.0}, grads=("X",)),
        Sample({"X": draw(2, 3), "ScaleTensor": number(3.0)}, {"bias": 1.0, "bias_after_scale": False}, grads=("X",)),
        Sample({"X": np.array([1e38, -1e38, np.inf], "float32")}, {"scale": 10.0, "bias": 1.0}, note="overflow"),
    ]
    for t in (*WHOLE, "int16", "int8"):
        samples += [
            Sample({"X": draw(2, 3, low=-9, high=9, dtype=t)}, {**both, "bias_after_scale": a}) for a in (True, False)
        ]
    samples.append(Sample({"X": draw(2, 3, low=0, high=9, dtype="uint8")}, {"scale": 2.5, "bias": 1.5}))
    errors = [BOOL, Bad({"X": draw(2), "ScaleTensor": draw(2, seed=1)}, {}, "ShapeError", "Input(ScaleTensor)")]
    errors.append(Bad({"X": draw(2)}, {"scale": "2"}, "ArgumentTypeError", "'scale'"))
    return Row("scale", samples, errors, double=True)


def cast():
    def one(values, source, target, **given):
        return Sample(
            {"X": np.array(values).astype(source)}, {"in_dtype": CODES[source], "out_dtype": CODES[target]}, **given
        )

    values = [0, 1, -1.5, 2.7, 100, -100]
    targets = ("bool", "uint8", "int32", "int64", "float16", "float32", "float64")
    samples = [one(values, s, t) for s in ("float32", "float64", "int64", "bool") for t in targets]
    samples += [one(values, s, "float32") for s in ("int32", "uint8")]
    samples += [one(values, "float16", "float32", grads=(), note="Paddle rounds a float16 down")]
    samples += [one([-1.0, 300.0, 70000.0], "float32", t, note="wraps") for t in ("uint8", "int8", "int16")]
    samples += [
        one([np.nan, np.inf, -np.inf], "float32", "bool"),
        one([1e300, 1e-300], "float64", "float32", note="overflow"),
        Sample({"X": draw(3, 2)}, {"in_dtype": 5, "out_dtype": 6}, lods=LOD),
        Sample({"X": draw(0, 2)}, {"in_dtype": 5, "out_dtype": 6}),
    ]
    errors = [
        Bad({"X": draw(2)}, {"in_dtype": 5, "out_dtype": 7}, "DtypeError", "7"),
        Bad({"X": draw(2)}, {"in_dtype": 5}, "ArgumentTypeError", "out_dtype"),
    ]
    return Row("cast", samples, errors, double=True)


def assign():
    samples = [
        Sample({"X": draw(2, 3, low=0, high=5, dtype=t)}) for t in ("float32", "float64", "int32", "int64", "bool")
    ]
    samples += [Sample({"X": draw(3).astype("float16")}), Sample({"X": draw(3, 2)}, lods=LOD)]
    return Row("assign", samples, double=True)


def sums():
    def of(*shape, count=3, dtype="float32", **given):
        return Sample({"X": [draw(*shape, low=-9, high=9, dtype=dtype, seed=i) for i in range(count)]}, **given)

    samples = [of(2, 3, dtype=t) for t in FLOATS + WHOLE]
    samples += [of(4, count=1), of(2, 1, 3, count=2), of(3, 2, lods={"X": [[[0, 1, 3]], [[0, 2, 3]], []]})]
    errors = [
        Bad({"X": [draw(2), draw(2, 1)]}, {}, "ShapeError", "Input(X)[1]"),
        Bad({"X": [draw(2), draw(1)]}, {}, "ShapeError", "Input(X)[1]"),
        Bad({"X": [draw(2), draw(2, dtype="float64")]}, {}, "DtypeError", "float64"),
        Bad({"X": []}, {}, "ArgumentTypeError", "empty list"),
    ]
    return Row("sum", samples, errors, double=True)


def mean():
    samples = [Sample({"X": draw(2, 3, 4)}), Sample({"X": draw(5)}), Sample({"X": draw(2, 3, dtype="float64")})]
    samples += [Sample({"X": draw(1)}), Sample({"X": draw(3, 2)}, lods=LOD), Sample({"X": draw(20, 30)})]
    errors = [
        Bad({"X": draw(2, dtype="int64", high=5)}, {}, "DtypeError", "int64"),
        Bad({"X": draw(0, 2)}, {}, "ShapeError", "[0, 2]"),
    ]
    return Row("mean", samples, errors, double=True)


def clip():
    def one(*shape, low=-0.5, high=0.4, dtype="float32", **given):
        return Sample({"X": away(draw(*shape, dtype=dtype), low, high)}, {"min": low, "max": high}, **given)

    limits = {"min": -9.0, "max": 9.0}
    samples = [
        one(2, 3, 4),
        one(6, dtype="float64"),
        one(3, 2, lods=LOD),
        one(0, 2),
        Sample({"X": away(draw(2, 5), -0.5), "Min": number(-0.5)}, limits, grads=("X",)),
        Sample({"X": away(draw(2, 5), 0.3), "Max": number(0.3)}, limits, grads=("X",)),
        Sample({"X": away(draw(2, 5), 0.3, 0.1), "Min": number(0.1), "Max": number(0.3)}, limits, grads=("X",)),
        Sample({"X": np.array([0.0, 1, 2, 3, 4])}, {"min": 1.0, "max": 3.0}, note="at the limits"),
        Sample({"X": np.array([0.0, 1, 2])}, {"min": 0.1, "max": 1.9}, note="the attributes are float32"),
        Sample({"X": np.array([np.nan, np.inf, -np.inf])}, {"min": 1.0, "max": 3.0}, note="NaN stays"),
    ]
    errors = [
        Bad({"X": draw(2)}, {"min": 1.0, "max": 0.5}, "ArgumentValueError", "'max'"),
        Bad({"X": draw(2)}, {"min": 1.0, "max": 1.0}, "ArgumentValueError", "'max'"),
        Bad({"X": draw(2), "Min": draw(2, seed=1)}, limits, "ShapeError", "Input(Min)"),
        Bad({"X": draw(2), "Min": number(1.0), "Max": number(0.0)}, limits, "ArgumentValueError", "'max'"),
        Bad({"X": draw(2, dtype="int64", high=5)}, limits, "DtypeError", "int64"),
        Bad({"X": draw(2)}, {"min": 1.0}, "ArgumentTypeError", "'max'"),
    ]
    return Row("clip", samples, errors, double=True)


def power():
    def one(*shape, factor=None, dtype="float32", low=0.5, high=2.0, **given):
        return Sample(
            {"X": draw(*shape, low=low, high=high, dtype=dtype)}, {} if factor is None else {"factor": factor}, **given
        )

    samples = [
        *[one(2, 3, factor=f) for f in (None, 0.5, 2.0, 3.0, -1.0, 0.1, 0.0)],
        one(2, 3, factor=2.0, low=-2.0),
        one(2, 3, factor=0.1, dtype="float64", note="the factor is float32"),
        one(3, 2, factor=2.5, lods=LOD),
        one(0, 2, factor=2.5),
        Sample({"X": draw(2, 3, low=0.5, high=2.0), "FactorTensor": number(1.5)}, {"factor": 3.0}, grads=("X",)),
        Sample({"X": np.array([-1.0, 0, 2, 0.5])}, {"factor": 0.5}, note="no number"),
        Sample({"X": np.array([-1.0, 0, 2, 0.5])}, {"factor": -1.0}, note="of zero"),
        Sample({"X": np.array([-1.0, 0, 2, 0.5])}, {"factor": 2.0}, note="the square"),
        *[Sample({"X": draw(2, 3, low=-5, high=5, dtype=t)}, {"factor": f}) for t in WHOLE for f in (2.5, 3.0)],
    ]
    errors = [
        BOOL,
        Bad({"X": draw(2), "FactorTensor": draw(2, seed=1)}, {}, "ShapeError", "Input(FactorTensor)"),
    ]
    return Row("pow", samples, errors, double=True)


def increment():
    samples = [Sample({"X": np.array([3], t)}, {"step": s}) for t in FLOATS + WHOLE for s in (1.0, -2.5)]
    samples += [Sample({"X": np.array([[3.0]], "float32")})]
    errors = [BOOL, Bad({"X": draw(2)}, {}, "ShapeError", "one element")]
    return Row("increment", samples, errors, double=True)


ROWS = [scale(), cast(), assign(), sums(), mean(), clip(), power(), increment()]
