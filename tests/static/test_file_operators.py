"""Operators that write and read files: save, load, save_combine, load_combine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, FileFormatError, MissingFileError, ModeError
from paddle_lite.core.mode import switched
from paddle_lite.static.mode.static_mode import static_mode
from paddle_lite.static.proto import streams

X, LOD = np.arange(6, dtype="float32").reshape(3, 2), ((0, 1, 3),)


@pytest.fixture(autouse=True)
def static() -> Iterator[None]:
    with switched(static_mode, fluid.CPUPlace(), None), fluid.scope_guard(fluid.Scope()):
        yield


def run(append: Any, feed: Any = None, fetch: Any = ()) -> list[Any]:
    """Build a Program, run it once and return what is fetched, as LoDTensors."""
    main = fluid.Program()
    with fluid.program_guard(main):
        append(main.global_block())
    assert main.lint() == []
    return fluid.Executor(fluid.CPUPlace()).run(main, feed=feed or {}, fetch_list=list(fetch), return_numpy=False)


def fed(block: Any, name: str = "x") -> Any:
    return fluid.data(name, [None, 2], lod_level=1)


def written(path: Path, type: str = "save", inputs: int = 1, **attrs: Any) -> None:
    def append(block: Any) -> None:
        given = [fed(block, f"x{i}") for i in range(inputs)]
        block.append_op(type=type, inputs={"X": given}, outputs={}, attrs={"file_path": str(path), **attrs})

    tensor = fluid.LoDTensor()
    tensor.set(X, fluid.CPUPlace())
    tensor.set_lod([list(LOD[0])])
    run(append, {f"x{i}": tensor for i in range(inputs)})


def read(path: Path, type: str = "load", outputs: int = 1, **attrs: Any) -> list[Any]:
    names = [f"out{i}" for i in range(outputs)]

    def append(block: Any) -> None:
        made = [block.create_var(name=name, dtype="float32", lod_level=1) for name in names]
        block.append_op(type=type, outputs={"Out": made}, attrs={"file_path": str(path), **attrs})

    return run(append, fetch=names)


def test_a_tensor_comes_back_with_its_lod(tmp_path: Path) -> None:
    written(tmp_path / "below" / "x")
    stored = streams.load_tensor(tmp_path / "below" / "x")
    assert stored.lod == LOD and np.array_equal(stored.array, X)
    (found,) = read(tmp_path / "below" / "x")
    assert np.array_equal(np.array(found), X) and found.lod() == [[0, 1, 3]]


def test_half_precision(tmp_path: Path) -> None:
    """The sizes are those of PaddlePaddle 1.8.5 less those of its LoD."""
    written(tmp_path / "half", save_as_fp16=True)
    assert streams.load_tensor(tmp_path / "half").array.dtype == np.float16
    written(tmp_path / "x")
    (found,) = read(tmp_path / "x", load_as_fp16=True)
    assert np.array(found).dtype == np.float16


def test_several_tensors_in_one_file(tmp_path: Path) -> None:
    written(tmp_path / "both", "save_combine", 2)
    found = read(tmp_path / "both", "load_combine", 2)
    assert all(np.array_equal(np.array(each), X) and each.lod() == [[0, 1, 3]] for each in found)
    for count in (1, 3):
        with pytest.raises(FileFormatError, match="both"):
            read(tmp_path / "both", "load_combine", count)


def test_bad_calls(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match="none"):
        read(tmp_path / "none")
    written(tmp_path / "x")
    with pytest.raises(ArgumentValueError, match="exists"):
        written(tmp_path / "x", overwrite=False)
    with pytest.raises(ArgumentValueError, match="'seek'"):
        read(tmp_path / "x", seek=2)
    with pytest.raises(ArgumentValueError, match="save_to_memory"):
        written(tmp_path / "both", "save_combine", 2, save_to_memory=True)
    with pytest.raises(ArgumentValueError, match="model_from_memory"):
        read(tmp_path / "x", "load_combine", model_from_memory=True)


def test_each_run_writes_and_reads(tmp_path: Path) -> None:
    """They stay in a Plan although nothing is fetched, and read what the file holds now."""
    path, exe = str(tmp_path / "x"), fluid.Executor(fluid.CPUPlace())
    main = fluid.Program()
    with fluid.program_guard(main):
        found = fluid.layers.create_tensor("float32", name="found")
        fluid.layers.load(found, path)
        out = found * 2.0
    for number in (1.0, 2.0):
        streams.save_tensor(path, np.full(2, number, "float32"))
        assert exe.run(main, fetch_list=[out])[0].tolist() == [2 * number] * 2


def test_bad_calls_of_the_layer() -> None:
    with pytest.raises(ArgumentTypeError, match="out"):
        fluid.layers.load("w", "w")
    with pytest.raises(ArgumentTypeError, match="file_path"):
        fluid.layers.load(fluid.layers.create_tensor("float32"), 3)
    with fluid.dygraph.guard(), pytest.raises(ModeError, match="load_dygraph"):
        fluid.layers.load(None, "w")
