"""More operators that PaddlePaddle 1.8.5 does not have; tests/interop compares them with numbers of 2.6.2."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, away, draw

WHY = "PaddlePaddle 1.8.5 has no such operator"
VOLUME = (1, 2, 3, 2, 3)


def one(x, attrs=None, dynamic=False, **inputs):
    return Sample({"X": x, **inputs}, attrs, excluded=WHY, dynamic=dynamic)


def tested(type):
    odd = [np.array([[0, np.nan], [np.inf, -np.inf]], dtype) for dtype in ("float32", "float64")]
    whole = [np.array([1, -2], dtype) for dtype in ("int32", "int64")]
    return Row(type, [one(x) for x in odd + whole], [Bad({"X": np.array([True])}, {}, "DtypeError", "float or int")])


def pad(mode, paddings=(1, 2, 0, 1, 2, 1), dtype="float32", dynamic=False, **more):
    inputs = {"X": draw(*VOLUME, dtype=dtype, low=-9, high=9)}
    inputs.update({slot: more.pop(slot) for slot in ("Paddings",) if slot in more})
    attrs = {"paddings": list(paddings), "mode": mode, **more}
    return Sample(inputs, attrs, excluded=WHY, dynamic=dynamic)


def bad_pad(error, match, mode="constant", **more):
    made = pad(mode, **more)
    return Bad(made.inputs, made.attrs, error, match)


ROWS = [
    Row(
        "celu",
        [one(away(draw(2, 3), 0)), one(away(draw(2, 3, dtype="float64"), 0), {"alpha": 0.5})],
        double=True,
    ),
    *[
        Row(
            type,
            [
                one(draw(2, 3, low=0.2, high=1.4)),
                *[one(draw(2, 3, low=1, high=3, dtype=t)) for t in ("int32", "int64")],
            ],
        )
        for type in ("log2", "log10", "expm1")
    ],
    *[Row(type, [one(draw(2, 3, low=0.2, high=1.4))], double=True) for type in ("sinh", "cosh", "tan")],
    tested("isnan_v2"),
    tested("isinf_v2"),
    tested("isfinite_v2"),
    Row(
        "logsumexp",
        [
            one(draw(2, 3)),
            one(draw(2, 3, 2), {"axis": [1, -1]}),
            one(draw(2, 3), {"axis": [1], "keepdim": True}),
            one(draw(2, 3, dtype="float64"), {"axis": [], "reduce_all": True}),
        ],
        [Bad({"X": draw(2, 3)}, {"axis": [2]}, "ShapeError", "axis")],
    ),
    Row(
        "masked_select",
        [
            one(draw(2, 3, dtype=dtype, low=-9, high=9), Mask=draw(2, 3, dtype="bool"), dynamic=True)
            for dtype in ("float32", "float64", "int32", "int64")
        ],
        [
            Bad({"X": draw(2, 3), "Mask": draw(2, 2, dtype="bool")}, {}, "ShapeError", "needs [2, 3]"),
            Bad({"X": draw(2, 3), "Mask": draw(2, 3)}, {}, "DtypeError", "Mask"),
        ],
    ),
    Row(
        "pad3d",
        [
            pad("constant", value=0.5),
            pad("constant", dtype="float64"),
            pad("constant", data_format="NDHWC"),
            pad("constant", dtype="int32"),
            pad("constant", dtype="int64"),
            pad("reflect", (1, 2, 0, 1, 2, 1)),
            pad("replicate"),
            pad("circular"),
            pad("circular", (1, 0, 2, 1, 0, 0), data_format="NDHWC"),
            pad("constant", Paddings=np.int32([1, 0, 0, 2, 0, 0]), dynamic=True),
        ],
        [
            bad_pad("ArgumentValueError", "mode", mode="mirror"),
            bad_pad("ShapeError", "six numbers", paddings=(1, 1)),
            bad_pad("ShapeError", "0 to 2 at the ends", mode="reflect", paddings=(3, 0, 0, 0, 0, 0)),
        ],
    ),
]
