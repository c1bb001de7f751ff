"""Runs a script as `__main__` with seeds set: `python driver.py [--cpu] [--shake=SIZE] SEED SCRIPT ARGS ...`, or `... -m MODULE ARGS ...`.

It runs under PaddlePaddle 1.8.5 (Python 3.7) and under paddle_lite alike, and changes nothing of the script. Every Program
that the script makes has the seed, unless that is 0. With `--cpu`, `CUDAPlace` means the CPU; with `--shake`,
parameters begin a little off. A synthetic data set takes the place of the one that `paddle.dataset` would download
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


def shake(size):
    """Let parameters begin with values that are off by up to `size` of theirs, as other roundings would put them."""
    import numpy
    import paddle.fluid as fluid

    rng = numpy.random.RandomState(7)
    run, create = fluid.Executor.run, fluid.dygraph.Layer.create_parameter

    def moved(array):
        return (array * (1 + size * rng.uniform(-1, 1, array.shape))).astype(array.dtype)

    def run_and_move(self, program=None, *arguments, **keywords):
        result = run(self, program, *arguments, **keywords)
        ops = program.global_block().ops if isinstance(program, fluid.Program) else []
        if not any(op.input_arg_names for op in ops):  # it only makes values: a startup Program
            for name in [name for op in ops for name in op.output_arg_names]:
                tensor = (keywords.get("scope") or fluid.global_scope()).find_var(name).get_tensor()
                if numpy.array(tensor).dtype.kind == "f":
                    tensor.set(moved(numpy.array(tensor)), fluid.CPUPlace())
        return result

    def create_and_move(self, *arguments, **keywords):
        parameter = create(self, *arguments, **keywords)
        if parameter is not None:  # a layer without a bias
            parameter.set_value(moved(parameter.numpy()))
        return parameter

    fluid.Executor.run, fluid.dygraph.Layer.create_parameter = run_and_move, create_and_move


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
    if arguments[0].startswith("--shake="):
        shake(float(arguments[0].split("=")[1]))
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
