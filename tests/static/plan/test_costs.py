"""Costs of operators: bytes and FLOPs from the shapes in a Program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.ops.framework import registry
from paddle_lite.ops.framework.costs import Amount, PerElement, Product
from paddle_lite.ops.framework.spec import OpDef
from paddle_lite.static import default_main_program
from paddle_lite.static.operators.structural import definitions
from paddle_lite.static.plan.costs import bytes_read, flops, size_of
from paddle_lite.static.plan.ir import Instruction
from paddle_lite.static.plan.needed import outer_reads
from paddle_lite.static.plan.ssa import Builder, Options

layers = fluid.layers


def steps(type: str | None = None) -> list[Instruction]:
    """The operators of the Program, or those of a type."""
    block = default_main_program().global_block()
    results = [name for name in block.vars if name.endswith("@GRAD")]
    graph = Builder(block, block.ops, outer_reads(block.ops, ()), (), (), Options("cpu")).build(results)
    return [step for step in graph.instructions if type in (None, step.type)]


def data(name: str, *shape: int | None, dtype: str = "float32", **more: Any) -> Any:
    made = fluid.data(name, list(shape), dtype, **more)
    made.stop_gradient = False
    return made


def image() -> Any:
    return data("image", None, 3, 8, 8)


FORWARD: dict[str, tuple[Callable[[], Any], Amount]] = {
    # 2 for each of the N x 32 results and each of the 16 terms of its sum
    "mul": (lambda: layers.mul(data("x", None, 16), data("w", 16, 32)), Amount(0, 2 * 32 * 16)),
    "matmul": (lambda: layers.matmul(data("x", 4, 6), data("y", 6, 5)), Amount(2 * 4 * 5 * 6)),
    "matmul transposed": (lambda: layers.matmul(data("x", 6, 4), data("y", 6, 5), transpose_x=True), Amount(2 * 4 * 5 * 6)),
    "matmul of unknown sizes": (lambda: layers.matmul(data("x", 7, None), data("y", None, 5)), Amount(0, 2 * 7 * 5)),
    "matmul batched": (lambda: layers.matmul(data("x", None, 2, 4, 6), data("y", None, 2, 6, 5)), Amount(0, 2 * 2 * 4 * 5 * 6)),
    # 2 for each of 4 x 8 x 8 results and each of 3 x 3 x 3 numbers of a filter
    "conv2d": (lambda: layers.conv2d(image(), 4, 3, padding=1, bias_attr=False), Amount(0, 2 * 4 * 64 * 27)),
    "conv2d of groups": (lambda: layers.conv2d(image(), 6, 3, stride=2, groups=3, bias_attr=False), Amount(0, 2 * 6 * 9 * 9)),
    "conv2d_transpose": (
        lambda: layers.conv2d_transpose(image(), 4, filter_size=2, stride=2, bias_attr=False), Amount(0, 2 * 3 * 64 * 4 * 4),
    ),
    "pool2d": (lambda: layers.pool2d(image(), 2, pool_stride=2), Amount(0, 3 * 16 * 4)),
    "pool2d global": (lambda: layers.pool2d(image(), global_pooling=True), Amount(0, 3 * 64)),
    # the operations of the expression that declares it
    "relu": (lambda: layers.relu(data("x", None, 5)), Amount(0, 5 * 1)),
    "square": (lambda: layers.square(data("x", None, 5)), Amount(0, 5)),
    "elementwise_add": (lambda: data("x", None, 5) + data("y", None, 5), Amount(0, 5)),
    "scale with a bias": (lambda: layers.scale(data("x", None, 5), 2.0, bias=1.0), Amount(0, 10)),
    "scale by one": (lambda: layers.scale(data("x", None, 5)), Amount()),
    "sum": (lambda: layers.sums([data(n, None, 5) for n in "abc"]), Amount(0, 10)),
    "softmax": (lambda: layers.softmax(data("x", None, 5)), Amount(0, 25)),
    "reduce_sum": (lambda: layers.reduce_sum(data("x", None, 5)), Amount(0, 5)),
    "reshape2": (lambda: layers.reshape(data("x", None, 6), [-1, 2, 3]), Amount()),
    "lookup_table": (lambda: layers.embedding(data("ids", None, 1, dtype="int64"), [100, 8]), Amount()),
    "gru": (lambda: layers.dynamic_gru(data("x", None, 12, lod_level=1), 4), Amount(0, 2 * 12 * 4)),
    "lstm": (lambda: layers.dynamic_lstm(data("x", None, 16, lod_level=1), 16, use_peepholes=False), Amount(0, 2 * 16 * 4)),
    "batch_norm in tests": (lambda: layers.batch_norm(image(), is_test=True), Amount(0, 3 * 64 * 2)),
    "batch_norm": (lambda: layers.batch_norm(image()), Amount(0, 3 * 64 * 7)),
    "dropout": (lambda: layers.dropout(data("x", None, 5), 0.5), Amount(0, 15)),
}  # fmt: skip


@pytest.mark.parametrize("case", FORWARD)
def test_flops(case: str) -> None:
    build, expected = FORWARD[case]
    build()
    [step] = steps(case.split()[0])
    assert flops(step) == expected


GRADIENTS: dict[str, tuple[Callable[[], Any], Amount]] = {
    "mul_grad": (lambda: layers.mul(data("x", None, 16), data("w", 16, 32)), Amount(0, 2 * 2 * 32 * 16)),
    "mul_grad of weights": (lambda: layers.fc(fluid.data("x", [None, 16]), 32, bias_attr=False), Amount(0, 2 * 32 * 16)),
    "conv2d_grad": (lambda: layers.conv2d(image(), 4, 3, padding=1, bias_attr=False), Amount(0, 2 * 2 * 4 * 64 * 27)),
    "elementwise_add_grad": (lambda: data("x", None, 5) + data("y", 5), Amount(0, 5)),  # the sum over the batch
    "elementwise_mul_grad": (lambda: data("x", None, 5) * data("y", None, 5), Amount(0, 10)),
    "tanh_grad": (lambda: layers.tanh(data("x", None, 5)), Amount(0, 15)),  # d * (1 - out * out)
    "mean_grad": (lambda: layers.mean(data("x", None, 5)), Amount(0, 5)),
}  # fmt: skip


@pytest.mark.parametrize("case", GRADIENTS)
def test_flops_of_gradients(case: str) -> None:
    build, expected = GRADIENTS[case]
    total = layers.reduce_sum(build())
    known = default_main_program().global_block().vars.values()
    fluid.gradients(total, [v for v in known if (v.is_data or v.persistable) and not v.stop_gradient])
    [step] = steps(case.split()[0])
    assert flops(step) == expected


def test_what_is_not_known_is_none() -> None:
    layers.topk(data("x", None, 5), 2)
    [step] = steps("top_k")
    assert flops(step) is None


def test_bytes() -> None:
    y = layers.fc(data("x", None, 16), 32, bias_attr=False)
    [step] = steps("mul")
    assert bytes_read(step) == Amount(16 * 32 * 4, 16 * 4)
    made = step.out("Out")
    assert made is not None and made.name == y.name and size_of(made) == Amount(0, 32 * 4)


def test_of_a_table_as_much_is_read_as_comes_out() -> None:
    layers.embedding(data("ids", None, 1, dtype="int64"), [1000, 8])
    [step] = steps("lookup_table")
    assert bytes_read(step) == Amount(0, 8 + 8 * 4)


def test_a_value_that_is_read_twice_counts_once() -> None:
    x = data("x", None, 5)
    x * x
    [step] = steps("elementwise_mul")
    assert bytes_read(step) == Amount(0, 20)


def test_amounts() -> None:
    assert Amount.of((-1, 3, -1)) == Amount(0, 0, 3)
    assert Amount(1, 2) * Amount(3, 4) == Amount(3, 10, 8)
    assert (Amount(1, 2) + Amount(5)).at(10) == 26
    assert Amount(1, 0, 7).text() == "1 + 7 x N^2"
    assert Amount().text() == "0" and not Amount(0, 0)
    assert Amount(1, 2).text(batch=3) == "7"


def declared() -> list[OpDef]:
    return [*registry.all_ops(), *definitions.values()]


def test_costs_name_slots_that_there_are() -> None:
    """A slot that is not there would count nothing, without an error."""
    counted = [op for op in declared() if isinstance(op.traits.flops, (PerElement, Product)) or op.traits.gathers]
    assert len(counted) > 80
    for op in counted:
        named = {op.traits.gathers} - {None}
        if isinstance(op.traits.flops, PerElement):
            named |= {op.traits.flops.slot}
        elif isinstance(op.traits.flops, Product):
            named |= {*op.traits.flops.operands.split()}
        assert named <= {slot.name for slot in (*op.inputs, *op.outputs)}, op


def test_costs_of_gradients_follow_from_those_of_operators() -> None:
    matmul, reshape, softmax = (registry.get(f"{type}_grad") for type in ("matmul", "reshape2", "softmax"))
    assert matmul.forward is not None and isinstance(matmul.forward.traits.flops, Product)
    assert matmul.traits.flops == matmul.forward.traits.flops.of_gradient
    assert reshape.traits.flops == 0
    assert softmax.traits.flops == PerElement(4, "Out@GRAD")  # it says so itself
    assert registry.get("top_k_grad").traits.flops is None


def test_every_declared_operator_has_a_cost_or_none_but_no_error() -> None:
    """Reductions, recurrences and updates of a whole training Program."""
    x = data("x", None, 4, lod_level=1)
    hidden = layers.sequence_pool(layers.dynamic_lstm(layers.fc(x, 16), 16)[0], "max")
    loss = layers.mean(layers.softmax_with_cross_entropy(layers.fc(hidden, 3), data("label", None, 1, dtype="int64")))
    fluid.optimizer.Adam(0.1, grad_clip=fluid.clip.GradientClipByGlobalNorm(1.0)).minimize(loss)
    known = [flops(step) for step in steps()]
    assert all(amount is None or np.all(np.array(amount.terms) >= 0) for amount in known)
    assert sum(amount is not None for amount in known) > 0.8 * len(known)
