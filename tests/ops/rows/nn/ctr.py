"""Operators of models of clicks."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

TWO = {"X": [[0, 1, 3]]}
SHOWS = draw(3, 5, low=0, high=3)


def counted(use=True, x=SHOWS, rows=3, lods=None, dtype="float32"):
    inputs = {"X": x.astype(dtype), "CVM": draw(rows, 2, low=1, high=4, dtype=dtype)}
    return Sample(inputs, {"use_cvm": use}, lods=lods)


IDS = np.array([[1, 2], [3, 4], [1, 2], [0, -7]])


def hashed(x=IDS, dtype="int64", num_hash=2, mod_by=1000, **more):
    return Sample({"X": x.astype(dtype)}, {"num_hash": num_hash, "mod_by": mod_by}, **more)


LARGE = 2**62 + 5
WIDE = draw(3, 9, low=-(10**6), high=10**6, dtype="int64")
TAGS = np.array([[1], [2], [3], [1], [4], [2]])
OWN = {"Ins_tag": [[0, 1, 2, 4, 5, 6]]}
SEQUENCES = {"Ins": [[0, 1, 3, 5]], "Ins_tag": [[0, 1, 2, 6]]}


def chosen(*tags, is_lod=False, lods=OWN, dtype="float32", value=0, **more):
    ins = draw(5, 3, low=-9, high=9, dtype=dtype)
    inputs = {"Ins": ins, "Ins_tag": TAGS, "Filter_tag": np.array(tags, "int64")}
    return Sample(inputs, {"is_lod": is_lod, "out_val_if_empty": value}, lods=lods, dynamic=True, **more)


ONE = chosen(1).inputs

ROWS = [
    Row(
        "cvm",
        [
            counted(),
            counted(False),
            counted(dtype="float64"),
            counted(lods=TWO, rows=2),
            counted(False, lods=TWO, rows=2),
            counted(lods=TWO, rows=3),
        ],
        [
            Bad({"X": SHOWS, "CVM": draw(2, 2)}, {}, "ShapeError", "Input(CVM)"),
            Bad({"X": SHOWS, "CVM": draw(3, 3)}, {}, "ShapeError", "Input(CVM)"),
            Bad({"X": SHOWS[None], "CVM": draw(3, 2)}, {}, "ShapeError", "Input(X)"),
            Bad({"X": SHOWS[:, :2], "CVM": draw(3, 2)}, {"use_cvm": False}, "ShapeError", "Input(X)"),
            Bad({"X": SHOWS, "CVM": draw(3, 2, dtype="float64")}, {}, "DtypeError", "Input(CVM)"),
        ],
        no_derivative="shows and clicks get a row of CVM for their gradient",
    ),
    Row(
        "hash",
        [
            hashed(),
            hashed(num_hash=1, mod_by=LARGE, lods={"X": [[0, 1, 4]]}),
            hashed(IDS[:, :1], num_hash=3, mod_by=LARGE),
            hashed(WIDE[:, :4], mod_by=LARGE),
            hashed(WIDE[:, :7], mod_by=LARGE),
            hashed(WIDE, mod_by=LARGE),
            hashed(dtype="int32", mod_by=LARGE),
            hashed(WIDE[:, :1], "int32"),
            hashed(WIDE, "int32"),
            hashed(WIDE[:, :8], "int32", mod_by=LARGE),
        ],
        [
            Bad({"X": IDS[0]}, {}, "ShapeError", "2 dimensions"),
            Bad({"X": draw(2, 3)}, {}, "DtypeError", "float32"),
            Bad({"X": IDS}, {"num_hash": 0}, "ArgumentValueError", "num_hash"),
            Bad({"X": IDS}, {"num_hash": 2**63}, "ArgumentValueError", "num_hash"),
            Bad({"X": IDS}, {"mod_by": 0}, "ArgumentValueError", "mod_by"),
        ],
    ),
    Row(
        "filter_by_instag",
        [
            chosen(1, 3),
            chosen(2),
            chosen(9, value=7),
            chosen(1, dtype="float64"),
            chosen(1, dtype="int64"),
            chosen(9, dtype="int32", value=3),
            chosen(1, 3, is_lod=True, lods=SEQUENCES),
            chosen(2, is_lod=True, lods=SEQUENCES),
            chosen(9, is_lod=True, lods=SEQUENCES),
        ],
        [
            Bad(ONE, {"is_lod": False}, "LoDError", "Input(Ins_tag)"),
            Bad(ONE, {"is_lod": True}, "LoDError", "Input(Ins)"),
            Bad(dict(ONE, Ins=draw(5)), {"is_lod": False}, "ShapeError", "Input(Ins)"),
            Bad(dict(ONE, Filter_tag=TAGS), {"is_lod": False}, "ShapeError", "Input(Filter_tag)"),
            Bad(dict(ONE, Ins_tag=TAGS.astype("int32")), {"is_lod": False}, "DtypeError", "Input(Ins_tag)"),
        ],
    ),
]
