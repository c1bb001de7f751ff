"""Save a model again and again, until killed: `python -m tests.soak.saver FOLDER`. Every value of save n is n."""

from __future__ import annotations

import itertools
import sys
from typing import Any

import numpy as np

import paddle_lite.fluid as fluid

VALUES = 7


def network() -> Any:
    """Return a Program of two layers, and the names of its parameters."""
    main = fluid.Program()
    with fluid.unique_name.guard(), fluid.program_guard(main, fluid.Program()):
        x = fluid.data("x", [None, 64], "float32")
        fluid.layers.fc(fluid.layers.fc(x, 64), 64)
    return main, [parameter.name for parameter in main.all_parameters()]


def save_for_ever(folder: str) -> None:
    """Save, and print the number of each save that is complete."""
    main, names = network()
    exe, scope = fluid.Executor(fluid.CPUPlace()), fluid.Scope()
    with fluid.scope_guard(scope):
        for number in itertools.count(1):
            for name in names:
                shape = main.global_block().var(name).shape
                scope.var(name).get_tensor().set(np.full(shape, number, "float32"), fluid.CPUPlace())
            fluid.io.save_persistables(exe, folder, main)
            print(number, flush=True)


if __name__ == "__main__":
    save_for_ever(sys.argv[1])
