"""Metrics that add up over batches; the numbers are PaddlePaddle 1.8.5's where no other reason is given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, IndexRangeError, ShapeError

SCORES = np.array([0.1, 0.4, 0.35, 0.8, 0.9, 0.62, 0.05, 1.0])
CLASSES = np.array([0, 0, 1, 1, 0, 1, 0, 1])


def of_two(scores: np.ndarray) -> np.ndarray:
    """Probabilities of both classes."""
    return np.stack([1 - scores, scores], 1)


class Everything(fluid.metrics.MetricBase):
    def __init__(self) -> None:
        super().__init__("every")
        self.a, self.b, self.c, self.d = 1, 2.5, np.ones(3), np.float32(2)
        self.f, self.g, self._e = "x", [1], 5


def test_states() -> None:
    metric = Everything()
    config = metric.get_config()
    assert config["name"] == str(metric) == "every"
    assert set(config["states"]) == set("abcdfg")
    config["states"]["g"].append(2)
    assert metric.g == [1]
    metric.reset()
    assert (metric.a, metric.b, metric.c.tolist(), metric.d, metric.f, metric.g, metric._e) == (
        0, 0.0, [0, 0, 0], 0, None, None, 5,
    )  # fmt: skip
    assert str(fluid.metrics.Accuracy()) == "Accuracy"


def test_a_base_is_to_be_extended() -> None:
    base = fluid.metrics.MetricBase("base")
    with pytest.raises(NotImplementedError):
        base.update(1, 2)
    with pytest.raises(NotImplementedError):
        base.eval()


def test_accuracy() -> None:
    metric = fluid.metrics.Accuracy()
    metric.update(0.5, 2)
    metric.update(1.0, 6)
    assert metric.eval() == 0.875
    metric.reset()
    with pytest.raises(ArgumentValueError, match=r"Accuracy\.eval: the metric got no data"):
        metric.eval()
    metric.update(np.array([0.5]), np.array([3]))
    assert metric.eval().tolist() == [0.5]


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        (("x", 1), ArgumentTypeError, "value got str 'x'"),
        ((0.5, "q"), ArgumentTypeError, "weight got str 'q'"),
        ((0.5, -1), ArgumentValueError, "weight got int -1, needs 0 or more"),
    ],
)
def test_accuracy_refuses(arguments: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        fluid.metrics.Accuracy().update(*arguments)


def test_precision_and_recall() -> None:
    precision, recall = fluid.metrics.Precision(), fluid.metrics.Recall()
    assert precision.eval() == recall.eval() == 0.0
    both = fluid.metrics.CompositeMetric()
    both.add_metric(precision)
    both.add_metric(recall)
    both.update(preds=np.array([0.1, 0.7, 0.8, 0.9, 0.5]), labels=np.array([0, 1, 1, 0, 1]))
    assert both.eval() == [2 / 3, 2 / 3]
    assert precision.get_config() == {"name": "Precision", "states": {"tp": 2, "fp": 1}}
    both.update(np.array([[0.2], [0.51]]), np.array([[1], [0]]))
    assert both.eval() == [0.5, 0.5]
    both.reset()
    assert both.eval() == [0.0, 0.0]


def test_precision_and_recall_refuse() -> None:
    with pytest.raises(ArgumentTypeError, match=r"Precision\.update: preds got list \[1\], needs an ndarray"):
        fluid.metrics.Precision().update([1], np.array([1]))
    with pytest.raises(ShapeError, match=r"Recall\.update: preds got ndarray of shape \[2\].* as many elements"):
        fluid.metrics.Recall().update(np.ones(2), np.ones(3))
    with pytest.raises(ArgumentTypeError, match="metric got int 3, needs a metric"):
        fluid.metrics.CompositeMetric().add_metric(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(("thresholds", "area"), [(4095, 0.75), (10, 0.75), (1, 0.625)])
def test_auc(thresholds: int, area: float) -> None:
    metric = fluid.metrics.Auc("auc", num_thresholds=thresholds)
    assert metric.eval() == 0.0
    for batches in (1, 2):
        metric.update(of_two(SCORES), CLASSES.reshape(-1, 1))
        assert metric.eval() == area
        both = metric._stat_pos * 2 + metric._stat_neg  # lists, as in 1.8.5
        assert len(both) == 3 * (thresholds + 1) and sum(both) == batches * (2 * sum(CLASSES) + sum(1 - CLASSES))
    metric.reset()
    metric.update(of_two(SCORES), np.ones(8))
    assert metric.eval() == 0.0


@given(st.lists(st.tuples(st.integers(0, 16), st.booleans()), min_size=2, max_size=30))
def test_auc_is_the_share_of_pairs_in_order(samples: list[tuple[int, bool]]) -> None:
    """Its definition: how often a one scores above a zero; equal scores count half."""
    ones, zeros = ([score for score, one in samples if one is which] for which in (True, False))
    metric = fluid.metrics.Auc("auc", num_thresholds=16)
    metric.update(of_two(np.array([score / 16 for score, _ in samples])), np.array([one for _, one in samples]))
    pairs = [(a > b) + (a == b) / 2 for a in ones for b in zeros]
    assert metric.eval() == pytest.approx(sum(pairs) / len(pairs) if pairs else 0.0)


def test_auc_ignores_rows_behind_the_labels() -> None:
    metric = fluid.metrics.Auc("auc")
    metric.update(np.array([[0.2, 0.8], [0.6, 0.4], [0.5, 0.5]]), np.array([[1], [0]]))
    assert metric.eval() == 1.0
    with pytest.raises(ShapeError, match="needs shape"):
        metric.update(np.array([[0.2, 0.8]]), np.array([[1], [0]]))


def test_auc_forgives_rounding() -> None:
    """As in 1.8.5: a cosine may be 1.0000001, and falls into the last bin."""
    metric = fluid.metrics.Auc("auc")
    metric.update(of_two(np.array([1.0000001, -1e-8, 0.5])), np.array([1, 0, 0]))
    assert metric.eval() == 1.0


def test_auc_refuses() -> None:
    metric = fluid.metrics.Auc("auc")
    with pytest.raises(ArgumentTypeError, match="labels got list"):
        metric.update(of_two(SCORES), [1])
    with pytest.raises(ShapeError, match=r"needs shape \[8, 2\]"):
        metric.update(SCORES, CLASSES)
    with pytest.raises(IndexRangeError, match=r"values from 1\.5 to 1\.5, needs probabilities"):
        metric.update(np.array([[0.5, 1.5]]), np.array([1]))


def test_chunks() -> None:
    metric = fluid.metrics.ChunkEvaluator()
    assert metric.eval() == (0, 0, 0)
    metric.update(np.array([10]), np.array([8]), np.array([6]))
    np.testing.assert_allclose(metric.eval(), [[0.6], [0.75], [2 / 3]])
    metric.update(2, 3, 1)
    np.testing.assert_allclose(metric.eval(), [[7 / 12], [7 / 11], [14 / 23]])
    metric.reset()
    metric.update(0, 0, 0)
    assert metric.eval() == (0, 0, 0)
    with pytest.raises(ArgumentTypeError, match=r"num_label_chunks got float 1\.5, needs a whole number"):
        metric.update(1, 1.5, 1)


def test_edit_distance() -> None:
    metric = fluid.metrics.EditDistance("distance")
    with pytest.raises(ArgumentValueError, match=r"EditDistance\.eval: the metric got no data"):
        metric.eval()
    metric.update(np.array([[0.0], [2.0], [1.0]], "float32"), np.array([3]))
    np.testing.assert_allclose(metric.eval(), [[1], [2 / 3]])
    metric.update(np.array([0.0, 0.5]), 2)
    np.testing.assert_allclose(metric.eval(), [[0.7], [0.6]])
    with pytest.raises(ArgumentTypeError, match=r"distances got list \[1\]"):
        metric.update([1], 3)


def test_weighted_average() -> None:
    mean = fluid.average.WeightedAverage()
    with pytest.raises(ArgumentValueError, match=r"WeightedAverage\.eval: the metric got no data.* Call add\(\)"):
        mean.eval()
    mean.add(2.0, 1)
    mean.add(np.array([4.0]), 2)
    np.testing.assert_allclose(mean.eval(), [10 / 3])
    mean.reset()
    mean.add(1, np.array([2]))
    assert mean.eval().tolist() == [1.0]
    with pytest.raises(ArgumentTypeError, match="value got str 'x'"):
        mean.add("x", 1)
