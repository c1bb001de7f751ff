"""Drawings of Programs as graphs: boxes for operators, ellipses for Variables, arrows for reads and writes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ...core.errors import ArgumentTypeError, MissingVariableError, describe, message
from ...core.files.atomic import atomic_file
from ...core.views.graph import Graph
from .roles import OpRole
from .variable import Parameter, Variable

if TYPE_CHECKING:
    from .block import Block
    from .program import Program

OPERATOR = {"shape": "box", "style": "rounded,filled", "fillcolor": "#303A3A", "fontcolor": "#ffffff"}
BACKWARD = {**OPERATOR, "fillcolor": "#0B5FA5"}
UPDATE = {**OPERATOR, "fillcolor": "#A34700"}
VARIABLE = {"shape": "ellipse", "style": "filled", "fillcolor": "#e8e8e8"}
PARAMETER = {**VARIABLE, "fillcolor": "#9ADBC5"}
DATA = {**VARIABLE, "fillcolor": "#F6C86B"}
HIGHLIGHT = {"color": "#d62728", "penwidth": "4"}


def program_graph(program: Program) -> Graph:
    """Return all blocks of a Program as one graph."""
    graph = Graph()
    _add_program(graph, program, "")
    return graph


def programs_graph(programs: Mapping[str, Program]) -> Graph:
    """Return several Programs, by title, as one graph; each is in a frame with its title."""
    graph = Graph()
    for number, (title, program) in enumerate(programs.items()):
        _add_program(graph.part(f"p{number}", title), program, f"p{number}_")
    return graph


def block_graph(block: Block, highlights: Iterable[Any] = (), where: str = "Block") -> Graph:
    """Return one block as a graph.

    Arguments:
        block: the block to draw.
        highlights: Variables or their names, which are drawn with a thick red line.
        where: the name of the call in errors.

    Raises:
        MissingVariableError: the block has no Variable of this name.
        ArgumentTypeError: a highlight is neither a Variable nor a name.
    """
    marked = [each.name if isinstance(each, Variable) else each for each in highlights]
    for name in marked:
        if not isinstance(name, str):
            needs = "Variables, or their names"
            raise ArgumentTypeError(message(where, "highlights", describe(name), needs))
        if block.find(name) is None:
            needs = f"one of the Variables of block {block.idx}"
            raise MissingVariableError(message(where, "highlights", repr(name), needs))
    graph = Graph()
    _add_block(graph, block, "", marked)
    return graph


def draw_program(program: Program, path: str) -> None:
    """Write the graph of a Program to a .dot file."""
    write_graph(program_graph(program).digraph(), path)


def write_graph(digraph: Any, path: str) -> None:
    """Write a `graphviz.Digraph` to a .dot file; missing directories are created."""
    with atomic_file(os.fspath(path)) as file:
        file.write(digraph.source.encode("utf8"))


def _add_program(graph: Graph, program: Program, prefix: str) -> None:
    """Add all blocks of a Program, nested ones in frames."""
    for block in program.blocks:
        if len(program.blocks) == 1:
            _add_block(graph, block, prefix)
            continue
        title = f"block {block.idx}" + (f" in block {block.parent_idx}" if block.parent_idx >= 0 else "")
        _add_block(graph.part(f"{prefix}b{block.idx}", title), block, prefix)


def _add_block(graph: Graph, block: Block, prefix: str, marked: Iterable[str] = ()) -> None:
    """Add the nodes and arrows of a block; node names are numbers, since names may contain characters special to Graphviz."""
    numbers: dict[str, str] = {}

    def node(name: str) -> str:
        if name not in numbers:
            numbers[name] = f"{prefix}b{block.idx}_v{len(numbers)}"
            variable = block.find(name)
            style = variable_style(variable) | (HIGHLIGHT if name in marked else {})
            graph.node(numbers[name], [name, *size_text(variable)], style)
        return numbers[name]

    for place, op in enumerate(block.ops):
        box = f"{prefix}b{block.idx}_o{place}"
        read = [node(name) for name in op.input_arg_names]
        graph.node(box, [op.type], operator_style(op.role), repr(op))
        for each in read:
            graph.edge(each, box)
        for name in op.output_arg_names:
            if block.find(name) is not None:
                graph.edge(box, node(name))
    for name in marked:
        node(name)


def operator_style(role: int) -> dict[str, str]:
    """Return the style of an operator with a role."""
    if role & OpRole.Backward:
        return BACKWARD
    return UPDATE if role & (OpRole.Optimize | OpRole.LRSched) else OPERATOR


def variable_style(variable: Variable | None) -> dict[str, str]:
    """Return the style of a Variable."""
    if isinstance(variable, Parameter):
        return PARAMETER
    return DATA if variable is not None and variable.is_data else VARIABLE


def size_text(variable: Variable | None) -> list[str]:
    """Return lines of text with the dtype and shape of a Variable."""
    return [] if variable is None else [f"{variable.dtype.name.lower()} {list(variable.shape)}"]
