"""What the public names of modules stand for."""

from __future__ import annotations

import pytest

from paddle_lite.compat.finder import INTERNAL, find_ours, target_of


@pytest.mark.parametrize(
    ("public", "real"),
    [
        ("paddle", "paddle_lite"),
        ("paddle.nn", "paddle_lite.nn"),
        ("paddle.fluid.dygraph.base", "paddle_lite.fluid.dygraph.base"),
        *((f"paddle.{package}", None) for package in sorted(INTERNAL)),
    ],
)
def test_target_of(public: str, real: str | None) -> None:
    assert target_of(public) == real


@pytest.mark.parametrize(
    ("public", "real"),
    [
        ("paddle.nn", "paddle_lite.nn"),
        ("paddle.nn.clip", "paddle_lite.nn"),
        ("paddle.batch", "paddle_lite"),
        ("paddle.fluid.layers.nn", "paddle_lite.fluid.layers"),
        ("paddle.fluid.dygraph.jit", "paddle_lite.fluid.dygraph"),
    ],
)
def test_a_module_of_fluids_file_layout(public: str, real: str) -> None:
    """It is the module that has its names."""
    target = target_of(public)
    assert target is not None
    spec = find_ours(target)
    assert spec is not None and spec.name == real


@pytest.mark.parametrize("public", ["paddle.fluid.nowhere", "paddle.nowhere.deeper", "paddle.fluid.layers.nowhere"])
def test_a_module_that_is_not_there(public: str) -> None:
    target = target_of(public)
    assert target is not None and find_ours(target) is None
