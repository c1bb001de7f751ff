"""Operators that lay boxes over feature maps, and that measure, code and clip boxes."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

MAP, IMAGE = np.zeros((2, 3, 2, 3), "float32"), np.zeros((2, 3, 20, 36), "float32")
VARIANCES = [0.1, 0.1, 0.2, 0.25]


def boxes(count, size=1.0, seed=0, dtype="float32"):
    """Boxes whose sides are at least an eighth of `size`."""
    corner = draw(count, 2, low=0, high=0.5 * size, seed=seed, dtype=dtype)
    extent = draw(count, 2, low=size / 8, high=size / 2, seed=seed + 1, dtype=dtype)
    return np.concatenate([corner, corner + extent], 1)


def maps(dtype="float32"):
    return {"Input": MAP.astype(dtype), "Image": IMAGE.astype(dtype)}


def prior(**attrs):
    return dict({"min_sizes": [4.0], "aspect_ratios": [1.0], "variances": VARIANCES}, **attrs)


PRIOR_BOX = [
    Sample(maps(), prior()),
    Sample(maps(), prior(min_sizes=[4.0, 9.0], max_sizes=[9.0, 30.0], aspect_ratios=[2.0, 1.0, 3.0])),
    Sample(maps(), prior(max_sizes=[9.0], aspect_ratios=[2.0, 0.5], clip=False, min_max_aspect_ratios_order=True)),
    Sample(maps(), prior(aspect_ratios=[2.0, 3.0], flip=False, clip=False)),
    Sample(maps(), prior(step_w=10.0, step_h=7.5, offset=0.25, clip=False)),
    Sample(maps(), prior(step_w=10.0)),
    Sample(maps("float64"), prior(aspect_ratios=[2.0])),
]
PRIOR_BOX_ERRORS = [
    Bad({"Input": MAP[0], "Image": IMAGE}, prior(), "ShapeError", "Input(Input)"),
    Bad({"Input": MAP, "Image": IMAGE[0]}, prior(), "ShapeError", "Input(Image)"),
    Bad(maps("int64"), prior(), "DtypeError", "float32"),
    Bad(maps(), prior(min_sizes=[]), "ArgumentValueError", "min_sizes"),
    Bad(maps(), prior(max_sizes=[3.0]), "ArgumentValueError", "larger"),
    Bad(maps(), prior(max_sizes=[5.0, 6.0]), "ArgumentValueError", "max_sizes"),
    Bad(maps(), prior(variances=[0.1]), "ArgumentValueError", "4 positive numbers"),
]


def dense(**attrs):
    given = {"variances": VARIANCES, "fixed_sizes": [6.0, 12.0], "fixed_ratios": [1.0, 2.0], "densities": [2, 1]}
    return dict(given, **attrs)


DENSITY = [
    Sample(maps(), dense()),
    Sample(maps(), dense(clip=False, offset=0.3)),
    Sample(maps(), dense(flatten_to_2d=True, densities=[3, 2])),
    Sample(maps(), dense(step_w=9.5, step_h=8.0, clip=False)),
    Sample(maps(), dense(fixed_sizes=[5.0], densities=[4], fixed_ratios=[0.5])),
]
DENSITY_ERRORS = [
    Bad(maps(), dense(densities=[2]), "ArgumentValueError", "densities"),
    Bad(maps(), dense(fixed_ratios=[]), "ArgumentValueError", "fixed_ratios"),
    Bad({"Input": MAP, "Image": IMAGE[0]}, dense(), "ShapeError", "Input(Image)"),
    Bad({"Input": MAP, "Image": IMAGE[:, :, :1]}, dense(), "ShapeError", "no smaller"),
]


def anchors(**attrs):
    return dict({"anchor_sizes": [32.0, 64.0], "aspect_ratios": [0.5, 1.0, 2.0], "variances": VARIANCES}, **attrs)


ANCHOR = [
    Sample({"Input": MAP}, anchors()),
    Sample({"Input": MAP}, anchors(stride=[8.0, 12.0], offset=0.0)),
    Sample({"Input": MAP}, anchors(stride=[7.0, 7.0], aspect_ratios=[1.3], offset=0.7)),
]
ANCHOR_ERRORS = [
    Bad({"Input": MAP}, anchors(stride=[8.0]), "ArgumentValueError", "2 positive numbers"),
    Bad({"Input": MAP}, anchors(anchor_sizes=[-1.0]), "ArgumentValueError", "anchor_sizes"),
    Bad({"Input": MAP[0]}, anchors(), "ShapeError", "[N, C, H, W]"),
]

DECODE = {"code_type": "decode_center_size"}
PRIORS, SPREAD = boxes(3), draw(3, 4, low=0.1, high=0.3)
CODES = draw(2, 3, 4)


def coder(target, spread=None, priors=PRIORS):
    return {"PriorBox": priors, "PriorBoxVar": spread, "TargetBox": target}


CODER = [
    Sample(coder(boxes(2, seed=5), SPREAD)),
    Sample(coder(boxes(2, seed=5)), lods={"TargetBox": [[0, 1, 2]]}),
    Sample(coder(boxes(2, 20.0, seed=5), priors=boxes(3, 20.0)), {"variance": VARIANCES, "box_normalized": False}),
    Sample(coder(CODES, SPREAD), DECODE),
    Sample(coder(CODES, SPREAD, boxes(3, 20.0)), dict(DECODE, box_normalized=False)),
    Sample(coder(CODES, priors=boxes(2)), dict(DECODE, axis=1, variance=VARIANCES)),
    Sample(coder(CODES, SPREAD[:2], boxes(2)), dict(DECODE, axis=1)),
    Sample(coder(CODES), DECODE),
]
CODER_ERRORS = [
    Bad(coder(boxes(2)), {"code_type": "encode"}, "ArgumentValueError", "decode_center_size"),
    Bad(coder(CODES), dict(DECODE, axis=2), "ArgumentValueError", "0 or 1"),
    Bad(coder(CODES), dict(DECODE, axis=1), "ShapeError", "Input(TargetBox)"),
    Bad(coder(CODES), {}, "ShapeError", "Input(TargetBox)"),
    Bad(coder(boxes(2), SPREAD[:2]), {}, "ShapeError", "Input(PriorBoxVar)"),
    Bad(coder(boxes(2)), {"variance": [0.1]}, "ArgumentValueError", "variance"),
    Bad(coder(boxes(2, dtype="float64")), {}, "DtypeError", "float32"),
]

BEST = np.array([[0.3, 0.4, 0.6], [5, 0.9, 0.1], [-7, -7, -7]], "float32")


EACH_CLASS = draw(3, 12)


def decoder(target=EACH_CLASS, spread=None, scores=BEST):
    return {"PriorBox": boxes(3, 20.0), "PriorBoxVar": spread, "TargetBox": target, "BoxScore": scores}


SPREADS = np.array(VARIANCES, "float32")
DECODE_AND_ASSIGN = [
    Sample(decoder(spread=SPREADS)),
    Sample(decoder(spread=SPREADS), {"box_clip": 0.05}, lods={"PriorBox": [[0, 1, 3]], "TargetBox": [[0, 2, 3]]}),
    Sample(decoder(), excluded="real Paddle needs PriorBoxVar"),
    Sample(decoder(draw(3, 4), SPREADS, BEST[:, :1]), note="only the background"),
]
DECODE_AND_ASSIGN_ERRORS = [
    Bad(decoder(draw(3, 8)), {}, "ShapeError", "Input(TargetBox)"),
    Bad(decoder(spread=SPREAD), {}, "ShapeError", "Input(PriorBoxVar)"),
    Bad(decoder(scores=BEST[:2]), {}, "ShapeError", "Input(BoxScore)"),
    Bad(decoder(scores=BEST.astype("float64")), {}, "DtypeError", "Input(BoxScore)"),
]

ROWS_OF = {"Input": [[0, 2, 3, 5]]}
INFO = np.array([[10, 12, 1], [5, 5, 1], [21, 15, 2]], "float32")
CLIP = [
    Sample({"Input": draw(5, 4, low=-5, high=15), "ImInfo": INFO}, lods=ROWS_OF),
    Sample({"Input": draw(5, 2, 4, low=-5, high=15), "ImInfo": INFO}, lods=ROWS_OF),
    Sample({"Input": draw(2, 4, low=-5, high=15), "ImInfo": INFO[:1]}, lods={"Input": [[0, 2]]}),
    Sample(
        {"Input": draw(5, 4, low=-5, high=15), "ImInfo": INFO},
        lods={"Input": [[0, 2, 2, 5]]},
        excluded="real Paddle fails at an image without boxes",
    ),
]
CLIP_ERRORS = [
    Bad({"Input": draw(5, 4), "ImInfo": INFO}, {}, "LoDError", "no LoD"),
    Bad({"Input": draw(5, 3), "ImInfo": INFO}, {}, "ShapeError", "Input(Input)"),
    Bad({"Input": draw(5, 4), "ImInfo": INFO[:, :2]}, {}, "ShapeError", "Input(ImInfo)"),
]

IOU = [
    Sample({"X": boxes(3), "Y": boxes(4, seed=8)}),
    Sample({"X": boxes(3, 20.0), "Y": boxes(4, 20.0, seed=8)}, {"box_normalized": False}),
    Sample({"X": boxes(3), "Y": boxes(3) + np.float32(0.3)}, lods={"X": [[0, 1, 3]]}),
    Sample({"X": boxes(1), "Y": boxes(1) + np.float32(9)}, note="apart"),
    Sample({"X": boxes(2, dtype="float64"), "Y": boxes(2, seed=3, dtype="float64")}, {"box_normalized": False}),
]
IOU_ERRORS = [
    Bad({"X": boxes(3), "Y": draw(4, 3)}, {}, "ShapeError", "Input(Y)"),
    Bad({"X": draw(4), "Y": boxes(3)}, {}, "ShapeError", "Input(X)"),
    Bad({"X": boxes(3), "Y": boxes(3, dtype="float64")}, {}, "DtypeError", "Input(Y)"),
]

POLYGON = [Sample({"Input": draw(2, 4, 2, 3)}), Sample({"Input": draw(1, 8, 3, 1, dtype="float64")})]
POLYGON_ERRORS = [
    Bad({"Input": draw(1, 3, 2, 2)}, {}, "ShapeError", "even"),
    Bad({"Input": draw(3, 2, 2)}, {}, "ShapeError", "[N, C, H, W]"),
]

ROWS = [
    Row("prior_box", PRIOR_BOX, PRIOR_BOX_ERRORS),
    Row("density_prior_box", DENSITY, DENSITY_ERRORS),
    Row("anchor_generator", ANCHOR, ANCHOR_ERRORS),
    Row("box_coder", CODER, CODER_ERRORS),
    Row("box_decoder_and_assign", DECODE_AND_ASSIGN, DECODE_AND_ASSIGN_ERRORS),
    Row("box_clip", CLIP, CLIP_ERRORS),
    Row("iou_similarity", IOU, IOU_ERRORS),
    Row("polygon_box_transform", POLYGON, POLYGON_ERRORS),
]
