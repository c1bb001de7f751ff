"""Operators that send, receive and serve, appended by hand: `Send`, `Recv` and `ListenAndServ` of `fluid.layers.io` of 1.8.5.

A DistributeTranspiler builds whole Programs of a job; these calls append its operators one by one.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any

from ....core.errors import ArgumentTypeError, GraphError, describe, message
from ....layers.support.helper import LayerHelper
from ....static.program.block import Block
from ....static.program.operator import Operator
from ....static.program.program import Program
from ..guards import BlockGuard

__all__ = ["BlockGuardServ", "ListenAndServ", "Recv", "Send"]


class ListenAndServ:
    """A server: in each run it takes the gradients of its trainers, runs its block, and gives parameters.

    Arguments:
        endpoint: the address, "host:port".
        inputs: the Variables of the operator's slot X, which the trainers send.
        fan_in: the number of trainers.
        optimizer_mode: whether the block updates parameters; otherwise it may hold any operators.

    >>> import paddle_lite.fluid as fluid
    >>> main = fluid.Program()
    >>> with fluid.program_guard(main, fluid.Program()):
    ...     x = fluid.data('x', [2, 3])
    ...     server = fluid.layers.io.ListenAndServ('127.0.0.1:6174', [x], optimizer_mode=False)
    ...     with server.do():
    ...         _ = fluid.layers.scale(x, 2.0)
    >>> [op.type for op in main.global_block().ops], [op.type for op in main.block(1).ops]
    (['listen_and_serv'], ['scale'])
    """

    def __init__(self, endpoint: str, inputs: Any, fan_in: int = 1, optimizer_mode: bool = True) -> None:
        self.helper = LayerHelper("listen_and_serv")
        self.inputs, self.outputs = inputs, list[Any]()
        self.endpoint, self.fan_in, self.optimizer_mode = endpoint, fan_in, optimizer_mode

    def do(self) -> BlockGuardServ:
        """Return a context manager in which operators go into the server's block; at its end the operator is appended."""
        return BlockGuardServ(self)

    def get_params_and_grads(self) -> tuple[list[Any], list[Any]]:
        """Return what the operators of the current block take from outside: parameters and their gradients.

        In optimizer mode these are the names in the slots Param and Grad, for which 1.8.5 raises an AttributeError. Otherwise
        both lists hold the Variables that the operators read.
        """
        ops, parent = self.helper.main_program.current_block().ops, self.parent_block()
        if self.optimizer_mode:
            updates = [op for op in ops if op.inputs.get("Param") and op.inputs.get("Grad")]
            return [op.input("Param")[0] for op in updates], [op.input("Grad")[0] for op in updates]
        read = [parent.var(name) for op in ops for name in op.input_arg_names]
        return read, list(read)

    def parent_block(self) -> Block:
        """Return the block around the current one.

        Raises:
            GraphError: the current block is the outermost one.
        """
        program = self.helper.main_program
        index = program.current_block().parent_idx
        if index < 0:
            raise _NoBlock(
                "ListenAndServ.parent_block: the current block is the outermost one. Call it inside of do()."
            )
        return program.block(index)

    def complete_op(self) -> Operator:
        """Append the operator, with the current block, to the block around that."""
        block = self.helper.main_program.current_block()
        attrs = {"endpoint": self.endpoint, "Fanin": self.fan_in, "optimize_blocks": [block], "distributed_mode": 0}
        attrs["grad_to_block_id"] = [""]
        return self.parent_block().append_op("listen_and_serv", {"X": self.inputs}, {}, attrs)


class _NoBlock(GraphError, AssertionError):
    """There is no block around; 1.8.5 raises an AssertionError."""


class BlockGuardServ(BlockGuard):
    """The block of a server: `ListenAndServ.do()`.

    Arguments:
        server: the ListenAndServ.

    Raises:
        ArgumentTypeError: it is something else.
    """

    def __init__(self, server: ListenAndServ) -> None:
        if not isinstance(server, ListenAndServ):
            raise ArgumentTypeError(message("BlockGuardServ", "server", describe(server), "a ListenAndServ"))
        super().__init__(server.helper.main_program)
        self.server = server

    def __exit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> bool:
        if exc_type is None:
            self.server.complete_op()
        return super().__exit__(exc_type, exc_val, exc_tb)


def Send(endpoints: str, send_vars: list[Any], dummy_output: Any = None, sync: bool = True) -> None:
    """Append operators that send Variables to servers, and wait until these have a step's Variables of all trainers.

    Arguments:
        endpoints: the addresses, "host:port,host:port".
        send_vars: a list of Variables.
        dummy_output: a Variable, or a list of them, that stands for what was sent, so that operators can follow; or None.
        sync: whether to wait.

    Raises:
        ArgumentTypeError: an argument is of another type.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     fluid.layers.io.Send('127.0.0.1:6174', [fluid.data('x', [2])])
    ...     [op.type for op in fluid.default_main_program().global_block().ops]
    ['send', 'send_barrier']
    """
    _need_list("Send", "send_vars", send_vars)
    program, addresses = _program_of("Send"), _addresses("Send", endpoints)
    done = _as_list(dummy_output)
    _append(program, "send", {"X": send_vars}, {"Out": done}, "epmap", addresses)
    if sync:
        _append(program, "send_barrier", {"X": done}, {"Out": []}, "endpoints", addresses)


def Recv(endpoints: str, get_vars: list[Any], dummy_input: Any = None, sync: bool = True) -> list[Any]:
    """Append operators that receive Variables from servers, and tell these when a step's Variables are here.

    Arguments:
        endpoints: the addresses, "host:port,host:port".
        get_vars: a list of Variables.
        dummy_input: a Variable, or a list of them, that the operator waits for; or None.
        sync: whether to tell them.

    Returns:
        `get_vars`.

    Raises:
        ArgumentTypeError: an argument is of another type.
    """
    _need_list("Recv", "get_vars", get_vars)
    program, addresses = _program_of("Recv"), _addresses("Recv", endpoints)
    _append(program, "recv", {"X": _as_list(dummy_input)}, {"Out": get_vars}, "epmap", addresses)
    if sync:
        _append(program, "fetch_barrier", {}, {}, "endpoints", list(dict.fromkeys(addresses)))
    return get_vars


def _append(program: Program, type: str, inputs: Any, outputs: Any, name: str, addresses: list[str]) -> None:
    program.current_block().append_op(type, inputs, outputs, {name: addresses})


def _program_of(where: str) -> Program:
    return LayerHelper(where).main_program


def _addresses(where: str, endpoints: Any) -> list[str]:
    if not isinstance(endpoints, str):
        fix = "Join addresses by commas."
        raise _NotText(message(where, "endpoints", describe(endpoints), "a str of addresses", fix))
    return endpoints.split(",")


class _NotText(ArgumentTypeError, AttributeError):
    """A list of addresses; 1.8.5 raises an AttributeError, for it has no `split`."""


def _need_list(where: str, name: str, value: Any) -> None:
    if not isinstance(value, list):
        raise ArgumentTypeError(message(where, name, describe(value), "a list of Variables"))


def _as_list(value: Any) -> list[Any]:
    return [] if value is None else list(value) if isinstance(value, (list, tuple)) else [value]
