"""Functions of the kernel language: from the syntax tree of a Python function to an LLVM function.

The type of a variable is found while its assignments are met: at a point where two paths join, a variable whose types
differ gets the type that unites them (`types.unify`). A loop is written for the types that are known before it; where its
body leads others back to its head, the text is taken back and written again, until the types at the head no longer change.
This is the flow-sensitive typing that Numba reaches through single assignments.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import arrays
from .arithmetic import absolute, binary, cast, compare, convert
from .errors import Unsupported
from .expressions import SIGNS, Expressions
from .source import Source, read_first
from .types import BOOL, I4, I8, NONE, U8, Array, Known, Number, Type, describe, parts_of, unify
from .values import Value, constant, is_array, is_number, number_of, of_parts, size_value, split_tuple

if TYPE_CHECKING:
    from .module import Module

__all__ = ["FunctionCompiler"]


class Variable(NamedTuple):
    """What is known of a local variable at a point of the function; type None if its paths cannot be united."""

    type: Any
    natural: bool


Environment = dict[str, Variable]


class Loop:
    """A loop that is being written.

    Attributes:
        next: where `continue` goes. head: the variables at the head of the loop, as far as they are known.
        continued: the variables where the body ends or continues.
        left: the label to which each `break` goes, and the variables there.
    """

    def __init__(self, next: str, head: Environment) -> None:
        self.next, self.head = next, head
        self.continued: list[Environment] = []
        self.left: list[tuple[str, Environment]] = []


def _joined(environments: Sequence[Environment]) -> Environment:
    """Return the variables at a point where several paths join."""
    found: Environment = {}
    for environment in environments:
        for name, variable in environment.items():
            other = found.get(name)
            found[name] = variable if other is None else _united(variable, other)
    return found


def _united(a: Variable, b: Variable) -> Variable:
    try:
        type = None if a.type is None or b.type is None else unify(a.type, b.type)
    except Unsupported:
        type = None
    return Variable(type, a.natural and b.natural)


class FunctionCompiler(Expressions):
    """Writes one function for arguments of certain types.

    Attributes:
        name: the name of the LLVM function.
        result: the type of what the function returns.
        fails: whether the function may set `%failure` and return early.
    """

    def __init__(self, module: Module, name: str, source: Source, flags: str) -> None:
        super().__init__(module.declarations, flags)
        self.module, self.name, self.source = module, name, source
        self.globals = source.globals
        self.effects = 0
        self.fails = False
        self.result: Any = None
        self._returns_agree = True
        self._variables: Environment = {}
        self._slots: dict[tuple[str, Type], list[str]] = {}
        self._given: dict[str, Value] = {}
        self._loops: list[Loop] = []
        self._settled: dict[Any, Environment] = {}
        self._carried: dict[int, set[str]] = {}
        self._result_slots: list[str] = []
        self._allocated: list[str] = []
        self._node: ast.AST | None = None

    def compile(self, arguments: Sequence[Value]) -> None:
        """Write the function for arguments whose parts have been named; set `result` and `fails`."""
        tree = self.source.tree
        for name, value in zip(self.source.parameters, arguments, strict=True):
            if name in self.source.assigned:
                self.assign_name(name, value)
            else:
                self._given[name] = value
        before, start = dict(self._variables), self._mark()
        self.statements(tree.body)
        while not self._returns_agree:
            self._take_back(start)
            self._variables, self._returns_agree = dict(before), True
            self.statements(tree.body)
        self._fall_off()

    def _fall_off(self) -> None:
        """End the function where the last statement has no return."""
        if not self.text.open:
            return
        if self.result not in (None, NONE):
            raise Unsupported("a function that returns a value on some paths only")
        self.result = NONE
        self.text.jump("exit")

    def finished(self, parameters: Sequence[str], attributes: str) -> str:
        """Return the text of the whole function."""
        words = parts_of(self.result)
        self.text.block("exit")
        for slot in self._allocated:
            self.call("void", "PyMem_RawFree", [("ptr", self.text.set(f"load ptr, ptr {slot}"))])
        refs = [self.text.set(f"load {word}, ptr {slot}") for word, slot in zip(words, self._result_slots, strict=True)]
        whole = refs[0] if len(refs) == 1 else "undef"
        if len(refs) > 1:
            for k, (word, ref) in enumerate(zip(words, refs, strict=True)):
                whole = self.text.set(f"insertvalue {self.word} {whole}, {word} {ref}, {k}")
        self.text.end(f"ret {self.word} {whole}" if refs else "ret void")
        head = f"define internal {self.word} @{self.name}({', '.join(['ptr %failure', *parameters])}) {attributes} {{"
        return "\n".join([head, "start:", *self.text.entry, *self.text.lines, "}"])

    @property
    def word(self) -> str:
        """Return LLVM's type of the result."""
        words = parts_of(self.result)
        if len(words) == 1:
            return words[0]
        return f"{{ {', '.join(words)} }}" if words else "void"

    # --- variables --------------------------------------------------------------------------------------------------------

    def read(self, name: str) -> Value | None:
        """Return the value of a local variable, None if there is none of this name."""
        if name in self._given:
            return self._given[name]
        variable = self._variables.get(name)
        if variable is None:
            return None
        if variable.type is None:
            raise Unsupported(f"{name}, which has values of different kinds on different paths")
        slots = self._slots_of(name, variable.type)
        words = parts_of(variable.type)
        refs = tuple(self.text.set(f"load {word}, ptr {slot}") for word, slot in zip(words, slots, strict=True))
        return Value(variable.type, refs, variable.natural)

    def _slots_of(self, name: str, type: Type) -> list[str]:
        slots = self._slots.get((name, type))
        if slots is None:
            slots = self._slots[name, type] = [self.text.slot(word) for word in parts_of(type)]
        return slots

    def assign_name(self, name: str, value: Value) -> None:
        """Assign a local variable, which takes the type of the value."""
        words = parts_of(value.type)
        for slot, word, ref in zip(self._slots_of(name, value.type), words, value.refs, strict=True):
            self.text.do(f"store {word} {ref}, ptr {slot}")
        self._variables[name] = Variable(value.type, value.natural)

    def _become(self, variables: Environment) -> None:
        """Convert the local variables to those of a point where paths join."""
        for name, wanted in variables.items():
            present = self._variables.get(name)
            if present is not None and wanted.type is not None and present.type not in (None, wanted.type):
                value = self.read(name)
                if value is not None:
                    self.assign_name(name, convert(self, value, wanted.type))
        self._variables = dict(variables)

    def _mark(self) -> tuple[Any, ...]:
        """Return what `_take_back` needs to return to this point of the text."""
        return self.text.mark(), dict(self._slots), len(self._allocated), len(self._result_slots)

    def _take_back(self, mark: tuple[Any, ...]) -> None:
        """Throw away what has been written since a mark, as when types turn out to be others."""
        text, self._slots, allocated, results = mark
        self._slots = dict(self._slots)
        self.text.take_back(text)
        del self._allocated[allocated:]
        del self._result_slots[results:]

    # --- statements -------------------------------------------------------------------------------------------------------

    def statements(self, nodes: Sequence[ast.stmt]) -> None:
        """Write statements, up to one that ends the path."""
        for node in nodes:
            if not self.text.open:
                return
            method = getattr(self, f"_{type(node).__name__}", None)
            try:
                if method is None:
                    raise Unsupported(f"the statement {type(node).__name__}")
                method(node)
            except Unsupported as error:
                error.where = error.where or self.source.place(node)
                raise

    def _Pass(self, node: ast.Pass) -> None:
        pass

    def _Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.value(node.value)

    def _Assign(self, node: ast.Assign) -> None:
        value = self.value(node.value)
        for target in node.targets:
            self._assign(target, value)

    def _AugAssign(self, node: ast.AugAssign) -> None:
        target = node.target
        if isinstance(target, ast.Name):
            now = self.value(ast.Name(target.id, ast.Load()))
            self._assign(target, self.combined(SIGNS[type(node.op)], now, self.value(node.value), node))
            return
        if not isinstance(target, ast.Subscript):
            raise Unsupported("an assignment to something other than a name or an element")
        base = self.value(target.value)
        if not is_array(base):
            raise Unsupported(f"an assignment to an item of {describe(base.type)}")
        self.effects += 1
        arrays.require_mutable(base)
        place = arrays.index(self, base, self.indices(target.slice), target)
        if place.type.rank:
            result = self.combined(SIGNS[type(node.op)], place, self.value(node.value), node)
            arrays.assign_elements(self, place, result, node)
            return
        now = arrays.load(self, place.type.element, place.data)
        value = binary(self, SIGNS[type(node.op)], now, self.value(node.value))
        arrays.store(self, place.type.element, place.data, value)

    def _assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            items = self._unpacked(value, len(target.elts), target)
            if len(items) != len(target.elts):
                raise Unsupported(f"{len(items)} values assigned to {len(target.elts)} names")
            for part, item in zip(target.elts, items, strict=True):
                self._assign(part, item)
        elif isinstance(target, ast.Name):
            self.assign_name(target.id, value)
        elif isinstance(target, ast.Subscript):
            base = self.value(target.value)
            if not is_array(base):
                raise Unsupported(f"an assignment to an item of {describe(base.type)}")
            self.effects += 1
            arrays.store_index(self, base, self.indices(target.slice), value, target)
        else:
            raise Unsupported("an assignment to something other than names and elements")

    def _unpacked(self, value: Value, count: int, node: ast.AST) -> list[Value]:
        """Return the items of a tuple, or the elements of an array that must have as many."""
        if not is_array(value):
            return split_tuple(value)
        size = compare(self, "==", size_value(value.sizes[0]), constant(count))
        self.require(size, f"an array of another length than {count} is unpacked", node)
        return [arrays.load_index(self, value, [constant(k)], node) for k in range(count)]

    def constant_array(self, array: Any) -> Value:
        """Return an array that is known now as a constant of the module."""
        element = number_of(array.dtype)
        name = self.module.constant(np.ascontiguousarray(array), element)
        return Value(Array(element, array.ndim, "C", mutable=False), (name, *map(str, array.shape)))

    def _Return(self, node: ast.Return) -> None:
        value = self.value(node.value) if node.value is not None else Value(NONE)
        if self.result is None:
            self.result = value.type
        united = unify(self.result, value.type)
        if united != self.result:
            self.result, self._returns_agree, self._result_slots = united, False, []
        value = convert(self, value, self.result)
        if not self._result_slots:
            self._result_slots = [self.text.slot(word) for word in parts_of(self.result)]
        for slot, word, ref in zip(self._result_slots, parts_of(self.result), value.refs, strict=True):
            self.text.do(f"store {word} {ref}, ptr {slot}")
        self.text.jump("exit")

    def _If(self, node: ast.If) -> None:
        test = self.test(node.test)
        if test.ref in ("true", "false"):
            self.statements(node.body if test.ref == "true" else node.orelse)
            return
        yes, no, end = (self.text.name(stem) for stem in ("then", "else", "end"))
        self.text.branch(test.ref, yes, no)
        self.effects += 1
        before, sides = self._variables, []
        for label, body in ((yes, node.body), (no, node.orelse)):
            self._variables = dict(before)
            self.text.open = False
            with self.text.apart() as lines:
                self.text.block(label)
                self.statements(body)
            sides.append((lines, self._variables, self.text.open))
        joined = _joined([variables for _, variables, open in sides if open])
        for lines, variables, open in sides:
            self.text.lines += lines
            self._variables, self.text.open = variables, open
            if open:
                self._become(joined)
                self.text.jump(end)
        if any(open for _, _, open in sides):
            self.text.block(end)
        self._variables = joined

    # --- loops ------------------------------------------------------------------------------------------------------------

    def _While(self, node: ast.While) -> None:
        def head(body: str, done: str) -> None:
            self.text.branch(self.test(node.test).ref, body, done)

        self._loop(node, head, lambda: self.statements(node.body), lambda: None)

    def _For(self, node: ast.For) -> None:
        start, stop, step, type = self._range(node.iter)
        slot = self.text.slot(type.word)
        count = "" if step.exact else self.text.slot("i64")
        if count:
            self.text.do(f"store i64 {self._steps(start, stop, step)}, ptr {count}")
        self.text.do(f"store {type.word} {start.ref}, ptr {slot}")
        natural = start.natural and (step.exact or 0) > 0

        def head(body: str, done: str) -> None:
            if count:
                left = self.text.set(f"load i64, ptr {count}")
                more = self.text.set(f"icmp sgt i64 {left}, 0")
            else:
                sign = "<" if (step.exact or 0) > 0 else ">"
                more = compare(self, sign, self._loaded(type, slot), stop).ref
            self.text.branch(more, body, done)

        def body() -> None:
            self._assign(node.target, self._loaded(type, slot)._replace(natural=natural))
            self.statements(node.body)

        def advance() -> None:
            after = binary(self, "+", self._loaded(type, slot), step)
            self.text.do(f"store {type.word} {cast(self, after, type).ref}, ptr {slot}")
            if count:
                left = self.text.set(f"load i64, ptr {count}")
                self.text.do(f"store i64 {self.text.set(f'sub nsw i64 {left}, 1')}, ptr {count}")

        self._loop(node, head, body, advance)

    def _loaded(self, type: Number, slot: str) -> Value:
        return Value(type, (self.text.set(f"load {type.word}, ptr {slot}"),))

    def _range(self, node: ast.expr) -> tuple[Value, Value, Value, Number]:
        """Return start, stop, step and the type of the numbers of a range."""
        if not isinstance(node, ast.Call):
            raise Unsupported("a loop over something other than a range")
        function = self.value(node.func)
        if function.type != Known(range) or node.keywords or not 1 <= len(node.args) <= 3:
            raise Unsupported("a loop over something other than a range")
        limits = self.several(node.args)
        if not all(is_number(limit) and limit.type.kind != "f" for limit in limits):
            raise Unsupported("a range of something other than integers")
        kinds = {limit.type.kind for limit in limits if limit.exact is None}
        small = all(limit.type.bits <= 32 and limit.type.kind != "u" for limit in limits)
        type = I4 if small else U8 if kinds == {"u"} else I8
        given = [cast(self, limit, type) for limit in limits]
        start, step = constant(0, type), constant(1, type)
        if len(given) == 1:
            return start, given[0], step, type
        return given[0], given[1], given[2] if len(given) == 3 else step, type

    def _steps(self, start: Value, stop: Value, step: Value) -> str:
        """Return the number of steps of a range whose step is computed; none if it is 0."""
        ends = [cast(self, value, I8) for value in (start, stop, step)]
        up = compare(self, ">", ends[2], constant(0))
        size = absolute(self, ends[2]).ref
        ahead, behind = binary(self, "-", ends[1], ends[0]), binary(self, "-", ends[0], ends[1])
        span = self.text.set(f"select i1 {up.ref}, i64 {ahead.ref}, i64 {behind.ref}")
        rounded = self.text.set(f"add i64 {span}, {self.text.set(f'sub i64 {size}, 1')}")
        none = self.text.set(f"icmp eq i64 {size}, 0")
        steps = self.text.set(f"sdiv i64 {rounded}, {self.text.set(f'select i1 {none}, i64 1, i64 {size}')}")
        some = self.text.set(f"icmp sgt i64 {span}, 0")
        some = self.text.set(f"and i1 {some}, {self.text.set(f'xor i1 {none}, true')}")
        return self.text.set(f"select i1 {some}, i64 {steps}, i64 0")

    def _loop(
        self, node: ast.For | ast.While, head: Callable[[str, str], None], body: Callable[[], None],
        advance: Callable[[], None],
    ) -> None:  # fmt: skip
        """Write a loop: `head` jumps to the body or behind the loop, `advance` follows each run of the body."""
        self.effects += 1
        start, mark = dict(self._variables), self._mark()
        key = id(node), frozenset(start.items())
        at_head = self._settled.get(key, start)
        head_label, body_label, next_label, done = (self.text.name(stem) for stem in ("head", "body", "next", "done"))
        while True:
            loop = Loop(next_label, at_head)
            self._become(at_head)
            self.text.block(head_label)
            head(body_label, done)
            self.text.block(body_label)
            self._loops.append(loop)
            body()
            self._continue(loop)
            self._loops.pop()
            before, at_head = at_head, _joined([at_head, *loop.continued])
            if self._fits(node, before, at_head, loop):
                break
            self._take_back(mark)
            self._variables = dict(start)
        self._settled[key] = before
        self.text.block(next_label)
        self._variables = dict(at_head)
        advance()
        self.text.jump(head_label)
        self.text.block(done)
        self.statements(node.orelse)
        self._leave(loop)

    def _fits(self, node: ast.For | ast.While, before: Environment, joined: Environment, loop: Loop) -> bool:
        """Return whether a loop's text, written for the variables `before`, is right for those that join at its head."""
        changed = {name for name, variable in joined.items() if before.get(name) != variable}
        if any(name in before or name in self._read_first(node) for name in changed):
            return False  # the rest is assigned by each run of the body before it is read, and needs no conversion behind it
        return all(path[name].type == joined[name].type for path in loop.continued for name in changed & path.keys())

    def _leave(self, loop: Loop) -> None:
        """Join the end of a loop and its `break` statements."""
        end = self.text.name("end")
        ends = [self._variables] if self.text.open else []
        after = _joined([*ends, *(variables for _, variables in loop.left)])
        if self.text.open:
            self._become(after)
            self.text.jump(end)
        for label, variables in loop.left:
            self.text.block(label)
            self._variables = variables
            self._become(after)
            self.text.jump(end)
        self.text.block(end)
        self._variables = dict(after)

    def _read_first(self, node: ast.For | ast.While) -> set[str]:
        """Return the names that a run of a loop's body may read before it assigns them."""
        found = self._carried.get(id(node))
        if found is None:
            found = self._carried[id(node)] = read_first([node])
        return found

    def _Continue(self, node: ast.Continue) -> None:
        self._continue(self._loops[-1])

    def _continue(self, loop: Loop) -> None:
        """Begin the next run of a loop's body."""
        if self.text.open:
            loop.continued.append(dict(self._variables))
            self._become(loop.head)
            self.text.jump(loop.next)

    def _Break(self, node: ast.Break) -> None:
        label = self.text.name("left")
        self._loops[-1].left.append((label, self._variables))
        self.text.jump(label)

    def count_up(self, stop: Value, body: Callable[[Value], None]) -> None:
        """Write a loop over 0, 1, ... that assigns no variables."""
        slot = self.text.slot("i64")
        self.text.do(f"store i64 0, ptr {slot}")
        head, inside, end = (self.text.name(stem) for stem in ("head", "body", "end"))
        self.effects += 1
        self.text.block(head)
        more = compare(self, "<", self._loaded(I8, slot), stop)
        self.text.branch(more.ref, inside, end)
        self.text.block(inside)
        body(self._loaded(I8, slot)._replace(natural=True))
        after = binary(self, "+", self._loaded(I8, slot), constant(1))
        self.text.do(f"store i64 {after.ref}, ptr {slot}")
        self.text.jump(head)
        self.text.block(end)

    # --- what can fail ----------------------------------------------------------------------------------------------------

    def require(self, test: Value, message: str, node: ast.AST | None, error: str = "ValueError") -> None:
        """Leave the kernel with an exception unless a test holds."""
        self.fails = True
        self.effects += 1
        fine, wrong = self.text.name("fine"), self.text.name("wrong")
        self.text.branch(test.ref, fine, wrong)
        self.text.block(wrong)
        self.text.do(f"store ptr {self.module.failure(error, message, self.source.place(node))}, ptr %failure")
        self.text.jump("exit")
        self.text.block(fine)

    def check_bounds(self, at: Value, size: str, node: ast.AST | None) -> None:
        """Check an index where the module is compiled with bounds checks."""
        if self.module.bounds_checks:
            inside = Value(BOOL, (self.text.set(f"icmp ult i64 {at.ref}, {size}"),))
            self.require(inside, "an index is outside of its array", node, "IndexError")

    def allocation(self, size: Value, node: ast.AST) -> str:
        """Return the address of new memory, which is freed when the function returns or when it comes here again."""
        self.effects += 1
        slot = self.text.slot("ptr", "null")
        self._allocated.append(slot)
        if self._loops:
            self.source.require_local(node)
            self.call("void", "PyMem_RawFree", [("ptr", self.text.set(f"load ptr, ptr {slot}"))])
        data = self.call("ptr", "PyMem_RawMalloc", [("i64", size.ref)])
        self.text.do(f"store ptr {data}, ptr {slot}")
        got = Value(BOOL, (self.text.set(f"icmp ne ptr {data}, null"),))
        self.require(got, "there is no memory for a temporary array", node, "MemoryError")
        return data

    def call_function(self, python: Any, options: dict[str, Any], arguments: Sequence[Value], inline: bool) -> Value:
        """Call another function of the kernel language."""
        callee = self.module.function(python, options, arguments, "alwaysinline" if inline else "")
        if any(is_array(value) or not value.refs for value in arguments) or callee.fails:
            self.effects += 1
        given = ["ptr %failure"]
        for value in arguments:
            given += [f"{word} {ref}" for word, ref in zip(parts_of(value.type), value.refs, strict=True)]
        instruction = f"call {callee.word} @{callee.name}({', '.join(given)})"
        words = parts_of(callee.result)
        if not words:
            self.text.do(instruction)
            refs: list[str] = []
        else:
            whole = self.text.set(instruction)
            refs = [whole]
            if len(words) > 1:
                refs = [self.text.set(f"extractvalue {callee.word} {whole}, {k}") for k in range(len(words))]
        if callee.fails:
            self._pass_failure_on()
        return of_parts([callee.result], refs)[0]

    def _pass_failure_on(self) -> None:
        """Return if the function that was called has failed."""
        self.fails = True
        set_by = self.text.set("load ptr, ptr %failure")
        fine = self.text.name("fine")
        self.text.branch(self.text.set(f"icmp eq ptr {set_by}, null"), fine, "exit")
        self.text.block(fine)
