"""Start of a process: the import of the framework, and the time until the end of the first training step (kernels on disk)."""

import os
import subprocess
import sys

from benchmarks.side import Work, bar, on, shown

MODULES = {"paddle_lite": "paddle_lite", "torch": "torch", "paddle3": "paddle", "fluid": "paddle.fluid"}
FIRST_STEP = """
from benchmarks.bench_mnist import Network
from benchmarks.side import open_side
open_side({!r}).training(Network(trained=True), "adam", 0.001).step()
"""


def process(code):
    """Return work that runs code in a new process, which finds the bytecode of earlier ones."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def step():
        subprocess.run([sys.executable, "-c", code], env=environment, check=True, stdout=subprocess.DEVNULL)

    return Work(step)


@bar("", 0.3)
@on("eager", "torch", "paddle3", "fluid")
def time_import(side):
    """a process that imports the framework"""
    return process("import " + MODULES[side.framework])


@shown
@on("static", "eager", "torch", "paddle3", "fluid", "fluid dygraph")
def time_first_step(side):
    """a process that makes one training step of the MNIST network"""
    return process(FIRST_STEP.format(side.name))
