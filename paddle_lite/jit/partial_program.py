"""PartialProgramLayer: a Program that a function was translated to, as a Layer of imperative mode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.errors import ArgumentTypeError, ArgumentValueError, IndexRangeError, describe, message
from ..core.mode import state
from ..imperative.layer import Layer
from ..imperative.parameter import Parameter
from ..imperative.variable import Variable
from ..static.program.program import Program
from ..static.program.variable import Parameter as ProgramParameter
from ..static.program.variable import Variable as ProgramVariable
from .called_program import CalledProgram
from .concrete_program import ConcreteProgram

WHERE = "PartialProgramLayer"


class PartialProgramLayer(Layer):
    """A Program as a Layer: a call runs it and is one entry of the tape.

    After `eval()` operators such as dropout and batch_norm behave as in prediction.

    Arguments:
        main_program: the Program.
        inputs, outputs: its Variables that are fed and fetched; other objects among them are left out.
        parameters: the Variables of imperative mode that it reads, a list.

    Raises:
        ArgumentTypeError: `parameters` is no list of parameters.
        ArgumentValueError: the Program has parameters that are not among them.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     layer, x = fluid.dygraph.Linear(2, 1), fluid.dygraph.to_variable(np.ones([3, 2], 'float32'))
    ...     result, traced = fluid.dygraph.TracedLayer.trace(layer, [x])
    ...     block = traced.program.global_block()
    ...     last = block.ops[-1].output('Out')[0]
    ...     again = PartialProgramLayer(traced.program, [block.var('feed_0')], [block.var(last)], layer.parameters())
    ...     bool((again([x]).numpy() == result.numpy()).all())
    True
    """

    def __init__(
        self,
        main_program: Program,
        inputs: Sequence[Any],
        outputs: Sequence[Any],
        parameters: Sequence[Variable] | None = None,
    ) -> None:
        super().__init__()
        held = _held(main_program, [] if parameters is None else parameters)
        self.inputs = [v for v in inputs if isinstance(v, ProgramVariable)]
        self.outputs = [v for v in outputs if isinstance(v, ProgramVariable)]
        names = [v.name for v in self.inputs], [v.name for v in self.outputs]
        self._programs = {
            True: _Called(main_program, *names, held),
            False: _Called(main_program.clone(for_test=True), *names, held),
        }

    def forward(self, inputs: Sequence[Any]) -> Any:
        """Run the Program.

        Arguments:
            inputs: a list with a Variable or an ndarray for each input.

        Returns:
            The output, or a list of them if there are several.

        Raises:
            ArgumentTypeError: `inputs` is no list, or one of them is neither a Variable nor an ndarray.
            IndexRangeError: there are not as many as the Program has.
        """
        if not isinstance(inputs, (list, tuple)):
            raise ArgumentTypeError(message(WHERE, "inputs", describe(inputs), "a list of Variables"))
        program = self._programs[self.training]
        if len(inputs) != len(program.inputs):
            needs = f"{len(program.inputs)}: {', '.join(v.name for v in program.inputs)}"
            raise IndexRangeError(message(WHERE, "inputs", f"{len(inputs)} of them", needs))
        values = [_variable(i, value) for i, value in enumerate(inputs)]
        fed = tuple(i for i, v in enumerate(values) if not v.stopped and v.array.dtype.kind == "f")
        outputs = program.outputs_for(values, fed if state.grad_enabled else ())
        return outputs[0] if len(outputs) == 1 else outputs


class _Called(CalledProgram):
    """The Program in training or for prediction."""

    def __init__(self, program: Program, feeds: list[str], fetches: list[str], held: dict[str, Variable]) -> None:
        block = program.global_block()
        self.main_program = program
        self.inputs, self.outputs = [block.var(name) for name in feeds], [block.var(name) for name in fetches]
        self.held = held
        self.prepare([i for i, v in enumerate(self.inputs) if v.lod_level])


def _held(program: Program, parameters: Any) -> dict[str, Variable]:
    """Return the given parameters by their names.

    Raises:
        ArgumentTypeError: they are no list of parameters.
        ArgumentValueError: the Program has others.
    """
    if not isinstance(parameters, (list, tuple)):
        raise ArgumentTypeError(message(WHERE, "parameters", describe(parameters), "a list or tuple of parameters"))
    for i, value in enumerate(parameters):
        if not isinstance(value, Variable):
            raise ArgumentTypeError(message(WHERE, f"parameters[{i}]", describe(value), "a parameter of a Layer"))
    held = {value.name: value for value in parameters}
    lacking = [v.name for v in program.list_vars() if isinstance(v, ProgramParameter) and v.name not in held]
    if lacking:
        fix = "Make the parameters of a declared function in a Layer's __init__, and pass them"
        raise ArgumentValueError(message(WHERE, "parameters", f"none named {', '.join(lacking)}", "all", fix))
    return held


def _variable(index: int, value: Any) -> Variable:
    if isinstance(value, np.ndarray):
        return Variable(value)
    if not isinstance(value, Variable):
        raise ArgumentTypeError(message(WHERE, f"inputs[{index}]", describe(value), "a Variable or an ndarray"))
    return value


def partial_program_from(concrete_program: ConcreteProgram) -> PartialProgramLayer:
    """Return a Layer of a Program that a function was translated to.

    Arguments:
        concrete_program: one of `ProgramTranslator().get_program_cache().concrete_programs()`.

    Returns:
        A PartialProgramLayer.

    Raises:
        ArgumentTypeError: it is something else, or its parameters are no parameters.
    """
    if not isinstance(concrete_program, ConcreteProgram):
        needs = "a ConcreteProgram, such as one of ProgramTranslator().get_program_cache().concrete_programs()"
        raise ArgumentTypeError(message("partial_program_from", "concrete_program", describe(concrete_program), needs))
    made = concrete_program
    return PartialProgramLayer(made.main_program, made.inputs, made.outputs, made.parameters)


def valid_vars(vars: Sequence[Variable] | None) -> Sequence[Variable]:
    """Return a list of Variables; where it is empty, a list with one Variable that stands for none, named "Fake_var"."""
    return vars if vars else [Parameter(np.ones([1], "float32"), name="Fake_var")]
