"""Trainer and Inferencer, which Fluid had before 1.8: numbers, events and checkpoints of 1.6.1."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, FileFormatError, MissingFileError, ModeError
from paddle_lite.fluid.contrib import inferencer, trainer
from tests.contrib.trainer_case import SAMPLES, batches, losses, net, run

RECORDED = dict(np.load(Path(__file__).with_name("trainer.npz")))
ORDER = ["x", "y"]


def test_it_is_that_of_1_6(tmp_path: Path) -> None:
    found = run(fluid, trainer, inferencer, str(tmp_path))
    assert found.keys() == RECORDED.keys()
    assert found.pop("events").tolist() == RECORDED["events"].tolist()
    for name, value in found.items():
        np.testing.assert_allclose(value, RECORDED[name], rtol=1e-5, err_msg=name)


def made(**options: Any) -> trainer.Trainer:
    with fluid.unique_name.guard():
        return trainer.Trainer(
            lambda: losses(fluid), lambda: fluid.optimizer.SGD(0.1), place=fluid.CPUPlace(), **options
        )


def metrics_of(one: trainer.Trainer, epochs: int = 1) -> np.ndarray:
    found = []

    def handle(event: Any) -> None:
        if isinstance(event, trainer.EndStepEvent):
            found.append(np.array(event.metrics[0]).mean())

    one.train(epochs, handle, batches, ORDER)
    return np.array(found)


def test_several_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of two places are trained together: half the steps, the same first loss."""
    monkeypatch.setenv("CPU_NUM", "2")
    single, several = metrics_of(made()), metrics_of(made(parallel=True))
    assert len(several) == len(single) // 2
    with fluid.unique_name.guard():
        other = trainer.Trainer(lambda: losses(fluid), lambda: fluid.optimizer.SGD(0.0), place=fluid.CPUPlace())
    np.testing.assert_allclose(several[0], metrics_of(other)[:2].mean(), rtol=1e-5)


def test_parameters_of_a_folder(tmp_path: Path) -> None:
    first = made()
    metrics_of(first)
    first.save_params(str(tmp_path))
    second = made(param_path=str(tmp_path))
    assert second.test(batches, ORDER)[0] == first.test(batches, ORDER)[0] != made().test(batches, ORDER)[0]


def test_an_inference_model(tmp_path: Path) -> None:
    one = made()
    metrics_of(one)
    one.save_inference_model(str(tmp_path / "model"), ["x", "y"], [1])
    one.save_params(str(tmp_path / "params"))
    exe = fluid.Executor(fluid.CPUPlace())
    with fluid.scope_guard(fluid.Scope()):
        program, feeds, fetches = fluid.io.load_inference_model(str(tmp_path / "model"), exe)
        x, y = SAMPLES[:4, :3], SAMPLES[:4, 3:]
        loss = exe.run(program, dict(zip(feeds, [x, y], strict=True)), fetches)[0]
    error = inferencer.Inferencer(lambda: net(fluid), str(tmp_path / "params"), fluid.CPUPlace()).infer({"x": x})[0] - y
    np.testing.assert_allclose(loss, (error**2).max(), rtol=1e-5)


def test_names_before_1_0() -> None:
    """`fluid.Trainer` and its kin were names of 0.14."""
    of_that_time: Any = fluid
    assert of_that_time.Trainer is trainer.Trainer and of_that_time.Inferencer is inferencer.Inferencer
    assert of_that_time.EndStepEvent is trainer.EndStepEvent and of_that_time.trainer is trainer


@pytest.mark.parametrize(
    ("feed_order", "error", "word"),
    [(None, ArgumentTypeError, "feed_order"), ({"x": 0, "y": 2}, ArgumentValueError, "each once")],
)
def test_wrong_orders(feed_order: Any, error: type[Exception], word: str) -> None:
    with pytest.raises(error, match=word):
        made().train(1, print, batches, feed_order)


def test_wrong_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong: Any = 3
    with pytest.raises(ArgumentTypeError, match="optimizer_func got one that returns int"):
        trainer.Trainer(lambda: losses(fluid), lambda: wrong, place=fluid.CPUPlace())
    with pytest.raises(ArgumentTypeError, match="checkpoint_config"):
        made(checkpoint_config=wrong)
    with pytest.raises(ArgumentTypeError, match="place got"):
        trainer.Trainer(lambda: losses(fluid), lambda: fluid.optimizer.SGD(0.1), place=wrong)
    with pytest.raises(ArgumentValueError, match="step_interval"):
        trainer.CheckpointConfig("folder", step_interval=0)
    with pytest.raises(ArgumentValueError, match="without a batch"):
        made().test(lambda: iter([]), ORDER)
    monkeypatch.setenv("PADDLE_TRAINING_ROLE", "TRAINER")
    with pytest.raises(ModeError, match="DistributeTranspiler"):
        made()


def test_inferencers_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError):
        inferencer.Inferencer(lambda: net(fluid), str(tmp_path), fluid.CPUPlace())
    made().save_params(str(tmp_path))
    one = inferencer.Inferencer(lambda: net(fluid), str(tmp_path), fluid.CPUPlace(), parallel=True)
    with pytest.raises(ArgumentTypeError, match="needs a dict"):
        one.infer([SAMPLES[:2, :3]])  # type: ignore[arg-type]
    assert one.infer({"x": SAMPLES[:2, :3]})[0].shape == (2, 1)


def test_unfinished_checkpoints(tmp_path: Path) -> None:
    """One without its mark does not count; one without its numbers is an error."""
    one, exe, where = made(), fluid.Executor(fluid.CPUPlace()), str(tmp_path)
    with fluid.scope_guard(one.scope):
        for epoch in range(3):
            trainer.save_checkpoint(exe, where, 0, one.train_program, {"epoch_id": epoch})
        assert trainer.load_checkpoint(exe, where, one.train_program, load_trainer_args=["epoch_id"]) == ["2"]
        (tmp_path / "checkpoint_2" / "__model__" / "_SUCCESS").unlink()
        assert trainer.load_checkpoint(exe, where, one.train_program, load_trainer_args=["epoch_id"]) == ["1"]
        with pytest.raises(FileFormatError, match="step_id"):
            trainer.load_checkpoint(exe, where, one.train_program, load_trainer_args=["step_id"])
        assert trainer.load_checkpoint(exe, where, one.train_program, is_trainer=False) is None
        with pytest.raises(ArgumentTypeError, match="main_program"):
            trainer.load_checkpoint(exe, where, None)
        with pytest.raises(ArgumentTypeError, match="trainer_args"):
            trainer.save_checkpoint(exe, where, 0, one.train_program, [1])  # type: ignore[arg-type]
    (tmp_path / "other").mkdir()
    trainer.clean_checkpoint(where, delete_dir=True)
    assert [each.name for each in tmp_path.iterdir()] == ["other"]
    (tmp_path / "other").rmdir()
    trainer.clean_checkpoint(where, delete_dir=True)
    assert not tmp_path.exists()
    with pytest.raises(ArgumentTypeError, match="checkpoint_dir"):
        trainer.clean_checkpoint(3)  # type: ignore[arg-type]
