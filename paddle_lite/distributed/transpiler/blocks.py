"""Cutting parameters into blocks of rows, and assigning these to servers."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil, prod
from typing import Any

import numpy as np

from ...core.errors import message
from ...core.tracebacks import user_level
from ...static.program.roles import OpRole
from .config import DistributeTranspilerConfig
from .dispatch import RoundRobin

SMALLEST = 8192  # elements of a block
TABLES = ("lookup_table", "lookup_table_v2")


@dataclass
class Block:
    """Rows of a parameter that one server has.

    Attributes:
        parameter, gradient: names on the server.
        shape: of the block.
        begin: its first row in the parameter.
        endpoint: the server.
    """

    parameter: str
    gradient: str
    shape: tuple[int, ...]
    begin: int
    endpoint: str = ""


@dataclass
class Trained:
    """A parameter that an optimizer updates.

    Attributes:
        name, gradient: of the parameter, and of what the optimizer takes from the trainers.
        sent: the gradient's name in the trainer's Program.
        shape: of the parameter.
        table: whether it is an embedding table, of which only rows travel.
        blocks: its parts; one for a parameter that is whole.
        grows: whether it is a table that gets rows of more ids than it has.
    """

    name: str
    gradient: str
    shape: tuple[int, ...]
    table: bool
    blocks: list[Block] = field(default_factory=list)
    sent: str = ""
    grows: bool = False

    def __post_init__(self) -> None:
        self.sent = self.gradient

    @property
    def cut(self) -> bool:
        """Whether it has several blocks."""
        return len(self.blocks) > 1


def trained_parameters(program: Any, config: DistributeTranspilerConfig, endpoints: Sequence[str]) -> list[Trained]:
    """Return the parameters that the Program's optimizers update, in alphabetical order, cut and assigned to servers.

    Where no optimizer updates anything, this is a warning, as servers without parameters are of little use.
    """
    block = program.global_block()
    tables = sparse_tables(program)
    sent: dict[str, str] = {}  # the gradient before regularization, which may make a new one of the rows of a table
    found: dict[str, Trained] = {}
    for op in block.ops:
        names = list(op.attrs.get("op_role_var") or ())
        if op.role & OpRole.Optimize and len(names) > 1:
            sent.setdefault(names[0], names[1])
        if updates_parameter(op):
            name, gradient = names[:2] or (op.input("Param")[0], op.input("Grad")[0])
            gradient = sent.get(name, gradient)
            found.setdefault(name, Trained(name, gradient, tuple(block.var(name).shape), name in tables))
    if not found:
        fix = "The servers will hold nothing. Call minimize() of an optimizer before transpile()."
        warnings.warn(message("transpile", "program", "no update of a parameter", "some", fix), stacklevel=user_level())
    trained = [found[name] for name in sorted(found)]
    for each in trained:
        each.blocks = _blocks(each, config, len(endpoints))
    _assign(trained, config, endpoints, program.random_seed)
    return trained


def updates_parameter(op: Any) -> bool:
    """Return whether an operator is the update of an optimizer."""
    return bool(op.role & OpRole.Optimize) and "Param" in op.inputs and "Grad" in op.inputs


def sparse_tables(program: Any) -> set[str]:
    """Return the names of embedding tables whose rows are looked up on the servers."""
    return _tables(program, "is_sparse") | distributed_tables(program)


def distributed_tables(program: Any) -> set[str]:
    """Return the names of embedding tables that may be asked for any id."""
    return _tables(program, "is_distributed")


def _tables(program: Any, attribute: str) -> set[str]:
    ops = [op for op in program.global_block().ops if op.type in TABLES]
    return {op.input("W")[0] for op in ops if op.attr(attribute)}


def _blocks(trained: Trained, config: DistributeTranspilerConfig, servers: int) -> list[Block]:
    """Return the blocks of a parameter: at most one for each server, none smaller than the least size, all of whole rows."""
    elements = prod(trained.shape)
    count = min(servers, elements // config.min_block_size) if config.slice_var_up else 1
    if count <= 1:
        return [Block(trained.name, trained.gradient, trained.shape, 0)]
    width = prod(trained.shape[1:])
    rows = ceil(ceil(elements / count) / width)
    blocks = []
    for i, begin in enumerate(range(0, trained.shape[0], rows)):
        shape = (min(rows, trained.shape[0] - begin), *trained.shape[1:])
        blocks.append(Block(f"{trained.name}.block{i}", f"{trained.gradient}.block{i}", shape, begin))
    return blocks if len(blocks) > 1 else [Block(trained.name, trained.gradient, trained.shape, 0)]


def _assign(
    trained: Sequence[Trained], config: DistributeTranspilerConfig, endpoints: Sequence[str], seed: int
) -> None:
    """Set the server of each block. Whole parameters are dealt in the random order that PaddlePaddle takes."""
    order = list(trained)
    if not config.slice_var_up:
        places = list(range(len(order)))
        np.random.RandomState(seed).shuffle(places)
        order = [trained[i] for i in places]
    rule = (config.split_method or RoundRobin)(list(endpoints))
    for each in order:
        given = rule.dispatch([b.parameter for b in each.blocks])
        for block, endpoint in zip(each.blocks, _apart(given, endpoints), strict=True):
            block.endpoint = endpoint
    if config.print_log:
        for each in trained:
            for block in each.blocks:
                print(f"{block.parameter} {list(block.shape)} -> {block.endpoint}")


def _apart(given: Sequence[str], endpoints: Sequence[str]) -> list[str]:
    """Return servers for the blocks of a parameter, each once: a block whose server is taken gets the next free one.

    The state of an optimizer has the same name for all blocks of a parameter, so that a server can have one of them.
    """
    chosen: list[str] = []
    for endpoint in given:
        start = endpoints.index(endpoint)
        chosen.append(next(each for each in [*endpoints[start:], *endpoints[:start]] if each not in chosen))
    return chosen
