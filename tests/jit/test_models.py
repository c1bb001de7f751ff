"""Models in the styles of 2019 and 2020: declared and plain they agree, they learn, and what is saved computes the same."""

from __future__ import annotations

import itertools
from contextlib import contextmanager

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.fluid.dygraph import ProgramTranslator, to_variable

from .models_of import ALL

translator = ProgramTranslator()
models = pytest.mark.parametrize("model_class", ALL, ids=lambda m: m.__name__)
COMPILED = ("BinaryTree", "Click", "Digits", "Recurrence")
"""Models whose fused kernels are compiled: a loop, sparse rows, convolutions, a recursion; tests/static/plan interprets all."""


@pytest.fixture(autouse=True)
def imperative():
    with fluid.dygraph.guard():
        yield


@contextmanager
def declared(on):
    """Whether declared functions run as Programs."""
    translator.enable(on)
    try:
        yield
    finally:
        translator.enable(True)


def made(model_class, start=None):
    """A model with the start values of another one, or with those that the seeds give."""
    with fluid.unique_name.guard():
        fluid.default_main_program().random_seed = fluid.default_startup_program().random_seed = 1
        model = model_class()
    if start is not None:
        for name, variable in model.net.state_dict().items():
            variable.set_value(start[name])
    return model


def values(model):
    return {name: variable.numpy() for name, variable in model.net.state_dict().items()}


def flat(result):
    if isinstance(result, dict):
        return flat(list(result.values()))
    return [v for r in result for v in flat(r)] if isinstance(result, (list, tuple)) else [result]


def trained(model, batches):
    """What each step of training gives: the loss and what comes with it, gradients, parameters and buffers after it."""
    optimizer = model.optimizer(model.net.parameters())
    steps = []
    for batch in batches:
        fractions = {f"input {i}": v for i, v in enumerate(batch) if v.dtype in (fluid.core.VarDesc.VarType.FP32,)}
        for variable in fractions.values():
            variable.stop_gradient = False
        results = flat(model.loss(*batch))
        results[0].backward()
        sources = {n: p for n, p in model.net.named_parameters() if p.trainable} | fractions
        gradients = {name: variable.gradient() for name, variable in sources.items()}
        optimizer.minimize(results[0])
        model.net.clear_gradients()
        steps.append(([v.numpy() for v in results], gradients, values(model)))
    return steps


def same(found, expected, name, rtol=1e-4, atol=2e-6):
    if found is None or expected is None:  # a branch not taken: None from the tape, zeros from a Program
        assert not any(np.any(value) for value in (found, expected) if value is not None), name
        return
    assert type(found) is type(expected), name
    if isinstance(expected, tuple):  # the rows of a sparse gradient, and which they are
        for a, b in zip(found, expected, strict=True):
            same(a, b, name, rtol, atol)
    else:
        assert found.shape == expected.shape and found.dtype == expected.dtype, name
        np.testing.assert_allclose(found, expected, rtol=rtol, atol=atol, err_msg=name)


@models
def test_trains_as_python(model_class):
    start = values(made(model_class))
    both = []
    for on in (False, True):
        with declared(on), fluid.dygraph.guard():
            model, numbers = made(model_class, start), np.random.RandomState(3)
            both.append(trained(model, (model.batch(numbers) for _ in range(model.rounds))))
    for step, (plain, found) in enumerate(zip(*both)):
        assert len(found[0]) == len(plain[0])
        for i, (a, b) in enumerate(zip(found[0], plain[0])):
            same(a, b, f"result {i} in step {step}", atol=model.atol / 100)
        for a, b in zip(found[1:], plain[1:]):
            assert a.keys() == b.keys()
            for name in b:
                same(a[name], b[name], f"{name} in step {step}", atol=model.tolerance(name))
    moved = [name for name in start if not np.array_equal(start[name], both[1][-1][2][name])]
    assert moved == [name for name in start if not np.array_equal(start[name], both[0][-1][2][name])]


@models
def test_learns(model_class, request):
    if model_class.__name__ in COMPILED:
        request.getfixturevalue("compiled")
    model = made(model_class)
    batch = model.batch(np.random.RandomState(5))
    steps = trained(model, itertools.repeat(batch, model.fit))
    losses = [float(results[0].reshape([])) for results, _, _ in steps]
    assert losses[-1] < model.falls * losses[0], losses


def shown(result):
    """The arrays of what a model gives, and their levels of detail."""
    return [(v.numpy(), v.levels) for v in flat(result)]


def all_same(found, expected, where):
    for i, ((a, level), (b, wanted)) in enumerate(zip(found, expected, strict=True)):
        assert level == wanted, f"result {i} {where}"
        same(a, b, f"result {i} {where}")


@models
def test_saved_model_agrees(model_class, tmp_path):
    model, numbers = made(model_class), np.random.RandomState(7)
    trained(model, [model.batch(numbers)])
    model.net.eval()
    examples = model.examples(numbers)

    def predicted(example):
        return shown(model.predict(*map(to_variable, example)))

    expected = [predicted(example) for example in examples]
    with declared(False):
        for example, wanted in zip(examples, expected):
            all_same(wanted, predicted(example), "of what is declared")
    predicted(examples[0])
    folder = str(tmp_path / "model")
    translator.save_inference_model(folder)
    executor = fluid.Executor(fluid.CPUPlace())
    with fluid.scope_guard(fluid.Scope()):
        program, feeds, fetches = fluid.io.load_inference_model(folder, executor)
        assert program.lint() == []
        assert {op.type for block in program.blocks for op in block.ops} & CONTROL == model.control
        for example, wanted in zip(examples, expected):
            feed = dict(zip(feeds, example, strict=True))
            found = executor.run(program, feed=feed, fetch_list=fetches, return_numpy=False)
            all_same([(np.asarray(t), t.levels) for t in found], wanted, "of the saved model")


CONTROL = {"while", "conditional_block"}
