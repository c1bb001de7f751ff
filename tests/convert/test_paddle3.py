"""Files for PaddlePaddle 3, and the page about conversions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.cli import main
from paddle_lite.convert import difference, drawn_feed, read_model, run_here
from paddle_lite.convert.newer import RENAMED, modern
from paddle_lite.convert.table import with_table
from paddle_lite.core import unique_name
from paddle_lite.core.mode import switched
from paddle_lite.core.place import CPUPlace
from paddle_lite.ops.framework import registry
from paddle_lite.static import Program, program_guard
from paddle_lite.static.mode.static_mode import static_mode
from tests.ops.case import Case
from tests.ops.programs import Built
from tests.ops.rows_of import ALL

ROOT = Path(__file__).parents[2]
MODELS = ROOT / "tests" / "interop" / "data" / "exchange" / "fluid"


def test_the_files(tmp_path: Path) -> None:
    assert main(["convert", str(MODELS / "conv_net" / "model"), "--to", "paddle3", "-o", str(tmp_path / "n")]) == 0
    assert sorted(p.name for p in (tmp_path / "n").iterdir()) == ["net.pdiparams", "net.pdmodel"]
    first, again = read_model(str(MODELS / "conv_net" / "model")), read_model(str(tmp_path / "n" / "net"))
    feed = drawn_feed(first)
    assert difference(run_here(again, feed), run_here(first, feed)).absolute == 0
    assert (tmp_path / "n" / "net.pdiparams").read_bytes() == (MODELS / "conv_net" / "net.pdiparams").read_bytes()


def test_a_state_dict(tmp_path: Path) -> None:
    with fluid.dygraph.guard():
        layer = fluid.dygraph.Linear(2, 3)
        fluid.save_dygraph(layer.state_dict(), str(tmp_path / "a"))
        assert main(["convert", str(tmp_path / "a.pdparams"), "--to", "paddle3", "-o", str(tmp_path / "n")]) == 0
        state, _ = fluid.load_dygraph(str(tmp_path / "n" / "net"))
        assert (state["weight"] == layer.weight.numpy()).all()


def test_its_own_form_comes_from_an_interpreter_that_has_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.savez(tmp_path / "made.npz", np.frombuffer(b"{}", np.uint8))
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nfor last; do :; done\ncp {tmp_path / "made.npz"} "$last"\n')
    python.chmod(0o755)
    words = [
        "convert",
        str(MODELS / "mlp" / "model"),
        "--to",
        "paddle3",
        "-o",
        str(tmp_path / "n"),
        "--python",
        str(python),
    ]
    assert main(words) == 0
    assert (tmp_path / "n" / "net.json").read_bytes() == b"{}"
    python.write_text("#!/bin/sh\necho PaddlePaddle 3 is not installed >&2\nexit 1\n")
    assert main(words) == 1
    assert "convert --to paddle3: " in capsys.readouterr().err


def test_the_page_has_the_table_of_today() -> None:
    text = (ROOT / "docs" / "convert.md").read_text(encoding="utf-8")
    assert with_table(text) == text, "run python -m paddle_lite.convert.table docs/convert.md"


OURS = ("roi_align_half_pixel", "grid_sampler_of_mode")


@pytest.mark.parametrize("type", sorted({*RENAMED, "flatten", "flatten2"} - {*OURS}))
def test_newer_operators_give_the_same_numbers(type: str) -> None:
    row = next(row for _, row in ALL if row.op == type)
    changed = 0
    for index in range(min(len(row.samples), 4)):
        case = Case(registry.get(type), row, index)
        with switched(static_mode, CPUPlace(), np), unique_name.guard(), program_guard(Program(), Program()):
            built = Built(case, {}, [])
        newer = modern(built.program)
        changed += type not in [op.type for op in newer.all_ops()]
        names = [n for n, (array, _) in built.run(built.program).items() if n != "XShape" and array is not None]
        found, wanted = built.run(newer), built.run(built.program)
        assert difference([found[n][0] for n in names], [wanted[n][0] for n in names]).relative < 1e-6
    assert changed


@pytest.mark.parametrize(("type", "name"), [(OURS[0], "aligned"), (OURS[1], "padding_mode")])
def test_operators_that_only_paddle_2_has_keep_their_slots_and_attributes(type: str, name: str) -> None:
    """Their names mean operators of 1.8.5 here, so that the Program is not run."""
    row = next(row for _, row in ALL if row.op == type)
    with switched(static_mode, CPUPlace(), np), unique_name.guard(), program_guard(Program(), Program()):
        built = Built(Case(registry.get(type), row, 1), {}, [])
    [before], [after] = built.program.global_block().ops, modern(built.program).global_block().ops
    assert after.type == RENAMED[type]
    assert after.inputs == before.inputs and after.attr(name) == before.attr(name)


def test_a_name_that_a_newer_operator_has_for_an_attribute() -> None:
    with program_guard(Program(), Program()):
        fluid.layers.expand(fluid.data("x", [2, 3]), [1, 2])
        (op,) = modern(fluid.default_main_program()).global_block().ops
    assert op.type == "tile" and op.attr("repeat_times") == [1, 2]
