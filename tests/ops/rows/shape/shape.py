"""Operators of shapes: reshaping, transposing, joining, cutting."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

X = draw(2, 3, 4)
LOD = [[0, 1, 3]]


def ints(*values, dtype="int32"):
    return np.array(values, dtype)


def several(*values):
    """One array of one element for each number."""
    return [ints(v) for v in values]


def rows(types, samples, errors=(), **more):
    """The same row for operators that differ in their XShape output only."""
    return [Row(t, samples, errors, **more) for t in types]


def each_dtype(sample, dtypes=("int32", "int64")):
    """The sample with its X, or each of them, as whole numbers."""

    def whole(value, dtype):
        if isinstance(value, list):
            return [whole(v, dtype) for v in value]
        return draw(*value.shape, low=-9, high=9, dtype=dtype)

    slot = "Input" if "Input" in sample.inputs else "X"
    return [
        Sample({**sample.inputs, slot: whole(sample.inputs[slot], t)}, sample.attrs, counts=sample.counts)
        for t in dtypes
    ]


RESHAPE = [
    Sample({"X": X}, {"shape": [4, 6]}),
    Sample({"X": X}, {"shape": [-1]}),
    Sample({"X": X}, {"shape": [0, -1]}),
    Sample({"X": X}, {"shape": [2, 0, 2, -1]}),
    Sample({"X": X}, {"shape": [1, 1, 24]}),
    Sample({"X": draw(1, 1)}, {"shape": [1]}),
    Sample({"X": draw(3, 4)}, {"shape": [0, 2, 2]}, lods={"X": LOD}, note="LoD stays with the rows"),
    Sample({"X": draw(3, 4)}, {"shape": [-1, 2]}, lods={"X": LOD}, note="LoD goes with the rows"),
    Sample({"X": draw(3, 4)}, {"shape": [3, 4, 1]}, note="the same rows"),
    Sample({"X": X, "Shape": ints(4, 6)}, {"shape": [3, -1]}, note="Shape", dynamic=True),
    Sample({"X": X, "ShapeTensor": several(3, -1)}, {"shape": [-1, -1]}, note="ShapeTensor", dynamic=True),
    Sample({"X": draw(3, 4), "Shape": ints(2, 6)}, {"shape": [3, -1]}, lods={"X": LOD}, note="Shape, LoD", dynamic=True,
           excluded="the LoD stays as it was"),
    *each_dtype(Sample({"X": X}, {"shape": [6, 4]})),
]  # fmt: skip
NO_GRADIENT = "real Paddle cannot differentiate `reshape` with a list of tensors"
OLD_RESHAPE = [
    Sample(s.inputs, s.attrs, excluded=NO_GRADIENT, dynamic=True) if "ShapeTensor" in s.inputs else s for s in RESHAPE
]
RESHAPE_ERRORS = [
    Bad({"X": X}, {"shape": []}, "ShapeError", "at least one dimension"),
    Bad({"X": X}, {"shape": [5, -1]}, "ShapeError", "24 elements"),
    Bad({"X": X}, {"shape": [4, 7]}, "ShapeError", "24 elements"),
    Bad({"X": X}, {"shape": [-1, -1, 2]}, "ShapeError", "at most one -1"),
    Bad({"X": X}, {"shape": [-2, 12]}, "ShapeError", "[-2, 12]"),
    Bad({"X": X}, {"shape": [2, 3, 4, 0]}, "ShapeError", "position 3"),
    Bad({"X": X}, {"shape": [24.0]}, "ArgumentTypeError", "shape"),
]

TRANSPOSE = [
    Sample({"X": X}, {"axis": [2, 0, 1]}),
    Sample({"X": X}, {"axis": [0, 1, 2]}),
    Sample({"X": draw(2, 3)}, {"axis": [1, 0]}),
    Sample({"X": draw(3)}, {"axis": [0]}),
    Sample({"X": draw(2, 1, 3, 2)}, {"axis": [0, 2, 1, 3]}),
    Sample({"X": draw(3, 4)}, {"axis": [1, 0]}, lods={"X": LOD}),
]
WHOLE_TRANSPOSE = each_dtype(Sample({"X": X}, {"axis": [2, 0, 1]}))
TRANSPOSE_ERRORS = [
    Bad({"X": X}, {"axis": [2, 2, 1]}, "ShapeError", "[2, 2, 1]"),
    Bad({"X": X}, {"axis": [1, 0]}, "ShapeError", "rank 3"),
    Bad({"X": X}, {"axis": [0, 1, 3]}, "ShapeError", "0 to 2"),
    Bad({"X": X}, {"axis": [0, -1, 1]}, "ShapeError", "-1"),
    Bad({"X": X}, {}, "ArgumentTypeError", "axis"),
]

CONCAT = [
    Sample({"X": [draw(2, 3), draw(2, 4)]}, {"axis": 1}),
    Sample({"X": [draw(2, 3), draw(1, 3), draw(3, 3)]}),
    Sample({"X": [X, draw(2, 3, 1)]}, {"axis": -1}),
    Sample({"X": [X]}, {"axis": 1}),
    Sample({"X": [draw(2), draw(3)]}),
    Sample({"X": [draw(2, 3), draw(2, 4)], "AxisTensor": ints(1)}, {"axis": 0}, note="AxisTensor", dynamic=True),
    Sample({"X": [draw(3, 2), draw(3, 4)]}, {"axis": 1}, lods={"X": LOD}),
    Sample({"X": [draw(3, 2), draw(3, 2, seed=1)]}, lods={"X": LOD}, note="LoD along the rows"),
    Sample({"X": [draw(3, 2), draw(2, 2)]}, lods={"X": [[[0, 1, 3]], [[0, 2]]]}, note="different LoD along the rows"),
    Sample({"X": [draw(3, 2), draw(3, 4)]}, {"axis": 1}, lods={"X": [[[0, 1, 3]], [[0, 2, 3]]]}, note="the first LoD"),
    *each_dtype(Sample({"X": [draw(2, 3), draw(2, 4)]}, {"axis": 1})),
]
CONCAT_ERRORS = [
    Bad({"X": [X, draw(2, 2, 4)]}, {"axis": 0}, "ShapeError", "[2, 2, 4]"),
    Bad({"X": [X, draw(3, 4)]}, {"axis": 0}, "ShapeError", "Input(X)[1]"),
    Bad({"X": [X, X.astype("float64")]}, {"axis": 0}, "DtypeError", "float64"),
    Bad({"X": [X, X]}, {"axis": 3}, "ShapeError", "-3 to 2"),
    Bad({"X": []}, {}, "ArgumentTypeError", "empty list"),
]

SPLIT = [
    Sample({"X": X}, {"num": 2, "axis": 2}, counts={"Out": 2}),
    Sample({"X": X}, {"num": 3, "axis": 1}, counts={"Out": 3}),
    Sample({"X": X}, {"num": 1, "axis": 1}, counts={"Out": 1}),
    Sample({"X": X}, {"sections": [1, 2], "axis": 1}, counts={"Out": 2}),
    Sample({"X": X}, {"sections": [1, -1, 1], "axis": 2}, counts={"Out": 3}),
    Sample({"X": draw(6, 2)}, {"sections": [1, 2, 3]}, counts={"Out": 3}),
    Sample({"X": X, "AxisTensor": ints(2)}, {"num": 2}, counts={"Out": 2}, note="AxisTensor", dynamic=True),
    Sample({"X": X, "SectionsTensorList": several(1, 2)}, {"sections": [-1, -1], "axis": 1}, counts={"Out": 2},
           note="SectionsTensorList", dynamic=True),
    Sample({"X": draw(3, 4)}, {"num": 2, "axis": 1}, counts={"Out": 2}, lods={"X": LOD}),
    *each_dtype(Sample({"X": X}, {"num": 2, "axis": 2}, counts={"Out": 2})),
]  # fmt: skip
SPLIT_ERRORS = [
    Bad({"X": X}, {"num": 3, "axis": 2}, "ShapeError", "equal parts of 4"),
    Bad({"X": X}, {"num": 0, "axis": 2}, "ShapeError", "num"),
    Bad({"X": X}, {"sections": [1, 1], "axis": 1}, "ShapeError", "add up to 3"),
    Bad({"X": X}, {"sections": [4, -1], "axis": 1}, "ShapeError", "add up to 3"),
    Bad({"X": X}, {"sections": [-1, -1], "axis": 1}, "ShapeError", "one may be -1"),
    Bad({"X": X}, {"num": 2, "axis": 3}, "ShapeError", "-3 to 2"),
]

PAIR = [draw(2, 3), draw(2, 3, seed=1)]
STACK = [
    Sample({"X": PAIR}),
    Sample({"X": PAIR}, {"axis": 1}),
    Sample({"X": PAIR}, {"axis": 2}),
    Sample({"X": PAIR}, {"axis": -1}),
    Sample({"X": PAIR}, {"axis": -3}),
    Sample({"X": [X]}, {"axis": 1}),
    Sample({"X": [draw(2), draw(2, seed=1), draw(2, seed=2)]}),
    Sample({"X": [draw(3, 2), draw(3, 2, seed=1)]}, {"axis": 1}, lods={"X": LOD}),
    *each_dtype(Sample({"X": PAIR}, {"axis": 1})),
]
STACK_ERRORS = [
    Bad({"X": [X, draw(3, 2, 4)]}, {}, "ShapeError", "[3, 2, 4]"),
    Bad({"X": [X, X.astype("float64")]}, {}, "DtypeError", "float64"),
    Bad({"X": [X, X]}, {"axis": 4}, "ShapeError", "-4 to 3"),
    Bad({"X": [X, X]}, {"axis": -5}, "ShapeError", "-4 to 3"),
]

UNSTACK = [
    Sample({"X": X}, {"num": 2}, counts={"Y": 2}),
    Sample({"X": X}, {"axis": 1, "num": 3}, counts={"Y": 3}),
    Sample({"X": X}, {"axis": -1, "num": 4}, counts={"Y": 4}),
    Sample({"X": draw(3)}, {"num": 3}, counts={"Y": 3}, note="scalars"),
    Sample({"X": draw(3, 2)}, {"axis": 1, "num": 2}, counts={"Y": 2}, lods={"X": LOD}),
    *each_dtype(Sample({"X": X}, {"axis": 1, "num": 3}, counts={"Y": 3})),
]
UNSTACK_ERRORS = [
    Bad({"X": X}, {"axis": 1, "num": 2}, "ShapeError", "3, the size of axis 1"),
    Bad({"X": X}, {"axis": 3, "num": 2}, "ShapeError", "-3 to 2"),
    Bad({"X": X}, {}, "ArgumentTypeError", "num"),
]

ONES = draw(1, 3, 1, 4)
SQUEEZE = [
    Sample({"X": ONES}, {"axes": []}, dynamic=True),
    Sample({"X": ONES}, {"axes": [0]}),
    Sample({"X": ONES}, {"axes": [-2]}),
    Sample({"X": ONES}, {"axes": [0, 2]}),
    Sample({"X": ONES}, {"axes": [0, 0]}),
    Sample({"X": draw(1, 1)}, {"axes": [0, 1]}, note="nothing is left"),
    Sample({"X": draw(3, 1, 2)}, {"axes": [1]}, lods={"X": LOD}),
    Sample({"X": draw(1, 3, 2)}, {"axes": [0]}, lods={"X": [[0, 1]]}),
    *each_dtype(Sample({"X": ONES}, {"axes": [2]}), ("int32", "int64", "int8")),
]
SQUEEZE_ERRORS = [
    Bad({"X": ONES}, {"axes": [1]}, "ShapeError", "size 1, not 3"),
    Bad({"X": ONES}, {"axes": [4]}, "ShapeError", "-4 to 3"),
    Bad({"X": ONES}, {"axes": 0}, "ArgumentTypeError", "axes"),
]

UNSQUEEZE = [
    Sample({"X": X}, {"axes": [0]}),
    Sample({"X": X}, {"axes": [-1]}),
    Sample({"X": X}, {"axes": [3]}),
    Sample({"X": X}, {"axes": [0, 2]}),
    Sample({"X": X}, {"axes": [2, 0]}),
    Sample({"X": X}, {"axes": [-1, 0]}),
    Sample({"X": X}, {"axes": [0, -1, -2]}),
    Sample({"X": X}, {"axes": []}),
    Sample({"X": X, "AxesTensor": ints(0, 2)}, {"axes": [-1, -1]}, note="AxesTensor", dynamic=True,
           excluded="real Paddle prefers the attribute"),
    Sample({"X": X, "AxesTensorList": several(1, 3)}, note="AxesTensorList", dynamic=True),
    Sample({"X": draw(3, 2)}, {"axes": [1]}, lods={"X": LOD}),
    Sample({"X": draw(3, 2)}, {"axes": [0]}, lods={"X": LOD}),
    *each_dtype(Sample({"X": X}, {"axes": [1]}), ("int32", "int64", "int8")),
]  # fmt: skip
UNSQUEEZE_ERRORS = [
    Bad({"X": X}, {"axes": [4]}, "ShapeError", "-4 to 3"),
    Bad({"X": X}, {"axes": [-5]}, "ShapeError", "-5"),
]

FLATTEN = [
    Sample({"X": X}, {"axis": 0}),
    Sample({"X": X}),
    Sample({"X": X}, {"axis": 2}),
    Sample({"X": X}, {"axis": 3}),
    Sample({"X": draw(3, 2, 2)}, {"axis": 1}, lods={"X": LOD}),
    Sample({"X": draw(3, 2, 2)}, {"axis": 2}, lods={"X": LOD}),
    *each_dtype(Sample({"X": X}), ("int32", "int64", "int8")),
]
FLATTEN_ERRORS = [
    Bad({"X": X}, {"axis": 4}, "ShapeError", "0 to 3"),
    Bad({"X": X}, {"axis": -1}, "ShapeError", "0 to 3"),
]


def cutting(axes, starts, ends, **attrs):
    return {"axes": axes, "starts": starts, "ends": ends, **attrs}


SLICE = [
    Sample({"Input": X}, cutting([0, 2], [1, -3], [2, 10])),
    Sample({"Input": X}, cutting([1], [-100], [2])),
    Sample({"Input": X}, cutting([0, 1], [1, 0], [2, 2], decrease_axis=[0])),
    Sample({"Input": X}, cutting([0, 1, 2], [1, 1, 0], [2, 2, 1], decrease_axis=[0, 1, 2]), note="nothing is left"),
    Sample({"Input": draw(5)}, cutting([0], [-2], [5])),
    Sample({"Input": X, "StartsTensor": ints(0, 1), "EndsTensor": ints(2, 3)}, cutting([1, 2], [-1, -1], [-1, -1],
           infer_flags=[-1, -1]), note="StartsTensor, EndsTensor", dynamic=True),
    Sample({"Input": X, "StartsTensorList": several(0, 1), "EndsTensorList": several(2, 3)},
           cutting([1, 2], [-1, -1], [-1, -1], infer_flags=[-1, -1]), note="StartsTensorList, EndsTensorList", dynamic=True),
    Sample({"Input": draw(3, 4)}, cutting([1], [1], [3]), lods={"Input": LOD}),
    Sample({"Input": draw(3, 4)}, cutting([0], [0], [2]), lods={"Input": LOD}),
    Sample({"Input": draw(3, 4)}, cutting([1], [1], [2], decrease_axis=[1]), lods={"Input": LOD}),
    *each_dtype(Sample({"Input": X}, cutting([1], [0], [2]))),
]  # fmt: skip
SLICE_ERRORS = [
    Bad({"Input": X}, cutting([1], [2], [2]), "ShapeError", "2:2"),
    Bad({"Input": X}, cutting([1], [5], [7]), "ShapeError", "at least one of 3"),
    Bad({"Input": X}, cutting([1], [0, 1], [2]), "ShapeError", "starts"),
    Bad({"Input": X}, cutting([1], [0], [2, 1]), "ShapeError", "ends"),
    Bad({"Input": X}, cutting([3], [0], [2]), "ShapeError", "axes"),
    Bad({"Input": X}, cutting([0, 1], [0, 1], [2, 2], decrease_axis=[0, 1]), "ShapeError", "decrease_axis"),
]


def striding(axes, starts, ends, strides, flag=1):
    return cutting(axes, starts, ends, strides=strides, infer_flags=[flag] * len(axes))


BACKWARDS = "real Paddle takes the wrong rows where a negative stride does not divide the length"
STRIDED = [
    Sample({"Input": X}, striding([0, 2], [0, 0], [2, 4], [1, 2])),
    Sample({"Input": X}, striding([2], [-100], [100], [3])),
    Sample({"Input": X}, striding([2], [3], [0], [-1])),
    Sample({"Input": X}, striding([2], [-1], [-5], [-1]), note="all, backwards"),
    Sample({"Input": X}, striding([2], [3], [0], [-2])),
    Sample({"Input": draw(7)}, striding([0], [6], [-8], [-3])),
    Sample({"Input": draw(7)}, striding([0], [5], [-8], [-3]), excluded=BACKWARDS),
    Sample({"Input": X}, striding([0, 1], [1, 2], [2, 0], [1, -1])),
    Sample({"Input": X, "StartsTensor": ints(0, 1), "EndsTensor": ints(2, 4), "StridesTensor": ints(1, 2)},
           striding([1, 2], [-1, -1], [-1, -1], [1, 1], flag=-1), note="tensors", dynamic=True),
    Sample({"Input": X, "StartsTensorList": several(0, 1)}, striding([1, 2], [0, 10], [2, 4], [1, 2], flag=-1),
           note="a start that only the tensor has", dynamic=True),
    Sample({"Input": X, "StartsTensorList": several(0, 1), "EndsTensorList": several(2, 4),
            "StridesTensorList": several(1, 2)},
           striding([1, 2], [-1, -1], [-1, -1], [1, 1], flag=-1), note="lists of tensors", dynamic=True),
    Sample({"Input": draw(3, 4)}, striding([1], [0], [4], [2]), lods={"Input": LOD}),
    Sample({"Input": draw(3, 4)}, striding([0], [0], [3], [2]), lods={"Input": LOD}, excluded="the LoD stays as it was"),
    *each_dtype(Sample({"Input": X}, striding([1], [0], [3], [2]))),
]  # fmt: skip
STRIDED_ERRORS = [
    Bad({"Input": X}, cutting([2], [0], [4], strides=[0]), "ArgumentValueError", "step other than 0"),
    Bad({"Input": X}, cutting([2], [2], [2], strides=[1]), "ShapeError", "2:2:1"),
    Bad({"Input": X}, cutting([2], [0], [3], strides=[-1]), "ShapeError", "0:3:-1"),
    Bad({"Input": X}, cutting([1, 2], [0], [1], strides=[1]), "ShapeError", "starts"),
    Bad({"Input": X}, cutting([2], [0], [1], strides=[1, 1]), "ShapeError", "strides"),
]

SHAPE = [Sample({"Input": X}), Sample({"Input": draw(5)}), *each_dtype(Sample({"Input": draw(2, 1)}))]
SIZE = [
    Sample({"Input": X}),
    Sample({"Input": draw(3, 0)}),
    Sample({"Input": draw(3, 2)}, lods={"Input": LOD}),
    *each_dtype(Sample({"Input": draw(2, 1)}), ("int32", "bool")),
    Sample({"Input": draw(2, 1, high=9, dtype="int64")}, excluded="Paddle has no kernel of this dtype"),
]

ROWS = [
    Row("reshape2", RESHAPE, RESHAPE_ERRORS, double=True, view=True),
    Row("reshape", OLD_RESHAPE, RESHAPE_ERRORS, double=True, view=True),
    Row("transpose2", TRANSPOSE + WHOLE_TRANSPOSE, TRANSPOSE_ERRORS, double=True, view=True),
    Row("transpose", TRANSPOSE, TRANSPOSE_ERRORS, double=True, view=True),
    Row("concat", CONCAT, CONCAT_ERRORS, double=True),
    Row("split", SPLIT, SPLIT_ERRORS, double=True, view=True),
    Row("unstack", UNSTACK, UNSTACK_ERRORS, double=True, view=True),
    Row("stack", STACK, STACK_ERRORS, double=True),
    *rows(("squeeze2", "squeeze"), SQUEEZE, SQUEEZE_ERRORS, double=True, view=True),
    *rows(("unsqueeze2", "unsqueeze"), UNSQUEEZE, UNSQUEEZE_ERRORS, double=True, view=True),
    *rows(("flatten2", "flatten"), FLATTEN, FLATTEN_ERRORS, double=True, view=True),
    Row("slice", SLICE, SLICE_ERRORS, double=True, view=True),
    Row("strided_slice", STRIDED, STRIDED_ERRORS, view=True),
    Row("shape", SHAPE),
    Row("size", SIZE),
]
