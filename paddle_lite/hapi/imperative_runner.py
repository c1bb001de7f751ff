"""How a Model runs in imperative mode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..core.errors import ArgumentValueError, ModeError, message
from ..distributed.parallel import DataParallel, prepare_context
from ..imperative.base import to_variable
from ..imperative.layer import Layer
from ..io.state import OPTIMIZER, PARAMETERS, content_of, write_states
from ..layers.math.arithmetic import sum as add_up
from .optimizer_state import imperative_state
from .utils import to_list, to_numpy
from .workers import Workers

if TYPE_CHECKING:
    from .model import Model

NOT_READY = "Model.{}: got no {}, needs Model.prepare() with one before."


class ImperativeRunner:
    """Trains, evaluates and predicts by calling the Model.

    Arguments:
        model: the Model.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.workers = Workers()
        self._parallel: DataParallel | None = None

    def prepare(self) -> None:
        """Connect the processes of a job; with one process do nothing, for the Model runs when it is called."""
        self.workers = Workers()
        self._parallel = DataParallel(self.model, prepare_context()) if self.workers.many else None

    def train_batch(self, inputs: Any, labels: Any) -> Any:
        """Train with a batch; return the losses, and what the metrics' `update` returned if there are metrics."""
        model = self.model
        if model._optimizer is None or model._loss_function is None:
            lacks = "optimizer" if model._optimizer is None else "loss_function"
            raise ModeError(NOT_READY.format("train_batch", lacks))
        Layer.train(model)
        outputs, labels = self._forward("train", inputs, labels)
        losses = model._loss_function(outputs, labels)
        total = add_up(losses)
        if self._parallel is None:
            total.backward()
        else:
            self._parallel.scale_loss(total).backward()
            self._parallel.apply_collective_grads()
        model._optimizer.minimize(total)
        model.clear_gradients()
        return self._results(losses, outputs, labels, False)

    def eval_batch(self, inputs: Any, labels: Any) -> Any:
        """Evaluate a batch; return the losses, none without a loss_function, and what the metrics' `update` returned."""
        Layer.eval(self.model)
        outputs, labels = self._forward("eval", inputs, labels)
        loss = self.model._loss_function
        return self._results(loss(outputs, labels) if loss else [], outputs, labels, True)

    def test_batch(self, inputs: Any) -> list[Any]:
        """Return the outputs of a batch as ndarrays."""
        Layer.eval(self.model)
        outputs, _ = self._forward("test", inputs, None)
        return self.workers.collect([to_numpy(each) for each in to_list(outputs)])

    def _forward(self, mode: str, inputs: Any, labels: Any) -> tuple[Any, Any]:
        """Return the outputs of the Model, and the labels as Variables."""
        self.model.mode = mode
        made = None if labels is None else [to_variable(each) for each in to_list(labels)]
        told, given = len(self.model._labels or ()), len(made or ())
        if mode != "test" and self.model._loss_function is not None and told and given != told:
            fix = "A data set's samples, and batches, hold the inputs first and then the labels."
            needs = f"{told}, as prepare() was told"
            raise ArgumentValueError(message(f"Model.{mode}_batch", "labels", f"{given} arrays", needs, fix))
        return self.model.forward(*[to_variable(each) for each in to_list(inputs)]), made

    def _results(self, losses: Sequence[Any], outputs: Any, labels: Any, whole: bool) -> Any:
        """Return the losses as ndarrays, and in a tuple with them what the metrics' `update` returned, if there are any."""
        metrics = self.model._metrics
        states = [to_list(metric.add_metric_op(*to_list(outputs), *(labels or ()))) for metric in metrics]
        arrays = [[to_numpy(each) for each in of_metric] for of_metric in states]
        return self.workers.results(metrics, [to_numpy(each) for each in losses], arrays, whole)

    def save(self, path: str) -> None:
        """Write the parameters to `path`.pdparams and the state of the optimizer to `path`.pdopt, if it has any."""
        states = {PARAMETERS: self.model.state_dict()}
        if self.model._optimizer is not None:
            states[OPTIMIZER] = self.model._optimizer.state_dict()
        write_states(path, {suffix: content_of(state) for suffix, state in states.items() if state})

    def load(self, values: Sequence[tuple[Any, Any]], optimizer_state: Any) -> None:
        """Set parameters, and the state of the optimizer from a file that either mode wrote.

        Arguments:
            values: (parameter, value) pairs.
            optimizer_state: name -> value; None: the optimizer stays as it is.
        """
        for parameter, value in values:
            parameter.set_value(value)
        optimizer = self.model._optimizer
        if optimizer is not None and optimizer_state:
            names = [
                (f"{parameter.name}_{optimizer._key(each.name)}_0", parameter.name, each.name)
                for parameter in self.model.parameters()
                for each in optimizer.accumulators
            ]
            optimizer.set_dict(imperative_state(optimizer_state, names))

    def save_inference_model(self, *_: Any) -> list[str]:
        """Raise: only static mode has a Program to write.

        Raises:
            ModeError: always.
        """
        fix = "Make the Model in static mode, prepare it with inputs, and load() what was saved."
        raise ModeError(f"Model.save_inference_model: got a Model of imperative mode, needs one of static mode. {fix}")
