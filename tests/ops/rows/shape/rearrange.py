"""Operators that put the elements of an array in another order, or repeat them."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

X, CUBE = draw(2, 3), draw(2, 3, 4)
LOD = [[0, 1, 2]]


def whole(*shape, dtype):
    return draw(*shape, low=0, high=9, dtype=dtype)


def kinds(*names):
    """Arrays of the dtypes that are not floating."""
    return [draw(2, 3, dtype=n) if n == "bool" else whole(2, 3, dtype=n) for n in names]


REVERSE = [
    *[Sample({"X": X}, {"axis": a}) for a in ([0], [1], [0, 1], [-1], [0, 0])],
    Sample({"X": CUBE}, {"axis": [2, 0]}),
    Sample({"X": draw(5)}, {"axis": [0]}),
    Sample({"X": X}, {"axis": [1]}, lods={"X": LOD}),
    *[Sample({"X": x}, {"axis": [1]}) for x in kinds("int32", "int64", "uint8", "bool")],
]
REVERSE_ERRORS = [
    Bad({"X": X}, {"axis": [2]}, "ShapeError", "-2 to 1"),
    Bad({"X": X}, {"axis": []}, "ArgumentValueError", "at least one"),
    Bad({"X": X}, {}, "ArgumentTypeError", "axis"),
]
FLIP = [
    *[Sample({"X": X}, {"dims": a}) for a in ([0], [1], [0, 1], [-1])],
    Sample({"X": CUBE}, {"dims": [2, 0]}),
    Sample({"X": X}, {"dims": [0]}, lods={"X": LOD}),
    *[Sample({"X": x}, {"dims": [1]}) for x in kinds("int32", "int64", "bool")],
]
FLIP_ERRORS = [
    Bad({"X": X}, {"dims": [-3]}, "ShapeError", "-2 to 1"),
    Bad({"X": X}, {"dims": [0, 0]}, "ArgumentValueError", "once"),
    Bad({"X": X}, {"dims": [1, -1]}, "ArgumentValueError", "once"),
    Bad({"X": X}, {"dims": []}, "ArgumentValueError", "at least one"),
]
ROLL = [
    Sample({"X": X}, {"shifts": [1], "dims": [1]}),
    Sample({"X": X}, {"shifts": [1, -1], "dims": [0, 1]}),
    Sample({"X": X}, {"shifts": [4], "dims": [-1]}),
    Sample({"X": CUBE}, {"shifts": [-6, 2], "dims": [2, 1]}),
    Sample({"X": X}, {"shifts": [1], "dims": [0]}, lods={"X": LOD}),
    *[Sample({"X": x}, {"shifts": [1], "dims": [1]}) for x in kinds("int32", "int64")],
]
ROLL_ERRORS = [
    Bad({"X": X}, {"shifts": [1], "dims": [2]}, "ShapeError", "-2 to 1"),
    Bad({"X": X}, {"shifts": [1, 2], "dims": [0]}, "ArgumentValueError", "one for each"),
    Bad({"X": X}, {"shifts": [1]}, "ArgumentValueError", "at least one"),
]

EXPAND = [
    Sample({"X": draw(1, 2)}, {"expand_times": [2, 2]}),
    Sample({"X": draw(2, 1, 3)}, {"expand_times": [1, 4, 1]}),
    Sample({"X": draw(3)}, {"expand_times": [2]}),
    Sample({"X": draw(2, 2)}, {"expand_times": [1, 1]}),
    Sample(
        {"X": draw(1, 2), "ExpandTimes": np.array([2, 3], "int32")},
        {"expand_times": [-1, -1]},
        note="ExpandTimes",
        dynamic=True,
    ),
    Sample(
        {"X": draw(1, 2), "expand_times_tensor": [np.array([n], "int32") for n in (3, 1)]},
        {"expand_times": [-1, -1]},
        note="a list of tensors",
        dynamic=True,
    ),
    Sample({"X": draw(3, 2)}, {"expand_times": [1, 2]}, lods={"X": [[0, 1, 3]]}),
    Sample({"X": draw(3, 2)}, {"expand_times": [2, 1]}, lods={"X": [[0, 1, 3]]}),
    *[Sample({"X": x}, {"expand_times": [2, 1]}) for x in kinds("int32", "int64", "bool")],
]
EXPAND_ERRORS = [
    Bad({"X": draw(1, 2)}, {"expand_times": [2]}, "ShapeError", "2 numbers"),
    Bad({"X": draw(1, 2)}, {"expand_times": [2, 0]}, "ShapeError", "at least 1"),
]

EXPAND_AS = [
    Sample({"X": X, "target_tensor": draw(4, 3)}, grads=("X",)),
    Sample({"X": X, "target_tensor": draw(2, 6)}, grads=("X",)),
    Sample({"X": X, "target_tensor": draw(6, 9)}, grads=("X",)),
    Sample({"X": X, "target_tensor": draw(2, 3)}, grads=("X",)),
    Sample({"X": draw(1), "target_tensor": draw(3)}, grads=("X",)),
    Sample({"X": draw(2, 1, 3), "target_tensor": draw(2, 2, 3)}, grads=("X",)),
    Sample({"X": X, "target_tensor": draw(2, 6)}, grads=("X",), lods={"X": LOD}),
    *[Sample({"X": x, "target_tensor": np.repeat(x, 2, 0)}) for x in kinds("int32", "int64", "bool")],
]
EXPAND_AS_ERRORS = [
    Bad({"X": X, "target_tensor": draw(3, 3)}, {}, "ShapeError", "multiples"),
    Bad({"X": X, "target_tensor": draw(2, 2, 3)}, {}, "ShapeError", "multiples"),
    Bad({"X": X, "target_tensor": draw(4, 3, dtype="float64")}, {}, "DtypeError", "float64"),
]


def grid(*arrays):
    return Sample({"X": list(arrays)}, counts={"Out": len(arrays)})


MESHGRID = [
    grid(draw(2), draw(3)),
    grid(draw(2), draw(3), draw(1)),
    grid(draw(2), draw(3), draw(2, seed=1), draw(1)),
    *[grid(whole(2, dtype=t), whole(3, dtype=t)) for t in ("int32", "int64")],
]
MESHGRID_ERRORS = [
    Bad({"X": [draw(2)]}, {}, "ArgumentValueError", "two"),
    Bad({"X": [draw(2), draw(2, 1)]}, {}, "ShapeError", "[n]"),
    Bad({"X": [draw(2), draw(2, dtype="float64")]}, {}, "DtypeError", "float64"),
]


def slices(x, count, attrs=None, lods=None, note=""):
    return Sample({"X": x}, attrs, counts={"Out": count}, lods=lods, dynamic=True, note=note)


UNBIND = [
    slices(X, 2),
    slices(X, 3, {"axis": 1}),
    slices(CUBE, 4, {"axis": -1}),
    slices(draw(3), 3, note="scalars come out"),
    slices(draw(3, 2), 2, {"axis": 1}, lods={"X": [[0, 1, 3]]}),
    *[slices(x, 2) for x in kinds("int32", "int64")],
]
UNBIND_ERRORS = [Bad({"X": X}, {"axis": 2}, "ShapeError", "-2 to 1")]

DIAG = [
    *[Sample({"Diagonal": d}) for d in (draw(3), draw(1), whole(3, dtype="int32"), whole(2, dtype="int64"))],
    Sample({"Diagonal": draw(2)}, lods={"Diagonal": LOD}),
]
DIAG_ERRORS = [Bad({"Diagonal": X}, {}, "ShapeError", "[n]")]

EMBED = [
    *[Sample({"Input": X}, {"offset": o}) for o in (0, 1, -2)],
    *[Sample({"Input": X}, {"dim1": a, "dim2": b, "offset": 1}) for a, b in ((0, 2), (2, 0), (1, 0), (-3, -1))],
    Sample({"Input": draw(3)}),
    Sample({"Input": CUBE}, {"dim1": 1, "dim2": 3, "offset": -1}),
    Sample({"Input": X}, lods={"Input": LOD}),
    *[Sample({"Input": x}) for x in kinds("int32", "int64")],
]
EMBED_ERRORS = [
    Bad({"Input": X}, {"dim1": 0, "dim2": -3}, "ArgumentValueError", "differ"),
    Bad({"Input": X}, {"dim1": 3}, "ShapeError", "-3 to 2"),
    Bad({"Input": X}, {"dim2": -4}, "ShapeError", "dim2"),
]

ROWS = [
    Row("reverse", REVERSE, REVERSE_ERRORS, view=True, double=True),
    Row("flip", FLIP, FLIP_ERRORS, view=True, double=True),
    Row("roll", ROLL, ROLL_ERRORS, double=True),
    Row("expand", EXPAND, EXPAND_ERRORS, double=True),
    Row("expand_as", EXPAND_AS, EXPAND_AS_ERRORS),
    Row("meshgrid", MESHGRID, MESHGRID_ERRORS),
    Row("unbind", UNBIND, UNBIND_ERRORS, view=True, double=True),
    Row("diag", DIAG, DIAG_ERRORS),
    Row("diag_embed", EMBED, EMBED_ERRORS),
]
