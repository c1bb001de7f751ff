"""Runs a script as `__main__` with seeds set: `python driver.py [--cpu] SEED SCRIPT ARGS ...`, or `... -m MODULE ARGS ...`.

It runs under PaddlePaddle 1.8.5 (Python 3.7) and under paddle_lite alike, and changes nothing of the script. Every Program
that the script makes has the seed, unless that is 0. With `--cpu`, `CUDAPlace` means the CPU. A synthetic data set takes the place of the one that `paddle.dataset` would download
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


def use_the_cpu():
    """Let `CUDAPlace(i)` be a `CPUPlace()`."""
    import paddle.fluid as fluid

    class CUDAPlace:
        def __new__(cls, number=0):
            return fluid.CPUPlace()

    fluid.CUDAPlace = fluid.core.CUDAPlace = CUDAPlace


def use_data_as_it_is():
    """Let `paddle.dataset` take a file that is there without a check of its sum."""
    import paddle.dataset.common as common

    usual = common.download

    def download(url, module_name, md5sum, save_name=None):
        path = os.path.join(common.DATA_HOME, module_name, save_name or url.split("/")[-1])
        return path if os.path.exists(path) else usual(url, module_name, md5sum, save_name)

    for module in list(sys.modules.values()):  # data sets have imported it by name
        if getattr(module, "__name__", "").startswith("paddle.dataset") and getattr(module, "download", None) is usual:
            module.download = download


def main(arguments):
    """Run a script or a module, whose arguments follow it."""
    if arguments[0] == "--cpu":
        use_the_cpu()
        arguments = arguments[1:]
    seed, arguments = int(arguments[0]), arguments[1:]
    if seed:
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
    main(sys.argv[1:])
