"""Data-parallel training in imperative mode, with one process: what is left of it is a wrapper that changes nothing.

A job of several trainers is told by the environment variables that its launcher sets; it is an error in this version.
"""

from __future__ import annotations

import os
from typing import Any

from ..core.errors import ArgumentTypeError, ArgumentValueError, NotYetAvailable, describe, message
from ..core.missing import missing_text
from .layer import Layer


class ParallelEnv:
    """What the launcher of a job of several trainers says in environment variables.

    Attributes:
        nranks: the number of trainers, PADDLE_TRAINERS_NUM (1).
        local_rank: which of them this process is, PADDLE_TRAINER_ID (0).
        dev_id: the GPU it is to use, FLAGS_selected_gpus (0).
        current_endpoint: its address, PADDLE_CURRENT_ENDPOINT.
        trainer_endpoints: the addresses of all, PADDLE_TRAINER_ENDPOINTS.

    Raises:
        ArgumentValueError: one of the numbers is none.

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
    """How trainers find one another: `nranks`, `local_rank`, `trainer_endpoints` and `current_endpoint`, for one of them."""

    def __init__(self) -> None:
        self.nranks = 1
        self.local_rank = 0
        self.trainer_endpoints: list[str] = []
        self.current_endpoint = ""


def prepare_context(strategy: ParallelStrategy | None = None) -> ParallelStrategy | None:
    """Connect the trainers of this job; with one trainer there is nothing to do, and nothing is returned.

    Arguments:
        strategy: who they are; by default what the environment says.

    Returns:
        None, which `DataParallel` takes for one trainer.

    Raises:
        NotYetAvailable: there is more than one.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     strategy = fluid.dygraph.prepare_context()
    """
    _one_trainer("prepare_context", ParallelEnv().nranks if strategy is None else strategy.nranks)
    return None


class DataParallel(Layer):
    """A network that several trainers train, each on its part of a batch; with one trainer it is the network as it is.

    Its state dict is that of the network, so that files fit both.

    Arguments:
        layers: the network.
        strategy: what `prepare_context` returned.

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
        """The loss divided by the number of trainers: the loss."""
        return loss

    def apply_collective_grads(self) -> None:
        """Add up the gradients of all trainers: those of the one trainer are the sum."""

    def state_dict(
        self, destination: dict | None = None, include_sublayers: bool = True, structured_name_prefix: str = ""
    ) -> dict[str, Any]:
        """Every parameter and persistable buffer of the network, by its path there."""
        return self._layers.state_dict(destination, include_sublayers, structured_name_prefix)

    def set_dict(
        self, stat_dict: dict[str, Any], include_sublayers: bool = True, use_structured_name: bool = True
    ) -> None:
        """Take the values of the network's parameters and buffers from a state dict; see `Layer.set_dict`."""
        self._layers.set_dict(stat_dict, include_sublayers, use_structured_name)

    load_dict = set_dict


def _number(variable: str, default: str) -> int:
    """The whole number in an environment variable."""
    value = os.environ.get(variable, default)
    try:
        return int(value)
    except ValueError:
        raise ArgumentValueError(message("ParallelEnv", variable, repr(value), "a whole number")) from None


def _one_trainer(call: str, trainers: int) -> None:
    if trainers > 1:
        raise NotYetAvailable(missing_text(f"paddle.fluid.dygraph.{call} with {trainers} trainers"))
