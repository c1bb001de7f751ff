"""From the Program of one process to that of a worker of a job without servers: gradients or parameters are averaged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.dtype import VarType
from ...core.errors import ArgumentTypeError, ArgumentValueError, ModeError, describe, message
from ...static.program import program as programs
from ...static.program.program import Program
from ...static.program.roles import OpRole

__all__ = ["Collective", "GradAllReduce", "LocalSGD", "SingleProcessMultiThread"]

SNAPSHOT = "@SNAPSHOT"


MOST_RINGS = 1024  # each is a connection of GPUs, and adds operators to both Programs


class Collective:
    """The base class of what makes Programs of workers.

    Arguments:
        nrings: how many connections of GPUs the operators use in turn.
    """

    mode = ""

    def __init__(self, nrings: int = 1) -> None:
        if isinstance(nrings, bool) or not isinstance(nrings, int) or not 0 < nrings <= MOST_RINGS:
            needs = f"a number of connections, 1 to {MOST_RINGS}"
            raise ArgumentValueError(message(type(self).__name__, "nrings", describe(nrings), needs))
        self.nrings = nrings
        self.nranks = self.rank = 0
        self.endpoints: list[str] = []
        self.current_endpoint = ""

    def transpile(
        self,
        startup_program: Program | None,
        main_program: Program | None,
        rank: int,
        endpoints: Sequence[str] | str,
        current_endpoint: str,
        wait_port: bool = True,
    ) -> None:
        """Change the Programs of one process to those of a worker.

        Arguments:
            startup_program, main_program: the Programs; the default ones where they are None.
            rank: the index of this worker.
            endpoints: the addresses of all workers.
            current_endpoint: the address of this worker.
            wait_port: accepted; the workers wait for each other when the startup Program runs.

        Raises:
            ArgumentTypeError, ArgumentValueError: an argument is wrong, or there is one worker only.
            ModeError: main_program has no gradients.
        """
        where = f"{type(self).__name__}.transpile"
        self.startup_program = programs.default_startup_program() if startup_program is None else startup_program
        self.main_program = programs.default_main_program() if main_program is None else main_program
        for name, program in (("startup_program", self.startup_program), ("main_program", self.main_program)):
            if not isinstance(program, Program):
                raise ArgumentTypeError(message(where, name, describe(program), "a fluid.Program"))
        self.endpoints = endpoints.split(",") if isinstance(endpoints, str) else list(endpoints)
        self.nranks = len(self.endpoints)
        if self.nranks == 1 and self.mode != "single_process_multi_thread":
            raise ArgumentValueError(message(where, "endpoints", self.endpoints, "two or more workers"))
        if isinstance(rank, bool) or not isinstance(rank, int) or not 0 <= rank < self.nranks:
            raise ArgumentValueError(message(where, "rank", describe(rank), f"0 to {self.nranks - 1}"))
        if current_endpoint not in self.endpoints:
            raise ArgumentValueError(
                message(where, "current_endpoint", repr(current_endpoint), f"one of {self.endpoints}")
            )
        self.rank, self.current_endpoint = rank, current_endpoint
        if not any(op.role & OpRole.Backward for op in self.main_program.global_block().ops):
            raise ModeError(f"{where}: main_program has no gradients. Call minimize() of an optimizer before.")
        self._begin()
        self._change()
        for program in (self.startup_program, self.main_program):
            program._changed()

    # --- the startup Program --------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Append to the startup Program what joins the workers, and copies the parameters of the first one."""
        block = self.startup_program.global_block()
        forward = {"op_role": int(OpRole.Forward)}
        for ring in range(self.nrings):
            self._join(block, ring, forward)
        ring, names = -1, [parameter.name for parameter in _parameters(self.startup_program)]
        for name in names:
            ring = (ring + 1) % self.nrings
            attrs = {"ring_id": ring, "root": 0, **forward}
            block.append_op("c_broadcast", {"X": [name]}, {"Out": [name]}, attrs)
        for ring in range(self.nrings if names else 0):
            block.append_op(
                "c_sync_comm_stream", {"X": [names[-1]]}, {"Out": [names[-1]]}, {"ring_id": ring, **forward}
            )

    def _join(self, block: Any, ring: int, attrs: dict[str, Any]) -> None:
        name = f"nccl_id_{ring}"
        block.create_var(name=name, persistable=True, type=VarType.RAW)
        others = [endpoint for endpoint in self.endpoints if endpoint != self.current_endpoint]
        found = {"rank": self.rank, "endpoint": self.current_endpoint, "other_endpoints": others, **attrs}
        block.append_op("c_gen_nccl_id", {}, {"Out": [name]}, found)
        joined = {"nranks": self.nranks, "rank": self.rank, "ring_id": ring, **attrs}
        block.append_op("c_comm_init", {"X": [name]}, {}, joined)

    # --- the main Program -----------------------------------------------------------------------------------------------

    def _change(self) -> None:
        """Change the main Program."""
        raise NotImplementedError

    def _reduce(self, block: Any, at: int, name: str, ring: int, role: OpRole) -> None:
        """Insert the sum over all workers of a variable."""
        slots: dict[str, Any] = {"inputs": {"X": [name]}, "outputs": {"Out": [name]}}
        attrs = {"ring_id": ring, "op_role": int(role)}
        block._insert_op(at, type="c_sync_calc_stream", attrs={"op_role": int(role)}, **slots)
        block._insert_op(at + 1, type="c_allreduce_sum", attrs=attrs, **slots)

    def _wait(self, block: Any, at: int, name: str, role: OpRole) -> int:
        """Insert what waits for the sums of all rings; return the index behind it."""
        for ring in range(self.nrings):
            attrs = {"ring_id": ring, "op_role": int(role)}
            block._insert_op(
                at + ring, type="c_sync_comm_stream", inputs={"X": [name]}, outputs={"Out": [name]}, attrs=attrs
            )
        return at + self.nrings


class GradAllReduce(Collective):
    """Makes a Program whose gradients are averaged over all workers: each is summed as soon as it is made.

    Arguments:
        nrings: how many connections of GPUs the sums use in turn.

    >>> import paddle_lite.fluid as fluid
    >>> main, startup = fluid.Program(), fluid.Program()
    >>> with fluid.program_guard(main, startup):
    ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data('x', [None, 4]), 1, bias_attr=False))
    ...     _ = fluid.optimizer.SGD(0.1).minimize(loss)
    >>> workers = ['127.0.0.1:6170', '127.0.0.1:6171']
    >>> fluid.transpiler.collective.GradAllReduce(1).transpile(startup, main, 0, workers, workers[0])
    >>> [op.type for op in main.global_block().ops][-4:]
    ['c_sync_calc_stream', 'c_allreduce_sum', 'c_sync_comm_stream', 'sgd']
    """

    mode = "grad_allreduce"

    def __init__(self, nrings: int = 2) -> None:
        super().__init__(nrings)

    def _change(self) -> None:
        block = self.main_program.global_block()
        seeded = OpRole.Backward | OpRole.Loss
        for at, op in reversed(list(enumerate(block.ops))):
            if op.role == seeded:
                name, attrs = op.output_arg_names[0], {"scale": 1.0 / self.nranks, "op_role": int(OpRole.Backward)}
                block._insert_op(at + 1, type="scale", inputs={"X": [name]}, outputs={"Out": [name]}, attrs=attrs)
        self._sum_gradients(block)

    def _sum_gradients(self, block: Any) -> None:
        ring, name = -1, ""
        for at, op in reversed(list(enumerate(block.ops))):
            if not op.role & OpRole.Backward:
                continue
            pairs = list(op.attrs.get("op_role_var") or ())
            shared = [
                (parameter, gradient)
                for parameter, gradient in zip(pairs[::2], pairs[1::2], strict=True)
                if not getattr(block.var(parameter), "is_distributed", False)
            ]
            for offset, (_, gradient) in enumerate(shared):
                ring = (ring + 1) % self.nrings
                self._reduce(block, at + 1 + 2 * offset, gradient, ring, OpRole.Backward)
                name = gradient
        if name:
            first = next(at for at, op in enumerate(block.ops) if op.role & OpRole.Optimize)
            self._wait(block, first, name, OpRole.Backward)


class LocalSGD(Collective):
    """Makes a Program in which each worker updates its parameters by itself; then the changes of all workers are averaged.

    Arguments:
        nrings: how many connections of GPUs the sums use in turn.

    >>> import paddle_lite.fluid as fluid
    >>> main, startup = fluid.Program(), fluid.Program()
    >>> with fluid.program_guard(main, startup):
    ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data('x', [None, 4]), 1, bias_attr=False))
    ...     _ = fluid.optimizer.SGD(0.1).minimize(loss)
    >>> workers = ['127.0.0.1:6170', '127.0.0.1:6171']
    >>> fluid.transpiler.collective.LocalSGD(1).transpile(startup, main, 0, workers, workers[0])
    >>> [op.type for op in main.global_block().ops][-4:]
    ['c_sync_comm_stream', 'scale', 'elementwise_sub', 'assign']
    """

    mode = "local_sgd"

    def __init__(self, nrings: int = 2) -> None:
        super().__init__(nrings)

    def _begin(self) -> None:
        super()._begin()
        block = self.startup_program.global_block()
        for parameter in _parameters(self.startup_program):
            kept = block.create_var(
                name=parameter.name + SNAPSHOT,
                shape=parameter.shape,
                persistable=True,
                stop_gradient=True,
                dtype=parameter.dtype,
            )
            attrs = {"op_role": int(OpRole.Forward)}
            block.append_op("assign", {"X": [parameter.name]}, {"Out": [kept.name]}, attrs)

    def _change(self) -> None:
        block, role = self.main_program.global_block(), OpRole.Optimize
        ring, updated = -1, []
        for at, op in reversed(list(enumerate(block.ops))):
            if not op.role & OpRole.Optimize or "Param" not in op.inputs:
                continue
            parameter = block.var(op.inputs["Param"][0])
            if getattr(parameter, "is_distributed", False):
                continue
            kept = block.create_var(
                name=parameter.name + SNAPSHOT,
                shape=parameter.shape,
                persistable=True,
                stop_gradient=True,
                dtype=parameter.dtype,
            )
            self._subtract(block, kept.name, parameter.name, at + 1)
            ring = (ring + 1) % self.nrings
            self._reduce(block, at + 2, parameter.name, ring, role)
            updated.append(parameter.name)
        if not updated:
            return
        self._wait(block, len(block.ops), updated[-1], role)
        for name in reversed(updated):
            attrs = {"scale": 1.0 / self.nranks, "op_role": int(role)}
            block.append_op("scale", {"X": [name]}, {"Out": [name]}, attrs)
            self._subtract(block, name + SNAPSHOT, name, len(block.ops))
            block.append_op("assign", {"X": [name]}, {"Out": [name + SNAPSHOT]}, {"op_role": int(role)})

    @staticmethod
    def _subtract(block: Any, whole: str, name: str, at: int) -> None:
        """Insert `name = whole - name`."""
        attrs = {"op_role": int(OpRole.Optimize)}
        inputs = {"X": [whole], "Y": [name]}
        block._insert_op(at, type="elementwise_sub", inputs=inputs, outputs={"Out": [name]}, attrs=attrs)


class SingleProcessMultiThread(GradAllReduce):
    """Makes the Program of a process with several GPUs, which need no endpoints."""

    mode = "single_process_multi_thread"

    def __init__(self) -> None:
        super().__init__(1)

    def _begin(self) -> None:
        self.startup_program.global_block().append_op("c_comm_init_all", {}, {}, {"ring_id": 0})


def _parameters(program: Program) -> list[Any]:
    """Return the parameters of a Program that are not cut over servers."""
    every = program.global_block().all_parameters()
    return [parameter for parameter in every if not getattr(parameter, "is_distributed", False)]
