"""Operators by their type: `fluid.op`, `OpProtoHolder`, and what `fluid.core` says of operators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.dtype import VarType, to_vartype
from ...core.errors import (
    ArgumentValueError,
    MissingVariableError,
    NotYetAvailable,
    message,
)
from ...core.place import gpu_count
from ...core.tensor import LoDTensor, LoDTensorArray, SelectedRows, Tensor
from ...ops.framework import registry
from ...ops.framework.spec import OpDef, file_name
from ...static.execution.executor import Executor
from ...static.execution.scope import Scope
from ...static.operators.structural import definitions
from ...static.program.operator import COMMON
from ...static.program.program import Program
from ...static.proto import AttrType
from .op_descriptions import OpInfo, info_of, names_of

__all__ = [
    "OpProtoHolder",
    "OperatorFactory",
    "ScopeOperator",
    "_get_all_register_op_kernels",
    "create_op_creation_method",
    "get_all_op_protos",
    "get_op_attrs_default_value",
    "has_grad_op_maker",
    "has_infer_inplace",
    "infer_no_need_buffer_slots",
    "op_support_gpu",
]


_COMMON_TYPES = {"op_role": "INT", "op_role_var": "STRINGS", "op_namescope": "STRING", "op_callstack": "STRINGS"}


def _proto(op: OpDef) -> Any:
    """Return the prototype of a declared operator, a message OpProto."""
    from ...static.proto.messages import OpProto

    proto = OpProto(type=op.type, comment=(op.__doc__ or "").strip())
    for made, slots in ((proto.inputs, op.inputs), (proto.outputs, op.outputs)):
        for slot in slots:
            made.add(
                name=slot.name,
                comment="",
                duplicable=slot.many,
                dispensable=slot.optional,
                intermediate=slot.intermediate,
            )
    kinds = {file_name(name): attr.type for name, attr in op.attrs.items()}
    for name, kind in {**kinds, **{name: _COMMON_TYPES.get(name, "STRING") for name in COMMON}}.items():
        proto.attrs.add(name=name, type=AttrType[kind], comment="", generated=False)
    return proto


def get_all_op_protos() -> list[Any]:
    """Return the prototypes of all operators, sorted by type.

    Returns:
        A list of messages OpProto, with `type`, `inputs`, `outputs`, `attrs` and `comment`.

    >>> from paddle_lite.fluid.op import get_all_op_protos
    >>> [[slot.name for slot in proto.inputs] for proto in get_all_op_protos() if proto.type == 'mul']
    [['X', 'Y']]
    """
    return [_proto(op) for op in registry.all_ops()]


class OpProtoHolder:
    """The prototypes of operators, `OpProtoHolder.instance()`.

    >>> from paddle_lite.fluid.framework import OpProtoHolder
    >>> [slot.name for slot in OpProtoHolder.instance().get_op_proto('mul').inputs]
    ['X', 'Y']
    """

    _instance: OpProtoHolder | None = None

    @classmethod
    def instance(cls) -> OpProtoHolder:
        """Return the one holder."""
        if cls._instance is None:
            cls._instance = cls()
        return cls._instance

    @property
    def op_proto_map(self) -> dict[str, Any]:
        """The type of each operator -> its prototype."""
        return {proto.type: proto for proto in get_all_op_protos()}

    def get_op_proto(self, type: str) -> Any:
        """Return the prototype of an operator.

        Raises:
            ArgumentValueError: there is no such operator.
        """
        try:
            return _proto(registry.get(type))
        except NotYetAvailable:
            needs = "the type of an operator"
            raise ArgumentValueError(message("get_op_proto", "type", repr(type), needs)) from None

    @staticmethod
    def generated_op_attr_names() -> set[str]:
        """Return the names of the attributes that every operator has."""
        return set(COMMON)


_TYPES: dict[type, VarType] = {
    LoDTensor: VarType.LOD_TENSOR,
    SelectedRows: VarType.SELECTED_ROWS,
    LoDTensorArray: VarType.LOD_TENSOR_ARRAY,
}


class ScopeOperator:
    """An operator on the values of a Scope, which `fluid.op.Operator` makes.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.fluid.op import Operator
    >>> scope, place = fluid.core.Scope(), fluid.CPUPlace()
    >>> scope.var('x').get_tensor().set(np.ones([2], 'float32'), place)
    >>> _ = scope.var('out').get_tensor()
    >>> Operator('scale', X='x', Out='out', scale=3.0).run(scope, place)
    >>> np.array(scope.find_var('out').get_tensor())
    array([3., 3.], dtype=float32)
    """

    def __init__(
        self, op: OpDef, inputs: dict[str, list[str]], outputs: dict[str, list[str]], attrs: dict[str, Any]
    ) -> None:
        self._op, self._inputs, self._outputs, self._attrs = op, inputs, outputs, attrs
        self._known: dict[str, dict[str, Any]] = {}  # what the Program of the last run says of its Variables
        self._program = Program()

    def type(self) -> str:
        """Return the type of the operator."""
        return self._op.type

    def inputs(self) -> dict[str, list[str]]:
        """Return the names in each input slot."""
        return dict(self._inputs)

    def outputs(self) -> dict[str, list[str]]:
        """Return the names in each output slot."""
        return dict(self._outputs)

    def input_vars(self) -> list[str]:
        """Return the names of all inputs."""
        return [name for names in self._inputs.values() for name in names]

    def output_vars(self) -> list[str]:
        """Return the names of all outputs."""
        return [name for names in self._outputs.values() for name in names]

    def no_intermediate_outputs(self) -> list[str]:
        """Return the names of the outputs that not only the gradient reads."""
        return [name for slot in self._op.outputs if not slot.intermediate for name in self._outputs[slot.name]]

    def support_gpu(self) -> bool:
        """Return whether the operator can run on a GPU here."""
        return op_support_gpu(self._op.type)

    def run(self, scope: Scope, place: Any) -> None:
        """Run the operator on the values of a Scope; its outputs must be variables of the Scope.

        Arguments:
            scope: the Scope.
            place: the place that runs it.

        Raises:
            MissingVariableError: the Scope has no variable of one of the names.
            EnforceNotMet: the operator rejects the values.
        """
        known = {}
        for name in dict.fromkeys([*self.input_vars(), *self.output_vars()]):
            if scope.find_var(name) is None:
                needs = "a variable of the Scope"
                raise MissingVariableError(message(f"Operator({self._op.type!r}).run", "scope", repr(name), needs))
            known[name] = _attributes(scope.find_value(name))
        if known != self._known:
            self._known, self._program = known, self._built(known)
        Executor(place).run(self._program, scope=scope)

    def _built(self, known: dict[str, dict[str, Any]]) -> Program:
        """Return a Program of this operator, for Variables with these attributes."""
        program = Program()
        block = program.global_block()
        for name, attributes in known.items():
            block.declare_var(name=name, persistable=True, **attributes)
        inputs = {slot: names for slot, names in self._inputs.items() if names}
        outputs = {slot: names for slot, names in self._outputs.items() if names}
        block.append_op(self._op.type, inputs, outputs, self._attrs)
        return program

    def __str__(self) -> str:
        sides = [
            ", ".join(f"{slot}[{', '.join(names)}]" for slot, names in sorted(each.items()))
            for each in (self._inputs, self._outputs)
        ]
        return f"Op({self._op.type}), inputs:{{{sides[0]}}}, outputs:{{{sides[1]}}}."


def _attributes(value: Any) -> dict[str, Any]:
    """Return the attributes of a Variable of a Program for a value of a Scope."""
    found: dict[str, Any] = {"type": _TYPES.get(type(value), VarType.LOD_TENSOR)}
    tensor = value.get_tensor() if isinstance(value, SelectedRows) else value
    if isinstance(tensor, Tensor) and tensor._is_initialized():
        shape = [value.height(), *tensor.shape()[1:]] if isinstance(value, SelectedRows) else tensor.shape()
        found.update(
            shape=shape,
            dtype=to_vartype(tensor._dtype()),
            lod_level=len(value.lod()) if isinstance(value, LoDTensor) else 0,
        )
    return found


class OperatorFactory:
    """Makes operators on the values of a Scope: `fluid.op.Operator(type, X='x', Out='out', scale=2.0)`.

    >>> from paddle_lite.fluid.op import Operator
    >>> op = Operator('sum', X=['x', 'y'], Out='out')
    >>> op.inputs(), Operator.get_op_attr_names('scale')[:2]
    ({'X': ['x', 'y']}, ['scale', 'bias'])
    """

    def __call__(self, *args: Any, **kwargs: Any) -> ScopeOperator:
        """Return an operator.

        Arguments:
            args: the type, which may also be the keyword `type`.
            kwargs: for each slot a name or a list of names; attributes.

        Raises:
            ArgumentValueError: there is no such operator, it takes no such keyword, or a slot takes one name only.
            ArgumentTypeError: a slot holds something other than names.
        """
        given = dict(kwargs)
        if len(args) + ("type" in given) != 1:
            needs = "the type, and all other arguments by keyword"
            raise ArgumentValueError(message("Operator", "arguments", f"{len(args)} without keyword", needs))
        type = args[0] if args else given.pop("type")
        op = self._definition(type)
        sides = [
            {
                slot.name: names_of(f"Operator({type!r})", slot.name, given.pop(slot.name, []), slot.many)
                for slot in side
            }
            for side in (op.inputs, op.outputs)
        ]
        known = {file_name(name) for name in op.attrs} | set(COMMON)
        return ScopeOperator(op, sides[0], sides[1], {name: value for name, value in given.items() if name in known})

    def _definition(self, type: str) -> OpDef:
        try:
            return definitions.get(type) or registry.get(type)
        except NotYetAvailable:
            raise ArgumentValueError(message("Operator", "type", repr(type), "the type of an operator")) from None

    def types(self) -> list[str]:
        """Return the types of all operators."""
        return [op.type for op in registry.all_ops()]

    def get_op_info(self, t: str) -> OpInfo:
        """Return the slots and attributes of an operator.

        Raises:
            ArgumentValueError: there is no such operator.
        """
        return info_of(_proto(self._definition(t)), lambda **kwargs: self(t, **kwargs))

    def get_op_input_names(self, type: str) -> list[str]:
        """Return the names of the input slots."""
        return [name for name, _ in self.get_op_info(type).inputs]

    def get_op_inputs(self, type: str) -> list[tuple[str, bool]]:
        """Return (name, whether it holds a list) of each input slot."""
        return self.get_op_info(type).inputs

    def get_op_output_names(self, type: str) -> list[str]:
        """Return the names of the output slots."""
        return [name for name, _ in self.get_op_info(type).outputs]

    def get_op_outputs(self, type: str) -> list[tuple[str, bool]]:
        """Return (name, whether it holds a list) of each output slot."""
        return self.get_op_info(type).outputs

    def get_op_attr_names(self, type: str) -> list[str]:
        """Return the names of the attributes."""
        return self.get_op_info(type).attrs


Operator = OperatorFactory()


def has_grad_op_maker(type: str) -> bool:
    """Return whether an operator has a gradient.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.core.has_grad_op_maker('mul'), fluid.core.has_grad_op_maker('accuracy')
    (True, False)
    """
    return (definitions.get(type) or registry.get(type)).grad is not None


def has_infer_inplace(type: str) -> bool:
    """Return whether Plans may compute an operator in the memory of an input: a view, or a part of a fused kernel.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.core.has_infer_inplace('relu'), fluid.core.has_infer_inplace('conv2d')
    (True, False)
    """
    traits = registry.get(type).traits
    return traits.view is not None or traits.fuses is not None


def infer_no_need_buffer_slots(
    type: str, inputs: Mapping[str, Any], outputs: Mapping[str, Any], attrs: Mapping[str, Any]
) -> set[str]:
    """Return the input slots of a gradient operator of which it reads the shape only.

    Arguments:
        type: the type of the operator.
        inputs, outputs, attrs: its slots and attributes, on which the answer does not depend here.

    Returns:
        The names of the slots; none for an operator that is not the gradient of another one.

    >>> import paddle_lite.fluid as fluid
    >>> sorted(fluid.core.infer_no_need_buffer_slots('elementwise_add_grad', {}, {}, {}))
    ['X', 'Y']
    """
    op = registry.get(type)
    return set() if op.forward is None or op.forward.grad is None else set(op.forward.grad.shape_only)


def _get_all_register_op_kernels() -> dict[str, list[str]]:
    """Return the places that can run each operator, by its type.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.core._get_all_register_op_kernels()['relu_grad'][0]
    'place[CPUPlace]'
    """
    places = ["place[CPUPlace]"] + ["place[CUDAPlace]"] * (gpu_count() > 0)
    return {op.type: list(places) for op in registry.all_ops()}


def op_support_gpu(type: str) -> bool:
    """Return whether an operator can run on a GPU of this machine: all can, if there is one."""
    return gpu_count() > 0 and registry.get(type) is not None


def get_op_attrs_default_value(type: bytes | str) -> dict[str, Any]:
    """Return the attributes of an operator that have a default, with it.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.core.get_op_attrs_default_value(b'scale')['scale']
    1.0
    """
    op = registry.get(type.decode() if isinstance(type, bytes) else type)
    return {file_name(n): attr.default for n, attr in op.attrs.items() if attr.default is not None} | COMMON


def create_op_creation_method(op_proto: Any) -> OpInfo:
    """Return what `fluid.op` knows of an operator: its name, slots and attributes, and `method`, which makes one.

    Arguments:
        op_proto: the message OpProto of a declared operator.

    Returns:
        An OpInfo.

    >>> from paddle_lite.fluid import op
    >>> [scale] = [proto for proto in op.get_all_op_protos() if proto.type == 'scale']
    >>> op.create_op_creation_method(scale).method(X='x', Out='out').inputs()
    {'X': ['x'], 'ScaleTensor': []}
    """
    return info_of(op_proto, lambda **kwargs: Operator(op_proto.type, **kwargs))
