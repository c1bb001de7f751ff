"""Models beyond the recorded cases: files, inputs by name, wrong calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite as paddle
from paddle_lite import fluid
from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    MissingFileError,
    MissingKeyError,
    ModeError,
    ShapeError,
)
from paddle_lite.hapi import Input, Model
from paddle_lite.hapi.loss import CrossEntropy, Loss, SoftmaxWithCrossEntropy
from paddle_lite.hapi.metrics import Accuracy, Metric

from .cases.training import mode

X, Y = np.float32([[1, 2], [3, 4], [5, 7]]), np.array([[0], [1], [2]])
INPUTS, LABELS = [Input([None, 2], "float32", "x")], [Input([None, 1], "int64", "y")]


class Net(Model):
    """One layer, of a width that can be chosen."""

    def __init__(self, width: int = 3) -> None:
        super().__init__()
        self.fc = fluid.dygraph.Linear(2, width)

    def forward(self, x: Any) -> Any:
        return self.fc(x)


def ready(rate: Any = 0.1, width: int = 3, **arguments: Any) -> Model:
    model = Net(width)
    adam = fluid.optimizer.Adam(rate, parameter_list=model.parameters())
    model.prepare(adam, SoftmaxWithCrossEntropy(), None, INPUTS, LABELS, device="cpu", **arguments)
    return model


def both() -> Any:
    return pytest.mark.parametrize("imperative", [True, False], ids=["imperative", "static"])


@both()
def test_a_saved_model_continues_as_if_it_had_not_stopped(imperative: bool, tmp_path: Path) -> None:
    with mode(fluid, imperative):
        model = ready()
        model.train_batch([X], [Y])
        model.save(str(tmp_path / "new" / "m"))
        wanted = [model.train_batch([X], [Y])[0] for _ in range(2)]
    with mode(fluid, imperative):
        model = ready()
        model.load(str(tmp_path / "new" / "m.pdparams"))
        np.testing.assert_array_equal([model.train_batch([X], [Y])[0] for _ in range(2)], wanted)


@both()
def test_a_function_gives_the_batches_of_each_epoch(imperative: bool) -> None:
    """Readers of PaddlePaddle 1 are functions, and generators that are made once are used up after an epoch."""
    with mode(fluid, imperative):
        of_list = ready().fit([[X, Y], [X, Y]], eval_data=[[X, Y]], epochs=2, verbose=0)
    with mode(fluid, imperative):
        model = ready()
        evaluated = lambda: iter([[X, Y]])  # noqa: E731
        of_function = model.fit(lambda: iter([[X, Y], [X, Y]]), eval_data=evaluated, epochs=2, verbose=0)
        assert model.evaluate(evaluated, verbose=0) == model.evaluate([[X, Y]], verbose=0)
        assert len(model.predict(lambda: iter([[X], [X]]))[0]) == 2
    assert of_function.history == of_list.history and len(of_function.history["loss"]) == 2


@both()
def test_a_schedule_of_one_mode_continues_in_the_other(imperative: bool, tmp_path: Path) -> None:
    def rate(imperative: bool) -> Any:
        return fluid.dygraph.NoamDecay(4, 3) if imperative else fluid.layers.noam_decay(4, 3)

    with mode(fluid, not imperative):
        model = ready(rate(not imperative))
        model.train_batch([X], [Y])
        model.save(str(tmp_path / "m"))
        wanted = [model.train_batch([X], [Y])[0] for _ in range(4)]
    with mode(fluid, imperative):
        model = ready(rate(imperative))
        model.load(str(tmp_path / "m"))
        found = [model.train_batch([X], [Y])[0] for _ in range(4)]
        np.testing.assert_allclose(found, wanted, rtol=1e-5)


@both()
def test_what_fits_of_another_model_is_loaded(imperative: bool, tmp_path: Path) -> None:
    path = str(tmp_path / "m")
    with mode(fluid, imperative):
        ready(width=4).save(path)
    with mode(fluid, imperative):
        model = ready()
        before = model.test_batch([X])[0]
        with pytest.raises(ShapeError, match=r"entry fc.weight got shape \[2, 4\], needs shape \[2, 3\]. Pass skip"):
            model.load(path)
        with pytest.warns(UserWarning, match=r"Skip loading for fc\."):
            model.load(path, skip_mismatch=True)
        np.testing.assert_array_equal(model.test_batch([X])[0], before)
        with pytest.raises(MissingFileError, match="needs an existing file"):
            model.load(path + "x")
        with pytest.raises(ArgumentValueError, match=r"needs a path without a suffix, or .pdparams"):
            model.load(path + ".txt")
        with pytest.raises(ArgumentValueError, match="needs folder/name, without a suffix"):
            model.save(str(tmp_path) + "/")
        model.save(path)
        model.extra = fluid.dygraph.Linear(2, 2)
        with pytest.raises(MissingKeyError, match=r"no entry for extra.weight, needs one; it holds fc.weight, fc.bias"):
            model.load(path)


def test_a_static_model_is_saved_for_inference(tmp_path: Path) -> None:
    with mode(fluid, False):
        model = Net()
        model.prepare(inputs=Input([None, 2], "float32", "x"))
        assert len(model.save_inference_model(str(tmp_path))) == 1
        wanted = model.test_batch([X])
        executor = fluid.Executor(fluid.CPUPlace())
        program, names, targets = fluid.io.load_inference_model(str(tmp_path), executor)
        np.testing.assert_array_equal(executor.run(program, {names[0]: X}, targets), wanted)
    with mode(fluid, True), pytest.raises(ModeError, match="needs one of static mode"):
        ready().save_inference_model(str(tmp_path))


class Both(Model):
    """Two inputs; the first is an output, too."""

    def forward(self, left: Any, right: Any) -> Any:
        return left, left - right


class Sums(Metric):
    """The sum of what update gets."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.total = 0.0

    def update(self, *arrays: np.ndarray) -> int:
        self.total += sum(float(array.sum()) for array in arrays)
        return len(arrays)

    def accumulate(self) -> float:
        return self.total

    def name(self) -> str:
        return "sums"


@both()
def test_inputs_by_name_and_outputs_that_are_inputs(imperative: bool) -> None:
    with mode(fluid, imperative):
        model = Both()
        described = {name: Input([None, 2], "float32", name) for name in ("right", "left")}
        model.prepare(metrics=Sums(), inputs=described, labels=LABELS)
        first, second = model.test_batch([X, X / 2])
        np.testing.assert_array_equal(first, X)
        np.testing.assert_array_equal(second, X / 2)
        assert model.eval_batch([X, X / 2], [Y]) == ([], [3])
        model._metrics[0].reset()
        found = model.evaluate([(X, X / 2, Y)], verbose=0)
        assert found == {"loss": [], "sums": float(X.sum() + (X / 2).sum() + Y.sum())}
        assert [len(each) for each in model.predict([([X, X], [Y])] * 3)] == [3, 3]


@both()
def test_wrong_calls(imperative: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    with mode(fluid, imperative):
        model = Net()
        for name, value in (("loss_function", "cross_entropy"), ("metrics", "acc"), ("device", "tpu")):
            with pytest.raises((ArgumentTypeError, ArgumentValueError), match=f"Model.prepare: {name} got str"):
                model.prepare(inputs=INPUTS, **{name: value})
        with pytest.raises(ArgumentValueError, match=r"Model.fit: train_data got None"):
            model.fit()
        model.prepare(inputs=INPUTS)
        with pytest.raises(ModeError, match=r"Model.train_batch: got no optimizer, needs Model.prepare"):
            model.train_batch([X], [Y])


def test_wrong_calls_in_static_mode() -> None:
    with mode(fluid, False):
        with pytest.raises(ArgumentTypeError, match="inputs got NoneType None, needs an Input"):
            Net().prepare()
        with pytest.raises(ModeError, match=r"no Program to eval, needs Model.prepare"):
            Net().eval_batch([X], [Y])
        model = ready()
        with pytest.raises(ArgumentValueError, match="inputs got 2 arrays, needs 1"):
            model.train_batch([X, X], [Y])
        with pytest.raises(ArgumentValueError, match="labels got 0 arrays, needs 1"):
            model.train_batch([X], [])
        sgd = fluid.optimizer.SGD(0.1)
        with pytest.raises(ArgumentValueError, match="loss_function got None, needs a Loss"):
            Net().prepare(sgd, inputs=INPUTS)


@both()
def test_losses(imperative: bool) -> None:
    outputs = np.float32([[0.1, 0.6, 0.3], [0.2, 0.3, 0.5]])
    labels = np.array([[1], [0]])
    wanted = -np.log([0.6, 0.2])
    with mode(fluid, imperative):
        for average, reduced in ((True, wanted.mean()), (False, wanted.sum())):
            model = Both()
            model.forward = lambda x: x  # type: ignore[method-assign]
            inputs = Input([None, 3], "float32", "x")
            model.prepare(loss_function=CrossEntropy(average), inputs=inputs, labels=LABELS)
            np.testing.assert_allclose(model.eval_batch([outputs], [labels])[0], [reduced], rtol=1e-6)
    with pytest.raises(NotImplementedError, match=r"Loss.forward is not defined"):
        Loss()([], [])


def test_accuracy_counts_over_batches() -> None:
    accuracy = Accuracy(topk=(1, 2), name="a")
    accuracy.update(np.float32([[1, 0], [0, 1]]))
    accuracy.update(np.float32([[0, 0]]))
    assert accuracy.accumulate() == [1 / 3, 2 / 3]
    assert (accuracy.name(), Accuracy().name()) == (["a_top1", "a_top2"], ["acc"])
    accuracy.reset()
    with pytest.raises(ZeroDivisionError, match="got no sample yet"):
        accuracy.accumulate()


def test_devices() -> None:
    assert paddle.hapi.set_device("CPU") == fluid.CPUPlace()
    with pytest.raises(ArgumentValueError, match="device got str 'xpu', needs 'cpu' or 'gpu'"):
        paddle.hapi.set_device("xpu")
