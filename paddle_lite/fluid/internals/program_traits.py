"""What a Program does, and where values enter and leave it: `fluid.compiler`, `fluid.executor` and `fluid.io` of 1.8.5."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ...core import unique_name
from ...core.dtype import VarType
from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.tracebacks import user_level
from ...static.desc import ProgramDesc
from ...static.execution.compiled import CompiledProgram
from ...static.execution.scope import Scope, scope_guard
from ...static.program.block import Block
from ...static.program.program import Program, default_main_program, program_guard
from ...static.program.roles import OpRole

__all__ = [
    "append_fetch_ops",
    "clone_var",
    "create_program_from_desc",
    "has_backward_op",
    "has_feed_operators",
    "has_fetch_operators",
    "has_optimize_op",
    "has_optimizer_in_control_flow",
    "is_pserver_mode",
    "persistable_names",
    "prepend_feed_ops",
    "program_cache_key",
    "program_scope",
    "prune_feed_ops",
    "strong_program_cache_key",
    "valid_program",
]


def persistable_names(program: Program) -> list[str]:
    """Return the names of a Program's persistable Variables."""
    return [each.name for each in program.list_vars() if each.persistable]


def _has_role(op: Any, wanted: OpRole) -> bool:
    return bool(int(op.attr("op_role") or 0) & int(wanted))


def has_backward_op(graph: Any) -> bool:
    """Return whether a graph (`core.Graph`, `IrGraph`) holds an operator of a backward pass."""
    nodes = [node for node in graph.nodes() if node.is_op() and node.op() is not None]
    return any(node.op().has_attr("op_role") and _has_role(node.op(), OpRole.Backward) for node in nodes)


def has_optimize_op(block: Block) -> bool:
    """Return whether an operator of a block updates parameters."""
    return any(int(op.attr("op_role") or 0) == int(OpRole.Optimize) for op in block.ops)


def has_optimizer_in_control_flow(program: Program) -> bool:
    """Return whether an operator of a branch updates parameters."""
    blocks = {block.idx: block for block in program.blocks}
    branches = (op for op in program.global_block().ops if op.type == "conditional_block_grad")
    return any(has_optimize_op(blocks[op.attr("sub_block").idx]) for op in branches)


def is_pserver_mode(main_program: Any) -> bool:
    """Return whether a Program exchanges values with parameter servers; of the default one for None."""
    program = default_main_program() if main_program is None else main_program
    return any(op.type in ("send", "recv") for op in program.global_block().ops)


def prune_feed_ops(program: Program) -> None:
    """Remove the operators of a Program through which values are fed."""
    block = program.global_block()
    for place in reversed([i for i, op in enumerate(block.ops) if op.type == "feed"]):
        block._remove_op(place)


def program_cache_key(feed: Any, fetch_list: Any) -> str:
    """Return the text by which 1.8.5 finds what it has prepared for these feeds and fetches."""
    names = list(feed) if isinstance(feed, Mapping) else list(feed or ())
    return str(names + [getattr(each, "name", each) for each in fetch_list])


def strong_program_cache_key(program: Program, feed: Any, fetch_list: Any) -> str:
    """Return the same for one Program."""
    return str(id(program)) + program_cache_key(feed, fetch_list)


def has_feed_operators(block: Block, feed_targets: Mapping[str, Any], feed_holder_name: str) -> bool:
    """Return whether a block has operators for these feeds.

    Raises:
        ArgumentValueError: it has some, but not for these, or they read from another Variable.
    """
    fed = [op for op in block.ops if op.type == "feed"]
    return _are_for(
        "has_feed_operators", [(op.input("X"), op.output("Out")) for op in fed], feed_targets, feed_holder_name
    )


def has_fetch_operators(block: Block, fetch_targets: Sequence[Any], fetch_holder_name: str) -> bool:
    """Return whether a block has operators for these fetches.

    Raises:
        ArgumentValueError: it has some, but not for these, or they write into another Variable.
    """
    fetched = [op for op in block.ops if op.type == "fetch"]
    pairs = [(op.output("Out"), op.input("X")) for op in fetched]
    names = [getattr(each, "name", each) for each in fetch_targets]
    return _are_for("has_fetch_operators", pairs, names, fetch_holder_name)


def _are_for(where: str, pairs: list[tuple[list[str], list[str]]], targets: Iterable[str], holder: str) -> bool:
    """Return whether there are pairs of (Variable that holds the list, name); raise unless they are for the targets."""
    wanted = list(targets)
    for [held], [name] in pairs:
        if held != holder:
            raise ArgumentValueError(message(where, "holder_name", repr(holder), f"{held!r}, which the operators use"))
        if name not in wanted:
            raise ArgumentValueError(message(where, "targets", str(wanted), f"{name!r} among them"))
    if pairs and len(pairs) != len(wanted):
        raise ArgumentValueError(message(where, "targets", str(wanted), f"the {len(pairs)} of the operators"))
    return bool(pairs)


def prepend_feed_ops(
    inference_program: Program, feed_target_names: Sequence[str], feed_holder_name: str = "feed"
) -> None:
    """Put an operator for each fed Variable before the operators of a Program, as files of inference models have them.

    Raises:
        MissingVariableError: there is no such Variable.
    """
    block = inference_program.global_block()
    if not feed_target_names:
        return
    targets = [block.var(name) for name in feed_target_names]
    holder = block.create_var(name=feed_holder_name, type=VarType.FEED_MINIBATCH, persistable=True)
    for place, target in enumerate(targets):
        block._prepend_op(type="feed", inputs={"X": [holder]}, outputs={"Out": [target]}, attrs={"col": place})


def append_fetch_ops(
    inference_program: Program, fetch_target_names: Sequence[str], fetch_holder_name: str = "fetch"
) -> None:
    """Append an operator for each fetched Variable to a Program, as files of inference models have them.

    Raises:
        MissingVariableError: there is no such Variable.
    """
    block = inference_program.global_block()
    targets = [block.var(name) for name in fetch_target_names]
    holder = block.create_var(name=fetch_holder_name, type=VarType.FETCH_LIST, persistable=True)
    for place, target in enumerate(targets):
        block.append_op(type="fetch", inputs={"X": [target]}, outputs={"Out": [holder]}, attrs={"col": place})


def valid_program(main_program: Any) -> Program:
    """Return a Program, that of a CompiledProgram (with a warning), or the default one for None.

    Raises:
        ArgumentTypeError: it is something else.
    """
    if main_program is None:
        return default_main_program()
    if isinstance(main_program, CompiledProgram):
        warnings.warn("The input is a CompiledProgram, this is not recommended.", stacklevel=user_level())
        main_program = main_program._program
    if not isinstance(main_program, Program):
        raise ArgumentTypeError(message("fluid.io", "main_program", describe(main_program), "a Program"))
    return main_program


@contextmanager
def program_scope(
    main: Program | None = None, startup: Program | None = None, scope: Scope | None = None
) -> Iterator[None]:
    """Work with other default Programs, another Scope and fresh names inside of the `with`; by default empty ones."""
    with (
        scope_guard(Scope() if scope is None else scope),
        program_guard(Program() if main is None else main, Program() if startup is None else startup),
        unique_name.guard(),
    ):
        yield


def clone_var(block: Block, var: Any) -> Any:
    """Create a persistable Variable like another one in a block, and return it."""
    like = {"name": var.name, "shape": var.shape, "dtype": var.dtype, "type": var.type, "persistable": True}
    if var.type == VarType.LOD_TENSOR:
        like["lod_level"] = var.lod_level
    return block.create_var(**like)


def create_program_from_desc(program_desc: ProgramDesc) -> Program:
    """Return a new Program of a description; its parameters are Variables like others, as in a file.

    Raises:
        ArgumentTypeError: it is no description of a Program.
    """
    if not isinstance(program_desc, ProgramDesc):
        needs = "the description of a Program, program.desc"
        raise ArgumentTypeError(message("create_program_from_desc", "program_desc", describe(program_desc), needs))
    return Program.parse_from_string(program_desc.serialize_to_string())
