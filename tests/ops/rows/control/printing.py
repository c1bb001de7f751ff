"""Printing."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

ATTRS = {
    "first_n": -1, "message": "here", "summarize": 3, "print_tensor_name": True, "print_tensor_type": True,
    "print_tensor_shape": True, "print_tensor_lod": True,
}  # fmt: skip

ROWS = [
    Row(
        "print",
        [
            Sample({"In": draw(2, 3)}, ATTRS),
            Sample({"In": draw(2, 3, dtype="float64")}, {**ATTRS, "summarize": -1}),
            Sample({"In": draw(4, 1)}, {**ATTRS, "print_phase": "FORWARD"}, lods={"In": [[0, 1, 4]]}),
            Sample({"In": draw(2)}, {**ATTRS, "print_phase": "BACKWARD"}),
            Sample({"In": np.int64([[1, -2]])}, ATTRS),
            Sample({"In": np.int32([[1, -2]])}, ATTRS),
            Sample({"In": np.array([True, False])}, ATTRS),
        ],
        [Bad({"In": draw(2)}, {**ATTRS, "print_phase": "both"}, "ArgumentValueError", "print_phase")],
        view=True,
        double=True,
    ),
]
