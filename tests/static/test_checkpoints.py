"""FLAGS_recompute: checkpoints that are chosen, in Programs and in declared functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.flags import set_flags
from paddle_lite.fluid.dygraph import Linear, declarative, to_variable
from paddle_lite.kernels.cpu.random.random import manual_seed
from paddle_lite.static import append_backward
from paddle_lite.static.autodiff.checkpoints import choose
from tests.static.passes import passes

L = fluid.layers
X = np.random.RandomState(0).uniform(-1, 1, (16, 32)).astype("float32")
DEPTH = 12


@pytest.fixture
def flagged() -> Iterator[None]:
    set_flags({"FLAGS_recompute": True})
    yield
    set_flags({"FLAGS_recompute": False})


def network(dropped: bool = False) -> Any:
    """The loss of a network of many layers, in the default Program."""
    hidden = fluid.data("x", [None, 32], "float32")
    for k in range(DEPTH):
        start = np.random.RandomState(k).uniform(-0.3, 0.3, (32, 32)).astype("float32")
        given = fluid.ParamAttr(f"w{k}", fluid.initializer.NumpyArrayInitializer(start))
        hidden = hidden + L.fc(L.tanh(hidden), 32, param_attr=given, act="gelu")
        hidden = L.dropout(hidden, 0.2) if dropped and k % 3 == 1 else hidden
    return L.mean(L.square(hidden))


def trained(steps: int = 3) -> tuple[list[np.ndarray], fluid.Program]:
    """The losses and the last parameters of a training, and its Program."""
    manual_seed(1)
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        loss = network(dropped=True)
        fluid.optimizer.Adam(0.01).minimize(loss)
        executor = fluid.Executor(fluid.CPUPlace())
        executor.run(startup)
        found = [executor.run(main, {"x": X}, [loss])[0] for _ in range(steps)]
        found += [np.array(fluid.global_scope().find_var(p.name).get_tensor()) for p in main.all_parameters()]
    assert main.lint() == []
    return found, main


def kept_for_the_backward_pass(program: Any) -> set[str]:
    """The results of the forward pass that the backward pass reads."""
    ops = program.global_block().ops
    forward = {n for op in ops if not op.attr("op_role") & 3 for n in op.output_arg_names}
    return {n for op in ops if op.attr("op_role") & 1 for n in op.input_arg_names if n in forward}


def test_a_training_is_the_same_to_the_bit(request: pytest.FixtureRequest) -> None:
    with passes("none"):
        plain, whole = trained()
        request.getfixturevalue("flagged")
        again, part = trained()
    for one, other in zip(plain, again, strict=True):
        np.testing.assert_array_equal(one, other)
    assert len(kept_for_the_backward_pass(part)) < len(kept_for_the_backward_pass(whole)) / 2


def test_few_values_cross_between_segments() -> None:
    """Segments end where one value crosses, not inside of a layer, where its input is read once more."""
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        loss = network()
        block = loss.block
        chosen = choose(block, block.ops)
        sums = {n for op in block.ops if op.type == "elementwise_add" and not block.find(op.inputs["Y"][0]).persistable
                for n in op.output_arg_names}  # fmt: skip
        assert 2 <= len(chosen) <= DEPTH and chosen <= sums


def test_nothing_is_chosen_where_nothing_is_held(flagged: None) -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        x = fluid.data("x", [None, 32], "float32")
        loss = L.mean(L.fc(x, 4))
        assert choose(loss.block, loss.block.ops) == set()
        append_backward(loss)
        assert not any("subprog" in name for op in loss.block.ops for name in op.output_arg_names)


@pytest.mark.parametrize("given", [False, True])
def test_a_recurrence_in_a_segment_runs_once(given: bool, flagged: None) -> None:
    def found(recomputed: bool) -> np.ndarray:
        set_flags({"FLAGS_recompute": recomputed})
        with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
            x = fluid.data("x", [4, 3, 2], "float32")
            x.stop_gradient = False
            rnn = L.StaticRNN()
            with rnn.step():
                step, memory = rnn.step_input(x), rnn.memory(shape=[-1, 2], batch_ref=x, ref_batch_dim_idx=1)
                rnn.update_memory(memory, L.tanh(L.square(step) + memory))
                rnn.step_output(L.tanh(L.square(step) + memory))
            end = L.tanh(L.tanh(L.square(rnn())))
            loss = L.mean(L.square(L.tanh(end)))
            append_backward(loss, checkpoints=[end] if given and recomputed else None)
            feed = {"x": np.random.RandomState(0).rand(4, 3, 2).astype("float32")}
            types = [op.type for op in loss.block.ops]
            assert types.count("recurrent") == 1 and types.count("tanh") == 3 + (given and recomputed)
            return fluid.Executor(fluid.CPUPlace()).run(feed=feed, fetch_list=["x@GRAD"])[0]

    with passes("none"):
        np.testing.assert_array_equal(found(True), found(False))


def test_declared_functions(request: pytest.FixtureRequest) -> None:
    def gradients() -> list[np.ndarray]:
        with fluid.dygraph.guard(), fluid.unique_name.guard():
            fluid.default_main_program().random_seed = 5
            layers = fluid.dygraph.LayerList([Linear(32, 32, act="tanh") for _ in range(DEPTH)])

            @declarative
            def run(x: Any) -> Any:
                for layer in layers:
                    x = x + layer(x)
                return L.mean(L.square(x))

            loss = run(to_variable(X))
            loss.backward()
            return [loss.numpy(), *(p.gradient() for p in layers.parameters())]

    plain = gradients()
    request.getfixturevalue("flagged")
    for one, other in zip(plain, gradients(), strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_training_by_fused_kernels_is_the_same_up_to_rounding(flagged: None) -> None:
    with passes("none"):
        plain, _ = trained(6)
    again, _ = trained(6)
    for one, other in zip(plain, again, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-4)
