"""Writing a block as one Python function: a line for each operator, a local variable for each value.

Each time a Variable is written it gets a new local variable, so a gradient operator reads what its forward operator read,
even where the Variable was overwritten since. A value that nobody reads any more is deleted. LoDs travel in variables of
their own, and only where there may be one.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ...core.errors import GraphError
from ...core.lod import level_of
from ...core.tensor_array import TensorArray
from ...ops.framework.emit import ArraySpec, kernel_of
from ...ops.framework.spec import OpDef, Slot
from ...ops.framework.validation import is_validated
from ...ops.support.meta import Meta
from ..operators.structural import EMPTY
from ..program.block import Block
from ..program.operator import Operator
from . import observing
from .graph import Graph, Part, Unit, home, parts_of, shape_only
from .liveness import is_array
from .passes import rewrite

NAMED = 8  # types of operators in a comment

SYMBOLS = {
    np.add: "+", np.subtract: "-", np.multiply: "*", np.less: "<", np.less_equal: "<=", np.greater: ">", np.greater_equal: ">=",
}  # fmt: skip
"""Functions of NumPy that cost less as operators of Python."""

emitters: dict[str, Callable[[Source, int, Operator], list[str]]] = {}
"""Operators whose lines are written otherwise: control_source.py puts those with blocks here."""


class Source:
    """The source of one block, with what it refers to.

    Arguments:
        block: the block.
        ops: the operators to run.
        inputs: the names that are read before they are written, in the order of the function's argument.
        ragged: those of them that carry a LoD.
        results: the names to return.
        device: "cpu" or "gpu".
        checked: whether inference judges the inputs of each operator before it runs.
        observed: whether observing.started and observing.finished are called around each operator.
        passes: the passes that its operators go through.
    """

    traces_read_once = True
    """Whether what a loop leaves for its gradient is read once, and may be freed on the way."""

    def __init__(
        self,
        block: Block,
        ops: Sequence[Operator],
        inputs: Sequence[str],
        ragged: Iterable[str],
        results: Sequence[str],
        device: str,
        checked: bool,
        observed: bool = False,
        passes: Collection[str] = (),
    ) -> None:
        self.block = block
        self.ops = ops
        self.results = results
        self.device = device
        self.checked = checked
        self.observed = observed
        self.passes = passes
        self.scope: dict[str, Any] = {"__name__": __name__, "check": check_call, "Like": ArraySpec}
        self.options = (device, checked, observed, frozenset(passes))
        self.bodies: dict[int, tuple[Any, int]] = {}  # id(operator) -> its compiled block, and which part of it it runs
        self.op_of_line: dict[int, int] = {}  # line number -> place in `ops`
        self.checks: dict[
            int, str
        ] = {}  # place in `ops` -> the expression that raises what inference says of its inputs
        self.now: dict[str, str] = {}  # Variable -> the local variable that holds it
        self.lod: dict[str, str] = {}  # local variable -> the one that holds its LoD
        self.then: dict[int, tuple[dict[str, str], dict[str, str]]] = {}  # id(operator) -> what it read and wrote
        self.touched: list[list[str]] = []  # by place: the local variables that the operator reads or writes
        self.measured: list[list[str]] = []  # those that it reads shape and dtype of only
        self._reads: dict[str, str] = {}
        self._writes: dict[str, str] = {}
        self.alone: dict[int, list[str]] = {}  # by place: the line that checks shapes and dtypes
        self.calls: dict[int, list[str]] = {}  # by place: the lines that call the kernel
        self.parts: dict[Any, dict[int, int]] = {}  # code of operators that stand for a kernel -> line number -> place
        self.lod_lines: dict[int, list[str]] = {}  # by place: those that hand on LoDs
        self.fixed: set[str] = set()  # names that hold a constant
        self.alike: set[str] = set()  # local variables that hold shape and dtype only
        self.count = 0
        for name in inputs:
            self.now[name] = self._new()
        self.first = dict(self.now)
        self.ragged = [name for name in inputs if name in set(ragged)]
        for name in self.ragged:
            self.lod[self.now[name]] = self._new()
        self.inputs = [self.now[n] for n in inputs]
        self.input_lods = [self.lod[self.now[n]] for n in self.ragged]
        self.graph: Graph | None = None  # what went through the passes
        self.behind: Sequence[Part] = ()  # the parts behind the first
        self.ends: list[list[str]] = []  # part by part: the local variables that hold its results

    def _new(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def write(self) -> str:
        """The whole source."""
        body = self._body()
        [ends] = self.ends
        lods = [self.lod.get(register, "None") for register in ends]
        dead, faded = self._deaths({*ends, *lods})
        lines = ["def plan(inputs, lods):"]
        if self.inputs:
            lines += [f"    {listed(self.inputs)}= inputs", "    del inputs"]
        if self.input_lods:
            lines += [f"    {listed(self.input_lods)}= lods"]
        lines += self._empty_arrays(self.first)
        self._add(lines, body, dead, faded)
        lines.append(f"    return ({listed(ends)}), ({listed(lods)})")
        return "\n".join(lines) + "\n"

    def _body(self) -> list[tuple[int, list[str]]]:
        """The place of each operator with the lines that stand there."""
        body: list[tuple[int, list[str]]] = []
        groups = self.units()
        for arriving, results, until in parts_of(self.results, self.behind, len(self.ops)):
            self.now.update({name: self.first[name] for name in arriving})
            for place in range(len(body), until):
                op = self.ops[place]
                lines = self._operator(place, op)
                if place in groups:
                    lines = groups[place].lines(self, place)
                lines = self._between(place, op, lines) if self.observed else lines
                body.append((place, self.noted(lines, place, groups.get(place))))
            self.ends.append([self.now.get(name, "None") for name in results])
        return body

    def _add(
        self,
        text: list[str],
        body: Sequence[tuple[int, list[str]]],
        dead: Mapping[int, Sequence[str]],
        faded: Mapping[int, Sequence[str]],
        indent: str = "    ",
    ) -> None:
        """Add the lines of some operators to the text, and after each those that free what is of no more use."""
        for place, lines in body:
            for line in lines:
                text.append(f"{indent}{line}")
                self.op_of_line[len(text)] = place
            text += [f"{indent}{name} = Like({name})" for name in faded[place]]
            if dead[place]:
                text.append(f"{indent}del {', '.join(dead[place])}")

    def _empty_arrays(self, names: Iterable[str]) -> list[str]:
        """The lines that give arrays which nothing has written yet their value: no elements.

        Arguments:
            names: the first ones of the function's inputs.
        """
        self.scope["TensorArray"] = TensorArray
        arrays = [v for n, v in zip(names, self.inputs, strict=False) if is_array(self.block, n)]
        return [f"    if {v} is None: {v} = TensorArray()" for v in arrays]

    def units(self) -> dict[int, Unit]:
        """The operators that run together, by their places."""
        if self.observed or self.device != "cpu" or not self.passes:
            return {}
        self.graph = Graph(self.block, self.ops, self.ragged, self.results, self.behind)
        rewrite(self.graph, self.passes)
        return self.graph.units

    def noted(self, lines: list[str], place: int, unit: Unit | None) -> list[str]:
        """The lines in a place, the first with a comment that names its operators and the user's line that made the last."""
        if not lines:
            return lines
        places = unit.places if unit is not None and place == home(unit) else [place]
        counts = Counter(self.ops[each].type for each in places)
        types = [type if count == 1 else f"{type} x {count}" for type, count in counts.items()]
        text = ", ".join(types if len(types) <= NAMED else [*types[:NAMED], "..."])
        line = self.ops[place].line
        made = f" ({os.path.basename(line[0])}:{line[1]})" if line is not None else ""
        return [f"{lines[0]}  # {text}{made}", *lines[1:]]

    def stands_for(self, op: Operator, name: str, register: str) -> None:
        """Let a Variable that an operator writes be what a local variable holds already."""
        self.then[id(op)][1][name] = self.now[name] = register

    def _between(self, place: int, op: Operator, lines: list[str]) -> list[str]:
        """The lines of an operator between those that tell observers of it."""
        self.scope.update({"started": observing.started, "finished": observing.finished, f"node{place}": op})
        values = "".join(f"{self.now[name]}, " for name in op.output_arg_names if name != EMPTY)
        return [f"started(node{place})", *lines, f"finished(node{place}, ({values}))"]

    def _deaths(self, kept: set[str]) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
        """After which operator each local variable is of no more use, and after which only its shape is."""
        last: dict[str, int] = {}
        for names in ([*self.inputs, *self.input_lods], *self.touched):
            last.update(dict.fromkeys(names, 0))
        for place, names in enumerate(self.touched):
            last.update(dict.fromkeys(names, place))
        dead: dict[int, list[str]] = defaultdict(list)
        faded: dict[int, list[str]] = defaultdict(list)
        shape_until: dict[str, int] = {}
        for place, names in enumerate(self.measured):
            shape_until.update(dict.fromkeys(names, place))
        for name, place in last.items():
            if name in kept or name in self.fixed or not self.ops:
                continue
            until = shape_until.get(name, place)
            if until > place and name not in self.alike:
                faded[place].append(name)
            dead[max(place, until)].append(name)
        return dead, faded

    # --- one operator -------------------------------------------------------------------------------------------------

    def _operator(self, place: int, op: Operator) -> list[str]:
        definition = op.definition
        if op.type in emitters:
            return self._structural(place, op)
        reads: dict[str, str] = {}
        arguments: list[str] = []
        lods: dict[str, Any] = {}
        shaped = shape_only(definition)
        measured: set[str] = set()
        whole: set[str] = set()
        for slot in definition.inputs:
            names = [self._reading(op, slot.name, i, n) for i, n in enumerate(op.inputs.get(slot.name) or ())]
            reads.update(zip(op.inputs.get(slot.name) or (), names, strict=True))
            each = [self.lod.get(n) for n in names]
            if slot.name in shaped:
                measured.update(names)
            else:
                whole.update(names)
            if slot.many:
                arguments.append(f"[{', '.join(names)}]" if names or not slot.optional else "None")
                lods[slot.name] = each if names or not slot.optional else None
            else:
                arguments.append(names[0] if names else "None")
                lods[slot.name] = each[0] if names else None
        attrs = op.live_attrs()
        keywords = [f"{name}={self._constant(value, place, name)}" for name, value in attrs.items()]
        if definition.wants_need:
            keywords.append(f"need={self._need(op, definition)}")
        if definition.needs_lod:
            self._lods_of_gradients(op, definition, lods)
            keywords.append(f"lod={_tuple_or_one([_lod_text(lods[n]) for n in definition.needs_lod.split()])}")
        if definition.wants_site:
            self.scope[f"site{place}"] = op.site()
            keywords.append(f"site=site{place}")
        lines = []
        if definition.infer is not None:
            self.scope[f"op{place}"] = definition
            self.scope[f"attrs{place}"] = attrs
            lods_text = "".join(f"{_lod_text(lods[s.name])}, " for s in definition.inputs)
            check = f"check(op{place}, ({''.join(a + ', ' for a in arguments)}), ({lods_text}), attrs{place})"
            self.checks[place] = check
            alone = f"check(op{place}, ({''.join(a + ', ' for a in arguments)}), ({'None, ' * len(arguments)}), attrs{place})"
            if is_validated(definition):
                self.alone[place] = [alone]
                if self.checked:
                    lines.append(check)
        call = self._call(place, op, definition, arguments, keywords)
        targets, flat = self._targets(op, definition)
        writes = dict(flat)
        lines += self._run(place, op, definition, call, targets, flat, arguments, lods, attrs)
        used = dict.fromkeys([*sorted(whole), *(name for value in lods.values() for name in _flat(value))])
        self.touched.append([*used, *writes.values(), *(self.lod[w] for w in writes.values() if w in self.lod)])
        self.measured.append(sorted(measured - whole))
        self.then[id(op)] = (reads, writes)
        self.now.update(writes)
        return lines

    def _lods_of_gradients(self, op: Operator, definition: OpDef, lods: dict[str, Any]) -> None:
        """Let an operator that is run on gradients take the LoDs of what they are the gradients of: they have none."""
        if definition.forward is not None:
            return
        for slot in (definition.needs_lod or "").split():
            names = op.inputs.get(slot) or []
            if len(names) != 1 or lods[slot] is not None or "@GRAD" not in "".join(op.output_arg_names):
                continue
            of = [name.partition("@GRAD")[0] for name in (*names, *op.output_arg_names) if "@GRAD" in name]
            lods[slot] = next((self.lod[self.now[n]] for n in of if self.now.get(n) in self.lod), None)

    def _reading(self, op: Operator, slot: str, index: int, name: str) -> str:
        """The local variable that an operator reads: a gradient operator what its forward one read or wrote."""
        forward = op.forward
        if forward is not None and not slot.endswith("@GRAD") and id(forward) in self.then:
            read, wrote = self.then[id(forward)]
            register = read.get(name) if slot in forward.inputs else wrote.get(name)
            if register is not None:
                return register
        if name not in self.now:
            raise GraphError(f"{name} is read before anything has written it")
        return self.now[name]

    def _held(self, count: int, besides: Iterable[str] = ()) -> list[str]:
        """The local variables of the first operators that those behind them read, or that are among those named besides."""
        known = {*self.inputs, *self.input_lods, *(name for names in self.touched[:count] for name in names)}
        read = [name for side in (self.touched, self.measured) for names in side[count:] for name in names]
        return [name for name in dict.fromkeys([*read, *besides]) if name in known]

    # --- operators with blocks ----------------------------------------------------------------------------------------

    def _structural(self, place: int, op: Operator) -> list[str]:
        """The lines of an operator with blocks."""
        self._reads, self._writes = {}, {}
        lines = emitters[op.type](self, place, op)
        used = [*self._reads.values(), *self._writes.values()]
        self.touched.append(list(dict.fromkeys([*used, *(self.lod[r] for r in used if r in self.lod)])))
        self.measured.append([])
        self.then[id(op)] = (self._reads, self._writes)
        self.now.update(self._writes)
        return lines

    def reading(self, op: Operator, names: Iterable[str]) -> None:
        """Say that an operator reads these names, those that have a value."""
        self._reads.update({n: self.now[n] for n in names if n in self.now})

    def write_to(self, op: Operator, name: str) -> str:
        """A new local variable for what an operator writes."""
        register = self._writes[name] = self._new()
        return register

    def lod_for(self, register: str) -> str:
        """A new local variable for the LoD of a value."""
        lod = self.lod[register] = self._new()
        return lod

    def _call(self, place: int, op: Operator, definition: OpDef, arguments: list[str], keywords: list[str]) -> str:
        if self.device == "cpu" and definition.ufunc is not None and op.attr("axis") == -1:
            if definition.ufunc in SYMBOLS:
                return f" {SYMBOLS[definition.ufunc]} ".join(arguments)
            self.scope[f"u{place}"] = definition.ufunc
            return f"u{place}({', '.join(arguments)})"
        self.scope[f"k{place}"] = kernel_of(definition, self.device)
        return f"k{place}({', '.join([*arguments, *keywords])})"

    def _constant(self, value: Any, place: int, name: str) -> str:
        if value is None or isinstance(value, (bool, int, str)):
            return repr(value)
        self.scope[f"c{place}_{name}"] = tuple(value) if isinstance(value, list) else value
        return f"c{place}_{name}"

    def _need(self, op: Operator, definition: OpDef) -> str:
        """Which outputs somebody wants: a tuple, with a tuple for a list slot."""
        wanted = []
        for slot in definition.outputs:
            names = op.outputs.get(slot.name) or []
            if slot.many:
                wanted.append(str(tuple(n != EMPTY for n in names)))
            else:
                wanted.append(str(bool(names) and names[0] != EMPTY))
        return "(" + "".join(f"{w}, " for w in wanted) + ")"

    def _targets(self, op: Operator, definition: OpDef) -> tuple[list[str], list[tuple[str, str]]]:
        """What stands before "=", one text a slot; and (Variable, local variable) of those that exist."""
        texts, flat = [], []
        for slot in definition.outputs:
            names = op.outputs.get(slot.name) or []
            registers = []
            for name in names:
                register = "_" if name == EMPTY else self._new()
                registers.append(register)
                if name != EMPTY:
                    flat.append((name, register))
            if slot.many:
                texts.append(f"[{', '.join(registers)}]" if registers else "_")
            else:
                texts.append(registers[0] if registers else "_")
        return texts, flat

    def _run(
        self,
        place: int,
        op: Operator,
        definition: OpDef,
        call: str,
        targets: list[str],
        flat: list[tuple[str, str]],
        arguments: list[str],
        lods: dict[str, Any],
        attrs: dict[str, Any],
    ) -> list[str]:
        """The call, and the LoD of what it gives."""
        left = targets[0] if len(targets) == 1 else ", ".join(targets)
        rule = definition.lod
        if rule == "made":
            made = f"made{place}"
            if len(targets) == 1:
                lines = [f"{left}, {made} = {call}"]
                for _, register in flat:
                    self.lod[register] = made
                return lines
            lines = [f"({left}), {made} = {call}"]
            for i, slot in enumerate(definition.outputs):
                lines += self._lods_of_slot(op, slot, f"{made}[{i}]", flat)
            return lines
        lines = [f"{left} = {call}" if targets else call]
        self.calls[place] = list(lines)
        sources = [name for value in lods.values() for name in _flat(value)]
        if callable(rule):
            expected = any((v := self.block.find(name)) is not None and v.lod_level for name, _ in flat)
            if sources or expected:
                lines += self._by_rule(place, definition, targets, flat, arguments, lods, attrs, op)
        elif rule is not None and lods.get(rule) is not None:
            value = lods[rule]
            source = value[0] if isinstance(value, list) else value
            if source is not None:
                for _, register in flat:
                    self.lod[register] = self._new()
                    lines.append(f"{self.lod[register]} = {source}")
        self.lod_lines[place] = lines[1:]
        return lines

    def _by_rule(
        self,
        place: int,
        definition: OpDef,
        targets: list[str],
        flat: list[tuple[str, str]],
        arguments: list[str],
        lods: dict[str, Any],
        attrs: dict[str, Any],
        op: Operator,
    ) -> list[str]:
        """LoDs that a function of the declaration tells."""
        self.scope[f"rule{place}"], self.scope[f"attrs{place}"] = definition.lod, attrs
        given = "".join(f"{_lod_text(lods[s.name])}, " for s in definition.inputs)
        outs = "".join(f"{t if '_' not in t.split(', ') and t != '_' else 'None'}, " for t in targets)
        made = f"made{place}"
        lines = [f"{made} = rule{place}(({given}), ({''.join(a + ', ' for a in arguments)}), ({outs}), attrs{place})"]
        for i, slot in enumerate(definition.outputs):
            lines += self._lods_of_slot(op, slot, f"{made}[{i}]", flat)
        return lines

    def _lods_of_slot(self, op: Operator, slot: Slot, one: str, flat: list[tuple[str, str]]) -> list[str]:
        """Put what a rule says of an output slot into a variable for each of its results."""
        lines = []
        for j, (_, register) in enumerate(self._of_slot(op, slot.name, flat)):
            self.lod[register] = self._new()
            each = f"{one}[{j}] if isinstance({one}, list) else {one}" if slot.many else one
            lines.append(f"{self.lod[register]} = {each}")
        return lines

    def _of_slot(self, op: Operator, slot: str, flat: list[tuple[str, str]]) -> list[tuple[str, str]]:
        names = op.outputs.get(slot) or []
        return [(name, register) for name, register in flat if name in names]


def listed(names: Iterable[str]) -> str:
    """The text of a tuple's elements, or of what one is taken apart into."""
    return "".join(f"{name}, " for name in names)


def check_call(op: OpDef, arrays: tuple, lods: tuple, attrs: dict[str, Any]) -> None:
    """Raise if inference refuses these arrays; it does not judge arrays of tensors, the sum of which is one too."""
    assert op.infer is not None
    metas: list[Any] = []
    for array, lod in zip(arrays, lods, strict=True):
        if isinstance(array, list):
            if any(isinstance(a, TensorArray) for a in array):
                return
            metas.append([_meta(a, one) for a, one in zip(array, lod or [None] * len(array), strict=True)])
        else:
            metas.append(None if array is None else _meta(array, lod))
    op.infer(*metas, **attrs)


def _meta(array: Any, lod: Any) -> Meta:
    return Meta(tuple(array.shape), array.dtype, level_of(lod))


def _flat(value: Any) -> list[str]:
    if isinstance(value, list):
        return [v for v in value if v is not None]
    return [] if value is None else [value]


def _lod_text(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(v or 'None' for v in value)}]"
    return value or "None"


def _tuple_or_one(texts: list[str]) -> str:
    return texts[0] if len(texts) == 1 else "(" + "".join(f"{t}, " for t in texts) + ")"
