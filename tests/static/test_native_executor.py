"""core.Executor: descriptions of Programs in a Scope."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError
from paddle_lite.fluid import core


def tensor(values):
    made = fluid.LoDTensor()
    made.set(np.array(values, "float32"), fluid.CPUPlace())
    return made


def test_results_stay_in_the_scope_where_it_is_not_a_local_one():
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    with fluid.program_guard(main, startup):
        hidden = fluid.layers.fc(fluid.data("x", [1, 2]), 1, param_attr=fluid.initializer.Constant(0.5), name="f")
        out = hidden * 2.0
    place = core.Place()
    place.set_place(fluid.CPUPlace())
    executor = core.Executor(place)
    executor.run(startup.desc, scope, 0, False, True, [])
    scope.var("x").get_tensor().set(np.array([[1, 3]], "float32"), fluid.CPUPlace())
    executor.run(main.desc, scope, 0, True, True, [])
    assert scope.find_var(out.name) is None
    executor.run(main.desc, scope, 0, False, True, [])
    assert np.array(scope.find_var(hidden.name).get_tensor()).tolist() == [[2]]
    assert np.array(scope.find_var(out.name).get_tensor()).tolist() == [[4]]


def test_feeds_and_fetches_are_operators():
    main, scope = fluid.Program(), fluid.Scope()
    with fluid.program_guard(main):
        x = fluid.data("x", [2])
        y, block = x * 3.0, main.global_block()
        kinds = {"feed": core.VarDesc.VarType.FEED_MINIBATCH, "fetch": core.VarDesc.VarType.FETCH_LIST}
        feed, fetch = (block.create_var(name=name, type=kind, persistable=True) for name, kind in kinds.items())
        block._prepend_op(type="feed", inputs={"X": [feed]}, outputs={"Out": [x]}, attrs={"col": 0})
        block.append_op(type="fetch", inputs={"X": [y]}, outputs={"Out": [fetch]}, attrs={"col": 1})
    core.set_feed_variable(scope, tensor([1, 2]), "feed", 0)
    fluid.Executor(fluid.CPUPlace())._default_executor.run(main.desc, scope, 0, True, True, ["fetch"])
    assert np.array(core.get_fetch_variable(scope, "fetch", 1)).tolist() == [3, 6]


def test_wrong_arguments_are_named():
    executor = core.Executor(fluid.CPUPlace())
    with pytest.raises(ArgumentTypeError, match=r"core\.Executor\.run: program got str 'main'"):
        executor.run("main", fluid.Scope())
    with pytest.raises(ArgumentValueError, match="block_id got 1"):
        executor.run(fluid.Program().desc, fluid.Scope(), 1)


def test_close_closes_the_executor_that_it_belongs_to():
    executor = fluid.Executor(fluid.CPUPlace())
    executor._default_executor.close()
    with pytest.raises(core.EnforceNotMet):
        executor.run(fluid.Program())
