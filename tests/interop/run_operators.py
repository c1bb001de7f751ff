"""Runs what `operators.py` wrote: by an interpreter that has paddlepaddle 1.8.5, each Program in a process of its own.

PYTHON tests/interop/run_operators.py FOLDER
"""

import json
import os
import sys

import numpy as np


def difference(fluid, folder):
    """What differs, in words; "" for nothing."""
    with open(os.path.join(folder, "program"), "rb") as file:
        program = fluid.Program.parse_from_string(file.read())
    with open(os.path.join(folder, "lods.json")) as file:
        lods = json.load(file)
    arrays = np.load(os.path.join(folder, "arrays.npz"))
    feed = {}
    for name, lod in lods.items():
        feed[name] = fluid.LoDTensor()
        feed[name].set(arrays["in/" + name], fluid.CPUPlace())
        if lod:
            feed[name].set_lod(lod)
    names = [name[4:] for name in arrays.files if name.startswith("out/")]
    found = fluid.Executor(fluid.CPUPlace()).run(program, feed=feed, fetch_list=names, return_numpy=False)
    for name, tensor in zip(names, found):
        array, wanted = np.array(tensor), arrays["out/" + name]
        if array.shape != wanted.shape:
            return f"{name} has shape {array.shape}, needs {wanted.shape}"
        if not np.allclose(array.astype("float64"), wanted.astype("float64"), rtol=1e-3, atol=1e-4, equal_nan=True):
            return f"{name} differs"
    return ""


def main(folder):
    import paddle.fluid as fluid

    wrong = 0
    for name in sorted(os.listdir(folder)):
        child = os.fork()  # an operator that does not fit may end the process
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            try:
                text = difference(fluid, os.path.join(folder, name))
            except BaseException as error:
                text = str(error).split("Error Message Summary")[-1].strip(":-\n ")[:300]
            if text:
                sys.stderr.write(f"{name}: {text}\n")
            os._exit(1 if text else 0)
        status = os.waitpid(child, 0)[1]
        if os.WIFSIGNALED(status):
            sys.stderr.write(f"{name}: ended by signal {os.WTERMSIG(status)}\n")
        wrong += status != 0
    print(f"{wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
