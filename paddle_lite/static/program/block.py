"""Blocks of a Program: Variables by name, and operators in execution order."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...core import result_names, unique_name
from ...core.dtype import VarType
from ...core.errors import ArgumentTypeError, ArgumentValueError, MissingVariableError, describe, message
from ...core.mode import state
from ...ops.support.attributes import of_kind, plain
from ...ops.support.meta import Meta
from . import naming, roles
from .described import described_text, describers
from .operator import Operator
from .redeclared import declare_again, require_same
from .shape_inference import infer_outputs
from .user_line import user_call, user_line
from .variable import Parameter, Variable

if TYPE_CHECKING:
    from ...ops.framework.spec import OpDef
    from ..desc.block import BlockDesc
    from .program import Program


class _BlockMeta(type):
    def __call__(cls, *args: Any, **more: Any) -> Any:
        """Return a new block; for `Block(program, idx)` the block of the Program with this index, if there is one."""
        if cls is Block and len(args) == 2 and not more:
            known = getattr(args[0], "blocks", ())
            if args[1] < len(known):
                return known[args[1]]
        return super().__call__(*args, **more)

    def __instancecheck__(cls, value: object) -> bool:
        """Return whether a value is a block, or that of imperative mode."""
        return type.__instancecheck__(cls, value) or (cls is Block and getattr(value, "runs_at_once", False))


class Block(metaclass=_BlockMeta):
    """A block of a Program; block 0 is the main one, the others are bodies of loops and branches."""

    def __init__(self, program: Program, idx: int, parent_idx: int = -1) -> None:
        self.program = program
        self.idx = idx
        self.parent_idx = parent_idx
        self.forward_block_idx = -1
        self.repeats = False  # whether it is being built as the body of a loop
        self.vars: OrderedDict[str, Variable] = OrderedDict()
        self.ops: list[Operator] = []
        self.removed_vars: OrderedDict[str, Variable] = OrderedDict()  # 1.8.5 keeps none in it, either

    @property
    def desc(self) -> BlockDesc:
        """Its description, a BlockDesc: a view of this block, as programs use it."""
        found: BlockDesc = describers["block"](self)
        return found

    def _sync_with_cpp(self) -> None:
        """Do nothing: the description of a block is a view of it."""

    def _set_forward_block_idx(self, idx: int) -> None:
        """Set the block whose gradients this block computes."""
        self.forward_block_idx = idx
        self.program._changed()

    @property
    def backward_block_idx(self) -> int:
        """The index of the block that computes the gradients of this block, -1 if there is none."""
        return next((other.idx for other in self.program.blocks if other.forward_block_idx == self.idx), -1)

    # --- Variables ----------------------------------------------------------------------------------------------------

    def has_var(self, name: str) -> bool:
        """Return whether this block itself has a Variable of this name."""
        return name in self.vars

    def var(self, name: str) -> Variable:
        """Return the Variable of this name in this block.

        Raises:
            MissingVariableError: this block has no such Variable.
            ArgumentTypeError: `name` is not a string.
        """
        if not isinstance(name, str):
            raise ArgumentTypeError(message("Block.var", "name", describe(name), "a name"))
        try:
            return self.vars[name]
        except KeyError:
            raise _no_variable("Block.var", name, list(self.vars), f"block {self.idx}") from None

    @property
    def parent(self) -> Block | None:
        """The enclosing block; None for block 0."""
        return None if self.parent_idx < 0 else self.program.blocks[self.parent_idx]

    def chain(self) -> list[Block]:
        """Return this block and those that enclose it, from the inside out."""
        chain: list[Block] = []
        block: Block | None = self
        while block is not None:
            chain.append(block)
            block = block.parent
        return chain

    def find(self, name: str) -> Variable | None:
        """Return the Variable of this name in this block or an enclosing one, or None."""
        block: Block | None = self
        while block is not None:
            found = block.vars.get(name)
            if found is not None:
                return found
            block = block.parent
        return None

    def variable(self, name: str) -> Variable:
        """Return the Variable of this name in this block or an enclosing one.

        Raises:
            MissingVariableError: none of these blocks has such a Variable.
        """
        found = self.find(name)
        if found is None:
            raise _no_variable("Program", name, list(self.vars), f"block {self.idx} and those around it")
        return found

    _var_recursive = variable
    _find_var_recursive = find

    def has_var_recursive(self, name: str) -> bool:
        """Return whether this block or an enclosing one has a Variable of this name."""
        return self.find(name) is not None

    def create_var(self, name: str | None = None, initializer: Any = None, **attributes: Any) -> Any:
        """Create a Variable in this block; if the name exists, return that Variable with these attributes.

        In imperative mode the Variable is one of that mode, which an operator appended to the block fills at once.

        Arguments:
            name: the name; None generates one.
            initializer: an Initializer whose operator is appended to this block.
            attributes: shape, dtype, type, lod_level, persistable, stop_gradient, is_data, need_check_feed.

        Raises:
            ShapeError: the name exists, and the Variable has another shape.
            ArgumentValueError: it has another dtype, type or number of LoD levels, or is persistable and the new one not.
        """
        target = state.mode.target_block(self)
        if target is not self:
            return target.create_var(name=name, initializer=initializer, **attributes)
        return self.declare_var(name, initializer, where="Block.create_var", **attributes)

    def declare_var(
        self, name: str | None = None, initializer: Any = None, *, where: str | None = None, **attributes: Any
    ) -> Variable:
        """Create a Variable in this block as `create_var` does, in imperative mode as well.

        `where` is the call in the error about a Variable that is another one already; without it that Variable is changed.
        """
        if name is None:
            name = unique_name.generate("_generated_var")
        known = self.vars.get(name)
        if known is not None:
            if where is not None:
                require_same(where, known, attributes)
            return declare_again(known, attributes)
        variable = Variable(self, name=name, **attributes)
        self._add(variable)
        if initializer is not None:
            initialise(self, variable, initializer)
        return variable

    def create_parameter(self, initializer: Any = None, *, shape: Any, dtype: Any, **attributes: Any) -> Parameter:
        """Create a Parameter in the Program's first block, and append the operator that initialises it to this block.

        Arguments:
            initializer: an Initializer, or None; not used for a Parameter of a name that this block initialises already.
            shape, dtype: of the Parameter.
            attributes: its name, and the other arguments of Parameter.

        Raises:
            ShapeError: the shape is empty, a size is less than 1, or a Variable of this name has another shape.
            ArgumentValueError: the dtype is None; a Variable of this name is no parameter, or has another dtype.
        """
        home = self.program.global_block()
        if dtype is None:
            raise ArgumentValueError(message("create_parameter", "dtype", None, "a dtype such as 'float32'"))
        known = home.vars.get(attributes.get("name", ""))
        if known is not None:
            require_same("create_parameter", known, {"shape": shape, "dtype": dtype, "persistable": True})
        parameter = Parameter(home, shape, dtype, **attributes)
        home._add(parameter)
        if initializer is not None and not (known is not None and self._writes(parameter.name)):
            initialise(self, parameter, initializer)
        return parameter

    def _writes(self, name: str) -> bool:
        """Return whether an operator of this block has an output of this name."""
        return any(name in op.output_arg_names for op in self.ops)

    def _add(self, variable: Variable) -> None:
        self.vars[variable._name] = variable
        self.program._changed()

    def _remove_var(self, name: str) -> None:
        self.var(name)
        del self.vars[name]
        self.program._changed()

    def _rename_var(self, old: str, new: str) -> Variable:
        """Rename a Variable of this block in the block and in all operators."""
        variable = self.var(old)
        if new in self.vars:
            raise ArgumentValueError(
                message("rename", "new name", repr(new), f"one that block {self.idx} does not have")
            )
        self._rename_here(old, new)
        for block in self.program.blocks:
            for op in block.ops:
                op._rename_input(old, new)
                op._rename_output(old, new)
        return variable

    def _rename_here(self, old: str, new: str) -> None:
        """Rename a Variable of this block, but in no operator."""
        self.vars[old]._name = new
        self.vars = OrderedDict((new if key == old else key, value) for key, value in self.vars.items())

    def _clone_variable(self, variable: Variable, force_persistable: bool = True) -> Variable:
        """Create a Variable in this block with the attributes of a Variable of another Program."""
        return self.declare_var(
            name=variable.name, shape=variable.shape, dtype=variable._dtype, type=variable.type, lod_level=variable.lod_level,
            persistable=force_persistable or variable.persistable, is_data=variable.is_data, need_check_feed=variable.need_check_feed,
        )  # fmt: skip

    def _copy_param_info_from(self, other: Block) -> None:
        """Make those Variables Parameters that are Parameters of a block of another Program.

        Raises:
            ArgumentTypeError: `other` is not a Block.
            MissingVariableError: a Parameter of it is not a Variable of this one.
        """
        from .inherited import block_parameters

        block_parameters(self, other)

    def all_parameters(self) -> list[Any]:
        """Return the Parameters of this block."""
        return [v for v in self.vars.values() if v.is_parameter]

    def program_name(self, name: str) -> str:
        """Return the name, or a unique one derived from it if this block or an enclosing one has it already."""
        return name if self.find(name) is None else unique_name.generate(name)

    def iter_parameters(self) -> Iterator[Parameter]:
        """Return an iterator over the Parameters of this block."""
        return iter(self.all_parameters())

    # --- operators ----------------------------------------------------------------------------------------------------

    def append_op(
        self,
        type: str | None = None,
        inputs: Mapping[str, Any] | None = None,
        outputs: Mapping[str, Any] | None = None,
        attrs: Mapping[str, Any] | None = None,
        stop_gradient: bool = False,
    ) -> Any:
        """Append an operator and infer the shapes and dtypes of its results.

        Arguments:
            type: the type of the operator.
            inputs, outputs: slot -> a Variable, a name, or a list of them.
            attrs: attributes; omitted ones, and those that are None, have the declaration's defaults.
            stop_gradient: whether gradients stop at its results.

        Returns:
            The Operator; None for Variables of imperative mode, for which the operator runs at once.

        Raises:
            ArgumentTypeError: a slot holds something other than Variables and names.
            ArgumentValueError: `type` is not given, or there is no such operator.
            EnforceNotMet: inference rejects the inputs or attributes.
        """
        target = state.mode.target_block(self)
        if target is not self and any(map(state.mode.is_variable, _held(inputs, outputs))):
            return target.append_op(type, inputs, outputs, attrs, stop_gradient)
        return self._insert(None, type, inputs, outputs, attrs, stop_gradient)

    def _prepend_op(self, type: str, inputs: Any = None, outputs: Any = None, attrs: Any = None, **_: Any) -> Operator:
        """Insert an operator before all others, like append_op."""
        return self._insert(0, type, inputs, outputs, attrs)

    def _insert_op(
        self, index: int, type: str, inputs: Any = None, outputs: Any = None, attrs: Any = None, **_: Any
    ) -> Operator:
        """Insert an operator at an index, like append_op."""
        return self._insert(index, type, inputs, outputs, attrs)

    def _insert(
        self, index: int | None, type: str | None, inputs: Any, outputs: Any, attrs: Any, stop_gradient: bool = False
    ) -> Operator:
        if type is None:
            raise ArgumentValueError(message("Block.append_op", "type", "None", "the type of an operator"))
        op = Operator(
            self,
            type,
            _named(type, inputs),
            _named(type, outputs),
            {},
            user_line(),
        )
        op.require_known()
        op.attrs = _with_role(self, type, _values(op.declared, attrs or {}))
        self.place(op, index)
        infer_outputs(op)
        if stop_gradient:
            for name in op.output_arg_names:
                self.variable(name).stop_gradient = True
        return op

    def place(self, op: Operator, index: int | None = None) -> None:
        """Add a complete operator to this block, at the end or at an index.

        Readers read where the Program was when they were made, so that what is appended later runs after them, and what
        is prepended, such as the step counter of a learning rate schedule, before.
        """
        if index is None:
            op.after_readers = bool(self.program._readers)
            self.ops.append(op)
        else:
            op.after_readers = index > 0 and self.ops[index - 1].after_readers
            self.ops.insert(index, op)
        for names in op.outputs.values():
            for name in names:
                variable = self.find(name)
                if variable is not None:
                    variable.op = op
        if op.declared is not None and op.declared.traits.arrays:
            self._make_arrays(op)
        self.program._changed()

    def _make_arrays(self, op: Operator) -> None:
        """Make the results of an operator that takes arrays of tensors, too, such arrays where it is given one."""
        given = (self.find(name) for name in op.input_arg_names)
        if any(v is not None and v.type == VarType.LOD_TENSOR_ARRAY for v in given):
            for name in op.output_arg_names:
                made = self.find(name)
                if made is not None:
                    made.type = VarType.LOD_TENSOR_ARRAY

    def record(
        self,
        op: Any,
        inputs: dict[str, list[str]],
        metas: Sequence[tuple[Any, list[Meta | None]]],
        attrs: dict[str, Any],
    ) -> list[list[Variable | None]]:
        """Append an operator call with known result metas; return new Variables for its results, by slot."""
        counts = {slot.name: n for slot, of_slot in metas if (n := len(of_slot) - of_slot.count(None))}
        line, name = user_call()
        outputs = result_names.name_results(op.type, counts, name)
        outputs = {slot: outputs[slot] for slot in counts}
        stopping = op.traits.stopped.split()
        made: list[list[Variable | None]] = []
        for slot, of_slot in metas:
            names = iter(outputs.get(slot.name, ()))
            stopped = slot.name in stopping
            made.append([None if m is None else self._result(next(names), m, stopped) for m in of_slot])
        self.place(Operator(self, op.type, inputs, outputs, _with_role(self, op.type, attrs), line, op))
        return made

    def _result(self, name: str, meta: Meta, stopped: bool) -> Variable:
        """Return the Variable for a result: a new one, or the existing one that results are written into."""
        known = self.find(name) if name in result_names.current().into.values() else None
        if known is not None:
            known.set_meta(meta)
            return known
        variable = self.vars[name] = Variable(self, name=name, stop_gradient=stopped)
        variable.set_meta(meta)
        return variable

    def redirect(self, result: Variable, target: Variable) -> None:
        """Make the operator that wrote `result` write `target` instead, or what has its name here, and remove `result`."""
        op, block = result.op, self.program.current_block()
        if target.block.program is not self.program:  # of the Program that this one was cloned from
            target = block.variable(target._name)
        fresh = (
            op is not None and op.block is block and block.ops[-1:] == [op]
            and not result.persistable and not result.is_data and result._name in block.vars
        )  # fmt: skip
        if not fresh or op is None:
            block.append_op("assign", {"X": result}, {"Out": target})
            return
        op._rename_output(result._name, target._name)
        target.set_meta(result.meta)
        if result.type == VarType.LOD_TENSOR_ARRAY:
            target.type = result.type
        target.op = op
        del block.vars[result._name]

    def _remove_op(self, index: int) -> None:
        """Remove an operator."""
        del self.ops[index]
        self.program._changed()

    def _slice_ops(self, start: int, end: int) -> list[Operator]:
        """Return the operators from one index to another."""
        return self.ops[start:end]

    # --- text ---------------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        from .printing import block_text

        return block_text(self)

    __str__ = __repr__

    def to_string(self, throw_on_error: bool = False, with_details: bool = False) -> str:
        """Return the block as a file of the Program holds it, as protobuf's text.

        Arguments:
            throw_on_error: accepted for Fluid code, ignored.
            with_details: whether to add what no file holds of Variables, such as `stop_gradient`.

        Raises:
            ArgumentTypeError: an argument is not a bool.
        """
        return described_text("block", self, throw_on_error, with_details)


def initialise(block: Block, variable: Variable, initializer: Any) -> Any:
    """Fill a Variable in a block by an Initializer, by its own `__call__` if it has one; return its operator."""
    return initializer(variable, block) if initializer.calls else fill(block, variable, initializer)


def fill(block: Block, variable: Variable, initializer: Any) -> Operator:
    """Insert the operator of an Initializer before all others of a block."""
    from .initialisation import drawn_for, initial_operation

    drawn = drawn_for(block, variable, initializer)
    type, attrs = initial_operation(initializer, drawn, block.program.random_seed)
    return block._prepend_op(type, {}, {"Out": drawn}, attrs)


def _held(*sides: Mapping[str, Any] | None) -> Iterator[Any]:
    """Yield what the slots of an operator hold."""
    for value in (value for slots in sides for value in (slots or {}).values()):
        yield from value if isinstance(value, (list, tuple)) else [value]


def _named(type: str, slots: Mapping[str, Any] | None) -> dict[str, list[str]]:
    """Return the names of the Variables in each slot."""
    named: dict[str, list[str]] = {}
    for slot, value in (slots or {}).items():
        values = value if isinstance(value, (list, tuple)) else [] if value is None else [value]
        names = []
        for each in values:
            name = each if isinstance(each, str) else getattr(each, "name", None)
            if not isinstance(name, str):
                raise ArgumentTypeError(
                    message(f"append_op({type})", slot, describe(each), "a Variable of a Program, or its name")
                )
            names.append(name)
        named[slot] = names
    return named


def _values(definition: OpDef | None, attrs: Mapping[str, Any]) -> dict[str, Any]:
    """Return attributes that a program gives, in the form in which Programs store them."""
    declared = {} if definition is None else definition.attrs
    given = [(name, value) for name, value in attrs.items() if value is not None]
    return {name: of_kind(declared[name].type, value) if name in declared else plain(value) for name, value in given}


def _with_role(block: Block, type: str, attrs: dict[str, Any]) -> dict[str, Any]:
    current = roles.current()
    role = current.role or block.program._role
    if role:
        attrs.setdefault("op_role", role)
        if current.variables:
            attrs.setdefault("op_role_var", list(current.variables))
    if current.device and roles.has_device(type):
        attrs.setdefault("op_device", current.device)
    scope = naming.namescope()
    if scope != "/":
        attrs.setdefault("op_namescope", scope)
    return attrs


def _no_variable(where: str, name: str, known: list[str], place: str) -> MissingVariableError:
    shown = ", ".join(known[:20]) + (" ..." if len(known) > 20 else "")
    return MissingVariableError(message(where, "variable", repr(name), f"one of {place}: {shown or 'none yet'}"))
