"""The benchmarks of parameter servers: what they compute from what they measure, and one small run of each."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time

import pytest

from benchmarks import bench_dataset, bench_parameter_server, bench_rpc
from benchmarks.bench_parameter_server import Measured, _rows
from benchmarks.case import ROOT
from benchmarks.cluster.jobs import rate_of
from benchmarks.compare import Failure


def test_the_rate_of_a_trainer_is_read() -> None:
    assert rate_of("a warning\nexamples per second: 1234.5\n") == 1234.5
    with pytest.raises(Failure, match="no such port"):
        rate_of("no such port")


def test_a_row_has_the_median_of_the_ratios_of_the_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    rates = {"ours": iter([100.0, 300.0, 100.0]), "theirs": iter([50.0, 100.0, 200.0])}
    monkeypatch.setattr(bench_parameter_server, "measure", lambda runner, *_: Measured(next(rates[runner]), 0.5))
    line = _rows({"ours": "ours", "theirs": "theirs"}, "mlp", "sync", 3)
    assert re.fullmatch(r"mlp  sync +100 +500.0 ms +100 +500.0 ms  ratio 2.00", line)
    rates = {"ours": iter([100.0]), "theirs": iter([90.0])}
    assert "ratio 1.11, below the goal, 1.3" in _rows({"ours": "ours", "theirs": "theirs"}, "mlp", "sync", 1)


def test_sides_take_turns_and_the_ratio_is_that_of_the_last_two() -> None:
    moments = iter([0.0, 1.0, 5.0, 7.0, 10.0, 16.0, 20.0, 21.0, 30.0, 34.0, 40.0, 41.0])
    called: list[int] = []
    sides = [lambda array, number=number: called.append(number) for number in range(3)]
    seconds, ratio = bench_rpc.measured(sides, 64, 2, lambda: next(moments))
    assert seconds == [1.0, 3.0, 3.5] and ratio == (3.0 + 0.25) / 2
    assert called[-12:] == [0, 0, 1, 1, 2, 2] * 2  # the first call of each pair is not timed


def test_messages_of_arrays_arrive(capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("grpc")
    since = time.monotonic()
    command = [sys.executable, "-m", "benchmarks.bench_rpc", "--kilobytes", "1", "--rounds", "2"]
    text = subprocess.run(command, cwd=ROOT, env=dict(os.environ), check=True, capture_output=True, text=True).stdout
    assert re.search(r"^ +1024 +[\d.]+ ms +[\d.]+ ms +[\d.]+ ms +[\d.]+", text, re.MULTILINE), text
    assert "of Python in a call" in text and time.monotonic() - since < 60


def test_two_threads_are_beside_what_two_processes_reach() -> None:
    sides = ("two threads", "one thread", "two processes", "PaddlePaddle 1.8.5")
    found = [
        dict(zip(sides, rates, strict=True)) for rates in ((150.0, 100.0, 200.0, 75.0), (140.0, 100.0, 180.0, 70.0))
    ]
    text = bench_dataset.line("memory", found)
    assert "of one thread 1.45, below the goal, 1.5" in text and "of PaddlePaddle 1.8.5 2.00 " in text
    assert text.endswith("of one thread)") and "of two processes 0.76" in text and "(two processes: 1.90" in text
