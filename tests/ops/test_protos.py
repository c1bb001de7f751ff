"""Every operator has Paddle's slots, attributes, defaults and gradient: they are the file format."""

from __future__ import annotations

import pytest

from paddle_lite.ops.framework import registry
from tests.ops.loaded import forward_ops
from tests.ops.protos import differences, protos
from tests.ops.rows_of import ALL

OWN = {row.op for _, row in ALL if row.own is not None}


@pytest.mark.parametrize("type", [op.type for op in forward_ops() if op.type not in OWN])
def test_declaration_is_paddles(type: str) -> None:
    assert type in protos(), f"Paddle has no operator {type}: its row needs `own`, see tests/ops/README.md"
    assert differences(registry.get(type), protos()[type]) == []


def test_fixture_holds_what_is_known_of_a_few_operators() -> None:
    relu = protos()["relu"]
    assert (relu["inputs"], relu["outputs"]) == ("X", "Out")
    assert relu["grads"] == [["relu_grad", "Out Out@GRAD", "X@GRAD"]]
    assert protos()["concat"]["inputs"] == "X* AxisTensor?"
    assert protos()["dropout"]["attrs"]["dropout_prob"] == ["FLOAT", 0.5]
