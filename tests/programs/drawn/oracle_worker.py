"""Run Programs in real PaddlePaddle 1.8.5: PYTHON_WITH_PADDLE_1_8_5 oracle_worker.py FOLDER.

Runs on Python 3.7 and imports nothing of paddle_lite. Of each FOLDER/N.program it runs FOLDER/N.pickle, which holds the feeds
and the names to fetch, and writes FOLDER/N.results: for each feed the arrays with their LoDs, or what Paddle said.
"""

import os
import pickle
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(HERE))))

from tests.ops.record import complaint, in_children  # noqa: E402


def ran(fluid, path):
    """The results of one Program for each feed."""
    with open(path + ".program", "rb") as file:
        program = fluid.Program.parse_from_string(file.read())
    with open(path + ".pickle", "rb") as file:
        job = pickle.load(file)
    return [one(fluid, program, feed, job["fetches"]) for feed in job["feeds"]]


def one(fluid, program, feed, fetches):
    given = {}
    for name, (data, dtype, shape, lod) in feed.items():
        tensor = fluid.LoDTensor()
        tensor.set(np.frombuffer(data, dtype).reshape(shape), fluid.CPUPlace())
        if lod:
            tensor.set_lod(lod)
        given[name] = tensor
    executor = fluid.Executor(fluid.CPUPlace())
    try:
        with fluid.scope_guard(fluid.Scope()):
            made = executor.run(program, feed=given, fetch_list=fetches, return_numpy=False)
            return {name: (np.array(value), value.lod()) for name, value in zip(fetches, made)}
    except Exception as error:
        return complaint(error)


def main(folder):
    import paddle.fluid as fluid

    names = sorted((n[:-8] for n in os.listdir(folder) if n.endswith(".program")), key=int)
    found = in_children([lambda name=name: ran(fluid, os.path.join(folder, name)) for name in names])
    for name, results in zip(names, found):
        with open(os.path.join(folder, name + ".results"), "wb") as file:
            pickle.dump(results, file, 2)


if __name__ == "__main__":
    main(sys.argv[1])
