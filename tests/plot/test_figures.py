"""Figures: what is drawn is what was given, with titles, labels and scales; wrong calls say what they need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite as paddle
from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    IndexRangeError,
    MissingKeyError,
    MissingPackageError,
    ShapeError,
)
from paddle_lite.utils import LogWriter


def lines(axes: Any) -> dict[str, list[float]]:
    """Label -> values of the lines of axes."""
    return {line.get_label(): line.get_ydata().tolist() for line in axes.get_lines()}


def test_curves_of_one_metric_share_a_panel() -> None:
    log = {"train/loss": [3, 2], "eval_loss": [2.5, 2.25], "loss/test": [4, 5], "acc": [0.5, 0.75], "lr": [1.0]}
    figure = paddle.plot.curves(log, x_label="epoch", title="run 1")
    assert [axes.get_ylabel() for axes in figure.axes] == ["loss", "acc", "lr"]
    assert lines(figure.axes[0]) == {"train": [3, 2], "eval": [2.5, 2.25], "test": [4, 5]}
    assert {axes.get_xlabel() for axes in figure.axes} == {"epoch"}
    assert figure.get_suptitle() == "run 1"
    colors = [line.get_color() for line in figure.axes[0].get_lines()]
    assert len(set(colors)) == 3
    assert [axes.get_ylabel() for axes in paddle.plot.curves(log, names=["lr"]).axes] == ["lr"]
    together = paddle.plot.curves({"a": [1], "b": [2]}, together=True)
    assert [list(lines(axes)) for axes in together.axes] == [["a", "b"]]


def test_curves_of_lists_variables_and_writers(tmp_path: Path) -> None:
    assert list(lines(paddle.plot.curves([3.0, 2.0]).axes[0]).values()) == [[3, 2]]
    with paddle.imperative.guard():
        assert list(lines(paddle.plot.curves(paddle.to_tensor([3.0, 2.0])).axes[0]).values()) == [[3, 2]]
    log = LogWriter(tmp_path, "jsonl")
    log.log({"loss": 2.5}, 7)
    (line,) = paddle.plot.curves(log).axes[0].get_lines()
    assert (line.get_xdata().tolist(), line.get_ydata().tolist()) == ([7], [2.5])
    log.close()
    assert paddle.plot.curves(str(tmp_path)).axes[0].get_ylabel() == "loss"


def test_long_curves_are_smoothed_and_numbers_that_are_not_finite_are_counted() -> None:
    values = np.random.RandomState(0).rand(400)
    pale, mean = paddle.plot.curves(values).axes[0].get_lines()
    assert pale.get_ydata().tolist() == values.tolist()
    assert mean.get_label() == "mean of 8"
    assert mean.get_ydata()[0] == pytest.approx(values[:8].mean())
    assert mean.get_xdata()[0] == 8
    assert len(paddle.plot.curves(values, smooth=1).axes[0].get_lines()) == 1
    axes = paddle.plot.curves([1, float("nan"), float("inf"), 2], smooth=10, log_scale=True).axes[0]
    assert "2 not finite" in [text.get_text() for text in axes.get_legend().get_texts()]
    assert axes.get_yscale() == "log"
    assert axes.yaxis.get_major_formatter()(0.1) == "0.1"


def test_curves_say_what_is_wrong() -> None:
    with pytest.raises(ArgumentTypeError, match="log got int 3, needs a list of numbers, a dict"):
        paddle.plot.curves(3)
    with pytest.raises(MissingKeyError, match=r"needs one of 'loss'. Did you mean 'loss'"):
        paddle.plot.curves({"loss": [1]}, names=["los"])
    with pytest.raises(MissingKeyError, match="log got no numbers"):
        paddle.plot.curves({})
    with pytest.raises(ArgumentTypeError, match=r"log\['a'\] got"):
        paddle.plot.curves({"a": ["x"]})


def test_feature_maps_have_one_scale() -> None:
    values = np.random.RandomState(0).randn(2, 5, 4, 6)
    figure = paddle.plot.feature_maps(values, sample=1, limit=4)
    *panels, scale = figure.axes
    assert len(panels) == 4
    for number, axes in enumerate(panels):
        (image,) = axes.get_images()
        assert np.array_equal(image.get_array(), values[1, number])
        high = np.abs(values[1, :4]).max()
        assert image.get_clim() == (-high, high)
        assert axes.get_title() == str(number)
    assert scale.get_ylabel() == "value"
    assert figure.get_supxlabel() == "the first 4 of 5 channels"
    (image,) = paddle.plot.feature_maps(np.ones([1, 2, 2]) * 3).axes[0].get_images()
    assert image.get_cmap().name == "viridis"
    assert paddle.plot.feature_maps(np.full([1, 2, 2], np.nan)).axes
    with pytest.raises(ShapeError, match=r"values got shape \[2, 2\]"):
        paddle.plot.feature_maps(np.zeros([2, 2]))
    with pytest.raises(IndexRangeError, match="sample got 2, needs less than 2"):
        paddle.plot.feature_maps(values, sample=2)


def test_attention_shows_each_head_with_words() -> None:
    weights = np.random.RandomState(0).dirichlet(np.ones(4), [2, 3, 4])
    figure = paddle.plot.attention(weights, ["a", "b"], sample=1)
    *heads, scale = figure.axes
    assert [axes.get_title() for axes in heads] == ["head 0", "head 1", "head 2"]
    assert np.array_equal(heads[2].get_images()[0].get_array(), weights[1, 2, :2, :2])
    assert [text.get_text() for text in heads[0].get_yticklabels()] == ["a", "b"]
    assert [text.get_text() for text in heads[2].get_xticklabels()] == ["a", "b"]
    assert (heads[0].get_ylabel(), scale.get_ylabel()) == ("query", "weight")
    assert len(paddle.plot.attention(weights[0, 0, :3]).axes) == 2
    with pytest.raises(ShapeError, match="keys got 5 words, needs from 1 to 4"):
        paddle.plot.attention(weights, keys=["a", "b", "c", "d", "e"])
    with pytest.raises(ShapeError, match=r"weights got shape \[3\]"):
        paddle.plot.attention([0.5, 0.25, 0.25])
    with pytest.raises(IndexRangeError, match="needs less than 2, the number of samples"):
        paddle.plot.attention(weights, sample=7)


def test_the_confusion_matrix_counts() -> None:
    labels, scores = np.array([[0], [1], [1], [2]]), np.eye(3)[[0, 1, 2, 2]]
    axes = paddle.plot.confusion_matrix(labels, scores, classes=["cat", "dog", "zebra"]).axes[0]
    assert axes.get_title() == "confusion matrix: 75.0 % of 4 right"
    assert axes.get_images()[0].get_array().tolist() == [[1, 0, 0], [0, 0.5, 0.5], [0, 0, 1]]
    written = {(text.get_position(), text.get_text()) for text in axes.texts}
    assert written == {((0, 0), "1"), ((1, 1), "1"), ((2, 1), "1"), ((2, 2), "1")}
    assert [text.get_text() for text in axes.get_yticklabels()] == ["cat", "dog", "zebra"]
    shares = paddle.plot.confusion_matrix([0, 1, 1], [0, 1, 0], normalize=True, title=None).axes[0]
    assert sorted(text.get_text() for text in shares.texts) == ["0.50", "0.50", "1.00"]
    large = paddle.plot.confusion_matrix(range(100), range(100)).axes[0]
    assert not large.texts


@pytest.mark.parametrize(
    ("labels", "predictions", "options", "error", "text"),
    [
        ([0, 1], [0], {}, ShapeError, "1 predictions for 2 labels"),
        ([], [], {}, ShapeError, "at least one"),
        ([[0, 1]], [0], {}, ShapeError, "labels got shape"),
        ([-1], [0], {}, ArgumentValueError, "labels got -1"),
        ([0.5], [0], {}, ArgumentValueError, "labels got 0.5"),
        ([0, 2], [0, 1], {"classes": ["a", "b"]}, ShapeError, "classes got 2 names, needs 3"),
    ],
)
def test_the_confusion_matrix_says_what_is_wrong(
    labels: Any, predictions: Any, options: Any, error: Any, text: str
) -> None:
    with pytest.raises(error, match=text):
        paddle.plot.confusion_matrix(labels, predictions, **options)


def test_images_of_each_layout() -> None:
    rng = np.random.RandomState(0)
    for shape in ([4, 5, 6], [4, 1, 5, 6], [4, 5, 6, 1]):
        array = rng.rand(*shape)
        figure = paddle.plot.images(array, list("abcd"), marked=[1], limit=3)
        assert [axes.get_title() for axes in figure.axes] == ["a", "b", "c"]
        assert np.array_equal(figure.axes[1].get_images()[0].get_array(), array[1].reshape(5, 6))
        assert [axes.spines["top"].get_visible() for axes in figure.axes] == [False, True, False]
    for shape in ([2, 3, 5, 6], [2, 5, 6, 3], [2, 5, 6, 4]):
        drawn = paddle.plot.images((rng.rand(*shape) * 255).astype("uint8")).axes[0].get_images()[0].get_array()
        assert drawn.shape == (5, 6, shape[3] if shape[1] == 5 else 3)
    floats = paddle.plot.images(rng.randn(2, 3, 5, 6)).axes[0].get_images()[0].get_array()
    assert 0 <= floats.min() <= floats.max() <= 1
    with pytest.raises(ShapeError, match=r"images got shape \[2\]"):
        paddle.plot.images(np.zeros(2))
    with pytest.raises(ShapeError, match="titles got 1 texts"):
        paddle.plot.images(np.zeros([2, 3, 3]), ["a"])
    with pytest.raises(ShapeError, match="no image"):
        paddle.plot.images(np.zeros([0, 3, 3]))


def test_a_notebook_shows_figures_and_save_writes_them(tmp_path: Path) -> None:
    figure = paddle.plot.curves([1, 2])
    data, size = figure._repr_png_()
    assert data.startswith(b"\x89PNG")
    assert size["width"] > 300
    for suffix, start in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        figure.save(tmp_path / "made" / f"a.{suffix}")
        assert (tmp_path / "made" / f"a.{suffix}").read_bytes().startswith(start)
    with pytest.raises(ArgumentValueError, match=r"path got '.*a.xyz', needs a name that ends in one of"):
        figure.save(tmp_path / "a.xyz")
    assert [path.name for path in tmp_path.iterdir()] == ["made"]
    assert len(list((tmp_path / "made").iterdir())) == 3


def test_without_matplotlib_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.setitem(sys.modules, "cycler", None)
    with pytest.raises(
        MissingPackageError, match=r"is not installed. Run: pip install 'paddle_lite\[plot\]'"
    ) as caught:
        paddle.plot.curves([1, 2])
    assert isinstance(caught.value, ImportError)


def test_the_global_state_of_matplotlib_is_left_alone() -> None:
    code = (
        "import matplotlib, paddle_lite as p; before = matplotlib.rcParams.copy(); p.plot.curves([1, 2]);"
        "import sys; assert matplotlib.rcParams.copy() == before; assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)
