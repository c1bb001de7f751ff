"""`and`, `or` and chains of Variables: what may fail is computed only where Python would compute it."""

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.fluid.dygraph import ProgramTranslator, declarative, to_variable

L = fluid.layers


@pytest.fixture(autouse=True)
def imperative():
    with fluid.dygraph.guard():
        yield


def simple(x):
    s = L.reduce_sum(x)
    return (s > 0 and L.reduce_max(x) < x.shape[0]) or not s


def failing(x, i):
    return i < x.shape[0] and L.reduce_sum(L.gather(x, i)) > 1


def chain(x, i):
    return 0 <= i < x.shape[0] < L.reduce_sum(L.gather(x, i)) * 100


def types(function, *args):
    program, _, _, _ = ProgramTranslator().get_program(function, *args)
    assert program.lint() == []
    return {op.type for op in program.global_block().ops}


def test_operators_that_cannot_fail_are_run_at_once():
    assert not types(simple, np.ones([3, 2], "float32")) & {"conditional_block", "select_input"}


def test_operators_that_may_fail_are_run_where_they_are_needed():
    x = np.ones([3, 2], "float32")
    for function in (failing, chain):
        declared = declarative(function)
        assert "conditional_block" in types(function, x, np.array([0]))
        for i, expected in ((0, True), (2, True), (3, False), (7, False)):
            assert bool(declared(to_variable(x), to_variable(np.array([i]))).numpy()[0]) is expected
