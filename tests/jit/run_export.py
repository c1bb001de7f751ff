"""Runs a saved model on the inputs beside it, with PaddlePaddle 1.8.5: python run_export.py FOLDER."""

import os
import sys

import numpy as np


def main(folder):
    import paddle.fluid as fluid  # not installed where this file is looked through for examples

    given = np.load(os.path.join(folder, "inputs.npz"))
    executor = fluid.Executor(fluid.CPUPlace())
    program, feeds, fetches = fluid.io.load_inference_model(folder, executor)
    found = {}
    for i in sorted({int(key.split()[0]) for key in given.files}):
        feed = {name: given[f"{i} in {j}"] for j, name in enumerate(feeds)}
        for j, value in enumerate(executor.run(program, feed=feed, fetch_list=fetches)):
            found[f"{i} out {j}"] = value
    np.savez(os.path.join(folder, "outputs.npz"), **found)


if __name__ == "__main__":
    main(sys.argv[1])
