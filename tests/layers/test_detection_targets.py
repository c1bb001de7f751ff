"""What detectors should learn: anchors and regions sorted out by how much they share with true boxes; wrong calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, LoDError, ShapeError
from paddle_lite.imperative import Variable, to_variable
from paddle_lite.layers.detection import boxes as detection_boxes
from paddle_lite.layers.detection import retinanet
from paddle_lite.layers.detection import targets as layers

v = to_variable
INFO = np.array([[60, 60, 1]], "float32")


def boxes(count: int, seed: int) -> np.ndarray:
    rng = np.random.RandomState(seed)
    corner = rng.uniform(0, 30, (count, 2))
    return np.concatenate([corner, corner + rng.uniform(8, 16, (count, 2))], 1).astype("float32")


def of_image(array: Any, dtype: str = "float32") -> Variable:
    """Rows that belong to one image."""
    return Variable(np.array(array, dtype), lod=((0, len(array)),))


def alike(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return detection_boxes.iou_similarity(v(a), v(b), box_normalized=False).numpy()


def nothing(anchors: int, classes: int = 1) -> list[Any]:
    """What a network says that numbers the anchors."""
    numbers = np.arange(anchors, dtype="float32").reshape(1, -1, 1)
    return [v(np.tile(numbers, (1, 1, 4))), v(np.tile(numbers, (1, 1, classes)))]


@given(st.integers(0, 99), st.booleans())
def test_anchors_are_sorted_out(seed: int, use_random: bool) -> None:
    anchors, true = boxes(20, seed), boxes(2, seed + 1000)
    common = v(anchors), v(anchors), of_image(true), of_image([[0], [0]], "int32"), v(INFO)
    scores, places, labels, targets, weights = layers.rpn_target_assign(
        *nothing(20), *common, 8, rpn_positive_overlap=0.5, rpn_negative_overlap=0.3, use_random=use_random
    )
    shares = alike(anchors, true)
    chosen = scores.numpy()[:, 0].astype(int)
    kinds = labels.numpy()[:, 0]
    assert len(chosen) == len(set(chosen.tolist())) <= 8
    for place, kind in zip(chosen, kinds, strict=True):
        best = (np.abs(shares[place] - shares.max(0)) < 1e-5).any()
        assert best or shares[place].max() >= 0.5 if kind else shares[place].max() < 0.3
    of_objects = places.numpy()[:, 0].astype(int)[weights.numpy()[:, 0] == 1]
    assert of_objects.tolist() == chosen[kinds == 1].tolist()
    decoded = detection_boxes.box_coder(
        v(anchors[of_objects]), v(np.ones([len(of_objects), 4], "float32")),
        v(targets.numpy()[weights.numpy()[:, 0] == 1][None]), "decode_center_size", box_normalized=False,
    )  # fmt: skip
    np.testing.assert_allclose(decoded.numpy()[0], true[shares[of_objects].argmax(1)], 1e-3, 1e-3)


def test_other_anchors_are_chosen_each_time() -> None:
    anchors, true = boxes(60, 3), boxes(1, 5)
    args = *nothing(60), v(anchors), v(anchors), of_image(true), of_image([[0]], "int32"), v(INFO), 16
    seen = {tuple(layers.rpn_target_assign(*args)[0].numpy()[:, 0].tolist()) for _ in range(8)}
    assert len(seen) > 1
    assert (
        len({tuple(layers.rpn_target_assign(*args, use_random=False)[0].numpy()[:, 0].tolist()) for _ in range(3)}) == 1
    )


def test_what_the_network_says_has_a_gradient_and_what_it_should_say_none() -> None:
    anchors = boxes(20, 0)
    said = nothing(20)
    for variable in said:
        variable.stop_gradient = False
    made = layers.rpn_target_assign(
        *said, v(anchors), v(anchors), of_image(anchors[:1]), of_image([[0]], "int32"), v(INFO)
    )
    assert [m.stop_gradient for m in made] == [False, False, True, True, True]
    made[1].backward()
    assert said[0].gradient()[0].sum(1).nonzero()[0].tolist() == [0]


@given(st.integers(0, 99), st.booleans())
def test_regions_are_sorted_out(seed: int, use_random: bool) -> None:
    rois, true = boxes(20, seed), boxes(3, seed + 1000)
    classes = of_image([[2], [1], [3]], "int32")
    regions, labels, targets, inside, outside = layers.generate_proposal_labels(
        of_image(rois * 2), classes, of_image([[0], [1], [0]], "int32"), of_image(true), v(INFO * np.array([1, 1, 2], "float32")), 12, 0.5, 0.5,
        0.4, 0.05, class_nums=4, use_random=use_random,
    )  # fmt: skip
    assert regions.lod() == labels.lod() == targets.lod()
    assert inside.numpy().tolist() == outside.numpy().tolist()
    kinds, shares = labels.numpy()[:, 0], alike(regions.numpy() / 2, true)
    assert len(kinds) <= 12 and (kinds > 0).sum() <= 6
    for kind, share, codes, weights in zip(kinds, shares, targets.numpy(), inside.numpy(), strict=True):
        if not kind:
            assert 0.05 <= share.max() < 0.4 and not weights.any() and not codes.any()
            continue
        assert share.max() >= 0.5 - 1e-5 and kind == [2, 1, 3][share.argmax()]
        assert weights.nonzero()[0].tolist() == list(range(4 * kind, 4 * kind + 4))


def test_true_boxes_are_regions_except_crowds_and_in_later_stages() -> None:
    true, far = boxes(3, 1), np.array([[100, 100, 120, 120]], "float32")
    common = of_image([[1], [1], [1]], "int32"), of_image([[0], [1], [0]], "int32"), of_image(true), v(INFO)
    kept = {"fg_fraction": 1.0, "fg_thresh": 0.99, "class_nums": 2, "bg_thresh_hi": 0.0}
    regions = layers.generate_proposal_labels(of_image(far), *common, **kept)[0].numpy()
    assert regions.tolist() == true[[0, 2]].tolist()
    later = layers.generate_proposal_labels(of_image(true), *common, **kept, is_cascade_rcnn=True)[0].numpy()
    assert later.tolist() == true[[0, 2]].tolist()


def test_retinanet_takes_every_anchor_that_is_one_or_the_other() -> None:
    anchors, true = boxes(30, 7), boxes(2, 8)
    scores, places, labels, _, weights, count = retinanet.retinanet_target_assign(
        *nothing(30, 5), v(anchors), v(anchors), of_image(true), of_image([[4], [5]], "int32"),
        of_image([[0], [0]], "int32"), v(INFO), 5, 0.5, 0.4,
    )  # fmt: skip
    shares = alike(anchors, true)
    objects = (shares >= 0.5).any(1) | (np.abs(shares - shares.max(0)) < 1e-5).any(1)
    objects &= ~(shares.max(1) < 0.4)
    others = shares.max(1) < 0.4
    assert scores.numpy()[:, 0].tolist() == [*objects.nonzero()[0], *others.nonzero()[0]]
    assert labels.numpy()[:, 0].tolist() == [*(4 + shares[objects].argmax(1)), *(0 for _ in range(others.sum()))]
    assert count.numpy().tolist() == [[len(places.numpy()) + 1]] and weights.numpy().sum() == 4 * objects.sum()


def test_retinanet_finds_boxes_on_all_levels() -> None:
    levels = [np.array([[0, 0, 9, 9], [1, 1, 10, 10]], "float32"), np.array([[20, 20, 39, 39]], "float32")]
    scores = [np.array([[[0.5], [0.75]]], "float32"), np.array([[[0.01]]], "float32")]
    codes = [v(np.zeros([1, len(level), 4], "float32")) for level in levels]
    got = retinanet.retinanet_detection_output(codes, list(map(v, scores)), list(map(v, levels)), v(INFO)).numpy()
    np.testing.assert_allclose(got, [[1, 0.75, 1, 1, 10, 10], [1, 0.01, 20, 20, 39, 39]], 1e-5)


@pytest.mark.parametrize(
    ("change", "error", "match"),
    [
        ({"gt_boxes": boxes(1, 0)}, LoDError, "no LoD"),
        ({"bbox_pred": 3}, ArgumentTypeError, "bbox_pred"),
        ({"anchor_box": boxes(3, 0)[:, :3]}, ShapeError, "Input(Anchor)"),
        ({"im_info": np.tile(INFO, (2, 1))}, ArgumentValueError, "2 images"),
        ({"rpn_fg_fraction": "half"}, ArgumentTypeError, "rpn_fg_fraction"),
        ({"rpn_batch_size_per_im": 0}, ArgumentValueError, "rpn_batch_size_per_im"),
    ],
)
def test_wrong_calls(change: dict[str, Any], error: type[Exception], match: str) -> None:
    given = dict(zip(("bbox_pred", "cls_logits"), nothing(3), strict=True), anchor_box=v(boxes(3, 0)), anchor_var=None)
    given.update(gt_boxes=of_image(boxes(1, 0)), is_crowd=of_image([[0]], "int32"), im_info=v(INFO))
    given.update({name: v(value) if isinstance(value, np.ndarray) else value for name, value in change.items()})
    with pytest.raises(error) as raised:
        layers.rpn_target_assign(**given)
    assert match in str(raised.value)


def test_the_number_of_classes_must_be_told() -> None:
    with pytest.raises(ArgumentTypeError, match="class_nums"):
        layers.generate_proposal_labels(*[of_image(boxes(1, 0))] * 5)
