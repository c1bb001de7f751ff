"""accuracy, auc and mean_iou."""

from __future__ import annotations

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, IndexRangeError, ShapeError
from paddle_lite.core.guarded import unguarded
from paddle_lite.core.mode import switched
from paddle_lite.imperative import Variable, to_variable
from paddle_lite.layers.loss.metric import accuracy, auc, mean_iou
from paddle_lite.metric import accuracy as of_paddle
from paddle_lite.static.mode.static_mode import static_mode

SCORES = np.array([[0.1, 0.5, 0.4], [0.6, 0.3, 0.1], [0.2, 0.3, 0.5], [0.5, 0.1, 0.4]], "float32")
LABELS = np.array([[2], [0], [2], [1]])


def count() -> Variable:
    return to_variable(np.zeros(1, "int32"))


@pytest.mark.parametrize(("k", "right"), [(1, 2), (2, 3), (3, 4)])
def test_accuracy(k: int, right: int) -> None:
    correct, total = count(), count()
    share = accuracy(to_variable(SCORES), to_variable(LABELS), k=k, correct=correct, total=total)
    assert share.numpy().tolist() == [right / 4] and share.dtype == "float32" and share.stop_gradient
    assert correct.numpy().tolist() == [right] and total.numpy().tolist() == [4]


def test_one_function() -> None:
    assert unguarded(of_paddle) is unguarded(accuracy)


def test_bad_calls() -> None:
    scores = to_variable(SCORES)
    with pytest.raises(ShapeError, match=r"accuracy: Input\(Label\) got shape \[4\], needs shape \[4, 1\]"):
        accuracy(scores, to_variable(LABELS[:, 0]))
    with pytest.raises(ShapeError, match=r"shape \[2, 1\]"):
        accuracy(scores, to_variable(LABELS[:2]))
    with pytest.raises(DtypeError, match="dtype int32, needs int64"):
        accuracy(scores, to_variable(LABELS.astype("int32")))
    with pytest.raises(ArgumentValueError, match="k got 4"):
        accuracy(scores, to_variable(LABELS), k=4)


def test_auc_counts_pairs() -> None:
    scores = np.array([0.1, 0.6, 0.35, 0.8, 0.7], "float32")
    kinds = np.array([[0], [0], [1], [1], [1]])
    both = np.stack([1 - scores, scores], 1)
    pairs = [scores[i] > scores[j] for i in range(5) for j in range(5) if kinds[i] > kinds[j]]
    area, last, counts = auc(to_variable(both), to_variable(kinds), slide_steps=2)
    assert area.numpy().tolist() == last.numpy().tolist() == [sum(pairs) / len(pairs)]
    assert [c.shape for c in counts] == [[3 * 4096 + 1]] * 2 + [[1, 4096]] * 2
    assert [int(c.numpy().sum()) for c in counts[2:]] == [3, 2]
    one_column, _, _ = auc(to_variable(scores[:, None]), to_variable(kinds), num_thresholds=99)
    assert one_column.numpy().tolist() == area.numpy().tolist()


def test_mean_iou_by_hand() -> None:
    guess, label = np.array([[0, 1, 1], [2, 2, 0]], "int32"), np.array([[0, 1, 2], [2, 2, 1]], "int32")
    mean, wrong, correct = mean_iou(to_variable(guess), to_variable(label), 4)
    assert correct.numpy().tolist() == [1, 1, 2, 0] and wrong.numpy().tolist() == [1, 2, 1, 0]
    np.testing.assert_allclose(mean.numpy(), [(1 / 2 + 1 / 3 + 2 / 3) / 3], 1e-6)
    in_columns = mean_iou(to_variable(guess), to_variable(label[..., None]), 4)
    assert [v.numpy().tolist() for v in in_columns] == [v.numpy().tolist() for v in (mean, wrong, correct)]
    with pytest.raises(ShapeError, match=r"Input\(Labels\) got shape \[2, 2\], needs as many elements"):
        mean_iou(to_variable(guess), to_variable(label[:, :2]), 4)


def test_bad_calls_of_auc_and_mean_iou() -> None:
    labels = to_variable(LABELS)
    with pytest.raises(ArgumentTypeError, match="auc: input got ndarray"):
        auc(SCORES, labels)
    with pytest.raises(ShapeError, match=r"Input\(Predict\) got shape \[4, 3\]"):
        auc(to_variable(SCORES), labels)
    with pytest.raises(ArgumentValueError, match="slide_steps"):
        auc(to_variable(SCORES[:, :2]), labels, slide_steps=-1)
    with pytest.raises(IndexRangeError, match="indices from 0 to 1"):
        mean_iou(labels, labels, 2)
    with pytest.raises(ArgumentTypeError, match="num_classes got"):
        mean_iou(labels, labels, 2.5)  # type: ignore[arg-type]


def test_auc_in_a_program_adds_up_from_run_to_run() -> None:
    random = np.random.RandomState(0)
    main, startup = fluid.Program(), fluid.Program()
    with switched(static_mode, fluid.CPUPlace(), None), fluid.program_guard(main, startup):
        x, label = fluid.data("x", [None, 2]), fluid.data("label", [None, 1], "int64")
        area, last, _ = auc(x, label, slide_steps=2, num_thresholds=20)
        executor, found = fluid.Executor(fluid.CPUPlace()), []
        with fluid.scope_guard(fluid.Scope()):
            executor.run(startup)
            for _ in range(4):
                scores = random.rand(6, 1).astype("float32")
                feed = {
                    "x": np.concatenate([1 - scores, scores], 1),
                    "label": random.randint(0, 2, (6, 1)).astype("int64"),
                }
                found.append([float(v[0]) for v in executor.run(main, feed=feed, fetch_list=[area, last])])
    paddles = [[1.0, 1.0], [0.42857, 0.42857], [0.48148, 0.3125], [0.51049, 0.51389]]
    np.testing.assert_allclose(found, paddles, atol=1e-5)
