"""OpDesc: the description of an operator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...ops.support.attributes import plain
from ..program.operator import Operator
from ..program.program import Program
from ..program.shape_inference import infer_dtypes, infer_shapes
from ..proto import AttrType, part_to_proto
from ..proto.serialise import attr_kind, op_data
from .view import View

if TYPE_CHECKING:
    from .block import BlockDesc


class OpDesc(View):
    """The description of an operator, `operator.desc`; made by itself, it belongs to no block.

    >>> import paddle_lite.fluid as fluid
    >>> op = fluid.core.ProgramDesc().block(0).append_op()
    >>> op.set_type('scale')
    >>> op.set_input('X', ['x'])
    >>> op._set_attr('scale', 3.0)
    >>> op.inputs(), op.attr('scale'), op.attr_names()
    ({'X': ['x']}, 3.0, ['scale'])
    """

    __slots__ = ()
    of: Operator

    def __init__(self, op: Operator | None = None) -> None:
        if op is None:
            op = Operator(Program().global_block(), "", {}, {}, {})
            op.bare = True
        super().__init__(op)

    def _changed(self) -> None:
        self.of.block.program._changed()

    def type(self) -> str:
        """Return the type."""
        return self.of.type

    def set_type(self, type: str) -> None:
        """Set the type."""
        self.of.type, self.of._definition = _text("OpDesc.set_type", "type", type), None
        self._changed()

    def block(self) -> BlockDesc:
        """Return the block that the operator is in."""
        return self.of.block.desc

    def copy_from(self, other: OpDesc) -> None:
        """Take type, names and attributes of another operator."""
        op, source = self.of, other.of
        op.type, op._definition = source.type, source._definition
        op.inputs = {slot: list(names) for slot, names in source.inputs.items()}
        op.outputs = {slot: list(names) for slot, names in source.outputs.items()}
        op.attrs = {name: list(v) if isinstance(v, list) else v for name, v in source.attrs.items()}
        op.line, op.forward, op.from_file, op.bare = source.line, source.forward, source.from_file, source.bare
        self._changed()

    def serialize_to_string(self) -> bytes:
        """Return the bytes of the operator, as a file of the Program holds them."""
        return part_to_proto(op_data(self.of)).SerializeToString(deterministic=True)

    # --- slots --------------------------------------------------------------------------------------------------------

    def input(self, name: str) -> list[str]:
        """Return the names of the Variables in an input slot.

        Raises:
            MissingKeyError: the operator has no such slot.
        """
        return self.of.input(name)

    def output(self, name: str) -> list[str]:
        """Return the names of the Variables in an output slot.

        Raises:
            MissingKeyError: the operator has no such slot.
        """
        return self.of.output(name)

    def inputs(self) -> dict[str, list[str]]:
        """Return the names of the Variables in each input slot."""
        return {slot: list(names) for slot, names in self.of.inputs.items()}

    def outputs(self) -> dict[str, list[str]]:
        """Return the names of the Variables in each output slot."""
        return {slot: list(names) for slot, names in self.of.outputs.items()}

    def input_names(self) -> list[str]:
        """Return the names of the input slots."""
        return list(self.of.inputs) if self.of.bare else self.of.input_names

    def output_names(self) -> list[str]:
        """Return the names of the output slots."""
        return list(self.of.outputs) if self.of.bare else self.of.output_names

    def input_arg_names(self) -> list[str]:
        """Return the names of all input Variables."""
        return self.of.input_arg_names

    def output_arg_names(self) -> list[str]:
        """Return the names of all output Variables."""
        return self.of.output_arg_names

    def set_input(self, slot: str, names: Sequence[str]) -> None:
        """Set the names of the Variables in an input slot."""
        self.of.set_input(slot, _names("OpDesc.set_input", slot, names))

    def set_output(self, slot: str, names: Sequence[str]) -> None:
        """Set the names of the Variables in an output slot."""
        self.of.set_output(slot, _names("OpDesc.set_output", slot, names))
        for name in self.of.outputs[slot]:
            variable = self.of.block.find(name) if self.of in self.of.block.ops else None
            if variable is not None:
                variable.op = self.of

    def _rename_input(self, old: str, new: str) -> None:
        self.of._rename_input(old, new)

    def _rename_output(self, old: str, new: str) -> None:
        self.of._rename_output(old, new)

    # --- attributes ---------------------------------------------------------------------------------------------------

    def attr_names(self) -> list[str]:
        """Return the names of all attributes."""
        return self.of.attr_names

    def has_attr(self, name: str) -> bool:
        """Return whether the operator has an attribute of this name."""
        return self.of.has_attr(name)

    def attr(self, name: str) -> Any:
        """Return the value of an attribute; a BlockDesc for a block.

        Raises:
            MissingKeyError: the operator has no such attribute.
        """
        return self.of.attr(name)

    def attr_type(self, name: str) -> AttrType:
        """Return the type of an attribute.

        Raises:
            MissingKeyError: the operator has no such attribute.
        """
        value = self.of.attr(name)
        return attr_kind(self.of, name, self.of.attrs.get(name, value))

    def _set_attr(self, name: str, value: Any) -> None:
        """Set an attribute; what `check_attrs` and inference say of the value comes later."""
        name, value = _text("OpDesc._set_attr", "name", name), plain(value)
        if value is None:
            value = False
        elif isinstance(value, bytes):
            value = value.decode()
        known = self.of.declared
        if known is None or name not in known.attrs:
            value = _undeclared(value)
        self.of.attrs[name] = value
        self._changed()

    def remove_attr(self, name: str) -> None:
        """Remove an attribute, if there is one of this name."""
        self.of._remove_attr(name)

    def set_serialized_attr(self, name: str, content: bytes) -> None:
        """Set an attribute to a text of bytes, such as that of a message."""
        self.of.attrs[_text("OpDesc.set_serialized_attr", "name", name)] = content
        self._changed()

    def set_block_attr(self, name: str, block: BlockDesc) -> None:
        """Set an attribute to a block."""
        self.of.attrs[_text("OpDesc.set_block_attr", "name", name)] = block.of
        self._changed()

    def set_blocks_attr(self, name: str, blocks: Sequence[BlockDesc]) -> None:
        """Set an attribute to a list of blocks."""
        self.of.attrs[_text("OpDesc.set_blocks_attr", "name", name)] = [block.of for block in blocks]
        self._changed()

    def _block_attr_id(self, name: str) -> int:
        """Return the index of the block in an attribute."""
        return self.of._block_attr_id(name)

    def _blocks_attr_ids(self, name: str) -> list[int]:
        """Return the indices of the blocks in an attribute."""
        return self.of._blocks_attr_ids(name)

    def set_is_target(self, is_target: bool) -> None:
        """Mark the operator as one that `core.prune` keeps, or as another one."""
        self.of.is_target = bool(is_target)

    # --- checks and inference -----------------------------------------------------------------------------------------

    def check_attrs(self) -> None:
        """Check the attributes that are set, and give the others their defaults.

        Raises:
            ArgumentValueError: the type is not set, is not that of an operator, or a value is not allowed.
        """
        if not self.of.type:
            raise ArgumentValueError(message("OpDesc.check_attrs", "type", "none", "a type", "Call set_type() before."))
        definition = _definition("OpDesc.check_attrs", self.of)
        definition.check_attrs({name: v for name, v in self.of.attrs.items() if name in definition.attrs})
        self.of.bare = False
        self._changed()

    def infer_shape(self, block: BlockDesc) -> None:
        """Infer the shapes of the results, and set them in the Variables of a block.

        Raises:
            ArgumentValueError: there is no operator of this type.
            MissingVariableError: the block has no Variable of a name.
            EnforceNotMet: the operator rejects shapes, dtypes or attributes.
        """
        _definition("OpDesc.infer_shape", self.of)
        infer_shapes(self.of, block.of)

    def infer_var_type(self, block: BlockDesc) -> None:
        """Infer the dtypes of the results, and set them in the Variables of a block.

        Raises:
            ArgumentValueError: there is no operator of this type.
            MissingVariableError: the block has no Variable of a name.
            EnforceNotMet: the operator rejects shapes, dtypes or attributes.
        """
        _definition("OpDesc.infer_var_type", self.of)
        infer_dtypes(self.of, block.of)


def _text(where: str, argument: str, value: str) -> str:
    if not isinstance(value, str):
        raise ArgumentTypeError(message(where, argument, describe(value), "a string"))
    return value


def _names(where: str, slot: str, names: Sequence[str]) -> list[str]:
    _text(where, "slot", slot)
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        raise ArgumentTypeError(message(where, f"slot {slot}", describe(names), "a list of names"))
    return list(names)


def _undeclared(value: Any) -> Any:
    """Return the value as PaddlePaddle keeps it for an attribute that the operator does not declare: truth as a number."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, list) and value and all(isinstance(each, (bool, int, float)) for each in value):
        return [float(v) if any(isinstance(each, float) for each in value) else int(v) for v in value]
    return value


def _definition(where: str, op: Operator) -> Any:
    definition = op.declared
    if definition is None:
        needs = "the type of an operator"
        raise ArgumentValueError(message(where, "type", repr(op.type), needs))
    return definition
