"""Compressor: a training during which strategies change the network."""

from __future__ import annotations

import logging
import pickle
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ....core.errors import ArgumentTypeError, describe, message
from ....static.execution.executor import Executor
from ....static.execution.scope import scope_guard
from ....static.program.program import Program
from ..graph.executor import SlimGraphExecutor
from ..graph.wrapper import GraphWrapper
from .config import ConfigFactory
from .context import Context
from .restoring import read_states
from .strategy import Strategy

__all__ = ["Compressor"]

_logger = logging.getLogger(__name__)


class Compressor:
    """Trains a network while strategies prune it, quantise it, let it learn from others, or search for it.

    Arguments:
        place: where it runs.
        scope: the Scope with the values of the parameters.
        train_program: the Program of the forward pass.
        train_reader: a function that returns an iterable of batches, each a list of rows.
        train_feed_list: pairs of a name and the name of a Variable that is fed, or a dict; in the order of a row.
        train_fetch_list: the same for what is computed; "loss" (or "cost") is what the optimizer minimizes.
        eval_program, eval_reader, eval_feed_list, eval_fetch_list: the same for evaluations.
        eval_func: a dict of names and functions of (Program, Scope) that return what an evaluation gives; then no
            batches of `eval_reader` are computed.
        save_eval_model: whether the folder eval_model of a checkpoint holds the Program of evaluations and its values.
        prune_infer_model: the names of what is fed and computed by the inference model in the same folder, or None.
        teacher_programs: the Programs of trained models for a distillation.
        checkpoint_path: the folder of checkpoints; none are saved if it is None.
        train_optimizer: the optimizer; without it `train_program` has the updates.
        distiller_optimizer: the optimizer of a distillation.
        search_space: the SearchSpace of a search for a network.
        log_period: the number of batches from one line of the log to the next.

    Raises:
        ArgumentTypeError: `train_program` is no Program.
    """

    def __init__(
        self, place: Any, scope: Any, train_program: Any, train_reader: Any = None, train_feed_list: Any = None,
        train_fetch_list: Any = None, eval_program: Any = None, eval_reader: Any = None, eval_feed_list: Any = None,
        eval_fetch_list: Any = None, eval_func: Mapping[str, Callable[..., Any]] | None = None, save_eval_model: bool = True,
        prune_infer_model: Sequence[Any] | None = None, teacher_programs: Sequence[Any] = (),
        checkpoint_path: str | None = None, train_optimizer: Any = None, distiller_optimizer: Any = None,
        search_space: Any = None, log_period: int = 20,
    ) -> None:  # fmt: skip
        if not isinstance(train_program, Program):
            raise ArgumentTypeError(message("Compressor", "train_program", describe(train_program), "a Program"))
        self.place, self.scope = place, scope
        self.train_graph = GraphWrapper(train_program, train_feed_list or (), train_fetch_list or ())
        self.eval_graph = None
        if eval_program is not None:
            self.eval_graph = GraphWrapper(eval_program, eval_feed_list or (), eval_fetch_list or ())
        self.train_reader, self.eval_reader, self.eval_func = train_reader, eval_reader, eval_func
        self.teacher_graphs = [GraphWrapper(program) for program in teacher_programs]
        self.checkpoint, self.checkpoint_path = None, checkpoint_path
        self.save_eval_model, self.prune_infer_model = save_eval_model, prune_infer_model
        self.train_optimizer, self.distiller_optimizer = train_optimizer, distiller_optimizer
        self.search_space, self.log_period = search_space, log_period
        self.strategies: list[Strategy] = []
        self.epoch = 0
        self.init_model: str | None = None
        self.eval_epoch = 1
        self.context: Context | None = None

    def _add_strategy(self, strategy: Strategy) -> None:
        self.strategies.append(strategy)
        self.epoch = max(strategy.end_epoch, self.epoch)

    def config(self, config_file: str) -> None:
        """Take strategies, the number of epochs and the folder of checkpoints from a YAML file; see ConfigFactory."""
        factory = ConfigFactory(config_file)
        given = factory.compressor
        self.epoch = int(given.get("epoch", self.epoch))
        self.checkpoint_path = given.get("checkpoint_path", self.checkpoint_path)
        self.init_model = given.get("init_model", self.init_model)
        self.eval_epoch = int(given.get("eval_epoch", self.eval_epoch))
        for name in given.get("strategies") or []:
            self._add_strategy(factory.instance(name))

    # --- checkpoints --------------------------------------------------------------------------------------------------

    def _init_model(self, context: Context) -> None:
        """Load the parameters of `init_model`, whose shapes may be those of a pruned network."""
        if self.init_model:
            _load(context, self.init_model)

    def _load_checkpoint(self, context: Context) -> tuple[Context, list[Strategy]]:
        """Continue from the newest checkpoint, if there is one."""
        strategies = self.strategies
        folders = (
            [p for p in Path(self.checkpoint_path or "").glob("*") if p.name.isdigit()] if self.checkpoint_path else []
        )
        if folders:
            newest = max(folders, key=lambda path: int(path.name))
            context.from_file(str(newest / "context"))
            context.epoch_id += 1
            with open(newest / "strategies", "rb") as file:
                kept = read_states(file, str(newest / "strategies"), strategies)
            for strategy, state in zip(strategies, kept, strict=True):
                strategy.__dict__.update(state)
            for strategy in strategies:
                strategy.restore_from_checkpoint(context)
            _load(context, str(newest / "model"))
        return context, strategies

    def _save_checkpoint(self, context: Context) -> None:
        """Save what a later run continues from, and the models of this epoch."""
        if not self.checkpoint_path:
            return
        folder = Path(self.checkpoint_path) / str(context.epoch_id)
        (folder / "model").mkdir(parents=True, exist_ok=True)
        executor = Executor(context.place)
        with scope_guard(context.scope):
            assert context.optimize_graph is not None
            context.optimize_graph.save_persistables(str(folder / "model"), executor)
            if self.save_eval_model and context.eval_graph is not None:
                context.eval_graph.save_model(str(folder / "eval_model"), executor)
            if self.prune_infer_model is not None and context.eval_graph is not None:
                feeds, targets = self.prune_infer_model
                context.eval_graph.save_infer_model(
                    str(folder / "eval_model"), executor, (feeds, targets), program_only=self.save_eval_model
                )
        context.to_file(str(folder / "context"))
        with open(folder / "strategies", "wb") as file:
            pickle.dump([strategy.__getstate__() for strategy in self.strategies], file, protocol=2)

    # --- training -----------------------------------------------------------------------------------------------------

    def _train_one_epoch(self, context: Context) -> None:
        graph, executor = context.optimize_graph, context.executor
        if context.skip_training or context.train_reader is None:
            return
        assert graph is not None and executor is not None
        if graph.compiled_graph is None:
            graph.compile(for_parallel=False)
        names = list(graph.out_nodes)
        for batch_id, batch in enumerate(context.train_reader()):
            context.batch_id = batch_id
            for strategy in self.strategies:
                strategy.on_batch_begin(context)
            results = [float(np.mean(value)) for value in executor.run(graph, context.scope, data=batch)]
            if batch_id % self.log_period == 0:
                found = ", ".join(f"{name}={value:.6g}" for name, value in zip(names, results, strict=True))
                _logger.info("epoch %d, batch %d: %s", context.epoch_id, batch_id, found)
            for strategy in self.strategies:
                strategy.on_batch_end(context)
        context.batch_id = 0

    def _eval(self, context: Context) -> None:
        assert context.eval_graph is not None
        if self.eval_func is not None:
            program = context.eval_graph.program
            found = {name: function(program, context.scope) for name, function in self.eval_func.items()}
        elif context.eval_reader is not None:
            results, names = context.run_eval_graph()
            found = dict(zip(names, results, strict=False))
        else:
            _logger.warning("epoch %d: nothing is evaluated without an eval_reader or an eval_func", context.epoch_id)
            return
        for name, value in found.items():
            context.eval_results.setdefault(name, []).append(value)
        _logger.info("epoch %d: %s", context.epoch_id, found)

    def run(self) -> GraphWrapper | None:
        """Train; return the graph of evaluations, as the strategies have left it."""
        context = Context(
            place=self.place, scope=self.scope, train_graph=self.train_graph, train_reader=self.train_reader,
            eval_graph=self.eval_graph, eval_reader=self.eval_reader, teacher_graphs=self.teacher_graphs,
            train_optimizer=self.train_optimizer, distiller_optimizer=self.distiller_optimizer,
            search_space=self.search_space,
        )  # fmt: skip
        self.context, context.epoch = context, self.epoch
        context.executor = SlimGraphExecutor(self.place)
        context.put("infer_model_path", self.checkpoint_path)
        with scope_guard(self.scope):
            if self.train_optimizer is None:
                context.optimize_graph = self.train_graph
            else:
                self.train_optimizer._name = "train_opt"  # part of the names of checkpoints' files
                context.optimize_graph = self.train_graph.get_optimize_graph(
                    self.train_optimizer, self.place, self.scope
                )
            self._init_model(context)
            for strategy in self.strategies:
                strategy.on_compression_begin(context)
            context, strategies = self._load_checkpoint(context)
            for epoch in range(context.epoch_id, self.epoch):
                context.epoch_id = epoch
                for strategy in strategies:
                    strategy.on_epoch_begin(context)
                self._train_one_epoch(context)
                for strategy in strategies:
                    strategy.on_epoch_end(context)
                if self.eval_epoch and epoch % self.eval_epoch == 0 and context.eval_graph is not None:
                    self._eval(context)
                self._save_checkpoint(context)
            for strategy in strategies:
                strategy.on_compression_end(context)
        return context.eval_graph


def _load(context: Context, folder: str) -> None:
    """Load the persistables of a folder into the Scope, and let the graphs have their shapes, which may be pruned ones."""
    graph, network = context.optimize_graph, context.train_graph
    assert graph is not None
    before = {v.name(): context.scope.find_var(v.name()).get_tensor().shape() for v in graph.all_parameters()}
    with scope_guard(context.scope):
        # Another run in the same process has other names for what the optimizer keeps, which then starts anew.
        updates = {v.name() for v in graph.vars()} - {v.name() for v in network.vars()}
        graph.load_persistables(folder, Executor(context.place), missing_ok=updates)
    _cut_state(graph, context, before)
    for changed in dict.fromkeys((graph, network, context.eval_graph)):
        if changed is not None:
            changed.update_param_shape(context.scope)
            changed.update_groups_of_conv()
            changed.infer_shape()


def _cut_state(graph: GraphWrapper, context: Context, before: dict[str, list[int]]) -> None:
    """Start what an optimizer keeps for a parameter anew in the parameter's shape, where it has the one of `before`."""
    find = context.scope.find_var
    for op in graph.ops():
        for name in op._op.inputs.get("Param") or []:
            shape = find(name).get_tensor().shape()
            for kept in filter(graph.is_persistable, op.all_inputs()):
                tensor = find(kept.name()).get_tensor()
                if tensor.shape() != shape and tensor.shape() == before.get(name):
                    start = np.asarray(tensor)
                    tensor.set(np.full(shape, start.flat[0], start.dtype), context.place)
