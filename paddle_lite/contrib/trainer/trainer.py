"""Trainer: a training loop around two functions, one that builds the net and one that makes the optimizer."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, ModeError, describe, message
from ...core.place import CPUPlace, CUDAPlace, is_compiled_with_cuda
from ...io.inference_model import save_inference_model
from ...io.variables import load_persistables, save_persistables
from ...optimizer.optimizer import Optimizer
from ...reader.feeder import DataFeeder
from ...static.execution.compiled import ParallelExecutor
from ...static.execution.executor import Executor
from ...static.execution.scope import Scope, scope_guard
from ...static.program.program import Program, program_guard
from .checkpoints import CheckpointConfig, clean_checkpoint, load_checkpoint, save_checkpoint, serials
from .events import BeginEpochEvent, BeginStepEvent, EndEpochEvent, EndStepEvent

_JOB = ("PADDLE_TRAINING_ROLE", "PADDLE_TRAINER_IPS")  # what starters of that time set in a job of several processes


class Trainer:
    """Trains the net that a function builds, in Programs and a scope of its own.

    Arguments:
        train_func: builds the net; returns the loss, or a list of Variables whose first one is the loss.
        optimizer_func: returns an optimizer.
        param_path: a folder of `save_params` from which the training starts, or None.
        place: where it runs; a GPU where there is one, if it is None.
        parallel: whether to run on CPU_NUM places, or on all GPUs.
        checkpoint_config: where checkpoints are written; None for no checkpoints. The newest one that is there is where the
            training starts. They are removed when the training has ended.

    Raises:
        ArgumentTypeError: `optimizer_func` returns no optimizer, or an argument has another type.
        ModeError: in a job of several processes.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.fluid.contrib.trainer import EndStepEvent, Trainer
    >>> def net():
    ...     x, y = fluid.layers.data('x', [1]), fluid.layers.data('y', [1])
    ...     return fluid.layers.mean(fluid.layers.square_error_cost(fluid.layers.fc(x, 1), y))
    >>> losses = []
    >>> def handle(event):
    ...     if isinstance(event, EndStepEvent):
    ...         losses.append(event.metrics[0].item())
    >>> trainer = Trainer(net, lambda: fluid.optimizer.SGD(0.1), place=fluid.CPUPlace())
    >>> trainer.train(2, handle, lambda: [[([float(i)], [2.0 * i])] for i in range(3)], ['x', 'y'])
    >>> len(losses), losses[5] < losses[2]
    (6, True)
    """

    def __init__(
        self,
        train_func: Callable[[], Any],
        optimizer_func: Callable[[], Any],
        param_path: str | None = None,
        place: Any = None,
        parallel: bool = False,
        checkpoint_config: CheckpointConfig | None = None,
    ) -> None:
        job = next((name for name in _JOB if name in os.environ), None)
        if job is not None:
            fix = "Train by an Executor and fluid.DistributeTranspiler."
            raise ModeError(f"Trainer: {job} is set, and a Trainer here is of one process. {fix}")
        if checkpoint_config is not None and not isinstance(checkpoint_config, CheckpointConfig):
            got = describe(checkpoint_config)
            raise ArgumentTypeError(message("Trainer", "checkpoint_config", got, "a CheckpointConfig, or None"))
        self.parallel, self.trainer_id, self.checkpoint_cfg = parallel, 0, checkpoint_config
        self.place = check_and_get_place(place)
        self.scope, self.train_program, self.startup_program = Scope(), Program(), Program()
        self._stopped = False
        self._parallel_executor: Any = None
        with program_guard(self.train_program, self.startup_program):
            made = train_func()
            self.train_func_outputs = list(made) if isinstance(made, list) else [made]
            self.test_program = self.train_program.clone(for_test=True)
            optimizer = optimizer_func()
            if not isinstance(optimizer, Optimizer):
                got, needs = describe(optimizer), "a function that returns an optimizer, e.g. fluid.optimizer.SGD(0.1)"
                raise ArgumentTypeError(message("Trainer", "optimizer_func", f"one that returns {got}", needs))
            optimizer.minimize(self.train_func_outputs[0])
        with self._own():
            exe = Executor(self.place)
            exe.run(self.startup_program)
            self._resume(exe)
            if param_path and os.path.isdir(param_path):
                load_persistables(exe, param_path, self.startup_program)

    @contextmanager
    def _own(self) -> Iterator[None]:
        with program_guard(self.train_program, self.startup_program), scope_guard(self.scope):
            yield

    def stop(self) -> None:
        """End the training before the next step; an event handler calls it."""
        self._stopped = True

    def train(
        self,
        num_epochs: int,
        event_handler: Callable[[Any], Any],
        reader: Any = None,
        feed_order: Any = None,
    ) -> None:
        """Train.

        Arguments:
            num_epochs: the number of epochs, each over the whole reader.
            event_handler: called with a BeginEpochEvent, BeginStepEvent, EndStepEvent or EndEpochEvent.
            reader: a reader of batches, e.g. from `paddle.batch`.
            feed_order: the names of the data Variables in the order of a sample, or a dict from name to place.

        Raises:
            ArgumentTypeError: `feed_order` is neither a list nor a dict.
            ArgumentValueError: the places of `feed_order` are not 0, 1, ...
        """
        with self._own():
            feeder = DataFeeder(build_feed_var_list(self.train_program, feed_order), self.place)
            feeds = feeder.decorate_reader(reader, multi_devices=self.parallel)
            self._train(num_epochs, event_handler, feeds)

    def _train(self, num_epochs: int, event_handler: Callable[[Any], Any], feeds: Callable[[], Any]) -> None:
        run, fetched = self._runner(), [var.name for var in self.train_func_outputs]
        config = self.checkpoint_cfg
        for epoch in range(0 if config is None else config.epoch_id, num_epochs):
            event_handler(BeginEpochEvent(epoch))
            for step, feed in enumerate(feeds()):
                if self._stopped:
                    self._end()
                    return
                if self._is_done(epoch, step):
                    continue
                begin = BeginStepEvent(epoch, step)
                event_handler(begin)
                metrics = run(feed=feed, fetch_list=fetched if begin.fetch_metrics else [])
                self._save(epoch, step)
                event_handler(EndStepEvent(epoch, step, metrics))
            event_handler(EndEpochEvent(epoch))
        self._end()

    def _runner(self) -> Any:
        if not self.parallel:
            return Executor(self.place).run
        if self._parallel_executor is None:
            loss = self.train_func_outputs[0].name
            self._parallel_executor = ParallelExecutor(isinstance(self.place, CUDAPlace), loss)
        return self._parallel_executor.run

    def test(self, reader: Any, feed_order: Any) -> list[Any]:
        """Return the mean over all batches of what the train function returned; of larger results, of their first row.

        Arguments:
            reader: a reader of batches.
            feed_order: as of `train`.

        Raises:
            ArgumentValueError: the reader has no batch.
        """
        with scope_guard(self.scope):
            exe = Executor(self.place)
            feeder = DataFeeder(build_feed_var_list(self.test_program, feed_order), self.place)
            sums: list[Any] = [0] * len(self.train_func_outputs)
            count = 0
            for batch in reader():
                results = exe.run(self.test_program, feeder.feed(batch), self.train_func_outputs)
                sums = [total + each[0] for total, each in zip(sums, results, strict=True)]
                count += 1
        if not count:
            raise ArgumentValueError(message("Trainer.test", "reader", "one without a batch", "one or more batches"))
        return [total / count for total in sums]

    def save_params(self, param_path: str) -> None:
        """Write the parameters, and all other variables that last, into a folder.

        Arguments:
            param_path: the folder.
        """
        with self._own():
            save_persistables(Executor(self.place), param_path)

    def save_inference_model(
        self, param_path: str, feeded_var_names: Sequence[str], target_var_indexes: Sequence[int]
    ) -> None:
        """Write an inference model.

        Arguments:
            param_path: the folder.
            feeded_var_names: the names of the Variables that will be fed.
            target_var_indexes: which of the Variables that the train function returned are its results.
        """
        with self._own():
            targets = [self.train_func_outputs[index] for index in target_var_indexes]
            save_inference_model(param_path, list(feeded_var_names), targets, Executor(self.place))

    def _resume(self, exe: Executor) -> None:
        config = self.checkpoint_cfg
        if config is None:
            return
        config.load_serial = max(serials(config.checkpoint_dir, finished=True), default=None)
        if config.load_serial is not None:
            load_checkpoint(exe, config.checkpoint_dir, self.startup_program)
            names = ("epoch_id", "step_id")
            numbers = load_checkpoint(exe, config.checkpoint_dir, self.startup_program, load_trainer_args=names)
            config.epoch_id, config.step_id = map(int, numbers or ())

    def _is_done(self, epoch: int, step: int) -> bool:
        config = self.checkpoint_cfg
        return (
            config is not None and config.load_serial is not None and (epoch, step) <= (config.epoch_id, config.step_id)
        )

    def _save(self, epoch: int, step: int) -> None:
        config = self.checkpoint_cfg
        if config is not None and epoch % config.epoch_interval == 0 and step % config.step_interval == 0:
            numbers, exe = {"epoch_id": epoch, "step_id": step}, Executor(self.place)
            folder, kept = config.checkpoint_dir, config.max_num_checkpoints
            save_checkpoint(exe, folder, self.trainer_id, self.train_program, numbers, kept)

    def _end(self) -> None:
        if self.checkpoint_cfg is not None:
            clean_checkpoint(self.checkpoint_cfg.checkpoint_dir)


def check_and_get_place(place: Any) -> Any:
    """Return the place; where it is None, a GPU if there is one, else the CPU.

    Arguments:
        place: a fluid.CPUPlace, a fluid.CUDAPlace, or None.

    Raises:
        ArgumentTypeError: it is something else.
    """
    if place is None:
        return CUDAPlace(0) if is_compiled_with_cuda() else CPUPlace()
    if not isinstance(place, (CPUPlace, CUDAPlace)):
        raise ArgumentTypeError(message("Trainer", "place", describe(place), "a CPUPlace, a CUDAPlace, or None"))
    return place


def build_feed_var_list(program: Any, feed_order: Any) -> list[Any]:
    """Return the data Variables of a Program in the order of a sample.

    Arguments:
        program: a Program.
        feed_order: their names in that order, or a dict from name to place.

    Raises:
        ArgumentTypeError: an argument has another type.
        ArgumentValueError: the places of a dict are not 0, 1, ...
    """
    where = "build_feed_var_list"
    if not isinstance(program, Program):
        raise ArgumentTypeError(message(where, "program", describe(program), "a Program"))
    if isinstance(feed_order, Mapping):
        if sorted(feed_order.values()) != list(range(len(feed_order))):
            got = str(sorted(feed_order.values()))
            raise ArgumentValueError(message(where, "feed_order", f"the places {got}", "0, 1, ... each once"))
        feed_order = sorted(feed_order, key=feed_order.__getitem__)
    if not isinstance(feed_order, list):
        needs = "a list of names of data, or a dict from name to place"
        raise ArgumentTypeError(message(where, "feed_order", describe(feed_order), needs))
    return [program.global_block().var(name) for name in feed_order]
