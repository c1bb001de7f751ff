"""Integers of 8 bits read as floats."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

WHOLE = np.array([[-128, -1, 0], [1, 5, 127]], "int8")
LOD = {"X": [[0, 1, 2]]}
SCALE = np.array([1.5], "float32")
DICT = draw(128, low=0.1, high=2)
BYTES = np.random.RandomState(0).randint(0, 256, (5, 8)).astype("uint8")
TABLE = np.ascontiguousarray(
    np.concatenate([draw(5, 1, low=-2, high=0), draw(5, 1, low=0.5, high=2), BYTES.view("float32")], 1)
)
IDS = np.array([[1], [4], [1]])

ROWS = [
    Row(
        "dequantize_abs_max",
        [
            Sample({"X": WHOLE, "Scale": SCALE}, {"max_range": 127.0}),
            Sample({"X": WHOLE, "Scale": SCALE}, {"max_range": 7.0}, lods=LOD),
            Sample({"X": WHOLE, "Scale": SCALE.reshape(())}, {"max_range": 7.0}),
        ],
        [
            Bad({"X": WHOLE.astype("int32"), "Scale": SCALE}, {"max_range": 127.0}, "DtypeError", "Input(X)"),
            Bad({"X": WHOLE, "Scale": draw(2)}, {"max_range": 127.0}, "ShapeError", "Input(Scale)"),
            Bad({"X": WHOLE, "Scale": SCALE}, {}, "ArgumentTypeError", "max_range"),
        ],
    ),
    Row(
        "dequantize_log",
        [Sample({"X": WHOLE, "Dict": DICT}), Sample({"X": WHOLE, "Dict": DICT}, lods=LOD)],
        [
            Bad({"X": WHOLE, "Dict": DICT[:100]}, {}, "ShapeError", "Input(Dict)"),
            Bad({"X": WHOLE.astype("uint8"), "Dict": DICT}, {}, "DtypeError", "Input(X)"),
        ],
    ),
    Row(
        "lookup_table_dequant",
        [
            Sample({"W": TABLE, "Ids": IDS}),
            Sample({"W": TABLE, "Ids": IDS}, {"padding_idx": 4}, lods={"Ids": [[0, 1, 3]]}),
        ],
        [
            Bad({"W": TABLE, "Ids": IDS + 1}, {}, "IndexRangeError", "Input(Ids)"),
            Bad({"W": TABLE, "Ids": IDS.astype("int32")}, {}, "DtypeError", "Input(Ids)"),
            Bad({"W": TABLE[:, :2], "Ids": IDS}, {}, "ShapeError", "Input(W)"),
            Bad({"W": TABLE, "Ids": np.array([1, 2])}, {}, "ShapeError", "Ids"),
        ],
        packed=True,
    ),
]
