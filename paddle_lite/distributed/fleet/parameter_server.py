"""Jobs with servers, `fluid.incubate.fleet.parameter_server.distribute_transpiler`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, MissingFileError, ModeError, describe, message
from ...io.inference_model import save_inference_model
from ...io.variables import load_persistables, save_persistables
from ...static.execution.executor import Executor
from ...static.program.program import Program, default_startup_program
from ..communicator.api import Communicator
from ..communicator.settings import PREFIX
from ..transpiler.config import DistributedMode
from ..transpiler.transpiler import DistributeTranspiler
from .base import DistributedOptimizer, Fleet, Mode
from .strategies import DistributedStrategy, strategy_of

__all__ = ["DistributedTranspiler", "TranspilerOptimizer", "fleet", "is_transpiler"]

BUILD_MODE = Mode.TRANSPILER


def is_transpiler() -> bool:
    """Return whether jobs with servers are those of a DistributeTranspiler: True, as in public builds of 1.8.5.

    Returns:
        Whether they are; where not, they are those of PSLib.

    >>> from paddle_lite.fluid.incubate.fleet.parameter_server import version
    >>> version.is_transpiler()
    True
    """
    return BUILD_MODE == Mode.TRANSPILER


class DistributedTranspiler(Fleet):
    """A job whose servers keep the parameters.

    Attributes:
        main_program, startup_program: the Programs of this worker or server, once `minimize` was called.

    >>> import paddle_lite.fluid as fluid
    >>> from paddle_lite.fluid.incubate.fleet.base.role_maker import Role, UserDefinedRoleMaker
    >>> from paddle_lite.fluid.incubate.fleet.parameter_server.distribute_transpiler import StrategyFactory, fleet
    >>> fleet.init(UserDefinedRoleMaker(0, Role.SERVER, worker_num=2, server_endpoints=['127.0.0.1:6170']))
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data('x', [None, 4], 'float32'), 1))
    ...     optimizer = fleet.distributed_optimizer(fluid.optimizer.SGD(0.1), StrategyFactory.create_async_strategy())
    ...     _ = optimizer.minimize(loss)
    >>> fleet.main_program.global_block().ops[0].type
    'listen_and_serv'
    """

    def __init__(self) -> None:
        super().__init__(Mode.TRANSPILER)
        self.main_program: Any = None
        self.startup_program: Any = None
        self._transpiler: DistributeTranspiler | None = None
        self._transpile_config: DistributedStrategy | None = None
        self._communicator: Communicator | None = None

    def distributed_optimizer(self, optimizer: Any, strategy: Any = None) -> TranspilerOptimizer:
        """Return an optimizer for the job.

        Arguments:
            optimizer: an optimizer of `fluid.optimizer`.
            strategy: what a StrategyFactory makes, or a DistributeTranspilerConfig; None for the synchronous strategy.

        Returns:
            An optimizer; its `minimize` sets `fleet.main_program` and `fleet.startup_program`.

        Raises:
            ArgumentTypeError: an argument has another type.
        """
        self._optimizer = TranspilerOptimizer(optimizer, strategy, self)
        return self._optimizer

    # --- trainers -----------------------------------------------------------------------------------------------------

    def init_worker(self) -> None:
        """Start the Communicator of this worker and print its settings; the startup Program runs after it.

        Raises:
            ModeError: `minimize` was not called, this process is a server, or it has called `init_worker` before.
        """
        strategy = self._minimized("init_worker")
        if not self.is_worker():
            raise ModeError(
                "fleet.init_worker: this process is a server. It calls fleet.init_server() and run_server()."
            )
        if self._communicator is not None and self._communicator.is_running():
            raise ModeError(
                "fleet.init_worker: it has been called. Call fleet.stop_worker() before it is called again."
            )
        settings = strategy.get_trainer_runtime_config()
        flags = settings.get_communicator_flags()
        print(settings.display(flags))
        envs = {name: value for name, value in flags.items() if name.startswith(PREFIX)}
        assert strategy.mode is not None
        self._communicator = Communicator(self.main_program, strategy.mode, self._shared(strategy), envs)
        self._communicator.start()

    def _shared(self, strategy: DistributedStrategy) -> dict[str, Any] | None:
        """Return what a Communicator of GEO training must know."""
        assert self._transpiler is not None
        if strategy.mode != DistributedMode.GEO:
            return None
        return {
            "push_vars": self._transpiler._get_vars_info(),
            "trainers": self.worker_num(),
            "push_nums": strategy.get_program_config().geo_sgd_need_push_nums,
            "trainer_id": self.worker_index(),
        }

    def stop_worker(self) -> None:
        """Send what waits, and tell the servers that this worker is done.

        Raises:
            ModeError: `init` was not called.
        """
        if self._executor is None:
            raise ModeError("fleet.stop_worker: init() has not been called. Call fleet.init(role_maker) first.")
        if self._communicator is not None:
            self._communicator.stop()
        self._executor.close()

    # --- servers ------------------------------------------------------------------------------------------------------

    def init_server(self, model_dir: str | None = None) -> None:
        """Initialise the part of the parameters that this server holds.

        Arguments:
            model_dir: a folder of `save_persistables`, from which parameters are read; None for their initializers.

        Raises:
            ModeError: `minimize` was not called.
            MissingFileError: there is no such folder.
        """
        self._minimized("init_server")
        if model_dir is not None and not os.path.isdir(model_dir):
            needs = "a folder that fleet.save_persistables wrote"
            raise MissingFileError(message("fleet.init_server", "model_dir", repr(model_dir), needs))
        self._executor.run(self.startup_program)
        if model_dir is not None:
            load_persistables(self._executor, model_dir, self.main_program)

    def run_server(self) -> None:
        """Serve the workers until all have called `stop_worker`.

        Raises:
            ModeError: `minimize` was not called.
        """
        self._minimized("run_server")
        self._executor.run(self.main_program)

    # --- files --------------------------------------------------------------------------------------------------------

    def save_inference_model(
        self,
        executor: Any,
        dirname: str,
        feeded_var_names: Any,
        target_vars: Any,
        main_program: Any = None,
        export_for_deployment: bool = True,
    ) -> None:
        """Write a model for inference, like `fluid.io.save_inference_model`; tables come from the servers.

        Raises:
            ArgumentTypeError: `executor` is no Executor, or `main_program` no Program.
        """
        program = self._saved("save_inference_model", executor, main_program)
        save_inference_model(
            dirname, feeded_var_names, target_vars, executor, program, export_for_deployment=export_for_deployment
        )

    def save_persistables(self, executor: Any, dirname: str, main_program: Any = None) -> None:
        """Write all persistable variables, like `fluid.io.save_persistables`: those of the servers, put together.

        Raises:
            ArgumentTypeError: `executor` is no Executor, or `main_program` no Program.
        """
        save_persistables(executor, dirname, self._saved("save_persistables", executor, main_program))

    def _saved(self, call: str, executor: Any, program: Any) -> Any:
        where = f"in fleet.{call}() function"
        if not isinstance(executor, Executor):
            raise ArgumentTypeError(f"{where}, executor must be as Executor type; got {describe(executor)}")
        program = self.main_program if program is None else program
        if program is None:
            self._minimized(call)
        if not isinstance(program, Program):
            text = "main_program must be as Program type, CompiledProgram is not allowed"
            raise ArgumentTypeError(f"{where}, {text}; got {describe(program)}")
        return program

    # --- Programs -----------------------------------------------------------------------------------------------------

    def _minimized(self, call: str) -> DistributedStrategy:
        if self._transpile_config is None:
            text = "main_program is None, need invoke DistributedOptimizer.minimize first"
            raise ModeError(f"fleet.{call}: {text}: fleet.distributed_optimizer(optimizer, strategy).minimize(loss)")
        return self._transpile_config

    def _transpile(self, strategy: DistributedStrategy, main: Program, startup: Program) -> None:
        """Divide the Programs, and keep those of this process."""
        self._transpile_config = strategy
        self._transpiler = DistributeTranspiler(strategy.get_program_config())
        servers, trainer = self.server_endpoints(to_string=True), max(self.worker_index(), 0)
        if not servers:
            needs = "the servers of the job (PADDLE_PSERVERS_IP_PORT_LIST, which paddle.distributed.launch_ps sets)"
            fix = "A job without servers uses `fleet` of paddle.fluid.incubate.fleet.collective."
            raise ArgumentValueError(message("fleet", "the role maker's server endpoints", "none", needs, fix))
        self._transpiler.transpile(trainer, main, servers, self.worker_num(), False, startup)
        if self.is_worker():
            self.main_program, self.startup_program = self._transpiler.get_trainer_program(), startup
        else:
            endpoint = self.server_endpoints()[self.server_index()]
            self.main_program, self.startup_program = self._transpiler.get_pserver_programs(endpoint)


fleet = DistributedTranspiler()


class TranspilerOptimizer(DistributedOptimizer):
    """The optimizer of a job with servers.

    Arguments:
        optimizer: an optimizer of `fluid.optimizer`.
        strategy: what a StrategyFactory makes, or a DistributeTranspilerConfig; None for the synchronous strategy.
        job: the fleet whose Programs `minimize` sets.

    Raises:
        ArgumentTypeError: an argument has another type.
    """

    def __init__(self, optimizer: Any, strategy: Any = None, job: DistributedTranspiler = fleet) -> None:
        super().__init__(optimizer, strategy_of(strategy))
        self._job = job

    def minimize(
        self,
        loss: Any,
        scopes: Any = None,
        startup_program: Any = None,
        parameter_list: Any = None,
        no_grad_set: Iterable[Any] | None = None,
    ) -> Any:
        """Append gradients and updates, and divide the Programs: `fleet.main_program` and `fleet.startup_program`.

        A worker waits until the servers listen.

        Arguments:
            loss: the Variable to minimize.
            scopes: ignored, accepted for Fluid code.
            startup_program: the startup Program; the default one where it is None.
            parameter_list, no_grad_set: as of `Optimizer.minimize`.

        Returns:
            What `Optimizer.minimize` returns.

        Raises:
            ArgumentTypeError: `loss` is a list.
            ArgumentValueError: the role maker knows no servers.
            PeerError: some servers do not listen in time.
        """
        if isinstance(loss, (list, tuple)):
            raise ArgumentTypeError("DistributedTranspiler's minimize can not accept loss with list; pass one Variable")
        made = self._optimizer.minimize(loss, startup_program, parameter_list, no_grad_set)
        startup = default_startup_program() if startup_program is None else startup_program
        self._job._transpile(self._strategy, loss.block.program, startup)
        return made
