"""Which lists become arrays because the branches of an `if` leave them differently long."""

from __future__ import annotations

import numpy as np

from paddle_lite import fluid
from paddle_lite.jit.operators.growing import grows, to_array, to_stack


def variable(shape, dtype="float32"):
    return fluid.layers.fill_constant(shape, dtype, 1)


def test_lists_of_one_form_that_differ_in_length():
    with fluid.program_guard(fluid.Program()):
        a, b = variable([2]), variable([3])
        assert grows([], [a], [])
        assert grows([a], [a], [a, b, a])
        assert grows([1], [1, 2], [1])
        assert grows([a], to_array([a]), [a])
        assert grows([a], to_array([a]), to_array([a]))
        assert not grows([a], [a, b], [a, a])  # as long: merged element by element
        assert not grows([a], [a, variable([2, 2])], [a])
        assert not grows([a], [a, variable([2], "int64")], [a])
        assert not grows([a], [a, "text"], [a])
        assert not grows((), (a,), ())
        assert not grows([a], {"a": a}, [a])
        assert not grows([a], [a, [b]], [a])


def test_a_list_as_an_array_and_as_a_stack():
    with fluid.program_guard(fluid.Program()):
        array, stack = to_array([variable([2]), variable([3])]), to_stack([variable([1])])
        found = fluid.Executor().run(fetch_list=[fluid.layers.concat(array), stack.length])
    np.testing.assert_array_equal(found[0], np.ones(5))
    assert found[1].tolist() == [1]
