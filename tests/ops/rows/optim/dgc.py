"""Updates of deep gradient compression."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

BEGIN = {"rampup_begin_step": 3.0, "mu": 0.9}
CLIP = {"rampup_begin_step": 3.0, "max_norm": 0.5}


def one(value):
    return np.array([value], "float32")


def update(step=0, ranks=2):
    return {
        "current_step": one(step), "nranks": one(ranks), "Param": draw(2, 3, seed=1), "Grad": draw(2, 3, seed=2),
        "Velocity": draw(2, 3, seed=3), "LearningRate": one(0.1),
    }  # fmt: skip


def at(step, **attrs):
    return Sample(update(step), dict(BEGIN, **attrs), grads=())


def clipped(step, x=None, excluded="", **attrs):
    x = draw(2, 3) if x is None else x
    return Sample({"current_step": one(step), "X": x}, dict(CLIP, **attrs), excluded=excluded)


X = clipped(4).inputs
UNTOUCHED = "Paddle writes nothing into Out"

ROWS = [
    Row(
        "dgc_momentum",
        [at(0), at(0, use_nesterov=True), at(3), at(5, use_nesterov=True), at(5, rampup_begin_step=-1.0)],
        [
            Bad(update(ranks=1), BEGIN, "ArgumentValueError", "Input(nranks)"),
            Bad(dict(update(), Velocity=draw(3)), BEGIN, "ShapeError", "Input(Velocity)"),
            Bad(dict(update(), current_step=draw(2)), BEGIN, "ShapeError", "Input(current_step)"),
        ],
    ),
    Row(
        "dgc_clip_by_norm",
        [
            clipped(2, excluded=UNTOUCHED),
            clipped(4),
            clipped(4, draw(4, low=-0.1, high=0.1)),
            clipped(4, rampup_begin_step=-1.0, excluded=UNTOUCHED),
        ],
        [
            Bad(X, dict(CLIP, max_norm=0.0), "ArgumentValueError", "max_norm"),
            Bad(dict(X, X=np.arange(3)), CLIP, "DtypeError", "Input(X)"),
            Bad(dict(X, current_step=np.array([4])), CLIP, "DtypeError", "Input(current_step)"),
        ],
    ),
]
