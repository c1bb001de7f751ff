"""`python -m paddle_lite gpu check`, on the stand-in."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpu_check import operators, peers, report, speed
from paddle_lite.cli import gpu, main
from paddle_lite.core.flags import set_flags
from paddle_lite.kernels import registry
from paddle_lite.static.plan.captured import FLAG
from tests.ops import stand_in

from .on_stand_in import on_stand_in

SCRIPT = """
import numpy as np
import paddle.fluid as fluid
x = fluid.data('x', [None, 2])
w = fluid.layers.create_parameter([2, 3], 'float32')
exe = fluid.Executor(fluid.CPUPlace())
exe.run(fluid.default_startup_program())
print(exe.run(feed={'x': np.ones([1, 2], 'float32')}, fetch_list=[fluid.layers.matmul(x, w)])[0].shape)
"""


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    stand_in.forget()
    yield
    set_flags({FLAG: False})  # the benchmarks have set it
    registry.use_gpu_module(None)
    stand_in.forget()


def checked(folder: Path, *words: str) -> tuple[int, dict[str, Any], str]:
    """The exit code and the report, as JSON and as a page."""
    code = main(["gpu", "check", "--stand-in", "--out", str(folder / "out" / "report.md"), *words])
    found = json.loads((folder / "out" / "report.json").read_text())
    return code, found, (folder / "out" / "report.md").read_text()


def test_all_parts_stand_in_one_report(tmp_path, capsys):
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    (scripts / "softmax_works.py").write_text(SCRIPT)
    (scripts / "softmax_fails.py").write_text(SCRIPT + "raise SystemExit('no | more')\n")
    code, found, page = checked(tmp_path, "--select", "^softmax$|softmax_|LSTM", "--scripts", str(scripts))
    assert code == 1 and found["state"] == "Complete, on the stand-in for a GPU"
    assert found["operators"]["checked"] == 2 and found["operators"]["failures"] == []
    (failed, *of_failed), (worked, *of_worked) = found["programs"]
    assert (failed, of_failed[0]) == ("softmax_fails.py", 1) and of_failed[2].endswith("no | more")
    assert (worked, of_worked[0]) == ("softmax_works.py", 0)
    [(network, sides)] = found["speed"]
    assert network == "LSTM, ragged" and sides["ours"] > 0 and sides["ours, CUDA graphs"] > 0
    assert "| GPU 0 | stand-in for a GPU" in page and "no \\| more" in page and "| LSTM, ragged | ours |" in page
    said = capsys.readouterr()
    assert "1 failures. The report is " in said.out and "operators: 100% 2/2" in said.err


def test_wrong_operators_are_found():
    [(op, row)] = operators.selected("^relu$")
    with on_stand_in():
        assert list(operators.failures(op, row, registry.array_module("gpu"))) == []
        op.kernels["gpu"] = lambda X, **attrs: X * 2.0
        found = list(operators.failures(op, row, registry.array_module("gpu")))
        assert found and all("Out differs by up to" in each.problem for each in found)
        op.kernels["gpu"] = lambda X, **attrs: X.missing
        [first, *_] = operators.failures(op, row, registry.array_module("gpu"))
        assert first.operator == "relu" and first.problem.startswith("AttributeError")
    got, expected = {"Out": np.zeros(2, "float32")}, {"Out": np.zeros(2, "float64")}
    assert operators.difference(got, expected) == "Out is float32[2], on the CPU float64[2]"


def test_a_side_that_fails_leaves_the_others(tmp_path):
    def fails() -> None:
        raise ValueError("wrong")

    times = speed.measure({"ours": lambda: None, "PyTorch": fails, "paddle": "not installed"}, 2, 2)
    assert isinstance(times["ours"], float) and times["PyTorch"] == "failed: ValueError: wrong"
    assert times["paddle"] == "not installed"
    found = {"state": "Complete", "seconds": 1.0, "environment": {}, "speed": [("net", {"ours": 2.0, "PyTorch": 4.0})]}
    assert "| net | PyTorch | 4.000 (0.50) |" in report.page(found)


def test_a_library_that_cannot_be_imported_leaves_the_others(monkeypatch):
    monkeypatch.setattr(peers, "find_spec", lambda name: name if name == "torch" else None)
    monkeypatch.setitem(sys.modules, "torch", None)
    found = peers.peers(None, "cpu")
    assert str(found["PyTorch"]).startswith("failed: ") and found["PaddlePaddle 3"] == "not installed"


@pytest.mark.parametrize(
    ("cupy", "says"), [(False, "CuPy is not installed. Install"), (True, "finds no GPU. `nvidia-smi`")]
)
def test_what_is_missing_is_said(monkeypatch, capsys, cupy, says):
    monkeypatch.setattr(gpu, "cupy_available", lambda: cupy)
    monkeypatch.setattr(gpu, "gpu_count", lambda: 0)
    assert main(["gpu", "check"]) == 2
    said = capsys.readouterr().err
    assert says in said and "--stand-in" in said


def test_without_a_checkout_it_says_where_to_get_one(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(gpu.paddle_lite, "__file__", str(tmp_path / "paddle_lite" / "__init__.py"))
    assert main(["gpu", "check", "--stand-in"]) == 2
    assert "needs a checkout of paddle_lite's repository" in capsys.readouterr().err
