"""The functions of `fluid.core.ops`. `op_functions_1_8.json` holds their signatures in PaddlePaddle 1.8.5 -> the operators: a Variable V, a
list L or a number I for each argument, ">", and what is returned."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ModeError
from paddle_lite.fluid.core import ops
from paddle_lite.ops.framework import registry

RECORDED = Path(__file__).with_name("op_functions_1_8.json")


def signature(name: str) -> str:
    """Return the signature of a function by its docstring and the operator's slots."""
    op = registry.get(name)
    many = {slot.name: slot.many for slot in (*op.inputs, *op.outputs)}
    args, results = re.findall(r"(?:args:|Returns:)\s+(.*?)[;.]", getattr(ops, name).__doc__)
    words = [] if args == "nothing" else args.split(", ")
    letters = ["I" if word.startswith("number of ") else "VL"[many[word]] for word in words]
    return "".join(letters) + ">" + "".join("VL"[many[word]] for word in results.split(", ") if word)


def test_signatures() -> None:
    recorded = {name: key for key, names in json.loads(RECORDED.read_text()).items() for name in names.split()}
    here = recorded.keys() & set(dir(ops))
    assert len(here) > 350
    assert {name: signature(name) for name in here} == {name: recorded[name] for name in here}


def test_calls_and_gradients() -> None:
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(np.arange(6, dtype="float32").reshape(2, 3) - 2)
        x.stop_gradient = False
        out, _ = ops.reshape2(ops.scale(ops.relu(x), "scale", 2.0, "bias", 1.0, "of_no_operator", 3), "shape", [3, 2])
        parts = ops.split(out, 2, "num", 2, "axis", 1)
        assert [part.shape for part in parts] == [[3, 1], [3, 1]]
        joined = ops.concat(parts, "axis", 0)
        np.testing.assert_array_equal(joined.numpy().ravel(), [1, 1, 5, 1, 3, 7])
        ops.mean(joined).backward()
        np.testing.assert_allclose(x.gradient(), np.array([[0, 0, 0], [1, 1, 1]]) / 3, rtol=1e-6)


def test_functions_that_write_into_variables() -> None:
    with fluid.dygraph.guard():
        weight, gradient, rate = (fluid.dygraph.to_variable(np.full(1, v, "float32")) for v in (3, 2, 0.5))
        assert ops.sgd(weight, rate, gradient, weight).numpy().tolist() == weight.numpy().tolist() == [2.0]
        normal, _, _ = ops.layer_norm(
            fluid.dygraph.to_variable(np.eye(2, dtype="float32")), None, None, "begin_norm_axis", 1
        )
        np.testing.assert_allclose(normal.numpy(), [[1, -1], [-1, 1]], rtol=1e-4)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((), ArgumentTypeError),
        ((np.ones(2, "float32"),), ArgumentTypeError),
        (("x", "axis"), ArgumentValueError),
        (("x", {"axis": 0}), ArgumentValueError),
    ],
)
def test_wrong_calls(arguments: tuple[Any, ...], error: type[Exception]) -> None:
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(np.ones([2, 2], "float32"))
        with pytest.raises(error, match=r"core\.ops\.softmax"):
            ops.softmax(*(x if isinstance(each, str) and each == "x" else each for each in arguments))
        with pytest.raises(ArgumentTypeError, match="number of Out"):
            ops.split(x, "two", "num", 2)
    with pytest.raises(ModeError, match=r"core\.ops\.softmax"):
        ops.softmax(x)
    for name in ("relu_grad", "no_such_operator"):
        with pytest.raises(AttributeError, match=name):
            getattr(ops, name)
