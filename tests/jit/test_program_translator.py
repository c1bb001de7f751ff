"""ProgramTranslator, the cache of translations, and saved models."""

from __future__ import annotations

import gc
import os
import warnings
import weakref

import numpy as np
import pytest

import paddle_lite as paddle
from paddle_lite import fluid
from paddle_lite.core.errors import IndexRangeError
from paddle_lite.core.mode import state, switched
from paddle_lite.fluid.dygraph import Layer, Linear, ProgramTranslator, declarative, to_variable
from paddle_lite.static.mode.static_mode import static_mode

L = fluid.layers
translator = ProgramTranslator()


@pytest.fixture(autouse=True)
def imperative():
    with fluid.dygraph.guard():
        yield


def translations():
    return translator.get_program_cache().translations


def branch(x, k=2):
    if L.mean(x) < 0:
        y = x - 1
    else:
        y = x + k
    return y


def test_names():
    assert paddle.imperative.declarative is declarative is fluid.dygraph.jit.declarative
    assert paddle.imperative.ProgramTranslator is ProgramTranslator
    from paddle_lite.fluid.dygraph import dygraph_to_static

    assert dygraph_to_static.ProgramTranslator is ProgramTranslator
    assert ProgramTranslator() is ProgramTranslator() is ProgramTranslator.get_instance()


def test_get_output_and_get_program():
    x = np.ones([1, 2], "float32")
    assert translator.get_output(branch, x).numpy().tolist() == [[3.0, 3.0]]
    assert translator.get_output(branch, x, k=5).numpy().tolist() == [[6.0, 6.0]]
    main, startup, inputs, outputs = translator.get_program(branch, x)
    assert isinstance(main, fluid.Program) and isinstance(startup, fluid.Program)
    assert [v.name for v in inputs] == ["x"]
    [found] = fluid.Executor().run(main, feed={"x": -x}, fetch_list=outputs)
    assert found.tolist() == [[-2.0, -2.0]]


def test_get_func_builds_a_part_of_a_program():
    function = translator.get_func(branch)
    program = fluid.Program()
    with switched(static_mode, state.place, None), fluid.program_guard(program):
        x = fluid.data("x", [None, 2], "float32")
        y = function(x)
        z = declarative(branch)(x)
    for sign in (1, -1):
        found = fluid.Executor().run(program, feed={"x": sign * np.ones([3, 2], "float32")}, fetch_list=[y, z])
        expected = np.full([3, 2], 3.0 if sign > 0 else -2.0)
        np.testing.assert_array_equal(found[0], expected)
        np.testing.assert_array_equal(found[1], expected)


def test_get_code_is_readable():
    code = translator.get_code(declarative(branch))
    assert code.startswith("def branch(x, k=")
    assert "y = x - 1" in code and "nonlocal y" in code
    assert "_jst.if_(" in code
    compile(code, "code", "exec")


def test_off():
    declared = declarative(branch)
    translator.enable(False)
    try:
        before = translations()
        assert declared(to_variable(np.ones([1, 2], "float32"))).numpy().tolist() == [[3.0, 3.0]]
        with pytest.warns(UserWarning, match="translation is off"):
            translator.get_output(branch, to_variable(np.ones([1, 2], "float32")))
        assert translations() == before
    finally:
        translator.enable(True)


def test_what_is_translated_anew():
    declared = declarative(branch)

    def costs(*args, **keywords):
        before = translations()
        declared(*args, **keywords)
        return translations() - before

    def ones(*shape, dtype="float32"):
        return to_variable(np.ones(shape, dtype))

    assert costs(ones(1, 2)) == 1
    assert costs(ones(7, 2)) == 0
    assert costs(np.ones([3, 2], "float32")) == 0
    assert costs(ones(7, 2), 3) == 1
    assert costs(ones(9, 2), 3) == 0
    assert costs(ones(7, 2, dtype="float64")) == 1
    assert costs(ones(7, 2, 1)) == 1
    assert costs(ones(7, 5)) == 1  # and now it is open in the second size
    assert costs(ones(7, 6)) == 0
    assert costs(x=ones(7, 6)) == 1
    assert len(translator.get_program_cache()) == len(translator.get_program_cache().concrete_programs())


def test_many_translations_warn():
    declared = declarative(branch)
    x = to_variable(np.ones([1, 2], "float32"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for k in range(8):
            declared(x, k)
    with pytest.warns(UserWarning, match="branch has been translated 9 times"):
        declared(x, 8)


def test_layers_do_not_share_translations():
    class Net(Layer):
        def __init__(self):
            super().__init__()
            self.fc = Linear(2, 2)

        @declarative
        def forward(self, x):
            return self.fc(x)

    x = to_variable(np.ones([1, 2], "float32"))
    a, b = Net(), Net()
    assert (a(x).numpy() != b(x).numpy()).any()
    before = translations()
    a(x)
    assert translations() == before


class Deciding(Layer):
    """A layer whose saved model holds a loop and a branch."""

    def __init__(self):
        super().__init__()
        self.fc = Linear(2, 2)

    @declarative
    def forward(self, x, limit):
        i = L.fill_constant([1], "int64", 0)
        while i < limit:
            x = self.fc(x)
            i = i + 1
        if L.reduce_sum(x) > 0:
            y = x * 2
        else:
            y = x - 1
        return y, i


def saved(folder, **options):
    model = Deciding()
    model.fc.weight.set_value(np.array([[1.0, 0.5], [-0.5, 1.0]], "float32"))
    model(to_variable(np.ones([1, 2], "float32")), to_variable(np.array([2], "int64")))
    translator.save_inference_model(folder, **options)
    return model


FEEDS = [
    (np.array([[1.0, 2.0], [3.0, 4.0]], "float32"), np.array([3], "int64")),
    (np.array([[-5.0, 1.0]], "float32"), np.array([1], "int64")),
    (np.array([[-5.0, 1.0]], "float32"), np.array([0], "int64")),
]


def test_saved_model_takes_either_branch(tmp_path):
    folder = str(tmp_path / "model")
    model = saved(folder)
    expected = [[v.numpy() for v in model(to_variable(a), to_variable(b))] for a, b in FEEDS]
    executor = fluid.Executor(fluid.CPUPlace())
    with fluid.scope_guard(fluid.Scope()):
        program, feeds, fetches = fluid.io.load_inference_model(folder, executor)
        assert {op.type for op in program.global_block().ops} >= {"while", "conditional_block"}
        for given, wanted in zip(FEEDS, expected):
            found = executor.run(program, feed=dict(zip(feeds, given)), fetch_list=fetches)
            for a, b in zip(found, wanted):
                np.testing.assert_allclose(a, b, rtol=1e-6)


def test_chosen_feeds_and_fetches(tmp_path):
    folder = str(tmp_path / "model")
    saved(folder, feed=[0, 1], fetch=[1])
    assert os.path.exists(os.path.join(folder, "__model__"))
    with fluid.scope_guard(fluid.Scope()):
        executor = fluid.Executor(fluid.CPUPlace())
        program, feeds, fetches = fluid.io.load_inference_model(folder, executor)
        assert len(fetches) == 1
        found = executor.run(program, feed=dict(zip(feeds, FEEDS[0])), fetch_list=fetches)
        assert found[0].tolist() == [3]
    with pytest.raises(IndexRangeError, match="fetch"):
        translator.save_inference_model(folder, fetch=[2])


def test_a_size_that_has_changed_is_open_in_what_is_saved(tmp_path):
    declared = declarative(branch)
    for columns in (2, 3, 2):  # the last one fits the first translation, too
        declared(to_variable(np.ones([1, columns], "float32")))
    folder = str(tmp_path / "model")
    with pytest.warns(UserWarning, match="no variable in your model"):
        translator.save_inference_model(folder)
    with fluid.scope_guard(fluid.Scope()):
        executor = fluid.Executor(fluid.CPUPlace())
        program, [feed], fetches = fluid.io.load_inference_model(folder, executor)
        [found] = executor.run(program, feed={feed: np.ones([4, 5], "float32")}, fetch_list=fetches)
        np.testing.assert_array_equal(found, np.full([4, 5], 3.0))


def test_parameters_that_the_function_makes():
    @declarative
    def net(x):
        return L.fc(x, 3, act="tanh")

    x = to_variable(np.ones([2, 4], "float32"))
    first = net(x).numpy()
    assert first.shape == (2, 3) and np.abs(first).max() > 0
    np.testing.assert_array_equal(net(x).numpy(), first)


def test_print(capfd):
    @declarative
    def told(x):
        print("x is", x)
        return x + 1

    told(to_variable(np.array([3.0], "float32")))
    told(to_variable(np.array([4.0], "float32")))
    text = capfd.readouterr()
    assert (text.out + text.err).count("x is") == 2


def test_programs_go_with_the_layer_that_they_belong_to():
    class Net(Layer):
        def __init__(self):
            super().__init__()
            self.fc = Linear(2, 2)

        @declarative
        def forward(self, x):
            return self.fc(x)

    x = to_variable(np.ones([1, 2], "float32"))
    cache = translator.get_program_cache()
    net, other = Net(), Net()
    net(x)
    made = weakref.ref(cache.newest())
    other(x)
    assert made() in cache.concrete_programs()
    del net
    gc.collect()
    assert made() is None


def test_numbers_of_numpy_and_slices_count_by_their_values():
    @declarative
    def scaled(x, k, part):
        return x[part] * k

    x = to_variable(np.ones([4, 2], "float32"))
    before = translations()
    for _ in range(3):
        scaled(x, np.float32(2), slice(0, 2))
    assert translations() == before + 1
    scaled(x, np.float32(3), slice(0, 2))
    scaled(x, np.float32(3), slice(0, 3))
    assert translations() == before + 3
