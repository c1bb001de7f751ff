"""Train Programs in real PaddlePaddle 1.8.5: PYTHON_WITH_PADDLE_1_8_5 oracle_training_worker.py FOLDER.

Runs on Python 3.7 and imports nothing of paddle_lite. Of each FOLDER/N.pickle, which holds the Programs, the first parameters,
the batches and the name of the loss, it writes FOLDER/N.results: after each step the loss and the parameters, or what Paddle said.
"""

import os
import pickle
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(HERE))))

from tests.ops.record import in_children  # noqa: E402
from tests.programs.drawn.oracle_worker import tensor  # noqa: E402


def trained(fluid, path):
    """The loss and the parameters after each step, by name#step."""
    with open(path + ".pickle", "rb") as file:
        job = pickle.load(file)
    startup, main = (fluid.Program.parse_from_string(job[name]) for name in ("startup", "main"))
    executor, scope, found = fluid.Executor(fluid.CPUPlace()), fluid.Scope(), {}
    with fluid.scope_guard(scope):
        executor.run(startup)
        for name, (data, dtype, shape, _) in job["state"].items():
            scope.find_var(name).get_tensor().set(np.frombuffer(data, dtype).reshape(shape), fluid.CPUPlace())
        for step, feed in enumerate(job["feeds"]):
            given = {name: tensor(fluid, *value) for name, value in feed.items()}
            [loss] = executor.run(main, feed=given, fetch_list=[job["loss"]])
            found[f"loss#{step}"] = np.array(loss)
            for name in job["state"]:
                found[f"{name}#{step}"] = np.array(scope.find_var(name).get_tensor())
    return found


def main(folder):
    import paddle.fluid as fluid

    names = sorted((n[:-7] for n in os.listdir(folder) if n.endswith(".pickle")), key=int)
    found = in_children([lambda name=name: trained(fluid, os.path.join(folder, name)) for name in names])
    for name, result in zip(names, found):
        with open(os.path.join(folder, name + ".results"), "wb") as file:
            pickle.dump(result, file, 2)


if __name__ == "__main__":
    main(sys.argv[1])
