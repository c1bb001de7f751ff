"""Programs with loops, branches and recurrences that PaddlePaddle 1.8.5 wrote train on here, with its numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import NotYetAvailable
from paddle_lite.static.autodiff.loaded_gradients import SLOTS
from paddle_lite.static.autodiff.saved_gradients import ON_ARRAYS, RENAMED
from paddle_lite.static.proto import from_bytes, to_bytes

from . import control_nets
from .nets import differs

DATA = Path(__file__).parent / "data" / "control"
WRITTEN = {**control_nets.NETS, **control_nets.OURS}
KNOWN = {name: control_nets.read(DATA / f"{name}.npz") for name in sorted(control_nets.NETS)}


@pytest.mark.parametrize("name", list(KNOWN))
def test_training_of_1_8_goes_on(name: str) -> None:
    assert differs(control_nets.resumed(fluid, KNOWN[name], name), KNOWN[name]["losses"]) < 1e-5


@pytest.mark.parametrize("name", list(KNOWN))
def test_nets_that_are_built_here_go_on_as_in_1_8(name: str) -> None:
    main, _, loss = control_nets.built(fluid, control_nets.NETS[name])
    assert differs(control_nets.resumed(fluid, KNOWN[name], name, main, loss), KNOWN[name]["losses"]) < 1e-5


@pytest.mark.parametrize("name", list(KNOWN))
def test_models_of_1_8_predict(name: str) -> None:
    assert differs(control_nets.predicted(fluid, KNOWN[name], name), KNOWN[name]["prediction"]) < 1e-5


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict]:
    """Nets as they are written here."""
    folder = tmp_path_factory.mktemp("ours")
    control_nets.write(fluid, str(folder), WRITTEN)
    return {name: control_nets.read(folder / f"{name}.npz") for name in WRITTEN}


@pytest.mark.parametrize("name", list(WRITTEN))
@pytest.mark.parametrize("times", [1, 2])
def test_our_own_programs_go_on(ours: dict, name: str, times: int) -> None:
    """From the file, and from a file of what was read from it."""
    known, program = ours[name], ours[name]["program"].tobytes()
    for _ in range(times - 1):
        program = fluid.Program.parse_from_string(program).desc.serialize_to_string()
    found = fluid.Program.parse_from_string(program)
    assert found.lint() == []
    assert differs(control_nets.predicted(fluid, known, name), known["prediction"]) < 1e-5
    assert differs(control_nets.resumed(fluid, known, name, found), known["losses"]) < 1e-5


@pytest.mark.parametrize("name", list(KNOWN))
def test_programs_of_1_8_are_written_again(name: str) -> None:
    content = fluid.Program.parse_from_string(KNOWN[name]["program"].tobytes()).desc.serialize_to_string()
    program = fluid.Program.parse_from_string(content)
    assert differs(control_nets.resumed(fluid, KNOWN[name], name, program), KNOWN[name]["losses"]) < 1e-5


@pytest.mark.parametrize("name", list(WRITTEN))
def test_files_have_operators_of_1_8(ours: dict, name: str) -> None:
    """PaddlePaddle has no operators of these names, and no such attributes."""
    described = from_bytes(ours[name]["program"].tobytes())
    ops = [op for block in described.blocks for op in block.ops]
    foreign = {*ON_ARRAYS, *RENAMED} - {"reorder_lod_tensor_by_rank_grad"}
    assert foreign.isdisjoint(op.type for op in ops)
    for op in ops:
        if op.type in SLOTS:
            assert "seeds" not in op.attrs and described.blocks[op.attrs["sub_block"][1]].forward_block_idx is not None


def test_a_program_is_not_changed_by_writing_it() -> None:
    main, _, _ = control_nets.built(fluid, control_nets.carried)
    before = str(main)
    main.desc.serialize_to_string()
    assert str(main) == before and main.lint() == []


@pytest.mark.parametrize("name", ["nested", "if_else", "cells", "minimized_in_branches"])
def test_programs_of_files_are_whole(name: str) -> None:
    """Blocks of gradient operators have taken the place of those of the file."""
    program = fluid.Program.parse_from_string(KNOWN[name]["program"].tobytes())
    assert program.lint() == []
    owned = [op.attrs["sub_block"].idx for op in program.all_ops() if "sub_block" in op.attrs]
    assert sorted(owned) == list(range(1, program.num_blocks))
    for op in program.all_ops():
        if op.type in ("while_grad", "conditional_block_grad", "recurrent_grad"):
            assert (
                op.forward is not None and op.attrs["sub_block"].forward_block_idx == op.forward.attrs["sub_block"].idx
            )


def test_a_gradient_whose_loop_is_not_there() -> None:
    described = from_bytes(KNOWN["while_array"]["program"].tobytes())
    home = described.blocks[0]
    home.ops[:] = [op for op in home.ops if op.type != "while"]
    program = fluid.Program.parse_from_string(to_bytes(described))
    why = "operator 'while_grad' of a file: the operator while, whose gradient it is, is not in the Program"
    with pytest.raises(NotYetAvailable, match=why):
        control_nets.resumed(fluid, KNOWN["while_array"], "while_array", program)
