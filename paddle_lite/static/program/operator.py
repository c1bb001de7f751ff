"""Operators of a Program: a type, the names of the Variables in each slot, and attributes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ...core.errors import MissingKeyError, NotYetAvailable, UnknownNameError, message
from ...core.text import closest
from ...ops.framework import registry
from ...ops.framework.left_out import LEFT_OUT
from ...ops.framework.spec import CallSite, OpDef, file_name, single
from ...ops.support.attributes import of_kind
from ..operators.structural import definitions
from .described import described_text, describers
from .roles import OpRole

if TYPE_CHECKING:
    from ..desc.operator import OpDesc
    from ..proto import AttrType
    from .block import Block

COMMON = {"op_role": 0, "op_role_var": [], "op_namescope": "/", "op_callstack": [], "op_device": ""}
"""Attributes that every operator has, with their defaults."""


class FromFile(NamedTuple):
    """Information about an operator that a file contains in addition to its declaration.

    kinds: name -> `AttrType` of each attribute.
    problem: the reason why it cannot run here; "" if it can.
    """

    kinds: Mapping[str, int]
    problem: str = ""


class Operator:
    """One operator of a block.

    `inputs` and `outputs` map slots to lists of names; `attrs` holds the given attributes; the others have the defaults of
    the declaration. Change them by the methods, which invalidate the Program's Plans.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     op = fluid.layers.relu(fluid.data('x', [None, 8], 'float32')).op
    >>> op
    relu_0.tmp_0 = relu(X=x)
    >>> op.type, op.input('X'), op.output_arg_names
    ('relu', ['x'], ['relu_0.tmp_0'])
    """

    __slots__ = (
        "__dict__", "_definition", "after_readers", "attrs", "bare", "block", "forward", "from_file", "inputs", "is_target",
        "line", "outputs", "type",
    )  # fmt: skip

    def __init__(
        self,
        block: Block,
        type: str,
        inputs: dict[str, list[str]],
        outputs: dict[str, list[str]],
        attrs: dict[str, Any],
        line: tuple[str, int] | None = None,
        definition: OpDef | None = None,
    ) -> None:
        self.block = block
        self.type = type
        self.inputs = inputs
        self.outputs = outputs
        self.attrs = attrs
        self.line = line
        self.forward: Operator | None = None  # the forward operator of a gradient operator
        self.from_file: FromFile | None = None
        self.bare = False  # whether it lacks attributes and slots that are not set; see OpDesc.check_attrs
        self.is_target = False  # whether core.prune keeps it
        self.after_readers = False  # whether it runs after the readers of its Program; see Block.place
        self._definition = definition

    # --- declaration --------------------------------------------------------------------------------------------------

    @property
    def definition(self) -> OpDef:
        """The declaration of its type; raise NotYetAvailable if this version has none."""
        if self._definition is None:
            if self.from_file is not None and self.from_file.problem:
                raise NotYetAvailable(f"operator {self.type!r} of a file: {self.from_file.problem}")
            self._definition = definitions.get(self.type) or registry.get(self.type)
        return self._definition

    @property
    def declared(self) -> OpDef | None:
        """The declaration of its type, or None if this version has none."""
        try:
            return self.definition
        except NotYetAvailable:
            return None

    def require_known(self) -> None:
        """Raise UnknownNameError if neither this version nor PaddlePaddle 1.8.5 has operators of its type."""
        if self.declared is None and self.type.removesuffix("_grad") not in LEFT_OUT:
            close = closest(self.type, (*definitions, *(op.type for op in registry.all_ops())))
            hint = f" Did you mean {close!r}?" if close else ""
            raise UnknownNameError(f"append_op: there is no operator of the type {self.type!r}.{hint}")

    def site(self) -> CallSite:
        """Return the counter of its effects, which all Plans of its Program share."""
        sites = self.block.program._sites
        if self not in sites:
            names = [n for slot in self.definition.inputs for n in self.inputs.get(slot.name) or ()]
            results = [n for slot in self.definition.outputs for n in self.outputs.get(slot.name) or ()]
            sites[self] = CallSite(names, results)
        return sites[self]

    def live_attrs(self) -> dict[str, Any]:
        """Return the attributes that the kernel reads, by the names of the reference's parameters; floats as float32 holds
        them.
        """
        definition = self.definition
        attrs = {}
        for name in definition.live:
            spelled = file_name(name)
            value = self.attrs[spelled] if spelled in self.attrs else definition.attrs[spelled].default
            attrs[name] = single(value) if name in definition.singles else value
        return attrs

    @property
    def desc(self) -> OpDesc:
        """Its description, an OpDesc: a view of this operator, as programs use it."""
        found: OpDesc = describers["operator"](self)
        return found

    # --- slots --------------------------------------------------------------------------------------------------------

    def input(self, name: str) -> list[str]:
        """Return the names of the Variables in an input slot; [] if it is empty.

        Raises:
            MissingKeyError: the operator has no such slot.
        """
        return list(self._slot(self.inputs, name, "inputs"))

    def output(self, name: str) -> list[str]:
        """Return the names of the Variables in an output slot; [] if it is empty.

        Raises:
            MissingKeyError: the operator has no such slot.
        """
        return list(self._slot(self.outputs, name, "outputs"))

    def _slot(self, slots: Mapping[str, list[str]], name: str, which: str) -> list[str]:
        if name in slots:
            return slots[name]
        definition = None if self.bare else self.declared
        known = [s.name for s in getattr(definition, which)] if definition is not None else list(slots)
        if name not in known:
            raise MissingKeyError(message(f"Operator {self.type}", which[:-1], repr(name), f"one of {known}"))
        return []

    @property
    def input_names(self) -> list[str]:
        """The names of the input slots, in alphabetical order."""
        return self._names(self.inputs, "inputs")

    @property
    def output_names(self) -> list[str]:
        """The names of the output slots, in alphabetical order."""
        return self._names(self.outputs, "outputs")

    def _names(self, slots: Mapping[str, list[str]], which: str) -> list[str]:
        definition = None if self.bare else self.declared
        declared = [s.name for s in getattr(definition, which)] if definition is not None else []
        return sorted({*slots, *declared})

    @property
    def input_arg_names(self) -> list[str]:
        """The names of all input Variables, in the alphabetical order of their slots."""
        return [name for slot in sorted(self.inputs) for name in self.inputs[slot]]

    @property
    def output_arg_names(self) -> list[str]:
        """The names of all output Variables, in the alphabetical order of their slots."""
        return [name for slot in sorted(self.outputs) for name in self.outputs[slot]]

    def _rename_input(self, old: str, new: str) -> None:
        """Replace the input name `old` by `new`."""
        for names in self.inputs.values():
            names[:] = [new if name == old else name for name in names]
        self.block.program._changed()

    def _rename_output(self, old: str, new: str) -> None:
        """Replace the output name `old` by `new`."""
        for names in self.outputs.values():
            names[:] = [new if name == old else name for name in names]
        self.block.program._changed()

    def set_input(self, slot: str, names: list[str]) -> None:
        """Set the Variables of an input slot."""
        self.inputs[slot] = list(names)
        self.block.program._changed()

    def set_output(self, slot: str, names: list[str]) -> None:
        """Set the Variables of an output slot."""
        self.outputs[slot] = list(names)
        self.block.program._changed()

    # --- attributes ---------------------------------------------------------------------------------------------------

    def attr(self, name: str) -> Any:
        """Return the value of an attribute, or its default if it was not given.

        Raises:
            MissingKeyError: the operator has no such attribute.
        """
        if name in self.attrs:
            return _shown(self.attrs[name])
        if self.bare:
            raise self._no_attr(name)
        definition = self.declared
        if definition is not None and name in definition.attrs:
            return definition.attrs[name].default
        if name == "op_callstack":
            return [f'  File "{self.line[0]}", line {self.line[1]}'] if self.line else []
        if name in COMMON:
            return COMMON[name]
        raise self._no_attr(name)

    def _no_attr(self, name: str) -> MissingKeyError:
        known = ", ".join(self.attr_names) or "none yet"
        return MissingKeyError(message(f"Operator {self.type}", "attribute", repr(name), f"one of {known}"))

    def has_attr(self, name: str) -> bool:
        """Return whether the operator has an attribute of this name."""
        if name in self.attrs or self.bare:
            return name in self.attrs
        definition = self.declared
        return name in COMMON or (definition is not None and name in definition.attrs)

    def attr_type(self, name: str) -> AttrType:
        """Return the type of an attribute in a file of the Program, such as AttrType.INT.

        Raises:
            MissingKeyError: the operator has no such attribute.
        """
        return self.desc.attr_type(name)

    @property
    def attr_names(self) -> list[str]:
        """The names of all attributes."""
        if self.bare:
            return list(self.attrs)
        definition = self.declared
        declared = [] if definition is None else [n for n, a in definition.attrs.items() if a.default is not None]
        return list(dict.fromkeys([*declared, *self.attrs, *COMMON]))

    def all_attrs(self) -> dict[str, Any]:
        """Return all attributes with their values, a Block where a value is one."""
        return {name: self.attrs[name] if name in self.attrs else self.attr(name) for name in self.attr_names}

    def _set_attr(self, name: str, value: Any) -> None:
        """Set an attribute, whose value must have the declared type."""
        definition = self.declared
        if definition is not None and name in definition.attrs:
            value = of_kind(definition.attrs[name].type, value)
            definition.check_attrs({name: value})
        self.attrs[name] = value
        self.block.program._changed()

    set_attr = _update_desc_attr = _set_attr

    def _remove_attr(self, name: str) -> None:
        self.attrs.pop(name, None)
        self.block.program._changed()

    @property
    def role(self) -> int:
        """The role of the operator, a combination of roles.OpRole."""
        return self.attrs.get("op_role", 0)

    def _block_attr_id(self, name: str) -> int:
        """Return the index of the block in an attribute."""
        value = self.attr(name)
        return value if isinstance(value, int) else value.id

    def _block_attr(self, name: str) -> Block:
        """Return the block in an attribute."""
        return self.block.program.block(self._block_attr_id(name))

    def _blocks_attr_ids(self, name: str) -> list[int]:
        """Return the indices of the blocks in an attribute."""
        return [value if isinstance(value, int) else value.id for value in self.attr(name)]

    def _blocks_attr(self, name: str) -> list[Block]:
        """Return the blocks in an attribute."""
        return [self.block.program.block(index) for index in self._blocks_attr_ids(name)]

    def _is_optimize_op(self) -> bool:
        """Return whether it is an operator of an optimizer's update."""
        return bool(self.role & OpRole.Optimize)

    # --- text ---------------------------------------------------------------------------------------------------------

    @property
    def idx(self) -> int:
        """The index of the operator in its block."""
        return self.block.ops.index(self)

    def __repr__(self) -> str:
        outputs = ", ".join(self.output_arg_names)
        inputs = [f"{slot}={n[0] if len(n) == 1 else n}".replace("'", "") for slot, n in self.inputs.items() if n]
        definition = self.declared
        hidden = {*COMMON, "op_role"}
        attrs = [
            f"{name}={value!r}" if not hasattr(value, "idx") else f"{name}=block {value.idx}"
            for name, value in self.attrs.items()
            if name not in hidden
            and not (definition is not None and name in definition.attrs and definition.attrs[name].default == value)
        ]
        return f"{outputs}{' = ' if outputs else ''}{self.type}({', '.join(inputs + attrs)})"

    __str__ = __repr__

    def to_string(self, throw_on_error: bool = False) -> str:
        """Return the operator as a file of the Program holds it, as protobuf's text, with all attributes.

        Raises:
            ArgumentTypeError: `throw_on_error`, which is accepted for Fluid code, is not a bool.
        """
        return described_text("operator", self, throw_on_error)


def _shown(value: Any) -> Any:
    """Return the value of an attribute as programs see it: the descriptions of blocks."""
    if isinstance(value, list):
        return [_shown(each) for each in value] if value and hasattr(value[0], "desc") else value
    return value.desc if hasattr(value, "desc") else value
