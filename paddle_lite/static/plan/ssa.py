"""The conversion of the operators of a block to instructions over SSA values.

Each write of a Variable creates a new value. So a gradient operator reads the value that its forward operator read,
even if the Variable has been overwritten since. The LoD of a value is a separate value, which exists only if the value
may have a LoD.
"""

from __future__ import annotations

from collections import ChainMap, Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...core.dtype import VarType
from ...core.errors import GraphError
from ...core.threads.cached import cached_property
from ...kernels.registry import array_module
from ...ops.framework.dispatch import kernel_of
from ...ops.framework.spec import OpDef, Slot
from ...ops.framework.validation import is_validated
from ..operators.structural import EMPTY
from ..program.block import Block
from ..program.operator import Operator
from ..program.program import Program
from .checks import ShapeChecks
from .graph import FunctionGraph, History
from .ir import Call, Instruction, Line, Part, Value, in_order, joined, line, listed, shape_only, text_of
from .needed import all_reads, has_effects, idle_gradients, left_slots

if TYPE_CHECKING:
    from .loops.body import Body

SYMBOLS = {
    np.add: "+", np.subtract: "-", np.multiply: "*", np.less: "<", np.less_equal: "<=", np.greater: ">", np.greater_equal: ">=",
}  # fmt: skip
"""NumPy functions that are faster when called as Python operators."""

Lods = dict[str, "list[Value | None] | Value | None"]
"""The LoDs of the inputs of an operator by slot: one LoD, or a list of LoDs for a slot that takes several values."""


class Options(NamedTuple):
    """The options for compiling a Plan.

    device: "cpu" or "gpu". checked: whether inference checks the inputs of each operator before it runs.
    observed: whether observing.started and observing.finished are called around each operator. passes: the names of the
    passes. bodies: the compiled blocks of the enclosing functions, as `Builder.bodies`. shapes: the checks of shapes that
    depend on values; None for a function without them. writes: Variable name -> how many operators of the Program write it; None
    before they are counted.
    """

    device: str
    checked: bool = False
    observed: bool = False
    passes: frozenset[str] = frozenset()
    bodies: Mapping[int, tuple[Body, int]] = MappingProxyType({})
    shapes: ShapeChecks | None = None
    writes: Mapping[str, int] | None = None


class Lowered(NamedTuple):
    """The result of lowering an operator.

    line: the line that runs it. loads, stores: the values that the line loads and stores. scope: the globals of the
    line. body: the compiled block that the line runs, and the number of its part.
    """

    line: Line
    loads: Sequence[Value]
    stores: Sequence[Value]
    scope: Mapping[str, Any]
    body: tuple[Body, int] | None = None


Lowering = Callable[["Builder", int, Operator], Lowered]
lowerings: dict[str, Lowering] = {}

BLOCK_GRADIENTS = frozenset({"while_grad", "conditional_block_grad", "recurrent_grad"})
"""The gradient operators of operators with blocks."""
"""Operator type -> the lowering of an operator that is no kernel call: it has blocks, or it calls Python."""


def lowers(*types: str) -> Callable[[Lowering], Lowering]:
    """Register a function as the lowering of these operator types: `f(builder, place, op)` returns a Lowered."""

    def marked(function: Lowering) -> Lowering:
        lowerings.update(dict.fromkeys(types, function))
        return function

    return marked


def _writes(program: Program) -> Mapping[str, int]:
    """Return Variable name -> how many operators of a Program write it."""
    return Counter(name for block in program.blocks for op in block.ops for name in op.output_arg_names)


def _inside(op: Operator) -> Iterator[Operator]:
    """Yield the operators of the blocks of an operator, however deep."""
    block = op.attrs.get("sub_block")
    for each in block.ops if isinstance(block, Block) else ():
        yield each
        yield from _inside(each)


class Builder:
    """A builder of the instructions of one function.

    Arguments:
        block: the block of the operators. ops: the operators to run.
        inputs: the names that are read before they are written, in the order of the function's arguments.
        ragged: the inputs that have a LoD.
        parts: the parts after the first.
        options: the options for compiling the Plan.
        traces_read_once: whether the trace that a loop saves for its gradient is read once, and may be freed while it
            is read.

    Attributes:
        now: Variable name -> its current value. first: input name -> its initial value. arrived: name that a part receives -> its
            value there.
        ragged_now: the names whose current values may have a LoD.
        bodies: id of an operator with a block -> the compiled block, and the number of the part that the operator runs;
            also those of the enclosing functions, whose gradients may run in a branch.
    """

    def __init__(
        self, block: Block, ops: Sequence[Operator], inputs: Sequence[str], ragged: Collection[str], parts: Sequence[Part],
        options: Options, traces_read_once: bool = True,
    ) -> None:  # fmt: skip
        if options.writes is None:
            options = options._replace(writes=_writes(block.program))
        self.block, self.ops, self.parts, self.options = block, ops, parts, options
        self.traces_read_once = traces_read_once
        self.bodies: ChainMap[int, tuple[Body, int]] = ChainMap({}, options.bodies)  # type: ignore[arg-type]
        self._count = 0
        self._idle: dict[int, set[str]] = {}  # id of a gradient operator -> the gradients that it need not compute
        self._writes: Mapping[str, int] = options.writes or {}
        self._named: set[str] = set()  # Variables that have a value here
        self._read_first: set[str] = set()  # inputs that an operator has read
        self._overwritten: dict[Value, int] = {}
        self._before: dict[Value, Value] = {}
        self._of: dict[int, Instruction] = {}  # id(operator) -> its instruction
        self.first = {name: self._input(name, self._register(), name in ragged) for name in inputs}
        self.ragged = [name for name in inputs if name in ragged]
        for name in self.ragged:
            self.lod_for(self.first[name])
        self.now = dict(self.first)
        self.arrived: dict[str, Value] = {}
        self.ragged_now = set(self.ragged)

    def build(self, results: Sequence[str]) -> FunctionGraph:
        """Return the graph of all operators; results: the names that the first part returns."""
        instructions: list[Instruction] = []
        ends: list[list[Value | None]] = []
        self._idle = idle_gradients(self.ops, {*results, *(name for part in self.parts for name in part.results)})
        for arriving, returned, until in self._spans(results):
            for name in arriving:
                self.now[name] = self._input(name, self.first[name].register, self.first[name].ragged)
                self.now[name].lod = self.first[name].lod
                self._note_ragged(self.now[name])
                self.arrived[name] = self.now[name]
            for place in range(len(instructions), until):
                op = self.ops[place]
                instruction = self._of[id(op)] = self._instruction(place, op)
                instructions.append(instruction)
                self._assign(instruction)
            ends.append([self.now.get(name) for name in returned])
        inputs = [*self.first.values(), *(self.first[name].lod for name in self.ragged)]
        several = frozenset(name for name in self._named if self._several(name, name in self._read_first))
        history = History(self._overwritten, self._before, several)
        return FunctionGraph(self.block, instructions, inputs, ends, self.parts, history, self.options.device)  # type: ignore[arg-type]

    def _spans(self, results: Sequence[str]) -> Iterator[tuple[Sequence[str], Sequence[str], int]]:
        """Return for each part the names that it receives, the names that it returns, and the place of its end."""
        stops = [*(part.start for part in self.parts), len(self.ops)]
        own = [((), results), *((part.arriving, part.results) for part in self.parts)]
        return ((*names, stop) for names, stop in zip(own, stops, strict=True))

    # --- values -----------------------------------------------------------------------------------------------------------

    def _register(self) -> str:
        self._count += 1
        return f"v{self._count}"

    def lod_for(self, value: Value) -> Value:
        """Create the value for the LoD of a value."""
        lod = value.lod = Value(value.name, self._register(), value.place, levels=True)
        return lod

    def new(self, name: str, place: int) -> Value:
        """Create the value of a Variable that is written by an operator with a lowering."""
        return self._made(name, place, ragged=False)

    def _made(self, name: str, place: int, ragged: bool) -> Value:
        return self._value(name, self._register(), place, ragged, name in self._read_first)

    def _input(self, name: str, register: str, ragged: bool) -> Value:
        return self._value(name, register, -1, ragged, True)

    def _value(self, name: str, register: str, place: int, ragged: bool, read_first: bool) -> Value:
        self._named.add(name)
        variable = self.block.find(name)
        if variable is None or variable.type != VarType.LOD_TENSOR:
            return Value(name, register, place, ragged=ragged)
        meta = variable.meta
        sure = self.block.idx == 0 and not self._several(name, read_first)
        return Value(name, register, place, tuple(meta.shape), meta.dtype, ragged=ragged, sure=sure)

    def _several(self, name: str, read_first: bool) -> bool:
        """Return whether a Variable has several values; False for persistable Variables, whose shape is constant.

        So has a gradient of one with several values: the Program gives all these gradients the shape of the last value.
        """
        base = name.partition("@GRAD")[0]
        if base != name and self._several(base, base in self._read_first):
            return True
        if self._writes.get(name, 0) + read_first < 2:
            return False
        variable = self.block.find(name)
        return variable is None or not variable.persistable

    def current(self, name: str) -> Value:
        """Return the current value of a Variable.

        Raises:
            GraphError: the Variable has no value.
        """
        value = self.now.get(name)
        if value is None:
            raise GraphError(f"{name} is read before anything has written it")
        if value.place < 0:
            self._read_first.add(name)
        return value

    def reading(self, op: Operator, slot: str, name: str) -> Value:
        """Return the value that an operator reads: for a gradient operator, the one that its forward operator used."""
        forward = None if slot.endswith("@GRAD") else self._of.get(id(op.forward))
        if forward is not None and op.forward is not None:
            side = forward.read if slot in op.forward.inputs else forward.made
            found = (v for values in side.values() for v in values if v is not None and v.name == name)
            value = next(found, None)
            if value is not None:
                return value
        return self.current(name)

    def _assign(self, instruction: Instruction) -> None:
        """Make the results of an operator the current values of their Variables."""
        for value in instruction.makes():
            before = self.now.get(value.name)
            if before is not None and (before.place >= 0 or value.name in self._read_first):
                self._before[value] = before
                self._overwritten[before] = instruction.place
            self.now[value.name] = value
            self._note_ragged(value)

    def _note_ragged(self, value: Value) -> None:
        (self.ragged_now.discard if value.lod is None else self.ragged_now.add)(value.name)

    # --- operators --------------------------------------------------------------------------------------------------------

    def _instruction(self, place: int, op: Operator) -> Instruction:
        definition = op.definition
        if op.type in lowerings:
            return self._lowered(place, op, definition)
        attrs = op.live_attrs()
        read = {
            slot.name: [self.reading(op, slot.name, name) for name in op.inputs.get(slot.name) or ()]
            for slot in definition.inputs
        }
        training = definition.traits.training
        drawn = definition.effects == "random" and (training is None or training(attrs))
        effects = {"random"} if drawn else {"io"} if has_effects(op) or definition.effects not in ("", "random") else ()
        taken = [value for values in read.values() for value in values]
        sure = all(v.sure for v in taken)
        made: dict[str, list[Value | None]] = {slot: [] for slot in op.outputs}
        idle, left = self._idle.get(id(op), ()), left_slots(op)
        for slot in definition.outputs:
            names = [EMPTY if slot.name in left else name for name in op.outputs.get(slot.name) or ()]
            made[slot.name] = [
                None if name == EMPTY or name in idle else self._made(name, place, ragged)
                for name, ragged in zip(names, self._make_lods(op, read, slot, len(names)), strict=True)
            ]
        results = [v for values in made.values() for v in values if v is not None]
        for value in results:
            value.sure = sure and value.sure
        return _CallOf(self, place, op, definition, attrs, read, made).instruction(frozenset(effects))

    def _make_lods(self, op: Operator, read: Mapping[str, Sequence[Value]], slot: Slot, count: int) -> list[bool]:
        """Return for each of the `count` results in a slot of an operator whether it may have a LoD."""
        rule = op.definition.lod
        if rule is None or rule == "made":
            return [rule is not None] * count
        if callable(rule):
            found = (self.block.find(name) for name in op.output_arg_names)
            given = any(v.ragged for values in read.values() for v in values)
            return [given or any(v is not None and v.lod_level for v in found)] * count
        return [value is not None and value.ragged for value in _givers(read.get(rule), slot, count)]

    def _lowered(self, place: int, op: Operator, definition: OpDef) -> Instruction:
        """Return the instruction of an operator with a lowering."""
        structural = any(isinstance(v, Block) for v in op.attrs.values()) or op.type == "write_to_array"
        if structural:  # it reads the Variables that it writes, or those that its block reads
            read = {"": [self.current(name) for name in all_reads(op) if name in self.now]}
            ragged, sure = True, False
        else:
            read = {
                slot.name: [self.reading(op, slot.name, name) for name in op.inputs.get(slot.name) or ()]
                for slot in definition.inputs
            }
            counts = [(slot, len(op.outputs.get(slot.name) or ())) for slot in definition.outputs]
            ragged = any(any(self._make_lods(op, read, slot, count)) for slot, count in counts)
            sure = all(v.sure for values in read.values() for v in values)
        lowered = lowerings[op.type](self, place, op)
        loads = [*lowered.loads, *(v.lod for v in lowered.loads if v.lod is not None)]
        stores = [*lowered.stores, *(v.lod for v in lowered.stores if v.lod is not None)]
        of = {value.name: value for value in lowered.stores}
        for value in of.values():
            value.ragged, value.sure = ragged, sure and value.sure
        made = {slot: [of.get(name) for name in names] for slot, names in op.outputs.items()}
        return Instruction(
            op, place, {} if structural else op.live_attrs(), read, made, frozenset({"blocks" if structural else "io"}),
            lines=(lowered.line,), loads=tuple(dict.fromkeys(loads)), stores=tuple(dict.fromkeys(stores)), scope=lowered.scope,
            body=lowered.body,
        )  # fmt: skip

    # --- gradients of operators with blocks -------------------------------------------------------------------------------

    @cached_property
    def beside(self) -> frozenset[int]:
        """The ids of the operators."""
        return frozenset(map(id, self.ops))

    @cached_property
    def block_gradients(self) -> Mapping[int, Sequence[Operator]]:
        """Id of an operator with a block -> its gradient operators: those beside it, then those in branches behind it."""
        nested = (each for outer in self.ops for each in _inside(outer))
        found: dict[int, list[Operator]] = {}
        for op in (*self.ops, *nested):
            if op.forward is not None and op.type in BLOCK_GRADIENTS:
                found.setdefault(id(op.forward), []).append(op)
        return found


class _CallOf:
    """The call of an operator's kernel, with the lines that propagate LoDs.

    Arguments:
        builder: the builder, which creates new values. place, op, definition, attrs: the operator's.
        read, made: the values that the operator reads and makes.
    """

    def __init__(
        self, builder: Builder, place: int, op: Operator, definition: OpDef, attrs: dict[str, Any],
        read: Mapping[str, Sequence[Value]], made: Mapping[str, Sequence[Value | None]],
    ) -> None:  # fmt: skip
        self.builder, self.place, self.op, self.definition, self.attrs = builder, place, op, definition, attrs
        self.read, self.made = read, made
        self.scope: dict[str, Any] = {}
        self.lods: Lods = {}
        self.arguments: list[Line] = []
        for slot in definition.inputs:
            values = read[slot.name]
            if slot.many:
                given = bool(values) or not slot.optional
                self.arguments.append(line("[{}]", joined(values)) if given else ("None",))
                self.lods[slot.name] = [v.lod for v in values] if given else None
            else:
                self.arguments.append((values[0],) if values else ("None",))
                self.lods[slot.name] = values[0].lod if values else None
        self.targets = [self._target(made[slot.name], slot.many) for slot in definition.outputs]

    @staticmethod
    def _target(values: Sequence[Value | None], many: bool) -> Line:
        """Return the assignment target for an output slot."""
        parts: list[str | Value] = ["_" if value is None else value for value in values]
        if many:
            return line("[{}]", joined(parts)) if parts else ("_",)
        return (parts[0],) if parts else ("_",)

    def instruction(self, effects: frozenset[str]) -> Instruction:
        """Return the instruction that calls the kernel."""
        call = self._call()
        shaped = shape_only(self.definition)
        whole = [v for slot, values in self.read.items() if slot not in shaped for v in values]
        lods = [lod for found in self.lods.values() for lod in _flat(found)]
        loads = (*in_order(whole), *dict.fromkeys(lods))
        measures = in_order(v for slot in shaped for v in self.read.get(slot) or () if v not in loads)
        made = [v for slot in self.definition.outputs for v in self.made[slot.name] if v is not None]
        stores = (*made, *dict.fromkeys(v.lod for v in made if v.lod is not None))
        lines = (call.run, *call.lods)
        return Instruction(
            self.op, self.place, self.attrs, self.read, self.made, effects, call, lines, loads, measures, stores,
            scope=self.scope,
        )  # fmt: skip

    def _call(self) -> Call:
        """Return the lines of the operator."""
        place, op, definition = self.place, self.op, self.definition
        keywords = [f"{name}={self._constant(value, name)}" for name, value in self.attrs.items()]
        if definition.wants_need:
            keywords.append(f"need={self._need()}")
        given: list[Line] = [(keyword,) for keyword in keywords]
        if definition.needs_lod:
            self._lods_of_gradients(definition.needs_lod.split())
            needed = [_lod_line(self.lods[slot]) for slot in definition.needs_lod.split()]
            given.append(line("lod={}", needed[0] if len(needed) == 1 else line("({})", listed(needed))))
        if definition.wants_site:
            self.scope[f"site{place}"] = op.site()
            given.append((f"site=site{place}",))
        if definition.infer is not None:
            self.scope |= {f"op{place}": definition, f"attrs{place}": self.attrs}
        kernel = self._kernel(given)
        lods_given = tuple([_lod_line(self.lods[slot.name]) for slot in definition.inputs])
        judged = (definition.infer is not None, is_validated(definition))
        if definition.lod == "made":
            return Call(*self._with_made_lods(kernel), tuple(self.arguments), lods_given, *judged)
        left = self.targets[0] if len(self.targets) == 1 else joined(self.targets)
        run = (*left, " = ", *kernel) if self.targets else kernel
        return Call(run, tuple(self._lods()), tuple(self.arguments), lods_given, *judged)

    def _kernel(self, keywords: Sequence[Line]) -> Line:
        """Return the expression that calls the kernel."""
        place, definition, device = self.place, self.definition, self.builder.options.device
        if device == "cpu" and definition.ufunc is not None and self.op.attr("axis") == -1:
            if definition.ufunc in SYMBOLS:
                return joined(self.arguments, f" {SYMBOLS[definition.ufunc]} ")
            self.scope[f"u{place}"] = definition.ufunc
            return (f"u{place}(", *joined(self.arguments), ")")
        other = definition.traits.out_of_place
        if other is not None and self.op.outputs.get(other.made) != self.op.inputs.get(other.given):
            self.scope[f"k{place}"] = partial(other.reference, array_module(device))
        else:
            self.scope[f"k{place}"] = kernel_of(definition, device)
        return (f"k{place}(", *joined([*self.arguments, *keywords]), ")")

    def _constant(self, value: Any, name: str) -> str:
        if value is None or isinstance(value, (bool, int, str)):
            return repr(value)
        key = f"c{self.place}_{name}"
        self.scope[key] = tuple(value) if isinstance(value, list) else value
        return key

    def _need(self) -> str:
        """Return the text of a tuple of bools: whether each output exists, with a tuple for each list slot."""
        wanted = []
        for slot in self.definition.outputs:
            exist = tuple(value is not None for value in self.made[slot.name])
            wanted.append(str(exist) if slot.many else str(bool(exist) and exist[0]))
        return f"({''.join(f'{each}, ' for each in wanted)})"

    # --- LoDs -------------------------------------------------------------------------------------------------------------

    def _lods_of_gradients(self, needed: Iterable[str]) -> None:
        """Give an operator that is applied to gradients, which have no LoDs, the LoDs of the forward values."""
        op, now = self.op, self.builder.now
        if self.definition.forward is not None:
            return
        for slot in needed:
            names = op.inputs.get(slot) or []
            if len(names) != 1 or self.lods[slot] is not None or "@GRAD" not in "".join(op.output_arg_names):
                continue
            of = [name.partition("@GRAD")[0] for name in (*names, *op.output_arg_names) if "@GRAD" in name]
            found = (now[name].lod for name in of if name in now)
            self.lods[slot] = next((lod for lod in found if lod is not None), None)

    def _with_made_lods(self, kernel: Line) -> tuple[Line, tuple[Line, ...]]:
        """Return the call of a kernel that returns results and LoDs, and the lines that unpack the LoDs."""
        name = f"made{self.place}"
        if len(self.targets) == 1 and not self.definition.outputs[0].many:
            made = Value(name, name, self.place, levels=True)
            for values in self.made.values():
                for value in values:
                    if value is not None:
                        value.lod = made
            return line("{}, {} = {}", self.targets[0], made, kernel), ()
        lines = [each for i, slot in enumerate(self.definition.outputs) for each in self._lods_of(slot, f"{name}[{i}]")]
        return line("({}), {} = {}", joined(self.targets), name, kernel), tuple(lines)

    def _lods(self) -> list[Line]:
        """Return the lines that assign the LoDs of the results."""
        rule = self.definition.lod
        made = [v for slot in self.definition.outputs for v in self.made[slot.name] if v is not None]
        if callable(rule):
            expected = any((v := self.builder.block.find(each.name)) is not None and v.lod_level for each in made)
            return self._by_rule() if expected or any(map(_flat, self.lods.values())) else []
        given = self.lods.get(rule) if rule is not None else None
        lods = given if isinstance(given, list) else [given]
        lines: list[Line] = []
        for slot in self.definition.outputs:
            values = self.made[slot.name]
            for value, lod in zip(values, _givers(lods, slot, len(values)), strict=True):
                if value is not None and lod is not None:
                    lines.append((self.builder.lod_for(value), " = ", lod))
        return lines

    def _by_rule(self) -> list[Line]:
        """Return the lines that compute LoDs by the `lod` function of the operator's declaration."""
        place = self.place
        self.scope |= {f"rule{place}": self.definition.lod, f"attrs{place}": self.attrs}
        given = listed(_lod_line(self.lods[slot.name]) for slot in self.definition.inputs)
        shown = [text_of(target) for target in self.targets]
        outs = listed(
            ("None",) if "_" in text.split(", ") or text == "_" else target
            for text, target in zip(shown, self.targets, strict=True)
        )
        name = f"made{place}"
        lines = [
            line(f"{name} = rule{place}(({{}}), ({{}}), ({{}}), attrs{place})", given, listed(self.arguments), outs)
        ]
        for i, slot in enumerate(self.definition.outputs):
            lines += self._lods_of(slot, f"{name}[{i}]")
        return lines

    def _lods_of(self, slot: Slot, one: str) -> list[Line]:
        """Return the lines that assign the LoDs of an output slot, one for each of its results."""
        lines = []
        for j, value in enumerate(v for v in self.made[slot.name] if v is not None):
            each = f"{one}[{j}] if isinstance({one}, list) else {one}" if slot.many else one
            lines.append(line("{} = {}", self.builder.lod_for(value), each))
        return lines


def _givers(given: Sequence[Any] | None, slot: Slot, count: int) -> list[Any]:
    """Return for each result in an output slot what it takes its LoD from: the first input, or each of a list its own.

    Arguments:
        given: the inputs that give LoDs, or their LoDs.
        slot: the output slot.
        count: the number of its results.
    """
    if given and slot.many and len(given) == count:
        return list(given)
    return [given[0] if given else None] * count


def _flat(lods: list[Value | None] | Value | None) -> list[Value]:
    if isinstance(lods, list):
        return [lod for lod in lods if lod is not None]
    return [] if lods is None else [lods]


def _lod_line(lods: list[Value | None] | Value | None) -> Line:
    if isinstance(lods, list):
        return line("[{}]", joined("None" if lod is None else lod for lod in lods))
    return ("None" if lods is None else lods,)
