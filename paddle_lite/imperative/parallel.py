"""Data-parallel training in imperative mode, for one trainer only, where DataParallel calls the network directly.

The launcher of a job sets the number of trainers in environment variables. More than one trainer is an error.
"""

from __future__ import annotations

import os
from typing import Any

from ..core.errors import ArgumentTypeError, ArgumentValueError, NotYetAvailable, describe, message
from ..core.missing import missing_text
from .layer import Layer


class ParallelEnv:
    """The settings that the launcher of a training job passes in environment variables.

    Attributes:
        nranks: the number of trainers, from PADDLE_TRAINERS_NUM; 1 by default.
        local_rank: the index of this trainer, from PADDLE_TRAINER_ID; 0 by default.
        dev_id: the index of its GPU, from FLAGS_selected_gpus; 0 by default.
        current_endpoint: its address, from PADDLE_CURRENT_ENDPOINT.
        trainer_endpoints: the addresses of all trainers, from PADDLE_TRAINER_ENDPOINTS.

    Raises:
        ArgumentValueError: one of the first three variables is not a whole number.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.dygraph.ParallelEnv().nranks
    1
    """

    def __init__(self) -> None:
        self.nranks = _number("PADDLE_TRAINERS_NUM", "1")
        self.local_rank = _number("PADDLE_TRAINER_ID", "0")
        self.dev_id = _number("FLAGS_selected_gpus", "0")
        self.current_endpoint = os.environ.get("PADDLE_CURRENT_ENDPOINT", "")
        self.trainer_endpoints = os.environ.get("PADDLE_TRAINER_ENDPOINTS", "").split(",")


Env = ParallelEnv


class ParallelStrategy:
    """The settings of one trainer: `nranks`, `local_rank`, `trainer_endpoints` and `current_endpoint`."""

    def __init__(self) -> None:
        self.nranks = 1
        self.local_rank = 0
        self.trainer_endpoints: list[str] = []
        self.current_endpoint = ""


def prepare_context(strategy: ParallelStrategy | None = None) -> ParallelStrategy | None:
    """Connect the trainers of this job; with one trainer do nothing.

    Arguments:
        strategy: the number and addresses of the trainers; by default those of ParallelEnv().

    Returns:
        None, which `DataParallel` takes as one trainer.

    Raises:
        NotYetAvailable: there is more than one trainer.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     strategy = fluid.dygraph.prepare_context()
    """
    _one_trainer("prepare_context", ParallelEnv().nranks if strategy is None else strategy.nranks)
    return None


class DataParallel(Layer):
    """Wrap a network for training by several trainers; with one trainer it computes what the network computes.

    Its state dict is that of the network, so that saved files load into both.

    Arguments:
        layers: the network.
        strategy: the result of `prepare_context`.

    Raises:
        NotYetAvailable: there is more than one trainer.
        ArgumentTypeError: `layers` is not a Layer.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     strategy = fluid.dygraph.prepare_context()
    ...     model = fluid.dygraph.DataParallel(fluid.dygraph.Linear(4, 1), strategy)
    ...     loss = fluid.layers.mean(model(fluid.dygraph.to_variable(np.ones([2, 4], 'float32'))))
    ...     loss = model.scale_loss(loss)
    ...     loss.backward()
    ...     model.apply_collective_grads()
    ...     print(sorted(model.state_dict()))
    ['bias', 'weight']
    """

    def __init__(self, layers: Layer, strategy: ParallelStrategy | None) -> None:
        if not isinstance(layers, Layer):
            raise ArgumentTypeError(message("DataParallel", "layers", describe(layers), "a Layer"))
        _one_trainer("DataParallel", 1 if strategy is None else strategy.nranks)
        super().__init__(layers.full_name() + "_data_parallel")
        self._layers = layers
        self._strategy = strategy

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        return self._layers(*inputs, **kwargs)

    def scale_loss(self, loss: Any) -> Any:
        """Return the loss divided by the number of trainers, which is the loss itself for one trainer."""
        return loss

    def apply_collective_grads(self) -> None:
        """Sum the gradients of all trainers; for one trainer do nothing."""

    def state_dict(
        self, destination: dict | None = None, include_sublayers: bool = True, structured_name_prefix: str = ""
    ) -> dict[str, Any]:
        """Return the state dict of the network; see `Layer.state_dict`."""
        return self._layers.state_dict(destination, include_sublayers, structured_name_prefix)

    def set_dict(
        self, stat_dict: dict[str, Any], include_sublayers: bool = True, use_structured_name: bool = True
    ) -> None:
        """Set the parameters and buffers of the network from a state dict; see `Layer.set_dict`."""
        self._layers.set_dict(stat_dict, include_sublayers, use_structured_name)

    load_dict = set_dict


def _number(variable: str, default: str) -> int:
    """Return the whole number in an environment variable."""
    value = os.environ.get(variable, default)
    try:
        return int(value)
    except ValueError:
        raise ArgumentValueError(message("ParallelEnv", variable, repr(value), "a whole number")) from None


def _one_trainer(call: str, trainers: int) -> None:
    if trainers > 1:
        raise NotYetAvailable(missing_text(f"paddle.fluid.dygraph.{call} with {trainers} trainers"))
