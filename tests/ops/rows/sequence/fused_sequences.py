"""Operators on sequences that optimized models have in the place of several."""

from tests.ops.row import Bad, Row, Sample, draw

X, LOD = draw(5, 3), [[0, 2, 5]]
ONE = {"X": LOD}


def convolved(start=-1, bias=(4,), lods=ONE, **attrs):
    inputs = {"X": X, "Filter": draw(9, 4), "Bias": draw(*bias)}
    return Sample(inputs, dict(attrs, contextLength=3, contextStart=start), lods=lods, grads=())


CONVOLVED = convolved().inputs
TWO = [draw(5, 3, low=0.1), draw(4, 3, low=0.1, seed=1)]
LODS = {"X": [LOD, [[0, 1, 4]]]}
UNEVEN = {"X": [LOD, [[0, 1, 2, 4]]]}


def pools(*pooltypes, **more):
    return [Sample(dict({"X": TWO}, **more), {"pooltype": p}, lods=LODS, grads=(), dynamic=True) for p in pooltypes]


def bad_pools(**more):
    inputs = dict({"X": TWO}, **more)
    return [
        Bad(inputs, {"pooltype": "MAX"}, "ArgumentValueError", "pooltype", lods=LODS),
        Bad(inputs, {"axis": 0}, "ArgumentValueError", "axis", lods=LODS),
        Bad(inputs, {}, "LoDError", "X[1]", lods=UNEVEN),
        Bad(dict(inputs, X=[TWO[0], draw(4, 2)]), {}, "ShapeError", "X[1]", lods=LODS),
    ]


def expanded(bias=None, **attrs):
    inputs = {"X": [X, draw(2, 1), draw(2, 2)], "FCWeight": draw(6, 4)}
    if bias:
        inputs["FCBias"] = draw(*bias, seed=1)
    return Sample(inputs, attrs, lods={"X": [LOD, [[0, 1, 2]], [[0, 1, 2]]]}, grads=(), outputs=("Out",))


EXPANDED = expanded().inputs
EVEN = {"X": [LOD, [[0, 1, 2]], [[0, 1, 2]]]}

ROWS = [
    Row(
        "fusion_seqconv_eltadd_relu",
        [convolved(), convolved(0, (1, 4)), convolved(-2, (4,), {"X": [[0, 1, 5]]})],
        [
            Bad(CONVOLVED, {"contextLength": 2}, "ShapeError", "Input(Filter)", lods=ONE),
            Bad(CONVOLVED, {"contextLength": 3, "contextStride": 2}, "ArgumentValueError", "contextStride", lods=ONE),
            Bad(dict(CONVOLVED, Bias=draw(3)), {"contextLength": 3}, "ShapeError", "Input(Bias)", lods=ONE),
            Bad(CONVOLVED, {"contextLength": 0}, "ArgumentValueError", "contextLength", lods=ONE),
            Bad(CONVOLVED, {"contextLength": 3}, "LoDError", "no LoD"),
        ],
    ),
    Row("fusion_seqpool_concat", pools("SUM", "AVERAGE", "SQRT"), bad_pools()),
    Row(
        "fusion_seqpool_cvm_concat",
        pools("SUM", "AVERAGE", "SQRT", CVM=draw(2, 2)),
        [
            *bad_pools(CVM=draw(2, 2)),
            Bad({"X": TWO, "CVM": draw(2, 2)}, {"use_cvm": False}, "ArgumentValueError", "use_cvm", lods=LODS),
            Bad({"X": TWO, "CVM": draw(2, 3)}, {}, "ShapeError", "Input(CVM)", lods=LODS),
        ],
    ),
    Row(
        "fusion_seqexpand_concat_fc",
        [expanded(), expanded((1, 4), fc_activation="relu"), expanded((4,), fc_activation="tanh")],
        [
            Bad(dict(EXPANDED, X=[X]), {}, "ArgumentValueError", "Input(X)", lods={"X": [LOD]}),
            Bad(dict(EXPANDED, FCWeight=draw(5, 4)), {}, "ShapeError", "Input(FCWeight)", lods=EVEN),
            Bad(dict(EXPANDED, FCBias=draw(5)), {}, "ShapeError", "Input(FCBias)", lods=EVEN),
            Bad(EXPANDED, {"fc_activation": "elu"}, "ArgumentValueError", "fc_activation", lods=EVEN),
            Bad(dict(EXPANDED, X=[X, draw(3, 1), draw(2, 2)]), {}, "LoDError", "X[1]", lods=EVEN),
        ],
    ),
]
