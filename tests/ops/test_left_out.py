"""The operators of PaddlePaddle 1.8.5 that paddle_lite does not declare are listed with a reason, which errors show."""

from __future__ import annotations

import importlib

import pytest

from paddle_lite.core.errors import NotYetAvailable
from paddle_lite.ops.framework import registry
from paddle_lite.ops.framework.left_out import LEFT_OUT
from tests.ops.protos import protos

LATER = """
    acosh asinh atanh bitwise_and channel_shuffle cosh cumprod diag_v2 diagonal einsum equal_all expm1 histogram lerp log10
    log2 put_along_axis reduce_amax reduce_amin repeat_interleave rnn sinh take_along_axis tan
"""
"""Operators of PaddlePaddle 2 that are not declared."""


def test_every_operator_is_declared_or_listed() -> None:
    importlib.import_module("paddle_lite.static")
    importlib.import_module("paddle_lite.static.operators.declarations")
    declared = {op.type for op in registry.all_ops()} | set(registry.only_in_programs)
    assert set(protos()) - declared - set(LATER.split()) == set(LEFT_OUT)


@pytest.mark.parametrize("type", ["merge_ids", "coalesce_tensor"])
def test_the_error_says_why(type: str) -> None:
    with pytest.raises(NotYetAvailable) as caught:
        registry.get(type)
    assert f"'{type}'" in str(caught.value) and str(caught.value).endswith(LEFT_OUT[type])
