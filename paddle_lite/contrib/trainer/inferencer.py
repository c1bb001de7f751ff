"""Inferencer: the results of a net that a function builds, with parameters that a Trainer saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...core import unique_name
from ...core.errors import ArgumentTypeError, describe, message
from ...core.place import CUDAPlace
from ...io.variables import load_params
from ...static.execution.compiled import ParallelExecutor
from ...static.execution.executor import Executor
from ...static.execution.scope import Scope, scope_guard
from ...static.program.program import Program, program_guard
from .trainer import check_and_get_place


class Inferencer:
    """Computes what the net of a function gives, with the parameters of a folder.

    Arguments:
        infer_func: builds the net; returns its result. Its parameters need the names that they had in training.
        param_path: the folder of `Trainer.save_params`.
        place: where it runs; a GPU where there is one, if it is None.
        parallel: whether to run on CPU_NUM places, or on all GPUs.

    Raises:
        ArgumentTypeError: `place` is no place.
        MissingFileError: the folder has no file for a parameter.

    >>> import tempfile, numpy as np, paddle_lite.fluid as fluid
    >>> def net():
    ...     return fluid.layers.fc(fluid.layers.data('x', [1]), 1, param_attr=fluid.initializer.Constant(3.0))
    >>> def loss():
    ...     return fluid.layers.mean(net())
    >>> folder = tempfile.mkdtemp()
    >>> with fluid.unique_name.guard():
    ...     trainer = fluid.contrib.trainer.Trainer(loss, lambda: fluid.optimizer.SGD(0.1), place=fluid.CPUPlace())
    >>> trainer.save_params(folder)
    >>> inferencer = fluid.contrib.inferencer.Inferencer(net, folder, fluid.CPUPlace())
    >>> inferencer.infer({'x': np.array([[2.0]], 'float32')})
    [array([[6.]], dtype=float32)]
    """

    def __init__(
        self, infer_func: Callable[[], Any], param_path: str, place: Any = None, parallel: bool = False
    ) -> None:
        self.param_path, self.parallel, self.place = param_path, parallel, check_and_get_place(place)
        self.scope, self.inference_program = Scope(), Program()
        with program_guard(self.inference_program, Program()), unique_name.guard():
            self.predict_var = infer_func()
        with program_guard(self.inference_program), scope_guard(self.scope):
            exe = Executor(self.place)
            load_params(exe, param_path)
        self.inference_program = self.inference_program.clone(for_test=True)
        with program_guard(self.inference_program), scope_guard(self.scope):
            gpu = isinstance(self.place, CUDAPlace)
            self.exe: Any = ParallelExecutor(gpu, self.predict_var.name) if parallel else exe

    def infer(self, inputs: Mapping[str, Any], return_numpy: bool = True) -> list[Any]:
        """Return the results for some inputs, in a list.

        Arguments:
            inputs: a dict from the names of the data Variables to arrays or LoDTensors.
            return_numpy: whether to return ndarrays rather than LoDTensors.

        Raises:
            ArgumentTypeError: `inputs` is no dict.
        """
        if not isinstance(inputs, Mapping):
            needs = "a dict from names of data to arrays"
            raise ArgumentTypeError(message("Inferencer.infer", "inputs", describe(inputs), needs))
        with program_guard(self.inference_program), scope_guard(self.scope):
            return self.exe.run(feed=dict(inputs), fetch_list=[self.predict_var.name], return_numpy=return_numpy)
