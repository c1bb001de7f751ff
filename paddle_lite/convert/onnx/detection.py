"""Detection: boxes decoded from codes, suppression of boxes that overlap, pooling of regions."""

from __future__ import annotations

import numpy as np

from .call import INT64, OnnxCall, converts
from .control import result, typed
from .graph import Graph
from .sequences import one_level, rows_of, upto


@converts("multiclass_nms", "multiclass_nms2")
def multiclass_nms(call: OnnxCall) -> None:
    """Convert to NonMaxSuppression, between the choice of its candidates and that of the best of each image."""
    call.need(call.rank("Scores") == 3, "its boxes are rows with a LoD")
    call.need(call.shape("BBoxes")[2] == 4, "its boxes are polygons")
    call.need(call.dtype("Scores") == np.float32, "NonMaxSuppression of ONNX takes float32 only")
    limit = float(call.attr("nms_threshold"))
    call.need(float(call.attr("nms_eta")) >= 1 or limit <= 0.5, "its threshold falls from box to box")
    boxes, scores = call.x("BBoxes"), call.x("Scores")
    edges = boxes
    if not call.attr("normalized"):  # the last pixel belongs to a box
        edges = call.node("Add", boxes, call.constant([0, 0, 1, 1], np.float32))
    lowest = float(call.attr("score_threshold"))
    found = call.node(
        "NonMaxSuppression", edges, candidates(call, scores), call.scalar(call.dims(boxes, 1, 2)),
        call.constant(limit, np.float32), call.constant(lowest, np.float32),
    )  # fmt: skip
    background = call.node("Equal", column(call, found, 1), call.constant(int(call.attr("background_label")), INT64))
    found = call.node("Compress", found, call.node("Not", background), axis=0)
    found = best_of_images(call, found, scores)
    image, label, place = (column(call, found, at) for at in range(3))
    of_box = call.node("GatherND", boxes, across(call, image, place))
    score = call.node("Unsqueeze", call.node("GatherND", scores, found), call.ints(1))
    kind = call.cast(call.node("Unsqueeze", label, call.ints(1)), np.float32)
    rows = call.node("Concat", kind, score, of_box, axis=1)
    if call.op.type == "multiclass_nms":
        call.out_sequences(or_minus_one(call, rows), None)
        return
    lengths = call.node("ReduceSum", one_hot(call, image, scores), call.ints(0), keepdims=0)
    call.out_sequences(rows, lengths)
    index = call.node("Add", call.node("Mul", image, call.scalar(call.dims(boxes, 1, 2))), place)
    call.out_sequences(call.cast(call.node("Unsqueeze", index, call.ints(1)), np.int32), lengths, "Index")


def column(call: OnnxCall, rows: str, at: int) -> str:
    """Return a column of a matrix."""
    return call.node("Gather", rows, call.constant(at, INT64), axis=1)


def across(call: OnnxCall, *columns: str) -> str:
    """Return a matrix of columns."""
    return call.node("Concat", *[call.node("Unsqueeze", each, call.ints(1)) for each in columns], axis=1)


def candidates(call: OnnxCall, scores: str) -> str:
    """Return the scores with -inf in the place of those that are not among the `nms_top_k` best of their class."""
    count, top = call.shape("Scores")[2], int(call.attr("nms_top_k"))
    if top < 0 or 0 < count <= top:
        return scores
    most = call.node("Min", call.ints(top), call.dims(scores, 2, 3))
    best, places = call.nodes("TopK", 2, scores, most, axis=2)
    nothing = call.node("Expand", call.constant(-np.inf, np.float32), call.dims(scores))
    return call.node("ScatterElements", nothing, places, best, axis=2)


def one_hot(call: OnnxCall, image: str, scores: str) -> str:
    """Return a matrix of rows and images: 1 where a row is of an image."""
    images = call.node("Unsqueeze", upto(call, call.dims(scores, 0, 1)), call.ints(0))
    return call.cast(call.node("Equal", call.node("Unsqueeze", image, call.ints(1)), images), INT64)


def best_of_images(call: OnnxCall, found: str, scores: str) -> str:
    """Return the rows (image, class, box) of the `keep_top_k` best of each image, in their order."""
    top = int(call.attr("keep_top_k"))
    if top < 0:
        return found
    of_row = call.node("GatherND", scores, found)
    order = call.nodes("TopK", 2, of_row, call.dims(of_row))[1]  # the best first; of equal ones the first
    mine = one_hot(call, call.node("Gather", column(call, found, 0), order), scores)
    passed = call.node("CumSum", mine, call.constant(0, INT64))
    rank = call.node("ReduceSum", call.node("Mul", passed, mine), call.ints(1), keepdims=0)
    kept = call.node("Compress", order, call.node("LessOrEqual", rank, call.constant(top, INT64)), axis=0)
    return call.node("Gather", found, call.nodes("TopK", 2, kept, call.dims(kept), largest=0)[0], axis=0)


def or_minus_one(call: OnnxCall, rows: str) -> str:
    """Return rows, or [[-1]] where there are none."""
    none = call.node("Equal", call.scalar(call.dims(rows, 0, 1)), call.constant(0, INT64))
    branches = []
    for value in (call.constant([[-1]], np.float32), rows):
        graph = Graph(call.graph)
        end = result(graph, value, call.made()[0])
        branches.append(graph.proto(call.graph.names.fresh("chosen"), [], [typed(call, call.made()[0], end)]))
    return call.node("If", none, then_branch=branches[0], else_branch=branches[1])


@converts("counts_of_lod")
def counts_of_lod(call: OnnxCall) -> None:
    """Convert the lengths of sequences to numbers."""
    lengths = one_level(call)
    call.out_sequences(call.node("Identity", call.x()), None)
    call.out(call.cast(lengths, np.int32), "Counts")


@converts("roi_align")
def roi_align(call: OnnxCall) -> None:
    """Convert the pooling of regions, whose sequences are images."""
    call.need(not call.has("RoisLod"), "its regions are assigned to images by RoisLod")
    regions = call.x("ROIs")
    image = rows_of(call, one_level(call, "ROIs")).ids(call, regions)
    pooled = call.node(
        "RoiAlign", call.x(), regions, image, coordinate_transformation_mode="output_half_pixel",
        output_height=int(call.attr("pooled_height")), output_width=int(call.attr("pooled_width")),
        sampling_ratio=max(int(call.attr("sampling_ratio")), 0), spatial_scale=float(call.attr("spatial_scale")),
    )  # fmt: skip
    call.out_sequences(pooled, None)


# --- boxes and their codes ----------------------------------------------------------------------------------------------------


@converts("box_coder")
def box_coder(call: OnnxCall) -> None:
    """Convert boxes to codes relative to prior boxes, or such codes to boxes."""
    dtype = call.dtype("TargetBox")
    prior, target = call.x("PriorBox"), call.x("TargetBox")
    variance = call.attr("variance") or (1.0,) * 4
    scale = call.x("PriorBoxVar") if call.has("PriorBoxVar") else call.constant([variance], dtype)
    half = call.constant(0.5, dtype)
    if call.attr("code_type") == "encode_center_size":
        low, high = corners(call, call.node("Unsqueeze", target, call.ints(1)), 3)
        middle = call.node("Mul", call.node("Add", low, high), half)  # without the last pixel, which the prior's has
        size = extent(call, low, high)
        of_prior, size_of_prior = centred(call, prior, 2)
        shift = call.node("Div", call.node("Sub", middle, of_prior), size_of_prior)
        growth = call.node("Log", call.node("Abs", call.node("Div", size, size_of_prior)))
        call.out(call.node("Div", call.node("Concat", shift, growth, axis=2), scale), "OutputBox")
        return
    if int(call.attr("axis")) == 1:
        prior = call.node("Unsqueeze", prior, call.ints(1))
        scale = call.node("Unsqueeze", scale, call.ints(1)) if call.has("PriorBoxVar") else scale
    of_prior, size_of_prior = centred(call, prior, 2 + int(call.attr("axis")))
    shift, growth = call.nodes("Split", 2, call.node("Mul", target, scale), call.ints(2, 2), axis=2)
    middle = call.node("Add", call.node("Mul", shift, size_of_prior), of_prior)
    reach = call.node("Mul", call.node("Mul", call.node("Exp", growth), size_of_prior), half)
    high = call.node("Add", middle, reach)
    if not call.attr("box_normalized"):
        high = call.node("Sub", high, call.constant(1, dtype))
    call.out(call.node("Concat", call.node("Sub", middle, reach), high, axis=2), "OutputBox")


def corners(call: OnnxCall, boxes: str, rank: int) -> tuple[str, str]:
    """Return the lower and the upper corners of boxes."""
    low, high = call.nodes("Split", 2, boxes, call.ints(2, 2), axis=rank - 1)
    return low, high


def extent(call: OnnxCall, low: str, high: str) -> str:
    """Return widths and heights; the last pixel belongs to a box that is not normalized."""
    size = call.node("Sub", high, low)
    return size if call.attr("box_normalized") else call.node("Add", size, call.constant(1, call.dtype("TargetBox")))


def centred(call: OnnxCall, boxes: str, rank: int) -> tuple[str, str]:
    """Return the centres of prior boxes, and their widths and heights."""
    low, high = corners(call, boxes, rank)
    size = extent(call, low, high)
    return call.node("Add", low, call.node("Mul", size, call.constant(0.5, call.dtype("TargetBox")))), size
