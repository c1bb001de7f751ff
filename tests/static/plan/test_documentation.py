"""docs/plans.md says what happens: its examples print what it shows, and passes change lines as it shows."""

from __future__ import annotations

import re
from collections.abc import Callable
from doctest import ELLIPSIS, OutputChecker
from pathlib import Path
from typing import Any

import pytest

import paddle_lite.fluid as fluid
from paddle_lite.static import plan_of
from paddle_lite.static.execution.strategies import PASSES_OF
from paddle_lite.static.plan.passes import PASSES
from tests.static.passes import passes

PAGE = (Path(__file__).parents[3] / "docs" / "plans.md").read_text()
FENCE = re.compile(r"^```(\w+)(?: (\w+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = {name: text for kind, name, text in FENCE.findall(PAGE) if name}
layers = fluid.layers


def test_the_examples_print_what_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = [(kind, text) for kind, name, text in FENCE.findall(PAGE) if not name]
    assert [kind for kind, _ in blocks] == ["python", "text"] * 2
    names: dict[str, Any] = {}
    with passes():
        for (_, code), (_, expected) in zip(blocks[::2], blocks[1::2], strict=True):
            exec(compile(code, "example.py", "exec"), names)
            assert [line.rstrip() for line in capsys.readouterr().out.rstrip().splitlines()] == expected.splitlines()


def data(*shape: int | None) -> Any:
    return fluid.data("x", list(shape) or [None, 8], "float32")


def updates() -> Any:
    loss = layers.mean(layers.fc(layers.fc(data(None, 80), 80), 80))
    fluid.optimizer.SGD(0.1).minimize(loss)
    return loss


def products() -> Any:
    w = layers.create_parameter([8, 8], "float32", "w")
    hidden = data()
    for _ in range(3):
        hidden = layers.tanh(layers.matmul(hidden, w))
    fluid.backward.append_backward(layers.mean(hidden))
    return "w@GRAD"


def tables() -> Any:
    rows = [
        layers.reduce_sum(fluid.embedding(fluid.data(name, [4], "int64"), [8, 4], param_attr="table")) for name in "xy"
    ]
    fluid.backward.append_backward(layers.sums(rows))
    return "table@GRAD"


def alike() -> Any:
    slots = [fluid.data(name, [None, 1], "int64", lod_level=1) for name in "pqrs"]
    return [layers.sequence_pool(layers.embedding(slot, [8, 4], param_attr="table"), "sum") for slot in slots]


def copies() -> Any:
    x = data()
    return layers.elementwise_add(layers.tanh(layers.assign(x)), layers.tanh(x))


def steps() -> Any:
    x, w = data(4, 2, 8), layers.create_parameter([8, 8], "float32", "w")
    hidden = layers.matmul(x[0], w)
    for number in range(1, 4):
        hidden = layers.tanh(layers.elementwise_add(layers.matmul(x[number], w), hidden))
    return hidden


def concats() -> Any:
    x, w = data(4, 2, 8), layers.create_parameter([24, 16], "float32", "w")
    hidden = fluid.data("h", [2, 16], "float32")
    for number in range(4):
        hidden = layers.tanh(layers.matmul(layers.concat([x[number], hidden], axis=1), w))
    return hidden


def factors() -> Any:
    hidden = fluid.data("h", [20, 100], "float32")
    w = layers.create_parameter([100, 100], "float32", "w")
    for _ in range(4):
        hidden = layers.tanh(layers.matmul(hidden, w))
    return hidden


def transposes() -> Any:
    turned = layers.transpose(data(None, 4, 8), [0, 2, 1])
    return layers.tanh(layers.transpose(turned, [0, 2, 1]))


def fuse() -> Any:
    x = data()
    return layers.layer_norm(layers.elementwise_add(layers.gelu(x), x))


def dropout() -> Any:
    x = data()
    return layers.elementwise_add(layers.dropout(layers.gelu(x), 0.1), x)


def chains() -> Any:
    hidden, w = fluid.data("h", [2, 8], "float32"), layers.create_parameter([8, 8], "float32", "w")
    for _ in range(6):
        hidden = layers.tanh(layers.scale(layers.matmul(hidden, w), 0.5))
    return hidden


def loops() -> Any:
    i, n = fluid.data("i", [1], "int64"), fluid.data("n", [1], "int64")
    return layers.while_loop(lambda i: i < n, lambda i: [i * 2 + 1], [i])[0]


def landing() -> Any:
    x, y = fluid.data("x", [None, 100], "float32"), fluid.data("y", [None, 1], "float32")
    attr = fluid.ParamAttr(name="w")
    loss = layers.mean(layers.square(layers.fc(x, 200, param_attr=attr, bias_attr=False) - y))
    fluid.optimizer.SGD(0.1).minimize(loss)
    job = fluid.DistributeTranspiler()
    job.transpile(0, pservers="127.0.0.1:6174,127.0.0.1:6175", trainers=2)
    assert job.get_trainer_program(wait_port=False) is fluid.default_main_program()
    return loss


PROGRAMS: dict[str, Callable[[], Any]] = {
    "updates": updates,
    "constants": lambda: data() * layers.exp(layers.fill_constant([1], "float32", 2.0)),
    "copies": copies,
    "transposes": transposes,
    "unread": transposes,
    "landing": landing,
    "concats": concats,
    "steps": steps,
    "factors": factors,
    "products": products,
    "tables": tables,
    "alike": alike,
    "weights": lambda: layers.fc(data(None, 200), 200, bias_attr=False),
    "shapes": lambda: layers.tanh(layers.slice(layers.reshape(data(), [-1, 2, 4]), [1], [0], [1])),
    "dots": lambda: layers.fc(data(), 4, bias_attr=False),
    "channels": lambda: layers.pool2d(layers.conv2d(data(None, 3, 32, 32), 16, 3, act="relu"), 2, "max", 2),
    "epilogue": lambda: layers.conv2d(data(None, 3, 32, 32), 8, 3, act="relu"),
    "fuse": fuse,
    "chains": chains,
    "loops": loops,
    "dropout": dropout,
}
PASS = {"dropout": "fuse"}
"""The pass of what is shown under another name."""
EARLIER = {"unread": "transposes", "chains": "dots,fuse"}
"""The passes that leave something for a pass: without them it finds nothing."""


def lines_of(fetched: Any, which: str) -> list[str]:
    """The lines of a Plan that call something, without the place where the operators were made."""
    with passes(which):
        lines = plan_of(None, None, fetched if isinstance(fetched, list) else [fetched]).source.splitlines()
    return [re.sub(r" \([^()]*:\d+\)$", "", line.strip()) for line in lines if " = " in line]


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_a_pass_does(name: str) -> None:
    fetched = PROGRAMS[name]()
    before, after = (text.strip().splitlines() for text in SHOWN[name].split("# becomes\n"))
    earlier = EARLIER.get(name, "none")
    both = f"{earlier},{PASS.get(name, name)}"
    for shown, which in ((before, earlier), (after, both)):
        found = lines_of(fetched, which)
        for line in shown:
            assert any(OutputChecker().check_output(line, each, ELLIPSIS) for each in found), "\n".join([line, *found])
    gone = {line for line in before if line not in after}
    assert not gone & set(lines_of(fetched, both))


def test_every_switch_is_listed() -> None:
    assert set(re.findall(r"^\*\*(\w+)\*\*:", PAGE, re.MULTILINE)) == set(PASSES) == {PASS.get(n, n) for n in PROGRAMS}
    listed = {}
    for row in re.findall(
        r"^\| (`\w+`(?:, `\w+`)*) \| ([\w, ]+) \|$", PAGE.split("| field | passes |")[1], re.MULTILINE
    ):
        listed.update({field: frozenset(row[1].split(", ")) for field in re.findall(r"`(\w+)`", row[0])})
    assert listed == PASSES_OF
