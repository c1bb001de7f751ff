"""The kernels of rnn, for each kind of layer, beside the reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite.kernels.cpu.rnn import lstm_steps, sequences, state_steps
from paddle_lite.ops.framework.dispatch import kernel_of
from paddle_lite.ops.paddle2.rnn import GATES, rnn

STEPS, BATCH, FEATURES, SIZE = 9, 5, 32, 24


def sample(mode: str, layers: int, ways: int, dtype: str) -> tuple[np.ndarray, list[np.ndarray], list[np.ndarray]]:
    """The input, the first states and the weights of random layers."""
    rng, gates = np.random.RandomState(layers), GATES[mode] * SIZE
    widths = [FEATURES if layer == 0 else SIZE * ways for layer in range(layers) for _ in range(ways)]
    matrices = [rng.randn(gates, width) * 0.2 for features in widths for width in (features, SIZE)]
    biases = [rng.randn(gates) * 0.2 for _ in range(2 * len(widths))]
    states = [rng.randn(len(widths), BATCH, SIZE).astype(dtype) for _ in range(2 if mode == "LSTM" else 1)]
    weights = [each.astype(dtype) for each in (*matrices, *biases)]
    return rng.randn(STEPS, BATCH, FEATURES).astype(dtype), states, weights


def attributes(mode: str, layers: int, ways: int, **more: Any) -> dict[str, Any]:
    """The attributes of such layers."""
    sizes = {"input_size": FEATURES, "hidden_size": SIZE, "num_layers": layers, "is_bidirec": ways == 2}
    return {**sizes, "mode": mode, "dropout_prob": 0.0, "is_test": False, "seed": 0, **more}


@pytest.mark.parametrize(
    ("mode", "layers", "ways", "dropout", "lengths", "dtype"),
    [
        ("LSTM", 1, 1, 0.0, None, "float32"),
        ("LSTM", 2, 2, 0.5, None, "float32"),
        ("LSTM", 3, 1, 0.3, None, "float64"),
        ("LSTM", 2, 2, 0.0, [9, 4, 7, 1, 2], "float64"),
        ("LSTM", 1, 1, 0.0, [0, 9, 3, 9, 12], "float32"),
        ("LSTM", 3, 2, 0.3, [8, 4, 7, 1, 2], "float32"),
        ("GRU", 1, 1, 0.0, None, "float32"),
        ("GRU", 2, 1, 0.0, None, "float64"),
        ("GRU", 2, 2, 0.5, [9, 4, 7, 1, 2], "float32"),
        ("GRU", 1, 1, 0.0, [0, 9, 3, 9, 12], "float64"),
        ("RNN_TANH", 2, 2, 0.0, None, "float64"),
        ("RNN_TANH", 1, 2, 0.0, [9, 4, 7, 1, 2], "float32"),
        ("RNN_RELU", 3, 1, 0.3, None, "float32"),
        ("RNN_RELU", 2, 2, 0.0, [1, 1, 8, 1, 2], "float64"),
    ],
)
def test_the_kernel_computes_what_the_reference_does(
    mode: str, layers: int, ways: int, dropout: float, lengths: list[int] | None, dtype: str
) -> None:
    attrs, (x, states, weights) = (
        attributes(mode, layers, ways, dropout_prob=dropout),
        sample(mode, layers, ways, dtype),
    )
    given = (x, states, weights, None if lengths is None else np.array(lengths, "int32"))
    kept = [each.copy() for each in (x, *states, *weights)]
    out, _, last, reserve = kernel_of(rnn, "cpu")(*given, **attrs)
    expected, _, expected_last, expected_reserve = rnn.reference(np, *given, **attrs)
    close = {"rtol": 1e-5, "atol": 1e-5} if dtype == "float32" else {"rtol": 1e-12, "atol": 1e-12}
    for one, other in zip([out, *last, reserve], [expected, *expected_last, expected_reserve], strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, **close)
    rng = np.random.RandomState(9)
    arriving = [rng.randn(*each.shape).astype(dtype) for each in (out, *last)]
    seeds = (arriving[0], arriving[1:])
    [ex, estates, eweights] = rnn.grad.op.reference(np, *given, None, *seeds, **attrs)
    for known in (None, reserve):  # with what the forward call kept, and without
        dx, dstates, dweights = kernel_of(rnn.grad.op, "cpu")(*given, known, *seeds, **attrs)
        for one, other in zip([dx, *dstates, *dweights], [ex, *estates, *eweights], strict=True):
            assert one.dtype == other.dtype
            np.testing.assert_allclose(one, other, **close)
    for one, other in zip((x, *states, *weights), kept, strict=True):
        np.testing.assert_array_equal(one, other)  # nothing that is read is changed


def test_both_biases_have_gradients_of_their_own() -> None:
    attrs, (x, states, weights) = attributes("LSTM", 1, 1), sample("LSTM", 1, 1, "float32")
    zeros = [np.zeros_like(each) for each in states]
    *_, found = kernel_of(rnn.grad.op, "cpu")(
        x, states, weights, None, None, np.ones((STEPS, BATCH, SIZE), "f"), zeros, **attrs
    )
    assert found[2] is not found[3] and not np.shares_memory(found[2], found[3])
    np.testing.assert_array_equal(found[2], found[3])


def test_no_gradient_of_an_input_that_needs_none() -> None:
    attrs, (x, states, weights) = attributes("LSTM", 2, 1), sample("LSTM", 2, 1, "float32")
    given, seeds = (x, states, weights, None, None), (np.ones((STEPS, BATCH, SIZE), "f"), states)
    every = kernel_of(rnn.grad.op, "cpu")(*given, *seeds, **attrs)
    dx, _, dweights = kernel_of(rnn.grad.op, "cpu")(*given, *seeds, need=(False, (True,) * 2, (True,) * 8), **attrs)
    assert dx is None
    for one, other in zip(dweights, every[2], strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("lengths", [None, [9, 4, 7, 1, 2]])
@pytest.mark.parametrize("mode", GATES)
def test_layers_run_in_a_kernel(mode: str, lengths: list[int] | None, monkeypatch: pytest.MonkeyPatch) -> None:
    module, ran = lstm_steps if mode == "LSTM" else state_steps, []
    run = module.by_sequences
    monkeypatch.setattr(module, "by_sequences", lambda *given: (ran.append(mode), run(*given)))
    x, states, weights = sample(mode, 1, 2, "float32")
    given = (x, states, weights, None if lengths is None else np.array(lengths))
    out, _, last, kept = kernel_of(rnn, "cpu")(*given, **attributes(mode, 1, 2))
    assert len(ran) == 2
    kernel_of(rnn.grad.op, "cpu")(*given, kept, out, last, **attributes(mode, 1, 2))
    assert len(ran) == 4  # the gradient runs nothing again


@pytest.mark.parametrize("mode", ["LSTM", "GRU", "RNN_TANH"])
def test_parts_of_the_sequences_have_the_same_bits(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    attrs, (x, states, weights) = attributes(mode, 2, 2), sample(mode, 2, 2, "float32")
    given = (x, states, weights, np.array([9, 4, 7, 1, 2]))
    seeds = (np.ones((STEPS, BATCH, 2 * SIZE), "f"), states)

    def results() -> list[np.ndarray]:
        out, _, last, reserve = kernel_of(rnn, "cpu")(*given, **attrs)
        dx, *others = kernel_of(rnn.grad.op, "cpu")(*given, reserve, *seeds, **attrs)
        return [out, *last, reserve, dx, *(array for arrays in others for array in arrays)]

    def in_parts(kernel: Any, length: int, work: int, args: Any) -> None:
        assert length == 2
        for part in reversed(range(length)):
            kernel(part, part + 1, *args)

    whole = results()
    monkeypatch.setattr(sequences, "thread_count", lambda: 2)
    monkeypatch.setattr(sequences, "parallel_for", in_parts)
    for one, other in zip(results(), whole, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(("mode", "module"), [("LSTM", lstm_steps), ("GRU", state_steps), ("RNN_TANH", state_steps)])
def test_a_weight_too_large_for_the_kernel_is_multiplied_outside_of_it(
    mode: str, module: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    attrs, (x, states, weights) = attributes(mode, 1, 2), sample(mode, 1, 2, "float32")
    seeds = (np.ones((STEPS, BATCH, 2 * SIZE), "f"), states)

    def results() -> list[np.ndarray]:
        out, _, last, reserve = kernel_of(rnn, "cpu")(x, states, weights, None, **attrs)
        dx, *others = kernel_of(rnn.grad.op, "cpu")(x, states, weights, None, reserve, *seeds, **attrs)
        return [out, *last, dx, *(array for arrays in others for array in arrays)]

    inside = results()
    monkeypatch.setattr(module, "LARGEST", 0)
    for one, other in zip(results(), inside, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("mode", "kept"), [("LSTM", 7), ("GRU", 5), ("RNN_TANH", 1), ("RNN_RELU", 1)])
def test_layers_keep_what_their_gradient_reads_in_training_only(mode: str, kept: int) -> None:
    x, states, weights = sample(mode, 2, 1, "float32")
    for is_test, size in ((False, 2 * kept * STEPS * BATCH * SIZE), (True, 0)):
        attrs = attributes(mode, 2, 1, is_test=is_test)
        for run in (kernel_of(rnn, "cpu"), lambda *given, **more: rnn.reference(np, *given, **more)):
            *_, reserve = run(x, states, weights, None, **attrs)
            assert reserve.shape == (size,)
