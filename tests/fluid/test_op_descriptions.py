"""`fluid.op`: prototypes of operators as messages, and descriptions made by them."""

from __future__ import annotations

import numpy as np
import pytest

from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError
from paddle_lite.fluid import op
from paddle_lite.fluid.framework import OpProtoHolder
from paddle_lite.static.proto import messages as framework_pb2


def _proto() -> framework_pb2.OpProto:
    proto = framework_pb2.OpProto(type="test", comment="")
    proto.inputs.add(name="X", comment="", duplicable=True)
    proto.inputs.add(name="Y", comment="")
    proto.outputs.add(name="Z", comment="")
    for name, kind in (("number", "INT"), ("numbers", "FLOATS"), ("flag", "BOOLEAN"), ("texts", "STRINGS")):
        proto.attrs.add(name=name, comment="", type=framework_pb2.AttrType.Value(kind))
    return proto


def test_prototypes_are_messages() -> None:
    protos = op.get_all_op_protos()
    assert protos and all(proto.IsInitialized() for proto in protos)
    mul = OpProtoHolder.instance().get_op_proto("mul")
    assert mul == OpProtoHolder.instance().op_proto_map["mul"]
    kinds = {attr.name: attr.type for attr in mul.attrs}
    assert kinds["x_num_col_dims"] == framework_pb2.INT and kinds["op_role_var"] == framework_pb2.STRINGS
    [total] = [proto for proto in protos if proto.type == "sum"]
    assert [slot.duplicable for slot in total.inputs] == [True]


def test_descriptions() -> None:
    make = op.OpDescCreationMethod(_proto())
    desc = make(X=["a", "b"], Y="c", Z="d", number=3, numbers=np.array([0.5, 2.0]), flag=True, unknown=1)
    expected = framework_pb2.OpDesc(type="test")
    expected.inputs.add(parameter="X", arguments=["a", "b"])
    expected.inputs.add(parameter="Y", arguments=["c"])
    expected.outputs.add(parameter="Z", arguments=["d"])
    expected.attrs.add(name="number", type=framework_pb2.INT, i=3)
    expected.attrs.add(name="numbers", type=framework_pb2.FLOATS, floats=[0.5, 2.0])
    expected.attrs.add(name="flag", type=framework_pb2.BOOLEAN, b=True)
    assert desc == expected
    assert [list(slot.arguments) for slot in make(Y="c").inputs] == [[], ["c"]]
    info = op.create_op_creation_method(OpProtoHolder.instance().get_op_proto("sum"))
    assert (info.name, info.inputs, info.outputs) == ("sum", [("X", True)], [("Out", False)])
    assert info.method(X=["x", "y"], Out="z").input_vars() == ["x", "y"]
    assert op.is_str("x") and not op.is_str(b"x") and make.any_is_true(x > 1 for x in (1, 2))


def test_bad_input() -> None:
    make = op.OpDescCreationMethod(_proto())
    with pytest.raises(ArgumentTypeError, match="needs an OpProto"):
        op.OpDescCreationMethod("test")
    with pytest.raises(ArgumentValueError, match="keyword"):
        make("a")
    with pytest.raises(ArgumentValueError, match="Y got 2 names, needs one"):
        make(Y=["a", "b"])
    with pytest.raises(ArgumentTypeError, match="X got int 3"):
        make(X=3)
    with pytest.raises(ArgumentTypeError, match="attribute texts"):
        make(texts=[1])
