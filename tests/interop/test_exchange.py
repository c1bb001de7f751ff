"""Models that PaddlePaddle 1.8.5 and 2.6.2 wrote are read, run and trained on; so are ours, in every form of files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import paddle_lite.fluid as fluid

from . import exchange, nets

DATA = Path(__file__).parent / "data" / "exchange"
MODERN = sorted(file.stem for file in (DATA / "modern").glob("*.npz"))


@pytest.mark.parametrize("name", sorted(nets.NETS))
def test_models_of_1_8(name: str) -> None:
    for what, found, wanted in nets.check_net(fluid, str(DATA / "fluid" / name), name):
        assert nets.differs(found, wanted) < 1e-5, what


@pytest.mark.parametrize("name", MODERN)
def test_models_of_2_6(name: str) -> None:
    known = np.load(DATA / "modern" / f"{name}.npz")
    if name == "training":
        assert nets.differs(exchange.trained(DATA / "modern"), known["losses"]) < 1e-5
    else:
        assert nets.differs(exchange.predicted(DATA / "modern", name, known["x"]), known["prediction"]) < 1e-5


def test_the_models_are_all_there() -> None:
    assert MODERN == ["encoder", "mobilenet", "resnet", "training"]


def test_our_own_models(tmp_path: Path) -> None:
    nets.write(fluid, str(tmp_path))
    checks = list(nets.check(fluid, str(tmp_path)))
    assert len(checks) == 35
    for what, found, wanted in checks:
        assert nets.differs(found, wanted) < 1e-6, what


@pytest.mark.parametrize("name", sorted(nets.NETS))
def test_our_files_are_those_of_1_8(name: str, tmp_path: Path) -> None:
    with fluid.unique_name.guard():
        nets.write(fluid, str(tmp_path))
    ours, theirs = tmp_path / name, DATA / "fluid" / name
    assert files_below(ours) == files_below(theirs)
    for file in ("model/__model__", "net.pdmodel"):
        a, b = (read(folder / file) for folder in (ours, theirs))
        assert types(a) == types(b)
        assert name in nets.LOOPS or described(a) == described(b)
    a, b = (read(folder / "train.pdmodel") for folder in (ours, theirs))
    assert name in nets.LOOPS or types(a) == types(b)
    assert persistables(a) == persistables(b)


def files_below(folder: Path) -> dict[str, int]:
    """The files of a folder; with the sizes of those that hold tensors."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            tensors = path.suffix not in (".pdmodel", ".pdparams", ".pdopt", ".npz") and path.name != "__model__"
            found[path.relative_to(folder).as_posix()] = path.stat().st_size if tensors else 0
    return found


def read(file: Path) -> fluid.Program:
    return fluid.Program.parse_from_string(file.read_bytes())


def types(program: fluid.Program) -> list:
    return [(block.parent_idx, [op.type for op in block.ops]) for block in program.blocks]


def described(program: fluid.Program) -> list:
    """Operators with their slots and attributes, and Variables: not in which order those stand, or who made an operator."""
    apart = ("op_callstack", "use_cudnn")
    ops = [
        (op.type, op.inputs, op.outputs, {name: value for name, value in op.attrs.items() if name not in apart})
        for op in program.global_block().ops
    ]
    variables = program.global_block().vars.values()
    return [ops, sorted((v.name, v.type, len(v.shape), v.persistable, v.lod_level, v.dtype) for v in variables)]


def persistables(program: fluid.Program) -> list:
    return sorted((v.name, v.shape, v.dtype) for v in program.list_vars() if v.persistable)
