"""Variables made by the constructor of VarBase as in 1.8.5, and by classes that are derived from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError

FP32, LOD_TENSOR = fluid.core.VarDesc.VarType.FP32, fluid.core.VarDesc.VarType.LOD_TENSOR
VALUE = np.arange(6, dtype="float32").reshape(2, 3)
VarBase: Any = fluid.core.VarBase


@pytest.fixture(autouse=True)
def imperative() -> Iterator[None]:
    with fluid.dygraph.guard(fluid.CPUPlace()):
        yield


class Mine(VarBase):
    """A Variable with a field of its own, as libraries that imitate other frameworks have them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.device = None


@pytest.mark.parametrize("kind", [VarBase, Mine])
def test_of_a_value(kind: Any) -> None:
    for made in (kind(VALUE), kind(VALUE, fluid.CPUPlace()), kind(value=VALUE, place=fluid.CPUPlace(), name="given")):
        assert type(made) is kind and made.stop_gradient and not made.persistable
        np.testing.assert_array_equal(made.numpy(), VALUE)
    assert made.name == "given"
    assert kind(VALUE, fluid.CPUPlace(), True, False, "kept").persistable
    assert kind(value=[1, 2.5], place=fluid.CPUPlace()).dtype == fluid.core.VarDesc.VarType.FP64


@pytest.mark.parametrize("zero_copy", [False, True])
def test_zero_copy_shares_the_memory(zero_copy: bool) -> None:
    array = VALUE.copy()
    made = VarBase(array, fluid.CPUPlace(), False, zero_copy)
    array[0, 0] = 9
    assert made.numpy()[0, 0] == (9 if zero_copy else 0)


@pytest.mark.parametrize("kind", [VarBase, Mine])
def test_of_a_shape_to_be_assigned(kind: Any) -> None:
    made = kind(FP32, [2, 3], "later", LOD_TENSOR, True)
    assert (made.shape, made.name, made.persistable, made.dtype) == ([2, 3], "later", True, FP32)
    fluid.layers.assign(fluid.dygraph.to_variable(VALUE), made)
    np.testing.assert_array_equal(made.numpy(), VALUE)
    assert kind(FP32, (2,), None, LOD_TENSOR, False).name.startswith("generated")


def test_gradients_of_a_derived_class() -> None:
    x = Mine(VALUE)
    x.stop_gradient = False
    fluid.layers.reduce_sum(x * x).backward()
    np.testing.assert_array_equal(x.gradient(), 2 * VALUE)
    assert x.device is None


@pytest.mark.parametrize(
    "call, needs",
    [
        (lambda: VarBase(), "an array"),
        (lambda: VarBase([1.0], fluid.CPUPlace()), "an array"),
        (lambda: VarBase(VALUE, "cpu"), "a place"),
        (lambda: VarBase(VALUE, colour=1), "those of"),
        (lambda: VarBase(FP32, [2], "x"), "those of"),
        (lambda: VarBase(VALUE, value=VALUE), "those of"),
    ],
)
def test_arguments_of_no_constructor_are_refused(call: Callable[[], Any], needs: str) -> None:
    with pytest.raises(ArgumentTypeError, match=needs):
        call()


def test_a_parameter_of_a_shape() -> None:
    first, second = fluid.framework.ParamBase([2, 3], "float32"), fluid.framework.ParamBase(shape=[2], dtype="float32")
    assert [first.name, second.name] == ["_param_base_0", "_param_base_1"]
    assert (first.shape, first.dtype, first.persistable, first.trainable) == ([2, 3], FP32, True, True)
    assert first.stop_gradient
    assert first.optimize_attr == {"learning_rate": 1.0}
    named = fluid.framework.ParamBase([2], "float32", name="q", trainable=False, optimize_attr={"learning_rate": 2.0})
    assert (named.name, named.trainable, named.optimize_attr) == ("q", False, {"learning_rate": 2.0})
    fluid.initializer.Constant(3.0)(first, fluid.default_main_program().global_block())
    np.testing.assert_array_equal(first.numpy(), np.full((2, 3), 3.0))


@pytest.mark.parametrize(("shape", "dtype"), [(None, "float32"), ([2], None), ([], "float32"), ([-1], "float32")])
def test_a_parameter_needs_sizes_and_a_dtype(shape: Any, dtype: Any) -> None:
    with pytest.raises(ArgumentValueError, match=r"ParamBase: (shape|dtype) got"):
        fluid.framework.ParamBase(shape, dtype)
