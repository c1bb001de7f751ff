"""The kernels over images against the references: other sizes, normalisation of each image, responses of neighbours.

Arrays are large enough that no kernel leaves them to the reference; the rows of tests/ops have small ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from paddle_lite.kernels import registry as kernels
from paddle_lite.ops.framework import registry
from paddle_lite.ops.framework.dispatch import ArraySpec

X = np.random.RandomState(0).uniform(-1, 1, (2, 6, 9, 14))
TOLERANCE = {"float32": (2e-5, 2e-6), "float64": (1e-10, 1e-12)}


def refuse(*_: Any, **__: Any) -> None:
    raise AssertionError("the kernel leaves it to the reference")


def bare(op: Any) -> Callable:
    """The kernel alone, without a reference to go to."""
    found = kernels.find_kernel(op.type, op.family, "cpu", op.reference)
    return lambda *args, **attrs: found.func(*args, **{**attrs, "reference": refuse})  # type: ignore[attr-defined]


def agree(got: Any, expected: Any, dtype: str) -> None:
    both = [value if isinstance(value, tuple) else (value,) for value in (got, expected)]
    for one, other in zip(*both, strict=True):
        assert (one is None) == (other is None)
        if one is not None:
            assert one.dtype == other.dtype == dtype and one.shape == other.shape
            np.testing.assert_allclose(one, other, *TOLERANCE[dtype])


def check(type: str, inputs: list[Any], attrs: dict[str, Any], dtype: str) -> Any:
    """The kernel and its gradient give what the references give; the result."""
    op = registry.get(type)
    inputs = [None if a is None else a.astype(dtype) for a in inputs]
    attrs = {**op.defaults(), **attrs}
    expected = op.reference(np, *inputs, **attrs)
    agree(bare(op)(*inputs, **attrs), expected, dtype)
    outputs = dict(zip([s.name for s in op.outputs], expected if isinstance(expected, tuple) else [expected]))
    known = dict(zip([s.name for s in op.inputs], inputs, strict=True), **outputs)
    first = op.outputs[0].name
    known[f"{first}@GRAD"] = np.random.RandomState(1).uniform(-1, 1, outputs[first].shape).astype(dtype)
    grad = op.grad
    reads = [ArraySpec(known[r]) if r in grad.shape_only and known[r] is not None else known[r] for r in grad.reads]
    live = {name: attrs[name] for name in grad.op.live}
    agree(bare(grad.op)(*reads, **live), grad.op.reference(np, *reads, **live), dtype)
    return expected


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("size", [(17, 31), (21, 5), (9, 40), (5, 25)])
@pytest.mark.parametrize("method", ["nearest", "bilinear", "bicubic"])
@pytest.mark.parametrize("align", [(True, 1), (False, 0), (False, 1)], ids=["corners", "centres", "edges"])
def test_other_sizes(method: str, align: tuple[bool, int], size: tuple[int, int], dtype: str) -> None:
    x = np.concatenate([X] * 3)
    place = {"interp_method": method, "align_corners": align[0], "align_mode": align[1]}
    check(f"{method}_interp", [x, None, None, None], {**place, "out_h": size[0], "out_w": size[1]}, dtype)


def test_a_scale_and_images_that_are_not_contiguous() -> None:
    attrs = {"interp_method": "bilinear", "scale": 2.3, "out_h": -1, "out_w": -1}
    out = check("bilinear_interp", [X.transpose(1, 0, 3, 2), None, None, None], attrs, "float32")
    assert out.shape == (6, 2, 32, 20)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    "attrs", [{}, {"n": 3, "beta": 0.5, "alpha": 0.5}, {"n": 9, "beta": 0.6, "alpha": 1.0, "k": 1.0}]
)
def test_lrn(attrs: dict[str, Any], dtype: str) -> None:
    check("lrn", [X], attrs, dtype)


VECTORS = np.random.RandomState(2).uniform(0.5, 1.5, (2, 6))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shift", [0.0, 30.0])
def test_instance_norm(shift: float, dtype: str) -> None:
    check("instance_norm", [X + shift, *VECTORS], {}, "float64" if shift else dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("groups", [1, 2, 6])
@pytest.mark.parametrize(("scaled", "biased"), [(True, True), (False, True), (True, False), (False, False)])
def test_group_norm(groups: int, scaled: bool, biased: bool, dtype: str) -> None:
    inputs = [X, VECTORS[0] if scaled else None, VECTORS[1] if biased else None]
    check("group_norm", inputs, {"groups": groups}, dtype)


def test_a_scale_of_zero_hides_the_normalised_values() -> None:
    scale = VECTORS[0].copy()
    scale[2] = 0
    check("group_norm", [X, scale, VECTORS[1]], {"groups": 3}, "float64")


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("masked", [True, False])
def test_deformable_conv(masked: bool, dtype: str) -> None:
    rng = np.random.RandomState(3)
    offset, mask = rng.uniform(-3, 3, (2, 2 * 3 * 6, 5, 12)), rng.uniform(0, 1, (2, 3 * 6, 5, 12))
    inputs = [X, offset, mask, rng.uniform(-1, 1, (6, 3, 2, 3))]
    attrs = {"strides": [2, 1], "paddings": [1, 0], "dilations": [2, 1], "groups": 2, "deformable_groups": 3}
    if masked:
        check("deformable_conv", inputs, attrs, dtype)
    else:
        check("deformable_conv_v1", [inputs[0], inputs[1], inputs[3]], attrs, dtype)
