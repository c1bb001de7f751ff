"""TracedLayer: a Program recorded from one run of a Layer, to run and to save for inference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.errors import ArgumentTypeError, ArgumentValueError, IndexRangeError, describe, message
from ..core.host import to_host
from ..core.mode import require_imperative, state, using
from ..imperative.layer import Layer
from ..imperative.variable import Variable
from ..io.inference_model import save_inference_model
from ..static.execution.compiled import CompiledProgram
from ..static.execution.executor import Executor
from ..static.execution.scope import scope_guard
from ..static.execution.strategies import BuildStrategy, ExecutionStrategy
from ..static.program.program import Program
from ..static.program.variable import Variable as ProgramVariable
from .input_names import unique
from .tracing import TracingMode


class TracedLayer:
    """A Program recorded from a Layer; `TracedLayer.trace` returns one.

    It shares its parameters with the Layer, so that it uses the values of later training, and a run in training mode moves
    the Layer's running statistics. The branches and loops that
    Python took during the run, and the numbers read from Variables, are fixed; `trace` warns if it detects them.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     layer = fluid.dygraph.Linear(4, 2)
    ...     x = fluid.dygraph.to_variable(np.ones([3, 4], 'float32'))
    ...     out, traced = fluid.dygraph.TracedLayer.trace(layer, inputs=[x])
    ...     [again] = traced([x])
    >>> bool((again == out.numpy()).all()), [op.type for op in traced.program.global_block().ops]
    (True, ['matmul', 'elementwise_add'])
    """

    def __init__(self, tracing: TracingMode, outputs: Sequence[ProgramVariable]) -> None:
        self._program = tracing.program
        self._scope = tracing.scope
        self._shared = dict(tracing.shared)
        self._feeds = [v.name for v in tracing.inputs]
        self._fetches = [v.name for v in outputs]
        self._written = sorted({n for op in self._program.all_ops() for n in op.output_arg_names} & self._shared.keys())
        self._executor = Executor(state.place)
        self._compiled: CompiledProgram | None = None
        self._strategies: tuple[Any, Any] | None = None

    @staticmethod
    def trace(layer: Layer, inputs: Any) -> tuple[Any, TracedLayer]:
        """Run a Layer and record the operators as a Program.

        Arguments:
            layer: the Layer.
            inputs: its inputs, a list of Variables. The Program accepts other batch sizes if its operators do.

        Returns:
            A tuple of the result of `layer(*inputs)` and the TracedLayer.

        Raises:
            ModeError: imperative mode is off.
            ArgumentTypeError: `layer` is not a Layer, an input is not a Variable, or a result is not a Variable that an
                operator computed.
        """
        require_imperative("TracedLayer.trace", "runs a Layer, which ")
        if not isinstance(layer, Layer):
            raise ArgumentTypeError(message("TracedLayer.trace", "layer", describe(layer), "a Layer"))
        inputs = [inputs] if isinstance(inputs, Variable) else inputs
        if not isinstance(inputs, (list, tuple)):
            raise ArgumentTypeError(message("TracedLayer.trace", "inputs", describe(inputs), "a list of Variables"))
        for i, value in enumerate(inputs):
            if not isinstance(value, Variable):
                fix = "Convert it with to_variable()."
                raise ArgumentTypeError(
                    message("TracedLayer.trace", f"inputs[{i}]", describe(value), "a Variable", fix)
                )
        tracing = TracingMode(state.mode, inputs, _input_names(layer, len(inputs)))
        with using(tracing):
            original = layer(*inputs)
        outputs = original if isinstance(original, (list, tuple)) else [original]
        for i, value in enumerate(outputs):
            if not isinstance(value, Variable) or tracing.found(value) is None:
                needs = "Variables that operators of the Layer made"
                raise ArgumentTypeError(
                    message("TracedLayer.trace", f"result {i} of the Layer", describe(value), needs)
                )
        traced = TracedLayer(tracing, [tracing.of(value) for value in outputs])
        tracing.finish()
        return original, traced

    @property
    def program(self) -> Program:
        """The recorded Program."""
        return self._program

    def set_strategy(
        self, build_strategy: BuildStrategy | None = None, exec_strategy: ExecutionStrategy | None = None
    ) -> None:
        """Set the options of runs; call it before the first run.

        Arguments:
            build_strategy: a BuildStrategy, or None.
            exec_strategy: an ExecutionStrategy, or None.

        Raises:
            ArgumentTypeError: a strategy has another type.
            ArgumentValueError: the Program has run already.
        """
        for name, value, kind in (
            ("build_strategy", build_strategy, BuildStrategy), ("exec_strategy", exec_strategy, ExecutionStrategy)
        ):  # fmt: skip
            if value is not None and not isinstance(value, kind):
                raise ArgumentTypeError(
                    message("TracedLayer.set_strategy", name, describe(value), f"a fluid.{kind.__name__}")
                )
        if self._compiled is not None:
            raise ArgumentValueError(
                message("TracedLayer.set_strategy", "the call", "made after the first run", "one before")
            )
        self._strategies = (build_strategy, exec_strategy)

    def __call__(self, inputs: Any) -> list[np.ndarray]:
        """Run the Program.

        Arguments:
            inputs: Variables or ndarrays, as many as in `trace`, with the same dtypes and ranks.

        Returns:
            The outputs as ndarrays.

        Raises:
            ArgumentValueError: the number of inputs differs from that in `trace`.
        """
        inputs = inputs if isinstance(inputs, (list, tuple)) else [inputs]
        if len(inputs) != len(self._feeds):
            raise ArgumentValueError(message("TracedLayer", "inputs", f"{len(inputs)} of them", f"{len(self._feeds)}"))
        feed = {n: to_host(v.array) if isinstance(v, Variable) else v for n, v in zip(self._feeds, inputs, strict=True)}
        self._share()
        if self._compiled is None:
            build, execution = self._strategies or (None, None)
            self._compiled = CompiledProgram(self._program, build)
            if execution is not None:
                self._compiled.with_data_parallel(exec_strategy=execution, places=1)
        found = self._executor.run(self._compiled, feed=feed, fetch_list=self._fetches, scope=self._scope)
        assert found is not None
        for name in self._written:
            self._shared[name].array = self._scope.values[name].array
        return found

    def _share(self) -> None:
        """Copy references to the current arrays of the Layer into the Scope."""
        for name, variable in self._shared.items():
            tensor = self._scope.values[name]
            tensor.array, tensor.levels = variable.array, variable.levels

    def save_inference_model(
        self, dirname: str, feed: Sequence[int] | None = None, fetch: Sequence[int] | None = None
    ) -> None:
        """Save the Program and its parameters for inference, here or in PaddlePaddle.

        Arguments:
            dirname: the folder to write.
            feed: the indices of the inputs of the saved model; None for all.
            fetch: the indices of the outputs of the saved model; None for all.

        Raises:
            ArgumentTypeError: an index is not an int.
            IndexRangeError: there is no input or output with such an index.
        """
        feeds = _chosen("feed", feed, self._feeds)
        fetches = [self._program.global_block().var(n) for n in _chosen("fetch", fetch, self._fetches)]
        self._share()
        with scope_guard(self._scope):
            save_inference_model(dirname, feeds, fetches, self._executor, self._program.clone(for_test=True))


def _input_names(layer: Layer, count: int) -> list[str]:
    """Return the names that 1.8.5 gives to the inputs of the Program, whatever names the Variables have."""
    return unique([f"feed_{i}" for i in range(count)], {p.name for _, p in layer.named_parameters()})


def _chosen(argument: str, places: Sequence[int] | None, names: Sequence[str]) -> list[str]:
    if places is None:
        return list(names)
    chosen = []
    for place in places:
        if isinstance(place, bool) or not isinstance(place, (int, np.integer)):
            raise ArgumentTypeError(message("TracedLayer.save_inference_model", argument, describe(place), "ints"))
        if not 0 <= place < len(names):
            raise IndexRangeError(
                message("TracedLayer.save_inference_model", argument, place, f"0 to {len(names) - 1}")
            )
        chosen.append(names[place])
    return chosen
