"""DistributeTranspiler: from the Program of one process to the Programs of a job."""

from __future__ import annotations

from copy import copy

from ...core.errors import ArgumentTypeError, ArgumentValueError, ModeError, NotYetAvailable, describe, message
from ...static.operators.peers import peers
from ...static.program import program as programs
from ...static.program.program import Program
from ..rpc.client import wait_for_servers
from ..rpc.ports import address
from . import geo
from .blocks import SMALLEST, trained_parameters
from .config import DistributedMode, DistributeTranspilerConfig
from .growing import mark_growing
from .job import Job, make_job
from .server import server_program, server_startup
from .server_parts import held_parts, of_server
from .trainer import remove_updates, rewrite_main, rewrite_startup
from .updates import leave_clipping
from .workers import without_servers


class DistributeTranspiler:
    """Makes from a Program that trains in one process those of trainers and parameter servers.

    Trainers compute gradients and send them to the servers, which update the parameters and give them back.

    Arguments:
        config: a DistributeTranspilerConfig; the defaults where it is None.

    Raises:
        ArgumentTypeError: config is something else.
        ArgumentValueError: config.min_block_size is below 8192.

    >>> import paddle_lite.fluid as fluid
    >>> main, startup = fluid.Program(), fluid.Program()
    >>> with fluid.program_guard(main, startup):
    ...     x = fluid.data('x', [None, 4], 'float32')
    ...     fluid.optimizer.SGD(0.1).minimize(fluid.layers.mean(fluid.layers.fc(x, 1)))
    ...     t = fluid.DistributeTranspiler()
    ...     t.transpile(0, pservers='127.0.0.1:6174', trainers=2)
    ([...], [...])
    >>> [op.type for op in t.get_pserver_program('127.0.0.1:6174').block(1).ops]
    ['sum', 'scale', 'sgd']
    >>> t.get_trainer_program(wait_port=False).global_block().ops[-1].type
    'fetch_barrier'
    """

    def __init__(self, config: DistributeTranspilerConfig | None = None) -> None:
        self.config = DistributeTranspilerConfig() if config is None else config
        if not isinstance(self.config, DistributeTranspilerConfig):
            needs = "a DistributeTranspilerConfig"
            raise ArgumentTypeError(message("DistributeTranspiler", "config", describe(config), needs))
        if self.config.min_block_size < SMALLEST:
            needs = f"{SMALLEST} or more elements"
            raise ArgumentValueError(
                message("DistributeTranspiler", "config.min_block_size", self.config.min_block_size, needs)
            )
        self._job: Job | None = None

    def transpile(
        self,
        trainer_id: int,
        program: Program | None = None,
        pservers: str = "127.0.0.1:6174",
        trainers: int | str = 1,
        sync_mode: bool = True,
        startup_program: Program | None = None,
        current_endpoint: str = "127.0.0.1:6174",
    ) -> None:
        """Prepare the Programs of the job. The given Programs become those of the trainer.

        Arguments:
            trainer_id: this trainer, counted from 0.
            program, startup_program: the Programs of one process; the default ones where they are None.
            pservers: the servers, "HOST:PORT" each, separated by commas.
            trainers: the number of trainers; in the modes without servers their endpoints, separated by commas.
            sync_mode: all trainers take each step together, on the mean of their gradients.
            current_endpoint: of this process, in the modes without servers.

        Raises:
            ArgumentTypeError, ArgumentValueError: trainer_id, trainers or pservers is wrong.
            NotYetAvailable: config asks for enable_dc_asgd.
        """
        config = self.config
        self._main = programs.default_main_program() if program is None else program
        self._startup = programs.default_startup_program() if startup_program is None else startup_program
        if config.mode in ("nccl2", "collective"):
            without_servers(self._main, self._startup, config, trainer_id, trainers, current_endpoint)
            return
        if config.mode != "pserver" or config.enable_dc_asgd:
            what = "enable_dc_asgd" if config.enable_dc_asgd else config.mode
            raise NotYetAvailable(f"DistributeTranspiler: {what} is not yet available; parameter servers are.")
        if not isinstance(trainers, int) or trainers < 1:
            raise ArgumentValueError(message("transpile", "trainers", describe(trainers), "the number of trainers"))
        if not isinstance(trainer_id, int) or trainer_id < 0:
            raise ArgumentValueError(message("transpile", "trainer_id", describe(trainer_id), f"0 to {trainers - 1}"))
        endpoints = [each.strip() for each in pservers.split(",")]
        for endpoint in endpoints:
            address(endpoint, "transpile")
        leave_clipping(self._main)
        self._source, self._source_startup = self._main.clone(), self._startup.clone()
        trained = trained_parameters(self._source, config, endpoints)
        self._job = job = make_job(trainer_id, trainers, endpoints, sync_mode, config, trained)
        if job.mode != DistributedMode.GEO:
            mark_growing(self._source, self._source_startup, trained)
        self._parts = held_parts(self._source, job)
        self._main._server_parts = {} if job.mode == DistributedMode.GEO else self._parts
        if job.mode == DistributedMode.GEO:
            geo.rewrite_main(self._main, job)
            geo.rewrite_startup(self._startup, job)
        else:
            rewrite_main(self._main, job)
            rewrite_startup(self._startup, job)

    def get_trainer_program(self, wait_port: bool = True) -> Program:
        """Return the main Program of the trainer; wait for the servers first.

        Arguments:
            wait_port: whether to wait until the servers listen, at most FLAGS_rpc_deadline milliseconds.

        Raises:
            ModeError: transpile() was not called, or gRPC is not installed.
            PeerLost: some servers do not listen in time.
            ArgumentTypeError: wait_port is not a bool.
            ArgumentValueError: trainer_id of transpile() is no trainer of the job.
        """
        if not isinstance(wait_port, (bool, int)):
            raise ArgumentTypeError(message("get_trainer_program", "wait_port", describe(wait_port), "True or False"))
        job = self._transpiled("get_trainer_program")
        if job.trainer_id >= job.trainers:
            needs = f"0 to {job.trainers - 1}, for `trainers` is {job.trainers}"
            raise ArgumentValueError(message("get_trainer_program", "trainer_id of transpile", job.trainer_id, needs))
        if job.mode != DistributedMode.GEO:
            remove_updates(self._main, self._startup)
        peers().expect(job.endpoints)
        if wait_port and self.config.wait_port:
            wait_for_servers(job.endpoints)
        return self._main

    def get_pserver_program(self, endpoint: str) -> Program:
        """Return the main Program of a server, which an Executor runs until all trainers are done.

        Arguments:
            endpoint: the server, one of those given to transpile().

        Raises:
            ModeError: transpile() was not called.
            ArgumentValueError: the job has no such server.
        """
        job = self._transpiled("get_pserver_program")
        if endpoint not in job.endpoints:
            needs = f"one of the job's servers: {', '.join(job.endpoints)}"
            raise ArgumentValueError(message("get_pserver_program", "endpoint", repr(endpoint), needs))
        if job.mode == DistributedMode.GEO:
            program = geo.server_program(self._source, job, endpoint)
        else:
            program = server_program(self._source, job, endpoint, self._source_startup)
        program._server_parts = of_server(self._parts, program, endpoint)
        return program

    def get_pserver_programs(self, endpoint: str) -> tuple[Program, Program]:
        """Return the main and the startup Program of a server; see `get_pserver_program`."""
        main = self.get_pserver_program(endpoint)
        return main, self.get_startup_program(endpoint, main)

    def get_startup_program(
        self, endpoint: str, pserver_program: Program | None = None, startup_program: Program | None = None
    ) -> Program:
        """Return the startup Program of a server, which makes its part of the parameters.

        Arguments:
            endpoint: the server.
            pserver_program: its main Program; made where it is None.
            startup_program: the startup Program of one process; that of transpile() where it is None.

        Raises:
            ModeError: transpile() was not called.
            ArgumentValueError: the job has no such server.
            NotYetAvailable: a parameter that is cut has an initializer that lists its values.
        """
        self._transpiled("get_startup_program")
        main = self.get_pserver_program(endpoint) if pserver_program is None else pserver_program
        return server_startup(startup_program or self._source_startup, main)

    def _get_vars_info(self) -> dict[str, dict[str, list[str]]]:
        """Return where the parts of each parameter are, as Communicators of GEO training take it."""
        found = {}
        for each in self._transpiled("_get_vars_info").trained:
            found[each.name] = {
                "var_names": [part.parameter for part in each.blocks],
                "sections": [str(part.shape[0]) for part in each.blocks],
                "epmap": [part.endpoint for part in each.blocks],
                "is_sparse": [str(each.table)],
            }
        return found

    def _transpiled(self, call: str) -> Job:
        if self._job is None:
            raise ModeError(f"DistributeTranspiler.{call}: call transpile() first.")
        return self._job


class GeoSgdTranspiler(DistributeTranspiler):
    """Makes the Programs of GEO training: a DistributeTranspiler whose config has geo_sgd_mode.

    Trainers update their parameters themselves. After config.geo_sgd_need_push_nums steps a Communicator sends what has
    changed, divided by the number of trainers, and adds what the others have changed.

    Arguments:
        config: a DistributeTranspilerConfig; the defaults where it is None.
    """

    def __init__(self, config: DistributeTranspilerConfig | None = None) -> None:
        super().__init__(config)
        self.config = copy(self.config)
        self.config.geo_sgd_mode = True

    def transpile(
        self,
        trainer_id: int,
        program: Program | None = None,
        pservers: str = "127.0.0.1:6174",
        trainers: int | str = 1,
        sync_mode: bool = False,
        startup_program: Program | None = None,
        current_endpoint: str = "127.0.0.1:6174",
    ) -> None:
        """Prepare the Programs of the job, like `DistributeTranspiler.transpile`; sync_mode has no effect."""
        super().transpile(trainer_id, program, pservers, trainers, sync_mode, startup_program, current_endpoint)
