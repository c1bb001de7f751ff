"""StaticModelRunner: a saved model of static mode as a Layer of imperative mode."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..core.mode import require_imperative, state
from ..core.tensor import LoDTensor
from ..core.unique_name import LOADED_SUFFIX
from ..imperative.layer import Layer
from ..imperative.parameter import Parameter
from ..imperative.variable import Variable
from ..io.inference_model import load_inference_model
from ..static.execution.executor import Executor
from ..static.execution.scope import Scope, scope_guard
from ..static.program.program import Program
from .called_program import CalledProgram

WHERE = "StaticModelRunner"


class StaticModelRunner(Layer):
    """Read a model that `fluid.io.save_inference_model` has written, and run or train it in imperative mode.

    In training mode operators such as dropout and batch_norm behave as in training; `eval()` sets them to test mode. All
    persistable variables of the model are parameters, named as there with "@LOADED" behind. All are trainable, whatever
    they were when the model was saved; `stop_gradient` keeps one as it is.

    Arguments:
        model_dir: the folder.
        model_filename: the file name of the Program; `__model__` where it is None.
        params_filename: the name of the file with all parameters; None where each has its own file.

    Raises:
        ModeError: imperative mode is off.
        ArgumentTypeError: an argument has another type.
        MissingFileError: the folder or a file does not exist.
        FileFormatError: a file is truncated or has another format.

    >>> import numpy as np, tempfile, paddle_lite.fluid as fluid
    >>> folder, exe = tempfile.mkdtemp(), fluid.Executor(fluid.CPUPlace())
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
    ...     y = fluid.layers.fc(fluid.data('x', [None, 4]), 1, param_attr='w', bias_attr=False)
    ...     _ = exe.run(fluid.default_startup_program())
    ...     _ = fluid.io.save_inference_model(folder, ['x'], [y], exe)
    >>> with fluid.dygraph.guard():
    ...     model = fluid.dygraph.StaticModelRunner(folder)
    ...     loss = fluid.layers.mean(model(np.ones([2, 4], 'float32')))
    ...     loss.backward()
    ...     [(p.name, p.gradient().tolist()) for p in model.parameters()]
    [('w@LOADED', [[1.0], [1.0], [1.0], [1.0]])]
    """

    def __init__(self, model_dir: str, model_filename: str | None = None, params_filename: str | None = None) -> None:
        require_imperative(WHERE)
        super().__init__()
        if not isinstance(model_dir, (str, os.PathLike)):
            raise ArgumentTypeError(message(WHERE, "model_dir", describe(model_dir), "the path of a folder"))
        scope = Scope()
        with scope_guard(scope):
            program, feeds, fetches = load_inference_model(model_dir, Executor(), model_filename, params_filename)
        held = {}
        for name in scope.values:
            parameter = Parameter(scope.find_value(name).array, name=name + LOADED_SUFFIX)
            held[name] = self.add_parameter(parameter.name, parameter)
        names = [v.name for v in fetches]
        self._programs = {is_test: _Mode(program, is_test, feeds, names, held) for is_test in (False, True)}

    def forward(self, *inputs: Any) -> Any:
        """Run the model.

        Arguments:
            inputs: a Variable or an ndarray for each Variable that the model feeds, in their order.

        Returns:
            The result, or a list of them if there are several.

        Raises:
            ArgumentValueError: there are not as many inputs as the model feeds.
            ArgumentTypeError: an input is neither a Variable nor an ndarray.
        """
        program = self._programs[not self.training]
        if len(inputs) != len(program.inputs):
            needs = f"{len(program.inputs)}: {', '.join(v.name for v in program.inputs)}"
            raise ArgumentValueError(message(WHERE, "inputs", f"{len(inputs)} of them", needs))
        values = [_variable(i, value) for i, value in enumerate(inputs)]
        fed = tuple(i for i, v in enumerate(values) if not v.stopped and v.array.dtype.kind == "f")
        outputs = program.outputs_for(values, fed if state.grad_enabled else ())
        return outputs[0] if len(outputs) == 1 else outputs


class _Mode(CalledProgram):
    """The model in training or test mode."""

    def __init__(
        self, program: Program, is_test: bool, feeds: list[str], fetches: list[str], held: dict[str, Any]
    ) -> None:
        self.main_program = program.clone()
        block = self.main_program.global_block()
        block.ops = [op for op in block.ops if op.type not in ("feed", "fetch")]
        for op in self.main_program.all_ops():
            if op.has_attr("is_test"):
                op._set_attr("is_test", is_test)
        for variable in self.main_program.list_vars():
            variable.stop_gradient = False
        self.inputs, self.outputs = [block.var(n) for n in feeds], [block.var(n) for n in fetches]
        self.held = held
        self.prepare([i for i, v in enumerate(self.inputs) if v.lod_level])


def _variable(index: int, value: Any) -> Variable:
    """Return the Variable for an input."""
    if isinstance(value, Variable):
        return value
    if isinstance(value, LoDTensor):
        return Variable(value.array, lod=value.levels)
    if not isinstance(value, np.ndarray):
        raise ArgumentTypeError(message(WHERE, f"inputs[{index}]", describe(value), "a Variable or an ndarray"))
    return Variable(value)
