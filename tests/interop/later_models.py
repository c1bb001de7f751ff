"""Small models of PaddlePaddle 2.6.2 with what later versions brought, and what they compute.

    PYTHON tests/interop/later_models.py       # PYTHON: an interpreter that has paddlepaddle 2.6.2; from the repository

Writes tests/interop/data/later_models.npz: of each model the two files, its inputs and its results, with their LoD.
"""

import os
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
FILE = os.path.join(HERE, "data", "later_models.npz")


class Lines:
    """In place of `traceback`: Paddle writes into each operator which lines made it, with this machine's paths."""

    @staticmethod
    def extract_stack():
        return []

    @staticmethod
    def format_stack():
        return ["net.py, line 1"] * 2


def boxes(*shape, size=1.0):
    drawn = np.random.RandomState(3).rand(*shape, 4)
    return (np.concatenate([drawn[..., :2], drawn[..., :2] + 0.1 + 0.3 * drawn[..., 2:]], -1) * size).astype("float32")


def numbers(*shape, seed=1, low=-1.0):
    return np.random.RandomState(seed).uniform(low, 1, shape).astype("float32")


def suppressed(paddle, boxes, scores, counts=None, **changed):
    """multiclass_nms3 as PaddleDetection calls it."""
    helper = paddle.base.layer_helper.LayerHelper("multiclass_nms3")
    made = {slot: helper.create_variable_for_type_inference(kind) for slot, kind in (
        ("Out", "float32"), ("Index", "int32"), ("NmsRoisNum", "int32"))}  # fmt: skip
    attrs = {"background_label": -1, "score_threshold": 0.05, "nms_top_k": 10, "nms_threshold": 0.4, "keep_top_k": 6}
    inputs = {"BBoxes": boxes, "Scores": scores}
    if counts is not None:
        inputs["RoisNum"] = counts
    helper.append_op(type="multiclass_nms3", inputs=inputs, outputs=made, attrs=dict(attrs, **changed))
    return [made["Out"], made["NmsRoisNum"], made["Index"]]


def two_stages(paddle, scores, deltas, image, maps):
    """Proposals, their levels, and each level's regions pooled in three ways."""
    ops, grid = paddle.vision.ops, np.stack(np.meshgrid(np.arange(4) * 8.0, np.arange(4) * 8.0), -1)[:, :, None]
    half = np.array([[4, 8], [8, 4], [6, 6]])
    anchors = paddle.to_tensor(np.concatenate([grid - half, grid + half], -1).astype("float32"))
    spread = paddle.full_like(anchors, 0.2)
    rois, found, counts = ops.generate_proposals(
        scores, deltas, image, anchors, spread, 30, 8, 0.7, 2.0, 1.0, pixel_offset=False, return_rois_num=True
    )
    levels, index, by_level = ops.distribute_fpn_proposals(rois, 2, 4, 3, 12, pixel_offset=False, rois_num=counts)
    pooled = [
        ops.roi_align(maps, levels[0], by_level[0], 2, 0.125),
        ops.roi_pool(maps, levels[1], by_level[1], 2, 0.125),
        ops.psroi_pool(maps, levels[2], by_level[2], 2, 0.125),
    ]
    return [rois, found, counts, index, *by_level, *pooled]


def without_dimensions(paddle, x):
    """Sums over all as conditions of a branch and of a loop, which takes and gives numbers without dimensions."""
    nn = paddle.static.nn
    y = nn.cond(paddle.max(x) > 100, lambda: x * 2, lambda: x - paddle.mean(x))
    start = paddle.sum(y) + 1.0
    count, total = nn.while_loop(
        lambda i, t: paddle.logical_and(t < 50, i < 7),
        lambda i, t: [i + 1, t + 10],
        [paddle.full([], 0, "int64"), start],
    )
    first = paddle.stack([x[0, 0], paddle.max(x), total])
    return [y, count, total, first, paddle.argmax(x), paddle.numel(x), x.norm(), x[1, 2] * x]


def truths(paddle, x, y, n):
    """Logic of numbers, and of operands that are broadcast; a loop whose condition has one dimension, and none."""
    logic = [getattr(paddle, f"logical_{word}")(x > 0, y > 0) for word in ("and", "or", "xor")]
    numbers = [
        paddle.logical_and(n, n.reshape([-1])),
        paddle.logical_or(n, n - 1),
        paddle.logical_not(x),
        paddle.logical_not(n),
    ]
    count, done = paddle.static.nn.while_loop(
        lambda i, d: paddle.logical_and(i < 6, paddle.logical_not(d)),
        lambda i, d: [i + 1, paddle.all(x + i > 3)],
        [paddle.zeros([1], "int64"), paddle.full([], False, "bool")],
    )
    return [*logic, *numbers, count, done]


MODELS = {
    "nms": (lambda paddle, b, s: suppressed(paddle, b, s), boxes(2, 12), numbers(2, 3, 12, low=0)),
    "nms_none": (lambda paddle, b, s: suppressed(paddle, b, s, score_threshold=2.0), boxes(2, 12), numbers(2, 3, 12, low=0)),
    "nms_counts": (suppressed, boxes(6, 3), numbers(6, 3, low=0), np.array([4, 2], "int32")),
    "matrix_nms": (
        lambda paddle, b, s: list(paddle.vision.ops.matrix_nms(b, s, 0.1, 0.05, 10, 5, return_index=True)),
        boxes(2, 12), numbers(2, 3, 12, low=0),
    ),
    "two_stages": (
        two_stages, numbers(2, 3, 4, 4, low=0), numbers(2, 12, 4, 4) * np.float32(0.3),
        np.array([[32, 32], [30, 28]], "float32"), numbers(2, 8, 4, 4),
    ),
    "without_dimensions": (without_dimensions, numbers(3, 4)),
    "truths": (truths, numbers(3, 4), numbers(1, 4, seed=2), np.array([[0], [1], [2]], "int64")),
}  # fmt: skip


def main():
    import paddle

    paddle.enable_static()
    paddle.base.framework.traceback = Lines
    kept = {}
    for name, (make, *inputs) in MODELS.items():
        program, exe = paddle.static.Program(), paddle.static.Executor(paddle.CPUPlace())
        with paddle.static.program_guard(program, paddle.static.Program()), paddle.utils.unique_name.guard():
            given = [paddle.static.data(f"x{i}", [None, *a.shape[1:]], str(a.dtype)) for i, a in enumerate(inputs)]
            results = make(paddle, *given)
            prefix = os.path.join(tempfile.mkdtemp(), "m")
            paddle.static.save_inference_model(prefix, given, results, exe, program=program)
        feed = {f"x{i}": a for i, a in enumerate(inputs)}
        model, _, targets = paddle.static.load_inference_model(prefix, exe)
        found = exe.run(model, feed=feed, fetch_list=targets, return_numpy=False)
        for end in ("pdmodel", "pdiparams"):
            path = f"{prefix}.{end}"
            kept[f"{name}/{end}"] = np.fromfile(path, "uint8") if os.path.exists(path) else np.zeros(0, "uint8")
        kept.update({f"{name}/in{i}": a for i, a in enumerate(inputs)})
        for i, each in enumerate(found):
            kept[f"{name}/out{i}"] = np.array(each)
            kept[f"{name}/lod{i}"] = np.array(each.lod(), "int64")
    np.savez_compressed(FILE, **kept)


if __name__ == "__main__":
    sys.exit(main())
