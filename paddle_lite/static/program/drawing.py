"""Drawings of Programs as graphs: boxes for operators, ellipses for Variables, arrows for reads and writes.

The `graphviz` library writes a graph as text in the DOT language. Only pictures need the program `dot` of Graphviz.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ...core.errors import ArgumentTypeError, MissingVariableError, describe, message
from ...core.files.atomic import atomic_file
from .roles import OpRole
from .variable import Parameter, Variable

if TYPE_CHECKING:
    from .block import Block
    from .program import Program

OPERATOR = {"shape": "box", "style": "rounded,filled", "fillcolor": "#303A3A", "fontcolor": "#ffffff"}
BACKWARD = {**OPERATOR, "fillcolor": "#5B4A8A"}
UPDATE = {**OPERATOR, "fillcolor": "#2E7D4F"}
VARIABLE = {"shape": "ellipse", "style": "filled", "fillcolor": "#e8e8e8"}
PARAMETER = {**VARIABLE, "fillcolor": "#148b97", "fontcolor": "#ffffff"}
DATA = {**VARIABLE, "fillcolor": "#f6c86b"}
HIGHLIGHT = {"color": "#d62728", "penwidth": "4"}


def can_make_pictures() -> bool:
    """Return whether the program `dot` is installed."""
    return shutil.which("dot") is not None


def program_graph(program: Program, **options: Any) -> Any:
    """Return all blocks of a Program as one `graphviz.Digraph`, with the given options."""
    graph = new_graph(**options)
    _add_program(graph, program, "")
    return graph


def programs_graph(programs: Mapping[str, Program], **options: Any) -> Any:
    """Return several Programs, by title, as one `graphviz.Digraph`; each is in a frame with its title."""
    graph = new_graph(**options)
    for number, (title, program) in enumerate(programs.items()):
        with graph.subgraph(name=f"cluster_p{number}", graph_attr={"label": title}) as part:
            _add_program(part, program, f"p{number}_")
    return graph


def block_graph(block: Block, highlights: Iterable[Any] = (), where: str = "Block", **options: Any) -> Any:
    """Return one block as a `graphviz.Digraph`.

    Arguments:
        block: the block to draw.
        highlights: Variables or their names, which are drawn with a thick red line.
        where: the name of the call in errors.
        options: options of the Digraph.

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
    graph = new_graph(**options)
    _add_block(graph, block, "", marked)
    return graph


def draw_program(program: Program, path: str) -> None:
    """Write the graph of a Program to a .dot file."""
    write_graph(program_graph(program), path)


def write_graph(graph: Any, path: str) -> None:
    """Write a graph to a .dot file; missing directories are created."""
    with atomic_file(os.fspath(path)) as file:
        file.write(graph.source.encode("utf8"))


def program_svg(program: Program) -> str:
    """Return a picture of a Program as an SVG element; needs the program `dot`."""
    text: str = program_graph(program).pipe(format="svg", encoding="utf8")
    return text[text.index("<svg") :]


def new_graph(**options: Any) -> Any:
    """Return an empty `graphviz.Digraph` with the style of drawings here."""
    import graphviz

    options.setdefault("graph_attr", {"rankdir": "TB"})
    options.setdefault("node_attr", {"fontname": "Arial", "fontsize": "10"})
    return graphviz.Digraph(**options)


def _add_program(graph: Any, program: Program, prefix: str) -> None:
    """Add all blocks of a Program, nested ones in frames."""
    for block in program.blocks:
        if len(program.blocks) == 1:
            _add_block(graph, block, prefix)
            continue
        title = f"block {block.idx}" + (f" in block {block.parent_idx}" if block.parent_idx >= 0 else "")
        with graph.subgraph(name=f"cluster_{prefix}b{block.idx}", graph_attr={"label": title}) as part:
            _add_block(part, block, prefix)


def _add_block(graph: Any, block: Block, prefix: str, marked: Iterable[str] = ()) -> None:
    """Add the nodes and arrows of a block; node names are numbers, since names may contain characters special to Graphviz."""
    from graphviz import escape

    numbers: dict[str, str] = {}

    def node(name: str) -> str:
        if name not in numbers:
            numbers[name] = f"{prefix}b{block.idx}_v{len(numbers)}"
            variable = block.find(name)
            style = variable_style(variable) | (HIGHLIGHT if name in marked else {})
            graph.node(numbers[name], label="\n".join([escape(name), *size_text(variable)]), **style)
        return numbers[name]

    for place, op in enumerate(block.ops):
        box = f"{prefix}b{block.idx}_o{place}"
        graph.node(box, label=escape(op.type), **operator_style(op.role))
        for name in op.input_arg_names:
            graph.edge(node(name), box)
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
