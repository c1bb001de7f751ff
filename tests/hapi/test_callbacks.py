"""Callbacks, progress bars, the logger, and the sampler of several processes."""

from __future__ import annotations

import io
import logging
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid, hapi
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ModeError
from paddle_lite.hapi.callbacks import CallbackList, ModelCheckpoint, ProgBarLogger, config_callbacks
from paddle_lite.hapi.distributed import DistributedBatchSampler, prepare_distributed_context
from paddle_lite.hapi.logger import setup_logger
from paddle_lite.hapi.progressbar import ProgressBar
from paddle_lite.hapi.utils import flatten_list, restore_flatten_list, to_numpy

from .cases.training import mode, prepared

VALUES = [("loss", [np.float32(0.5), 2e-5]), ("acc", 0.25), ("n", 3), ("a", np.float32([0.125]))]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch, steps: list[int], **settings: Any) -> str:
    """What a ProgressBar prints, with 0.5 s between steps."""
    now = [100.0]
    monkeypatch.setattr("time.time", lambda: now[0])
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setenv("COLUMNS", "100")
    bar = ProgressBar(**settings)
    for step in steps:
        now[0] += 0.5
        bar.update(step, VALUES)
    return stream.getvalue()


def test_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    found = shown(io.StringIO(), monkeypatch, [1, 20], num=20, verbose=2)
    rest = "- loss: 0.5000 2.0000e-05 - acc: 0.2500 - n: 3 - a: 0.1250 -"
    assert found == f"step  1/20 {rest} 500ms/step\nstep 20/20 {rest} 50ms/step\n"
    assert shown(io.StringIO(), monkeypatch, [7], num=None, verbose=2).startswith("step   7 - loss")
    assert shown(io.StringIO(), monkeypatch, [7], num=None, verbose=0) == ""


def test_a_bar_is_drawn_over_the_one_before_in_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = shown(Terminal(), monkeypatch, [0, 5, 10], num=10, verbose=1)
    empty, half, full = terminal.split("\r")[1:]
    assert empty.startswith("step  0/10 [..............................] - loss: 0.5000")
    assert re.search(r" - ETA: 1s - 200ms/step\x08+$", half)
    assert half.startswith("step  5/10 [==============>...............] - loss: 0.5000")
    assert full.startswith("step 10/10 [==============================] - loss: 0.5000")
    assert full.rstrip(" \n").endswith(" - 150ms/step")
    assert full.endswith("\n")
    assert half.count("\b") == len(half.rstrip("\b"))
    log = shown(io.StringIO(), monkeypatch, list(range(1, 51)), num=50, verbose=1)  # half a second between steps
    assert [line[:12] for line in log.splitlines()] == ["step 20/50 -", "step 40/50 -", "step 50/50 -"]
    assert not set("\b\r") & set(log)


def test_a_bar_needs_steps() -> None:
    with pytest.raises(ArgumentTypeError, match="num got int 0, needs None, or an int of 1 or more"):
        ProgressBar(num=0)


class Recorder(hapi.callbacks.Callback):
    """Writes down what is called."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[str] = []

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("on_"):
            return lambda *args: self.calls.append(" ".join([name[3:], *map(str, args[:-1])]))
        return super().__getattribute__(name)


def test_the_order_of_calls() -> None:
    recorder = Recorder()
    with mode(fluid, True):
        model = prepared(fluid, hapi, "sgd", True)
        batch = (np.zeros([4, 20], "float32"), np.zeros([4, 1], "int64"))
        model.fit([batch, batch], [batch], epochs=2, eval_freq=2, verbose=0, callbacks=recorder)
        model.predict([batch[:1]], callbacks=[recorder, ProgBarLogger(verbose=0)])
    step = ["train_batch_begin 0", "train_batch_end 0", "train_batch_begin 1", "train_batch_end 1"]
    evaluated = ["eval_begin", "eval_batch_begin 0", "eval_batch_end 0", "eval_end"]
    epochs = ["epoch_begin 0", *step, "epoch_end 0", *evaluated, "epoch_begin 1", *step, "epoch_end 1"]
    predicted = ["test_begin", "test_batch_begin 0", "test_batch_end 0", "test_end"]
    assert recorder.calls == ["train_begin", *epochs, "train_end", *predicted]
    assert recorder.model is model


def test_callbacks_that_are_added() -> None:
    logger, checkpoint = ProgBarLogger(3), ModelCheckpoint(2, "x")
    assert list(config_callbacks([checkpoint, logger])) == [checkpoint, logger]
    added = list(config_callbacks(None, log_freq=5, save_dir="y", save_freq=4))
    assert [type(each) for each in added] == [ProgBarLogger, ModelCheckpoint]
    assert (added[0].log_freq, added[1].save_dir, added[1].save_freq) == (5, "y", 4)
    assert [type(each) for each in config_callbacks(None, verbose=0)] == [ModelCheckpoint]
    assert config_callbacks(logger, metrics=["loss"], mode="test").callbacks[0].params["metrics"] == []
    with pytest.raises(ArgumentValueError, match="mode got str 'fit', needs one of train, eval, test"):
        CallbackList([]).on_begin("fit")
    with pytest.raises(ArgumentValueError, match=r"params\['metrics'\] got list \[\], needs a value"):
        config_callbacks(epochs=1).on_begin("train")


def test_checkpoints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with mode(fluid, True):
        model = prepared(fluid, hapi, "adam", True)
        batch = (np.zeros([4, 20], "float32"), np.zeros([4, 1], "int64"))
        model.fit([batch], epochs=3, save_dir=str(tmp_path), save_freq=2, verbose=0)
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == [f"{name}.{suffix}" for name in ("0", "2", "final") for suffix in ("pdopt", "pdparams")]
    assert capsys.readouterr().out.splitlines()[-1] == f"save checkpoint at {tmp_path}/final"


def test_the_logger_writes_to_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logger = setup_logger(str(tmp_path / "logs"), name="hapi_test")
    monkeypatch.setenv("PADDLE_TRAINER_ID", "1")
    second = setup_logger(str(tmp_path / "other.txt"), name="hapi_test_1")
    logger.info("one")
    second.info("two")
    assert (tmp_path / "logs" / "log.txt").read_text().endswith(" - hapi_test - INFO - one\n")
    assert (tmp_path / "other.txt.rank1").read_text().endswith("two\n")
    assert [type(each) for each in second.handlers] == [logging.FileHandler]
    for each in (logger, second):
        for handler in each.handlers:
            handler.close()


@pytest.mark.parametrize("count", [24, 23, 25, 3])
def test_processes_share_the_samples(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PADDLE_TRAINERS_NUM", "3")
    parts = []
    for rank in range(3):
        monkeypatch.setenv("PADDLE_TRAINER_ID", str(rank))
        sampler = DistributedBatchSampler(range(count), batch_size=4, shuffle=True)
        sampler.set_epoch(7)
        parts.append(list(sampler))
        assert len(parts[-1]) == len(sampler)
        assert list(sampler) != parts[-1] or count == 3  # the next epoch has another order
    each = -(-count // 3)
    assert [sum(map(len, part)) for part in parts] == [each] * 3
    assert {index for part in parts for batch in part for index in batch} == set(range(count))


def test_wrong_samplers(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ArgumentValueError, match="batch_size got int 0, needs a positive int"):
        DistributedBatchSampler(range(3), 0)
    with pytest.raises(ArgumentTypeError, match="shuffle got int 1, needs True or False"):
        DistributedBatchSampler(range(3), 1, shuffle=1)
    prepare_distributed_context()
    monkeypatch.setenv("PADDLE_TRAINERS_NUM", "2")
    with pytest.raises(ModeError, match="2 workers, and 0 endpoints"):
        prepare_distributed_context()


def test_lists_of_lists() -> None:
    with pytest.raises(ArgumentTypeError, match="needs a list of lists"):
        flatten_list([1])
    with pytest.raises(ArgumentValueError, match="got 1 items, needs at least 2"):
        restore_flatten_list([1], [1, 1])
    with pytest.raises(ArgumentTypeError, match="needs a Variable"):
        to_numpy(3)
    with fluid.program_guard(fluid.Program()), pytest.raises(ArgumentValueError, match="got no value"):
        to_numpy(fluid.data("never fed", [1]))
