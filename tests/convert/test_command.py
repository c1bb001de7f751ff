"""`python -m paddle_lite convert`: what it writes and prints, and its errors."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from safetensors import safe_open

import paddle_lite.fluid as fluid
from paddle_lite.cli import main
from paddle_lite.convert import import_weights, read_safetensors
from paddle_lite.core.errors import EnforceNotMet

MODELS = Path(__file__).parents[1] / "interop" / "data" / "exchange" / "fluid"


def test_to_onnx(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "net.onnx"
    assert (
        main(["convert", str(MODELS / "mlp" / "model"), "--to", "onnx", "-o", str(file), "--check", "--batch", "3"])
        == 0
    )
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("__model__: 6 operators, 4 weights, 124 B")
    assert lines[1].startswith(f"{file}: ") and lines[2].startswith("largest difference ")
    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    assert [i.name for i in session.get_inputs()] == ["x"] and session.get_inputs()[0].shape == ["batch", 4]


def test_inputs_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    feed = {"x": np.arange(4).reshape(4, 1), "x.lengths": np.array([1, 3])}
    np.savez(tmp_path / "feed.npz", **feed)
    words = [
        "convert",
        str(MODELS / "lstm" / "model"),
        "--to",
        "onnx",
        "-o",
        str(tmp_path / "n"),
        "--check",
        "--inputs",
    ]
    assert main([*words, str(tmp_path / "feed.npz")]) == 0
    assert "largest difference" in capsys.readouterr().out
    np.savez(tmp_path / "feed.npz", x=feed["x"])
    assert main([*words, str(tmp_path / "feed.npz")]) == 1
    assert "no x.lengths, needs the lengths of its sequences" in capsys.readouterr().err


def test_safetensors_and_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "net.safetensors"
    assert main(["convert", str(MODELS / "conv_net" / "net"), "--to", "safetensors", "-o", str(file)]) == 0
    with safe_open(file, framework="numpy") as held:
        names = sorted(held.keys())
    arrays, said = read_safetensors(str(file))
    assert sorted(arrays) == names and "conv2d_0.w_0" in names
    assert said["inputs"] == {"x": {"shape": [-1, 1, 6, 6], "dtype": "float32", "lod_level": 0}}
    assert said["users"]["conv2d_0.w_0"]["operator"] == "conv2d"
    assert said["users"]["conv2d_0.w_0"]["attributes"]["paddings"] == [1, 1]
    assert main(["convert", str(file), "--from", "safetensors"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"{tmp_path / 'net.pdparams'}: 8 weights, 504 B"
    state = fluid.load_program_state(str(tmp_path / "net"))
    assert all((state[name] == arrays[name]).all() for name in names)


def test_weights_of_an_onnx_file(tmp_path: Path) -> None:
    file = tmp_path / "net.onnx"
    assert main(["convert", str(MODELS / "mlp" / "model"), "--to", "onnx", "-o", str(file)]) == 0
    assert main(["convert", str(file), "--from", "onnx", "-o", str(tmp_path / "w")]) == 0
    state = fluid.load_program_state(str(tmp_path / "w"))
    assert {"fc_0.w_0", "fc_0.b_0", "fc_1.w_0", "fc_1.b_0"} <= set(state)


@pytest.mark.parametrize("content", [b"", b"\xff" * 20, b"\x08\xff\xff", b"\x02" + bytes(7) + b"{]"])
@pytest.mark.parametrize("form", ["onnx", "safetensors"])
def test_files_of_others_that_are_damaged_are_named(tmp_path: Path, form: str, content: bytes) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(EnforceNotMet, match=re.escape(str(tmp_path / "x"))):
        import_weights(str(tmp_path / "x"), form)


def test_a_state_dict_has_weights_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with fluid.dygraph.guard():
        fluid.save_dygraph(fluid.dygraph.Linear(2, 3).state_dict(), str(tmp_path / "net"))
    assert main(["convert", str(tmp_path / "net.pdparams"), "--to", "safetensors"]) == 0
    assert sorted(read_safetensors(str(tmp_path / "net.safetensors"))[0]) == ["bias", "weight"]
    capsys.readouterr()
    assert main(["convert", str(tmp_path / "net.pdparams"), "--to", "onnx"]) == 1
    assert "a state dict, needs an inference model for --to onnx" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words, text",
    [
        (["nowhere", "--to", "onnx"], "convert: MODEL got nowhere, needs a folder"),
        (["nowhere.pdparams", "--to", "onnx"], "convert: MODEL got nowhere.pdparams, needs a file that exists"),
        ([str(MODELS / "mlp" / "model"), "--to", "onnx", "--batch", "2"], "--batch got no --check"),
        ([str(MODELS / "mlp" / "model"), "--from", "onnx"], "convert: FILE got"),
        ([str(MODELS / "mlp" / "net.pdmodel"), "--from", "safetensors"], "convert --from safetensors:"),
        (["x.onnx", "--from", "onnx", "--check"], "--check got --from"),
    ],
    ids=range(6),
)
def test_errors(words: list[str], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", *words]) == 1
    error = capsys.readouterr().err
    assert error.startswith("python -m paddle_lite convert") and text in error


def test_a_failed_conversion_writes_nothing(tmp_path: Path) -> None:
    assert main(["convert", str(MODELS / "mlp" / "train.pdmodel"), "--to", "onnx", "-o", str(tmp_path / "n.onnx")]) == 1
    assert list(tmp_path.iterdir()) == []
