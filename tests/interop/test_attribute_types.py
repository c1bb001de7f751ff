"""Attributes of files whose types are not those of the declaration: refused by name when the Program is loaded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import FileFormatError
from paddle_lite.static.proto import AttrType, ProgramData, from_bytes, to_bytes


@pytest.fixture(scope="module")
def described() -> Callable[[], ProgramData]:
    """Return a function that describes a Program anew: pool2d, softmax, scale, reshape2."""
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()), fluid.unique_name.guard():
        x = fluid.data("x", [None, 2, 4, 4], "float32")
        y = fluid.layers.softmax(fluid.layers.pool2d(x, 2, "avg", 2))
        fluid.layers.reshape(fluid.layers.scale(y, 0.5), [-1, 8])
    content = main.desc.serialize_to_string()
    return lambda: from_bytes(content)


def loaded(program: ProgramData, type: str, name: str, kind: AttrType, value: Any) -> fluid.Program:
    [op] = [op for op in program.blocks[0].ops if op.type == type]
    assert name in op.attrs or name.startswith("op_")
    op.attrs[name] = (kind, value)
    return fluid.Program.parse_from_string(to_bytes(program))


@pytest.mark.parametrize(
    ("type", "name", "kind", "value", "needed"),
    [
        ("pool2d", "ksize", AttrType.STRINGS, ["a"], "INTS"),
        ("pool2d", "ksize", AttrType.INT, 2, "INTS"),
        ("pool2d", "ksize", AttrType.FLOATS, [2.0, 2.0], "INTS"),
        ("pool2d", "pooling_type", AttrType.INTS, [], "STRING"),
        ("pool2d", "global_pooling", AttrType.STRING, "yes", "BOOLEAN"),
        ("softmax", "axis", AttrType.FLOAT, 1.0, "INT"),
        ("softmax", "axis", AttrType.INTS, [1], "INT"),
        ("scale", "scale", AttrType.STRING, "0.5", "FLOAT"),
        ("scale", "scale", AttrType.VAR, "x", "FLOAT"),
        ("reshape2", "shape", AttrType.VARS, ["x"], "INTS"),
        ("scale", "op_role", AttrType.STRING, "forward", "INT"),
    ],
)
def test_a_wrong_type_is_named(described: Any, type: str, name: str, kind: AttrType, value: Any, needed: str) -> None:
    text = rf"operator {type} in block 0: attribute '{name}' got the type {kind.name}: .*, needs the type {needed}"
    with pytest.raises(FileFormatError, match=text):
        loaded(described(), type, name, kind, value)


@pytest.mark.parametrize(
    ("type", "name", "kind", "value"),
    [
        ("pool2d", "ksize", AttrType.LONGS, [2, 2]),
        ("pool2d", "global_pooling", AttrType.INT, 0),
        ("softmax", "axis", AttrType.LONG, -1),
        ("scale", "scale", AttrType.FLOAT64, 0.5),
        ("scale", "bias", AttrType.INT, 0),
        ("scale", "op_role_var", AttrType.INTS, []),
    ],
)
def test_a_number_of_another_width_stands_for_it(
    described: Any, type: str, name: str, kind: AttrType, value: Any
) -> None:
    program = loaded(described(), type, name, kind, value)
    out = program.global_block().ops[-1].output("Out")
    feed = {"x": np.arange(32, dtype="float32").reshape(1, 2, 4, 4)}
    found = fluid.Executor().run(program, feed=feed, fetch_list=out)[0]
    right = fluid.Executor().run(fluid.Program.parse_from_string(to_bytes(described())), feed=feed, fetch_list=out)[0]
    np.testing.assert_array_equal(found, right)


def test_a_switch_that_is_a_number_in_the_file_stays_one(described: Any) -> None:
    """Files of 1.0 to 1.3 have `is_test`, an int, on activations; a copy for tests sets it, and is saved again."""
    data = described()
    [op] = [op for op in data.blocks[0].ops if op.type == "scale"]
    op.attrs["is_test"] = (AttrType.INT, 0)
    program = fluid.Program.parse_from_string(to_bytes(data)).clone(for_test=True)
    again = from_bytes(program.desc.serialize_to_string())
    [op] = [op for op in again.blocks[0].ops if op.type == "scale"]
    assert op.attrs["is_test"] == (AttrType.INT, 1) and type(op.attrs["is_test"][1]) is int
