"""Record what ssd_loss and detection_output of real PaddlePaddle 1.8.5 give into ssd.npz.

    PYTHON_WITH_PADDLE_1_8_5 tests/layers/record_ssd.py        (from the root of the repository)

Runs on Python 3.7 and imports nothing of paddle_lite.
"""

import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))

from tests.layers.ssd_cases import DETECTIONS, LODS, LOSSES, inputs  # noqa: E402


def run(fluid, build):
    """What `build(layers, variables)` gives: arrays by name; gradients of `location` and `confidence` if it is a loss."""
    program, fed = fluid.Program(), {}
    with fluid.program_guard(program, fluid.Program()):
        variables = {}
        for name, array in inputs().items():
            level = len(LODS.get(name, ()))
            variables[name] = fluid.data(name, (None,) + array.shape[1:], array.dtype.name, lod_level=level)
            variables[name].stop_gradient = name not in ("location", "confidence")
            lengths = [np.diff(offsets).tolist() for offsets in LODS.get(name, ())]
            fed[name] = fluid.create_lod_tensor(array, lengths, fluid.CPUPlace()) if lengths else array
        wanted = build(fluid.layers, variables)
        if "loss" in wanted:
            wanted["location"], wanted["confidence"] = fluid.gradients(
                wanted["loss"], [variables["location"], variables["confidence"]]
            )
        exe = fluid.Executor(fluid.CPUPlace())
        values = exe.run(program, feed=fed, fetch_list=list(wanted.values()), return_numpy=False)
    found = {}
    for name, tensor in zip(wanted, values):
        found[name] = np.array(tensor)
        for level, offsets in enumerate(tensor.lod()):
            found["%s.lod.%d" % (name, level)] = np.array(offsets)
    return found


def main():
    import paddle.fluid as fluid

    store = {}
    for kind, cases in (("loss", LOSSES), ("detections", DETECTIONS)):
        for i, build in enumerate(cases):
            store.update({"%s/%d/%s" % (kind, i, k): v for k, v in run(fluid, build).items()})
    np.savez_compressed(os.path.join(HERE, "ssd.npz"), **store)


if __name__ == "__main__":
    main()
