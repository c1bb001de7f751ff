"""Draw what notebooks show: python -m benchmarks.draw_pictures

It writes docs/pictures.md and the pictures in docs/pictures: SVG and PNG as `paddle_lite.plot` makes them; tables by a Chromium,
without which the old ones stay.
"""

from __future__ import annotations

import ast
import os
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.browser import screenshot
from paddle_lite.core.views.page import page

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "pictures"
PAGE = ROOT / "docs" / "pictures.md"

HEAD = """# Plots and logs

`paddle_lite.plot` plots training curves, images, graphs and profiles. Notebooks display Programs, Plans, Layers and Variables. Every
plot has a method `save(path)`. Most plots are Matplotlib figures (`pip install 'paddle_lite[plot]'`); graphs and flame graphs are SVG and need no
other package. The colours are safe for all kinds of colour blindness. Arguments may be NumPy arrays, lists or Variables.

`python -m benchmarks.draw_pictures` regenerates this page.
"""

SETUP = """import numpy as np
import paddle_lite as paddle
import paddle_lite.fluid as fluid

paddle.enable_imperative()
paddle.manual_seed(1)
rng = np.random.default_rng(1)


class Block(paddle.nn.Layer):
    def __init__(self, width):
        super().__init__()
        self.conv = paddle.nn.Conv2D(width, width, 3, padding=1)
        self.norm = paddle.nn.BatchNorm(width, act="relu")

    def forward(self, x):
        return self.norm(self.conv(x)) + x


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.stem = paddle.nn.Conv2D(1, 8, 3, padding=1, act="relu")
        self.body = paddle.nn.Sequential(Block(8), Block(8))
        self.top = paddle.nn.Linear(8 * 8 * 8, 10, act="softmax")

    def forward(self, x):
        return self.top(self.body(self.stem(x)).reshape(x.shape[0], -1))


rows = list(paddle.dataset.digits.train()())  # 28 x 28 pixels; every third one is enough here
images = np.stack([row[0] for row in rows]).reshape(-1, 1, 28, 28)[:, :, 2:26:3, 2:26:3]
labels = np.array([[row[1]] for row in rows])
net, log = Net(), {"train/loss": [], "train/accuracy": []}
adam = paddle.optimizer.AdamOptimizer(0.003, parameter_list=net.parameters())
for _ in range(250):
    chosen = rng.integers(0, len(images), 64)
    prediction = net(paddle.to_tensor(images[chosen]))
    loss = paddle.mean(paddle.nn.functional.cross_entropy(prediction, paddle.to_tensor(labels[chosen])))
    loss.backward()
    adam.minimize(loss)
    net.clear_gradients()
    log["train/loss"].append(float(loss))
    log["train/accuracy"].append(float((prediction.numpy().argmax(1) == labels[chosen, 0]).mean()))
batch, truth = paddle.to_tensor(images[-360:]), labels[-360:]
"""


class Entry(NamedTuple):
    """A picture: the name of its file without suffix, its title, its description, and the code whose last line makes it."""

    name: str
    title: str
    text: str
    code: str
    width: int = 0  # of the browser window that shows it; 0: the picture has a method `save`


ENTRIES = [
    Entry("curves", "Training curves", "From a dict, the result of `hapi.Model.fit`, or a log file (see below).",
          "paddle.plot.curves(log, title='digits')"),
    Entry("predictions", "Images", "Images with titles; those in `marked` are highlighted.",
          "guesses = net(batch).numpy().argmax(1)\nwrong = np.flatnonzero(guesses != truth[:, 0])[:6]\n"
          "shown = np.concatenate([wrong, np.arange(18)])\n"
          "paddle.plot.images(batch.numpy()[shown], titles=[str(g) for g in guesses[shown]], marked=range(len(wrong)), columns=8)"),
    Entry("confusion_matrix", "Confusion matrix", "From labels and predicted classes or scores.",
          "paddle.plot.confusion_matrix(truth, net(batch))"),
    Entry("feature_maps", "Feature maps", "The channels of one sample, with a common colour scale.",
          "paddle.plot.feature_maps(net.body(net.stem(batch[:1])), title='after the body')"),
    Entry("attention", "Attention", "One panel for each head, with the words at the axes.",
          "words = 'the cat sat on the mat'.split()\nscores = rng.normal(size=[2, 6, 6]) + 3 * np.eye(6)[[0, 1, 1, 2, 5, 5]]\n"
          "weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)\npaddle.plot.attention(weights, words)"),
    Entry("network", "Graph of a network", "With the shape of an input: the data flow between Layers and operators.",
          "paddle.plot.graph(net, [1, 1, 8, 8])"),
    Entry("layers", "Tree of a network", "Without a shape: the Layers and their sublayers.", "paddle.plot.graph(net)"),
    Entry("tape", "Graph of a tape", "The recorded operators that a backward pass from a Variable goes through.",
          "w, x = paddle.to_tensor([[0.5, 1.0]]), paddle.to_tensor([[2.0], [3.0]])\nw.stop_gradient, w.name = False, 'w'\n"
          "y = paddle.tanh(paddle.matmul(w, x))\nloss = paddle.mean(y * y + paddle.reduce_sum(w))\npaddle.plot.graph(loss)"),
    Entry("program", "Graph of a Program", "Operators are dark, gradient operators blue, updates brown, parameters green, data yellow.",
          "with fluid.program_guard(fluid.Program(), fluid.Program()):\n    paddle.disable_imperative()\n"
          "    x, y = fluid.data('x', [None, 4]), fluid.data('y', [None, 1])\n"
          "    cost = fluid.layers.mean(fluid.layers.square_error_cost(fluid.layers.fc(x, 1), y))\n"
          "    fluid.optimizer.SGD(0.1).minimize(cost)\n    program = cost.block.program\n    paddle.enable_imperative()\n"
          "paddle.plot.graph(program)"),
    Entry("flame_graph", "Flame graph",
          "The nested times of Layers, operators and gradients. `paddle.plot.chrome_trace(found, 'trace.json')` "
          "writes the same for chrome://tracing and ui.perfetto.dev. Traces of `fluid.profiler` can be plotted, too.",
          "paddle.mean(net(batch)).backward()  # compiles the kernels, which are not to be measured\nwith paddle.plot.profile(net) as found:\n    paddle.mean(net(batch)).backward()\npaddle.plot.flame_graph(found, 'one step')"),
    Entry("summary", "Summary of a network", "In a notebook, with the graph.", "paddle.summary(net, [1, 1, 8, 8])", 640),
    Entry("layer", "A Layer in a notebook", "", "net", 800),
    Entry("variable", "A Variable in a notebook", "", "paddle.to_tensor(np.round(rng.normal(size=[3, 4]), 2))", 560),
    Entry("program_table", "A Program in a notebook", "The outputs and inputs of each operator, with a foldable graph.", "program", 980),
    Entry("plan", "A Plan in a notebook", "The kernels and their costs.",
          "from paddle_lite.static import plan_of\nplan_of(program, None, [cost])", 1160),
]  # fmt: skip

TAIL = """## Logs

A LogWriter writes the numbers of each step to files for TensorBoard and VisualDL, to CSV or to JSON lines. `read_log` reads them, and `curves`
plots them:

```python
with paddle.utils.LogWriter("runs/first", to=["tensorboard", "csv"]) as writer:
    for step in range(100):
        writer.log({"train/loss": 1 / (1 + step), "lr": 0.1}, step)
paddle.plot.curves("runs/first/log.csv").save("curves.png")
```

TensorBoard and VisualDL need `pip install 'paddle_lite[log]'`. `add_histogram`, `add_image` and `add_figure` write histograms, images and figures.
With hapi:

```python
history = model.fit(data, epochs=5, callbacks=[paddle.hapi.callbacks.VisualDL("runs/first")])  # or TensorBoard
paddle.plot.curves(history)
```

## Progress bars

```python
for batch in paddle.utils.progress_bar(loader, "epoch 1"):
    ...
```

shows a bar in a terminal or notebook; a file or pipe gets a line every ten seconds, and one at the end.
"""


def file_of(entry: Entry) -> str:
    """Return the name of a picture's file."""
    vector = not entry.width and ("plot.graph" in entry.code or "flame_graph" in entry.code)
    return f"{entry.name}.{'svg' if vector else 'png'}"


def text() -> str:
    """Return the page."""
    parts = [HEAD]
    for entry in ENTRIES:
        said = f"{entry.text}\n\n" if entry.text else ""
        parts.append(
            f"## {entry.title}\n\n{said}```python\n{entry.code}\n```\n\n![{entry.title}](pictures/{file_of(entry)})\n"
        )
    return "\n".join([*parts, TAIL, f"## Code used by the examples\n\n```python\n{SETUP}```\n"])


def value_of(code: str, names: dict[str, Any]) -> Any:
    """Run code and return the value of its last line."""
    tree = ast.parse(code)
    last = tree.body.pop()
    assert isinstance(last, ast.Expr)
    exec(compile(tree, "<pictures>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<pictures>", "eval"), names)


def drawn(entry: Entry, names: dict[str, Any], folder: Path) -> bool:
    """Write the picture of an entry; return whether it was written."""
    value = value_of(entry.code, names)
    path = folder / file_of(entry)
    if not entry.width:
        value.save(path)
        return True
    shot = str(folder / "shot.png")
    if not screenshot(page(value._repr_html_(), entry.title), shot, entry.width, 1400):
        return False
    _crop(shot, path)
    os.remove(shot)
    return True


def _crop(shot: str, path: Path) -> None:
    """Cut off the empty part of a page, and write the rest with few colours."""
    from PIL import Image, ImageChops

    image = Image.open(shot).convert("RGB")
    box = ImageChops.difference(image, Image.new("RGB", image.size, (255, 255, 255))).getbbox()
    assert box is not None, "the page is empty"
    image.crop((0, 0, min(image.width, box[2] + 24), box[3] + 24)).quantize(64).save(path, optimize=True)


def main() -> None:
    """Draw everything."""
    names: dict[str, Any] = {}
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        exec(compile(SETUP, "<pictures>", "exec"), names)
        for entry in ENTRIES:
            written = drawn(entry, names, Path(folder))
            print(f"{entry.name}: {'drawn' if written else 'kept, since no Chromium was found'}")
            if written:
                (FOLDER / file_of(entry)).write_bytes((Path(folder) / file_of(entry)).read_bytes())
    PAGE.write_text(text(), encoding="utf8")


if __name__ == "__main__":
    main()
