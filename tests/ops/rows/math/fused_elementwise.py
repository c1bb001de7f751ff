"""An elementwise operator and a function as one operator."""

from tests.ops.row import Bad, Row, Sample, away, draw

COMBINATIONS = [
    ["elementwise_add", "relu"], ["elementwise_add", "scale"], ["elementwise_mul", "scale"], ["elementwise_mul", "sigmoid"],
    ["elementwise_mul", "tanh"], ["relu", "elementwise_add"], ["scale", "elementwise_add"], ["tanh", "elementwise_add"],
]  # fmt: skip
X, Y = away(draw(2, 3), 0.0, margin=0.3), away(draw(2, 3, seed=1), 0.0, margin=0.1)
INPUTS = {"X": X, "Y": Y}


def fused(names, x=X, y=Y, **more):
    attrs = {"functor_list": names, "scale": 0.5, "save_intermediate_out": True}
    return Sample({"X": x, "Y": y}, dict(attrs, **more.pop("attrs", {})), **more)


ADDED = ["scale", "elementwise_add"]
WIDE = draw(2, 3, 4)

ROWS = [
    Row(
        "fused_elemwise_activation",
        [
            *[fused(names) for names in COMBINATIONS],
            fused(ADDED, WIDE, draw(3), attrs={"axis": 1}, lods={"X": [[0, 1, 2]]}),
            fused(["elementwise_mul", "tanh"], WIDE, draw(4)),
            fused(["elementwise_mul", "sigmoid"], WIDE, draw(2, 3, seed=2), attrs={"axis": 0}),
            fused(
                ["tanh", "elementwise_add"],
                WIDE,
                draw(2, 3, 4, seed=3),
                attrs={"save_intermediate_out": False},
                outputs=("Out",),
            ),
        ],
        [
            Bad(INPUTS, {"functor_list": ["elementwise_add", "tanh"]}, "ArgumentValueError", "functor_list"),
            Bad(INPUTS, {"functor_list": ["elementwise_add,relu"]}, "ArgumentValueError", "functor_list"),
            Bad({"X": X, "Y": draw(4)}, {"functor_list": ADDED}, "ShapeError", "Input(Y)"),
            Bad({"X": X, "Y": Y.astype("float64")}, {"functor_list": ADDED}, "DtypeError", "Input(Y)"),
        ],
    )
]
