"""Record what the cases of cases/ compute under real PaddlePaddle 1.8.5 into recorded.npz.

    PYTHON_WITH_PADDLE_1_8_5 tests/hapi/record.py [name of a file ...]        (from the root of the repository)

The wheel of 1.8.5 has only two modules of `paddle.incubate.hapi`; the whole package of 2.0-alpha, which runs on 1.8.5, has
to lie in their place. Without names all files of cases/ are recorded; with names the others keep their numbers. A file of
cases has `CASES`, a dict of functions: each takes the modules `fluid` and `hapi` and returns {what: array}. It runs on
Python 3.7, too.
"""

import importlib
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
FILE = os.path.join(HERE, "recorded.npz")


def names():
    """The files of cases."""
    return sorted(name[:-3] for name in os.listdir(os.path.join(HERE, "cases")) if name.endswith(".py"))


def main():
    sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))
    import paddle.fluid as fluid
    import paddle.incubate.hapi as hapi

    chosen = sys.argv[1:] or names()
    store = {}
    if os.path.exists(FILE):
        with np.load(FILE) as known:
            store = {key: known[key] for key in known.files if key.split("/")[0] in set(names()).difference(chosen)}
    for name in chosen:
        cases = importlib.import_module("tests.hapi.cases." + name).CASES
        for case, run in cases.items():
            with fluid.unique_name.guard():
                found = run(fluid, hapi)
            store.update({"/".join((name, case, what)): np.asarray(value) for what, value in found.items()})
    np.savez_compressed(FILE, **store)
    print("%d arrays, %d KiB" % (len(store), os.path.getsize(FILE) // 1024))


if __name__ == "__main__":
    main()
