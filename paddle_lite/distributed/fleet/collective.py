"""Jobs without servers, `fluid.incubate.fleet.collective`."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable
from typing import Any

import numpy as np

from ...contrib.mixed_precision.optimizer import decorate
from ...core.errors import ArgumentTypeError, ArgumentValueError, ModeError, NotYetAvailable, describe, message
from ...core.files.atomic import atomic_file, publish_folder
from ...core.missing import missing_text
from ...io.inference_model import save_inference_model
from ...io.variables import load_persistables, save_persistables
from ...optimizer.recompute import RecomputeOptimizer
from ...static.execution.compiled import CompiledProgram
from ...static.execution.strategies import BuildStrategy, ExecutionStrategy
from ...static.program import program as programs
from ..file_systems import FS, LocalFS
from ..transpiler.config import DistributeTranspilerConfig
from ..transpiler.transpiler import DistributeTranspiler
from ..transpiler.workers import KINDS
from .base import DistributedOptimizer, Fleet, Mode

__all__ = [
    "Collective",
    "CollectiveOpBasedOptimizer",
    "CollectiveOptimizer",
    "DistFCConfig",
    "DistributedStrategy",
    "LambConfig",
    "TrainStatus",
    "fleet",
]

_PREFIX, _PARAMETERS, _STATUS = "__paddle_fleet_checkpoint__", "_paddle_fleet_param__", "fleet_train_status"


class LambConfig:
    """The settings of Lamb: there are none."""


class DistFCConfig:
    """The settings of a fully connected layer that several workers share: there are none."""


class DistributedStrategy(BuildStrategy):
    """A BuildStrategy, and what the workers of a job do differently.

    `mode` is "nccl2" (the gradients of all workers are averaged) or "collective" with a `collective_mode`, "grad_allreduce" (the
    same by operators of the Program) or "local_sgd" (the parameters are averaged after each step), which `use_local_sgd` sets.
    `forward_recompute` with `recompute_checkpoints` has the effect of `fluid.optimizer.RecomputeOptimizer`, `use_amp` with
    `amp_loss_scaling` that of `fluid.contrib.mixed_precision.decorate`.

    >>> from paddle_lite.fluid.incubate.fleet.collective import DistributedStrategy
    >>> strategy = DistributedStrategy()
    >>> strategy.forward_recompute, strategy.mode
    (False, 'nccl2')
    """

    _defaults = BuildStrategy._defaults | {
        "use_local_sgd": False, "use_dist_fc": False, "dist_fc_config": None, "mode": "nccl2", "collective_mode": None,
        "forward_recompute": False, "recompute_checkpoints": [], "use_amp": False, "amp_loss_scaling": 32768,
        "exec_strategy": None, "_ut4grad_allreduce": False,
    }  # fmt: skip
    _used = BuildStrategy._used | {"forward_recompute", "recompute_checkpoints", "use_amp", "use_dist_fc"}
    _used |= {"exec_strategy", "amp_loss_scaling", "use_local_sgd", "mode", "collective_mode"}
    _reasons = BuildStrategy._reasons | {"nccl_comm_num": "the workers use one connection"}

    def __init__(self) -> None:
        super().__init__()
        object.__setattr__(self, "recompute_checkpoints", [])
        object.__setattr__(self, "exec_strategy", ExecutionStrategy())


class TrainStatus:
    """How far a training has come, as checkpoints record it.

    Arguments:
        epoch_no: the number of the last epoch that is finished; -1 before the first one.

    >>> from paddle_lite.fluid.incubate.fleet.collective import TrainStatus
    >>> TrainStatus(3).next(), TrainStatus(3) == TrainStatus(3)
    (4, True)
    """

    def __init__(self, epoch_no: int = -1) -> None:
        if not isinstance(epoch_no, (int, np.integer)):
            raise ArgumentTypeError(message("TrainStatus", "epoch_no", describe(epoch_no), "an int"))
        self._epoch_no = epoch_no

    def next(self) -> int:
        """Return the number of the epoch to train next."""
        return self._epoch_no + 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TrainStatus) and self._epoch_no == other._epoch_no

    def __hash__(self) -> int:
        return hash(self._epoch_no)


class Collective(Fleet):
    """A job whose workers exchange gradients or parameters with each other.

    `main_program` is what an Executor runs, `_origin_program` the Program before it was changed for the job.

    >>> import paddle_lite.fluid as fluid
    >>> from paddle_lite.fluid.incubate.fleet.base import role_maker
    >>> from paddle_lite.fluid.incubate.fleet.collective import fleet
    >>> fleet.init(role_maker.UserDefinedCollectiveRoleMaker(0, ['127.0.0.1:6170']))
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data('x', [None, 4]), 2))
    ...     _ = fleet.distributed_optimizer(fluid.optimizer.SGD(0.1)).minimize(loss)
    ...     print(fleet.main_program, fleet.startup_program is fluid.default_startup_program())
    <CompiledProgram on 1 places of 9 operators> True
    """

    def __init__(self) -> None:
        super().__init__(Mode.COLLECTIVE)
        self.main_program: Any = None
        self.startup_program: Any = None
        self._origin_program: Any = None
        self._transpiled_program: Any = None

    def init_worker(self) -> None:
        """Do nothing: a worker of this kind of job needs no preparation."""

    def init_server(self, model_dir: str | None = None) -> None:
        """Do nothing: this kind of job has no servers."""

    def run_worker(self, main_programs: Any = None, scopes: Any = None) -> None:
        """Do nothing: an Executor runs the Program."""

    def run_server(self) -> None:
        """Do nothing: this kind of job has no servers."""

    def stop_worker(self) -> None:
        """Do nothing: there is nothing to end."""

    def distributed_optimizer(self, optimizer: Any, strategy: Any = None) -> CollectiveOptimizer:
        """Return an optimizer for the job.

        Arguments:
            optimizer: an optimizer of `fluid.optimizer`.
            strategy: a DistributedStrategy.

        Returns:
            An optimizer; its `minimize` sets `fleet.main_program` and `fleet.startup_program`.

        Raises:
            ArgumentTypeError: an argument has another type.
        """
        self._optimizer = CollectiveOptimizer(optimizer, strategy, self)
        return self._optimizer

    def save_inference_model(
        self,
        executor: Any,
        dirname: str,
        feeded_var_names: Any = None,
        target_vars: Any = None,
        main_program: Any = None,
        export_for_deployment: bool = True,
    ) -> None:
        """Write a model for inference, like `fluid.io.save_inference_model`."""
        program = self._origin_program if main_program is None else main_program
        save_inference_model(
            dirname, feeded_var_names, target_vars, executor, program, export_for_deployment=export_for_deployment
        )

    def save_persistables(
        self, executor: Any, dirname: str, main_program: Any = None, filename: str | None = None
    ) -> None:
        """Write the persistable variables, like `fluid.io.save_persistables`."""
        save_persistables(executor, dirname, self._origin_program if main_program is None else main_program, filename)

    # --- checkpoints --------------------------------------------------------------------------------------------------

    def _numbers(self, root_path: str, fs: FS) -> list[int]:
        """Return the numbers of the checkpoints in a folder, in order."""
        names = [name.rpartition(".") for name in fs.list_dirs(root_path)]
        return sorted(int(number) for prefix, _, number in names if prefix == _PREFIX and number.isdecimal())

    def _get_last_checkpoint_no(self, root_path: str, fs: FS) -> int:
        return max(self._numbers(root_path, fs), default=-1)

    def clean_redundant_check_points(self, root_path: str, fs: FS | None = None, checkpoint_num: int = 1) -> None:
        """Delete all checkpoints in a folder but the last ones.

        Arguments:
            root_path: the folder.
            fs: the file system; that of this machine by default.
            checkpoint_num: how many remain.
        """
        fs = LocalFS() if fs is None else fs
        for number in self._numbers(root_path, fs)[: -max(checkpoint_num, 1)]:
            fs.delete(f"{root_path}/{_PREFIX}.{number}")

    def save_check_point(
        self,
        executor: Any,
        path: str,
        train_status: TrainStatus,
        main_program: Any = None,
        fs: FS | None = None,
        local_cache_path: str = ".cache",
        remain_all_checkpoint: bool = True,
    ) -> None:
        """Write the persistable variables and how far the training has come, as a new checkpoint in a folder.

        Arguments:
            executor: an Executor.
            path: the folder of the checkpoints; each is a folder in it.
            train_status: how far the training has come.
            main_program: the Program; that of `minimize` by default.
            fs: the file system; that of this machine by default.
            local_cache_path: where files lie that a remote file system takes from this machine.
            remain_all_checkpoint: keep older checkpoints.

        Raises:
            ArgumentTypeError: `train_status` is no TrainStatus.
        """
        if not isinstance(train_status, TrainStatus):
            raise ArgumentTypeError(
                message("save_check_point", "train_status", describe(train_status), "a TrainStatus")
            )
        fs = LocalFS() if fs is None else fs
        if not fs.stat(path):
            fs.mkdir(path)
        real = f"{path}/{_PREFIX}.{self._get_last_checkpoint_no(path, fs) + 1}"
        temporary = f"{real}.tmp"
        folder = f"{local_cache_path}/{os.path.basename(temporary)}" if fs.need_upload_download() else temporary
        shutil.rmtree(folder, ignore_errors=True)
        self.save_persistables(executor, f"{folder}/{_PARAMETERS}", main_program)
        with atomic_file(f"{folder}/{_STATUS}") as file:
            file.write(json.dumps({"epoch_no": train_status._epoch_no}).encode())
        if fs.need_upload_download():
            fs.delete(temporary)
            fs.upload(folder, temporary)
            fs.mv(temporary, real)
        else:
            publish_folder(temporary, real, fs.mv)
        if not remain_all_checkpoint:
            self.clean_redundant_check_points(path, fs)

    def load_check_point(
        self,
        executor: Any,
        path: str,
        trainer_id: int,
        main_program: Any = None,
        fs: FS | None = None,
        local_cache_path: str = ".cache",
        ignore_empty: bool = True,
    ) -> TrainStatus | None:
        """Read the last checkpoint of a folder.

        Arguments:
            executor: an Executor.
            path: the folder of the checkpoints.
            trainer_id: the index of this worker, in the name of its cache.
            main_program: the Program; that of `minimize` by default.
            fs: the file system; that of this machine by default.
            local_cache_path: where files lie that come from a remote file system.
            ignore_empty: return None where there is no checkpoint.

        Returns:
            How far the training had come.

        Raises:
            ModeError: there is no checkpoint, and `ignore_empty` is False.
        """
        fs = LocalFS() if fs is None else fs
        last = self._get_last_checkpoint_no(path, fs)
        if last < 0:
            if ignore_empty:
                return None
            raise ModeError(f"load_check_point: {path} has no checkpoint. Save one with save_check_point first.")
        folder = f"{path}/{_PREFIX}.{last}"
        if fs.need_upload_download():
            cached = f"{local_cache_path}/{_PREFIX}.{last}.load_cache.{trainer_id}"
            shutil.rmtree(cached, ignore_errors=True)
            fs.download(folder, cached)
            folder = cached
        program = self._origin_program if main_program is None else main_program
        load_persistables(executor, f"{folder}/{_PARAMETERS}", program)
        with open(f"{folder}/{_STATUS}", encoding="utf8") as file:
            return TrainStatus(json.load(file)["epoch_no"])


fleet = Collective()


class CollectiveOptimizer(DistributedOptimizer):
    """The optimizer of a job without servers.

    Arguments:
        optimizer: an optimizer of `fluid.optimizer`.
        strategy: a DistributedStrategy.
        job: the fleet whose Programs `minimize` sets.

    Raises:
        ArgumentTypeError: an argument has another type.
        NotYetAvailable: the strategy asks for `use_dist_fc`.
    """

    def __init__(self, optimizer: Any, strategy: Any = None, job: Collective = fleet) -> None:
        strategy = DistributedStrategy() if strategy is None else strategy
        super().__init__(optimizer, strategy)
        if not isinstance(strategy, BuildStrategy):
            where, needs = "CollectiveOptimizer", "a DistributedStrategy"
            raise ArgumentTypeError(message(where, "strategy", describe(strategy), needs))
        if getattr(strategy, "use_dist_fc", False):
            raise NotYetAvailable(missing_text("DistributedStrategy.use_dist_fc"))
        self._job = job

    def minimize(
        self,
        loss: Any,
        startup_program: Any = None,
        parameter_list: Any = None,
        no_grad_set: Iterable[Any] | None = None,
    ) -> tuple[list[Any], list[tuple[Any, Any]]]:
        """Append gradients and updates, like `Optimizer.minimize`.

        Returns:
            (operators that update parameters, [(parameter, gradient), ...]).
        """
        job = self._job
        job._role_maker  # noqa: B018 - it raises before fleet.init
        strategy = self._strategy
        mode, collective_mode = _modes(strategy)
        optimizer: Any = self._optimizer
        if getattr(strategy, "forward_recompute", False):
            optimizer = RecomputeOptimizer(optimizer)
            optimizer._set_checkpoints(strategy.recompute_checkpoints)
        if getattr(strategy, "use_amp", False):
            optimizer = decorate(optimizer, init_loss_scaling=float(strategy.amp_loss_scaling))
        result = optimizer.minimize(loss, startup_program, parameter_list, no_grad_set)
        program = loss.block.program
        job._origin_program, job._transpiled_program = program.clone(for_test=False), program
        job.startup_program = programs.default_startup_program() if startup_program is None else startup_program
        if job.worker_num() > 1:
            self._transpile(program, mode, collective_mode)
        job.main_program = program if mode == "collective" else self._compiled(program, loss.name)
        return result

    def _transpile(self, program: Any, mode: str, collective_mode: str | None) -> None:
        """Change the Programs to those of a worker."""
        job, config = self._job, DistributeTranspilerConfig()
        config.mode, config.collective_mode = mode, collective_mode
        config.nccl_comm_num = self._strategy.nccl_comm_num
        endpoints = job.worker_endpoints()
        number = job.worker_index()
        DistributeTranspiler(config).transpile(
            number, program, trainers=",".join(endpoints), startup_program=job.startup_program,
            current_endpoint=endpoints[number],
        )  # fmt: skip

    def _compiled(self, program: Any, loss: str) -> CompiledProgram:
        """Return the Program with options by which its gradients are averaged over all workers."""
        job, build = self._job, self._strategy
        build.num_trainers, build.trainer_id = job.worker_num(), job.worker_index()
        build.trainers_endpoints = job.worker_endpoints()
        execution = getattr(self._strategy, "exec_strategy", None)
        return CompiledProgram(program).with_data_parallel(loss, build, execution, places=1)


def _modes(strategy: Any) -> tuple[str, str | None]:
    """Return the mode of a strategy, and its collective_mode.

    Raises:
        ArgumentValueError: it has another one.
    """
    if getattr(strategy, "use_local_sgd", False):
        return "collective", "local_sgd"
    mode, collective_mode = getattr(strategy, "mode", "nccl2"), getattr(strategy, "collective_mode", None)
    if mode not in ("nccl2", "collective"):
        raise ArgumentValueError(message("DistributedStrategy", "mode", repr(mode), "'nccl2' or 'collective'"))
    if mode == "collective" and collective_mode not in KINDS:
        needs = f"one of {', '.join(KINDS)}"
        raise ArgumentValueError(message("DistributedStrategy", "collective_mode", repr(collective_mode), needs))
    return mode, collective_mode


CollectiveOpBasedOptimizer = CollectiveOptimizer
