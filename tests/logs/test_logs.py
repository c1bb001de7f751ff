"""Logs: what LogWriter writes, the readers of TensorBoard and VisualDL, and read_log, read."""

from __future__ import annotations

import json
import math
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite as paddle
from paddle_lite import hapi
from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    FileFormatError,
    MissingFileError,
    MissingPackageError,
    ModeError,
)
from paddle_lite.utils import LogWriter, read_log

FORMATS = ["tensorboard", "visualdl", "csv", "jsonl"]


def logged(folder: Path, to: Any) -> None:
    """Write a small log."""
    with LogWriter(folder, to=to) as log:
        log.log({"train/loss": np.float32(0.5), "acc": 1})
        log.log({"train/loss": np.array([[0.25]]), "late": 3.0})
        log.log({"train/loss": 0.125}, step=10)


@pytest.mark.parametrize("to", FORMATS)
def test_what_is_written_is_read(tmp_path: Path, to: str) -> None:
    logged(tmp_path, to)
    found = read_log(tmp_path)
    assert found["train/loss"] == ([0, 1, 10], [0.5, 0.25, 0.125])
    assert found["acc"] == ([0], [1.0])
    assert found["late"] == ([1], [3.0])
    (file,) = tmp_path.iterdir()
    assert read_log(file) == found


def test_the_readers_of_the_packages_read_it(tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from visualdl import LogReader

    logged(tmp_path, ["tensorboard", "visualdl"])
    events = EventAccumulator(str(tmp_path)).Reload()
    assert [(e.step, e.value) for e in events.Scalars("train/loss")] == [(0, 0.5), (1, 0.25), (10, 0.125)]
    (file,) = tmp_path.glob("vdlrecords*")
    found = LogReader(file_path=str(file)).get_data("scalar", "train/loss")
    assert [(e.id, e.value) for e in found] == [(0, 0.5), (1, 0.25), (10, 0.125)]
    assert read_log(tmp_path)["train/loss"].values == [0.5, 0.25, 0.125], "the same log twice counts once"


def test_images_and_histograms(tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from visualdl import LogReader

    figure = paddle.plot.curves([3.0, 2.0, 1.0])
    with LogWriter(tmp_path, ["tensorboard", "visualdl"]) as log:
        log.add_histogram("weights", np.arange(12.0).reshape(3, 4), 1)
        log.add_image("image", np.linspace(0, 1, 30).reshape(5, 6), 1)
        log.add_image("image", np.zeros([5, 6, 3], "uint8"))
        log.add_figure("curves", figure, 3)
        with pytest.raises(ArgumentValueError, match="values got 2 numbers, none of them finite"):
            log.add_histogram("weights", [math.nan, math.inf])
        with pytest.raises(ArgumentTypeError, match=r"image got shape \[2\], needs \[height, width\]"):
            log.add_image("image", np.zeros(2))
    events = EventAccumulator(str(tmp_path)).Reload()
    assert events.Histograms("weights")[0].histogram_value.num == 12
    assert [(e.step, e.width, e.height) for e in events.Images("image")] == [(1, 6, 5), (2, 6, 5)]
    assert events.Images("curves")[0].step == 3
    (file,) = tmp_path.glob("vdlrecords*")
    assert LogReader(file_path=str(file)).get_tags()["image"] == ["image", "curves"]
    with LogWriter(tmp_path / "text", "csv") as log, pytest.raises(ModeError, match="files of csv hold numbers only"):
        log.add_image("image", np.zeros([2, 2]))


def test_csv_keeps_its_rows_when_a_name_comes(tmp_path: Path) -> None:
    logged(tmp_path, "csv")
    logged(tmp_path, "csv")
    rows = ["0,0.5,1,", "1,0.25,,3", "10,0.125,,"]
    assert (tmp_path / "log.csv").read_text().splitlines() == ["step,train/loss,acc,late", *rows, *rows]
    (tmp_path / "log.csv").write_text("x,y\n1,2\n")
    with pytest.raises(FileFormatError, match="its first column is 'x', not 'step'"):
        LogWriter(tmp_path, "csv")


@pytest.mark.parametrize("to", ["csv", "jsonl"])
def test_numbers_that_are_not_finite(tmp_path: Path, to: str) -> None:
    with LogWriter(tmp_path, to) as log:
        log.log({"a": math.inf, "b": math.nan})
    found = read_log(tmp_path)
    assert found["a"].values == [math.inf]
    assert math.isnan(found["b"].values[0])


def test_logs_of_others(tmp_path: Path) -> None:
    (tmp_path / "keras.csv").write_text("epoch,loss,name\n0,2.5,x\n1,1.5,y\n")
    (tmp_path / "lines.jsonl").write_text('{"lr": 1, "flag": true}\n\n{"lr": 2, "note": null}\n')
    assert read_log(tmp_path) == {"loss": ([0, 1], [2.5, 1.5]), "lr": ([0, 1], [1, 2])}
    from tensorboard.summary import Writer

    writer = Writer(str(tmp_path / "tf2"))  # it writes numbers as tensors, as TensorFlow 2 does
    writer.add_scalar("loss", 0.5, 7)
    writer.close()
    assert read_log(tmp_path / "tf2") == {"loss": ([7], [0.5])}


def test_wrong_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ArgumentValueError, match="to got str 'wandb', needs one of 'tensorboard', 'visualdl'"):
        LogWriter(tmp_path, "wandb")
    log = LogWriter(tmp_path / "a", "jsonl")
    with pytest.raises(ArgumentTypeError, match=r"loss got an array of shape \[2\], needs one number"):
        log.log({"loss": [1.0, 2.0]})
    with pytest.raises(ArgumentTypeError, match="loss got str 'x', needs an array"):
        log.log({"loss": "x"})
    log.close()
    log.close()
    with pytest.raises(ModeError, match="has been closed"):
        log.log({"loss": 1.0})
    with pytest.raises(MissingFileError, match="there is no"):
        read_log(tmp_path / "none")
    with pytest.raises(MissingFileError, match="has no log"):
        read_log(tmp_path)
    (tmp_path / "x.jsonl").write_text("[1]\n")
    with pytest.raises(FileFormatError, match="a line is no JSON object"):
        read_log(tmp_path / "x.jsonl")
    (tmp_path / "x.txt").write_text("")
    with pytest.raises(FileFormatError, match="does not say what it is"):
        read_log(tmp_path / "x.txt")
    monkeypatch.setitem(sys.modules, "tensorboard.compat.proto.event_pb2", None)
    with pytest.raises(
        MissingPackageError, match=r"tensorboard is not installed. Run: pip install 'paddle_lite\[log\]'"
    ):
        LogWriter(tmp_path)


class Regression(paddle.nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.fc = paddle.nn.Linear(4, 1)

    def forward(self, x: Any) -> Any:
        return self.fc(x)


@pytest.mark.parametrize("imperative", [True, False])
def test_a_model_logs_and_returns_its_history(tmp_path: Path, imperative: bool) -> None:
    from tests.hapi.cases.training import mode, prepared

    fluid = paddle.fluid
    rng = np.random.RandomState(0)
    batches = [(rng.rand(4, 20).astype("float32"), rng.randint(0, 2, [4, 1])) for _ in range(3)]
    with mode(fluid, imperative):
        model = prepared(fluid, hapi, "sgd", imperative)
        callbacks = [
            hapi.callbacks.TensorBoard(str(tmp_path / "tensorboard")),
            hapi.callbacks.VisualDL(str(tmp_path / "visualdl")),
            hapi.callbacks.LogCallback(LogWriter(tmp_path / "csv", "csv"), log_freq=2),
        ]
        history = model.fit(batches, batches[:2], epochs=2, verbose=0, callbacks=callbacks)
    losses = history.curves["train/loss"]
    assert losses.steps == [1, 2, 3, 4, 5, 6]
    assert history.curves["eval/loss"].steps == [3, 6]
    assert history.history["loss"] == pytest.approx([np.mean(losses.values[:3]), np.mean(losses.values[3:])])
    assert len(history.history["eval_loss"]) == 2
    for name in ("tensorboard", "visualdl"):
        found = read_log(tmp_path / name)
        assert set(found) == set(history.curves)
        assert found["train/loss"].steps == losses.steps
        assert found["train/loss"].values == pytest.approx(losses.values)
        assert found["eval/loss"] == ([3, 6], pytest.approx(history.curves["eval/loss"].values))
    assert read_log(tmp_path / "csv")["train/loss"].steps == [2, 4, 6]
    figure = paddle.plot.curves(history)
    assert {axes.get_ylabel() for axes in figure.axes} == {name.partition("/")[2] for name in history.curves}


def test_no_thread_is_left_by_a_closed_log(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    logged(tmp_path, FORMATS)
    for thread in set(threading.enumerate()) - before:
        thread.join(30)
        assert not thread.is_alive()
    assert json.loads((tmp_path / "log.jsonl").read_text().splitlines()[0])["step"] == 0
