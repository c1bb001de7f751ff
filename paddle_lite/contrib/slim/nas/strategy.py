"""LightNASStrategy: a search for a network that is accurate, and small enough."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from ..core.strategy import Strategy
from ..graph.wrapper import GraphWrapper
from .server import ControllerServer, SearchAgent

__all__ = ["LightNASStrategy"]


class LightNASStrategy(Strategy):
    """Trains networks of the SearchSpace that a controller proposes, each for `retrain_epoch` epochs, and tells it the result.

    Arguments:
        controller: an EvolutionaryController, such as an SAController.
        end_epoch: the epoch before which the search ends.
        target_flops: the largest number of operations; 0 means any.
        target_latency: the largest latency, as `get_model_latency` of the SearchSpace gives it; 0 means any.
        retrain_epoch: how many epochs each network is trained.
        metric_name: the name of the result of evaluations that is to become high.
        server_ip, server_port: where the server of the controller is, or listens; of this machine where it is None and 0.
        is_server: whether this process has the controller.
        max_client_num: the number of connections of agents that wait.
        search_steps: the number of networks after which the search ends; None means the number of epochs alone.
        key: a word that the server and its agents share.
    """

    def __init__(
        self, controller: Any = None, end_epoch: int = 1000, target_flops: int = 629145600, target_latency: float = 0,
        retrain_epoch: int = 1, metric_name: str = "top1_acc", server_ip: str | None = None, server_port: int = 0,
        is_server: bool = False, max_client_num: int = 100, search_steps: int | None = None, key: str = "light-nas",
    ) -> None:  # fmt: skip
        super().__init__(0, end_epoch)
        self._controller, self._retrain_epoch, self._metric_name = controller, retrain_epoch, metric_name
        self._max_flops, self._max_latency = target_flops, target_latency
        self._server_ip, self._server_port, self._is_server = server_ip, server_port, is_server
        self._max_client_num, self._search_steps, self._key = max_client_num, search_steps, key
        self._current_tokens: list[int] = []
        self._server: ControllerServer | None = None
        self._search_agent: SearchAgent | None = None

    def __getstate__(self) -> dict[str, Any]:
        left_out = ("_search_agent", "_server", "_controller")
        return {name: value for name, value in super().__getstate__().items() if name not in left_out}

    def on_compression_begin(self, context: Any) -> None:
        """Begin the search, and the server of the controller if this process has it."""
        self._current_tokens = context.search_space.init_tokens()
        allowed = functools.partial(self._allowed, context=context)
        if self._is_server:
            self._controller.reset(context.search_space.range_table(), self._current_tokens, allowed)
            address = (self._server_ip or "127.0.0.1", self._server_port)
            self._server = ControllerServer(
                self._controller, address, self._max_client_num, self._search_steps, self._key
            )
            self._server.start()
            self._server_port = self._server.port()
        self._search_agent = SearchAgent(self._server_ip or "127.0.0.1", self._server_port, self._key)

    def _allowed(self, tokens: Sequence[int], context: Any = None) -> bool:
        """Return whether the network of tokens is small and fast enough."""
        _, _, program, *_ = context.search_space.create_net(tokens)
        if self._max_flops and GraphWrapper(program).flops() > self._max_flops:
            return False
        return not self._max_latency or context.search_space.get_model_latency(program) <= self._max_latency

    def on_epoch_begin(self, context: Any) -> None:
        """Build the network of the tokens, in the first of its epochs."""
        if context.epoch_id >= self.end_epoch or context.epoch_id % self._retrain_epoch:
            return
        startup, train, test, train_metrics, test_metrics, train_reader, test_reader = context.search_space.create_net(
            self._current_tokens
        )
        context.eval_graph = GraphWrapper(test, context.eval_graph.in_nodes if context.eval_graph else (), test_metrics)
        context.train_graph = GraphWrapper(
            train, context.train_graph.in_nodes if context.train_graph else (), train_metrics
        )
        context.executor.exe.run(startup, scope=context.scope)
        context.optimize_graph = context.train_graph
        if context.train_optimizer is not None:
            context.optimize_graph = context.train_graph.get_optimize_graph(
                context.train_optimizer, context.place, context.scope
            )
        context.train_reader, context.eval_reader = train_reader, test_reader

    def on_epoch_end(self, context: Any) -> None:
        """Send the result of the network, after the last of its epochs, and get the next tokens."""
        if context.epoch_id < self.end_epoch and (context.epoch_id + 1) % self._retrain_epoch == 0:
            assert self._search_agent is not None
            results, names = context.run_eval_graph()
            reward = results[names.index(self._metric_name)]
            if self._server is None or not self._server._closed:
                self._current_tokens = self._search_agent.update(self._current_tokens, reward)

    def on_compression_end(self, context: Any) -> None:
        """End the server."""
        if self._server is not None:
            self._server.close()
