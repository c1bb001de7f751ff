"""How a Model runs in static mode: a Program for training, one for evaluation and one for prediction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import ArgumentValueError, MissingKeyError, ModeError, message
from ..distributed.transpiler.collective import GradAllReduce
from ..io.inference_model import save_inference_model
from ..io.scope_values import HostValue, write_to_scope
from ..io.state import OPTIMIZER, PARAMETERS, write_states
from ..io.variables import is_belong_to_optimizer
from ..layers.math.arithmetic import sum as add_up
from ..static.execution.executor import Executor
from ..static.execution.scope import global_scope
from ..static.program.program import Program, default_main_program, default_startup_program, program_guard
from .optimizer_state import static_value
from .utils import flatten_list, restore_flatten_list, to_list, to_numpy
from .workers import Workers

if TYPE_CHECKING:
    from .model import Model

MODES = ("train", "eval", "test")


class ModeProgram:
    """The Program of one mode: what is fed, and what is fetched.

    Attributes:
        program: the Program.
        inputs, labels: the data Variables.
        outputs, losses: Variables.
        metrics: for each metric the Variables that its `update` takes.
    """

    def __init__(self, model: Model, mode: str, program: Program, startup: Program) -> None:
        self.program = program
        with program_guard(program, startup):
            self.inputs = [each.forward() for each in model._inputs or ()]
            self.labels = [each.forward() for each in model._labels or ()]
            self.outputs = to_list(model.forward(*self.inputs))
            self.losses: list[Any] = []
            self.metrics: list[list[Any]] = []
            if mode != "test":
                if model._loss_function:
                    self.losses = model._loss_function(self.outputs, self.labels)
                self.metrics = [to_list(metric.add_metric_op(*self.outputs, *self.labels)) for metric in model._metrics]
            if mode == "train" and model._optimizer is not None:
                if not self.losses:
                    fix = "Pass loss_function, or no optimizer to evaluate and predict only."
                    raise ArgumentValueError(message("Model.prepare", "loss_function", "None", "a Loss", fix))
                model._optimizer.minimize(add_up(self.losses))
        if mode != "train":
            self.program = program.clone(for_test=True)


class StaticRunner:
    """Trains, evaluates and predicts by running Programs.

    Arguments:
        model: the Model; its parameters belong to the Programs that are the default ones now.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self._main, self._startup = default_main_program(), default_startup_program()
        self._of_mode: dict[str, ModeProgram] = {}
        self._executor: Any = None
        self.workers = Workers()

    def prepare(self) -> None:
        """Build the three Programs, initialise what has no value yet, and connect the processes of a job."""
        self.workers, joins = Workers(), "train" not in self._of_mode and self.model._optimizer is not None
        for mode in MODES:
            if mode not in self._of_mode:
                self._of_mode[mode] = ModeProgram(self.model, mode, self._copy(mode), self._startup)
        if self._executor is None:
            self._executor = Executor(self.model._place)
            new = [each for each in self._startup.list_vars() if global_scope().find_value(each.name) is None]
            if new:
                self._executor.run(self._startup._prune(new))
        if self.workers.many and joins:
            self._executor.run(self._joined())

    def _joined(self) -> Program:
        """Average the gradients of the Program for training over all processes; return what connects them, and copies parameters."""
        env, made = self.workers.env, self._startup.clone()
        for _ in list(made.global_block().ops):
            made.global_block()._remove_op(0)
        program = self._of("train").program
        GradAllReduce(1).transpile(made, program, env.local_rank, env.trainer_endpoints, env.current_endpoint)
        return made

    def _copy(self, mode: str) -> Program:
        """Return a copy of the Program of the parameters; only that for training keeps its operators, a schedule's."""
        program = self._main.clone()
        block = program.global_block()
        if mode != "train":
            for _ in list(block.ops):
                block._remove_op(0)
        elif self.model._optimizer is not None:
            rates = self.model._optimizer._learning_rate_map
            if self._main in rates:
                rates[program] = block.var(rates[self._main].name)
        return program

    # --- batches --------------------------------------------------------------------------------------------------

    def train_batch(self, inputs: Any, labels: Any) -> Any:
        """Train with a batch; return the losses, and what the metrics' `update` returned if there are metrics."""
        if self.model._optimizer is None:
            raise ModeError("Model.train_batch: got no optimizer, needs Model.prepare() with one before.")
        return self._run("train", inputs, labels)

    def eval_batch(self, inputs: Any, labels: Any) -> Any:
        """Evaluate a batch; return the losses, none without a loss_function, and what the metrics' `update` returned."""
        return self._run("eval", inputs, labels)

    def test_batch(self, inputs: Any) -> list[Any]:
        """Return the outputs of a batch as ndarrays."""
        return self._run("test", inputs, None)

    def _run(self, mode: str, inputs: Any, labels: Any) -> Any:
        """Run the Program of a mode with a batch."""
        self.model.mode = mode
        of_mode = self._of(mode)
        feed = self._feed(of_mode, to_list(inputs), labels)
        metrics, lengths = flatten_list(of_mode.metrics)
        wanted = of_mode.outputs if mode == "test" else [*of_mode.losses, *metrics]
        fetched = [each for each in wanted if each.name not in feed]
        results = iter(self._executor.run(of_mode.program, feed=feed, fetch_list=fetched, return_numpy=False))
        arrays = [np.array(feed[each.name] if each.name in feed else next(results)) for each in wanted]
        if mode == "test":
            return self.workers.collect(arrays)
        losses, states = arrays[: len(of_mode.losses)], arrays[len(of_mode.losses) :]
        return self.workers.results(
            self.model._metrics, losses, restore_flatten_list(states, lengths), whole=mode == "eval"
        )

    def _of(self, mode: str) -> ModeProgram:
        if mode not in self._of_mode:
            raise ModeError(f"Model: got no Program to {mode}, needs Model.prepare() before.")
        return self._of_mode[mode]

    def _feed(self, of_mode: ModeProgram, inputs: list[Any], labels: Any) -> dict[str, Any]:
        """Return the feed of a batch; an input of None is left out."""
        if len(inputs) != len(of_mode.inputs):
            needs = f"{len(of_mode.inputs)}, as many as Model.prepare() was given"
            raise ArgumentValueError(message("Model", "inputs", f"{len(inputs)} arrays", needs))
        feed = {each.name: value for each, value in zip(of_mode.inputs, inputs, strict=True) if value is not None}
        if labels is not None:
            given = to_list(labels)
            if len(given) < len(of_mode.labels):
                needs = f"{len(of_mode.labels)}, as many as Model.prepare() was given"
                raise ArgumentValueError(message("Model", "labels", f"{len(given)} arrays", needs))
            feed.update((each.name, value) for each, value in zip(of_mode.labels, given, strict=False))
        return feed

    # --- files ----------------------------------------------------------------------------------------------------

    def save(self, path: str) -> None:
        """Write the parameters to `path`.pdparams and the state of the optimizer to `path`.pdopt, if it has any."""
        parts = {PARAMETERS: {key: to_numpy(value) for key, value in self.model.state_dict().items()}}
        if "train" in self._of_mode and self.model._optimizer is not None:
            parts[OPTIMIZER] = {each.name: to_numpy(each) for each in self._optimizer_variables()}
        write_states(path, {suffix: content for suffix, content in parts.items() if content})

    def _optimizer_variables(self) -> list[Any]:
        return [each for each in self._of("train").program.list_vars() if is_belong_to_optimizer(each)]

    def load(self, values: Sequence[tuple[Any, Any]], optimizer_state: Mapping[str, Any] | None) -> None:
        """Set parameters, and the state of the optimizer from a file that either mode wrote.

        Arguments:
            values: (parameter, value) pairs.
            optimizer_state: name -> value; None: the optimizer stays as it is.

        Raises:
            MissingKeyError: the file lacks a Variable of the optimizer.
        """
        write_to_scope({parameter.name: HostValue(np.array(value)) for parameter, value in values})
        optimizer = self.model._optimizer
        if optimizer is None or not optimizer_state:
            return
        kept = {
            variable.name: (parameter, name if optimizer._name is None else name[len(optimizer._name) + 1 :])
            for name, of_name in optimizer._accumulators.items()
            for parameter, variable in of_name.items()
        }
        found = {}
        for variable in self._optimizer_variables():
            value = static_value(optimizer_state, variable.name, kept)
            if value is not None:
                found[variable.name] = HostValue(np.array(value))
            elif not variable.name.startswith("learning_rate"):
                fix = "Load with reset_optimizer=True to start with a new state."
                got, needs = f"no entry for {variable.name}", "one for each Variable that the optimizer keeps"
                raise MissingKeyError(message("Model.load", "the file of the optimizer", got, needs, fix))
        write_to_scope(found)

    def save_inference_model(
        self, folder: str, model_filename: Any, params_filename: Any, model_only: bool
    ) -> list[str]:
        """Write the Program that predicts; return the names of its outputs."""
        of_mode = self._of("test")
        return save_inference_model(
            folder,
            [each.name for each in of_mode.inputs],
            of_mode.outputs,
            self._executor,
            main_program=of_mode.program.clone(for_test=True),
            model_filename=model_filename,
            params_filename=params_filename,
            program_only=model_only,
        )
