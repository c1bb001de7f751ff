"""StaticRNN, DynamicRNN and IfElse: PaddlePaddle's numbers, gradients included, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    EnforceNotMet,
    LoDError,
    ModeError,
    ShapeError,
)
from tests.static import recurrence_cases

layers = fluid.layers


@pytest.fixture(scope="module")
def recorded():
    with np.load(Path(__file__).with_name("recurrence.npz")) as file:
        return {name: file[name] for name in file.files}


@pytest.mark.parametrize("name", list(recurrence_cases.CASES))
def test_results_and_gradients_are_paddles(name, recorded):
    lods = json.loads(str(recorded["lods"]))
    found = recurrence_cases.results(fluid, name)
    assert len(found) == sum(key.startswith(f"{name}.") for key in lods)
    for i, (array, lod) in enumerate(found):
        want = recorded[f"{name}.{i}"]
        assert array.shape == want.shape
        np.testing.assert_allclose(array, want, rtol=2e-5, atol=2e-6, err_msg=f"result {i}")
        if lod or i == 0:  # Paddle's gradients carry a LoD too
            assert lod == lods[f"{name}.{i}"], i


def test_two_states_that_start_with_one_variable_add_up_its_gradient():
    """The number is PaddlePaddle's."""
    x, h = fluid.data("x", [3, 2, 4]), fluid.data("h", [2, 4])
    h.stop_gradient = False
    rnn = layers.StaticRNN()
    with rnn.step():
        word, one, two = rnn.step_input(x), rnn.memory(init=h), rnn.memory(init=h)
        rnn.update_memory(two, layers.tanh(one))
        rnn.update_memory(one, layers.tanh(two + word))
        rnn.step_output(one)
    gradient = fluid.gradients(layers.mean(rnn()), [h])
    feed = {"x": np.ones((3, 2, 4), "float32"), "h": np.ones((2, 4), "float32")}
    [found] = fluid.Executor().run(feed=feed, fetch_list=gradient)
    np.testing.assert_allclose(found, np.full((2, 4), 0.04655901), rtol=1e-6)


@pytest.mark.parametrize("name", list(recurrence_cases.CASES))
def test_programs_survive_their_file(name):
    build, feed = recurrence_cases.CASES[name]
    fetches = [v if isinstance(v, str) else v.name for v in build(fluid)]
    program = fluid.default_main_program()
    assert program.lint() == []
    again = fluid.Program.parse_from_string(program.desc.serialize_to_string())
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    pairs = [exe.run(p, feed=feed(fluid), fetch_list=fetches, return_numpy=False) for p in (program, again)]
    for a, b in zip(*pairs, strict=True):
        np.testing.assert_array_equal(np.array(a), np.array(b))


def test_cells_and_decoders_in_imperative_mode():
    with fluid.dygraph.guard():
        to = fluid.dygraph.to_variable
        feed = recurrence_cases.along_feed(fluid)
        for name, states in (("GRUCell", 1), ("LSTMCell", 2)):
            cell = getattr(layers, name)(hidden_size=5)
            outputs, last = layers.rnn(cell, to(feed["x"]), sequence_length=to(feed["lengths"]))
            assert outputs.shape == [3, 4, 5] and len(cell.parameters()) in (2, 4)
            first = last if states == 1 else last[0]
            np.testing.assert_allclose(first.numpy()[1], outputs.numpy()[1, 3], rtol=1e-6)
            np.testing.assert_allclose(first.numpy()[0], outputs.numpy()[0, 1], rtol=1e-6)
        table, weight = to(np.eye(7, 3, dtype="float32")), to(np.ones([5, 7], "float32"))

        def embed(ids):
            return layers.reshape(layers.gather(table, layers.reshape(ids, [-1])), [*ids.shape, 3])

        decoder = layers.BeamSearchDecoder(
            layers.GRUCell(hidden_size=5), 0, 1, 3, embed, lambda h: layers.matmul(h, weight)
        )
        ids, _, lengths = layers.dynamic_decode(
            decoder, to(np.ones([2, 5], "float32")), max_step_num=3, return_length=True
        )
        assert ids.shape[0] == 2 and ids.shape[2] == 3 and lengths.shape == [2, 3]


def test_two_directions_side_by_side():
    feed = recurrence_cases.along_feed(fluid)
    with fluid.dygraph.guard():
        x, lengths = (fluid.dygraph.to_variable(feed[n]) for n in ("x", "lengths"))
        forth, back = layers.GRUCell(5), layers.GRUCell(5)
        outputs, (last, first) = layers.birnn(forth, back, x, sequence_length=lengths)
        one, _ = layers.rnn(forth, x, sequence_length=lengths)
        other, state = layers.rnn(back, x, sequence_length=lengths, is_reverse=True)
        np.testing.assert_array_equal(outputs.numpy(), np.concatenate([one.numpy(), other.numpy()], -1))
        np.testing.assert_array_equal(first.numpy(), state.numpy())
        assert last.shape == [3, 5]
        with pytest.raises(ArgumentTypeError, match="a pair"):
            layers.birnn(forth, back, x, initial_states=last)


def test_wrong_cells_and_decoders_are_refused():
    with pytest.raises(ArgumentValueError, match="GRUCell: hidden_size got 0"):
        layers.GRUCell(0)
    with pytest.raises(ArgumentTypeError, match="LSTMCell: activation"):
        layers.LSTMCell(3, activation="tanh")
    with pytest.raises(ArgumentTypeError, match="rnn: inputs"):
        layers.rnn(layers.GRUCell(3), np.ones([2, 3, 4]))
    with pytest.raises(ArgumentTypeError, match="dynamic_decode: decoder"):
        layers.dynamic_decode(layers.GRUCell(3))
    with pytest.raises(ArgumentValueError, match="beam_size"):
        layers.BeamSearchDecoder(layers.GRUCell(3), 0, 1, 0)


@pytest.mark.parametrize(
    ("shape", "lengths", "text"),
    [
        ([4], [4], r"rnn: inputs got shape \[4\], needs \[batch, steps, \.\.\.\]"),
        ([2, 3, 4], [3, 1, 1], r"rnn: sequence_length got shape \[3\], needs shape \[2\]"),
        ([2, 3, 4], [[3], [1]], r"rnn: sequence_length got shape \[2, 1\], needs shape \[2\]"),
    ],
)
def test_shapes_that_rnn_refuses(shape, lengths, text):
    with fluid.dygraph.guard(), pytest.raises(ShapeError, match=text):
        x, n = (fluid.dygraph.to_variable(a) for a in (np.ones(shape, "float32"), np.array(lengths)))
        fluid.layers.rnn(fluid.layers.GRUCell(3), x, sequence_length=n)


@pytest.mark.parametrize("cell", [fluid.layers.GRUCell, fluid.layers.LSTMCell])
def test_steps_that_are_not_rows_are_refused(cell):
    x = np.ones([2, 4], "float32")
    with fluid.dygraph.guard(), pytest.raises(ShapeError, match=rf"{cell.__name__}: inputs got shape \[2\], needs"):
        fluid.layers.rnn(cell(3), fluid.dygraph.to_variable(x))


def test_ragged_steps_skip_sequences_that_are_empty():
    x = fluid.data("x", [None, 1], lod_level=1)
    rnn = layers.DynamicRNN()
    with rnn.block():
        word = rnn.step_input(x)
        total = rnn.memory(shape=[1], value=0.0)
        new = total + word
        rnn.update_memory(total, new)
        rnn.output(new)
    sums = rnn()
    batch = fluid.create_lod_tensor(np.arange(1, 6, dtype="float32")[:, None], [[2, 0, 3]], fluid.CPUPlace())
    [out] = fluid.Executor(fluid.CPUPlace()).run(feed={"x": batch}, fetch_list=[sums], return_numpy=False)
    assert np.array(out).ravel().tolist() == [1, 3, 3, 7, 12]
    assert out.recursive_sequence_lengths() == [[2, 0, 3]]


def test_two_levels_walk_along_the_outer_one():
    x = fluid.data("x", [None, 1], lod_level=2)
    rnn = layers.DynamicRNN()
    with rnn.block():
        sentence = rnn.step_input(x)
        rnn.output(layers.scale(sentence, 10.0))
    out = rnn()
    batch = fluid.create_lod_tensor(np.arange(6, dtype="float32")[:, None], [[2, 1], [1, 2, 3]], fluid.CPUPlace())
    [got] = fluid.Executor(fluid.CPUPlace()).run(feed={"x": batch}, fetch_list=[out], return_numpy=False)
    assert np.array(got).ravel().tolist() == [0, 10, 20, 30, 40, 50]
    assert got.recursive_sequence_lengths() == [[2, 1], [1, 2, 3]]


def test_calls_in_the_wrong_place_are_refused():
    x = fluid.data("x", [None, 1], lod_level=1)
    rnn = layers.DynamicRNN()
    with pytest.raises(ArgumentValueError, match=r"DynamicRNN.step_input: the call got made before the block"):
        rnn.step_input(x)
    with pytest.raises(ArgumentValueError, match="no step_input"), rnn.block():
        pass
    static = layers.StaticRNN()
    with pytest.raises(ArgumentValueError, match="no new value"), static.step():
        word = static.step_input(fluid.data("y", [3, None, 2]))
        static.memory(shape=[-1, 2], batch_ref=word)
    choice = layers.IfElse(x > 0)
    with pytest.raises(ArgumentValueError, match="outside of a block"):
        choice.input(x)
    with pytest.raises(ArgumentTypeError, match="cond"):
        layers.IfElse(True)
    with fluid.dygraph.guard(), pytest.raises(ModeError, match="write a Python loop"):
        layers.StaticRNN()


def test_a_batch_without_a_lod_is_refused_when_it_runs():
    x = fluid.data("x", [None, 1], lod_level=1)
    rnn = layers.DynamicRNN()
    with rnn.block():
        rnn.output(rnn.step_input(x))
    with pytest.raises((LoDError, EnforceNotMet), match="lod_rank_table"):
        fluid.Executor(fluid.CPUPlace()).run(feed={"x": np.ones([2, 1], "float32")}, fetch_list=[rnn()])
