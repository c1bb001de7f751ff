"""Records models of PaddlePaddle 2 with attributes that came after 1.8.5, and what they give.

    PYTHON tests/interop/record_attributes.py [CASE ...]       # PYTHON: an interpreter that has paddlepaddle 2.6.2

Writes tests/interop/data/attributes.npz: for each case the bytes of a Program, what is fed, and the result. The cases
`roi_align` are of 3.3.1, with FLAGS_enable_pir_api=0; where cases are named, the others stay as they are.
"""

import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
BOXES = np.array(
    [[0, 0, 3, 2], [1.3, 2.2, 6.7, 5.1], [2, 2, 2.4, 2.3], [-3, -2, 4, 3], [5, 1, 12, 9], [4, 3, 3, 2]], "float32"
)
COUNTS = np.array([2, 4], "int32")
PLACES = np.random.RandomState(4).uniform(-2.5, 2.5, (1, 3, 6, 2)).astype("float32")
CASES = {
    "gather_axis": ("gather", {"X": (2, 3, 4), "Index": [2, 0]}, "Out", {"axis": 1}),
    "arg_max_flatten": ("arg_max", {"X": (2, 3)}, "Out", {"axis": 0, "flatten": True, "dtype": 3}),
    "arg_min_flatten": ("arg_min", {"X": (2, 3)}, "Out", {"axis": 0, "flatten": True, "dtype": 3}),
    "cumsum_flatten": ("cumsum", {"X": (2, 3)}, "Out", {"flatten": True}),
    "flip": ("flip", {"X": (2, 3)}, "Out", {"axis": [0]}),
    "flip_both": ("flip", {"X": (2, 3)}, "Out", {"axis": [1, 0]}),
    "roll": ("roll", {"X": (2, 3)}, "Out", {"axis": [1], "shifts": [1]}),
    "roi_align_aligned": (
        "roi_align", {"X": (2, 3, 6, 8), "ROIs": BOXES, "RoisNum": COUNTS}, "Out",
        {"pooled_height": 2, "pooled_width": 3, "spatial_scale": 1.0, "sampling_ratio": 2, "aligned": True},
    ),
    "roi_align_aligned_by_size": (
        "roi_align", {"X": (2, 3, 6, 8), "ROIs": BOXES[:5], "RoisNum": COUNTS - np.array([0, 1], "int32")}, "Out",
        {"pooled_height": 2, "pooled_width": 2, "spatial_scale": 0.5, "sampling_ratio": -1, "aligned": True},
    ),
    "roi_align_counts": (
        "roi_align", {"X": (2, 3, 6, 8), "ROIs": BOXES, "RoisNum": COUNTS}, "Out",
        {"pooled_height": 2, "pooled_width": 3, "spatial_scale": 1.0, "sampling_ratio": 2, "aligned": False},
    ),
    "output_padding": (
        "conv2d_transpose", {"Input": (1, 2, 3, 4), "Filter": (2, 3, 3, 3)}, "Output",
        {"strides": [2, 2], "paddings": [1, 1], "output_padding": [1, 0], "dilations": [1, 1], "groups": 1},
    ),
    "output_padding_beyond": (
        "conv2d_transpose", {"Input": (1, 2, 3, 4), "Filter": (2, 3, 2, 2)}, "Output",
        {"strides": [3, 2], "paddings": [0, 0], "output_padding": [2, 1], "dilations": [1, 1], "groups": 1},
    ),
    "output_padding_3d": (
        "conv3d_transpose", {"Input": (1, 1, 2, 2, 3), "Filter": (1, 2, 3, 3, 3)}, "Output",
        {"strides": [2, 2, 2], "paddings": [1, 1, 0], "output_padding": [1, 1, 1], "dilations": [1, 1, 1], "groups": 1},
    ),
    "softplus_beta": ("softplus", {"X": (2, 3)}, "Out", {"beta": 3.0, "threshold": 20.0}),
    "softplus_threshold": ("softplus", {"X": 60 * np.ones((1, 2), "float32")}, "Out", {"beta": 0.5, "threshold": 25.0}),
    "affine_grid_edges": (
        "affine_grid", {"Theta": (2, 2, 3)}, "Output", {"output_shape": [2, 3, 4, 5], "align_corners": False},
    ),
    **{
        "grid_sampler_{}_{}_{}".format(mode, padding, corners): (
            "grid_sampler", {"X": (1, 2, 4, 5), "Grid": PLACES}, "Output",
            {"mode": mode, "padding_mode": padding, "align_corners": corners},
        )
        for mode in ("bilinear", "nearest") for padding in ("zeros", "border", "reflection") for corners in (True, False)
    },
}  # fmt: skip


def main():
    import paddle

    paddle.enable_static()
    path = os.path.join(HERE, "data", "attributes.npz")
    rng, held, wanted = np.random.RandomState(2), {}, sys.argv[1:] or list(CASES)
    if sys.argv[1:]:
        with np.load(path) as file:
            held.update({name: file[name] for name in file.files})
    for name, (type, inputs, slot, attrs) in CASES.items():
        if name not in wanted:
            continue
        program = paddle.static.Program()
        with paddle.static.program_guard(program):
            block, feed = program.global_block(), {}
            for key, given in inputs.items():
                feed[key] = rng.rand(*given).astype("float32") if isinstance(given, tuple) else np.array(given)
                paddle.static.data(key, list(feed[key].shape), str(feed[key].dtype))
            out = block.create_var(name="result", dtype="int64" if type.startswith("arg") else "float32")
            block.append_op(type=type, inputs={key: [key] for key in inputs}, outputs={slot: [out]}, attrs=attrs)
            block.ops[-1]._set_attr("op_callstack", ["none"])
            exe = paddle.static.Executor(paddle.CPUPlace())
            held[name + "/result"] = exe.run(program, feed=feed, fetch_list=[out])[0]
        held[name + "/program"] = np.frombuffer(program.desc.serialize_to_string(), "uint8")
        held.update({name + "/" + key: array for key, array in feed.items()})
    np.savez_compressed(path, **held)


if __name__ == "__main__":
    main()
