"""Every operator has Paddle's slots, attributes, defaults and gradient: they are the file format."""

from __future__ import annotations

from paddle_lite.ops.framework import registry
from tests.ops.loaded import forward_ops
from tests.ops.protos import differences, protos
from tests.ops.rows_of import ALL

OWN = {row.op for _, row in ALL if row.own is not None}


def test_declarations_are_paddles() -> None:
    types = [op.type for op in forward_ops() if op.type not in OWN]
    missing = set(types) - set(protos())
    assert missing == set(), "Paddle has no such operators: their rows need `own`, see tests/ops/README.md"
    found = {type: differences(registry.get(type), protos()[type]) for type in types}
    assert {type: complaints for type, complaints in found.items() if complaints} == {}


def test_fixture_holds_what_is_known_of_a_few_operators() -> None:
    relu = protos()["relu"]
    assert (relu["inputs"], relu["outputs"]) == ("X", "Out")
    assert relu["grads"] == [["relu_grad", "Out Out@GRAD", "X@GRAD"]]
    assert protos()["concat"]["inputs"] == "X* AxisTensor?"
    assert protos()["dropout"]["attrs"]["dropout_prob"] == ["FLOAT", 0.5]
