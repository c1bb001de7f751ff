"""Graphs of Programs: their text; pictures need the program `dot`, for which something stands in here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, MissingVariableError
from paddle_lite.fluid import debugger, net_drawer
from paddle_lite.static.program import drawing, printing


def network(optimize: bool = True) -> Any:
    """A loss."""
    x = fluid.data("in:x", [None, 4], "float32")
    loss = fluid.layers.mean(fluid.layers.fc(x, 3, param_attr="w", act="relu"))
    if optimize:
        fluid.optimizer.SGD(0.1).minimize(loss)
    return loss


def edges(source: str) -> set[tuple[str, str]]:
    """The arrows, with the first lines of labels at their ends."""
    labels: dict[str, str] = {}
    for line in source.replace('"', "").splitlines():
        name, _, rest = line.strip().partition(" [label=")
        if rest and " -> " not in name:
            labels[name] = rest.split(" ")[0]
    arrows = (line.split(" -> ") for line in source.splitlines() if " -> " in line)
    return {(labels[a.strip()], labels[b.strip()]) for a, b in arrows}


def test_the_graph_of_a_block(tmp_path: Path) -> None:
    network()
    path = tmp_path / "made" / "block.dot"
    debugger.draw_block_graphviz(fluid.default_main_program().global_block(), highlights=["w"], path=str(path))
    text = path.read_text()
    found = edges(text)
    assert {("in:x", "mul"), ("w", "mul"), ("relu", "fc_0.tmp_2"), ("sgd", "w"), ("w@GRAD", "sgd")} <= found
    assert text.startswith("digraph")
    assert "fp32 [-1, 4]" in text
    marked = [line for line in text.splitlines() if "penwidth=4" in line]
    assert len(marked) == 1


def test_highlights_may_be_variables_and_must_exist(tmp_path: Path) -> None:
    loss = network(optimize=False)
    block, path = fluid.default_main_program().global_block(), str(tmp_path / "x.dot")
    debugger.draw_block_graphviz(block, [loss], path)
    assert "penwidth=4" in Path(path).read_text()
    with pytest.raises(MissingVariableError, match="highlights got 'unheard'"):
        debugger.draw_block_graphviz(block, ["unheard"], path)
    with pytest.raises(ArgumentTypeError, match="highlights got int 3"):
        debugger.draw_block_graphviz(block, [3], path)
    with pytest.raises(ArgumentTypeError, match="block got Program"):
        debugger.draw_block_graphviz(fluid.default_main_program(), path=path)


def test_draw_graph_keeps_two_programs_apart(tmp_path: Path) -> None:
    network(optimize=False)
    path = tmp_path / "both.gv"
    programs = fluid.default_startup_program(), fluid.default_main_program()
    graph = net_drawer.draw_graph(*programs, filename=str(path), graph_attr={"rankdir": "LR"})
    assert path.read_text() == graph.source
    assert "rankdir=LR" in graph.source
    found = edges(graph.source)
    assert ("uniform_random", "w") in found
    assert ("w", "mul") in found
    assert ("uniform_random", "mul") not in found
    lines = [line.strip() for line in graph.source.splitlines()]
    nodes = [line.split(" [")[0] for line in lines if " [label=" in line and not line.startswith("graph")]
    assert len(nodes) == len(set(nodes)) == sum(_things(program) for program in programs)
    with pytest.raises(ArgumentTypeError, match="main_program got NoneType"):
        net_drawer.draw_graph(programs[0], None)


def _things(program: Any) -> int:
    """How many operators there are, and Variables that they read and write."""
    ops = program.global_block().ops
    return len(ops) + len({name for op in ops for name in (*op.input_arg_names, *op.output_arg_names)})


def test_blocks_have_frames() -> None:
    network(optimize=False)
    program = fluid.default_main_program()
    program._create_block()
    fluid.layers.relu(program.global_block().var("in:x"))
    program._rollback()
    source = drawing.program_graph(program).digraph().source
    assert 'label="block 1 in block 0"' in source
    assert ("relu", "relu_0.tmp_0") in edges(source)


@pytest.mark.parametrize("path", ["", "step"])  # 1.8.5 takes it for the beginning of names, so a folder will do
def test_build_strategy_draws(path: str, tmp_path: Path) -> None:
    network(optimize=False)
    strategy = fluid.BuildStrategy()
    strategy.debug_graphviz_path = f"{tmp_path}/{path}"
    fluid.CompiledProgram(fluid.default_main_program(), strategy)
    assert ("w", "mul") in edges((tmp_path / f"{path}_original_graph").read_text())


def test_a_notebook_shows_the_graph_of_a_small_program(monkeypatch: pytest.MonkeyPatch) -> None:
    network(optimize=False)
    program = fluid.default_main_program()
    html = program._repr_html_()
    assert html.count("<svg") == 1
    assert ">in:x</text>" in html
    monkeypatch.setattr(printing, "DRAWN", 2)
    assert "<svg" not in program._repr_html_()
