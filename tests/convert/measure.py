"""Converts models that real programs saved, and ours, to every format, and prints how far the results are apart.

    python -m tests.convert.measure [--torch PYTHON] [--paddle3 PYTHON] [FOLDER ...]

Each PYTHON has PyTorch, or PaddlePaddle 3. FOLDER: further models of save_inference_model. Not a test of the suite: docs/convert.md
has what it printed.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import paddle_lite.fluid as fluid
from paddle_lite.convert import ConversionError, Model, convert_model, drawn_feed, read_model
from paddle_lite.fluid.dygraph import TracedLayer, to_variable
from tests.convert.test_onnx_models import DATA, EXPORTS, held, saved
from tests.interop import control_nets, nets


def exchanged(folder: Path) -> Iterator[tuple[str, Model]]:
    """Models that PaddlePaddle 1.8.5 and 2.6.2 saved, those of declared functions, those with beam search and a CRF."""
    for name in sorted(nets.NETS):
        below = DATA / "exchange" / "fluid" / name
        yield f"1.8.5 {name}", read_model(str(below / "model"))
        yield f"1.8.5 {name}, combined", read_model(str(below), "net.pdmodel", "net.pdiparams")
    for name in ("encoder", "mobilenet", "resnet"):
        yield f"2.6.2 {name}", read_model(str(DATA / "exchange" / "modern" / name))
    for name in sorted(control_nets.NETS):
        yield f"1.8.5 {name}", held(control_nets.read(str(DATA / "control" / f"{name}.npz")))
    with np.load(EXPORTS) as file:
        for name in ("Translation", "Recurrence", "BinaryTree"):
            below = folder / name
            below.mkdir()
            for key in file.files:
                if key.startswith(f"{name}: file "):
                    (below / key.removeprefix(f"{name}: file ")).write_bytes(file[key].tobytes())
            yield f"declared {name}", read_model(str(below))
    from tests.interop import decoders

    decoders.write(fluid, str(folder / "decoders"))
    for name in decoders.MODELS:
        yield f"decoder {name}", read_model(str(folder / "decoders" / name))


def traced(folder: Path) -> Iterator[tuple[str, Model]]:
    """Networks of paddle.hapi for images, traced."""
    from paddle_lite.hapi.vision import models

    size = {"LeNet": (1, 28)}
    for name, make in {
        "LeNet": models.LeNet, "resnet18": lambda: models.resnet18(num_classes=10),
        "resnet50": lambda: models.resnet50(num_classes=10), "mobilenet_v1": lambda: models.mobilenet_v1(num_classes=10),
        "mobilenet_v2": lambda: models.mobilenet_v2(num_classes=10), "vgg11": lambda: models.vgg11(num_classes=10),
    }.items():  # fmt: skip
        channels, side = size.get(name, (3, 224 if name == "vgg11" else 64))
        with fluid.dygraph.guard():
            net = make()
            net.eval()
            image = to_variable(np.random.RandomState(0).rand(1, channels, side, side).astype("float32"))
            _, layer = TracedLayer.trace(net, [image])
            layer.save_inference_model(str(folder / name))
        yield f"ours {name}", read_model(str(folder / name))


def text(folder: Path) -> Iterator[tuple[str, Model]]:
    """Networks for text, of fluid.layers."""
    layers = fluid.layers

    def words() -> Any:
        return layers.embedding(fluid.data("words", [None, 1], "int64", lod_level=1), [50, 8])

    def convolution() -> Any:
        parts = [fluid.nets.sequence_conv_pool(words(), 6, k, act="tanh", pool_type="max") for k in (3, 4)]
        return ["words"], [layers.fc(parts, 2, act="softmax")]

    def stacked_lstm() -> Any:
        rows = layers.fc(words(), 16)
        hidden, _ = layers.dynamic_lstm(rows, 16, is_reverse=True)
        pooled = layers.sequence_pool(hidden, "max")
        return ["words"], [layers.fc([pooled, layers.sequence_last_step(rows)], 2, act="softmax")]

    def gru() -> Any:
        hidden = layers.dynamic_gru(layers.fc(words(), 18), 6)
        return ["words"], [layers.fc(layers.sequence_pool(hidden, "average"), 2, act="softmax")]

    def transformer() -> Any:
        x = fluid.data("x", [None, 7], "int64")
        hidden = fluid.embedding(x, [50, 16]) + layers.create_parameter([7, 16], "float32")
        for _ in range(2):
            q, k, v = (
                layers.transpose(layers.reshape(layers.fc(hidden, 16, 2), [0, 0, 4, 4]), [0, 2, 1, 3]) for _ in range(3)
            )
            weights = layers.softmax(layers.matmul(q, k, transpose_y=True, alpha=0.5))
            mixed = layers.reshape(layers.transpose(layers.matmul(weights, v), [0, 2, 1, 3]), [0, 0, 16])
            hidden = layers.layer_norm(hidden + layers.fc(mixed, 16, 2), begin_norm_axis=2)
            inner = layers.fc(layers.fc(hidden, 32, 2, act="gelu"), 16, 2)
            hidden = layers.layer_norm(hidden + layers.dropout(inner, 0.1), begin_norm_axis=2)
        return ["x"], [layers.fc(layers.reduce_mean(hidden, 1), 3, act="softmax")]

    def lstm_cells() -> Any:
        x = fluid.data("x", [None, 5, 4])
        steps, _ = layers.rnn(layers.LSTMCell(6), x)
        return ["x"], [layers.fc(layers.reduce_sum(steps, 1), 2)]

    for build in (convolution, stacked_lstm, gru, transformer, lstm_cells):
        yield f"ours {build.__name__}", saved(folder / build.__name__, build)


def measured(title: str, model: Model, to: str, folder: Path, python: str | None) -> str:
    """What comes of a conversion."""
    feed = drawn_feed(model, 1 if title.startswith("declared") else 3)  # whose loops ask single numbers
    try:
        converted = convert_model(model, to, str(folder / "out"), python=python if to == "paddle3" else None)
    except ConversionError as error:
        return "named: " + str(error).splitlines()[1].split(",")[0].strip()
    return f"{converted.check(feed, python).relative:.0e}"


def main() -> None:
    """Print a line for each model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--torch", metavar="PYTHON")
    parser.add_argument("--paddle3", metavar="PYTHON")
    parser.add_argument("folders", metavar="FOLDER", nargs="*")
    given = parser.parse_args()
    formats = {"onnx": None, **{to: getattr(given, to) for to in ("torch", "paddle3") if getattr(given, to)}}
    counts = {to: [0, 0, 0.0] for to in formats}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "decoders").mkdir()
        sources: list[Callable[[Path], Iterator[tuple[str, Model]]]] = [exchanged, traced, text]
        sources.append(lambda _: ((Path(path).name, read_model(path)) for path in given.folders))
        for source in sources:
            for title, model in source(folder):
                cells = []
                for to, python in formats.items():
                    try:
                        cell = measured(title, model, to, folder, python)
                    except Exception as error:
                        cell = f"FAILS {type(error).__name__} {str(error)[:150]}"
                    counts[to][0] += 1
                    if cell[0].isdigit():
                        counts[to][1] += 1
                        counts[to][2] = max(counts[to][2], float(cell))
                    cells.append(cell)
                print(f"| {title} | {' | '.join(cells)} |", flush=True)
    for to, (tried, done, worst) in counts.items():
        print(f"{to}: {tried} tried, {done} converted, largest difference {worst:.0e}")


if __name__ == "__main__":
    main()
