"""Models as PyTorch modules: the source that is written, and, where PyTorch is installed, its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.cli import main
from paddle_lite.convert import ConversionError, Model, difference, drawn_feed, read_model, run_here
from paddle_lite.convert.feeds import Feed
from paddle_lite.convert.torch.build import operators, to_torch
from tests.interop import control_nets, nets

from .test_onnx_models import DATA, EXPORTS, held, saved

CLASS = '''\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv2d_0 = nn.Conv2d(1, 3, 3, padding=1)
        self.batch_norm_0 = nn.BatchNorm2d(3, eps=1e-05, momentum=0.1)
        self.dropout = nn.Dropout(0.0)
        self.fc_0 = nn.Linear(27, 3)

    def forward(self, x):
        """Compute the outputs.

        x: float32 [any, 1, 6, 6]
        """
        y = self.conv2d_0(x)
        y = self.batch_norm_0(y)
        y = F.relu(y)
        y = F.max_pool2d(y, 2)
        y = self.dropout(y)
        y = self.fc_0(y.flatten(1))
        y = torch.softmax(y, dim=-1)
        return y
'''


def test_the_source() -> None:
    source, weights = to_torch(read_model(str(DATA / "exchange" / "fluid" / "conv_net" / "model")))
    assert CLASS in source
    compile(source, "net.py", "exec")
    assert weights["fc_0.weight"].shape == (3, 27) and weights["conv2d_0.bias"].shape == (3,)
    entries = ("weight", "bias", "running_mean", "running_var", "num_batches_tracked")
    assert {f"batch_norm_0.{entry}" for entry in entries} < set(weights)


def test_a_residual_keeps_both_values_and_a_shared_table_is_tied(tmp_path: Path) -> None:
    def build() -> Any:
        ids = fluid.data("ids", [None, 3], "int64")
        tables = [fluid.embedding(ids, [7, 4], padding_idx=p, param_attr="table") for p in (None, None, 1)]
        both = fluid.layers.relu(tables[0]) + tables[1]
        return ["ids"], [fluid.layers.concat([both, tables[0], tables[2]], 2)]

    source, weights = to_torch(saved(tmp_path, build))
    assert source.count("nn.Embedding(7, 4)") == 1 and "nn.Embedding(7, 4, padding_idx=1)" in source
    assert "x = self.table(ids)" in source and "F.relu(x)" in source and "x = F.relu(x)" not in source
    assert (weights["table_2.weight"][1] == 0).all() and (weights["table.weight"][1] != 0).any()


def test_loops_become_loops_of_python() -> None:
    source, _ = to_torch(read_model(str(DATA / "exchange" / "fluid" / "loop" / "model")))
    lines = [line.strip() for line in source.splitlines()]
    assert "while bool(less_than_0_tmp_0):" in lines and "if bool(less_than_2_tmp_0):" in lines
    compile(source, "net.py", "exec")


def test_what_has_no_counterpart() -> None:
    with pytest.raises(ConversionError, match=r"lstm in block 0, which makes lstm_0.tmp_3.*no counterpart"):
        to_torch(read_model(str(DATA / "exchange" / "fluid" / "lstm" / "model")))


def test_the_files(tmp_path: Path) -> None:
    model = str(DATA / "exchange" / "fluid" / "mlp" / "model")
    assert main(["convert", model, "--to", "torch", "-o", str(tmp_path / "net")]) == 0
    assert sorted(p.name for p in (tmp_path / "net").iterdir()) == ["net.py", "net.safetensors"]


def test_check_says_which_library_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    python = tmp_path / "python"
    model = str(DATA / "exchange" / "fluid" / "mlp" / "model")
    words = ["convert", model, "--to", "torch", "-o", str(tmp_path / "net"), "--check", "--python", str(python)]
    assert main(words) == 1
    assert f"--python got {python}" in capsys.readouterr().err
    python.write_text("#!/bin/sh\necho PyTorch is not installed >&2\nexit 1\n")
    python.chmod(0o755)
    assert main(words) == 1
    assert "PyTorch is not installed. Name an interpreter that has the library" in capsys.readouterr().err


# --- where PyTorch is installed -----------------------------------------------------------------------------------------


def run_torch(torch: Any, model: Model, feed: Mapping[str, Any]) -> list[np.ndarray]:
    source, weights = to_torch(model)
    space: dict[str, Any] = {}
    exec(compile(source, "net.py", "exec"), space)
    net = space["Net"]()
    net.load_state_dict({name: torch.from_numpy(np.array(array)) for name, array in weights.items()})
    with torch.no_grad():
        found = net.eval()(*[torch.from_numpy(np.ascontiguousarray(tensor.array)) for tensor in feed.values()])
    return [value.numpy() for value in (found if isinstance(found, tuple) else (found,))]


def models() -> dict[str, tuple[Model, Feed]]:
    found = {}
    for name in sorted(set(nets.NETS) - {"lstm"}):
        model = read_model(str(DATA / "exchange" / "fluid" / name / "model"))
        found[name] = model, drawn_feed(model, 4)
    for name in ("encoder", "mobilenet", "resnet"):
        model = read_model(str(DATA / "exchange" / "modern" / name))
        found[name] = model, drawn_feed(model, 4)
    for name in sorted(set(control_nets.NETS) - {"dynamic_rnn"}):
        model = held(control_nets.read(str(DATA / "control" / f"{name}.npz")))
        found[name] = model, drawn_feed(model, 4)
    return found


def test_numbers_of_pytorch() -> None:
    torch = pytest.importorskip("torch")
    for name, (model, feed) in models().items():
        assert difference(run_torch(torch, model, feed), run_here(model, feed)).relative < 1e-5, name
    assert EXPORTS.is_file() and len(operators()) > 150
