"""What lies where in a job of parameter servers, as `fluid.transpiler.details` and `distribute_transpiler` of 1.8.5 describe it."""

from __future__ import annotations

import math
import socket
import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...static.program.roles import OpRole

__all__ = [
    "UnionFind",
    "VarBlock",
    "VarDistributed",
    "VarStruct",
    "VarsDistributed",
    "log",
    "same_or_split_var",
    "slice_variable",
    "wait_server_ready",
]

CLIP_OP_NAME_SCOPE = "@CLIP"
LOOKUP_TABLE_GRAD_TYPE = ["lookup_table_grad", "lookup_table_v2_grad"]
OP_NAME_SCOPE = "op_namescope"
OP_ROLE_VAR_ATTR_NAME = "op_role_var"
RPC_OP_ROLE_ATTR_NAME = op_role_attr_name = "op_role"
DIST_OP_ROLE_ATTR_VALUE = OpRole.Dist
LR_SCHED_OP_ROLE_ATTR_VALUE = OpRole.LRSched
OPT_OP_ROLE_ATTR_VALUE = OpRole.Optimize
RPC_OP_ROLE_ATTR_VALUE = OpRole.RPC
PRINT_LOG = False
"""Whether `log` prints."""


def log(*args: Any) -> None:
    """Print, if PRINT_LOG is set."""
    if PRINT_LOG:
        print(args)


def same_or_split_var(p_name: str, var_name: str) -> bool:
    """Return whether the first name is the second, or that of a block of it.

    >>> same_or_split_var('w', 'w'), same_or_split_var('w.block0', 'w'), same_or_split_var('wide', 'w')
    (True, True, False)
    """
    return p_name == var_name or p_name.startswith(f"{var_name}.block")


class VarBlock:
    """A block of consecutive elements of a Variable.

    Arguments:
        varname: the name of the Variable.
        offset: the number of the block.
        size: its number of elements.
    """

    def __init__(self, varname: str, offset: int, size: int) -> None:
        self.varname, self.offset, self.size = varname, offset, size

    def __str__(self) -> str:
        return f"{self.varname}:{self.offset}:{self.size}"


def slice_variable(var_list: Iterable[Any], slice_count: int, min_block_size: int) -> list[str]:
    """Return the blocks into which Variables are divided for servers: whole rows, and as equal as they can be.

    A block is written as "name:number:elements", see VarBlock.

    Arguments:
        var_list: Variables.
        slice_count: the number of servers, and of blocks of a Variable at most.
        min_block_size: the least number of elements of a block.
    """
    blocks: list[str] = []
    for var in var_list:
        elements = math.prod(var.shape)
        count = max(1, min(slice_count, elements // min_block_size))
        row = math.prod(var.shape[1:])
        size = -(-elements // count)
        size = -(-size // row) * row
        starts = range(0, elements, size)
        blocks += [str(VarBlock(var.name, i, min(size, elements - start))) for i, start in enumerate(starts)]
    return blocks


class UnionFind:
    """Disjoint sets of elements.

    Arguments:
        elementes: the elements, each a set of its own; any iterable of values that can be keys of a dict.

    >>> sets = UnionFind(['a', 'b', 'c'])
    >>> sets.union('a', 'b')
    >>> sets.is_connected('a', 'b'), sets.is_connected('a', 'c'), sets.find('other')
    (True, False, -1)
    """

    def __init__(self, elementes: Iterable[Any] | None = None) -> None:
        elements = list(elementes or ())
        self._index = {element: i for i, element in enumerate(elements)}
        self._parents = list(range(len(elements)))

    def find(self, x: Any) -> int:
        """Return the number of the set of an element; -1 for an unknown one."""
        if x not in self._index:
            return -1
        place = self._index[x]
        while self._parents[place] != place:
            self._parents[place] = self._parents[self._parents[place]]
            place = self._parents[place]
        return place

    def union(self, x: Any, y: Any) -> None:
        """Join the sets of two elements."""
        first, second = self.find(x), self.find(y)
        if first >= 0 and second >= 0:
            self._parents[first] = second

    def is_connected(self, x: Any, y: Any) -> bool:
        """Return whether two elements are in the same set."""
        return self.find(x) == self.find(y)


class VarStruct:
    """Name, shape, dtype, type, LoD level and persistence of a Variable, apart from its Program."""

    def __init__(self, name: str, shape: Any, dtype: Any, type: Any, lod_level: int, persistable: bool) -> None:
        self.name, self.shape, self.dtype, self.type = name, shape, dtype, type
        self.lod_level, self.persistable = lod_level, persistable


_FACTS = ("name", "shape", "dtype", "type", "lod_level", "persistable")


class VarDistributed:
    """A Variable of a job, or a slice of it, and the server that holds it.

    Arguments:
        origin_var: the Variable of the Program of one process.
        slice_var: the part of it.
        is_slice: whether it is a part; by default whether it differs from the Variable.
        block_id: the number of the part.
        offset: its first element.
        vtype: what it is for, such as "Param" or "Optimizer".
        endpoint: the server.
    """

    def __init__(
        self,
        origin_var: Any,
        slice_var: Any,
        is_slice: bool | None = None,
        block_id: int | None = None,
        offset: int | None = None,
        vtype: str | None = None,
        endpoint: str | None = None,
    ) -> None:
        self.origin, self.slice = (
            var if isinstance(var, VarStruct) else VarStruct(*(getattr(var, fact) for fact in _FACTS))
            for var in (origin_var, slice_var)
        )
        same = self.equal(self.origin, self.slice)
        self.is_slice = not same if is_slice is None else is_slice
        self.block_id = 0 if block_id is None else block_id
        self.offset = 0 if offset is None else offset
        self.vtype, self.endpoint = vtype, endpoint

    @staticmethod
    def equal(var1: VarStruct, var2: VarStruct) -> bool:
        """Return whether name, shape, dtype and all else of two VarStructs are equal.

        Raises:
            ArgumentTypeError: one of them is no VarStruct.
        """
        for var in (var1, var2):
            if not isinstance(var, VarStruct):
                raise ArgumentTypeError(message("VarDistributed.equal", "var", describe(var), "a VarStruct"))
        return vars(var1) == vars(var2)

    def __str__(self) -> str:
        whole, part = (
            f"{var.name} : fluid.{var.type}.shape{var.shape}.astype({var.dtype})" for var in (self.origin, self.slice)
        )
        where = f".slice({self.is_slice}).block({self.block_id}).offset({self.offset})"
        return f"var owned: {self.vtype}, origin var: ( {whole} ), slice var: ( {part}{where} ), endpoint: {self.endpoint} "


class VarsDistributed:
    """All Variables of a job that servers hold."""

    def __init__(self) -> None:
        self.distributed_vars: list[VarDistributed] = []

    def add_distributed_var(self, origin_var: Any, slice_var: Any, *args: Any, **kwargs: Any) -> None:
        """Add one; the arguments are those of VarDistributed."""
        self.distributed_vars.append(VarDistributed(origin_var, slice_var, *args, **kwargs))

    @staticmethod
    def equal(var1: Any, var2: Any) -> bool:
        """Return whether name, shape, dtype and all else of two Variables are equal."""
        return all(getattr(var1, fact) == getattr(var2, fact) for fact in _FACTS)

    def _first(self, **wanted: str) -> VarDistributed | None:
        found = (v for v in self.distributed_vars if all(self._fact(v, key) == value for key, value in wanted.items()))
        return next(found, None)

    @staticmethod
    def _fact(var: VarDistributed, key: str) -> Any:
        return {"slice": var.slice.name, "origin": var.origin.name, "endpoint": var.endpoint}[key]

    def get_distributed_var_by_slice(self, var_name: str) -> VarDistributed | None:
        """Return the part of this name, or None."""
        return self._first(slice=var_name)

    def get_distributed_var_by_origin_and_ep(self, origin_var_name: str, endpoint: str) -> VarDistributed | None:
        """Return the part of a Variable that a server holds, or None."""
        return self._first(origin=origin_var_name, endpoint=endpoint)

    def get_distributed_vars_by_ep(self, endpoint: str, vtype: str | None = None) -> list[VarDistributed]:
        """Return what a server holds; of one kind only, if `vtype` is given."""
        held = (var for var in self.distributed_vars if var.endpoint == endpoint)
        return [var for var in held if vtype is None or var.vtype == vtype]

    def get_distributed_vars_by_vtypes(self, vtypes: Sequence[str], groupby: bool = False) -> Any:
        """Return what is of some kinds: a list, or with `groupby` a dict from the name of the Variable to its parts."""
        found = [var for var in self.distributed_vars if var.vtype in vtypes]
        if not groupby:
            return found
        groups: dict[str, list[VarDistributed]] = {}
        for var in found:
            groups.setdefault(var.origin.name, []).append(var)
        return groups

    def overview(self) -> str:
        """Return a line for each of them."""
        return "\n".join(str(var) for var in self.distributed_vars)


def wait_server_ready(endpoints: Sequence[str]) -> None:
    """Wait until a connection to each of the endpoints can be made.

    Arguments:
        endpoints: "address:port" each.

    Raises:
        ArgumentValueError: it is a string, or an endpoint has another form.
    """
    where, needs = "wait_server_ready", 'a list of "address:port"'
    if isinstance(endpoints, str):
        raise ArgumentValueError(message(where, "endpoints", repr(endpoints), needs))
    for endpoint in endpoints:
        address, _, port = str(endpoint).rpartition(":")
        if not address or not port.isdigit():
            raise ArgumentValueError(message(where, "endpoints", repr(endpoint), needs))
        while not _answers(address, int(port)):
            time.sleep(0.2)


def _answers(address: str, port: int) -> bool:
    with closing(socket.socket(socket.AF_INET, socket.SOCK_STREAM)) as probe:
        probe.settimeout(2)
        return probe.connect_ex((address, port)) == 0
