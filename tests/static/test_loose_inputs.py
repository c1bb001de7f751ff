"""Inputs that PaddlePaddle 1.8.5 accepts beyond what its documentation says, with the results that it gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentValueError, DtypeError, ShapeError

L = fluid.layers
GRID = np.arange(12, dtype="float32").reshape(3, 4)


def run(feed: dict[str, Any], *fetches: Any) -> list[Any]:
    exe = fluid.Executor()
    assert fluid.default_main_program().lint() == []
    exe.run(fluid.default_startup_program())
    return exe.run(feed=feed, fetch_list=list(fetches))


# --- labels that layers.data declares with its default dtype, float32 -------------------------------------------------

SCORES = np.array([[0.3, 0.7], [0.6, 0.4]], "float32")
LABELS = {
    "accuracy": (lambda x, y: L.accuracy(x, y), [1.0]),
    "cross_entropy": (lambda x, y: L.cross_entropy(x, y), [[0.35667497], [0.51082557]]),
    "softmax_with_cross_entropy": (lambda x, y: L.softmax_with_cross_entropy(x, y), [[0.51301527], [0.59813887]]),
    "bpr_loss": (lambda x, y: L.bpr_loss(x, y), [[0.51301527], [0.59813887]]),
    "center_loss": (lambda x, y: L.center_loss(x, y, 3, 0.1, fluid.initializer.Constant(0.0)), [[0.29], [0.26]]),
    "one_hot": (lambda x, y: fluid.one_hot(y, 2), [[[0, 1]], [[1, 0]]]),
    "equal": (lambda x, y: L.equal(L.topk(x, 1)[1], y), [[1], [1]]),
    "sampled": (lambda x, y: L.sampled_softmax_with_cross_entropy(x, y, 1), None),
}


@pytest.mark.filterwarnings("ignore:.*is the data Variable")
@pytest.mark.parametrize("name", LABELS)
def test_labels_declared_as_floats_are_fed_as_integers(name: str) -> None:
    call, expected = LABELS[name]
    x, y = fluid.data("x", [None, 2]), L.data("y", [1])
    out = call(x, y)
    [found] = run({"x": SCORES, "y": np.array([[1], [0]])}, out)
    assert np.isfinite(found).all()
    if expected is not None:
        np.testing.assert_allclose(found, expected, rtol=1e-5)
    with pytest.raises(DtypeError, match="got dtype float32"):
        run({"x": SCORES, "y": np.array([[1], [0]], "float32")}, out)


def test_building_warns_of_the_dtype() -> None:
    x, y = fluid.data("x", [None, 2], "float32"), L.data("y", [1])
    with pytest.warns(
        UserWarning, match=r"Input\(Label\) is the data Variable 'y', declared as float32.*dtype='int64'"
    ) as caught:
        L.cross_entropy(x, y)
    assert caught[0].filename == __file__


@pytest.mark.filterwarnings("ignore:.*is the data Variable")
def test_such_labels_train() -> None:
    x, y = fluid.data("x", [None, 2]), L.data("y", [1])
    loss = L.reduce_mean(L.cross_entropy(L.fc(x, 2, act="softmax"), y))
    fluid.optimizer.SGD(1.0).minimize(loss)
    feed = {"x": SCORES, "y": np.array([[1], [0]])}
    [before] = run(feed, loss)
    exe = fluid.Executor()
    for _ in range(20):
        [after] = exe.run(feed=feed, fetch_list=[loss])
    assert after < before


@pytest.mark.parametrize(
    "call", [lambda y: L.one_hot(y, 2), lambda y: L.embedding(y, [3, 2])], ids=["one_hot", "table"]
)
def test_what_paddle_checks_while_a_program_is_built_is_checked(call: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match="got dtype float32"):
        call(L.data("y", [1]))


def test_a_label_whose_feeds_are_checked_needs_its_dtype() -> None:
    with pytest.raises(DtypeError, match="int64 class numbers"):
        L.cross_entropy(fluid.data("x", [None, 2]), fluid.data("y", [None, 1]))


# --- sizes and places that layers.data declares with its default dtype, float32 -----------------------------------------

SIZES: dict[str, tuple[Callable[[Any, Any], Any], Any, Any]] = {
    "crop_tensor": (lambda x, n: L.crop_tensor(x, n, [0, 1]), [2, 2], GRID[:2, 1:3]),
    "crop_tensor, one": (lambda x, n: L.crop_tensor(x, [2, n], [0, 1]), [2], GRID[:2, 1:3]),
    "crop": (lambda x, n: L.crop(x, [2, 2], n), [0, 1], GRID[:2, 1:3]),
    "reshape": (lambda x, n: L.reshape(x, n), [2, 6], GRID.reshape(2, 6)),
    "reshape, actual": (lambda x, n: L.reshape(x, [4, 3], actual_shape=n), [2, 6], GRID.reshape(2, 6)),
    "reshape, one": (lambda x, n: L.reshape(x, [n, 6]), [2], GRID.reshape(2, 6)),
    "slice": (lambda x, n: L.slice(x, [0, 1], n, [3, 3]), [1, 2], GRID[1:3, 2:3]),
    "slice, ends": (lambda x, n: L.slice(x, [0, 1], [0, 1], n), [1, 2], GRID[:1, 1:2]),
    "slice, one": (lambda x, n: L.slice(x, [0, 1], [0, n], [n, 3]), [2], GRID[:2, 2:3]),
    "index": (lambda x, n: x[n:, 0], [1], GRID[1:, 0]),
    "expand": (lambda x, n: L.expand(x, n), [1, 2], np.tile(GRID, (1, 2))),
    "expand, one": (lambda x, n: L.expand(x, [1, n]), [2], np.tile(GRID, (1, 2))),
    "unsqueeze": (lambda x, n: L.unsqueeze(x, n), [0, 1], GRID[None, None]),
    "unsqueeze, one": (lambda x, n: L.unsqueeze(x, [n]), [1], GRID[:, None]),
    "split": (lambda x, n: L.split(x, [n, 2], dim=0)[1], [1], GRID[1:]),
    "topk": (lambda x, n: L.topk(x, n)[0], [2], GRID[:, :1:-1]),
    "uniform_random": (lambda x, n: L.shape(L.uniform_random(n)), [2, 5], np.array([2, 5])),
    "resize": (lambda x, n: L.resize_nearest(L.unsqueeze(x, [0, 1]), n), [3, 4], GRID[None, None]),
    "one_hot": (lambda x, n: L.one_hot(L.ones([2, 1], "int64"), n), [3], np.eye(3)[[1, 1]]),
    "fluid.one_hot": (lambda x, n: fluid.one_hot(L.ones([2], "int64"), n), [3], np.eye(3)[[1, 1]]),
    "gather_nd": (lambda x, n: L.gather_nd(x, n), [[2, 1]], GRID[2:, 1]),
    "scatter": (lambda x, n: L.scatter(x, n, L.ones([1, 4], "float32")), [0], np.concatenate([[[1] * 4], GRID[1:]])),
    "scatter_nd_add": (
        lambda x, n: L.scatter_nd_add(L.zeros([2], "float32"), n, L.ones([1], "float32")),
        [[1]],
        [0, 1],
    ),
}


@pytest.mark.filterwarnings("ignore:.*is the data Variable")
@pytest.mark.parametrize("name", SIZES)
def test_sizes_declared_as_floats_are_fed_as_integers(name: str) -> None:
    call, numbers, expected = SIZES[name]
    fed = np.array(numbers, "int32")
    x, n = fluid.data("x", [3, 4]), L.data("n", list(fed.shape), append_batch_size=False)
    out = call(x, n)
    [found] = run({"x": GRID, "n": fed}, out)
    np.testing.assert_array_equal(found, expected)
    with pytest.raises(DtypeError, match="got dtype float32"):
        run({"x": GRID, "n": fed.astype("float32")}, out)


# --- shapes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", [0, -1, 2, -3])
def test_an_index_that_a_variable_gives_may_be_minus_one(at: int) -> None:
    x, t = fluid.data("x", [3, 4]), fluid.data("t", [1], "int32")
    x.stop_gradient = False
    picked = [x[t], x[t, 1:3], x[0:2, t], x[t, ::2]]
    [gradient] = fluid.gradients([L.reduce_sum(picked[0])], [x])
    *found, slope = run({"x": GRID, "t": np.array([at], "int32")}, *picked, gradient)
    for one, expected in zip(found, [GRID[at], GRID[at, 1:3], GRID[0:2, at], GRID[at, ::2]], strict=True):
        np.testing.assert_array_equal(one, expected)
    assert slope.sum() == 4 and (slope[at] == 1).all()


def test_a_slice_from_minus_one_to_zero_is_empty() -> None:
    x = fluid.data("x", [3, 4])
    with pytest.raises(ShapeError, match="no elements"):
        L.slice(x, [0], [-1], [0])


def test_one_hot_reads_as_many_indices_as_there_are_vectors() -> None:
    x = fluid.data("x", [4, 6], "int64")
    with pytest.warns(UserWarning, match=r"input of shape \[4, 6\] .* Use fluid.one_hot"):
        out = L.one_hot(x, 8)
    assert out.shape == (4, 8)
    ids = np.arange(24).reshape(4, 6) % 8
    ids[0] = [3, 1, 4, 1, 5, 2]
    assert run({"x": ids}, out)[0].argmax(1).tolist() == [3, 1, 4, 1]


@pytest.mark.parametrize("label", [[3], [3, 1]])
@pytest.mark.parametrize("left", [[3], [3, 1]])
@pytest.mark.parametrize("right", [[3], [3, 1]])
def test_rank_loss_of_columns_and_vectors(label: list[int], left: list[int], right: list[int]) -> None:
    shapes = {"label": label, "left": left, "right": right}
    out = L.rank_loss(*(fluid.data(name, [None, *shape[1:]]) for name, shape in shapes.items()))
    values = {"label": [1, 0, 1], "left": [1, 1, 1], "right": [0, 0, 0]}
    feed = {name: np.array(values[name], "float32").reshape(shape) for name, shape in shapes.items()}
    [found] = run(feed, out)
    assert found.shape == tuple(label)
    np.testing.assert_allclose(found.reshape(-1), [0.31326163, 1.3132616, 0.31326163], rtol=1e-6)
    with fluid.dygraph.guard():
        again = L.rank_loss(*map(fluid.dygraph.to_variable, feed.values())).numpy()
    np.testing.assert_array_equal(again, found)


@pytest.mark.parametrize("shape", [[None, None, 4], [None, 2, None], [None, None, None], [2, 2, 4]])
def test_beams_of_any_unknown_sizes(shape: list[Any]) -> None:
    x = fluid.data("x", shape)
    out = L.BeamSearchDecoder.tile_beam_merge_with_batch(x, 3)
    assert len(out.shape) == 3
    values = np.arange(16, dtype="float32").reshape(2, 2, 4)
    np.testing.assert_array_equal(run({"x": values}, out)[0], values.repeat(3, 0))


@pytest.mark.parametrize("kind", [L.Normal, L.Uniform])
@pytest.mark.parametrize("shape", [[3], [], [2, 3]])
def test_samples_of_parameters_of_unknown_size(kind: Any, shape: list[int]) -> None:
    m = fluid.data("m", [None, 2])
    sample = kind(m, m + 1.0).sample(shape)
    assert sample.shape == (*shape, -1, 2)
    assert run({"m": np.zeros((4, 2), "float32")}, sample)[0].shape == (*shape, 4, 2)


@pytest.mark.parametrize("kind", [L.Normal, L.Uniform])
def test_an_unknown_size_of_a_sample_is_the_first_of_the_parameters(kind: Any) -> None:
    one = L.fill_constant([1], "float32", 1.0)
    sample = kind(one, one + 1.0).sample([-1, 3])
    assert run({}, sample)[0].shape == (1, 3, 1)
    m = fluid.data("m", [None, 2])
    with pytest.raises(
        ArgumentValueError, match=r"sample: shape got shape \[-1, 3\] for parameters of shape \[-1, 2\]"
    ):
        kind(m, m + 1.0).sample([-1, 3])


def test_the_width_of_detections_is_known_while_a_program_is_built() -> None:
    loc, scores = fluid.data("loc", [None, 6, 4]), fluid.data("scores", [None, 6, 3])
    priors, variances = fluid.data("priors", [6, 4]), fluid.data("variances", [6, 4])
    found, index = L.detection_output(loc, scores, priors, variances, return_index=True)
    plain = L.detection_output(loc, scores, priors, variances)
    assert found.shape == plain.shape == (-1, 6) and index.shape == (-1, 1)
    assert L.fc(plain, 3).shape == (-1, 3)


# --- files ------------------------------------------------------------------------------------------------------------


def test_a_whole_program_is_saved_without_targets(tmp_path: Any) -> None:
    x = fluid.data("x", [None, 2])
    loss = L.reduce_mean(L.fc(x, 1))
    fluid.optimizer.SGD(0.1).minimize(loss)
    exe = fluid.Executor()
    exe.run(fluid.default_startup_program())
    assert fluid.io.save_inference_model(tmp_path, ["x"], [], exe, export_for_deployment=False) == []
    names = sorted(file.name for file in tmp_path.iterdir())
    assert names == ["__model__.main_program", "fc_0.b_0", "fc_0.w_0", "learning_rate_0"]
    with pytest.raises(TypeError, match="target_vars got list"):
        fluid.io.save_inference_model(tmp_path, ["x"], [], exe)


def test_images_in_a_vector_or_a_column() -> None:
    """The largest numbers of rows of the image [[5, 1, 3], [2, 2, 4]]."""
    values = np.array([5, 1, 3, 2, 2, 4], "float32")
    found = []
    for shape in ([6], [6, 1]):
        with fluid.program_guard(fluid.Program(), fluid.Program()):
            x = fluid.layers.data("x", shape[1:] or [-1], lod_level=1, append_batch_size=len(shape) > 1)
            x.stop_gradient = False
            row, col = (fluid.layers.data(name, [1], lod_level=1) for name in ("row", "col"))
            out = fluid.contrib.layers.sequence_topk_avg_pooling(x, row, col, [1, 2], 1)
            [gradient] = fluid.gradients(out, x)
            place = fluid.CPUPlace()
            feed = {"x": fluid.create_lod_tensor(values.reshape(shape), [[6]], place)}
            feed |= {
                n: fluid.create_lod_tensor(np.zeros([k, 1], "float32"), [[k]], place)
                for n, k in (("row", 2), ("col", 3))
            }
            got = fluid.Executor().run(feed=feed, fetch_list=[out, gradient], return_numpy=False)
        found.append([np.array(each) for each in got])
        assert found[-1][1].shape == tuple(shape)
    assert found[0][0].tolist() == found[1][0].tolist() == [[5.0, 4.0], [4.0, 3.0]]
    assert found[0][1].tolist() == found[1][1].reshape(-1).tolist() == [1.5, 0.0, 0.5, 0.5, 0.0, 1.5]


@pytest.mark.parametrize("shape", [[2], [2, 1], [1, 2]])
def test_lengths_of_padded_sequences(shape: list[int]) -> None:
    emission, label = fluid.data("emission", [2, 3, 2]), fluid.data("label", [2, 3], "int64")
    length = fluid.data("length", shape, "int64")
    cost = L.linear_chain_crf(emission, label, fluid.ParamAttr(initializer=fluid.initializer.Constant(0.0)), length)
    feed = {"emission": np.zeros([2, 3, 2], "float32"), "label": np.zeros([2, 3], "int64")}
    [found] = run({**feed, "length": np.array([3, 1]).reshape(shape)}, cost)
    np.testing.assert_allclose(found, [[3 * np.log(2)], [np.log(2)]], rtol=1e-6)
