"""The predictor: a saved model, run by Plans on tensors without a Program in sight."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.errors import ArgumentTypeError, ArgumentValueError, MissingKeyError, describe, message
from ...core.place import CPUPlace
from ...core.tensor import LoDTensor
from ...io.inference_model import load_inference_model
from ...static.execution.executor import Executor
from ...static.execution.scope import Scope, scope_guard
from .config import AnalysisConfig, NativeConfig
from .tensors import PaddleTensor, ZeroCopyTensor

__all__ = ["PaddlePredictor", "create_paddle_predictor"]


class PaddlePredictor:
    """A loaded model. `create_paddle_predictor` makes it.

    Arguments:
        config: the model and the settings.
        shared: another predictor of this model, whose Program and parameters it takes.

    Raises:
        MissingFileError: there is no such model.
        FileFormatError: a file is truncated or has another format.
    """

    def __init__(self, config: AnalysisConfig, shared: PaddlePredictor | None = None) -> None:
        self._config = AnalysisConfig(config)
        self._executor = Executor(config.place())
        if shared is None:
            self._scope = Scope()
            with scope_guard(self._scope):
                loaded = load_inference_model(*_files(config, self._executor))
            self._program, self._inputs, self._outputs = loaded
        else:
            self._scope, self._program = shared._scope, shared._program
            self._inputs, self._outputs = shared._inputs, shared._outputs
        self._given = {name: ZeroCopyTensor(name) for name in self._inputs}
        self._made: dict[str, ZeroCopyTensor] = {v.name: ZeroCopyTensor(v.name) for v in self._outputs}

    def get_input_names(self) -> list[str]:
        """Return the names of the inputs, in order."""
        return list(self._inputs)

    def get_output_names(self) -> list[str]:
        """Return the names of the outputs, in order."""
        return [variable.name for variable in self._outputs]

    def get_input_tensor_shape(self) -> dict[str, list[int]]:
        """Return the shape of each input; -1 for a size that is not fixed."""
        return {name: list(self._program.global_block().var(name).shape) for name in self._inputs}

    def get_serialized_program(self) -> bytes:
        """Return the Program as a file of it holds it."""
        return self._program.desc.serialize_to_string()

    def program(self) -> Any:
        """Return the Program."""
        return self._program

    def scope(self) -> Scope:
        """Return the Scope of the parameters."""
        return self._scope

    def clone(self) -> PaddlePredictor:
        """Return a predictor of the same model, for another thread; both have the same parameters."""
        return PaddlePredictor(self._config, self)

    # --- tensors in, tensors out --------------------------------------------------------------------------------------

    def run(self, inputs: Sequence[PaddleTensor]) -> list[PaddleTensor]:
        """Run the model.

        Arguments:
            inputs: a PaddleTensor for each input, in their order; in any order where the config says
                `switch_specify_input_names()`.

        Returns:
            A PaddleTensor for each output.

        Raises:
            ArgumentTypeError: `inputs` holds something else.
            ArgumentValueError: there are more or fewer than the model has inputs, or a name is unknown.
            EnforceNotMet: an operator rejects the values.
        """
        where = "PaddlePredictor.run"
        if not isinstance(inputs, (list, tuple)) or not all(isinstance(each, PaddleTensor) for each in inputs):
            raise ArgumentTypeError(message(where, "inputs", describe(inputs), "a list of PaddleTensors"))
        if len(inputs) != len(self._inputs):
            needs = f"{len(self._inputs)}: {', '.join(self._inputs)}"
            raise ArgumentValueError(message(where, "inputs", f"{len(inputs)} tensors", needs))
        names = [each.name for each in inputs] if self._config.specify_input_name() else self._inputs
        if sorted(names) != sorted(self._inputs):
            raise ArgumentValueError(message(where, "the names of inputs", names, f"{self._inputs}"))
        feed = {name: _held(each.as_ndarray(), each.lod) for name, each in zip(names, inputs, strict=True)}
        results = self._results(feed)
        outputs = zip(self.get_output_names(), results, strict=True)
        return [PaddleTensor(np.asarray(held), name, held.lod(), copy=False) for name, held in outputs]

    def _results(self, feed: dict[str, LoDTensor]) -> list[LoDTensor]:
        results = self._executor.run(self._program, feed, self._outputs, scope=self._scope, return_numpy=False)
        return list(results or ())

    # --- tensors that stay --------------------------------------------------------------------------------------------

    def get_input_tensor(self, name: str) -> ZeroCopyTensor:
        """Return the tensor of an input, whose `copy_from_cpu` sets it.

        Raises:
            MissingKeyError: the model has no such input.
        """
        return _of(self._given, "get_input_tensor", name)

    def get_output_tensor(self, name: str) -> ZeroCopyTensor:
        """Return the tensor of an output, which `zero_copy_run` sets.

        Raises:
            MissingKeyError: the model has no such output.
        """
        return _of(self._made, "get_output_tensor", name)

    def zero_copy_run(self) -> bool:
        """Run the model on the tensors of its inputs.

        Returns:
            True.

        Raises:
            ArgumentValueError: an input has not been set.
        """
        unset = [name for name, tensor in self._given.items() if not tensor.held._is_initialized()]
        if unset:
            needs = "a value for each input"
            fix = f"predictor.get_input_tensor({unset[0]!r}).copy_from_cpu(array) sets one."
            raise ArgumentValueError(message("zero_copy_run", "inputs", f"no value for {', '.join(unset)}", needs, fix))
        results = self._results({name: tensor.held for name, tensor in self._given.items()})
        for tensor, held in zip(self._made.values(), results, strict=True):
            tensor.held = held
        return True


def _held(array: np.ndarray, lod: list[list[int]]) -> LoDTensor:
    tensor = LoDTensor()
    tensor.set(array, CPUPlace())
    tensor.set_lod(lod)
    return tensor


def _of(tensors: dict[str, ZeroCopyTensor], call: str, name: str) -> ZeroCopyTensor:
    if name not in tensors:
        raise MissingKeyError(message(f"PaddlePredictor.{call}", "name", repr(name), f"one of {list(tensors)}"))
    return tensors[name]


def _files(config: AnalysisConfig, executor: Executor) -> tuple[Any, ...]:
    """Return the arguments of `load_inference_model`."""
    if config._buffers is not None:
        return (None, executor, *config._buffers)
    if not config.prog_file():
        return (config.model_dir(), executor)
    folder = os.path.dirname(config.prog_file()) or "."
    parameters = os.path.relpath(config.params_file(), folder) if config.params_file() else None
    return (folder, executor, os.path.basename(config.prog_file()), parameters)


def create_paddle_predictor(config: AnalysisConfig | NativeConfig) -> PaddlePredictor:
    """Load a model that `fluid.io.save_inference_model` wrote, here or in PaddlePaddle.

    Arguments:
        config: an AnalysisConfig or a NativeConfig.

    Returns:
        A PaddlePredictor.

    Raises:
        ArgumentTypeError: `config` is neither.
        ArgumentValueError: it names no model.
        MissingFileError: there is no such model.

    >>> import numpy as np, tempfile, paddle_lite.fluid as fluid
    >>> exe, folder, startup = fluid.Executor(fluid.CPUPlace()), tempfile.mkdtemp(), fluid.Program()
    >>> with fluid.program_guard(fluid.Program(), startup):
    ...     three = fluid.initializer.Constant(3.0)
    ...     y = fluid.data('x', [None, 2]) * fluid.layers.create_parameter([1], 'float32', default_initializer=three)
    ...     _ = exe.run(startup)
    ...     _ = fluid.io.save_inference_model(folder, ['x'], [y], exe)
    >>> predictor = fluid.core.create_paddle_predictor(fluid.core.AnalysisConfig(folder))
    >>> (out,) = predictor.run([fluid.core.PaddleTensor(np.ones([1, 2], 'float32'))])
    >>> out.as_ndarray()
    array([[3., 3.]], dtype=float32)
    """
    if isinstance(config, NativeConfig):
        config = config.analysed()
    if not isinstance(config, AnalysisConfig):
        needs = "an AnalysisConfig or a NativeConfig"
        raise ArgumentTypeError(message("create_paddle_predictor", "config", describe(config), needs))
    if not (config.model_dir() or config.prog_file() or config.model_from_memory()):
        fix = "Write AnalysisConfig(folder)."
        raise ArgumentValueError(message("create_paddle_predictor", "config", "no model", "a model", fix))
    return PaddlePredictor(config)
