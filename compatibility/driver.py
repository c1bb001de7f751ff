"""Runs a script as `__main__` with seeds set: `python driver.py SEED SCRIPT ARGS ...`, or `... SEED -m MODULE ARGS ...`.

It runs under PaddlePaddle 1.8.5 (Python 3.7) and under paddle_lite alike, and changes nothing of the script. Every Program
that the script makes has the seed. A synthetic data set takes the place of the one that `paddle.dataset` would download
and check, if it lies where that would be kept.
"""

import os
import random
import runpy
import sys


def seed_all(seed):
    """Set the seeds of `random`, NumPy, and of every Program from now on."""
    import numpy
    import paddle.fluid as fluid

    random.seed(seed)
    numpy.random.seed(seed % 2**32)
    made = fluid.Program.__init__

    def make(self, *arguments, **keywords):
        made(self, *arguments, **keywords)
        self.random_seed = seed

    fluid.Program.__init__ = make
    for program in (fluid.default_main_program(), fluid.default_startup_program()):
        program.random_seed = seed


def use_data_as_it_is():
    """Let `paddle.dataset` take a file that is there without a check of its sum."""
    import paddle.dataset.common as common

    usual = common.download

    def download(url, module_name, md5sum, save_name=None):
        path = os.path.join(common.DATA_HOME, module_name, save_name or url.split("/")[-1])
        return path if os.path.exists(path) else usual(url, module_name, md5sum, save_name)

    common.download = download


def main(seed, arguments):
    """Run a script or a module, whose arguments follow it."""
    seed_all(seed)
    use_data_as_it_is()
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        sys.path[0] = os.getcwd()
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
        runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
