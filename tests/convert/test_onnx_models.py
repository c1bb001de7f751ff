"""Models that PaddlePaddle 1.8.5 and 2.6.2 saved, and ours, give their numbers in ONNX Runtime."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.convert import ConversionError, Model, convert_model, difference, drawn_feed, read_model
from paddle_lite.convert.onnx.build import to_onnx
from paddle_lite.convert.onnx.run import run_onnx
from paddle_lite.core.tensor import LoDTensor
from paddle_lite.io.inference_model import interface
from tests.interop import control_nets, nets

DATA = Path(__file__).parents[1] / "interop" / "data"
EXPORTS = Path(__file__).parents[1] / "jit" / "exports.npz"


def tensors(feed: dict[str, Any]) -> dict[str, LoDTensor]:
    return {n: v if isinstance(v, LoDTensor) else LoDTensor.of(np.asarray(v)) for n, v in feed.items()}


def agrees(model: Model, feed: dict[str, Any], wanted: list[np.ndarray]) -> None:
    """The model in ONNX Runtime gives what PaddlePaddle recorded."""
    made = to_onnx(model).SerializeToString()
    assert difference(run_onnx(made, tensors(feed)), wanted).relative < 1e-5


@pytest.mark.parametrize("files", [("model",), ("", "net.pdmodel", "net.pdiparams"), ("net",)], ids=len)
@pytest.mark.parametrize("name", sorted(nets.NETS))
def test_models_of_1_8(name: str, files: tuple[str, ...]) -> None:
    folder = DATA / "exchange" / "fluid" / name
    model = read_model(str(folder / files[0]), *files[1:])
    feed = nets.prepared(fluid.LoDTensor, fluid.CPUPlace(), name)[0]
    wanted = np.load(folder / "expected.npz")["prediction"]
    agrees(model, {n: feed[n] for n in model.feeds}, [wanted])


@pytest.mark.parametrize("name", ["encoder", "mobilenet", "resnet"])
def test_models_of_2_6(name: str) -> None:
    model = read_model(str(DATA / "exchange" / "modern" / name))
    known = np.load(DATA / "exchange" / "modern" / f"{name}.npz")
    agrees(model, {"x": known["x"]}, [known["prediction"]])


def held(known: dict[str, np.ndarray]) -> Model:
    program = fluid.Program.parse_from_string(known["model"].tobytes())
    values = {key[len("state/") :]: value for key, value in known.items() if key.startswith("state/")}
    return Model("net", program, *interface(program), values)


@pytest.mark.parametrize("name", sorted(set(control_nets.NETS) - {"dynamic_rnn"}))
def test_control_flow(name: str) -> None:
    known = control_nets.read(str(DATA / "control" / f"{name}.npz"))
    model = held(known)
    feed = control_nets.batches(fluid, name)[0]
    agrees(model, {n: feed[n] for n in model.feeds}, [known["prediction"]])


def test_a_ragged_recurrence_says_what_it_lacks() -> None:
    with pytest.raises(ConversionError) as caught:
        to_onnx(held(control_nets.read(str(DATA / "control" / "dynamic_rnn.npz"))))
    lines = str(caught.value).splitlines()
    assert lines[0] == "convert --to onnx: net: 8 of 36 operators have no counterpart:"
    assert "lod_rank_table in block 0, which makes lod_rank_table_0" in lines[1] and "(LoD)" in lines[1]


@pytest.mark.parametrize("name", ["Translation", "Recurrence", "BinaryTree"])
def test_declared_models(name: str, tmp_path: Path) -> None:
    with np.load(EXPORTS) as file:
        known = {k.removeprefix(f"{name}: "): file[k] for k in file.files if k.startswith(f"{name}: ")}
    for key in known:
        if key.startswith("file "):
            (tmp_path / key.removeprefix("file ")).write_bytes(known[key].tobytes())
    model = read_model(str(tmp_path))
    made = to_onnx(model).SerializeToString()
    for example in {key.split()[0] for key in known if " in " in key}:
        given = [known[k] for k in sorted(known) if k.startswith(f"{example} in ")]
        wanted = [known[k] for k in sorted(known) if k.startswith(f"{example} out ")]
        assert len(given) == len(model.feeds) and wanted
        found = run_onnx(made, tensors(dict(zip(model.feeds, given, strict=True))))
        assert difference(found, wanted).relative < 1e-5


# --- names ------------------------------------------------------------------------------------------------------------


def saved(folder: Path, build: Any) -> Model:
    exe = fluid.Executor(fluid.CPUPlace())
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
        inputs, outputs = build()
        exe.run(fluid.default_startup_program())
        fluid.io.save_inference_model(str(folder), inputs, outputs, exe)
    return read_model(str(folder))


def sizes(value: onnx.ValueInfoProto) -> list[Any]:
    return [d.dim_param or d.dim_value for d in value.type.tensor_type.shape.dim]


def test_inputs_outputs_and_sizes_have_names(tmp_path: Path) -> None:
    def build() -> Any:
        image, words = fluid.data("image", [None, 4]), fluid.data("words", [None, 1], "int64", lod_level=1)
        pooled = fluid.layers.sequence_pool(fluid.layers.embedding(words, [5, 4]), "max")
        return ["image", "words"], [fluid.layers.fc(image + pooled, 2, act="softmax", name="answer")]

    model = saved(tmp_path, build)
    graph = to_onnx(model).graph
    assert {v.name: sizes(v) for v in graph.input} == {
        "image": ["image_batch", 4], "words": ["words_rows", 1], "words.lengths": ["words_sequences"]
    }  # fmt: skip
    assert [v.name for v in graph.output] == ["answer.tmp_2"]
    assert "fc" not in [t.name for t in graph.initializer] and "answer.w_0" in [t.name for t in graph.initializer]


def test_any_batch(tmp_path: Path) -> None:
    def build() -> Any:
        x = fluid.data("x", [None, 3, 8, 8])
        hidden = fluid.layers.pool2d(
            fluid.layers.conv2d(x, 4, 3, act="relu"), 2, "avg", 2, pool_padding=1, ceil_mode=True
        )
        return ["x"], [fluid.layers.fc(fluid.layers.reshape(hidden, [0, -1]), 2)]

    converted = convert_model(saved(tmp_path / "m", build), "onnx", str(tmp_path / "net"))
    assert [Path(p).name for p in converted.files] == ["net.onnx"]
    for batch in (1, 3):
        assert converted.check(drawn_feed(converted.model, batch)).relative < 1e-5


def test_an_operator_without_counterpart_is_named() -> None:
    def build() -> Any:
        x = fluid.data("x", [None, 4], "int64")
        return ["x"], [fluid.layers.hash(x, 10)]

    with fluid.program_guard(fluid.Program(), fluid.Program()):
        inputs, outputs = build()
        program = fluid.default_main_program()
    with pytest.raises(ConversionError) as caught:
        to_onnx(Model("net", program, inputs, [outputs[0].name], {}))
    text = str(caught.value)
    assert "1 of 1 operators has no counterpart" in text and "hash in block 0, which makes hash_0.tmp_0" in text
    assert f'File "{__file__}", line {build.__code__.co_firstlineno + 2}' in text
