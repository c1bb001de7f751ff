"""`if` and `a if c else b`. Where the condition is a Variable, both branches are built as blocks, of which one runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ...core.dtype import VarType
from ...core.errors import ShapeError, message
from ...ops.math import arithmetic as ops_math
from ...ops.math import compare
from ...static.operators.structural import definitions
from ...static.program import nested_blocks
from ...static.program import program as programs
from .growing import grows, to_array
from .places import DICTS, Contents, copied, is_container, refilled, unchanged
from .sizes import truth
from .values import (
    NotReturned,
    Number,
    Stack,
    Undefined,
    blank,
    checked,
    condition,
    constant,
    equal,
    here,
    is_array,
    is_variable,
    told,
)

Body = Callable[[], Any]


def if_(
    test: Any,
    yes: Body,
    no: Body,
    get: Callable[[], tuple],
    put: Callable[[tuple], None],
    names: Sequence[str],
    wanted: Sequence[str],
) -> None:
    """Do `if test: yes() else: no()`.

    Arguments:
        get, put: read and write the variables that the branches change.
        names: the names of these variables.
        wanted: the names that are live afterwards.
    """
    test = truth(test)
    if not is_variable(test):
        if test:
            yes()
        else:
            no()
        return
    before, both = get(), _Branches(test)
    made, held = _built(both, yes, no, get, put, names)
    grown = {n for n, old, a, b in zip(names, before, *made, strict=True) if n in wanted and grows(old, a, b)}
    if grown:  # what was built was only to see that
        del both.program.blocks[both.blocks[0].idx :]
        before = tuple(to_array(value) if n in grown else value for n, value in zip(names, before, strict=True))
        put(before)
        both = _Branches(both.test)
        made, held = _built(both, yes, no, get, put, names)
    after = []
    for name, old, a, b in zip(names, before, *made, strict=True):
        if unchanged(old, a) and unchanged(old, b):
            after.append(old)
        else:
            after.append(_merged(both, a, b, name) if name in wanted else Undefined(name))
    both.finish()
    chosen = [_selected(both, value) for value in after]
    put(tuple(refilled(old, new) if h else new for h, old, new in zip(held, before, chosen, strict=True)))


def _built(
    both: _Branches, yes: Body, no: Body, get: Callable[[], tuple], put: Callable[[tuple], None], names: Sequence[str]
) -> tuple[list[list[Any]], list[bool]]:
    """Build both branches. Return the variables' values after each, and which variables still are the same object."""
    before = get()
    contents = [Contents(value) for value in before if is_container(value)]
    made, held = [], [True] * len(before)
    for body in (yes, no):
        with nested_blocks.nested_block() as block:
            body()
        both.blocks.append(block)
        found = get()
        held = [h and old is new for h, old, new in zip(held, before, found, strict=True)]
        made.append([copied(value) for value in found])
        both.gone.append(any(n.startswith("_returned_") and v is True for n, v in zip(names, found, strict=True)))
        for each in contents:
            each.restore()
        put(before)
    return made, held


def if_expression(test: Any, yes: Body, no: Body) -> Any:
    """Return `yes() if test else no()`."""
    test = truth(test)
    if not is_variable(test):
        return yes() if test else no()
    value: list[Any] = [None]

    def branch(body: Body) -> Body:
        def run() -> None:
            value[0] = body()

        return run

    def put(values: tuple) -> None:
        value[0] = values[0]

    if_(test, branch(yes), branch(no), lambda: (value[0],), put, ("the value",), ("the value",))
    return checked(value[0])


def chosen(test: Any, block: Any, value: Any, where: bool) -> Any:
    """Return a condition: the value that a finished block computes where the test equals `where`, elsewhere the test."""
    both = _Branches(test)
    with nested_blocks.nested_block() as other:
        pass
    both.blocks = [block, other] if where else [other, block]
    with both.at(0 if where else 1):
        value = condition(constant(truth(value)))
    sides = [value, constant(not where)] if where else [constant(not where), value]
    pair = [both.write(side, value, "bool") for side, value in enumerate(sides)]
    both.finish()
    return both.select(*pair)


class _Branches:
    """The two blocks of an `if`, and the Variables of the outer block that they write."""

    def __init__(self, test: Any) -> None:
        test = condition(test)
        if any(n not in (1, -1) for n in test.shape):
            fix = f"Reduce it: reduce_all(x).\n  at {here()}"
            raise ShapeError(message("if", "the condition", f"shape {list(test.shape)}", "one element", fix))
        self.test = test
        self.line = here()
        self.blocks: list[Any] = []
        self.gone: list[bool] = []  # whether a branch returns, so that nothing reads what it leaves
        self.program = programs.default_main_program()
        self.mask: Any = None

    def write(self, side: int, value: Any, dtype: Any = None) -> Any:
        """Let a branch assign a value, at its end, to a new Variable of the outer block; return that Variable."""
        around = self.program.current_block()
        with self.at(side):
            value = constant(value, dtype)
            target = around.declare_var(type=value.type)
            target.set_meta(value.meta)
            self.blocks[side].append_op(ops_math.assign.type, {"X": value}, {"Out": target})
        target.stop_gradient = value.stop_gradient
        return target

    @contextmanager
    def at(self, side: int) -> Iterator[None]:
        """Append what is called inside of the `with` to the end of a branch."""
        around, self.program.current_block_idx = self.program.current_block_idx, self.blocks[side].idx
        try:
            yield
        finally:
            self.program.current_block_idx = around

    def finish(self) -> None:
        """Append the operators that run the blocks."""
        yes, no = self.blocks
        other = compare.logical_not.call(self.test) if no.ops else None
        for test, block in ((self.test, yes), (other, no)):
            if block.ops:
                nested_blocks.append_conditional([test], block, is_scalar_condition=True)

    def select(self, yes: Any, no: Any) -> Any:
        """Return the value that was written by the branch that ran."""
        if self.mask is None:
            self.mask = ops_math.cast.call(self.test, in_dtype=int(VarType.BOOL), out_dtype=int(VarType.INT32))
        result = definitions["select_input"].call([no, yes], self.mask)
        shape = tuple(a if a == b else -1 for a, b in zip(yes.shape, no.shape, strict=True))
        result.set_meta(yes.meta._replace(shape=shape))
        result.stop_gradient = yes.stop_gradient and no.stop_gradient
        return result


class _Pair:
    """The values of a variable in the two branches, of which one will be computed."""

    def __init__(self, yes: Any, no: Any) -> None:
        self.yes, self.no = yes, no


def _merged(both: _Branches, yes: Any, no: Any, name: str) -> Any:
    """Merge the values of a variable after the branches: to a value, a _Pair, or Undefined with the reason."""
    if yes is no or (isinstance(yes, Number) and type(yes) is type(no) and yes == no):
        return yes
    for side, (one, other) in enumerate(((yes, no), (no, yes))):
        unread = isinstance(one, NotReturned) or (isinstance(one, Undefined) and both.gone[side])
        if unread and not isinstance(other, Undefined):
            with both.at(side):
                filled = blank(other)
            return _merged(both, *((other, filled) if side else (filled, other)), name)
    if isinstance(yes, Undefined) or isinstance(no, Undefined):
        return _one_sided(both, yes, no, name)
    if type(yes) is type(no) is Stack and yes.array is no.array:
        return Stack(yes.array, _merged(both, yes.length, no.length, f"len({name})"))
    if type(yes) is type(no) and isinstance(yes, (list, tuple)) and not hasattr(yes, "_fields"):
        if len(yes) != len(no):
            return _different(both, name, f"{len(yes)} and {len(no)} elements")
        return type(yes)(_merged(both, a, b, f"{name}[{i}]") for i, (a, b) in enumerate(zip(yes, no, strict=True)))
    if type(yes) is type(no) and type(yes) in DICTS and yes.keys() == no.keys():
        return type(yes)((key, _merged(both, yes[key], no[key], f"{name}[{key!r}]")) for key in yes)
    if (
        not all(hasattr(v, "stop_gradient") or isinstance(v, Number) for v in (yes, no))
        or is_array(yes)
        or is_array(no)
    ):
        if not is_variable(yes) and not is_variable(no) and equal(yes, no):
            return yes
        return _different(both, name, f"{type(yes).__name__} and {type(no).__name__}, which no operator selects from")
    return _of_numbers(both, yes, no, name)


def _of_numbers(both: _Branches, yes: Any, no: Any, name: str) -> Any:
    kinds = [None if isinstance(v, Number) else v.dtype for v in (yes, no)]
    if kinds[0] is None and kinds[1] is None:
        dtype = "float32" if isinstance(yes, float) or isinstance(no, float) else None
        pair = _Pair(both.write(0, yes, dtype), both.write(1, no, dtype))
    else:
        pair = _Pair(both.write(0, yes, kinds[1]), both.write(1, no, kinds[0]))
    if pair.yes.dtype != pair.no.dtype:
        return _different(both, name, f"dtypes {pair.yes.dtype} and {pair.no.dtype}")
    if len(pair.yes.shape) != len(pair.no.shape):
        return _different(both, name, f"shapes {list(pair.yes.shape)} and {list(pair.no.shape)}")
    return pair


def _one_sided(both: _Branches, yes: Any, no: Any, name: str) -> Undefined:
    missing = "if" if isinstance(yes, Undefined) else "else"
    source = yes if isinstance(yes, Undefined) else no
    why = source.why or (
        f"declarative: {told(name)} gets no value in the {missing} branch of an `if` whose condition is a Variable, and is used "
        f"afterwards. Set it before the `if`, or in both branches.\n  at {both.line}"
    )
    return Undefined(name, why)


def _different(both: _Branches, name: str, what: str) -> Undefined:
    return Undefined(
        name,
        f"declarative: {told(name)} differs between the branches of an `if` whose condition is a Variable: {what}. Give it one "
        f"form in both.\n  at {both.line}",
    )


def _selected(both: _Branches, value: Any) -> Any:
    if isinstance(value, _Pair):
        return both.select(value.yes, value.no)
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        if any(_holds(item) for item in value):
            return type(value)(_selected(both, item) for item in value)
    elif type(value) in DICTS and any(_holds(item) for item in value.values()):
        return type(value)((key, _selected(both, item)) for key, item in value.items())
    elif isinstance(value, Stack):
        return Stack(value.array, _selected(both, value.length))
    return value


def _holds(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(_holds(item) for item in value)
    if isinstance(value, dict):
        return any(_holds(item) for item in value.values())
    return isinstance(value, _Pair)
